from __future__ import annotations

import pytest
from kit.desk import Desk

WORLD = "world: {tables: {clients: [{id: A, name: x}]}}\n"
TOOLS = """\
tools:
  look:
    effect: read
    input: {name: {type: string}, top: {type: integer, default: 3}}
    sql: SELECT * FROM clients WHERE name = :name
  send: {effect: external-send, input: {}, text: sent}
"""


def checks(*listed: str) -> str:
    head = "scenarios:\n  s:\n    turns: [x]\n    expect:\n      outcome:\n        - {type: is-json}\n"
    return head + "".join(f"        - {each}\n" for each in listed)


def told(desk: Desk, *parts: str) -> list[str]:
    """The faults without their place in the file."""
    return [fault.split(": ", 1)[1] for fault in desk.faults(WORLD, TOOLS, *parts)]


def test_a_tool_that_a_check_names_must_be_declared(desk: Desk) -> None:
    found = told(
        desk,
        checks(
            "{type: tool-used, value: loook}",
            "{type: tool-used, value: [look, sned]}",
            "{type: not-tool-used, value: {name: nothing}}",
            "{type: tool-used, value: {pattern: 'x.*'}}",
            "{type: tool-sequence, steps: [look, seek]}",
            "{type: tool-before, first: find, then: look}",
            "{type: tool-args-match, value: {name: lock, args: {}}}",
            "{type: tool-args-match, value: {name: look, args: {nam: x}}}",
        ),
    )
    at = "scenarios.s.expect.outcome"
    assert found == [
        f"{at}[1].value: there is no tool 'loook'; did you mean 'look'?",
        f"{at}[2].value[1]: there is no tool 'sned'; did you mean 'send'?",
        f"{at}[3].value.name: there is no tool 'nothing'; tools: look, send",
        f"{at}[4].value.pattern: no tool matches 'x.*'; tools: look, send",
        f"{at}[5].steps[1]: there is no tool 'seek'; tools: look, send",
        f"{at}[6].first: there is no tool 'find'; tools: look, send",
        f"{at}[7].value.name: there is no tool 'lock'; did you mean 'look'?",
        f"{at}[8].value.args.nam: tool 'look' has no argument 'nam'; did you mean 'name'?",
    ]


def test_sql_is_prepared_against_the_declared_tables(desk: Desk) -> None:
    found = told(
        desk,
        "scenarios:\n"
        "  s:\n"
        "    turns: [x]\n"
        "    world: {tables: {more: [{a: 1}]}}\n"
        "    expect:\n"
        "      outcome:\n"
        "        - {type: world, sql: SELECT a FROM more, equals: 1}\n"
        "        - {type: world, sql: SELECT b FROM more, equals: 1}\n"
        "        - {type: world, sql: SELECT * FROM client, equals: 1}\n"
        "        - {type: world, sql: 'SELECT :x', params: {y: 1}, equals: 1}\n"
        "        - {type: world, sql: DELETE FROM clients, equals: 1}\n"
        "        - {type: world, sql: \"SELECT datetime('now')\", equals: 1}\n",
    )
    at = "scenarios.s.expect.outcome"
    assert found == [
        f"{at}[1].sql: no such column: b; columns: a, id, name",
        f"{at}[2].sql: no such table: client; did you mean 'clients'?",
        f"{at}[3].sql: asks for :x, which it is not given; known: y",
        f"{at}[4].sql: writes clients, where it may only read; make it a SELECT",
        f"{at}[5].sql: asks for the time, and no clock is declared; give the world a `now:`",
    ]


