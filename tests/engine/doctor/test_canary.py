"""A nonce that outlives a reset is found, wherever it is; and nothing that could not be looked at is called clean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.endpoint import Answer, Endpoint
from kit.patients import WhatItHeard, healthy, until, with_memory, write_pack
from kit.wt import traces
from windtunnel.engine import CanaryResult, load_pack, run_reset_canary
from windtunnel.engine.doctor.canary import _holds
from windtunnel.schemas.errors import UsageFault

REMEDY = "let reset leave nothing of the run before: look at sessions, memories and files that the agent keeps"


def canary(folder: Path, endpoint: Endpoint, more: str = "", **options: Any) -> CanaryResult:
    return run_reset_canary(write_pack(folder, endpoint.base_url, more), env={}, **options)


def test_an_endpoint_that_keeps_nothing_is_clean(tmp_path: Path) -> None:
    with Endpoint(healthy) as endpoint:
        result = canary(tmp_path, endpoint)
    assert (result.verdict, result.cause, result.remedy) == ("ok", "the nonce did not come back: the reply after the reset", "")
    plant, ask = (asked.messages[-1]["content"] for asked in endpoint.requests)
    assert result.nonce in plant
    assert result.nonce not in ask


def spaced(word: str) -> str:
    return f"It was {' '.join(word.upper())}."


@pytest.mark.parametrize("spell", [str, spaced])
def test_an_endpoint_that_remembers_across_sessions_is_caught(tmp_path: Path, spell: Any) -> None:
    with Endpoint(with_memory(spell)) as endpoint:
        result = canary(tmp_path, endpoint)
    assert result.verdict == "leaked"
    assert result.leaks == (f"the agent replied {spell(result.nonce)!r}",)
    assert result.cause == f"after the reset the nonce came back: the agent replied {spell(result.nonce)!r}"
    assert result.remedy == REMEDY


def test_a_nonce_in_the_state_is_a_leak_though_the_agent_is_silent(tmp_path: Path) -> None:
    with Endpoint(healthy) as endpoint:
        result = canary(tmp_path, endpoint, state_probe=WhatItHeard(endpoint))
        assert (result.verdict, result.leaks, result.changed) == ("leaked", ("the state's key 'log' holds it",), ("log",))
        result = canary(tmp_path, endpoint, state_probe=WhatItHeard(endpoint), probe_recall=False)
        assert result.leaks == ("the state's key 'log' holds it",)
    assert len(endpoint.requests) == 3  # two for the first canary, and the planting of the second


class Counter:
    def __init__(self) -> None:
        self.looks = 0

    async def capture_state(self) -> Mapping[str, int]:
        self.looks += 1
        return {"looks": self.looks, "same": 1}


def test_a_state_that_the_reset_did_not_restore_is_a_fault(tmp_path: Path) -> None:
    with Endpoint(healthy) as endpoint:
        result = canary(tmp_path, endpoint, state_probe=Counter())
    assert (result.verdict, result.changed) == ("fault", ("looks",))
    assert result.cause == "the reset did not restore the state: looks changed"


def test_a_state_that_stays_as_it_was_is_clean(tmp_path: Path) -> None:
    with Endpoint(healthy) as endpoint:
        result = canary(tmp_path, endpoint, "state_probe: {command: [echo, '{\"rows\": 3}']}\n")
    assert result.verdict == "ok"
    assert result.cause == "the nonce did not come back: the reply and the state after the reset"


@pytest.mark.parametrize(
    ("probe", "told"),
    [
        ("{command: [sleep, '600'], timeout_s: 0.2}", "the command `sleep 600` did not end within 0.2 s; "
         "make it quicker, or raise state_probe.timeout_s (at most 120)"),
        ("{command: [echo, '[1]']}", "the command `echo '[1]'` printed a list, no mapping; "
         "let it give a JSON object, such as {\"rows\": 3}"),
    ],
)
def test_a_probe_that_fails_leaves_the_state_unchecked(tmp_path: Path, probe: str, told: str) -> None:
    with Endpoint(healthy) as endpoint:
        result = canary(tmp_path, endpoint, f"state_probe: {probe}\n")
    assert (result.verdict, result.cause) == ("unchecked", f"the state could not be looked at: {told}")


def test_a_leak_outweighs_a_probe_that_fails(tmp_path: Path) -> None:
    with Endpoint(with_memory()) as endpoint:
        assert canary(tmp_path, endpoint, "state_probe: {command: [echo, no]}\n").verdict == "leaked"


@pytest.mark.parametrize(
    ("number", "what"),
    [(0, "the nonce was not planted"), (1, "the agent was not heard after the reset")],
)
def test_an_endpoint_that_dies_is_a_fault(tmp_path: Path, number: int, what: str) -> None:
    with Endpoint(until(number, Answer(hang_up=True))) as endpoint:
        result = canary(tmp_path, endpoint)
    shown = endpoint.base_url.removeprefix("http://").removesuffix("/v1")
    assert (result.verdict, result.cause) == (
        "fault", f"{what}: endpoint {shown} closed the connection without an answer; look at the endpoint's log"
    )


def test_an_endpoint_that_hangs_is_a_fault_within_the_time_of_a_turn(tmp_path: Path) -> None:
    with Endpoint(until(1, Answer(hold=True))) as endpoint:
        result = canary(tmp_path, endpoint, turn_timeout_s=0.5)
    assert (result.verdict, result.cause) == (
        "fault", "the agent was not heard after the reset: the time was over: turn_timeout_s is 0.5"
    )


def test_no_model_is_needed_and_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_reset_canary("first_flight").verdict == "ok"
    assert run_reset_canary(load_pack(Path(__file__).parents[3] / "packs/first_flight"), "careless").verdict == "ok"
    assert list(tmp_path.iterdir()) == []


HERMETIC = """\
kind: pack
schema_version: 1
name: hermetic
agents:
  keeper:
    runtime: scripted
    script:
      - when: "'code word is' in user"
        do: [{call: {tool: keep, args: {text: "{{ user }}"}}}, {say: Noted.}]
      - do: [{call: {tool: recall, args: {}}}, {say: I had better not tell.}]
