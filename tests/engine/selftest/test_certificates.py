"""A scenario is certified where golden passes and each poison fails, and nothing else counts as a catch."""

from __future__ import annotations

from pathlib import Path

import pytest
from windtunnel.engine import load_pack, load_runs
from windtunnel.engine.loading.find import BUILT_IN, built_in_packs
from windtunnel.engine.selftest.certify import certify as certificate_of
from windtunnel.engine.selftest.run import run_selftest
from windtunnel.engine.selftest.selection import Subject
from windtunnel.schemas.selftests import Certificate

from .conftest import ASK, FIND, GOOD, HEAD, ORDER, Certify, references


def only(certify: Certify, text: str) -> Certificate:
    (certificate,) = certify(text).results.certificates
    return certificate


def told(certificate: Certificate) -> tuple[str, list[str]]:
    return certificate.verdict, certificate.reasons


def test_golden_passes_and_each_poison_fails(certify: Certify) -> None:
    result = certify(ASK + references(GOOD, wrong=f"{FIND}, {{say: four}}", guess="{say: three}"))
    (certificate,) = result.results.certificates
    assert (result.exit_code, told(certificate), certificate.warnings) == (0, ("CERTIFIED", []), [])
    assert [(one.kind, one.name, one.verdict, one.caught_by) for one in certificate.references] == [
        ("golden", "golden", "PASS", []),
        ("poison", "wrong", "FAIL", ['outcome: mentions "three"']),
        ("poison", "guess", "FAIL", ["trajectory: tool-used find"]),
    ]


def test_a_golden_that_fails_is_told_first_and_hides_no_poison_that_passes(certify: Certify) -> None:
    result = certify(ASK + references("{say: three}", fine=GOOD, wrong="{say: four}"))
    assert result.exit_code == 1
    assert told(result.results.certificates[0]) == (
        "GOLDEN_FAILED",
        ["golden: FAIL: trajectory: tool-used find: not called; there was no call", "poison fine: PASS: no check catches it"],
    )


def test_a_poison_that_passes_is_told_by_its_name(certify: Certify) -> None:
    result = certify(ASK + references(GOOD, chatty=f"{FIND}, {{say: three or four}}", wrong="{say: four}"))
    assert result.exit_code == 1
    assert told(result.results.certificates[0]) == ("POISON_PASSED", ["poison chatty: PASS: no check catches it"])


def test_what_is_reported_only_catches_nothing(certify: Certify) -> None:
    text = ASK.replace("value: three}", "value: three, gate: false}")
    certificate = only(certify, text + references(GOOD, wrong=f"{FIND}, {{say: four}}"))
    assert told(certificate) == ("POISON_PASSED", ["poison wrong: PASS: no check catches it"])


def test_a_poison_that_breaks_is_no_catch(certify: Certify) -> None:
    result = certify(ASK + references(GOOD, wrong="{say: four}", broken=f'{FIND}, {{say: "{{{{ result.rows[7].x }}}}"}}'))
    assert result.exit_code == 3
    (verdict, (reason,)) = told(result.results.certificates[0])
    assert verdict == "UNCERTIFIED"
    assert reason.startswith("poison broken: ERROR, which is no catch: inject_turns: scenarios.ask.references.poison.broken[0].do[1].say: ")


def test_a_poison_without_an_answer_is_told_with_the_place_of_its_script(certify: Certify) -> None:
    golden = f"golden: [{{do: [{GOOD}]}}]"
    certificate = only(certify, ASK + f'    references: {{{golden}, poison: {{mute: [{{when: "turn > 1", do: [{{say: x}}]}}]}}}}\n')
    assert told(certificate) == ("UNCERTIFIED", [
        "poison mute: ERROR, which is no catch: inject_turns: scenarios.ask.references.poison.mute: no rule answers the turn "
        "'How many are left?'; end the script with a rule without `when`",
    ])  # fmt: skip


