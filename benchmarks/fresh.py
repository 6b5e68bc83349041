"""Measurements in fresh processes: import times, loaded modules and peak memory.

Run as ``python -m benchmarks.fresh TASK [ARGUMENT ...]`` it does one task and prints its answer as
JSON; ``ask`` starts it so. Byte code goes to a directory of its own, so that imports are timed as
they are in an installed package, whatever the caller's environment says about byte code.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
import tracemalloc
import warnings
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

HEAVY = ("numba", "pandas", "polars", "sklearn", "matplotlib", "scipy.stats")
AUC = {"metameasure": ("metameasure", "auc"), "sklearn": ("sklearn.metrics", "roc_auc_score")}


def ask(task: str, *arguments: object, byte_code: str | None = None) -> Any:
    """The answer of a task that runs in a fresh process."""
    environment = dict(os.environ) if byte_code is None else _writing(byte_code)
    command = [sys.executable, "-m", __spec__.name, task, *map(str, arguments)]
    answer = subprocess.run(  # noqa: S603 - the same file
        command, env=environment, stdout=subprocess.PIPE, check=True, text=True
    )
    return json.loads(answer.stdout)


def _writing(byte_code: str) -> dict[str, str]:
    """The environment of processes that keep byte code in a directory of their own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": byte_code}


def import_times(repeats: int) -> dict[str, float]:
    """The least seconds to import NumPy alone, and NumPy and metameasure, each in new processes."""
    choices = {"numpy": ("numpy",), "numpy_and_metameasure": ("numpy", "metameasure")}
    best = dict.fromkeys(choices, float("inf"))
    with TemporaryDirectory() as byte_code:
        for _ in range(repeats + 1):  # the first round writes the byte code and is the slowest
            for name, modules in choices.items():
                seconds = ask("seconds-to-import", *modules, byte_code=byte_code)
                best[name] = min(best[name], seconds)
    return best


def first_times(repeats: int) -> dict[str, float]:
    """The least seconds of whole processes: imports, a first evaluate, and the command line."""
    libraries = "import numpy, scipy.special, polars, rich.table, cyclopts"
    with TemporaryDirectory() as folder:
        file = Path(folder, "cases.csv")
        rows = [f"{(number * 7) % 3 == 0:d},{number / 101:.4f}" for number in range(1, 101)]
        file.write_text("\n".join(["y,model", *rows]) + "\n", encoding="utf-8")
        scripts = {
            "numpy, scipy.special": "import numpy, scipy.special",
            "evaluate": (
                "import numpy as np, metameasure as mm; s = np.linspace(0.01, 0.99, 100); "
                "mm.evaluate((np.arange(100) * 7) % 3 == 0, s)"
            ),
            "libraries of the command line": libraries,
            "metameasure evaluate": (
                f"import sys; sys.argv = ['x', 'evaluate', {str(file)!r}, '--label', 'y'];"
                " from metameasure.cli import main; main()"
            ),
            "metameasure --help": (
                "import sys; sys.argv = ['x', '--help']; from metameasure.cli import main; main()"
            ),
        }
        best = dict.fromkeys(scripts, float("inf"))
        for _ in range(repeats + 1):  # as above, the first round writes the byte code
            for name, script in scripts.items():
                begin = time.perf_counter()
                subprocess.run(  # noqa: S603 - our own text
                    [sys.executable, "-c", script],
                    env=_writing(folder),
                    stdout=subprocess.DEVNULL,
                    check=True,
                )
                best[name] = min(best[name], time.perf_counter() - begin)
        return best


def peak_memory(n: int, of: str) -> dict[str, int]:
    """Bytes at the peak of one AUC of n cases beyond what was there before the call.

    The process in between is small on purpose: Linux counts the peak of the process that starts
    another one as a peak of the other one.
    """
    result: dict[str, int] = ask("start-memory", n, of)
    return result


def _seconds_to_import(*modules: str) -> float:
    begin = time.perf_counter()
    for module in modules:
        import_module(module)
    return time.perf_counter() - begin