def test_tools_are_prepared_with_their_arguments_as_parameters(desk: Desk) -> None:
    found = [
        fault.split(": ", 1)[1]
        for fault in desk.faults(
            WORLD,
            "tools:\n"
            "  one: {effect: read, input: {id: {type: string}}, sql: [SELECT :id, SELECT :idd]}\n"
            "  two:\n"
            "    effect: read\n"
            "    input: {}\n"
            "    results: [{when: call == 1, sql: SELECT * FROM nobody}, {text: '{{ now }}'}]\n"
            "  three: {effect: read, input: {}, results: [{text: a}, {text: b}]}\n"
            "  four: {effect: read, input: {}, text: '{{ reply }}{{ arg.x }}'}\n"
            "  five: {effect: read, input: {}, python: nothing}\n"
            "  six: {effect: read, input: {id: {type: string}}, text: '{{ args.idd }}{{ args.id }}{{ args | tojson }}'}\n"
            "  seven: {effect: read, input: {id: {type: string}}, sql: \"SELECT '{{ args.id }}'\"}\n"
            "  eight: {effect: read, input: {id: {type: strng}}, results: [{sql: 'SELECT :id'}]}\n",
        )
    ]
    assert found == [
        "tools.one.sql[1]: asks for :idd, which it is not given; did you mean 'id'?",
        "tools.two.results[0].sql: no such table: nobody; tables: clients",
        "tools.two.results[1].text: asks for `now`, and no clock is declared; give the world a `now:`",
        "tools.three.results[1]: this rule is never reached: the one above it always answers; "
        "give that one a `when`, or put it last",
        "tools.four.text: unknown name 'arg' in a tool's result; did you mean 'args'?",
        "tools.four.text: unknown name 'reply' in a tool's result; it sees: args, call, case, now, vars, world",
        "tools.five.python: 'nothing' is not a place in code; write module:attr or file://path.py:attr",
        "tools.six.text: args has no 'idd'; did you mean 'id'?",
        "tools.seven.sql: {{ args.id }} stands in SQL, which is never a template; write :name, without quotes around it",
        "tools.eight.input.id.type: 'strng' is not known here; did you mean 'string'?",
    ]


def test_templates_use_only_names_of_their_place(desk: Desk) -> None:
    found = told(
        desk,
        "vars: {client: B}\n",
        "guards: {g: {refuse_when: tols.name, reason: '{{ vars.client }}'}}\n",
        "scenarios:\n"
        "  s:\n"
        "    cases: [{id: a, n: 1}]\n"
        "    vars: {own: 1}\n"
        "    turns: ['{{ vars.clint }}', {user: '{{ case.n }}{{ vars.own }}', when: 'calls | lenght > 1'}]\n"
        "    world: {tables: {clients: [{id: '{{ case.m }}'}]}}\n"
        "    expect:\n"
        "      outcome:\n"
        "        - {type: contains, value: '{% if false %}{{ nothing }}{% endif %}'}\n"
        "        - {type: contains-any, value: [a, '{{ args.x }}']}\n"
        "        - {type: contains, value: a, of: 'turn[0].reply', when: 'case.n =='}\n"
        "        - {type: expr, that: verdict}\n"
        "        - type: world\n"
        "          sql: SELECT :x\n"
        "          params: {x: '{{ case.id2 }}'}\n"
        "          equals: '{{ world.clients }}{{ world.other }}'\n",
    )
    s = "scenarios.s"
    assert found == [
        "guards.g.refuse_when: unknown name 'tols' in a guard; did you mean 'tool'?",
        "guards.g.reason: unknown name 'vars' in a guard; did you mean 'args'?",
        f"{s}.turns[0]: vars has no 'clint'; did you mean 'client'?",
        f"{s}.turns[1].when: unknown filter 'lenght'; did you mean 'length'?",
        f"{s}.world.tables.clients[0].id: case has no 'm'; there are: id, n",
        f"{s}.expect.outcome[0].value: unknown name 'nothing' in a check's value; it sees: agent, calls, case, now, "
        "observed, reply, scenario, turns, vars, world",
        f"{s}.expect.outcome[1].value[1]: unknown name 'args' in a check's value; did you mean 'vars'?",
        f"{s}.expect.outcome[2].of: unknown name 'turn' in a check; did you mean 'turns'?",
        f"{s}.expect.outcome[2].when: it ends too early: something is missing after its last word; finish it",
        f"{s}.expect.outcome[3].that: unknown name 'verdict' in a check; it sees: agent, calls, case, now, "
        "observed, reply, scenario, turns, vars, world",
        f"{s}.expect.outcome[4].params.x: case has no 'id2'; did you mean 'id'?",
        f"{s}.expect.outcome[4].equals: world has no 'other'; there are: clients",
    ]


