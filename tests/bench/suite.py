"""Print what the whole built-in suite costs, cold: one ``wt run`` of every dimension pack, beside a bare interpreter.

Run it as ``python tests/bench/suite.py [ROUNDS]``. It is a measurement, not a test: it never fails on a slow machine.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 10
PACKS = (
    "tool_affordance", "clarify_vs_guess", "memory_conflict", "multi_turn_drift", "policy_pressure", "recovery",
    "sampler_sensitivity", "side_effect_safety", "silent_failure", "icl_poisoning",
)
ENTRY = ["-c", "import sys; from windtunnel.engine.cli.main import main; sys.exit(main())"]  # as the installed `wt` does
SUBJECTS = {
    "bare interpreter": ["-c", "pass"],
    "wt plan, all ten packs": [*ENTRY, "plan", *PACKS],
    "wt run, all ten packs": [*ENTRY, "run", *PACKS, "--runs", "1"],
}


def seconds(arguments: list[str], env: dict[str, str]) -> tuple[float, float]:
    """What one process in an empty folder of its own takes, by the clock and of a core; it must go well."""
    with tempfile.TemporaryDirectory() as folder:
        used, started = _of_cores(), time.perf_counter()
        done = subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, check=False)
        took = time.perf_counter() - started, _of_cores() - used
        if done.returncode:
            sys.exit(f"exit code {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
        scored = len(list(Path(folder).rglob("*.score.json")))
        if "run" in arguments and scored < len(PACKS):
            sys.exit(f"only {scored} scores were written")
    return took


def _of_cores() -> float:
    """Seconds of a core that all processes took that have ended; what other work on the machine takes is not in it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(rounds: int) -> None:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for arguments in SUBJECTS.values():
        seconds(arguments, env)  # byte code and file cache are warm, as after the first start ever
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in SUBJECTS}
    for _ in range(rounds):
        for name, arguments in SUBJECTS.items():
            times[name].append(seconds(arguments, env))
    print(f"{'':26}{'best':>9}{'ratio':>9}{'median':>10}{'ratio':>9}{'of a core':>12}")
    base = [took for took, _ in times["bare interpreter"]]
    for name in SUBJECTS:
        walls, cores = zip(*times[name], strict=True)
        best, median = min(walls), statistics.median(walls)
        aim = "   (aim: under 2 s)" if "run" in SUBJECTS[name] else ""
        print(f"{name:26}{best:7.2f} s{best / min(base):7.1f} x{median:8.2f} s{median / statistics.median(base):7.1f} x"
              f"{min(cores):10.2f} s{aim}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