tools:
  keep: {effect: draft, input: {text: {type: string}}, python: "keeper.py:keep"}
  recall: {effect: read, python: "keeper.py:recall"}
scenarios:
  any: {turns: [Hello], expect: {outcome: [{type: contains, value: Hello}]}}
"""
KEEPER = """\
kept = []

def keep(text):
    kept.append(text)
    return "kept"

def recall():
    return " ".join(kept) or "nothing"
"""


def test_a_tool_that_carries_it_over_is_caught_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(HERMETIC)
    (tmp_path / "keeper.py").write_text(KEEPER)
    result = run_reset_canary(tmp_path / "pack.yaml", runs_dir=tmp_path / "kept")
    assert (result.verdict, result.leaks) == ("leaked", ("the agent used it in a call of recall",))
    assert [trace["scenario_id"] for trace in traces(tmp_path / "kept")] == ["reset_canary"] * 2


def test_what_cannot_be_asked_for_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with Endpoint(healthy) as endpoint:
        with pytest.raises(UsageFault, match="there is no agent 'assistent' to bench; did you mean 'assistant'"):
            canary(tmp_path, endpoint, agent="assistent")
        with pytest.raises(UsageFault, match="the canary would look at nothing"):
            canary(tmp_path, endpoint, probe_recall=False)
    assert endpoint.requests == []


NONCE = "canary-0123456789ab"


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"])), st.lists(st.sampled_from([" ", "-", ".", "\n", "*", "\""]), min_size=12, max_size=12))
def test_a_nonce_is_found_however_it_is_spelt(text: str, between: list[str]) -> None:
    pieces = "".join(letter + gap for letter, gap in zip("0123456789AB", between, strict=True))
    assert _holds(f"{text} {pieces}", NONCE)


@given(st.text(alphabet="abcdef0123456789 -", max_size=11))
def test_what_is_shorter_than_the_nonce_is_no_leak(text: str) -> None:
    assert not _holds(text, NONCE)