def test_what_scenarios_share_may_use_what_any_of_them_provides(desk: Desk) -> None:
    desk.load(
        "world: {tables: {t: [{a: x}]}}\n"
        "tools: {look: {effect: read, input: {}, text: '{{ case.n | default(0) }}{{ case.n }}{{ vars.v }}'}}\n",
        "scenarios:\n"
        "  a: {cases: [{id: a, n: 1}], turns: [x], expect: {outcome: [{type: is-json}]}}\n"
        "  b: {vars: {v: 1}, turns: [x], expect: {outcome: [{type: is-json}]}}\n",
    )


def test_a_default_check_is_held_against_the_names_of_each_scenario(desk: Desk) -> None:
    found = told(
        desk,
        "defaults: {turns: [x], expect: {outcome: [{type: contains, value: '{{ case.n }}'}]}}\n",
        "scenarios: {a: {cases: [{id: a, n: 1}]}, b: {}}\n",
    )
    assert found == ["defaults.expect.outcome[0].value: case has no 'n'; there is none"]


def test_numbers_and_patterns_that_could_never_hold_are_faults(desk: Desk) -> None:
    found = told(
        desk,
        checks(
            "{type: tool-used, value: {name: look, min: 3, max: 1}}",
            "{type: step-count, min: 3, max: 1}",
            "{type: any-of, min: 2, checks: [{type: contains, value: a}]}",
            "{type: regex, value: 'a(b'}",
            "{type: regex, value: '{{ vars | length }}('}",
        ),
    )
    at = "scenarios.s.expect.outcome"
    assert found == [
        f"{at}[1].value.min: min 3 is more than max 1; swap them, or mend one",
        f"{at}[2].min: min 3 is more than max 1; swap them, or mend one",
        f"{at}[3].min: 2 of 1 checks can never hold; lower min, or add checks",
        f"{at}[4].value: the pattern 'a(b' does not compile: missing ) at position 3; mend it",
    ]


def test_names_of_agents_guards_skeletons_and_debriefs_must_exist(desk: Desk) -> None:
    desk.write(
        "a.yaml", "kind: pack_part\nschema_version: 1\nagents: {h: {extends: careful, role: helper, guards: [g]}}\n"
    )
    found = told(
        desk,
        "include: [a.yaml]\n",
        "skeleton: standart\n",
        "hook_settings: {debrief: {template: shrt}}\n",
        "debriefs: {short: {ask: [{about: environment, question: Q}]}}\n",
    )
    assert found == [
        "agents.h.guards[0]: there is no guard 'g'; there is none",
        "skeleton: there is no skeleton 'standart'; did you mean 'standard'?",
        "hook_settings.debrief.template: there is no debrief 'shrt'; did you mean 'short'? A file is named as file://path.",
    ]


def test_the_default_agent_exists_and_is_no_helper(desk: Desk) -> None:
    desk.write("pack.yaml", desk.pack().read_text().replace("default_agent: careful", "default_agent: carefull"))
    assert desk.faults() == ["pack.yaml:4:16: default_agent: there is no agent 'carefull'; did you mean 'careful'?"]
    desk.write("pack.yaml", desk.pack().read_text().replace("{runtime: scripted", "{role: helper, runtime: scripted"))
    assert desk.faults() == [
        "pack.yaml:4:16: default_agent: 'careful' is a helper, which is never benched; "
        "name an agent under test, or remove its role"
    ]


