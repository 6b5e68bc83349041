"""Plant small bugs in a copy of the project, and count how many the tests catch.

python tools/mutate.py map build/mutants                  # which tests reach which code: once
python tools/mutate.py run build/mutants --seed 1 --mutants 200
python tools/mutate.py report build/mutants --seed 1
python tools/mutate.py map build/mutants --tests tests/table  # after tests were added

A run draws mutants at random (tools/mutants.py) from what tools/mutation.toml names. For each,
the tests that reach the code are run until one fails, the quickest first, in a process that is
forked after the third-party packages were loaded. A run that was interrupted continues.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import importlib
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import TYPE_CHECKING, Any

import pytest
import reached
from mutants import Excluded, Mutant, mutants_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).resolve().parent
QUICK, ALL = 5.0, 60.0
"""Seconds of tests, as mapped, in the first and in the second part of a trial."""
ALIKE, FILES = 3, 5
"""Largest numbers of cases of one parametrized test, and of files, in the first part."""
PATIENCE, SLOWER = 60.0, 10.0
"""A trial times out after 60 s and 10 times the mapped seconds."""
BROKEN = 70
"""Exit code of a trial that pytest did not end."""
MEMORY = 16 * 2**30
"""Address space of a trial in bytes."""


@dataclass(eq=False)
class Project:
    """A project whose modules are mutated, with what ``mutation.toml`` says about it."""

    root: Path
    config: dict[str, Any]

    @classmethod
    def of(cls, config: Path, root: Path) -> Project:
        """The project in a folder."""
        return cls(root, tomllib.loads(config.read_text()))

    @cached_property
    def files(self) -> list[str]:
        """The paths of the modules."""
        found = {p for pattern in self.config["sources"] for p in self.root.glob(pattern)}
        return sorted(str(path.relative_to(self.root)) for path in found)

    def source(self, file: str) -> str:
        """The text of a module."""
        return (self.root / file).read_text()

    @cached_property
    def mutants(self) -> list[Mutant]:
        """All mutants."""
        names = self.config.get("excluded", {})
        excluded = Excluded(**{kind: frozenset(some) for kind, some in names.items()})
        return [m for file in self.files for m in mutants_of(self.source(file), file, excluded)]

    @contextmanager
    def copy(self) -> Iterator[Path]:
        """A copy in a temporary folder."""
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            for name in self.config["copied"]:
                source, target = self.root / name, Path(folder) / name
                if source.is_dir():
                    ignored = shutil.ignore_patterns("__pycache__", ".*_cache")
                    shutil.copytree(source, target, ignore=ignored)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(source, target)
            yield Path(folder)


def arguments_of_pytest(*more: str) -> list[str]:
    """Arguments of every run, without those of ``pyproject.toml``."""
    preloaded = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return [
        "-q",
        "-o",
        "addopts=",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        *preloaded,
        *more,
    ]


def environment(copy: Path) -> dict[str, str]:
    """The environment in which the copy is imported, also by processes that tests start."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(copy / "src"), str(HERE)])}


# ---- which tests reach which blocks


def make_map(project: Project, out: Path, processes: int, tests: Sequence[str]) -> int:
    """Run all tests once, or some tests that are new, and write what each reaches."""
    out.mkdir(parents=True, exist_ok=True)
    for old in [] if tests else out.glob("reached-*.jsonl"):
        old.unlink()
    with project.copy() as copy:
        for file in project.files:
            (copy / file).write_text(reached.instrumented(project.source(file), file))
        parallel = ["-n", str(processes)] if processes > 1 else []
        command = [sys.executable, "-m", "pytest", *arguments_of_pytest("-p", "reached")]
        command += [*parallel, *(tests or project.config["tests"])]
        where = environment(copy) | {reached.OUTPUT: str(out.resolve())}
        return subprocess.run(command, cwd=copy, env=where, check=False).returncode