def _loaded_by_import() -> list[str]:
    """The heavy modules that are there after ``import metameasure``."""
    import_module("metameasure")
    return [module for module in HEAVY if module in sys.modules]


def _numba_loaded_by_measures(n: str) -> bool:
    """Whether evaluating every measure, with and without ties, loads numba."""
    import metameasure as mm  # noqa: PLC0415
    from benchmarks.cases import make  # noqa: PLC0415

    labels, score = make(int(n))
    warnings.simplefilter("ignore")
    for scores in (score, score.round(2)):
        table = mm.tabulate(labels, scores)
        for measure in mm.measures():
            measure.value(table)
    return "numba" in sys.modules


def _start_memory(n: str, of: str) -> dict[str, int]:
    with TemporaryDirectory() as folder:
        ask("write-cases", n, folder)
        resident = ask("measure-memory", folder, of, "resident")
        traced = ask("measure-memory", folder, of, "traced")
        return {**resident, **traced}


def _write_cases(n: str, folder: str) -> None:
    import numpy as np  # noqa: PLC0415

    from benchmarks.cases import make  # noqa: PLC0415

    for name, array in zip(("labels", "score"), make(int(n)), strict=True):
        np.save(Path(folder, name), array)


def _measure_memory(folder: str, of: str, how: str) -> dict[str, int]:
    import numpy as np  # noqa: PLC0415

    module, name = AUC[of]
    auc = getattr(import_module(module), name)
    auc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])  # loads what is loaded late
    labels, score = (np.load(Path(folder, f"{a}.npy")) for a in ("labels", "score"))
    if how == "traced":
        tracemalloc.start()
        auc(labels, score)
        return {"traced": tracemalloc.get_traced_memory()[1]}
    before = _resident()
    earlier_peak = _peak_resident()
    auc(labels, score)
    peak = _peak_resident()
    assert peak > earlier_peak, "an earlier peak hides that of the call"
    return {"score_bytes": score.nbytes, "resident": peak - before}


def _bootstrap_memory(n: str, resamples: str) -> dict[str, int]:
    with TemporaryDirectory() as folder:
        ask("write-cases", n, folder)
        used: dict[str, int] = ask("measure-bootstrap", folder, resamples)
        return used


def _measure_bootstrap(folder: str, resamples: str) -> dict[str, int]:
    """The peak of many resamples of the AUC and of some of all ten default measures.

    More resamples of the ten would only take longer: each block of them uses the same memory.
    """
    import numpy as np  # noqa: PLC0415

    import metameasure as mm  # noqa: PLC0415

    few = 20
    mm.evaluate([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], mute="few-cases")  # loads what is loaded late
    labels, score = (np.load(Path(folder, f"{a}.npy")) for a in ("labels", "score"))
    before, earlier_peak = _resident(), _peak_resident()
    mm.evaluate(labels, score, resamples=few)
    mm.interval(labels, score, "auc", method="percentile", resamples=int(resamples))
    peak = _peak_resident()
    assert peak > earlier_peak, "an earlier peak hides that of the call"
    return {"score_bytes": score.nbytes, "resident": peak - before, "resamples_of_ten": few}


def _evaluation(n: str) -> dict[str, dict[str, float]]:
    """Seconds and peak memory of the default evaluation, of arrays and of a Parquet file.

    Seconds of the processor do not depend on what else the machine does, as those of a clock do.
    """
    with TemporaryDirectory() as folder:
        ask("write-cases", n, folder)
        ask("write-file", folder)
        return {
            "arrays": ask("measure-evaluation", folder),
            "command": ask("measure-command", folder),
        }


def _write_file(folder: str) -> None:
    import numpy as np  # noqa: PLC0415
    import polars as pl  # noqa: PLC0415

    columns = {name: np.load(Path(folder, f"{name}.npy")) for name in ("labels", "score")}
    pl.DataFrame(columns).write_parquet(Path(folder, "cases.parquet"))


