"""A CI server reads our JUnit XML, and nothing that did not pass looks like a pass in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import junitparser
import pytest
from kit.wt import SMALL_PACK, small_pack, wt
from windtunnel.engine.report.junit import MOST_RUNS, junit_xml
from windtunnel.hooks.debrief.sample import sample_score
from windtunnel.schemas.codec import encode_pretty
from windtunnel.schemas.scores import RunVerdict
from windtunnel.schemas.sweeps import Aggregate

from .conftest import Row

HOSTILE = "]]></failure><testcase name='x'/>&lt;\x00\x1b[31m\ufffe\ud800\n::error::\u202e\U0001f680\"'"


def parsed(data: bytes) -> junitparser.JUnitXml:
    return junitparser.JUnitXml.fromstring(data)


def cases(report: junitparser.JUnitXml) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """(class, name, [(element, message)]) of each test case."""
    return [
        (case.classname, case.name, [(type(one).__name__.lower(), one.message) for one in case.result])
        for suite in report for case in suite
    ]


def case_of(row: Aggregate, root: Path) -> list[tuple[str, str]]:
    (found,) = cases(parsed(junit_xml([row], root)))
    assert found[:2] == ("shop.good", "ask")
    return found[2]


def test_a_pass_has_no_result_and_its_seconds(row: Row, tmp_path: Path) -> None:
    report = parsed(junit_xml([row()], tmp_path))
    ((case,),) = report
    assert (case.result, case.time) == ([], 1.25)


@pytest.mark.parametrize(("changes", "result"), [
    ({"verdict": "FAIL", "reason": "outcome: no"}, ("failure", "FAIL 0/3 outcome: no")),
    ({"verdict": "ERROR", "reason": "down"}, ("error", "ERROR 0/3 down")),
    ({"verdict": "INVALID"}, ("error", "INVALID 0/3")),
    ({"verdict": "NOT_RUN"}, ("error", "NOT_RUN 0/3")),
    ({"verdict": "ERROR", "gates": False}, ("error", "ERROR 0/3")),
    ({"verdict": "SKIPPED", "skip": "later", "runs": 0, "counts": {}}, ("skipped", "later")),
    ({"verdict": "FAIL", "gates": False, "failed": False}, ("skipped", "does not gate: FAIL 0/3")),
    ({"verdict": "FAIL", "gates": False, "failed": False, "known_failure": {"reason": "bug 7"}},
     ("skipped", "known failure (bug 7): FAIL 0/3")),
    ({"verdict": "PASS", "failed": True, "known_failure": {"reason": "bug 7"}, "reason": "passed unexpectedly"},
     ("failure", "PASS 3/3 passed unexpectedly")),
])
def test_what_did_not_pass_is_told_as_what_it_is(row: Row, tmp_path: Path, changes: dict[str, object], result: tuple[str, str]) -> None:
    assert case_of(row(**changes), tmp_path) == [result]


def test_a_pass_with_variance_passes(row: Row, tmp_path: Path) -> None:
    assert case_of(row(verdict="PASS_WITH_VARIANCE", counts={"PASS": 2, "FAIL": 1}, failed=False), tmp_path) == []


def test_suites_are_packs_with_agents_and_totals_add_up(row: Row, tmp_path: Path) -> None:
    rows = [row(scenario_id=name, agent=agent, verdict=verdict) for name, agent, verdict in (
        ("a", "x", "PASS"), ("b", "y", "FAIL"), ("c", "x", "ERROR"), ("d", "x", "SKIPPED"))]
    report = parsed(junit_xml(rows, tmp_path))
    assert [(suite.name, suite.tests, suite.failures, suite.errors, suite.skipped) for suite in report] == [
        ("shop.x", 3, 0, 1, 1), ("shop.y", 1, 1, 0, 0)]
    assert (report.tests, report.failures, report.errors, report.skipped, report.time) == (4, 1, 1, 1, 5.0)
    told = [(suite.name, suite.tests, suite.failures, suite.errors, suite.skipped, suite.time) for suite in report]
    report.update_statistics()  # type: ignore[no-untyped-call] # counts the cases anew
    assert [(suite.name, suite.tests, suite.failures, suite.errors, suite.skipped, suite.time) for suite in report] == told


def scores(root: Path, count: int, verdict: RunVerdict = "FAIL") -> list[str]:
    folder = root / "shop/ask/good"
    folder.mkdir(parents=True, exist_ok=True)
    stems = [f"run{number}" for number in range(count)]
    for stem in stems:
        score = sample_score()
        (folder / f"{stem}.score.json").write_bytes(encode_pretty(replace(score, verdict=verdict)))
    return stems


def text_of(rows: Sequence[Aggregate], root: Path) -> str:
    return "".join(ElementTree.fromstring(junit_xml(rows, root)).itertext())  # noqa: S314 - our own text


def test_a_failure_names_its_runs_and_why(row: Row, tmp_path: Path) -> None:
    stems = [*scores(tmp_path, 2), "gone"]
    why = 'FAIL outcome: mentions "ops@bluewing.example": not in the reply'
    assert text_of([row(verdict="FAIL", run_stems=stems)], tmp_path) == (
        f"run0: {why}\nrun1: {why}\ngone: its score cannot be read")


def test_runs_that_passed_are_not_named(row: Row, tmp_path: Path) -> None:
    assert text_of([row(verdict="FAIL", run_stems=scores(tmp_path, 3, "PASS"))], tmp_path) == ""


def test_many_runs_are_not_all_named(row: Row, tmp_path: Path) -> None:
    lines = text_of([row(verdict="FAIL", run_stems=scores(tmp_path, MOST_RUNS + 5))], tmp_path).splitlines()
    assert len(lines) == MOST_RUNS + 1
    assert lines[-1] == "and more, in shop/ask/good"


@pytest.mark.parametrize("changes", [
    {"verdict": "FAIL"}, {"verdict": "ERROR"}, {"verdict": "SKIPPED"}, {"verdict": "FAIL", "gates": False, "failed": False},
])
def test_hostile_text_is_text(row: Row, tmp_path: Path, changes: dict[str, object]) -> None:
    hostile = row(**changes, reason=HOSTILE, skip=HOSTILE, known_failure={"reason": HOSTILE})
    data = junit_xml([hostile, row(scenario_id="other")], tmp_path)
    assert b"\x1b" not in data
    assert not any(line.startswith(b"::error") for line in data.splitlines())
    report = parsed(data)
    assert [name for _, name, _ in cases(report)] == ["ask", "other"]
    ((_, message),) = cases(report)[0][2]
    assert "\\x00\\x1b[31m\\ufffe\\ud800\\n::error::\\u202e\U0001f680" in message


def test_hostile_text_in_a_score_is_text(row: Row, tmp_path: Path) -> None:
    (stem,) = scores(tmp_path, 1)
    score = sample_score()
    failed = replace(score.layers["outcome"], detail=HOSTILE.replace("\ud800", ""))
    (tmp_path / "shop/ask/good" / f"{stem}.score.json").write_bytes(
        encode_pretty(replace(score, layers={**score.layers, "outcome": failed})))
    told = text_of([row(verdict="FAIL", run_stems=[stem])], tmp_path)
    assert told.startswith("run0: FAIL outcome: ]]></failure><testcase name='x'/>&lt;\\x00\\x1b[31m\\ufffe\\n::error::")


def test_a_sweep_writes_what_its_lines_say(tmp_path: Path) -> None:
    text = SMALL_PACK.replace("How many lamps are left?", "How many lamps are left? <&>").replace("say: No idea.", "say: 'No <idea> & no ]]>'")
    small_pack(tmp_path, text)
    assert wt("run", "shop.yaml", "--agent", "*", "--junit", "x.xml", folder=tmp_path).code == 1
    report = parsed((tmp_path / "x.xml").read_bytes())
    assert sorted((name, [kind for kind, _ in results]) for _, name, results in cases(report)) == [
        ("ask", []), ("ask", ["failure"]), ("buy", []), ("buy", ["failure"])]
