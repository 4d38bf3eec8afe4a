"""Hooks that hear the calls of real runs: what they are told, what their failures leave, and what they never change."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call
from kit.wt import environment, small_pack, sweep_record, traces, wt
from windtunnel.engine import RunOptions, load_pack, run_pack

SHOP = """\
kind: pack
schema_version: 1
name: shop
defaults: {{runs: {runs}, turn_timeout_s: {turn_timeout_s}}}
world: {{tables: {{orders: {{columns: {{item: text, place: integer}}}}}}}}
tools:
  order:
    description: Order an item.
    effect: draft
    input: {{item: {{type: string}}}}
    results: [{{sql: ["INSERT INTO orders SELECT :item, count(*) FROM orders"], text: "order {{{{ call }}}}"}}]
agents:
  model: {{runtime: openai, base_url: "{{{{ env.SHOP_URL }}}}", model: small, retries: 1}}
scenarios:
  buy:
    turns: [Order three things.]
    expect: {{outcome: [{{type: mentions, value: Done}}]}}
"""
RECORDER = """
import json, pathlib, threading
LOCK = threading.Lock()
def keep(event, fields):
    with LOCK, open(pathlib.Path(__file__).parent / "heard.ndjson", "a") as file:
        file.write(json.dumps([event, fields]) + "\\n")
class Recorder:
    name = "recorder"
    def pre_tool_call(self, **fields): keep("pre_tool_call", fields)
    async def post_tool_call(self, **fields): keep("post_tool_call", fields)
    def pre_api_request(self, **fields): keep("pre_api_request", fields)
    def post_api_request(self, **fields): keep("post_api_request", fields)
"""


def answer(request: Request) -> Answer:
    """Three calls at once, then an end."""
    if request.messages[-1]["role"] == "tool":
        return message("Done.")
    return calls(*(tool_call("order", {"item": item}, f"call_{item}") for item in ("lamp", "desk", "chair")))


def run(folder: Path, name: str, *hooks: str, runs: int = 1, jobs: int = 8, turn_timeout_s: float = 60, reply: Any = answer) -> list[dict[str, Any]]:
    """Run the shop in this process; the traces, by run number."""
    (folder / "shop.yaml").write_text(SHOP.format(runs=runs, turn_timeout_s=turn_timeout_s))
    with Endpoint(reply) as endpoint:
        options = RunOptions(runs_dir=folder / name, hooks=tuple(f"{folder}/{hook}" for hook in hooks), jobs=jobs)
        run_pack(load_pack(folder / "shop.yaml"), options, env={"SHOP_URL": endpoint.base_url})
    return sorted(traces(folder / name), key=lambda trace: int(trace["run_number"]))


def heard(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    return [(event, fields) for event, fields in map(json.loads, (folder / "heard.ndjson").read_text().splitlines())]


def test_calls_at_once_in_runs_at_once_are_kept_apart(tmp_path: Path) -> None:
    (tmp_path / "recorder.py").write_text(RECORDER)
    found = run(tmp_path, "runs", "recorder.py:Recorder", runs=6)
    events = heard(tmp_path)
    count = Counter(event for event, _ in events)
    assert count == {"pre_tool_call": 18, "post_tool_call": 18, "pre_api_request": 12, "post_api_request": 12}
    for pre, post, key in (("pre_tool_call", "post_tool_call", "tool_call_id"), ("pre_api_request", "post_api_request", "request_id")):
        begun = [fields[key] for event, fields in events if event == pre]
        ended = [fields[key] for event, fields in events if event == post]
        assert len(set(begun)) == len(begun)
        assert sorted(begun) == sorted(ended)
    calls_by_run = Counter((fields["run_id"], fields["session_id"]) for event, fields in events if event == "pre_tool_call")
    assert calls_by_run == {(trace["run_id"], trace["session_id"]): 3 for trace in found}
    assert all(trace["worker_warnings"] == [] for trace in found)
    assert {fields["provider_call_id"] for _, fields in events if "provider_call_id" in fields} == {
        "call_lamp", "call_desk", "call_chair",
    }  # fmt: skip


HOLDS = """
import threading
later = threading.Event()
class Holds:
    name = "holds"
    def pre_tool_call(self, args):
        if args["item"] == "lamp":
            later.wait(20)
        else:
            later.set()