def _measure_evaluation(folder: str) -> dict[str, float]:
    """The peak is that of the whole process, with the data and the modules."""
    import numpy as np  # noqa: PLC0415

    import metameasure as mm  # noqa: PLC0415

    labels, score = (np.load(Path(folder, f"{a}.npy")) for a in ("labels", "score"))
    begin = time.process_time()
    np.sort(score)
    between, clock = time.process_time(), time.perf_counter()
    mm.evaluate(labels, score, progress=False)
    return {
        "np.sort": between - begin,
        "processor": time.process_time() - between,
        "clock": time.perf_counter() - clock,
        "resident": _peak_resident(),
    }


def _measure_command(folder: str) -> dict[str, float]:
    begin = time.perf_counter()
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", "from metameasure.cli import main; main()", "evaluate",
         str(Path(folder, "cases.parquet")), "--label", "labels", "--no-progress"],
        stdout=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    clock = time.perf_counter() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime
    return {"processor": processor, "clock": clock, "resident": used.ru_maxrss * 1024}


def _parts(n: str) -> dict[str, float]:
    """The default evaluation of a Parquet file of n rows, in parts."""
    with TemporaryDirectory() as folder:
        ask("write-rows", n, folder)
        used: dict[str, float] = ask("measure-parts", folder, "0.95")
        return used


def _parts_and_peer(n: str) -> dict[str, dict[str, float]]:
    with TemporaryDirectory() as folder:
        ask("write-rows", n, folder)
        return {"ours": ask("measure-parts", folder, ""), "peer": ask("measure-peer", folder)}


def _write_rows(n: str, folder: str) -> None:
    """A Parquet file of labels and scores, written in parts."""
    import numpy as np  # noqa: PLC0415
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet  # noqa: PLC0415

    rng, step = np.random.default_rng(5), 10**6
    schema = pa.schema([("y", pa.int8()), ("s", pa.float64())])
    with pyarrow.parquet.ParquetWriter(Path(folder, "rows.parquet"), schema) as writer:
        for _ in range(0, int(n), step):
            score = rng.random(step)
            label = (rng.random(step) < 0.1 + 0.8 * score).astype(np.int8)
            writer.write_table(pa.table({"y": label, "s": score}))


def _measure_parts(folder: str, ci: str) -> dict[str, float]:
    import metameasure as mm  # noqa: PLC0415
    from metameasure.data import batches  # noqa: PLC0415

    mm.evaluate([0, 1, 0, 1], [0.1, 0.6, 0.3, 0.4], mute="few-cases")  # loads what is loaded late
    batches.WHOLE = 0  # whatever the number of rows
    begin = time.perf_counter()
    file = Path(folder, "rows.parquet")
    mm.evaluate(file, label="y", scores="s", ci=float(ci) if ci else None, progress=False)
    return {"clock": time.perf_counter() - begin, "resident": _peak_resident()}


def _measure_peer(folder: str) -> dict[str, float]:
    import pandas as pd  # noqa: PLC0415
    from sklearn.metrics import average_precision_score, roc_auc_score  # noqa: PLC0415

    begin = time.perf_counter()
    rows = pd.read_parquet(Path(folder, "rows.parquet"))
    roc_auc_score(rows["y"], rows["s"])
    average_precision_score(rows["y"], rows["s"])
    return {"clock": time.perf_counter() - begin, "resident": _peak_resident()}


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def _peak_resident() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


TASKS: dict[str, Callable[..., Any]] = {
    "seconds-to-import": _seconds_to_import,
    "loaded-by-import": _loaded_by_import,
    "numba-loaded-by-measures": _numba_loaded_by_measures,
    "start-memory": _start_memory,
    "write-cases": _write_cases,
    "measure-memory": _measure_memory,
    "bootstrap-memory": _bootstrap_memory,
    "measure-bootstrap": _measure_bootstrap,
    "evaluation": _evaluation,
    "write-file": _write_file,
    "measure-evaluation": _measure_evaluation,
    "measure-command": _measure_command,
    "parts": _parts,
    "parts-and-peer": _parts_and_peer,
    "write-rows": _write_rows,
    "measure-parts": _measure_parts,
    "measure-peer": _measure_peer,
}

if __name__ == "__main__":
    json.dump(TASKS[sys.argv[1]](*sys.argv[2:]), sys.stdout)