class Map:
    """The tests by the blocks that they reach, and their times."""

    def __init__(self, project: Project, out: Path) -> None:
        self.project = project
        not_counted = tuple(project.config.get("not_counted", []))
        self._trees: dict[str, ast.Module] = {}
        self.seconds: dict[str, float] = {}
        self.by_block: dict[str, set[str]] = defaultdict(set)
        self.by_file: dict[str, set[str]] = defaultdict(set)
        for path in sorted(out.glob("reached-*.jsonl")):
            for line in path.read_text().splitlines():
                row = json.loads(line)
                if row["test"].startswith(not_counted):
                    continue
                self.seconds[row["test"]] = row["seconds"]
                for block in row["reached"]:
                    self.by_block[block].add(row["test"])
                    self.by_file[block.rpartition(":")[0]].add(row["test"])

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that may notice a mutant, the quickest first.

        Code that runs on import is reached by no test in particular: those of the function that
        it belongs to or of the module serve, and those of declarations.
        """
        config = self.project.config
        if mutant.file in config.get("tests_of", {}):
            found = self._named(config["tests_of"][mutant.file])
        else:
            if mutant.file not in self._trees:
                self._trees[mutant.file] = ast.parse(self.project.source(mutant.file))
            tree = self._trees[mutant.file]
            block = reached.block_of(tree, mutant.line)
            if block is None:
                block = reached.declared_block(tree, mutant.line)
                found = self.by_block[f"{mutant.file}:{block}"] or self.by_file[mutant.file]
                found = (found or set(self.seconds)) | self._named(
                    config.get("of_declarations", [])
                )
            else:
                found = self.by_block[f"{mutant.file}:{block}"]
        return sorted(found, key=lambda test: (self.seconds[test], test))

    def _named(self, beginnings: Sequence[str]) -> set[str]:
        return {test for test in self.seconds if test.startswith(tuple(beginnings))}

    def trials_of(self, mutant: Mutant) -> list[list[str]]:
        """The tests in two parts: the quickest, and others for which there is time.

        Of the others, each test comes with one case before any comes with a second one.
        """
        tests = self.tests_of(mutant)
        alike: Counter[str] = Counter()
        files: set[str] = set()
        some: list[str] = []
        left = QUICK
        for test in tests:
            file, name = test.partition("::")[0], test.partition("[")[0]
            if alike[name] < ALIKE and left > 0 and (file in files or len(files) < FILES):
                some.append(test)
                alike[name] += 1
                files.add(file)
                left -= self.seconds[test]
        cases: Counter[str] = Counter()
        places = {}
        for test in tests:
            places[test] = cases[test.partition("[")[0]]
            cases[test.partition("[")[0]] += 1
        others, left = [], ALL
        for test in sorted(tests, key=places.__getitem__):
            if test not in some and left > 0:
                others.append(test)
                left -= self.seconds[test]
        return [part for part in (some, others) if part]


# ---- trying mutants


class Chosen:
    """A plugin of pytest that runs some tests, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.place = {test: i for i, test in enumerate(tests)}
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Select and sort the tests."""
        items[:] = [item for item in items if item.nodeid in self.place]
        items.sort(key=lambda item: self.place[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the test that failed."""
        if report.failed:
            self.failed = report.nodeid


def try_tests(copy: Path, tests: Sequence[str], seconds: float) -> tuple[str, str]:
    """Whether some tests pass in the copy: "survived", "caught" or "timeout", and by which test."""
    note = copy / "caught-by.txt"
    note.write_text("")
    child = os.fork()
    if not child:
        code = BROKEN
        try:
            code = _run_in_child(copy, tests, note)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    code = _exit_code(child, time.monotonic() + PATIENCE + SLOWER * seconds)
    if code is None:
        return "timeout", ""
    if code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        return "survived", ""
    if code == BROKEN:
        raise SystemExit((copy / "output.txt").read_text())
    return "caught", note.read_text() or f"exit {code}"