def test_a_poison_that_met_no_experiment_is_no_catch(certify: Certify) -> None:
    text = "scenarios:\n  ask:\n    turns: [{user: Hello., when: \"vars.x is defined\"}]\n    expect: {outcome: [{type: mentions, value: a}]}\n"
    result = certify(text + references("{say: a}", wrong="{say: b}"))
    assert result.exit_code == 1
    assert told(result.results.certificates[0]) == ("GOLDEN_FAILED", [
        "golden: INVALID: no turn was sent: the `when` of each was false",
        "poison wrong: INVALID, which is no catch: no turn was sent: the `when` of each was false",
    ])  # fmt: skip


@pytest.mark.parametrize(("declared", "reason"), [
    ("", "no references, so nothing shows that its checks can hold and fail; add references: golden and poison"),
    (f"    references: {{golden: [{{do: [{GOOD}]}}]}}\n", "no poison, so nothing shows that its checks can fail; add references.poison"),
    ("    references: {poison: {mute: [{do: [{say: no}]}]}}\n",
     "no golden reference, so nothing shows that its checks can hold; add references.golden"),
])  # fmt: skip
def test_without_both_kinds_nothing_is_certified(certify: Certify, declared: str, reason: str) -> None:
    result = certify(ASK + declared)
    assert (result.exit_code, told(result.results.certificates[0])) == (3, ("UNCERTIFIED", [reason]))


def test_what_was_not_played_is_not_certified(tmp_path: Path) -> None:
    (tmp_path / "desk.yaml").write_text(HEAD + ASK + references(GOOD, wrong="{say: four}"))
    pack = load_pack(tmp_path / "desk.yaml")
    assert told(certificate_of(Subject(pack=pack, scenario=pack.scenarios["ask"]), {})) == ("UNCERTIFIED", [
        "golden: NOT_RUN: it was not played", "poison wrong: NOT_RUN, which is no catch: it was not played",
    ])  # fmt: skip


def test_poisons_that_the_same_checks_catch_are_warned_of(certify: Certify) -> None:
    certificate = only(certify, ASK + references(GOOD, four="{say: four}", five="{say: five}", guess="{say: three}"))
    assert certificate.verdict == "CERTIFIED"
    assert certificate.warnings == [
        'the same checks catch the poisons four, five: outcome: mentions "three"; trajectory: tool-used find; '
        "let each fail for another reason"
    ]


def test_what_a_scenario_forgives_its_agents_it_does_not_forgive_its_references(certify: Certify) -> None:
    mild = "    runs: 7\n    min_pass_rate: 0.1\n    known_failure: {reason: we know}\n    agents: [live]\n"
    result = certify(ASK + mild + references("{say: three}", wrong="{say: four}"))
    assert result.results.certificates[0].verdict == "GOLDEN_FAILED"
    assert result.sweep.record.planned_runs == 2


def test_a_skipped_scenario_is_told_and_decides_nothing(certify: Certify) -> None:
    result = certify(ASK + "    skip: not today\n" + references("{say: bad}", wrong=GOOD))
    assert (result.exit_code, told(result.results.certificates[0])) == (0, ("SKIPPED", ["skipped: not today"]))
    assert result.results.certificates[0].references == []


def test_each_case_is_certified_with_its_own_row(certify: Certify) -> None:
    text = (
        "scenarios:\n  ask:\n    cases: [{id: one, n: seven}, {id: two, n: eight}]\n    turns: [How many?]\n"
        '    expect: {outcome: [{type: mentions, value: "{{ case.n }}"}]}\n'
    )
    result = certify(text + references('{say: "{{ case.n }}"}', wrong="{say: seven}"), mutate=True)
    assert {one.scenario_id: told(one) for one in result.results.certificates} == {
        "ask-one": ("POISON_PASSED", ["poison wrong: PASS: no check catches it"]), "ask-two": ("CERTIFIED", []),
    }  # fmt: skip
    assert isinstance(result.results.checks, list)
    assert [(one.worth, one.needed_by) for one in result.results.checks] == [("needed", ["ask-two/wrong"])]


