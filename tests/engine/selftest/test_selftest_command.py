"""``wt selftest`` as a user types it: what it prints, what it writes, and that it is never green where it died."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from kit.wt import Ended, sweep_record, wt
from windtunnel.schemas.catalog import artifact_faults

from .conftest import ASK, FIND, GOOD, HEAD, references

PACK = HEAD + ASK + references(GOOD, wrong=f"{FIND}, {{say: four}}", five=f"{FIND}, {{say: five}}") + """\
  greet:
    turns: [Hello.]
    expect: {outcome: [{type: mentions, value: hello}]}
    references: {golden: [{do: [{say: good evening}]}], poison: {rude: [{do: [{say: hello idiot}]}]}}
  leave:
    tags: [late]
    turns: [Goodbye.]
    expect: {outcome: [{type: mentions, value: bye}]}
  wait:
    skip: "not \\e[31m today"
    turns: [Wait.]
    expect: {outcome: [{type: mentions, value: bye}]}
"""
OUT = """\
CERTIFIED desk/ask  golden passes, 2 poisons fail
GOLDEN_FAILED desk/greet  golden: FAIL: outcome: mentions "hello": not in the reply
     poison rude: PASS: no check catches it
UNCERTIFIED desk/leave  no references, so nothing shows that its checks can hold and fail; add references: golden and poison
SKIPPED desk/wait  skipped: not \\x1b[31m today
"""
UNNEEDED = """\
UNNEEDED desk/ask  trajectory: tool-used find: no poison is caught by it alone (desk.yaml:20:20)
     a poison for it does all that golden does, but does not call find as often as it must, and says the same: \
[{"do":[{"say":"three"}]}]
UNNEEDED desk/greet  outcome: mentions "hello": no poison is caught by it alone (desk.yaml:24:24)
     a poison for it does all that golden does, but its reply does not hold what this check asks for: \
[{"do":[{"say":"Something else."}]}]
"""
COUNTED = "4 scenarios: 1 CERTIFIED, 1 GOLDEN_FAILED, 1 UNCERTIFIED, 1 SKIPPED; 5 references played"
WARNED = 'warning: desk/ask: the same checks catch the poisons wrong, five: outcome: mentions "three"; let each fail for another reason\n'


def selftest(folder: Path, *words: object, text: str = PACK) -> Ended:
    (folder / "desk.yaml").write_text(text)
    return wt("selftest", "desk.yaml", *words, folder=folder)


def test_a_scenario_is_a_line_and_further_reasons_stand_below(tmp_path: Path) -> None:
    assert selftest(tmp_path) == Ended(code=1, out=f"{OUT}{COUNTED}; evidence in runs/selftest.runs\n", err=WARNED)


def test_mutate_names_each_check_that_no_poison_needs(tmp_path: Path) -> None:
    checks = "5 checks: 1 needed, 2 unneeded, 2 unasked"
    out = f"{OUT}{UNNEEDED}{COUNTED}; {checks}; evidence in runs/selftest.runs\n"
    assert selftest(tmp_path, "--mutate") == Ended(code=1, out=out, err=WARNED)


@pytest.mark.parametrize(("words", "code"), [
    (("--scenario", "ask"), 0), (("--scenario", "ask", "--mutate"), 1), (("--scenario", "gr*"), 1), (("--tag", "late"), 3),
    (("--scenario", "ask", "--scenario", "leave"), 3), (("--scenario", "wait"), 0), (("--tag", "latte"), 2), (("--jobs", "0"), 2),
    (("--json", "no/such/folder.json"), 2), (("--junit", "/dev/full", "--scenario", "ask"), 3),
])  # fmt: skip
def test_the_exit_code_says_how_far_the_checks_can_be_trusted(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    assert selftest(tmp_path, *words).code == code


def test_the_results_are_written_as_json_and_junit(tmp_path: Path) -> None:
    selftest(tmp_path, "--mutate", "--json", "found.json", "--junit", "found.xml")
    data: dict[str, Any] = json.loads((tmp_path / "found.json").read_text())
    assert artifact_faults("selftest", data) == []
    record = sweep_record(tmp_path / "runs/selftest.runs")
    assert (data["exit_code"], data["sweep"], record["asked"]["skeleton"]) == (1, record["sweep"], "selftest")
    assert (record["state"], record["exit_code"], record["planned_runs"]) == ("complete", 1, 5)
    assert [one["verdict"] for one in data["certificates"]] == ["CERTIFIED", "GOLDEN_FAILED", "UNCERTIFIED", "SKIPPED"]
    cases = ElementTree.parse(tmp_path / "found.xml").getroot().iter("testcase")  # noqa: S314 - our own file
    assert [(case.get("classname"), case.get("name"), [kind.tag for kind in case]) for case in cases] == [
        ("desk.selftest", "ask", []), ("desk.selftest", "greet", ["failure"]), ("desk.selftest", "leave", ["error"]),
        ("desk.selftest", "wait", ["skipped"]),
        ("desk.checks", 'scenarios.ask.expect.outcome[0] mentions "three"', []),
        ("desk.checks", "scenarios.ask.expect.trajectory[0] tool-used find", ["failure"]),
        ("desk.checks", 'scenarios.greet.expect.outcome[0] mentions "hello"', ["failure"]),
        ("desk.checks", "scenarios.leave.expect.outcome[0] mentions", ["skipped"]),
        ("desk.checks", "scenarios.wait.expect.outcome[0] mentions", ["skipped"]),
    ]  # fmt: skip


def test_a_selftest_that_dies_is_never_green(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text("import os\n\ndef now(ns):\n    os._exit(0)\n")
    text = HEAD + ASK + "      constraint: [{type: python, value: file://ends.py:now}]\n" + references(GOOD, wrong="{say: four}")
    ended = selftest(tmp_path, text=text)
    assert ended.code == 3
    assert "the sweep did not end well" in ended.err
    assert "CERTIFIED" not in ended.out
    assert sweep_record(tmp_path / "runs/selftest.runs")["state"] == "died"


def test_a_fault_of_a_reference_is_told_before_anything_is_played(tmp_path: Path) -> None:
    ended = selftest(tmp_path, text=HEAD + ASK + references(GOOD, wrong="{call: {tool: fnid}}"))
    assert (ended.code, ended.out) == (2, "")
    assert "scenarios.ask.references.poison.wrong[0].do[0].call.tool: there is no tool 'fnid'; did you mean 'find'?" in ended.err
    assert not (tmp_path / "runs").exists()


def test_all_built_in_packs_are_meant_by_one_word(tmp_path: Path) -> None:
    ended = wt("selftest", "--built-in", "--scenario", "where_is_my_bag", folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("CERTIFIED first_flight/where_is_my_bag  golden passes, 3 poisons fail\n1 scenario: ")
