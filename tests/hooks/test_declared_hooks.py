"""A hook written in YAML plays its steps in order, with the names that hold at its point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kit.channel import KeptChannel, scored_facts
from kit.packs import small_pack
from windtunnel.hooks.activation import activate
from windtunnel.hooks.channel import ConverseError
from windtunnel.hooks.debrief.sample import sample_trace
from windtunnel.hooks.points import PointFacts
from windtunnel.schemas.codec import encode
from windtunnel.schemas.documents import Inert
from windtunnel.schemas.hook_views import AgentInfo, ScenarioInfo
from windtunnel.schemas.records import Call, Turn


def play(
    folder: Path,
    channel: KeptChannel,
    *steps: tuple[Any, ...],
    point: str = "on_run_scored",
    facts: PointFacts | None = None,
) -> KeptChannel:
    pack = small_pack(folder, hooks={"notes": {point: steps}})
    hooks = activate(["notes"], [pack], {}, folder, points={"desk": [point]})
    hooks.fire(point, "desk", facts or scored_facts(), channel)
    hooks.close()
    return channel


def test_steps_are_played_in_order_and_a_reply_is_known_by_its_name(tmp_path: Path) -> None:
    channel = play(
        tmp_path,
        KeptChannel(answer=str.upper),
        ("when", "'outcome' in failed_layers"),
        ("converse", "which tools? {{ verdict }}", "answer"),
        (
            "emit",
            {
                "schema_version": 1,
                "run_id": "{{ run_id }}",
                "attempts": "{{ calls | length }}",
                "failed": "{{ calls | selectattr('status', 'eq', 'error') | map(attribute='name') | list }}",
                "answer": "{{ answer }}",
            },
        ),
        ("warn", "{{ agent.id }} on {{ scenario.id }}: {{ answer | length }} characters"),
    )
    assert [text for _, text, _ in channel.asked] == ["which tools? FAIL"]
    assert channel.emitted == [
        (
            "notes",
            "on_run_scored",
            {
                "schema_version": 1,
                "run_id": "0123456789abcdef0123456789abcdef",
                "attempts": 2,
                "failed": ["client_lookup"],
                "answer": "WHICH TOOLS? FAIL",
            },
            None,
        )
    ]
    assert channel.warned == [("notes", "sample_agent on sample_scenario: 17 characters")]
    assert channel.faults.lines() == []


def test_where_when_does_not_hold_nothing_is_done(tmp_path: Path) -> None:
    channel = play(tmp_path, KeptChannel(), ("when", "verdict == 'PASS'"), ("warn", "never"))
    assert (channel.warned, channel.faults.lines()) == ([], [])


def test_a_reply_with_braces_is_text_like_any_other(tmp_path: Path) -> None:
    channel = play(
        tmp_path,
        KeptChannel(answer=lambda _text: "{{ verdict }}"),
        ("converse", "why", "answer"),
        ("emit", ["{{ answer }}"]),
        ("warn", "it said {{ answer }}"),
    )
    assert channel.emitted[0][2] == ["{{ verdict }}"]
    assert channel.warned == [("notes", "it said {{ verdict }}")]


def test_text_from_a_file_is_not_rendered(tmp_path: Path) -> None:
    channel = play(
        tmp_path, KeptChannel(answer=str.lower), ("converse", Inert("{{ A }}"), "answer"), ("warn", Inert("{{ B }}"))
    )
    assert [text for _, text, _ in channel.asked] == ["{{ A }}"]
    assert channel.warned == [("notes", "{{ B }}")]


def test_without_a_reply_the_steps_go_on_with_an_empty_one(tmp_path: Path) -> None:
    def answer(_text: str) -> str:
        raise ConverseError("status 500")

    channel = play(
        tmp_path, KeptChannel(answer=answer), ("converse", "why", "answer"), ("emit", {"answer": "{{ answer }}"})
    )
    assert channel.warned == [("notes", "status 500")]
    assert channel.emitted[0][2] == {"answer": ""}


def test_a_template_that_fails_is_a_fault_of_the_hook(tmp_path: Path) -> None:
    channel = play(tmp_path, KeptChannel(), ("warn", "{{ case.family }}"), ("warn", "not reached"))
    [line] = channel.faults.lines()
    assert line.startswith("hook:notes: on_run_scored raised AbsentFault: {{ case.family }}: there is no 'family'")
    assert channel.warned == []


def test_an_emission_that_json_cannot_hold_names_its_place(tmp_path: Path) -> None:
    channel = play(tmp_path, KeptChannel(), ("emit", {"rows": [1, "{{ 2 ** 70 }}"]}))
    assert channel.faults.lines() == [
        "hook:notes: on_run_scored raised ArtifactError: payload.rows[1]: is a whole number of more than 64 bits; "
        "emit it as text"
    ]


def test_at_a_point_before_the_trace_turns_and_calls_are_those_so_far(tmp_path: Path) -> None:
    trace = sample_trace()
    facts = PointFacts(
        run_id=trace.run_id,
        session_id=trace.session_id,
        members={
            "scenario": (encode(ScenarioInfo(id="s", case={"id": "a"}, vars={"v": 1})), ScenarioInfo),
            "agent": (encode(AgentInfo(id="a", runtime="scripted")), AgentInfo),
            "turns": (encode(trace.turns), list[Turn]),
            "calls": (encode(trace.calls), list[Call]),
        },
    )
    channel = play(
        tmp_path,
        KeptChannel(),
        ("warn", "turn {{ turns | length }}: {{ turns[-1].calls | length }} calls, case {{ case.id }}, {{ vars.v }}"),
        point="on_turn",
        facts=facts,
    )
    assert channel.warned == [("notes", "turn 1: 2 calls, case a, 1")]
    assert channel.faults.lines() == []
