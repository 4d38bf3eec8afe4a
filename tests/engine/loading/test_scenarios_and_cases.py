from __future__ import annotations

from kit.desk import Desk
from windtunnel.schemas.scenario_documents import FailureCost, KnownFailure


def test_defaults_lie_under_every_scenario_and_their_checks_are_appended(desk: Desk) -> None:
    pack = desk.load(
        "defaults:\n"
        "  runs: 3\n"
        "  tags: [all]\n"
        "  turn_timeout_s: 5\n"
        "  failure_cost: {severity: high}\n"
        "  expect: {outcome: [{type: contains, value: default}], constraint: [{type: contains, value: c}]}\n",
        "scenarios:\n"
        "  plain: {turns: [x]}\n"
        "  own:\n"
        "    turns: [x]\n"
        "    runs: 1\n"
        "    tags: []\n"
        "    failure_cost: {severity: low, customer_visible: true, reversible: false}\n"
        "    known_failure: {reason: broken, until: 2099-12-31}\n"
        "    expect: {outcome: [{type: contains, value: own}]}\n",
    )
    plain, own = pack.scenarios["plain"], pack.scenarios["own"]
    assert (plain.runs, plain.tags, plain.turn_timeout_s, plain.run_timeout_s) == (3, ("all",), 5, 300)
    assert plain.failure_cost == FailureCost(severity="high")
    assert (own.runs, own.tags) == (1, ())
    assert own.failure_cost == FailureCost(severity="low", customer_visible=True, reversible=False)
    assert own.known_failure == KnownFailure(reason="broken", until="2099-12-31")
    assert [check.args["value"] for check in own.expect["outcome"]] == ["own", "default"]
    assert list(own.expect) == ["outcome", "constraint"]


def test_variables_of_a_scenario_lie_over_those_of_the_pack(desk: Desk) -> None:
    pack = desk.load(
        "vars: {a: 1, b: 1}\n",
        "scenarios: {s: {vars: {b: 2}, turns: ['{{ vars.a }}{{ vars.b }}'], expect: {outcome: [{type: is-json}]}}}\n",
    )
    assert pack.scenarios["s"].vars == {"a": 1, "b": 2}


def test_each_row_of_a_csv_is_a_scenario_and_its_cells_are_text(desk: Desk) -> None:
    desk.write("q.csv", "id,question,n\nq01,How high?,1\nq02,,2\n")
    pack = desk.load(
        "scenarios:\n"
        "  qa:\n"
        "    cases: file://q.csv\n"
        "    turns: ['{{ case.question }}']\n"
        "    expect: {outcome: [{type: contains, value: '{{ case.n }}'}]}\n"
    )
    assert {name: dict(each.case) for name, each in pack.scenarios.items()} == {
        "qa-q01": {"id": "q01", "question": "How high?", "n": "1"},
        "qa-q02": {"id": "q02", "question": "", "n": "2"},
    }
    assert pack.scenarios["qa-q01"].expect is pack.scenarios["qa-q02"].expect
    assert str(pack.scenarios["qa-q02"].mark) == "q.csv:3:1"


def test_cases_may_stand_inline_or_in_jsonl_with_their_types(desk: Desk) -> None:
    desk.write("c.jsonl", '{"id": 1, "facts": ["a"]}\n')
    pack = desk.load(
        "scenarios:\n"
        "  a: {cases: file://c.jsonl, turns: [x], expect: {outcome: [{type: equals, value: '{{ case.facts }}'}]}}\n"
        "  b: {cases: [{id: one, n: 2}], turns: [x], expect: {outcome: [{type: number, value: '{{ case.n }}'}]}}\n"
    )
    assert pack.scenarios["a-1"].case == {"id": 1, "facts": ["a"]}
    assert pack.scenarios["b-one"].case == {"id": "one", "n": 2}


