"""The scripted agent: which rule answers, what its texts may say, and that its calls are real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from kit.drive import Bench, scripted_bench
from windtunnel.engine.clock import SeededClock
from windtunnel.engine.runtimes.base import Reply, RuntimeFault
from windtunnel.engine.session import Session
from windtunnel.schemas.documents import Inert
from windtunnel.schemas.records import Turn

Rule = Mapping[str, Any]


def say(*texts: str) -> Rule:
    """A rule that always answers."""
    return {"do": [{"say": text} for text in texts]}


def call(tool: str, **args: Any) -> Rule:
    """One step that calls a tool."""
    return {"call": {"tool": tool, "args": args}}


def talk(bench: Bench, *turns: str, session: Session | None = None) -> list[str]:
    """The replies to user turns in one session; the last turn's calls stay in the session."""
    used = session or bench.session()

    async def work() -> list[str]:
        handle = await bench.scripted()
        replies = []
        for text in turns:
            number = used.witness.begin_turn(text)
            reply = await handle.send(used, text)
            used.witness.record_turn(Turn(n=number, user=text, reply=reply.text, started_at="", seconds=0))
            replies.append(reply.text)
        return replies

    return asyncio.run(work())


def fault_of(bench: Bench, text: str = "Hello.") -> str:
    """The text of the fault that one turn ends with."""
    with pytest.raises(RuntimeFault) as caught:
        talk(bench, text)
    return str(caught.value)


def test_the_first_rule_that_holds_answers() -> None:
    bench = scripted_bench(
        {"when": "'email' in user", "do": [{"say": "First."}]},
        {"when": "'mail' in user", "do": [{"say": "Second."}]},
        say("Last."),
    )
    assert talk(bench, "an email", "a mail", "a letter") == ["First.", "Second.", "Last."]


def test_several_lines_are_joined_by_a_newline() -> None:
    assert talk(scripted_bench(say("One.", "Two.")), "Hello.") == ["One.\nTwo."]


def test_a_rule_that_says_nothing_is_an_empty_reply() -> None:
    assert talk(scripted_bench({"do": [call("clock")]}), "Hello.") == [""]


def test_a_script_without_an_answer_is_a_fault_and_not_a_silence() -> None:
    bench = scripted_bench({"when": "turn > 1", "do": [{"say": "Later."}]})
    assert fault_of(bench, "Hello\n\nthere. " + "x" * 100) == (
        "agents.careful.script: no rule answers the turn 'Hello there. " + "x" * 64 + "...'; "
        "end the script with a rule without `when`"
    )


def test_calls_are_really_made_and_set_the_result() -> None:
    lookup = call("client_lookup", query="Bluewing")
    bench = scripted_bench({"do": [lookup, {"say": "It is {{ result.rows[0].email }}."}]})
    session = bench.session()
    assert talk(bench, "Hello.", session=session) == ["It is ops@bluewing.example."]
    (made,) = session.witness.calls
    assert (made.name, made.args, made.status) == ("client_lookup", {"query": "Bluewing"}, "ok")


def test_a_result_has_only_what_the_tool_gave() -> None:
    keys = "{{ result.keys() | list | sort | join(' ') }}"
    for tool, args, found in (
        ("client_lookup", {"query": "Blue"}, "rows text"),
        ("clock", {}, "text"),
        ("refuse", {"who": "Ana"}, "error"),
    ):
        ((reply),) = talk(scripted_bench({"do": [call(tool, **args), {"say": keys}]}), "Hello.")
        assert set(reply.split()) <= set(found.split()), tool
        assert reply.split()[0] == found.split()[0]


def test_before_a_call_the_result_is_empty() -> None:
    assert talk(scripted_bench(say("{{ result }} {{ results | length }}")), "Hello.") == ["{} 0"]


def test_results_are_kept_over_the_turns_of_a_session_and_no_further() -> None:
    bench = scripted_bench(
        {"when": "'again' in user", "do": [{"say": "{{ results[-2].text }}, then {{ result.error }}"}]},
        {"do": [call("clock"), call("refuse", who="Ana")]},
    )
    assert talk(bench, "Hello.", "And again?") == ["", "09:00, then not today, Ana"]
    with pytest.raises(RuntimeFault):
        talk(bench, "And again?")


def test_arguments_keep_the_type_of_a_lone_expression_and_text_from_a_tool_is_not_rendered_again() -> None:
    bench = scripted_bench(
        {"do": [call("order", item="{{ case.item }}", count="{{ case.count }}", note="{{ case.note }}")]},
        case={"item": "tea", "count": 3, "note": "{{ user }}"},
    )
    session = bench.session()
    talk(bench, "Hello.", session=session)
    assert session.witness.calls[0].args == {"item": "tea", "count": 3, "note": "{{ user }}"}


def test_text_from_a_file_is_said_as_it_is() -> None:
    assert talk(scripted_bench({"do": [{"say": Inert("{{ user }}")}]}), "Hello.") == ["{{ user }}"]


