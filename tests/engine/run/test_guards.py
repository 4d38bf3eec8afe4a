"""Guards from the command line: they fail closed, the verdict follows from what the agent then did, and marks tell it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.wt import SMALL_PACK, Ended, environment, evidence, scores, sweep_record, traces, wt

GUARDS = '''
import asyncio, os, time
from windtunnel.hooks import Refuse

def look_first(tool, calls):
    if tool["effect"] == "external-send" and not any(call["name"] == "stock_get" for call in calls):
        return Refuse("Look at the stock first.")

async def no_lamps(args):
    await asyncio.sleep(0)
    return Refuse(f"No {args['item']}s today.")

def allow(**everything): everything["args"].clear()

def raises(args): raise ValueError("no " + args["item"] + "!" * 300)
def exits(): raise SystemExit(0)
def nonsense(): return "yes"
async def async_nonsense(): return True
def hangs(): time.sleep(20)
hangs.timeout_s = 0.05
async def async_hangs(): time.sleep(20)
async_hangs.timeout_s = 0.05
def slow(): time.sleep(0.3)
def interrupts(): raise KeyboardInterrupt
def dies(): os._exit(0)

class Guards:
    def guard_tool_call(self, tool):
        return Refuse("No orders.") if tool["name"] == "order" else None

class Observes:
    name = "observes"
    guard_tool_call = allow
    def on_run_end(self, ctx): ...

class Listens:
    name = "listens"
    def pre_tool_call(self, tool_call_id, name): self.write("pre", tool_call_id, name, "")
    def post_tool_call(self, tool_call_id, name, status): self.write("post", tool_call_id, name, status)
    def write(self, *told):
        with open("heard.txt", "a") as file:
            file.write(" ".join(told).strip() + "\\n")
'''


def guarded(folder: Path, *guards: str, more: str = "") -> Path:
    """The small pack with an agent ``kept``, which does all as ``good`` does, under these guards."""
    (folder / "guards.py").write_text(GUARDS)
    names = ", ".join(f'"{name}"' for name in guards)
    agent = f"  kept: {{extends: good, guards: [{names}]}}\n"
    path = folder / "shop.yaml"
    path.write_text(SMALL_PACK.replace("hooks:\n", f"{agent}{more}hooks:\n"))
    return path


def run(folder: Path, *guards: str, words: tuple[object, ...] = (), more: str = "") -> Ended:
    return wt("run", guarded(folder, *guards, more=more).name, "--agent", "kept", "--runs", "1", *words, folder=folder)


def buy(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The trace and the score of the run that orders a lamp."""
    (trace,) = (each for each in traces(folder / "runs") if each["scenario_id"] == "buy")
    (score,) = (each for each in scores(folder / "runs") if each["scenario_id"] == "buy")
    return trace, score


NOT_BOUGHT = "FAIL buy  kept  0/1  outcome: world SELECT count(*) FROM orders: the query gave 0, not 1"


def test_a_guard_that_allows_changes_nothing_but_the_surface(tmp_path: Path) -> None:
    ended = run(tmp_path, "guards.py:allow")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[:2] == ["PASS ask  kept  1/1", "PASS buy  kept  1/1"]
    trace, score = buy(tmp_path)
    assert trace["interventions"] == []
    assert [each["name"] for each in trace["surface"]["segments"] if each["name"].startswith("guard")] == ["guard:guards.py:allow"]
    assert trace["calls"][0]["args"] == {"item": "lamp"}
    assert score["notes"] == []


@pytest.mark.parametrize(
    ("guard", "reason"),
    [("look_first", "Look at the stock first."), ("no_lamps", "No lamps today."), ("Guards", "No orders.")],
)
def test_a_refusal_is_the_tools_error_and_the_verdict_follows_from_what_the_agent_then_did(
    tmp_path: Path, guard: str, reason: str
) -> None:
    ended = run(tmp_path, f"guards.py:{guard}", words=("--scenario", "buy"))
    assert ended.code == 1
    assert ended.out.splitlines()[0] == NOT_BOUGHT
    trace, score = buy(tmp_path)
    assert [(call["status"], call["error"]) for call in trace["calls"]] == [("refused", reason)]
    assert trace["interventions"] == [{"call": 1, "guard": f"guards.py:{guard}", "message": reason}]
    assert (score["verdict"], score["notes"]) == ("FAIL", [])