def test_cases_without_an_id_of_their_own_are_faults(desk: Desk) -> None:
    desk.write("c.csv", "id,x\na,1\nA,2\n,3\nb c,4\n")
    desk.write("d.csv", "ident\nx\n")
    desk.write("e.csv", "id\n")
    found = desk.faults(
        "defaults: {turns: [x], expect: {outcome: [{type: contains, value: x}]}}\n",
        "scenarios:\n  c: {cases: file://c.csv}\n  d: {cases: file://d.csv}\n  e: {cases: file://e.csv}\n",
    )
    assert found == [
        "c.csv:3:1: the id 'A' is taken at c.csv:2:1; give each case an id of its own",
        "c.csv:4:1: the case has no id; give it a column 'id': its scenario is then c-<id>",
        "c.csv:5:1: the id 'b c' is no slug; use letters, digits, '-' and '_' only",
        "d.csv:2:1: the case has no id; give it a column 'id': its scenario is then d-<id>",
        "pack.yaml:11:14: scenarios.e.cases: there are no cases; give at least one row, or leave `cases` out",
    ]


def test_names_that_would_share_a_folder_are_faults(desk: Desk) -> None:
    found = desk.faults(
        "defaults: {turns: [x], expect: {outcome: [{type: contains, value: x}]}}\n",
        "scenarios:\n  a-1: {}\n  A: {cases: [{id: 1}]}\n",
    )
    assert found == [
        "pack.yaml:10:3: scenarios.A: scenario 'A-1' and scenario 'a-1' would share a folder; "
        "rename this one or the one at pack.yaml:9:8"
    ]


def test_a_scenario_needs_turns_a_check_and_an_agent(desk: Desk) -> None:
    found = desk.faults(
        "scenarios:\n  a: {turns: [x]}\n  b: {expect: {outcome: [{type: is-json}]}, agents: [nobody]}\n"
    )
    assert found == [
        "pack.yaml:8:3: scenarios.a: the scenario has no check, so it could never fail; add expect: {outcome: [...]}",
        "pack.yaml:9:3: scenarios.b: the scenario has no turns; add turns: [what the user says]",
        "pack.yaml:9:54: scenarios.b.agents[0]: no agent matches 'nobody'; agents: careful",
    ]


def test_a_misspelt_key_is_not_told_as_a_missing_one_too(desk: Desk) -> None:
    found = desk.faults(
        "scenarios:\n"
        "  a: {trns: [x], expect: {outcome: [{type: is-json}]}}\n"
        "  b: {turns: [x], expects: {outcome: [{type: is-json}]}}\n"
        "  c: {turns: [x], x-expect: 1}\n"
    )
    assert found == [
        "pack.yaml:8:7: scenarios.a.trns: unknown key 'trns'; did you mean 'turns'?",
        "pack.yaml:9:19: scenarios.b.expects: unknown key 'expects'; did you mean 'expect'?",
        "pack.yaml:10:3: scenarios.c: the scenario has no check, so it could never fail; add expect: {outcome: [...]}",
    ]


def test_ids_and_names_may_look_like_free_keys(desk: Desk) -> None:
    desk.write(
        "p.yaml",
        "kind: pack_part\nschema_version: 1\nvars: {meta: 1}\nmeta: {x: 1}\nworld: {meta: 1, tables: {meta: [{meta: 1}]}}\n",
    )
    pack = desk.load(
        "include: [p.yaml]\nvars: {x-1: 2}\nmeta: {y: 2}\nworld: {meta: 2, tables: {}}\n"
        "tools: {meta: {effect: read, input: {meta: {type: string}}, text: '{{ args.meta }}{{ vars.meta }}'}}\n",
        "scenarios:\n  x-1: {meta: 1, x-note: a, turns: [x], expect: {outcome: [{type: contains, value: a, x-n: 1}]}}\n",
    )
    assert pack.vars == {"x-1": 2, "meta": 1}
    assert pack.world.tables["meta"].rows == ({"meta": 1},)
    assert list(pack.tools["meta"].input_schema["properties"]) == ["meta"]
    assert pack.scenarios["x-1"].expect["outcome"][0].args == {"value": "a"}
