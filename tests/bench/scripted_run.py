"""Print what a scripted run costs, all in, beside the bare work that it cannot do without, measured in turn in one run.

The bare work is two files of the same size, written as the bench writes them (temporary name, link, unlink), one copy of
an in-memory SQLite database, and one query. Run it as ``python tests/bench/scripted_run.py [ROUNDS]``. It is a
measurement, not a test: it never fails on a slow machine.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from windtunnel.engine import load_pack, run_pack
from windtunnel.engine.loading.find import find_pack
from windtunnel.engine.options import RunOptions

RUNS = 300
ROUNDS = 7
TRACE_BYTES, SCORE_BYTES = 2700, 1000
PLACES = ("/dev/shm", tempfile.gettempdir())  # noqa: S108 - memory first, for creating files on a disk has a price of its own


def scripted(folder: Path) -> None:
    """One batch of runs of a built-in scenario: one turn, one tool call, three checks, trace and score on disk."""
    options = RunOptions(runs_dir=folder, runs=RUNS, jobs=1, scenarios=("where_is_my_bag",))
    assert run_pack(PACK, options).exit_code == 0


def bare(folder: Path) -> None:
    original = sqlite3.connect(":memory:")
    original.execute("CREATE TABLE bags (tag TEXT, owner TEXT, place TEXT) STRICT")
    original.execute("INSERT INTO bags VALUES ('WT-1042', 'Nora Falk', 'carousel 4')")
    original.commit()
    for number in range(RUNS):
        copy = sqlite3.connect(":memory:")
        original.backup(copy)
        copy.execute("SELECT owner, place FROM bags WHERE tag = :tag", {"tag": "WT-1042"}).fetchall()
        copy.close()
        for kind, size in (("trace", TRACE_BYTES), ("score", SCORE_BYTES)):
            temporary = f"{folder}/.{number}.{kind}.tmp"
            file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            os.write(file, b" " * size)
            os.close(file)
            os.link(temporary, f"{folder}/{number}.{kind}.json")
            os.unlink(temporary)


def cost(work: Callable[[Path], None], place: str) -> tuple[float, float]:
    """Milliseconds of one run: on the wall, and of the processor."""
    folder = Path(tempfile.mkdtemp(dir=place))
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        work(folder)
        return (time.perf_counter() - wall) / RUNS * 1e3, (time.process_time() - cpu) / RUNS * 1e3
    finally:
        shutil.rmtree(folder)


def measured(place: str, rounds: int) -> None:
    costs = [(cost(bare, place), cost(scripted, place)) for _ in range(rounds + 1)][1:]  # the first one warms up
    for index, kind in enumerate(("wall", "cpu")):
        base = statistics.median(each[0][index] for each in costs)
        runs = [each[1][index] for each in costs]
        ratio = statistics.median(each[1][index] / each[0][index] for each in costs)
        aim = "   (aim: under 1 ms)" if kind == "wall" else ""
        print(f"{place:12}{kind:6}{base:8.3f} ms{statistics.median(runs):10.3f} ms{min(runs):10.3f} ms{ratio:8.1f} x{aim}")


if __name__ == "__main__":
    PACK = load_pack(find_pack("first_flight"))
    print(f"{'':18}{'bare':>11}{'run':>13}{'best':>13}{'ratio':>10}")
    for each in dict.fromkeys(PLACES):
        if os.path.isdir(each):
            measured(each, int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