FAULTS = {
    "raises": ("failed", "ValueError: no lamp" + "!" * 193),
    "exits": ("failed", "SystemExit: 0"),
    "nonsense": ("gave a malformed answer", "TypeError: answered str, not None or Refuse(reason)"),
    "async_nonsense": ("gave a malformed answer", "TypeError: answered bool, not None or Refuse(reason)"),
    "hangs": ("did not answer in time", "TimeoutError: no answer before its deadline"),
    "async_hangs": ("did not answer in time", "TimeoutError: no answer before its deadline"),
}


@pytest.mark.parametrize("guard", FAULTS)
def test_a_guard_that_fails_refuses_and_is_marked_beside_the_verdict(tmp_path: Path, guard: str) -> None:
    said, fault = FAULTS[guard]
    ended = run(tmp_path, f"guards.py:{guard}", words=("--scenario", "buy"))
    assert ended.code == 1
    assert ended.out.splitlines()[0] == f"{NOT_BOUGHT}  [guard fault in 1 run]"
    trace, score = buy(tmp_path)
    message = f"guard 'guards.py:{guard}' {said}, and so refuses: {fault}"
    assert trace["calls"][0]["error"] == message
    assert trace["interventions"] == [
        {"call": 1, "guard": f"guards.py:{guard}", "message": message, "fault": fault}
    ]
    assert (score["verdict"], len(score["notes"])) == ("FAIL", 1)
    assert score["notes"][0].startswith(f"guard guards.py:{guard} failed on call 1: {fault[:60]}"[:100])


def test_a_guard_that_hung_is_quiet_for_the_next_call(tmp_path: Path) -> None:
    twice = '[{call: {tool: order, args: {item: lamp}}}, {call: {tool: order, args: {item: lamp}}}, {say: "{{ result.error }}"}]'
    more = f"  kept_twice: {{extends: kept, script: [{{do: {twice}}}]}}\n"
    ended = run(tmp_path, "guards.py:hangs", words=("--agent", "kept_twice", "--scenario", "buy", "--jobs", "1"), more=more)
    assert "[guard fault in 1 run]" in ended.out
    (trace,) = (each for each in traces(tmp_path / "runs") if each["agent"] == "kept_twice")
    assert [each["fault"].partition(":")[0] for each in trace["interventions"]][:2] in (
        ["TimeoutError", "Skipped"], ["Skipped", "Skipped"],
    )
    assert trace["calls"][1]["error"] == (
        "guard 'guards.py:hangs' was not asked, and so refuses: Skipped: quiet, for it did not answer in time before"
    )


def test_a_run_that_passes_though_its_guard_failed_is_green_and_marked(tmp_path: Path) -> None:
    path = guarded(tmp_path, "guards.py:raises")
    path.write_text(path.read_text().replace("equals: 1", "equals: 0"))
    ended = wt("run", path, "--agent", "kept", "--runs", "1", "--scenario", "buy", "--junit", "x.xml", folder=tmp_path)
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "PASS buy  kept  1/1  [guard fault in 1 run]"
    (row,) = (json.loads(line) for line in (tmp_path / "runs" / "ledger.ndjson").read_text().splitlines())
    assert (row["verdict"], row["guard_faults"]) == ("PASS", 1)


def test_declared_and_python_guards_are_asked_in_the_order_of_the_agent(tmp_path: Path) -> None:
    declared = "guards:\n  never: {refuse_when: 'true', reason: 'Never {{ args.item }}.'}\nhooks:\n"
    for order, text in ((("guards.py:no_lamps", "never"), "No lamps today."), (("never", "guards.py:raises"), "Never lamp.")):
        path = guarded(tmp_path, *order)
        path.write_text(path.read_text().replace("hooks:\n", declared))
        ended = wt("run", path, "--agent", "kept", "--scenario", "buy", "--runs", "1", "--runs-dir", text[:2], folder=tmp_path)
        assert "guard fault" not in ended.out
        (trace,) = traces(tmp_path / text[:2])
        assert [each["message"] for each in trace["interventions"]] == [text]
        shown = [each["name"] for each in trace["surface"]["segments"] if each["name"].startswith("guard:")]
        assert shown == [f"guard:{name}" for name in order]


