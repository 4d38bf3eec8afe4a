"""Print what a cold start of ``wt`` costs beside a bare interpreter, all measured in turn in one run.

Run it as ``python tests/bench/cold_start.py [ROUNDS]``. It is a measurement, not a test: it never fails on a slow machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 40
ENTRY = ["-c", "import sys; from windtunnel.engine.cli.main import main; sys.exit(main())"]  # as the installed `wt` does
SUBJECTS = {
    "bare interpreter": (["-c", "pass"], ""),
    "import typing": (["-c", "import typing"], ""),
    "import click": (["-c", "import click"], ""),
    "wt --help": ([*ENTRY, "--help"], "under 3"),
    "wt --version": ([*ENTRY, "--version"], "under 3"),
    "wt run --help": ([*ENTRY, "run", "--help"], ""),
    "wt schema": ([*ENTRY, "schema"], ""),
    "wt validate first_flight": ([*ENTRY, "validate", "first_flight"], ""),
    "wt run first_flight": ([*ENTRY, "run", "first_flight"], ""),
}


def seconds(arguments: list[str], folder: str, env: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started


def main(rounds: int) -> None:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, list[float]] = {name: [] for name in SUBJECTS}
    with tempfile.TemporaryDirectory() as folder:
        for arguments, _ in SUBJECTS.values():
            seconds(arguments, folder, env)  # byte code and file cache are warm, as after the first start ever
        for _ in range(rounds):
            for name, (arguments, _) in SUBJECTS.items():
                times[name].append(seconds(arguments, folder, env))
    base = times["bare interpreter"]
    print(f"{'':26}{'best':>9}{'ratio':>8}{'median':>10}{'ratio':>8}")
    for name, (_, target) in SUBJECTS.items():
        best, median = min(times[name]), statistics.median(times[name])
        aim = f"   (aim: {target} x)" if target else ""
        print(f"{name:26}{best * 1e3:6.1f} ms{best / min(base):6.2f} x"
              f"{median * 1e3:7.1f} ms{median / statistics.median(base):6.2f} x{aim}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
