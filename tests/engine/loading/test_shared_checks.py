from __future__ import annotations

from kit.desk import Desk
from windtunnel.schemas.scenario_documents import Check

CHECKS = """\
checks:
  polite:
    - {type: not-contains, value: damn}
    - {type: contains, value: please, when: "turns", gate: false}
  both: [{type: use, value: polite}, {type: is-json}]
"""


def outcome(desk: Desk, *checks: str) -> tuple[Check, ...]:
    listed = ", ".join(checks)
    return (
        desk.load(CHECKS, f"scenarios: {{s: {{turns: [x], expect: {{outcome: [{listed}]}}}}}}\n")
        .scenarios["s"]
        .expect["outcome"]
    )


def test_use_stands_for_the_checks_it_names(desk: Desk) -> None:
    found = outcome(desk, "{type: use, value: both}", "{type: contains, value: x}")
    assert [(check.shown_type, check.args.get("value")) for check in found] == [
        ("not-contains", "damn"),
        ("contains", "please"),
        ("is-json", None),
        ("contains", "x"),
    ]
    assert [check.path for check in found] == [
        "checks.polite[0]",
        "checks.polite[1]",
        "checks.both[1]",
        "scenarios.s.expect.outcome[1]",
    ]


def test_the_when_and_gate_of_a_use_hold_for_each_of_its_checks(desk: Desk) -> None:
    found = outcome(desk, "{type: use, value: polite, when: reply, gate: false}")
    assert [(check.when, check.gate) for check in found] == [("reply", False), ("(reply) and (turns)", False)]


def test_a_use_in_any_of_counts_as_one_check(desk: Desk) -> None:
    (any_of,) = outcome(desk, "{type: any-of, checks: [{type: use, value: polite}, {type: is-json}]}")
    first, second = any_of.args["checks"]
    assert (first.type, first.name, first.args["min"], len(first.args["checks"])) == ("any-of", "polite", 2, 2)
    assert second.type == "is-json"


def test_prefixes_are_taken_off_the_type(desk: Desk) -> None:
    found = outcome(desk, "{type: 'trajectory:step-count', min: 1}", "{type: 'not-trajectory:step-count', max: 1}")
    assert [(check.type, check.negated) for check in found] == [("step-count", False), ("step-count", True)]


def test_unknown_and_circular_uses_are_faults(desk: Desk) -> None:
    found = desk.faults(
        "checks:\n  a: [{type: use, value: b}]\n  b: [{type: use, value: a}]\n",
        "scenarios: {s: {turns: [x], expect: {outcome: [{type: use, value: a}, {type: use, value: aa}]}}}\n",
    )
    assert found == [
        "pack.yaml:9:26: checks.b[0].value: checks.a uses itself; take the circle apart: a -> b -> a",
        "pack.yaml:10:90: scenarios.s.expect.outcome[1].value: there are no shared checks 'aa'; checks: a, b",
    ]
