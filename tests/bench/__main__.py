"""Run every measurement of this folder, one after the other, each in a process of its own: ``python tests/bench``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MEASUREMENTS = ("cold_start", "scripted_run", "at_once", "memory", "validate", "suite", "dispatcher")


def main() -> int:
    failed = 0
    for name in MEASUREMENTS:
        print(f"== {name}", flush=True)
        failed += subprocess.run([sys.executable, Path(__file__).with_name(f"{name}.py")], check=False).returncode != 0
        print(flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