def test_every_name_of_the_contract_is_there() -> None:
    names = "user turn turns calls session_id vars case now run_number result results"
    text = " ".join(f"{{{{ {name} is defined }}}}" for name in names.split())
    bench = scripted_bench(say(text), vars={"a": 1}, case={"b": 2}, now="2026-03-02T09:00:00+01:00")
    assert set(talk(bench, "Hello.")[0].split()) == {"True"}


def test_turns_are_numbered_from_one_and_earlier_turns_and_calls_are_seen() -> None:
    bench = scripted_bench(
        {"do": [call("clock"), {"say": "{{ turn }} {{ turns | length }} {{ calls | map(attribute='turn') | list }}"}]}
    )
    assert talk(bench, "One.", "Two.") == ["1 0 [1]", "2 1 [1, 2]"]


def test_a_condition_sees_the_calls_so_far() -> None:
    bench = scripted_bench({"when": "not calls", "do": [call("clock"), {"say": "First."}]}, say("Then."))
    assert talk(bench, "One.", "Two.") == ["First.", "Then."]


def test_the_run_number_and_the_session_are_told() -> None:
    bench = scripted_bench(say("{{ run_number }} {{ session_id }}"))
    session = bench.session(run_number=4)
    assert talk(bench, "Hello.", session=session) == [f"4 {session.session_id}"]


def test_a_wait_moves_the_runs_clock() -> None:
    bench = scripted_bench({"do": [{"wait_s": 90}, {"say": "Done."}]})
    clock = SeededClock("wait")
    assert talk(bench, "Hello.", session=bench.session(clock=clock)) == ["Done."]
    assert clock.elapsed() == 90


def test_a_tool_that_is_not_there_is_an_error_that_the_script_sees() -> None:
    bench = scripted_bench({"do": [call("no_such_tool", a=1), {"say": "{{ result.error is defined }}"}]})
    assert talk(bench, "Hello.") == ["True"]


def test_a_text_that_cannot_be_rendered_is_a_fault_at_its_place() -> None:
    lookup = call("client_lookup", query="nobody")
    bench = scripted_bench({"do": [lookup, {"say": "It is {{ result.rows[0].email }}."}]})
    assert fault_of(bench).startswith("agents.careful.script[0].do[1].say: ")
    assert fault_of(scripted_bench({"when": "user.nothing", "do": [{"say": ""}]})).startswith(
        "agents.careful.script[0].when: "
    )
    assert fault_of(scripted_bench({"do": [call("clock", a="{{ 1 // 0 }}")]})).startswith(
        "agents.careful.script[0].do[0].call: "
    )


def debrief(bench: Bench, session: Session, text: str = "Why?") -> Reply:
    """The answer to a converse turn after two ordinary ones."""

    async def work() -> Reply:
        handle = await bench.scripted()
        session.witness.begin_turn("Hello.")
        await handle.send(session, "Hello.")
        session.witness.seal()
        return await handle.send(session, text, purpose="debrief")

    return asyncio.run(work())


def test_a_converse_turn_is_answered_by_the_debrief() -> None:
    told = "{{ result.error | default('None.') }}"
    bench = scripted_bench({"do": [call("refuse", who="Ana")]}, debrief=told + " {{ user }}")
    assert debrief(bench, bench.session()).text == "not today, Ana Why?"
    bench = scripted_bench(say("Hi."), debrief=told)
    assert debrief(bench, bench.session()).text == "None."


def test_without_a_debrief_the_script_answers_and_its_calls_are_no_evidence() -> None:
    bench = scripted_bench({"do": [call("clock"), {"say": "{{ turn }}: {{ result.text }}"}]})
    session = bench.session()
    assert debrief(bench, session).text == "2: 09:00"
    assert len(session.witness.calls) == 1


def test_a_debrief_that_cannot_be_rendered_is_a_fault() -> None:
    bench = scripted_bench(say("Hi."), debrief="{{ result.rows[0] }}")
    with pytest.raises(RuntimeFault, match=r"^agents\.careful\.debrief: "):
        debrief(bench, bench.session())


def test_two_sessions_of_one_handle_do_not_see_each_other() -> None:
    bench = scripted_bench({"do": [call("clock"), {"wait_s": 1}, {"say": "{{ results | length }}"}]})

    async def work() -> list[str]:
        handle = await bench.scripted()
        sessions = [bench.session(run_number=n) for n in range(5)]
        replies = await asyncio.gather(*(handle.send(session, "Hello.") for session in sessions))
        return [reply.text for reply in replies]

    assert asyncio.run(work()) == ["1"] * 5


def test_the_surface_tells_how_many_rules_there_are() -> None:
    bench = scripted_bench(say("Hi."), say("Ho."))

    async def work() -> tuple[Mapping[str, Any], str]:
        handle = await bench.scripted()
        return handle.describe_surface(bench.session()), handle.model

    assert asyncio.run(work()) == ({"rules": 2}, "")
