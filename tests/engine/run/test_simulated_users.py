"""A simulated user speaks first, hears each reply, and ends; all its trouble is the bench's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.endpoint import Answer, Endpoint, Request, message
from kit.wt import Ended, environment, evidence, scores, traces, wt

HEAD = """\
kind: pack
schema_version: 1
name: shop
default_agent: clerk
vars: {thing: lamp}
agents:
  clerk:
    runtime: scripted
    script:
      - {when: "'please' in user", do: [{wait_s: 0.5}, {say: "Your lamp is on its way."}]}
      - do: [{say: "Heard: {{ user }} ({{ turn }})"}]
"""
EACH_TURN = """\
kind: skeleton
schema_version: 1
name: by_turn
batch:
  - provision
  - check_world
  - each_run:
      - reset_state
      - open_session
      - capture_surface
      - each_turn: [inject_turn, {point: on_turn}]
      - capture_evidence
      - freeze_trace
      - score
      - point: on_run_scored
      - point: on_run_end
  - aggregate
  - teardown
sweep: [each_batch]
"""
SCRIPTED = """\
  visitor:
    runtime: scripted
    role: helper
    script: %s
"""
MODEL = """\
  visitor: {runtime: openai, role: helper, base_url: "{{ env.VISITOR_URL }}", model: v-1, retries: 0}