def test_guard_time_is_neither_in_a_turn_nor_in_its_deadline(tmp_path: Path) -> None:
    path = guarded(tmp_path, "guards.py:slow")
    path.write_text(path.read_text().replace("defaults: {runs: 2}", "defaults: {runs: 1, turn_timeout_s: 0.25}"))
    ended = wt("run", path, "--agent", "kept", folder=tmp_path)
    assert ended.code == 0, ended
    trace, _ = buy(tmp_path)
    assert trace["turns"][0]["seconds"] < 0.25
    assert trace["calls"][0]["seconds"] < 0.25


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("guards.py:alow", "shop.yaml:37:34: agents.kept.guards[0]: there is no 'alow' in guards.py; did you mean 'allow'?"),
        ("alow", "there is no guard 'alow'"),
        ("no_such_module:x", "agents.kept.guards: guard 'no_such_module:x' could not be loaded: ModuleNotFoundError: No "
         "module named 'no_such_module'; mend it, or take it out of the agent's guards"),
        ("broken.py:allow", "agents.kept.guards: guard 'broken.py:allow' could not be loaded: ValueError: no; mend it"),
        ("guards.py:time", "agents.kept.guards: guard 'guards.py:time' is of type module; give a function"),
    ],
)
def test_a_guard_that_cannot_be_used_is_2_before_anything_runs(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "broken.py").write_text("allow = None\nraise ValueError('no')\n")
    ended = run(tmp_path, name)
    assert ended.code == 2
    assert told in ended.err
    assert "Traceback" not in ended.err
    assert (ended.out, (tmp_path / "runs").exists()) == ("", False)


def test_validate_imports_no_guard(tmp_path: Path) -> None:
    path = guarded(tmp_path, "broken.py:allow", "no_such_module:x")
    (tmp_path / "broken.py").write_text("allow = None\nopen('imported', 'w')\n")
    assert wt("validate", path, folder=tmp_path).code == 0
    assert not (tmp_path / "imported").exists()


def test_a_guard_of_an_agent_that_is_not_selected_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("allow = None\nraise ValueError('no')\n")
    assert wt("run", guarded(tmp_path, "broken.py:allow"), "--agent", "good", folder=tmp_path).code == 0


def test_hooks_never_guard(tmp_path: Path) -> None:
    ended = run(tmp_path, words=("--hook", "guards.py:Observes"))
    assert ended.code == 2
    assert ended.err == (
        "hook 'observes' has a method guard_tool_call: a hook never decides; name the guard in an agent's `guards:`\n"
    )


def test_a_hook_beside_a_guard_changes_no_evidence(tmp_path: Path) -> None:
    seen = []
    for runs, hook in (("plain", ()), ("heard", ("--hook", "guards.py:Listens"))):
        path = guarded(tmp_path, "guards.py:Guards", "guards.py:raises")
        ended = wt("run", path, "--agent", "kept", "--deterministic", 7, "--runs-dir", runs, *hook, folder=tmp_path)
        assert ended.code in (1, 3)
        seen.append((ended.code, evidence(tmp_path / runs)))
    assert seen[0] == seen[1]
    heard = [line.split() for line in (tmp_path / "heard.txt").read_text().splitlines()]
    begun = sorted(line[1] for line in heard if line[0] == "pre")
    assert begun == sorted(line[1] for line in heard if line[0] == "post")
    assert len(set(begun)) == len(begun) == 4
    assert {tuple(line[2:]) for line in heard if line[0] == "post"} == {("order", "blocked"), ("stock_get", "blocked")}


def test_a_guards_ctrl_c_interrupts_the_sweep(tmp_path: Path) -> None:
    ended = run(tmp_path, "guards.py:interrupts", words=("--jobs", "1"))
    assert ended.code == 130, ended
    assert "Traceback" not in ended.err
    assert sweep_record(tmp_path / "runs")["counts"]["NOT_RUN"] == 2


def test_a_guard_that_ends_the_process_is_never_green(tmp_path: Path) -> None:
    ended = run(tmp_path, "guards.py:dies")
    assert ended.code == 3
    assert sweep_record(tmp_path / "runs")["state"] == "died"


def test_list_guards_tells_where_each_comes_from(tmp_path: Path) -> None:
    site = tmp_path / "site" / "brings-1.0.dist-info"
    site.mkdir(parents=True)
    (site / "METADATA").write_text("Metadata-Version: 2.1\nName: brings\nVersion: 1.0\n")
    (site / "entry_points.txt").write_text("[windtunnel.guards]\nbrought = brings:guard\n")
    path = guarded(tmp_path, "guards.py:allow")
    path.write_text(path.read_text().replace("hooks:\n", "guards: {never: {refuse_when: 'true', reason: No.}}\nhooks:\n"))
    ended = wt("list", "guards", path, folder=tmp_path, env=environment(PYTHONPATH=str(tmp_path / "site")))
    assert ended.out == (
        "never            shop: declared; refuses when true\n"
        "guards.py:allow  shop: Python; guards kept\n"
        "brought          entry point brings:guard\n"
    )
