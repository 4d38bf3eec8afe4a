"""Each cell of a matrix is a scenario of its own, with an id that a folder can have."""

from __future__ import annotations

import pytest
from kit.desk import Desk

SAYS = "    turns: [x]\n    expect: {outcome: [{type: is-json}]}\n"


def test_several_settings_are_multiplied_and_the_last_one_changes_first(desk: Desk) -> None:
    pack = desk.load(f"scenarios:\n  s:\n    matrix: {{temperature: [0, 0.7], top_p: [0.5, 1]}}\n{SAYS}")
    assert {name: dict(each.sampling) for name, each in pack.scenarios.items()} == {
        "s-temperature-0-top_p-0_5": {"temperature": 0, "top_p": 0.5},
        "s-temperature-0-top_p-1": {"temperature": 0, "top_p": 1},
        "s-temperature-0_7-top_p-0_5": {"temperature": 0.7, "top_p": 0.5},
        "s-temperature-0_7-top_p-1": {"temperature": 0.7, "top_p": 1},
    }
    assert list(pack.scenarios)[1] == "s-temperature-0-top_p-1"
    assert {(each.matrix_of, each.bare_id) for each in pack.scenarios.values()} == {("s", "s")}
    assert pack.bare_ids == ("s",)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("1.0", "1"), ("1", "1"), ("0.70", "0_7"), ("-1.5", "minus1_5"), ("-0.0", "0"), ("1e-7", "1e-7"), ("1e300", "1e300"),
        ("9007199254740993", "9007199254740993"), ("true", "true"), ("low", "low"), ("'0.7'", "0_7"), ("gpt-5.1", "gpt-5_1"),
        ("no", "no"), ("1:30", None),
    ],
)  # fmt: skip
def test_a_value_is_named_as_short_as_it_can_be(desk: Desk, value: str, name: str | None) -> None:
    text = f"scenarios:\n  s:\n    matrix: {{heat: [{value}]}}\n{SAYS}"
    if name is None:
        (fault,) = desk.faults(text)
        assert fault.endswith("cannot be part of a scenario's id; write letters, digits, '.', '_' and '-'")
    else:
        assert list(desk.load(text).scenarios) == [f"s-heat-{name}"]


def test_a_value_keeps_its_type_and_its_digits(desk: Desk) -> None:
    pack = desk.load(f"scenarios:\n  s:\n    matrix: {{a: [1.0], b: [1], c: ['1'], d: [true], e: [9007199254740993]}}\n{SAYS}")
    (scenario,) = pack.scenarios.values()
    assert [(key, type(value), value) for key, value in scenario.sampling.items()] == [
        ("a", float, 1.0), ("b", int, 1), ("c", str, "1"), ("d", bool, True), ("e", int, 9007199254740993),
    ]  # fmt: skip


def test_each_case_has_every_cell(desk: Desk) -> None:
    pack = desk.load(
        "scenarios:\n  s:\n    cases: [{id: de}, {id: fr}]\n    matrix: {heat: [0, 1]}\n    turns: ['{{ case.id }}']\n"
        "    expect: {outcome: [{type: is-json}]}\n"
    )
    assert [(name, each.matrix_of, each.case["id"]) for name, each in pack.scenarios.items()] == [
        ("s-de-heat-0", "s-de", "de"), ("s-de-heat-1", "s-de", "de"),
        ("s-fr-heat-0", "s-fr", "fr"), ("s-fr-heat-1", "s-fr", "fr"),
    ]  # fmt: skip
    assert pack.bare_ids == ("s-de", "s-fr")


def test_a_matrix_of_the_defaults_holds_for_all_and_is_replaced_as_a_whole(desk: Desk) -> None:
    pack = desk.load("defaults: {matrix: {heat: [0, 1]}}\n", f"scenarios:\n  s:\n{SAYS}  t:\n    matrix: {{top_k: [5]}}\n{SAYS}")
    assert list(pack.scenarios) == ["s-heat-0", "s-heat-1", "t-top_k-5"]


def test_all_cells_share_what_their_scenario_is_made_of(desk: Desk) -> None:
    pack = desk.load(f"scenarios:\n  s:\n    tags: [a]\n    runs: 4\n    matrix: {{heat: [0, 1]}}\n{SAYS}")
    cold, warm = pack.scenarios.values()
    assert (cold.runs, cold.tags) == (warm.runs, warm.tags) == (4, ("a",))
    assert cold.expect is warm.expect
    assert cold.world is warm.world


def test_a_scenario_without_a_matrix_is_no_cell(desk: Desk) -> None:
    (scenario,) = desk.load().scenarios.values()
    assert (scenario.matrix_of, dict(scenario.sampling), scenario.bare_id) == ("", {}, scenario.id)


def test_sixty_four_cells_are_the_most(desk: Desk) -> None:
    values = ", ".join(map(str, range(64)))
    assert len(desk.load(f"scenarios:\n  s:\n    matrix: {{seed: [{values}]}}\n{SAYS}").scenarios) == 64
    assert desk.faults(f"scenarios:\n  s:\n    matrix: {{seed: [{values}, 64]}}\n{SAYS}") == [
        "pack.yaml:9:13: scenarios.s.matrix: the matrix has 65 cells; at most 64 are run: take values out"
    ]


def test_an_id_of_96_characters_is_the_longest(desk: Desk) -> None:
    def text(letters: int) -> str:
        return f"scenarios:\n  {'s' * letters}:\n    matrix: {{heat: [1]}}\n{SAYS}"

    (name,) = desk.load(text(64)).scenarios
    assert name == f"{'s' * 64}-heat-1"
    long = f"scenarios:\n  {'s' * 64}:\n    matrix: {{a_setting_with_quite_a_name: [12345]}}\n{SAYS}"
    assert desk.faults(long) == [
        f"pack.yaml:9:13: scenarios.{'s' * 64}.matrix: the cell '{'s' * 64}-a_setting_with_quite_a_name-12345' has 98 characters; "
        "a scenario's id has at most 96: shorten it, or take a setting out"
    ]


def test_a_script_that_reads_a_setting_of_a_matrix_that_does_not_hold_is_not_at_fault_too(desk: Desk) -> None:
    desk.write(
        "pack.yaml",
        "kind: pack\nschema_version: 1\nname: desk\n"
        "agents: {a: {runtime: scripted, script: [{do: [{say: '{{ sampling.heat }}'}]}]}}\n"
        f"scenarios:\n  s:\n    matrix: {{heat: [0, 0]}}\n{SAYS}",
    )
    assert [fault.partition(": ")[2] for fault in desk.faults()] == [
        "scenarios.s.matrix.heat[1]: 0 stands twice in the list; keep one of them"
    ]