"""


def test_a_hook_that_holds_one_of_several_calls_does_not_change_their_order(tmp_path: Path) -> None:
    (tmp_path / "holds.py").write_text(HOLDS)
    (plain,), (held,) = run(tmp_path, "a"), run(tmp_path, "b", "holds.py:Holds")
    for trace in (plain, held):
        assert [(call["args"]["item"], call["text"]) for call in trace["calls"]] == [
            ("lamp", "order 1"), ("desk", "order 2"), ("chair", "order 3"),
        ]  # fmt: skip
    assert plain["world"] == held["world"]


def test_d13_a_turn_has_its_time_however_long_hooks_take(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\nclass Slow:\n    name = 'slow'\n    def post_tool_call(self): time.sleep(0.5)\n"
    )
    (trace,) = run(tmp_path, "runs", "slow.py:Slow", turn_timeout_s=1)
    assert trace["errors"] == []
    assert trace["turns"][0]["reply"] == "Done."
    assert trace["turns"][0]["seconds"] < 1  # three hooks of half a second came in between


def test_a_turn_that_runs_out_of_time_ends_its_attempt_as_cancelled(tmp_path: Path) -> None:
    (tmp_path / "recorder.py").write_text(RECORDER)
    (trace,) = run(tmp_path, "runs", "recorder.py:Recorder", turn_timeout_s=0.2, reply=[Answer(hold=True)])
    assert [error["kind"] for error in trace["errors"]] == ["timeout"]
    assert [(event, fields.get("status")) for event, fields in heard(tmp_path)] == [
        ("pre_api_request", None), ("post_api_request", "cancelled"),
    ]  # fmt: skip


def test_faults_are_in_the_record_of_the_run_once_with_their_count(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "class Broken:\n    name = 'broken'\n    def pre_tool_call(self): raise ValueError('no')\n"
        "    async def post_api_request(self): raise SystemExit('out')\n"
    )
    for trace in run(tmp_path, "runs", "broken.py:Broken", runs=2):
        assert trace["worker_warnings"] == [
            "hook:broken: post_api_request raised SystemExit: out (2 times)",
            "hook:broken: pre_tool_call raised ValueError: no (3 times)",
        ]


def test_a_hook_that_hangs_costs_its_deadline_once_and_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(
        "import threading\nclass Hangs:\n    name = 'hangs'\n    def pre_tool_call(self): threading.Event().wait()\n"
    )
    ended = wt("run", small_pack(tmp_path), "--hook", "hangs.py:Hangs", folder=tmp_path, env=environment(WT_HOOK_TIMEOUT_S="0.2"))
    assert ended.code == 0
    told = Counter(line for trace in traces(tmp_path / "runs") for line in trace["worker_warnings"])
    assert told.total() == 4
    assert set(told) <= {
        "hook:hangs: pre_tool_call: TimeoutError: no answer before its deadline",
        "hook:hangs: pre_tool_call: Skipped: quiet, for it did not answer in time before",
    }
    assert told["hook:hangs: pre_tool_call: TimeoutError: no answer before its deadline"] >= 1


def test_ctrl_c_in_a_hook_that_hears_calls_interrupts_the_sweep(tmp_path: Path) -> None:
    (tmp_path / "stops.py").write_text(
        "class Stops:\n    name = 'stops'\n    def pre_tool_call(self): raise KeyboardInterrupt\n"
    )
    ended = wt("run", small_pack(tmp_path), "--jobs", "1", "--hook", "stops.py:Stops", folder=tmp_path)
    assert ended.code == 130
    assert sweep_record(tmp_path / "runs")["note"] == "interrupted by SIGINT"


def test_ctrl_c_that_comes_off_the_path_interrupts_the_sweep_at_the_latest_at_its_end(tmp_path: Path) -> None:
    (tmp_path / "stops.py").write_text(
        "class Stops:\n    name = 'stops'\n    def on_stream_end(self): raise KeyboardInterrupt\n"
    )
    data = b'data: {"choices": [{"index": 0, "delta": {"content": "Done."}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    (tmp_path / "shop.yaml").write_text(SHOP.format(runs=1, turn_timeout_s=60).replace("retries: 1", "stream: true"))
    with Endpoint([Answer(body=data, content_type="text/event-stream")]) as endpoint:
        env = environment(SHOP_URL=endpoint.base_url)
        ended = wt("run", "shop.yaml", "--hook", "stops.py:Stops", folder=tmp_path, env=env)
    assert ended.code == 130


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ("pre_tol_call(self)", "hook 'odd' has a method 'pre_tol_call', and no event has that name; did you mean 'pre_tool_call'?"),
        ("on_stream_stop(self)", "hook 'odd' has a method 'on_stream_stop', and no point has that name; did you mean 'on_stream_start'?"),
        ("post_message(self)", "hook 'odd' has a method 'post_message', and no event has that name; events: on_pack_end, "),
        ("post_tool_call(self, reply)", "hook 'odd' asks for 'reply', which post_tool_call never sends; it sends: agent, args, "),
        ("guard_tool_call(self)", "hook 'odd' has a method guard_tool_call: a hook never decides; name the guard in an agent's `guards:`"),
    ],
)  # fmt: skip
def test_a_method_that_no_event_fits_is_a_fault_before_anything_runs(tmp_path: Path, method: str, told: str) -> None:
    (tmp_path / "odd.py").write_text(f"class Odd:\n    name = 'odd'\n    def pre_tool_call(self): pass\n    def {method}: pass\n")
    ended = wt("run", small_pack(tmp_path), "--hook", "odd.py:Odd", folder=tmp_path)
    assert ended.code == 2
    assert told in ended.err
    assert not (tmp_path / "runs").exists()


def test_what_a_queue_could_not_take_is_told_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(
        "import threading\nclass Hangs:\n    name = 'hangs'\n    def on_stream_delta(self): threading.Event().wait()\n"
    )
    piece = b'data: {"choices": [{"index": 0, "delta": {"content": "Done."}, "finish_reason": "stop"}]}\n\n'
    (tmp_path / "shop.yaml").write_text(SHOP.format(runs=1, turn_timeout_s=60).replace("retries: 1", "stream: true"))
    with Endpoint([Answer(body=piece * 1100 + b"data: [DONE]\n\n", content_type="text/event-stream")]) as endpoint:
        env = environment(SHOP_URL=endpoint.base_url)
        ended = wt("run", "shop.yaml", "--hook", "hangs.py:Hangs", folder=tmp_path, env=env)
    assert ended.code == 0
    told = [line for line in sweep_record(tmp_path / "runs")["warnings"] if "not delivered" in line]
    assert len(told) == 1
    assert told[0].startswith("hook:hangs: 10")
    assert told[0].endswith(" of on_stream_delta not delivered (its queue was full, or the sweep was over)")
