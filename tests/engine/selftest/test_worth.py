"""A check is needed where some poison is caught by it alone; one that is not is named, with a poison that would need it."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from windtunnel.engine import load_pack, load_runs
from windtunnel.engine.runtimes.scripted_check import check_script
from windtunnel.engine.scoring import ALL_CHECKS, score_trace
from windtunnel.engine.selftest.advice import advice
from windtunnel.engine.selftest.run import SelftestResult
from windtunnel.engine.selftest.sketch import sketch
from windtunnel.engine.world import prepare_world
from windtunnel.schemas.codec import UNSET
from windtunnel.schemas.documents import Agent, Pack
from windtunnel.schemas.problems import Problems
from windtunnel.schemas.scenario_documents import Check
from windtunnel.schemas.selftests import CheckWorth

from .conftest import ASK, FIND, GOOD, HEAD, ORDER, Certify, references

CEILING = "      constraint: [{type: effect-ceiling, value: read}]\n"


def worths(result: SelftestResult) -> dict[str, str]:
    assert isinstance(result.results.checks, list)
    return {one.check: one.worth for one in result.results.checks}


def only_unneeded(result: SelftestResult) -> CheckWorth:
    assert isinstance(result.results.checks, list)
    (found,) = (one for one in result.results.checks if one.worth == "unneeded")
    return found


def test_a_check_that_alone_catches_a_poison_is_needed(certify: Certify) -> None:
    result = certify(ASK + references(GOOD, wrong=f"{FIND}, {{say: four}}", guess="{say: three}"), mutate=True)
    assert result.exit_code == 0
    assert worths(result) == {'mentions "three"': "needed", "tool-used find": "needed"}


def test_a_check_that_never_catches_alone_is_not_needed_though_all_is_certified(certify: Certify) -> None:
    result = certify(ASK + references(GOOD, wrong=f"{FIND}, {{say: four}}", mute="{say: nothing}"), mutate=True)
    assert ([one.verdict for one in result.results.certificates], result.exit_code) == (["CERTIFIED"], 1)
    found = only_unneeded(result)
    assert (found.place, found.path) == ("desk.yaml:20:20", "scenarios.ask.expect.trajectory[0]")
    assert found.advice == (
        "a poison for it does all that golden does, but does not call find as often as it must, and says the same: "
        '[{"do":[{"say":"three"}]}]'
    )


def test_without_mutate_nobody_asks(certify: Certify) -> None:
    result = certify(ASK + references(GOOD, wrong="{say: four}"))
    assert (result.exit_code, result.results.checks) == (0, UNSET)


def test_a_check_that_only_reports_is_not_asked(certify: Certify) -> None:
    text = ASK + "      constraint: [{type: latency, max_s: 9, gate: false}]\n"
    result = certify(text + references(GOOD, wrong=f"{FIND}, {{say: four}}", guess="{say: three}"), mutate=True)
    assert "latency 9 s" not in worths(result)


SHARED = "defaults:\n  expect: {constraint: [{type: effect-ceiling, value: read}]}\n"
TWO = (
    SHARED + ASK + references(GOOD, wrong=f"{FIND}, {{say: four}}", guess="{say: three}") +
    "  greet:\n    turns: [Hello.]\n    expect: {outcome: [{type: mentions, value: hello}]}\n" +
    references("{say: hello}", rude="{say: what}", eager=f"{ORDER}, {{say: hello}}")
)  # fmt: skip


def test_a_check_of_the_defaults_is_one_check_wherever_it_is_used(certify: Certify) -> None:
    result = certify(TWO, mutate=True)
    assert result.exit_code == 0
    assert isinstance(result.results.checks, list)
    (shared,) = (one for one in result.results.checks if one.path.startswith("defaults."))
    assert (shared.scenarios, shared.needed_by) == (["ask", "greet"], ["greet/eager"])


def test_a_shared_check_is_not_blamed_where_not_all_that_use_it_were_played(certify: Certify) -> None:
    result = certify(TWO, mutate=True, scenarios=("ask",))
    assert (result.exit_code, worths(result)["effect-ceiling read"]) == (0, "unasked")


def test_a_broken_poison_leaves_open_what_it_would_have_needed(certify: Certify) -> None:
    broken = f'{FIND}, {{say: "{{{{ result.rows[7].x }}}}"}}'
    result = certify(ASK + references(GOOD, wrong=f"{FIND}, {{say: four}}", broken=broken), mutate=True)
    assert (result.exit_code, worths(result)) == (3, {'mentions "three"': "needed", "tool-used find": "unasked"})


def test_dropping_a_check_is_what_scoring_the_frozen_trace_without_it_comes_to(certify: Certify) -> None:
    text = ASK.replace("value: three}", 'value: three}, {type: llm-rubric, value: polite}, {type: world, sql: SELECT count(*) FROM orders, equals: 0}')
    result = certify(text + CEILING + references(GOOD, a="{say: four}", b="{say: three}", c=f"{FIND}, {ORDER}, {{say: three}}"), mutate=True)
    assert isinstance(result.results.checks, list)
    needed = {one.path: set(one.needed_by) for one in result.results.checks}
    pack = load_pack("desk.yaml")
    scenario = pack.scenarios["ask"]
    prepared = prepare_world(scenario.world, {})

    async def fine(agent_id: str, question: str, timeout_s: float) -> str:
        return "PASS, it is fine."

    again: Mapping[str, set[str]] = {path: set() for path in needed}
    for run in load_runs("runs/selftest.runs"):
        for layer, checks in scenario.expect.items():
            for check in checks:
                left = {**scenario.expect, layer: tuple(one for one in checks if one is not check)}
                without = dataclasses.replace(scenario, expect=left)
                score = asyncio.run(score_trace(run.trace, without, pack, prepared, judge=fine))
                if score.verdict == "PASS" and run.trace.agent != "golden":
                    again[check.path].add(f"ask/{run.trace.agent.removeprefix('poison-')}")
    assert needed == again
    assert needed["scenarios.ask.expect.trajectory[0]"] == {"ask/b"}


def desk(tmp_path: Path) -> Pack:
    (tmp_path / "desk.yaml").write_text(HEAD + ASK + references(f'{FIND}, {{say: "{{{{ result.text }}}}"}}', wrong="{say: four}"))
    return load_pack(tmp_path / "desk.yaml")


ARGS: Mapping[str, Mapping[str, Any]] = {
    "world": {"sql": "SELECT 1", "equals": 1}, "tool-used": {"value": "order"}, "tool-sequence": {"steps": ["find", "order"]},
    "tool-args-match": {"value": {"name": "find", "args": {}}}, "step-count": {"min": 1}, "tool-before": {"first": "find", "then": "order"},
    "effect-ceiling": {"value": "read"}, "latency": {"max_s": 2.5}, "tokens": {"max": 10}, "any-of": {"checks": ()}, "expr": {"that": "true"},
    "python": {"value": "a.py:b"},
}  # fmt: skip


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("kind", ALL_CHECKS)
def test_there_is_advice_for_every_check_and_each_sketch_can_be_played(kind: str, negated: bool, tmp_path: Path) -> None:
    pack = desk(tmp_path)
    scenario = pack.scenarios["ask"]
    assert scenario.references is not None
    check = Check(type=kind, negated=negated, args=ARGS.get(kind, {"value": "x"}), mark=scenario.mark)
    told = advice(check, pack, scenario)
    assert told.startswith("a poison for it does all that golden does, but ")
    assert "its value" not in told
    rules = sketch(check, pack, scenario.references.golden)
    problems = Problems()
    check_script(Agent(id="drawn", runtime="scripted", settings={"script": rules}, mark=scenario.mark), pack, problems)
    assert list(problems) == []


@pytest.mark.parametrize(("kind", "negated", "drawn"), [
    ("mentions", False, [{"say": "Something else."}]),
    ("tool-used", True, [{"call": {"tool": "order", "args": {"item": "..."}}}, {"say": "{{ result.text }}"}]),
    ("effect-ceiling", False, [{"call": {"tool": "order", "args": {"item": "..."}}}, {"say": "{{ result.text }}"}]),
    ("latency", False, [{"say": "{{ result.text }}"}, {"wait_s": 3.5}]),
])  # fmt: skip
def test_a_sketch_is_golden_with_one_thing_changed(kind: str, negated: bool, drawn: list[object], tmp_path: Path) -> None:
    pack = desk(tmp_path)
    scenario = pack.scenarios["ask"]
    assert scenario.references is not None
    check = Check(type=kind, negated=negated, args=ARGS.get(kind, {"value": "x"}), mark=scenario.mark)
    (rule,) = sketch(check, pack, scenario.references.golden)
    assert [step for step in rule["do"] if step != {"call": {"tool": "find", "args": {"item": "lamp"}}}] == drawn
