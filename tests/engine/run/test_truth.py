"""Nothing that did not run, was not checked, or went wrong in the bench is ever green."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from kit.wt import SMALL_PACK, environment, scores, small_pack, sweep_record, traces, wt


def hook(folder: Path, body: str, point: str = "on_run_scored") -> str:
    (folder / "h.py").write_text(f"import os, signal, sys, time\nclass H:\n    name = 'h'\n    def {point}(self, ctx):\n        {body}\n")
    return "h.py:H"


def test_all_passed_is_0_and_its_lines_say_so(tmp_path: Path) -> None:
    ended = wt("run", small_pack(tmp_path), folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "PASS ask  good  2/2\nPASS buy  good  2/2\n2 batches: 2 PASS; runs: 4 PASS; evidence in runs\n"
    )


def test_a_failed_gate_is_1_with_its_reason(tmp_path: Path) -> None:
    ended = wt("run", small_pack(tmp_path), "--agent", "bad", "--scenario", "ask", folder=tmp_path)
    assert ended.code == 1
    assert ended.out.splitlines()[0] == 'FAIL ask  bad  0/2  outcome: mentions "3": not in the reply'


@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGSEGV)"])
@pytest.mark.parametrize("point", ["on_provisioned", "on_run_start", "on_run_scored", "on_scenario_end", "on_pack_end"])
def test_a_hook_that_ends_the_process_never_makes_it_green(tmp_path: Path, end: str, point: str) -> None:
    ended = wt("run", small_pack(tmp_path), "--hook", hook(tmp_path, end, point), folder=tmp_path)
    assert ended.code == 3
    record = sweep_record(tmp_path / "runs")
    assert record["state"] == "died"
    assert sum(record["counts"].values()) == record["planned_runs"] == 4


def test_a_process_that_dies_after_a_failure_is_1(tmp_path: Path) -> None:
    ended = wt("run", small_pack(tmp_path), "--agent", "bad", "--jobs", "1", "--hook", hook(tmp_path, "os._exit(0)"), folder=tmp_path)
    assert ended.code == 1
    assert sweep_record(tmp_path / "runs")["counts"] == {"FAIL": 1, "NOT_RUN": 3}


def test_a_hook_that_ends_the_process_while_it_is_imported_is_not_green(tmp_path: Path) -> None:
    (tmp_path / "h.py").write_text("import os\nos._exit(0)\n")
    ended = wt("run", small_pack(tmp_path), "--hook", "h.py:H", folder=tmp_path)
    assert ended.code == 3
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(("words", "told"), [
    (["--scenario", "nothing"], "--scenario nothing: matches nothing; there are: ask, buy"),
    (["--scenario", "Ask"], "--scenario Ask: matches nothing; did you mean 'ask'?"),
    (["--agent", "god"], "--agent god: matches nothing; did you mean 'good'?"),
    (["--tag", "smoke"], "--tag smoke: matches nothing; there is none"),
    (["--runs", "0"], "--runs 0: at least 1 run is needed; a scenario that shall not run carries `skip:`"),
    (["--runs", "1000000000"], "--runs 1000000000: at most 100000 runs of a scenario are made; run the sweep several times"),
    (["--jobs", "0"], "--jobs 0: at least 1 run at once is needed"),
    (["--junit", "no/such/folder/x.xml"], "there is no such folder"),
    (["--skeleton", "standrad"], "--skeleton: there is no skeleton 'standrad'; did you mean 'standard'?"),
    (["--hook", "debreif"], "debrief"),
])
def test_a_request_that_cannot_be_met_is_2_before_anything_runs(tmp_path: Path, words: list[str], told: str) -> None:
    ended = wt("run", small_pack(tmp_path), *words, folder=tmp_path)
    assert ended.code == 2, ended
    assert told in ended.err
    assert ended.out == ""
    assert not list(tmp_path.glob("runs/*.sweep.json"))


def test_an_output_that_cannot_be_written_is_3_though_all_passed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    body = "os.rmdir('folder')"
    ended = wt("run", small_pack(tmp_path), "--junit", "folder/x.xml", "--hook", hook(tmp_path, body, "on_pack_end"), folder=tmp_path)
    assert ended.code == 3
    assert "--junit" in ended.err
    assert "could not be written" in ended.err


def test_a_stale_report_of_an_earlier_sweep_is_gone_when_the_next_one_dies(tmp_path: Path) -> None:
    report = tmp_path / "x.xml"
    assert wt("run", small_pack(tmp_path), "--junit", report, folder=tmp_path).code == 0
    assert report.exists()
    assert wt("run", small_pack(tmp_path), "--junit", report, "--hook", hook(tmp_path, "os._exit(0)"), folder=tmp_path).code == 3
    assert not report.exists()


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "windtunnel.engine.cli.main", "run", "shop.yaml", *words]
    return subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_keeps_what_is_finished_and_fires_the_last_points(tmp_path: Path, number: int, code: int) -> None:
    slow = SMALL_PACK.replace('when: "\'Order\' in user"\n        do: [', 'when: "\'Order\' in user"\n        do: [{wait_s: 60}, ')
    small_pack(tmp_path, slow)
    (tmp_path / "h.py").write_text(
        "class H:\n    name = 'h'\n"
        "    def on_run_start(self, ctx): open('begun', 'a').write('x')\n"
        "    def on_scenario_end(self, ctx): ctx.emit_artifact({'verdict': ctx.aggregate.verdict})\n"
        "    def on_pack_end(self, ctx): ctx.emit_artifact({'batches': len(ctx.aggregate)})\n"
    )
    process = started(tmp_path, "--hook", "h.py:H", "--jobs", "1")
    while not (tmp_path / "begun").exists() or len((tmp_path / "begun").read_text()) < 3:
        assert process.poll() is None
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == code
    record = sweep_record(tmp_path / "runs")
    assert (record["state"], record["exit_code"]) == ("complete", code)
    assert record["counts"]["PASS"] == 2
    assert record["counts"]["NOT_RUN"] == 2
    assert sorted(row["point"] for row in record["artifacts"]) == ["on_pack_end", "on_scenario_end", "on_scenario_end"]


def test_after_an_interruption_no_run_begins_that_had_waited_for_its_turn(tmp_path: Path) -> None:
    head, _, _ = SMALL_PACK.partition("scenarios:")
    slow = head + (
        "agents: {good: {runtime: scripted, script: [{do: [{wait_s: 60}]}]}}\n"
        "scenarios:\n"
        "  a: {turns: [hi], expect: {outcome: [{type: equals, value: hi}]}}\n"
        "  b: {turns: [hi], expect: {outcome: [{type: equals, value: hi}]}}\n"
    )
    small_pack(tmp_path, slow)
    (tmp_path / "h.py").write_text(
        "class H:\n    name = 'h'\n    def on_run_start(self, ctx): open('begun', 'a').write('x')\n"
    )
    process = started(tmp_path, "--hook", "h.py:H", "--jobs", "2", "--runs", "5")  # two batches of two workers: two wait
    while not (tmp_path / "begun").exists() or len((tmp_path / "begun").read_text()) < 2:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert (tmp_path / "begun").read_text() == "xx"
    assert sweep_record(tmp_path / "runs")["counts"]["NOT_RUN"] == 10


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_waits_for_no_hook_that_is_called_before_the_runs(tmp_path: Path, number: int, code: int) -> None:
    small_pack(tmp_path)
    (tmp_path / "h.py").write_text(
        "import time\nclass H:\n    name = 'h'\n"
        "    def on_provisioned(self, ctx): open('begun', 'a').write('x'); time.sleep(200)\n"
        "    def on_scenario_end(self, ctx): ctx.emit_artifact({'verdict': ctx.aggregate.verdict})\n"
    )
    process = started(tmp_path, "--hook", "h.py:H", "--jobs", "1")
    while not (tmp_path / "begun").exists() or not (tmp_path / "begun").read_text():
        assert process.poll() is None
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == code
    record = sweep_record(tmp_path / "runs")
    assert (record["state"], record["exit_code"]) == ("complete", code)
    assert record["counts"] == {"ERROR": 0, "FAIL": 0, "INVALID": 0, "NOT_RUN": 4, "PASS": 0}
    assert [row["point"] for row in record["artifacts"]] == ["on_scenario_end"]


def test_a_keyboard_interrupt_in_a_hook_interrupts_as_ctrl_c_does(tmp_path: Path) -> None:
    ended = wt("run", small_pack(tmp_path), "--jobs", "1", "--hook", hook(tmp_path, "raise KeyboardInterrupt"), folder=tmp_path)
    assert ended.code == 130
    assert sweep_record(tmp_path / "runs")["counts"] == {"ERROR": 0, "FAIL": 0, "INVALID": 0, "NOT_RUN": 3, "PASS": 1}


RAISES = """\
made = []