def test_declared_hooks_name_points_that_exist_and_converse_where_the_session_lives(desk: Desk) -> None:
    found = told(
        desk,
        "hooks:\n"
        "  score: {on_run_scored: {steps: [{warn: x}]}}\n"
        "  notes:\n"
        "    description: Notes.\n"
        "    on_run_scord: {steps: [{warn: x}]}\n"
        "    on_run_end: {when: verdct, steps: [{converse: {prompt: Why?}}]}\n"
        "    on_run_scored:\n"
        "      steps:\n"
        "        - warn: '{{ answer }}'\n"
        "        - converse: {prompt: Why?, as: answer}\n"
        "        - emit: {said: ['{{ answer }}'], by: '{{ model }}'}\n",
    )
    assert found == [
        "hooks.score: a hook may not be named 'score'; these names are taken: score, pack, trace, ledger, sweep, hook",
        "hooks.notes.on_run_scord: there is no point 'on_run_scord'; did you mean 'on_run_scored'?",
        "hooks.notes.on_run_end.when: unknown name 'verdct' in a declared hook; did you mean 'verdict'?",
        "hooks.notes.on_run_end.steps[0]: 'converse' works at on_run_scored only, where the session is alive; "
        "move it to on_run_scored",
        "hooks.notes.on_run_scored.steps[0].warn: unknown name 'answer' in a declared hook; "
        "it sees: agent, calls, case, failed_layers, reasons, run_id, scenario, session_id, turns, vars, verdict",
        "hooks.notes.on_run_scored.steps[2].emit.by: unknown name 'model' in a declared hook; "
        "it sees: agent, answer, calls, case, failed_layers, reasons, run_id, scenario, session_id, turns, vars, "
        "verdict",
    ]


def test_a_hook_may_wait_at_a_point_of_the_skeleton_of_its_pack(desk: Desk) -> None:
    standard = desk.standard_skeleton().replace("- inject_turns", "- each_turn: [inject_turn, {point: on_turn}]")
    desk.write("mine.yaml", standard)
    hooks = "hooks: {notes: {on_turn: {steps: [{warn: x}]}}}\n"
    assert list(desk.load("skeleton: file://mine.yaml\n", hooks).hooks["notes"].points) == ["on_turn"]
    (fault,) = told(desk, hooks)
    assert fault.startswith("hooks.notes.on_turn: there is no point 'on_turn'; points: on_pack_end, ")


def test_faults_of_shape_and_of_meaning_are_told_together(desk: Desk) -> None:
    found = told(desk, checks("{type: contains, valu: x}", "{type: tool-used, value: loook}"))
    assert found == [
        "scenarios.s.expect.outcome[1].valu: unknown key 'valu'; did you mean 'value'?",
        "scenarios.s.expect.outcome[2].value: there is no tool 'loook'; did you mean 'look'?",
    ]


def test_a_tool_at_fault_in_shape_is_still_known_by_name(desk: Desk) -> None:
    found = [
        fault.split(": ", 1)[1]
        for fault in desk.faults(
            "tools: {look: {effect: raed, input: {}, text: x}}\nworld: {tables: {t: 5, u: [{a: 1}]}}\n",
            checks("{type: tool-used, value: look}", "{type: world, sql: SELECT a FROM t, equals: 1}"),
        )
    ]
    assert [each.split(":")[0] for each in found] == ["tools.look.effect", "world.tables.t"]


@pytest.mark.parametrize(
    "part", ["skeleton: file://gone.yaml\n", "hook_settings: {debrief: {template: file://gone.yaml}}\n"]
)
def test_a_document_that_is_named_and_not_there_is_told_once(desk: Desk, part: str) -> None:
    (fault,) = told(desk, part)
    assert fault.endswith(
        "gone.yaml cannot be read: there is no such file; mend the path; it is relative to this document"
    )