def test_all_cells_of_a_matrix_are_certified_as_one(certify: Certify) -> None:
    text = ASK.replace("    turns:", "    matrix: {temperature: [0, 0.7, 1]}\n    turns:")
    result = certify(text + references(GOOD, wrong="{say: three}", mute=f"{FIND}, {{say: .}}"), mutate=True)
    (certificate,) = result.results.certificates
    assert (certificate.scenario_id, told(certificate)) == ("ask", ("CERTIFIED", []))
    assert [one.trace for one in certificate.references if isinstance(one.trace, str)] == [
        f"desk/ask/{name}/{Path(str(one.trace)).name}"
        for name, one in zip(("golden", "poison-wrong", "poison-mute"), certificate.references, strict=True)
    ]
    assert isinstance(result.results.checks, list)
    assert [(one.worth, one.scenarios, one.needed_by) for one in result.results.checks] == [
        ("needed", ["ask"], ["ask/mute"]), ("needed", ["ask"], ["ask/wrong"]),
    ]  # fmt: skip


def test_a_cell_that_is_picked_stands_for_its_scenario(certify: Certify) -> None:
    text = ASK.replace("    turns:", "    matrix: {temperature: [0, 1]}\n    turns:") + references(GOOD, wrong="{say: three}")
    for glob in ("ask", "ask-temperature-1"):
        result = certify(text, scenarios=(glob,), mutate=True)
        assert [one.scenario_id for one in result.results.certificates] == ["ask"]
        assert isinstance(result.results.checks, list)
        assert len(result.results.checks) == 2


def test_where_a_reference_reads_the_cell_each_is_certified(certify: Certify) -> None:
    text = ASK.replace("    turns:", "    matrix: {temperature: [0, 1]}\n    turns:")
    warm = f"{FIND}, {{say: \"{{{{ 'three' if sampling.temperature else 'two' }}}}\"}}"
    result = certify(text + references(GOOD, warm=warm), mutate=True)
    assert {one.scenario_id: told(one)[0] for one in result.results.certificates} == {
        "ask-temperature-0": "CERTIFIED", "ask-temperature-1": "POISON_PASSED",
    }  # fmt: skip
    assert isinstance(result.results.checks, list)
    assert [(one.worth, one.needed_by) for one in result.results.checks] == [
        ("needed", ["ask-temperature-0/warm"]), ("unneeded", []),
    ]  # fmt: skip


def test_references_work_in_a_world_of_their_own(certify: Certify) -> None:
    text = "scenarios:\n  buy:\n    turns: [Order one.]\n    expect: {outcome: [{type: world, sql: SELECT count(*) FROM orders, equals: 1}]}\n"
    certificate = only(certify, text + references(ORDER, twice=f"{ORDER}, {ORDER}", never="{say: Done.}"))
    assert [one.verdict for one in certificate.references] == ["PASS", "FAIL", "FAIL"]


def test_the_evidence_stays_apart_from_every_run(certify: Certify) -> None:
    result = certify(ASK + references(GOOD, wrong="{say: four}"))
    assert list(load_runs("runs")) == []
    assert not Path("runs/ledger.ndjson").exists()
    apart = load_runs("runs/selftest.runs")
    assert sorted(run.trace.agent for run in apart) == ["golden", "poison-wrong"]
    for one in result.results.certificates[0].references:
        assert Path("runs/selftest.runs", str(one.trace)).is_file()


@pytest.mark.parametrize("name", built_in_packs())
def test_every_built_in_scenario_is_certified_and_every_check_needed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    results = run_selftest(name, mutate=True, env={}).results
    assert {f"{one.scenario_id}: {one.reasons}" for one in results.certificates if one.verdict != "CERTIFIED"} == set()
    assert {f"{one.scenario_id}: {one.warnings}" for one in results.certificates if one.warnings} == set()
    assert isinstance(results.checks, list)
    assert {f"{one.path} {one.check}" for one in results.checks if one.worth != "needed"} == set()


def test_the_pack_that_init_writes_is_certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_selftest(BUILT_IN / "templates/starter", mutate=True, env={})
    assert (result.exit_code, len(result.results.certificates)) == (0, 2)