def tool(args):
    made.append(1)
    if len(made) == 4:
        raise KeyboardInterrupt
    return "ok"

async def slow_tool(args):
    return tool(args)

def check(names):
    return tool({}) == "ok"

def nothing(args):
    return "ok"
"""


@pytest.mark.parametrize("jobs", ["1", "8"])
@pytest.mark.parametrize(("tool", "check"), [("tool", "nothing"), ("slow_tool", "nothing"), ("nothing", "check")])
@pytest.mark.parametrize("weather", ["[{type: tool-fault, tool: t, fault: slow, wait_s: 0.01, on_call: 1}]", "[]"])
def test_a_keyboard_interrupt_in_a_tool_or_a_check_interrupts_as_ctrl_c_does(
    tmp_path: Path, tool: str, check: str, jobs: str, weather: str
) -> None:
    (tmp_path / "own.py").write_text(RAISES)
    perturb = "" if weather == "[]" else f"    perturb: {weather}\n"
    checked = f"{{type: python, value: \"file://own.py:{check}\"}}" if check == "check" else "{type: equals, value: hi}"
    (tmp_path / "shop.yaml").write_text(
        "kind: pack\nschema_version: 1\nname: shop\n"
        "agents: {a: {runtime: scripted, script: [{do: [{call: {tool: t, args: {}}}, {say: hi}]}]}}\n"
        f"tools: {{t: {{description: D., effect: read, input: {{}}, python: \"file://own.py:{tool}\"}}}}\n"
        f"scenarios:\n  s:\n    runs: 20\n    turns: [hi]\n    expect: {{outcome: [{checked}]}}\n{perturb}"
    )
    ended = wt("run", "shop.yaml", "--jobs", jobs, folder=tmp_path)
    assert (ended.code, ended.err) == (130, "")
    record = sweep_record(tmp_path / "runs")
    assert (record["state"], record["exit_code"]) == ("complete", 130)
    assert sum(record["counts"].values()) == 20
    assert record["counts"]["NOT_RUN"] >= 20 - 3 - 8
    assert record["counts"]["PASS"] + record["counts"]["NOT_RUN"] == 20
    (row,) = (tmp_path / "runs" / "ledger.ndjson").read_text().splitlines()
    assert json.loads(row)["counts"] == record["counts"]


def test_two_sweeps_may_share_a_runs_directory(tmp_path: Path) -> None:
    small_pack(tmp_path)
    both = [started(tmp_path, "--runs", "20") for _ in range(2)]
    for process in both:
        process.communicate(timeout=120)
        assert process.returncode == 0
    assert len(list(scores(tmp_path / "runs"))) == len(list(traces(tmp_path / "runs"))) == 80
    rows = (tmp_path / "runs" / "ledger.ndjson").read_text().splitlines()
    assert [json.loads(row)["counts"]["PASS"] for row in rows] == [20] * 4


def test_a_reader_that_goes_away_changes_no_exit_code(tmp_path: Path) -> None:
    small_pack(tmp_path)
    process = started(tmp_path, "--agent", "bad")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.wait(timeout=60) == 1
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_full_disk_is_missing_evidence_and_never_green(tmp_path: Path) -> None:
    """A file size limit of one block stands in for a full disk: the record fits, a trace does not."""
    small_pack(tmp_path)
    command = f"ulimit -f 2; exec {sys.executable} -m windtunnel.engine.cli.main run shop.yaml --store-text"
    code = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    process = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment() | {"PYTHONDONTWRITEBYTECODE": "1"},
                             capture_output=True, text=True, check=False, timeout=60)
    assert code
    assert process.returncode == 3, process
    assert "Traceback" not in process.stderr
    assert os.path.exists(tmp_path / "runs")