def _exit_code(child: int, deadline: float) -> int | None:
    """How a process ended, or None after the deadline; it does not outlive this one."""
    try:
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                child = 0
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        return None
    finally:
        if child:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _run_in_child(copy: Path, tests: Sequence[str], note: Path) -> int:
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(copy)
    os.environ.update(environment(copy))
    sys.path[:0] = [str(copy / "src")]
    quiet = os.open(copy / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    chosen = Chosen(tests)
    code = pytest.main([*arguments_of_pytest("-x", "-p", "no:xdist"), *files], plugins=[chosen])
    note.write_text(chosen.failed)
    return int(code)


def _warm(copy: Path, tests: Sequence[str]) -> None:
    """Compile everything once; what a mutant compiles is not stored."""
    compileall.compile_dir(
        copy / "src", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH
    )
    outcome, by = try_tests(copy, tests, 600)
    if outcome != "survived":
        sys.stderr.write((copy / "output.txt").read_text())
        raise SystemExit(f"tests fail without a mutant: {by or outcome}")


def run(project: Project, out: Path, seed: int, count: int, processes: int = 1) -> None:
    """Try the mutants of a sample; those that were tried before are not tried again."""
    mapped = Map(project, out)
    sample = random.Random(seed).sample(project.mutants, min(count, len(project.mutants)))  # noqa: S311
    path = results_path(out, seed)
    done = {row["key"] for row in read_results(path)}
    left = [mutant for mutant in sample if mutant.key not in done]
    for name in project.config.get("preloaded", []):
        importlib.import_module(name)
    forked = multiprocessing.get_context("fork")
    parts = [
        forked.Process(target=try_mutants, args=(project, mapped, left[part::processes], path))
        for part in range(min(processes, len(left)))
    ]
    try:
        for part in parts:
            part.start()
        for part in parts:
            part.join()
    finally:
        for part in parts:
            part.terminate()
            part.join()
    if any(part.exitcode for part in parts):
        raise SystemExit(1)


def try_mutants(project: Project, mapped: Map, mutants: Sequence[Mutant], path: Path) -> None:
    """Try some mutants in a copy of the project, and add the results to a file."""
    with project.copy() as copy:
        quickest = sorted(mapped.seconds, key=mapped.seconds.__getitem__)
        per_file = {test.partition("::")[0]: test for test in reversed(quickest)}
        _warm(copy, list(per_file.values()))
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        for mutant in mutants:
            began = time.monotonic()
            outcome, by, tests = try_mutant(project, mapped, copy, mutant)
            row = asdict(mutant) | {
                "key": mutant.key, "outcome": outcome, "by": by, "tests": tests,
                "seconds": round(time.monotonic() - began, 2),
            }  # fmt: skip
            with path.open("a") as file:
                file.write(json.dumps(row) + "\n")
            if outcome != "caught":
                print(outcome, shown(row), flush=True)


def try_mutant(project: Project, mapped: Map, copy: Path, mutant: Mutant) -> tuple[str, str, int]:
    """The outcome, the test that caught it, and the number of tests that were run or might be."""
    source, target = project.source(mutant.file), copy / mutant.file
    trials = mapped.trials_of(mutant)
    outcome, by = "survived", ""
    try:
        target.write_text(mutant.applied_to(source))
        for tests in trials:
            outcome, by = try_tests(copy, tests, sum(mapped.seconds[t] for t in tests))
            if outcome != "survived":
                break
    finally:
        shutil.copy2(project.root / mutant.file, target)
    return outcome, by, sum(map(len, trials))


# ---- what was found


def results_path(out: Path, seed: int) -> Path:
    """The file with the results of a sample."""
    return out / f"seed-{seed}.jsonl"


def read_results(path: Path) -> list[dict[str, Any]]:
    """The results so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def shown(row: dict[str, Any]) -> str:
    """A mutant in one line."""
    before, after = (" ".join(row[part].split()) for part in ("before", "after"))
    where = f"{row['file']}:{row['line']} {row['scope']}"
    return f"{row['key']} {where} [{row['operator']}] {before} -> {after}"


def read_equivalents(path: Path) -> list[dict[str, str]]:
    """The mutants that change no result, each with a reason."""
    return tomllib.loads(path.read_text()).get("mutant", []) if path.exists() else []


def is_equivalent(row: dict[str, Any], equivalents: Sequence[dict[str, str]]) -> bool:
    """Whether a mutant is claimed to be equivalent; its line number may have changed."""
    parts = ("file", "scope", "operator", "text", "before", "after", "place")
    return any(all(row[part] == one[part] for part in parts) for one in equivalents)


def report(out: Path, seed: int, equivalents: Path) -> float:
    """Print the score of a sample with and without claimed equivalents; the latter is returned."""
    rows, known = read_results(results_path(out, seed)), read_equivalents(equivalents)
    survivors = [row for row in rows if row["outcome"] == "survived"]
    claimed = [row for row in survivors if is_equivalent(row, known)]
    caught = len(rows) - len(survivors)
    timeouts = sum(row["outcome"] == "timeout" for row in rows)
    score = caught / max(1, len(rows) - len(claimed))
    print(
        f"{len(rows)} mutants, {caught} caught ({timeouts} by a timeout), {len(survivors)} survived"
    )
    print(f"score {caught / max(1, len(rows)):.1%}; without {len(claimed)} equivalents {score:.1%}")
    print(f"{sum(row['seconds'] for row in rows) / 60:.0f} minutes")
    for operator, number in sorted(Counter(row["operator"] for row in rows).items()):
        lost = sum(row["operator"] == operator for row in survivors if row not in claimed)
        print(f"  {operator}: {number - lost} of {number}")
    for row in survivors:
        print("equivalent" if row in claimed else "survived", shown(row))
    return score


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("command", choices=["map", "run", "report"])
    parser.add_argument("out", type=Path, help="Folder of the results.")
    parser.add_argument("--seed", type=int, default=1, help="Seed of the sample.")
    parser.add_argument("--mutants", type=int, default=200, help="Number of mutants.")
    parser.add_argument("--processes", type=int, default=2, help="Number of processes.")
    parser.add_argument("--tests", nargs="+", help="New tests, to be added to the map.")
    parser.add_argument("--root", type=Path, default=HERE.parent, help="Folder of the project.")
    parser.add_argument("--config", type=Path, default=HERE / "mutation.toml")
    parser.add_argument("--equivalents", type=Path, default=HERE / "mutants_equivalent.toml")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # removes the copy
    project = Project.of(given.config, given.root.resolve())
    if given.command == "map":
        raise SystemExit(make_map(project, given.out, given.processes, given.tests))
    if given.command == "run":
        run(project, given.out, given.seed, given.mutants, given.processes)
    report(given.out, given.seed, given.equivalents)


if __name__ == "__main__":
    main()
