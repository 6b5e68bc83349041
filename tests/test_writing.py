"""Files are replaced as a whole or not at all; pipes, devices and open files are written to."""

import os
import signal
import subprocess
import sys
import threading

import polars as pl
import pytest

import metameasure as mm
from metameasure.writing import whole_file

LABELS, SCORES = [1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]
DESCRIPTORS = ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")
PATIENCE = 60
HALF_WAY = """
import sys, time
from metameasure import cli
from metameasure.cli import app
from metameasure.writing import whole_file
def write():
    with whole_file(sys.argv[1]) as stream:
        stream.write(b"half")
        stream.flush()
        print("half", flush=True)
        time.sleep(600)
app.main = write
cli.main()
"""


def write_half(path):
    """Fail after some bytes."""
    with whole_file(path) as stream:
        stream.write(b"half")
        stream.flush()
        raise ZeroDivisionError


def saved_evaluation(path):
    mm.evaluate(LABELS, SCORES, "auc", ci=None).save(path, "json")


def saved_table(path):
    mm.tabulate(LABELS, SCORES).save(path)


def saved_picture(path):
    mm.plots.RocDisplay.from_predictions(LABELS, SCORES).save(path)


WRITERS = {saved_evaluation: b"{", saved_table: b"PAR1", saved_picture: b"<?xml"}


@pytest.fixture(params=[name for name in DESCRIPTORS if os.path.isdir(name)])  # noqa: PTH112
def opened(request, tmp_path):
    """A name for a descriptor of this process, by a link whose suffix says the format."""

    def name(descriptor):
        link = tmp_path / "link.svg"
        link.symlink_to(f"{request.param}/{descriptor}")
        return link

    return name


@pytest.mark.parametrize("writer", WRITERS)
def test_an_open_file_is_appended_to(tmp_path, opened, writer):
    """As in ``-o /dev/stdout >> log.txt``."""
    log = tmp_path / "log.txt"
    log.write_bytes(b"before ")
    before = log.stat().st_ino
    with log.open("ab") as stream:
        link = opened(stream.fileno())
        writer(link)
        stream.write(b" after")
    assert link.is_symlink()
    assert log.stat().st_ino == before
    content = log.read_bytes()
    assert content.startswith(b"before " + WRITERS[writer])
    assert content.endswith(b" after")


@pytest.mark.parametrize("writer", WRITERS)
def test_a_pipe_without_a_name(opened, writer):
    """As in ``-o /dev/stdout | cat`` and ``-o >(cat)``."""
    reader, end = os.pipe()
    found = []
    with open(reader, "rb") as stream:  # noqa: PTH123
        thread = threading.Thread(target=lambda: found.append(stream.read()))
        thread.start()
        try:
            writer(opened(end))
        finally:
            os.close(end)
            thread.join()
    assert found[0].startswith(WRITERS[writer])


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs it")  # noqa: PTH110
def test_standard_output_by_its_name(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text("before\n")
    code = "print('first'); from metameasure.cli import main; main()"
    words = ["measures", "auc", "--format", "json", "-o", "/dev/stdout"]
    with log.open("ab") as stream:
        command = [sys.executable, "-c", code, *words]
        subprocess.run(command, stdout=stream, check=True)  # noqa: S603
    assert log.read_text().startswith("before\nfirst\n{")


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")  # noqa: PTH112
def test_an_open_file_of_another_process_is_not_replaced(tmp_path):
    log = tmp_path / "log.txt"
    log.write_bytes(b"before ")
    with log.open("ab") as stream:
        other = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=stream)
    with other, whole_file(f"/proc/{other.pid}/fd/1") as stream:
        stream.write(b"result")
    assert log.read_bytes() == b"before result"


def test_a_descriptor_that_is_closed(opened):
    reader, end = os.pipe()
    os.close(reader)
    os.close(end)
    with pytest.raises(mm.DataError, match="cannot be written: Bad file descriptor"):
        saved_evaluation(opened(end))


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no names of descriptors")  # noqa: PTH112
def test_standard_output_that_is_closed_is_not_another_file_of_its_number(tmp_path):
    code = (
        "import os, sys; from metameasure.writing import whole_file\n"
        "assert os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT) == 1\n"
        "with whole_file('/dev/fd/1') as stream: stream.write(b'result')\n"
    )
    other = tmp_path / "other"
    line = [sys.executable, "-c", code, str(other)]
    done = subprocess.run(  # noqa: S603
        line, preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.stderr.endswith("/dev/fd/1 cannot be written: Bad file descriptor\n")
    assert other.read_bytes() == b""


def test_nothing_is_sent_if_writing_fails(opened):
    reader, end = os.pipe()
    with pytest.raises(ZeroDivisionError):
        write_half(opened(end))
    os.close(end)
    assert os.read(reader, 1) == b""
    os.close(reader)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_loop_of_links(tmp_path, writer):
    loop = tmp_path / "loop.svg"
    loop.symlink_to(loop)
    with pytest.raises(mm.DataError, match=r"loop.svg cannot be written: \w+"):
        writer(loop)
    assert loop.is_symlink()


def test_a_chain_of_links_stays(tmp_path):
    target, link, first = (tmp_path / name for name in ("target", "link", "first"))
    link.symlink_to("target")
    first.symlink_to(link)
    for content in (b"new", b"newer"):
        with whole_file(first) as stream:
            stream.write(content)
        assert target.read_bytes() == content
    assert first.is_symlink()
    assert link.is_symlink()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have Unicode names")
@pytest.mark.parametrize(("writer", "start"), WRITERS.items())
def test_a_name_that_is_not_utf_8(tmp_path, writer, start):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.svg")
    writer(path)
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff.svg"]  # noqa: PTH208
    with open(path, "rb") as file:  # noqa: PTH123
        assert file.read(5).startswith(start)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_name_that_no_file_has(tmp_path, monkeypatch, writer):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mm.ParameterError, match=r"must be the name of a file, got '\\ud800.svg'"):
        writer("\ud800.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("writer", WRITERS)
def test_a_long_name_is_cut_in_the_message(tmp_path, writer):
    with pytest.raises(mm.DataError, match=r"x\.\.\. cannot be written: ") as caught:
        writer(tmp_path / "nosuch" / ("x" * 300 + ".svg"))
    assert len(str(caught.value)) < 300


def test_an_error_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "result.csv"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        write_half(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_reader_sees_the_old_file_or_the_new_one(tmp_path):
    path = tmp_path / "result.csv"
    path.write_text("old")
    with path.open() as reader:
        with whole_file(path) as stream:
            pl.DataFrame({"new": [1]}).write_csv(stream)
        assert reader.read() == "old"
    assert path.read_text() == "new\n1\n"


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 143), (signal.SIGINT, 130)],
)
def test_a_writer_that_is_ended_half_way_leaves_the_old_file(tmp_path, number, code):
    path = tmp_path / "result.csv"
    path.write_text("old")
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", heard + HALF_WAY, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        try:
            assert program.stdout.readline() == "half\n"
            assert path.read_text() == "old"
            program.send_signal(number)
            _, errors = program.communicate(timeout=PATIENCE)
        finally:
            program.kill()
    assert (program.returncode, errors) == (code, "")
    assert path.read_text() == "old"
    if number != signal.SIGKILL:  # after which nobody can clean up
        assert list(tmp_path.iterdir()) == [path]
