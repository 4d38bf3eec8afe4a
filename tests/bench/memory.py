"""Print how the memory of ``wt run`` grows from 1,000 to 10,000 runs of a scripted scenario, beside that of a bare start.

What is told is the peak of the larger of its two processes. Run it as ``python tests/bench/memory.py``. It is a
measurement, not a test: it never fails on a slow machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ENTRY = ["-c", "import sys; from windtunnel.engine.cli.main import main; sys.exit(main())"]  # as the installed `wt` does
SHM = Path("/dev/shm")  # noqa: S108 - where there is one: 20,000 files take a disk a while
SIZES = (1, 1_000, 10_000)


def peak_mib(runs: int, *, agent: str) -> float:
    """The peak resident set of a sweep of so many runs, in MiB."""
    with tempfile.TemporaryDirectory(dir=SHM if SHM.is_dir() else None) as folder:
        words = ["run", "first_flight", "--scenario", "where_is_my_bag", "--agent", agent, "--runs", str(runs), "--jobs", "1"]
        process = subprocess.Popen([sys.executable, *ENTRY, *words, "--runs-dir", f"{folder}/runs"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == (0 if agent == "careful" else 1)
        return usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    print(f"{'peak memory':26}{''.join(f'{runs:>8} runs' for runs in SIZES)}{'growth':>16}")
    for agent, verdict in (("careful", "runs that pass"), ("careless", "runs that fail")):
        peaks = [peak_mib(runs, agent=agent) for runs in SIZES]
        told = "".join(f"{peak:9.1f} MiB" for peak in peaks)
        print(f"{verdict:26}{told}{peaks[2] - peaks[1]:12.1f} MiB   (aim: within 10)   {peaks[2] / peaks[1]:.2f} x")


if __name__ == "__main__":
    main()