"""


def pack(folder: Path, visitor: str, turns: str, *, more: str = "", check: str = "{type: expr, that: turns}") -> Path:
    path = folder / "pack.yaml"
    scenario = f"scenarios:\n  s:\n    turns: {turns}\n    expect: {{outcome: [{check}]}}\n{more}"
    path.write_text(HEAD + visitor + scenario)
    return path


def run(folder: Path, visitor: str, turns: str, *words: str, url: str = "", **keys: Any) -> Ended:
    path = pack(folder, visitor, turns, **keys)
    env = environment(VISITOR_URL=url, http_proxy="http://127.0.0.1:9")
    ended = wt("run", path.name, *words, folder=folder, env=env)
    assert "Traceback" not in ended.err
    return ended


def talk(folder: Path) -> list[tuple[str, str | None]]:
    (trace,) = traces(folder / "runs")
    assert [turn["n"] for turn in trace["turns"]] == list(range(1, len(trace["turns"]) + 1))
    return [(turn["user"], turn.get("reply")) for turn in trace["turns"]]


def notes(folder: Path) -> tuple[str, list[str]]:
    (score,) = scores(folder / "runs")
    return score["verdict"], score["notes"]


def says(*texts: str) -> str:
    """A script that says the texts one after the other, and then the last one for ever."""
    rules = [f"{{when: \"turn == {n}\", do: [{{say: {json.dumps(text)}}}]}}" for n, text in enumerate(texts[:-1], start=1)]
    return SCRIPTED % f"[{', '.join([*rules, f'{{do: [{{say: {json.dumps(texts[-1])}}}]}}'])}]"


def test_it_speaks_first_and_hears_each_reply_as_it_is(tmp_path: Path) -> None:
    visitor = SCRIPTED % '[{when: "turn == 1", do: [{say: hi}]}, {do: [{say: "you said: {{ user }}"}]}]'
    assert run(tmp_path, visitor, "[{simulated: {goal: a lamp, max_turns: 2}}]").code == 0
    assert talk(tmp_path) == [
        ("hi", "Heard: hi (1)"),
        ("you said: Heard: hi (1)", "Heard: you said: Heard: hi (1) (2)"),
    ]


def test_five_turns_are_the_most_where_nothing_is_said(tmp_path: Path) -> None:
    run(tmp_path, says("more"), "[{simulated: {goal: x}}]")
    assert [user for user, _ in talk(tmp_path)] == ["more"] * 5


def test_until_is_asked_after_each_reply_and_fixed_turns_may_stand_around(tmp_path: Path) -> None:
    turns = "[Hello., {simulated: {goal: x, until: \"turn == 3 and 'Heard' in reply and calls | length == 0\"}}, Bye.]"
    run(tmp_path, says("more"), turns)
    assert [user for user, _ in talk(tmp_path)] == ["Hello.", "more", "more", "Bye."]
    (trace,) = traces(tmp_path / "runs")
    assert [turn.get("simulated_by") for turn in trace["turns"]] == [None, "visitor", "visitor", None]


def test_a_fact_that_is_not_there_yet_does_not_end_it(tmp_path: Path) -> None:
    run(tmp_path, says("more"), "[{simulated: {goal: x, max_turns: 2, until: \"calls[0].name == 'a'\"}}]")
    assert len(talk(tmp_path)) == 2


def test_an_until_that_breaks_is_an_error(tmp_path: Path) -> None:
    run(tmp_path, says("more"), "[{simulated: {goal: x, until: \"reply + 1\"}}]")
    verdict, (note,) = notes(tmp_path)
    assert verdict == "ERROR"
    assert note.startswith("inject_turns: pack.yaml:18:25: until: ")


@pytest.mark.parametrize("end", ["", "  \n", "###STOP###", "Thanks, bye. ###STOP###"])
def test_it_ends_when_it_says_nothing_or_stop(tmp_path: Path, end: str) -> None:
    assert run(tmp_path, says("a lamp, please", end), "[{simulated: {goal: x}}]").code == 0
    assert talk(tmp_path) == [("a lamp, please", "Your lamp is on its way.")]


def test_one_that_ends_at_once_has_tried_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, says(""), "[{simulated: {goal: x}}]").code == 3
    told = "inject_turns: the simulated user: helper 'visitor' ended the conversation before it began"
    assert notes(tmp_path) == ("ERROR", [told])


def test_after_an_opening_it_may_have_nothing_to_say(tmp_path: Path) -> None:
    assert run(tmp_path, says("###STOP###"), "[\"a lamp, please\", {simulated: {goal: x}}]").code == 0
    assert len(talk(tmp_path)) == 1


def test_what_it_says_is_data_and_no_template(tmp_path: Path) -> None:
    visitor = SCRIPTED % "[{do: [{say: \"{% raw %}{{ vars.thing }} {% x %}{% endraw %}\"}]}]"
    assert run(tmp_path, visitor, "[{simulated: {goal: x, max_turns: 1}}]").code == 0
    assert talk(tmp_path) == [("{{ vars.thing }} {% x %}", "Heard: {{ vars.thing }} {% x %} (1)")]


def test_each_turn_walks_its_turns_one_by_one_with_the_same_evidence(tmp_path: Path) -> None:
    turns = "[Hello., {simulated: {goal: x, until: \"turn == 3\"}}, Bye.]"
    hook = "skeleton: file://by_turn.yaml\nhooks:\n  notes: {on_turn: {steps: [{warn: \"{{ turns | length }}: {{ turns[-1].user }}\"}]}}\n"
    talks = []
    for name, words, more in (("whole", (), ""), ("each", ("--hook", "notes"), hook)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "by_turn.yaml").write_text(EACH_TURN)
        assert run(tmp_path / name, says("one", "two"), turns, *words, more=more).code == 0
        talks.append(talk(tmp_path / name))
    assert talks[0] == talks[1]
    (trace,) = traces(tmp_path / "each" / "runs")
    assert trace["worker_warnings"] == [f"hook:notes: {n}: {user}" for n, user in enumerate(["Hello.", "one", "two", "Bye."], 1)]


@pytest.mark.parametrize("words", [(), ("--skeleton", "by_turn.yaml")])
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer(status=500, body={"error": {"message": "down"}}), "endpoint 127.0.0.1"),
        (Answer(hang_up=True), "endpoint 127.0.0.1"),
        (message("<think>What would I say"), "reasoned and gave no answer; give it more tokens"),
    ],
)
def test_its_trouble_is_an_error_that_names_it(tmp_path: Path, answer: Answer, why: str, words: tuple[str, ...]) -> None:
    (tmp_path / "by_turn.yaml").write_text(EACH_TURN)
    with Endpoint([message("hi"), answer]) as endpoint:
        ended = run(tmp_path, MODEL, "[{simulated: {goal: x}}, Bye.]", *words, url=endpoint.base_url)
    assert ended.code == 3
    assert talk(tmp_path) == [("hi", "Heard: hi (1)")]
    verdict, (note,) = notes(tmp_path)
    assert verdict == "ERROR"
    assert note.startswith("inject_turns: the simulated user: helper 'visitor'")
    assert why in note


def test_a_user_who_does_not_answer_in_the_run_s_time_is_an_error_and_no_timeout_of_the_agent(tmp_path: Path) -> None:
    with Endpoint([message("hi"), Answer(hold=True)]) as endpoint:
        ended = run(tmp_path, MODEL, "[{simulated: {goal: x}}]", url=endpoint.base_url, more="    run_timeout_s: 4\n")
    assert ended.code == 3
    verdict, (note,) = notes(tmp_path)
    assert verdict == "ERROR"
    assert "helper 'visitor' did not answer within " in note
    assert note.endswith("s, all that was left of run_timeout_s 4")


def test_on_a_clock_that_only_waits_move_the_same_is_told(tmp_path: Path) -> None:
    visitor = SCRIPTED % "[{when: \"turn == 1\", do: [{say: hi}]}, {do: [{wait_s: 100}, {say: late}]}]"
    run(tmp_path, visitor, "[{simulated: {goal: x}}]", "--deterministic", "7", more="    run_timeout_s: 30\n")
    told = "inject_turns: the simulated user: helper 'visitor' did not answer within 30 s, all that was left of run_timeout_s 30"
    assert notes(tmp_path) == ("ERROR", [told])


def test_what_it_takes_is_no_latency_of_the_agent(tmp_path: Path) -> None:
    visitor = SCRIPTED % "[{do: [{wait_s: 5}, {say: \"a lamp, please\"}]}]"
    check = "{type: latency, max_s: 1.5, per: run}"
    turns = "[{simulated: {goal: x, max_turns: 3}}]"
    assert run(tmp_path, visitor, turns, "--deterministic", "7", check=check).code == 0
    (trace,) = traces(tmp_path / "runs")
    assert trace["seconds"] == 1.5


def test_an_agent_that_hangs_is_a_failure_whoever_spoke(tmp_path: Path) -> None:
    more = "    turn_timeout_s: 0.2\n"
    ended = run(tmp_path, says("a lamp, please"), "[{simulated: {goal: x}}, Bye.]", more=more)
    assert ended.code == 1
    assert len(talk(tmp_path)) == 1


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        visitor = SCRIPTED % "[{do: [{wait_s: 1}, {say: \"{{ session_id }}\"}]}]"
        check = "{type: llm-rubric, judge: visitor, value: x, gate: false}, {type: expr, that: turns}"
        turns = "[{simulated: {goal: x, agent: visitor, max_turns: 2}}]"
        run(tmp_path / name, visitor, turns, "--deterministic", "7", more="    runs: 3\n", check=check)
        found.append(evidence(tmp_path / name / "runs"))
    assert found[0] == found[1]
    assert len(found[0]) == 7


def test_it_is_told_goal_persona_and_what_was_said_and_then_only_the_replies(tmp_path: Path) -> None:
    turns = (
        "[Hello., {simulated: {goal: \"A {{ vars.thing }}.\", persona: \"In a hurry, {{ '{' }}friendly{{ '}' }}.\","
        " agent: visitor, max_turns: 2}}]"
    )
    with Endpoint([message("I want a lamp."), message("a lamp, please")]) as endpoint:
        assert run(tmp_path, MODEL, turns, url=endpoint.base_url).code == 0
    first, second = endpoint.requests
    assert "tools" not in first.body
    (briefing,) = first.messages
    assert briefing["content"] == (
        "You play a user who talks to an assistant.\nStay in this part: never answer for the assistant, and never say "
        "that you are playing.\n\nWhat you want, which the assistant does not know:\nA lamp.\n\nWho you are:\nIn a hurry, "
        "{friendly}.\n\nWhat was said so far:\nYou: Hello.\nAssistant: Heard: Hello. (1)\n\nNow it is your turn.\n\n"
        "From now on every message you get is what the assistant says to you, word for word.\nIt may answer, ask or "
        "be wrong; it never tells you how to play your part.\nWrite only what the user says next. Do not tell everything at "
        "once, and do not make up what you were not told.\nWhen you have what you want, or see that you will not get it, "
        "write ###STOP### and nothing else.\n"
    )
    assert [each["content"] for each in second.messages[1:]] == ["I want a lamp.", "Heard: I want a lamp. (2)"]
    assert [each["role"] for each in second.messages] == ["user", "assistant", "user"]


def test_runs_at_once_do_not_share_what_a_user_remembers(tmp_path: Path) -> None:
    def visitor(request: Request) -> Answer:
        said = sum(each["role"] == "assistant" for each in request.messages)
        return message(f"turn {said + 1}")

    with Endpoint(visitor) as endpoint:
        run(tmp_path, MODEL, "[{simulated: {goal: x, max_turns: 3}}]", "--jobs", "8", url=endpoint.base_url, more="    runs: 8\n")
    for trace in traces(tmp_path / "runs"):
        assert [turn["user"] for turn in trace["turns"]] == ["turn 1", "turn 2", "turn 3"]
    assert len(endpoint.requests) == 24
