"""``wt hooks`` tells what there is to observe, and tries a hook or guard on an event without a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.wt import Ended, small_pack
from windtunnel.hooks.debrief.sample import RUN_ID
from windtunnel.hooks.events import EVENTS

from .conftest import Told

NOTES = """\
class Notes:
    name = "notes"
    def on_run_scored(self, ctx):
        ctx.emit_artifact({"reply": ctx.converse("Why?"), "verdict": ctx.score.verdict}, label="why")
        ctx.warn(f"scored {ctx.trace.run_id[:4]}")
    def on_run_end(self, ctx):
        raise ValueError("no \\x1b[31m")
    async def post_tool_call(self, name, args, status):
        args["query"] += "!"
        assert args["query"] == "Bluewing!", args
    def on_stream_delta(self, text):
        assert text == "It is ", text
    def on_pack_end(self, ctx):
        ctx.converse("now?")

class Ends:
    name = "ends"
    def on_run_scored(self, ctx): raise SystemExit(3)

def allows(tool): return None
def refuses(tool, args):
    from windtunnel.hooks import Refuse
    return Refuse(f"{tool['name']} {args}")
def nonsense(): return "no"
"""


@pytest.fixture
def notes(tmp_path: Path) -> str:
    (tmp_path / "notes.py").write_text(NOTES)
    return "notes.py:Notes"


def test_list_tells_every_event_with_fields_fail_mode_and_limits(told: Told) -> None:
    ended = told("hooks", "list")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "events"
    assert [line.split()[0] for line in lines[1 : len(EVENTS) + 1]] == list(EVENTS)
    assert "  on_pack_end       fails open; 300 s; one at a time a run_id; sends ctx, run_id; ctx has aggregate" in lines
    assert (
        "  guard_tool_call   fails closed; 30 s; one at a time a tool_call_id; sends "
        "agent, args, calls, last_user_turn, run_id, session_id, tool, tool_call_id, turns, world"
    ) in lines
    for event in EVENTS.values():
        (line,) = [line for line in lines if line.startswith(f"  {event.name} ")]
        assert f"; sends {', '.join(sorted(event.sample))}" in line


def test_list_tells_hooks_and_guards_with_their_source(told: Told, tmp_path: Path, notes: str) -> None:
    text = small_pack(tmp_path).read_text()
    guard = "guards: {calm: {refuse_when: 'false', reason: Calm.}}\n"
    (tmp_path / "shop.yaml").write_text(
        text.replace("  good:\n", "  good:\n    guards: [calm, notes.py:allows]\n", 1) + guard
    )
    out = told("hooks", "list", "shop.yaml").out
    assert out.partition("hooks\n")[2] == (
        "  asks         declared in shop.yaml\n"
        "  debrief      built in\n"
        "  otel         built in\n"
        "  state_probe  built in\n"
        "  timeline     built in\n"
        "  usage        built in\n"
        "guards\n"
        "  calm             declared in shop.yaml\n"
        "  notes.py:allows  Python, named in shop.yaml\n"
    )
    ended = told("hooks", "test", "guard_tool_call", "shop.yaml")
    assert ended == Ended(code=0, err="", out=(
        "ok    calm  declared in shop.yaml\n"
        "      allows the call\n"
        "ok    notes.py:allows  Python, named in shop.yaml\n"
        "      allows the call\n"
        "guard_tool_call: 2 heard it, none failed\n"
    ))


def test_a_point_is_tried_against_a_sample_run_and_a_canned_answer(told: Told, notes: str, tmp_path: Path) -> None:
    assert told("hooks", "test", "on_run_scored", "--hook", notes) == Ended(code=0, err="", out=(
        "ok    notes  notes.py:Notes\n"
        "      asks      Why?\n"
        '      emits why  {"reply":"1. No tool returned an error. 2. Nothing was missing. 3. I would look again.","verdict":"FAIL"}\n'
        f"      warns     scored {RUN_ID[:4]}\n"
        "on_run_scored: 1 heard it, none failed\n"
    ))
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix) == ["notes.py"]


@pytest.mark.parametrize(("event", "told_as"), [
    ("on_run_end", "on_run_end raised ValueError: no \\x1b[31m"),
    ("on_pack_end", "on_pack_end raised ConverseError: converse works only in on_run_scored, where the run is scored and "
                    "its session still lives; this is on_pack_end"),
])
def test_a_fault_is_told_as_a_run_would_and_is_exit_1(told: Told, notes: str, event: str, told_as: str) -> None:
    ended = told("hooks", "test", event, "--hook", notes)
    assert ended.code == 1
    assert f"FAULT notes  notes.py:Notes\n      fault     {told_as}\n" in ended.out
    assert ended.out.endswith(f"{event}: 1 heard it, 1 failed\n")


def test_what_ends_a_process_is_a_fault_as_any_other(told: Told, notes: str) -> None:
    ended = told("hooks", "test", "on_run_scored", "--hook", "notes.py:Ends", "--hook", notes)
    assert ended.code == 1
    assert "fault     on_run_scored raised SystemExit: 3" in ended.out
    assert ended.out.endswith("on_run_scored: 2 heard it, 1 failed\n")


def test_call_events_come_on_and_off_the_path(told: Told, notes: str) -> None:
    for event in ("post_tool_call", "on_stream_delta"):
        assert told("hooks", "test", event, "--hook", notes).code == 0
    ended = told("hooks", "test", "pre_tool_call", "--hook", notes)
    assert ended == Ended(code=0, err="", out=(
        "-     notes  notes.py:Notes\n      does not hear pre_tool_call\n"
        "nobody hears pre_tool_call; name a hook with --hook, or a pack\n"
    ))


def test_a_payload_stands_in_place_of_the_sample(told: Told, notes: str, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"text": "Other."}')
    ended = told("hooks", "test", "on_stream_delta", "--hook", notes, "--payload", "p.json")
    assert ended.code == 1
    assert "fault     on_stream_delta raised AssertionError: Other." in ended.out
    score = json.loads(told("hooks", "test", "on_run_scored", "--json").out)["payload"]["score"]
    (tmp_path / "p.json").write_text(json.dumps({"score": score | {"verdict": "PASS"}}))
    shown = json.loads(told("hooks", "test", "on_run_scored", "--hook", notes, "--payload", "p.json", "--json").out)
    assert shown["hooks"][0]["artifacts"][0]["payload"]["verdict"] == "PASS"


@pytest.mark.parametrize(("event", "payload", "err"), [
    ("post_tool_call", "{", "p.json is not JSON: "),
    ("post_tool_call", "[]", "p.json holds no JSON object of at most 16 MiB; write what to send as one"),
    ("post_tool_call", '{"statsu": "ok"}', "the payload has 'statsu', which post_tool_call never sends; did you mean 'status'?"),
    ("post_tool_call", '{"args": "x"}', "the payload's args is text; post_tool_call sends an object"),
    ("post_tool_call", '{"turn": null}', "the payload's turn is null; post_tool_call sends a number"),
    ("on_run_scored", '{"aggregate": {}}', "the payload has 'aggregate', which on_run_scored never sends; it sends: "
                                          "agent, elapsed_s, run_id, scenario, score, session_id, trace"),
    ("on_run_scored", '{"score": {}}', "the payload's score is not one that wt wrote: "),
])
def test_a_payload_that_the_event_cannot_have_is_2(told: Told, tmp_path: Path, event: str, payload: str, err: str) -> None:
    (tmp_path / "p.json").write_text(payload)
    ended = told("hooks", "test", event, "--payload", "p.json")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(err)
    assert len(ended.err.splitlines()) == 1


def test_what_is_not_there_is_2(told: Told, notes: str) -> None:
    assert told("hooks", "test", "post_toolcall") == Ended(
        code=2, out="", err="there is no event 'post_toolcall'; did you mean 'post_tool_call'?\n"
    )
    assert told("hooks", "test", "post_tool_call", "--payload", "gone.json").err == (
        "gone.json cannot be read: No such file or directory; name a file with a JSON object\n"
    )
    for words in (("--hook", "debrif"), ("--hook", "gone.py:X"), ("gone.yaml",)):
        ended = told("hooks", "test", "on_run_scored", *words)
        assert (ended.code, ended.out) == (2, ""), words


def test_without_a_name_every_hook_that_hears_it_is_tried_but_the_one_that_sends_away(told: Told, tmp_path: Path) -> None:
    small_pack(tmp_path)
    shown = json.loads(told("hooks", "test", "on_run_scored", "shop.yaml", "--json").out)
    assert [(row["hook"], row["source"], row["faults"]) for row in shown["hooks"]] == [
        ("asks", "declared in shop.yaml", []), ("debrief", "built in", []), ("timeline", "built in", []),
    ]
    assert shown["payload"]["run_id"] == RUN_ID


def test_a_guard_is_asked_and_a_refusal_is_no_fault(told: Told, notes: str) -> None:
    ended = told("hooks", "test", "guard_tool_call", "--hook", "notes.py:refuses", "--hook", "notes.py:nonsense")
    assert ended == Ended(code=1, err="", out=(
        "ok    notes.py:refuses\n"
        "      refuses: client_lookup {'query': 'Bluewing'}\n"
        "FAULT notes.py:nonsense\n"
        "      refuses: guard 'notes.py:nonsense' gave a malformed answer, and so refuses: TypeError: answered str, not None or Refuse(reason)\n"
        "      fault     TypeError: answered str, not None or Refuse(reason)\n"
        "guard_tool_call: 2 heard it, 1 failed\n"
    ))


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_can_be_tried(told: Told, tmp_path: Path, event: str) -> None:
    small_pack(tmp_path)
    ended = told("hooks", "test", event, "shop.yaml")
    assert (ended.code, ended.err) == (0, "")
