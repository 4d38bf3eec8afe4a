"""A run's verdict: ERROR outranks INVALID, INVALID outranks FAIL, and a score says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.judged import MARK, calls, check, scenario, scored, trace, turn
from windtunnel.schemas.codec import encode
from windtunnel.schemas.records import Intervention, StageError
from windtunnel.schemas.scenario_documents import Perturbation
from windtunnel.schemas.scores import Score

HOLDS = check("contains", value="yes")
FAILS = check("contains", value="no")
SKIPPED = check("contains", value="yes", when="false")
BROKEN = check("regex", value="(")
ABSENT = check("not-contains", of="calls[0].text", value="x")
YES = trace("yes")


def layers(score: Score) -> dict[str, tuple[bool | None, bool, str]]:
    return {name: (layer.passed, layer.gate, layer.detail) for name, layer in score.layers.items()}


def test_a_run_passes_if_every_layer_that_gates_passes() -> None:
    score = scored(YES, scenario(HOLDS, HOLDS, trajectory=[check("not-tool-used", value="t")]))
    assert (score.verdict, score.failed_layers, score.notes, score.reason) == ("PASS", [], [], "")
    assert layers(score) == {
        "outcome": (True, True, "2 checks hold"),
        "trajectory": (True, True, "1 check holds"),
        "constraint": (None, False, "not declared"),
        "integrity": (True, True, "no perturbation declared"),
    }
    assert (score.run_id, score.scenario_id, score.agent) == ("0" * 32, "s", "careful")


def test_a_failed_layer_names_its_first_failure_and_counts_the_others() -> None:
    score = scored(YES, scenario(HOLDS, FAILS, ABSENT, constraint=[check("step-count", min=1)]))
    assert (score.verdict, score.failed_layers) == ("FAIL", ["outcome", "constraint"])
    assert score.outcome.detail == 'contains "no": not in the reply (and 1 more)'
    assert score.constraint.detail == "step-count min 1: 0 calls"
    assert score.reason == 'outcome: contains "no": not in the reply (and 1 more)'


def test_what_is_reported_only_decides_nothing() -> None:
    aside = check("contains", value="no", gate=False, name="tone")
    score = scored(YES, scenario(HOLDS, aside, trajectory=[aside]))
    assert (score.verdict, score.failed_layers) == ("PASS", ["trajectory"])
    assert layers(score)["outcome"] == (
        True,
        True,
        '1 check holds; reported only: tone (contains "no"): not in the reply',
    )
    assert layers(score)["trajectory"] == (False, False, 'tone (contains "no"): not in the reply')
    assert score.reason == ""


def test_trouble_of_a_check_that_is_reported_only_is_a_note() -> None:
    score = scored(YES, scenario(HOLDS, check("tokens", max=9, gate=False)))
    assert (score.verdict, score.notes) == (
        "PASS",
        ["reported only: tokens 9: the endpoint did not tell the usage of turn 1"],
    )


def test_a_check_that_breaks_makes_the_run_an_error() -> None:
    score = scored(YES, scenario(FAILS, trajectory=[BROKEN]))
    assert (score.verdict, score.failed_layers) == ("ERROR", ["outcome"])
    assert score.trajectory.passed is None
    assert score.trajectory.detail.startswith('not decided: regex "(": the pattern')
    assert score.reason == score.notes[0] == score.findings[1].detail
    assert (score.findings[1].passed, score.findings[1].error) == (None, True)


def test_trouble_of_the_bench_leaves_every_layer_undecided() -> None:
    errors = [StageError(stage="inject_turns", kind="bench", message="cannot reach 127.0.0.1:9")]
    score = scored(trace(turns=[turn(None, error="cannot reach 127.0.0.1:9")], errors=errors), scenario(HOLDS))
    assert (score.verdict, score.failed_layers, score.findings) == ("ERROR", [], [])
    assert set(layers(score).values()) == {(None, False, "not decided: inject_turns: cannot reach 127.0.0.1:9")}
    assert score.notes == ["inject_turns: cannot reach 127.0.0.1:9"]
    assert score.reason == "inject_turns: cannot reach 127.0.0.1:9"


def test_what_broke_is_told_with_its_remedy() -> None:
    message = f"agents.careful.script[0].do[1].say: {'x' * 150}: there is no 'rows'; write `| default(...)`"
    errors = [StageError(stage="inject_turns", kind="bench", message=message)]
    score = scored(trace(turns=[turn(None, error=message)], errors=errors), scenario(HOLDS))
    assert score.reason == f"inject_turns: {message}"


def test_a_turn_that_broke_is_an_error_even_if_no_stage_says_so() -> None:
    score = scored(trace(turns=[turn("yes", 1), turn(None, 2, error="HTTP 500")]), scenario(HOLDS))
    assert (score.verdict, score.notes) == ("ERROR", ["turn 2: HTTP 500"])


LATE: dict[str, Any] = {
    "turns": [turn("yes", 1), turn(None, 2, error="the time was over: turn_timeout_s is 60", timed_out=True)],
    "errors": [
        StageError(stage="inject_turns", kind="timeout", message="turn 2: the time was over: turn_timeout_s is 60")
    ],
}


@pytest.mark.parametrize(
    "declared", [scenario(HOLDS), scenario(trajectory=[check("not-tool-used", value="t")]), scenario(SKIPPED)]
)
def test_a_timeout_is_a_failure_whatever_the_checks_say(declared: Any) -> None:
    score = scored(trace(**LATE), declared)
    assert (score.verdict, score.failed_layers) == ("FAIL", ["outcome"])
    assert score.reason == "outcome: timeout: turn 2: the time was over: turn_timeout_s is 60"
    assert scored(trace(turns=LATE["turns"]), declared).verdict == "FAIL"


def test_a_timeout_is_an_error_where_the_scenario_says_so() -> None:
    score = scored(trace(**LATE), scenario(HOLDS, on_timeout="error"))
    assert (score.verdict, score.reason) == ("ERROR", "inject_turns: turn 2: the time was over: turn_timeout_s is 60")


def test_a_run_whose_checks_were_all_skipped_is_invalid() -> None:
    score = scored(YES, scenario(SKIPPED, trajectory=[SKIPPED]))
    assert (score.verdict, score.failed_layers) == ("INVALID", ["integrity"])
    assert score.reason == "no check was weighed: the `when` of each was false"
    assert layers(score)["outcome"] == (None, False, 'contains "yes": skipped: when false')
    assert score.findings[0].passed is None


def test_a_run_where_only_reported_checks_were_weighed_is_invalid() -> None:
    assert scored(YES, scenario(SKIPPED, check("contains", value="yes", gate=False))).verdict == "INVALID"
    assert scored(YES, scenario(check("contains", value="no", gate=False))).verdict == "PASS"


def test_a_run_in_which_no_turn_was_sent_is_invalid() -> None:
    score = scored(trace(turns=[]), scenario(trajectory=[check("not-tool-used", value="t")]))
    assert (score.verdict, score.reason) == ("INVALID", "no turn was sent: the `when` of each was false")


def test_a_run_without_any_check_is_never_green() -> None:
    assert scored(YES, scenario()).verdict == "INVALID"


def test_an_agent_that_says_nothing_fails_what_looks_at_its_reply() -> None:
    score = scored(trace(""), scenario(check("not-contains", value="secret")))
    assert (score.verdict, score.reason) == ("FAIL", 'outcome: not-contains "secret": the reply is empty')


def test_a_guard_that_failed_is_noted_once_for_each_fault() -> None:
    faults = [
        Intervention(call=1, guard="ask_first", message="refused", fault="KeyError: 'x'"),
        Intervention(call=2, guard="g", message="no"),
        *(Intervention(call=n, guard="slow", message="refused", fault="TimeoutError: late") for n in (3, 4, 5)),
    ]
    score = scored(trace("yes", interventions=faults, calls=calls("t!refused", "t!refused")), scenario(HOLDS))
    assert (score.verdict, score.notes) == (
        "PASS",
        [
            "guard ask_first failed on call 1: KeyError: 'x'",
            "guard slow failed on call 3 (and 2 more): TimeoutError: late",
        ],
    )


def weather(*declared: tuple[str, str]) -> tuple[Perturbation, ...]:
    """Timeouts on tools, with what each requires."""
    return tuple(
        Perturbation(index=n, type="tool-fault", tool=tool, fault="timeout", requires=requires, mark=MARK)  # type: ignore[arg-type]
        for n, (tool, requires) in enumerate(declared)
    )


def mark_of(one: Perturbation, **facts: Any) -> dict[str, Any]:
    return {
        "index": one.index, "type": one.type, "tool": one.tool, "fault": one.fault, "requires": one.requires,
        "applied": True, "met": False, "calls": [], "detail": f"no call of '{one.tool}' came to it", **facts,
    }


def test_a_perturbation_is_held_to_what_it_requires() -> None:
    look, send = weather(("look", "met"), ("send", "applied"))
    struck = mark_of(look, met=True, calls=[1], detail="struck call 1")
    score = scored(trace("yes", perturbations=[struck, mark_of(send)]), scenario(HOLDS, perturb=(look, send)))
    assert layers(score)["integrity"] == (
        True, True, "tool-fault timeout on look: struck call 1; tool-fault timeout on send: no call of 'send' came to it",
    )
    assert score.verdict == "PASS"


def test_an_unmet_requirement_is_invalid_whatever_the_other_layers_say() -> None:
    (look,) = weather(("look", "met"))
    for checks, failed in (((HOLDS,), ["integrity"]), ((FAILS,), ["outcome", "integrity"]), ((BROKEN,), ["integrity"])):
        score = scored(trace("yes", perturbations=[mark_of(look)]), scenario(*checks, perturb=(look,)))
        assert (score.verdict, score.failed_layers) == ("INVALID", failed)
        assert score.reason == "integrity: tool-fault timeout on look: no call of 'look' came to it"


def test_a_perturbation_that_left_no_evidence_did_not_happen() -> None:
    (look,) = weather(("look", "applied"))
    score = scored(trace("yes"), scenario(HOLDS, perturb=(look,)))
    assert (score.verdict, score.reason) == ("INVALID", "integrity: tool-fault timeout on look: it left no evidence")


def test_a_wrapper_that_failed_is_no_weather() -> None:
    (look,) = weather(("look", "met"))
    failed = {"type": "tool-fault", "name": "w", "tool": "look", "call": 2, "applied": False, "detail": "failed before"}
    marks = [mark_of(look, met=True, calls=[1], detail="struck call 1"), failed]
    score = scored(trace("yes", perturbations=marks), scenario(HOLDS, perturb=(look,)))
    assert (score.verdict, score.reason) == ("INVALID", "integrity: tool-fault: failed before")


def test_every_text_of_a_score_is_bounded() -> None:
    long = "x" * 5000
    declared = scenario(
        check("contains", value=long),
        check("equals", value=long),
        check("expr", that=f"'{long}' in reply", name=long[:90]),
    )
    for finding in scored(trace(long[:-1]), declared).findings:
        assert len(finding.detail) <= 200
        assert len(encode(finding)) < 6000


RANK = {"PASS": 0, "FAIL": 1, "INVALID": 2, "ERROR": 3}
SINGLE = {"PASS": HOLDS, "FAIL": FAILS, "ERROR": BROKEN}


@given(st.lists(st.sampled_from(sorted(SINGLE)), min_size=1, max_size=5), st.booleans())
def test_the_gravest_check_decides(kinds: list[str], spread: bool) -> None:
    checks = [SINGLE[kind] for kind in kinds]
    declared = scenario(*checks[:1], constraint=checks[1:]) if spread else scenario(*checks)
    assert scored(YES, declared).verdict == max(kinds, key=RANK.__getitem__)


@given(st.sampled_from([HOLDS, FAILS, ABSENT, SKIPPED, BROKEN]), st.text(min_size=1, max_size=20))
def test_not_inverts_all_but_what_is_absent_skipped_or_broken(one: Any, reply: str) -> None:
    plain = scored(trace(reply), scenario(one)).findings[0]
    inverted = scored(trace(reply), scenario(replace(one, negated=not one.negated))).findings[0]
    if one is ABSENT or (not reply.strip() and one in (HOLDS, FAILS)):
        assert (plain.passed, inverted.passed) == (False, False)
    elif plain.passed is None:
        assert (inverted.passed, inverted.error) == (None, plain.error)
    else:
        assert inverted.passed is (not plain.passed)
