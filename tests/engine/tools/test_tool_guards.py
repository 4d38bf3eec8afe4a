from __future__ import annotations

from kit.tool_bench import Bench
from kit.worlds import guard, pack, rule, takes, tool
from windtunnel.schemas.codec import UNSET
from windtunnel.schemas.records import Intervention

TEXT = {"type": "string"}
LOOK = tool("look", takes(), rule(text="seen"))
SEND = tool(
    "send",
    takes(to=TEXT),
    rule(sql=("INSERT INTO outbox VALUES (:to, 'x')",), text="sent {{ call }}"),
    effect="external-send",
)
LOOK_FIRST = guard(
    "look_first",
    "tool.effect == 'external-send' and not (calls | selectattr('name', 'eq', 'look') | list)",
    "Look first, before you write to {{ args.to }}.",
)


def test_a_guard_refuses_until_its_condition_no_longer_holds() -> None:
    bench = Bench(pack(LOOK, SEND, guards=(LOOK_FIRST,)), guards=("look_first",))
    refused = bench.call("send", {"to": "a@b"})
    text = "Look first, before you write to a@b."
    assert (refused.status, refused.error, refused.content) == ("refused", text, f"Error: {text}")
    assert bench.world.tables()["outbox"] == []
    bench.call("look")
    assert bench.call("send", {"to": "a@b"}).text == "sent 1"
    assert bench.witness.interventions == [Intervention(call=1, guard="look_first", message=text)]
    assert [(call.n, call.name, call.status) for call in bench.witness.calls] == [
        (1, "send", "refused"),
        (2, "look", "ok"),
        (3, "send", "ok"),
    ]
    assert bench.host.faults == []


def test_guards_see_the_call_the_agent_the_turn_and_the_world() -> None:
    seen = guard(
        "seen",
        "tool == {'name': 'send', 'effect': 'external-send', 'description': 'The tool send.'} "
        "and agent.id == 'careful' and agent.model == 'm' and turns == [] and world.outbox == [] "
        "and 'look' in last_user_turn and args.to == 'a@b'",
        "{{ world.clients | length }} {{ agent.id }}",
    )
    bench = Bench(pack(SEND, guards=(seen,)), guards=("seen",))
    assert bench.call("send", {"to": "a@b"}).error == "2 careful"


def test_the_first_guard_that_refuses_is_heard_and_the_agents_own_alone() -> None:
    declared = (guard("never", "false"), guard("always", "true", "always"), guard("also", "true", "also"))
    assert Bench(pack(LOOK, guards=declared), guards=("never", "always", "also")).call("look").error == "always"
    assert Bench(pack(LOOK, guards=declared), guards=("never",)).call("look").text == "seen"
    assert Bench(pack(LOOK, guards=declared)).call("look").text == "seen"


def test_a_guard_that_cannot_decide_refuses() -> None:
    broken = guard("broken", "args.nobody.name == 'x'")
    bench = Bench(pack(LOOK, guards=(broken,)), guards=("broken",))
    result = bench.call("look")
    fault = (
        "AbsentFault: args.nobody.name == 'x': there is no 'nobody': the mapping is empty; "
        "ask `is defined`, or write `| default(...)`"
    )
    assert (result.status, result.error) == ("refused", f"guard 'broken' failed, and so refuses: {fault}")
    assert bench.witness.interventions == [
        Intervention(call=1, guard="broken", message=f"guard 'broken' failed, and so refuses: {fault}", fault=fault)
    ]


def test_a_guard_whose_reason_cannot_be_made_or_that_is_not_there_refuses() -> None:
    speechless = guard("speechless", "true", "{{ args.nobody }}")
    bench = Bench(pack(LOOK, guards=(speechless,)), guards=("speechless",))
    assert bench.call("look").status == "refused"
    assert bench.witness.interventions[0].fault is not UNSET
    lost = Bench(pack(LOOK), guards=("lost",))
    assert (
        lost.call("look").error == "guard 'lost' failed, and so refuses: LookupError: no guard of this name is declared"
    )


def test_a_call_that_no_tool_can_take_reaches_no_guard() -> None:
    bench = Bench(pack(LOOK, guards=(guard("always", "true"),)), guards=("always",))
    assert [bench.call("look", {"x": 1}).status, bench.call("lok").status] == ["error", "error"]
    assert bench.witness.interventions == []
