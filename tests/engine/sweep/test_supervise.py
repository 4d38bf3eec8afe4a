"""The parent believes a complete record and nothing else; every other end of the child is told as what it is."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

HEAD = """
import json, os, signal, sys, time
from pathlib import Path
from windtunnel.engine.sweep.supervise import supervise

root = Path({root!r})
record = root / "x.sweep.json"

def begin(link, runs=3):
    record.write_text(json.dumps({{"state": "running", "planned_runs": runs, "counts": {{}}}}))
    link.record(str(record))

def complete(code):
    record.write_text(json.dumps({{"state": "complete", "exit_code": code}}))

def score(link, name, verdict, gates=True):
    link.expect(name, gates=gates)
    (root / name).write_text(json.dumps({{"verdict": verdict}}))
"""


def child(tmp_path: Path, body: str) -> subprocess.Popen[str]:
    code = HEAD.format(root=str(tmp_path)) + textwrap.dedent(body) + "\nsys.exit(supervise(work))\n"
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("code", [0, 1, 3])
def test_the_exit_code_is_the_one_in_the_complete_record(tmp_path: Path, code: int) -> None:
    process = child(tmp_path, f"""
        def work(link):
            begin(link)
            complete({code})
            return 77
    """)
    assert ended(process)[0] == code


@pytest.mark.parametrize("end", ["os._exit(0)", "sys.exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGSEGV)"])
def test_a_child_that_ends_before_its_record_is_complete_is_never_green(tmp_path: Path, end: str) -> None:
    process = child(tmp_path, f"""
        def work(link):
            begin(link)
            score(link, "a.score.json", "PASS")
            {end}
    """)
    code, _, err = ended(process)
    assert code == 3
    assert "what is on disk is kept, the rest is NOT_RUN" in err
    record = json.loads((tmp_path / "x.sweep.json").read_text())
    assert record["state"] == "died"
    assert record["exit_code"] == 3
    assert record["counts"] == {"NOT_RUN": 2, "PASS": 1}


def test_a_failed_run_on_disk_is_exit_1_though_the_child_died(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            begin(link)
            score(link, "a.score.json", "FAIL")
            os._exit(0)
    """)
    assert ended(process)[0] == 1


def test_a_failed_run_that_does_not_gate_is_exit_3_when_the_child_died(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            begin(link)
            score(link, "a.score.json", "FAIL", gates=False)
            os._exit(0)
    """)
    assert ended(process)[0] == 3


def test_a_score_that_was_announced_and_never_written_is_not_counted(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            begin(link)
            link.expect("never.score.json", gates=True)
            os._exit(0)
    """)
    assert ended(process)[0] == 3
    assert json.loads((tmp_path / "x.sweep.json").read_text())["counts"] == {"NOT_RUN": 3}


def test_a_child_that_ends_green_before_any_record_is_exit_3(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            os._exit(0)
    """)
    code, _, err = ended(process)
    assert (code, err) == (
        3,
        "wt: the sweep did not end well (it left with exit code 0 before its record was complete): "
        "what is on disk is kept, the rest is NOT_RUN\n",
    )


def test_a_fault_before_the_sweep_keeps_its_exit_code(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            link.early(2)
            return 2
    """)
    assert ended(process) == (2, "", "")


def test_an_early_word_that_the_exit_code_contradicts_is_not_believed(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            link.early(2)
            os._exit(0)
    """)
    assert ended(process)[0] == 3


def test_a_bug_of_ours_in_the_middle_of_a_sweep_is_70_and_its_record_is_closed(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            begin(link)
            score(link, "a.score.json", "FAIL")
            raise ZeroDivisionError("ours")
    """)
    code, _, err = ended(process)
    assert code == 70
    assert err.startswith("wt: the working process failed: ZeroDivisionError: ours\n")
    assert json.loads((tmp_path / "x.sweep.json").read_text())["counts"] == {"FAIL": 1, "NOT_RUN": 2}


def started(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_is_passed_on_once_and_the_child_ends_in_its_own_way(tmp_path: Path, number: int, code: int) -> None:
    process = child(tmp_path, f"""
        def work(link):
            seen = []
            signal.signal({int(number)}, lambda *_: seen.append(1))
            begin(link)
            print("ready", flush=True)
            while not seen:
                time.sleep(0.01)
            complete({code})
            return {code}
    """)
    started(process)
    process.send_signal(number)
    assert ended(process)[0] == code
    assert json.loads((tmp_path / "x.sweep.json").read_text())["state"] == "complete"


def test_a_second_signal_ends_a_child_that_does_not_listen(tmp_path: Path) -> None:
    process = child(tmp_path, """
        def work(link):
            heard = []
            signal.signal(signal.SIGINT, lambda *_: print("heard", flush=True))
            begin(link)
            print("ready", flush=True)
            while True:
                time.sleep(0.01)
    """)
    started(process)
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    assert process.stdout.readline() == "heard\n"
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] == 130
    assert json.loads((tmp_path / "x.sweep.json").read_text())["state"] == "died"


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel for orphans, as only Linux hands them over")
def test_the_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: the orphan becomes ours, so we can see it end
    process = child(tmp_path, """
        def work(link):
            begin(link)
            print(os.getpid(), flush=True)
            time.sleep(600)
    """)
    assert process.stdout is not None
    orphan = int(process.stdout.readline())
    process.kill()
    process.wait(timeout=60)
    until = time.monotonic() + 60
    while alive(orphan) and time.monotonic() < until:
        time.sleep(0.01)
    assert not alive(orphan)
    assert json.loads((tmp_path / "x.sweep.json").read_text())["state"] == "running"
    process.stdout.close()
    if process.stderr is not None:
        process.stderr.close()
