from __future__ import annotations

import pytest
from kit.tool_bench import Bench
from kit.worlds import pack, rule, takes, tool
from windtunnel.engine.clock import SeededClock, iso
from windtunnel.engine.tools.host import BadArguments, ToolDefinition
from windtunnel.schemas.codec import UNSET
from windtunnel.schemas.records import Call
from windtunnel.schemas.secrets import Secrets

TEXT = {"type": "string"}
LOOKUP = tool("client_lookup", takes(query=TEXT), rule(sql=("SELECT id FROM clients WHERE name = :query",)))
ECHO = tool("echo", takes(it=TEXT), rule(text="you said {{ args.it }}"), effect="draft")
OWN = tool("own", takes(it=TEXT), reported=True, effect="external-send")


def test_every_call_is_witnessed_in_the_order_of_arrival() -> None:
    clock = SeededClock("seven")
    bench = Bench(pack(LOOKUP, ECHO), clock=clock)
    bench.call("client_lookup", {"query": "Bluewing"}, provider_call_id="call_7")
    bench.witness.begin_turn("And now?")
    bench.call("echo", {"it": "x"})
    at = iso(clock.now())
    assert bench.witness.calls == [
        Call(
            n=1,
            turn=1,
            name="client_lookup",
            effect="read",
            args={"query": "Bluewing"},
            status="ok",
            text='[{"id":"C1"}]',
            rows=[{"id": "C1"}],
            started_at=at,
            seconds=0.0,
            provider_call_id="call_7",
        ),
        Call(
            n=2,
            turn=2,
            name="echo",
            effect="draft",
            args={"it": "x"},
            status="ok",
            text="you said x",
            started_at=at,
            seconds=0.0,
        ),
    ]


def test_the_agent_is_shown_the_tools_of_the_pack_but_its_own() -> None:
    assert Bench(pack(LOOKUP, OWN)).host.definitions() == (
        ToolDefinition(name="client_lookup", description="The tool client_lookup.", input_schema=takes(query=TEXT)),
    )


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("client_lokup", "there is no tool 'client_lokup'; did you mean 'client_lookup'?"),
        ("", "there is no tool ''; tools: client_lookup, echo"),
        ("x" * 1000, f"there is no tool '{'x' * 200}… [cut, 1000 characters in all]'; tools: client_lookup, echo"),
    ],
)
def test_an_unknown_tool_is_an_error_that_names_the_known_ones(name: str, error: str) -> None:
    bench = Bench(pack(LOOKUP, ECHO))
    result = bench.call(name, {"a": 1})
    assert (result.status, result.error) == ("error", error)
    assert (bench.last.effect, bench.last.args) == (UNSET, {"a": 1})


def test_a_claim_of_the_agents_own_tool_is_recorded_as_a_claim() -> None:
    bench = Bench(pack(OWN))
    assert bench.call("own", {"anything": ["goes"]}).content == ""
    assert (bench.last.reported, bench.last.status, bench.last.text) == (True, "ok", UNSET)


def test_a_secret_is_masked_in_all_that_is_witnessed_and_in_what_the_agent_reads() -> None:
    secrets = Secrets()
    secrets.add("KEY", "hunter2-hunter2")
    bench = Bench(pack(LOOKUP, ECHO), secrets=secrets)
    said = bench.call("echo", {"it": "hunter2-hunter2"})
    assert said.content == "you said ***"
    assert bench.last.args == {"it": "***"}
    bench.call("echo", {"hunter2-hunter2": "x"})
    bench.call("hunter2-hunter2", {})
    bench.call("echo", BadArguments('{"it": "hunter2-hunter2', "not JSON"), provider_call_id="hunter2-hunter2")
    assert "hunter2" not in repr(bench.witness.calls)
    assert bench.witness.calls[2].name == "***"


def test_after_the_seal_tools_still_answer_and_nothing_is_evidence() -> None:
    bench = Bench(pack(ECHO))
    bench.call("echo", {"it": "a"})
    bench.witness.seal()
    assert bench.call("echo", {"it": "b"}).text == "you said b"
    assert [call.args for call in bench.witness.calls] == [{"it": "a"}]


def test_odd_arguments_become_plain_before_anything_sees_them() -> None:
    bench = Bench(pack(ECHO))
    assert bench.call("echo", {"it": "\ud83d\ude00 \ud800"}).text == "you said 😀 \\ud800"
    assert bench.last.args == {"it": "😀 \\ud800"}
