"""A document without the shape of its kind is told so: at its place, in the words of who writes it, all at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from windtunnel.schemas.marks import Document
from windtunnel.schemas.problems import Problems, Source
from windtunnel.schemas.reader import read_text_document
from windtunnel.schemas.shape import check_shape

Check = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a", "pack.yaml:1:1: a list where a mapping is meant; write a mapping"),
        ("text", "pack.yaml:1:1: 'text' is text where a mapping is meant; write a mapping"),
        ("name: x", "pack.yaml:1:1: the key 'kind' is missing; add it: pack, pack_part, skeleton, debrief"),
        ("kind: packs", "pack.yaml:1:7: kind: unknown kind 'packs'; did you mean 'pack'?"),
        ("kind: 3", "pack.yaml:1:7: kind: unknown kind 3; known: debrief, pack, pack_part, skeleton"),
        ("kind: [pack]", "pack.yaml:1:7: kind: unknown kind a list; known: debrief, pack, pack_part, skeleton"),
        ("kind: pack_part\nschema_version: 2",
         "pack.yaml:2:17: schema_version: version 2 is newer than this Wind Tunnel knows; update Wind Tunnel, or write 1"),
        ("kind: pack_part\nschema_version: 0", "pack.yaml:2:17: schema_version: 0 is not known here; write 1"),
        ("kind: pack_part\nschema_version: '1'",
         "pack.yaml:2:17: schema_version: '1' is text where a whole number is meant; "
         "write a whole number, without quotes and without a unit"),
        ("kind: pack_part", "pack.yaml:1:1: the key 'schema_version' is missing; add it"),
    ],
)  # fmt: skip
def test_a_document_says_its_kind_and_version(shape: Check, text: str, told: str) -> None:
    assert shape(text) == [told]


def test_a_pack_needs_five_keys(shape: Check) -> None:
    assert shape("kind: pack\nschema_version: 1\n") == [
        "pack.yaml:1:1: the key 'agents' is missing; add it",
        "pack.yaml:1:1: the key 'name' is missing; add it",
        "pack.yaml:1:1: the key 'scenarios' is missing; add it",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("skelton: standard", "8:1: skelton: unknown key 'skelton'; did you mean 'skeleton'?"),
        ("guards: {g: {refuse-when: x, reason: y}}",
         "8:14: guards.g.refuse-when: unknown key 'refuse-when'; did you mean 'refuse_when'?"),
        ("guards: {g: {refuse_when: x, reason: y, zzz: 1}}",
         "8:41: guards.g.zzz: unknown key 'zzz'; known here: description, reason, refuse_when"),
        ("guards: {g: {reason: say a, b c}}",
         "8:29: guards.g.b c: unknown key 'b c'; a comma ends a value inside { }: put the whole text in quotes"),
        ("guards: {g: {refuse_when: x, reason: a, b}}",
         "8:41: guards.g.b: unknown key 'b'; known here: description, reason, refuse_when; "
         "or put the whole text in quotes, if a comma in it stands before this"),
        ("guards: {g: {reason: y}}", "8:13: guards.g: the key 'refuse_when' is missing; add it"),
        ("guards: {g: {}}", "8:13: guards.g: the key 'reason' is missing; add it"),
    ],
)  # fmt: skip
def test_a_key_that_is_unknown_or_missing_is_named(in_pack: Check, text: str, told: str) -> None:
    assert f"pack.yaml:{told}" in in_pack(text)


def test_free_keys_are_free_at_every_level(in_pack: Check) -> None:
    assert in_pack("x-a: [1]\nmeta: {a: 1}\nguards: {g: {refuse_when: x, reason: y, meta: 3, x-b: {}}}") == []


def test_a_free_key_does_not_stand_for_a_missing_one(in_pack: Check) -> None:
    assert in_pack("tools: {t: {effect: read, text: {x-a: 1}}}") == [
        "pack.yaml:8:33: tools.t.text: the key 'template' is missing; add it"
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("owner: 12", "8:8: owner: 12 is a number where text is meant; put it in quotes"),
        ("owner: true", "8:8: owner: true is a truth value where text is meant; put it in quotes"),
        ("owner:", "8:7: owner: nothing stands here where text is meant; write text, or leave the key out"),
        ("owner: [a]", "8:8: owner: a list where text is meant; write text"),
        ("owner: ''", "8:8: owner: the text is empty; write it, or leave the key out"),
        ("tags: smoke", "8:7: tags: 'smoke' is text where a list is meant; write a list: [smoke]"),
        ("tags: [smoke, smoke]", "8:15: tags[1]: 'smoke' stands twice in the list; keep one of them"),
        ("default_agent: a b", "8:16: default_agent: 'a b' is not a name; "
                               "write letters, digits, '_' and '-', and begin with a letter, digit or '_'"),
        ("default_agent: \"a\\n\"", "8:16: default_agent: \"a\\n\" is not a name; "
                                    "write letters, digits, '_' and '-', and begin with a letter, digit or '_'"),
        ("defaults: {runs: 0}", "8:18: defaults.runs: 0 is out of range; write a number that is at least 1"),
        ("defaults: {runs: 1.0}", "8:18: defaults.runs: 1.0 is a number where a whole number is meant; "
                                  "write a whole number, without quotes and without a unit"),
        ("defaults: {turn_timeout_s: 30s}", "8:28: defaults.turn_timeout_s: '30s' is text where a number is meant; "
                                            "write a number, without quotes and without a unit"),
        ("defaults: {min_pass_rate: 0}", "8:27: defaults.min_pass_rate: 0 is out of range; write a number that is more than 0"),
        ("defaults: {min_pass_rate: 1.5}", "8:27: defaults.min_pass_rate: 1.5 is out of range; write a number that is at most 1"),
        ("defaults: {failure_cost: {severity: hihg}}", "8:37: defaults.failure_cost.severity: 'hihg' is not known here; did you mean 'high'?"),
        ("defaults: {failure_cost: {severity: low, reversible: 'yes'}}",
         "8:54: defaults.failure_cost.reversible: 'yes' is text where true or false is meant; write true or false, without quotes"),
        ("defaults: {expect: {}}", "8:20: defaults.expect: outcome, trajectory or constraint is missing; add at least one of them"),
        ("defaults: {expect: {outcome: []}}", "8:30: defaults.expect.outcome: the list is empty; give it at least one entry"),
        ("defaults: {known_failure: {reason: x, until: 2026-02-30}}",
         "8:46: defaults.known_failure.until: '2026-02-30' is not a day; write it as 2026-03-02"),
        ("world: {now: 2026-03-02}", "8:14: world.now: '2026-03-02' is not an instant; "
                                     "write it as 2026-03-02T09:00:00+01:00, with its offset"),
        ("world: {tables: {a-b: [{c: 1}]}}", "8:18: world.tables.a-b: 'a-b' is not an identifier; "
                                             "write letters, digits and '_', and begin with a letter"),
        ("world: {tables: {t: {}}}", "8:21: world.tables.t: rows or columns is missing; add at least one of them"),
        ("world: {tables: {t: 5}}", "8:21: world.tables.t: 5 is a number where text is meant; put it in quotes"),
        ("world: {tables: {t: rows.csv}}", "8:21: world.tables.t: 'rows.csv' is not a file; write file://path, relative to this document"),
        ("tools: {t: {effect: read}}", "8:12: tools.t: sql, text, error, results, python or reported is missing; add at least one of them"),
        ("tools: {t: {effect: read, text: a, expect_rows: 1}}",
         "8:49: tools.t.expect_rows: 'expect_rows' means nothing without 'sql'; add 'sql', or leave 'expect_rows' out"),
        ("tools: {t: {effect: read, text: a, error: b}}", "8:33: tools.t.text: 'text' cannot stand beside 'error'; keep one of them"),
        ("tools: {t: {effect: read, results: [{text: a}], sql: b}}",
         "8:49: tools.t.sql: unknown key 'sql'; known here: description, effect, input, results"),
        ("tools: {t: {effect: read, python: here}}",
         "8:35: tools.t.python: 'here' is not a place in code; write module:attr or file://path.py:attr"),
        ("tools: {t: {effect: read, text: a, input: {q: {type: strin}}}}",
         "8:54: tools.t.input.q.type: 'strin' is not known here; did you mean 'string'?"),
        ("tools: {t: {effect: read, text: a, input: {q: {minimun: 1}}}}",
         "8:48: tools.t.input.q.minimun: unknown key 'minimun'; did you mean 'minimum'?"),
        ("tools: {t: {effect: read, text: a, input: {q: {pattern: '('}}}}",
         "8:57: tools.t.input.q.pattern: '(' is not a regular expression; "
         "mend it, or write a backslash before signs that stand for themselves"),
        ("tools: {t: {effect: read, text: a, input: {q: {$ref: 'https://x.example/s.json'}}}}",
         "8:54: tools.t.input.q.$ref: 'https://x.example/s.json' leads out of this schema; refer to a part of it, as #/$defs/name"),
        ("tools: {t: {effect: read, text: a, input: {q: {$ref: '#/properties/z'}}}}",
         "8:43: tools.t.input: $ref '#/properties/z' leads nowhere in this schema; name a part of it, as #/$defs/name"),
        ("tools: {t: {effect: read, text: a, input: {q: {$ref: '#/properties/q'}}}}",
         "8:43: tools.t.input: $ref '#/properties/q' leads nowhere in this schema; name a part of it, as #/$defs/name"),
        ("hooks: {h: {on_run_end: {steps: [{warn: a, emit: b}]}}}",
         "8:34: hooks.h.on_run_end.steps[0]: 'emit' and 'warn' cannot stand together; keep one of them"),
        ("hooks: {h: {on_run_end: {steps: [{}]}}}",
         "8:34: hooks.h.on_run_end.steps[0]: converse, emit or warn is missing; add one of them"),
        ("hooks: {H: {on_run_end: {steps: [{warn: a}]}}}",
         "8:9: hooks.H: 'H' is not a hook name; write lower-case letters, digits, '_' and '-'"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_told_with_a_remedy(in_pack: Check, text: str, told: str) -> None:
    assert in_pack(text) == [f"pack.yaml:{told}"]


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ("{type: mentions, value: 20}", "8:53: outcome[0].value: 20 is a number where text is meant; put it in quotes"),
        ("{type: mentions}", "8:29: outcome[0]: the key 'value' is missing; add it"),
        ("{type: mentions, valu: x}", "8:46: outcome[0].valu: unknown key 'valu'; did you mean 'value'?"),
        ("{type: mention, value: x}", "8:36: outcome[0].type: unknown type 'mention'; did you mean 'mentions'?"),
        ("{type: not-mention, value: x}", "8:36: outcome[0].type: unknown type 'not-mention'; did you mean 'not-mentions'?"),
        ("{type: 1}", "8:36: outcome[0].type: 1 is a number where text is meant; put it in quotes"),
        ("mentions", "8:29: outcome[0]: 'mentions' is text where a mapping is meant; write a mapping"),
        ("{type: tool-used, value: {min: 1}}", "8:54: outcome[0].value: name or pattern is missing; add one of them"),
        ("{type: tool-used, value: {name: a, pattern: b}}", "8:54: outcome[0].value: 'name' and 'pattern' cannot stand together; keep one of them"),
        ("{type: mentions-any, value: a}", "8:57: outcome[0].value: 'a' is text where a list is meant; write a list, or a template that gives one"),
        ("{type: number, value: many}",
         "8:51: outcome[0].value: 'many' is text where a number is meant; write a number without quotes, or a template that gives one"),
        ("{type: step-count}", "8:29: outcome[0]: min or max is missing; add at least one of them"),
        ("{type: tool-used, value: a, of: reply}", "8:57: outcome[0].of: unknown key 'of'; known here: gate, name, status, type, value, when"),
        ("{type: any-of, checks: [{type: any-of, checks: []}]}", "8:76: outcome[0].checks[0].checks: the list is empty; give it at least one entry"),
        ("{type: latency, max_s: 0}", "8:52: outcome[0].max_s: 0 is out of range; write a number that is more than 0"),
        ("{type: python, value: 'm:f', timeout_s: 61}", "8:69: outcome[0].timeout_s: 61 is out of range; write a number that is at most 60"),
    ],
)  # fmt: skip
def test_of_the_checks_only_the_one_that_was_meant_is_asked(in_pack: Check, check: str, told: str) -> None:
    place, rest = told.split(": ", 1)
    assert in_pack(f"defaults: {{expect: {{outcome: [{check}]}}}}") == [
        f"pack.yaml:{_right(place)}: defaults.expect.{rest}"
    ]


def _right(place: str) -> str:
    """The place moved by what ``defaults: {expect: {outcome: [`` is longer than the table assumes."""
    line, column = place.split(":")
    return f"{line}:{int(column) + 2}"


AGENTS = "kind: pack_part\nschema_version: 1\nagents:\n"


@pytest.mark.parametrize(
    ("agents", "told"),
    [
        ("  a: {runtime: scripted}", ["4:6: agents.a: the key 'script' is missing; add it"]),
        ("  a: {runtime: scripted, model: x, script: [{do: [{say: y}]}]}",
         ["4:26: agents.a.model: unknown key 'model'; known here: debrief, description, extends, gate, guards, role, runtime, script"]),
        ("  a: {runtime: openai, model: x}", ["4:6: agents.a: the key 'base_url' is missing; add it"]),
        ("  a: {description: x}", ["4:6: agents.a: the key 'runtime' is missing; add it: openai, scripted"]),
        ("  a: {runtim: openai, base_url: x}", ["4:7: agents.a.runtim: unknown key 'runtim'; did you mean 'runtime'?"]),
        ("  a: {runtime: scripted, script: [{do: [{sy: x}]}]}",
         ["4:42: agents.a.script[0].do[0].sy: unknown key 'sy'; did you mean 'say'?"]),
        ("  a: {runtime: scripted, script: [{do: [{say: x, wait_s: 1}]}]}",
         ["4:41: agents.a.script[0].do[0]: 'wait_s' and 'say' cannot stand together; keep one of them"]),
        ("  a: {runtime: installed_elsewhere, command: [x], any_key: 1}", []),
        ("  a: {runtime: openai, base_url: x, model: y}\n  b: {extends: a, sampling: 3}\n  c: {extends: b, scrip: 1}",
         ["5:29: agents.b.sampling: 3 is a number where a mapping is meant; write a mapping",
          "6:19: agents.c.scrip: unknown key 'scrip'; known here: api_key, base_url, description, extends, gate, guards, "
          "headers, max_steps, model, retries, role, runtime, sampling, stream, system_prompt, timeout_s"]),
        ("  a: {extends: somewhere_else, any_key: 1}", []),
        ("  a: {extends: b}\n  b: {extends: a}", []),
        ("  a: {extends: x, runtime: openai, model: y}", []),
    ],
)  # fmt: skip
def test_an_agent_has_the_keys_of_its_runtime(shape: Check, agents: str, told: list[str]) -> None:
    assert shape(AGENTS + agents) == [f"pack.yaml:{each}" for each in told]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("{point: on_turn, each_run: [score]}", "5:10: batch[0]: a step holds exactly one key; leave the others out"),
        ("{}", "5:10: batch[0]: a step holds exactly one key; give it at least one entry"),
        ("{wait: 3}", "5:17: batch[0].wait: 3 is a number where a mapping is meant; write a mapping"),
        ("{point: On-Turn}", "5:18: batch[0].point: 'On-Turn' is not a point; write lower-case letters, digits and '_', as in on_turn"),
        ("3", "5:10: batch[0]: 3 is a number where text is meant; put it in quotes"),
        ("{each_run: []}", "5:21: batch[0].each_run: the list is empty; give it at least one entry"),
    ],
)  # fmt: skip
def test_a_step_is_a_stage_a_point_or_a_loop(shape: Check, step: str, told: str) -> None:
    text = f"kind: skeleton\nschema_version: 1\nname: s\nsweep: [each_batch]\nbatch: [ {step}]\n"
    assert shape(text) == [f"pack.yaml:{told}"]


def test_all_faults_are_told_at_once_in_the_order_of_their_places(shape: Check) -> None:
    text = "kind: pack\nschema_version: 1\nname: a b\nagnts: {}\nscenarios: {s: {turns: [1, {usr: x}], runs: -1}}\n"
    assert shape(text) == [
        "pack.yaml:3:7: name: 'a b' is not a name; write letters, digits, '_' and '-', and begin with a letter, digit or '_'",
        "pack.yaml:4:1: agnts: unknown key 'agnts'; did you mean 'agents'?",
        "pack.yaml:5:25: scenarios.s.turns[0]: 1 is a number where text is meant; put it in quotes",
        "pack.yaml:5:29: scenarios.s.turns[1].usr: unknown key 'usr'; did you mean 'user'?",
        "pack.yaml:5:45: scenarios.s.runs: -1 is out of range; write a number that is at least 1",
    ]


def test_what_the_reader_has_told_is_not_told_again(in_pack: Check) -> None:
    assert in_pack("defaults: {runs: .inf}") == [
        "pack.yaml:8:18: defaults.runs: .inf is not a finite number; write a number, or put it in quotes if it is text"
    ]


def _document(text: str) -> Document:
    found = read_text_document(text.encode(), Source(Path("/p.yaml"), "p.yaml"), Problems())
    assert found is not None
    return found


def test_a_part_is_not_asked_for_what_the_whole_needs() -> None:
    problems = Problems()
    document = _document("kind: pack\nschema_version: 1\n")
    assert check_shape(document, "pack", problems, partial=True)
    assert not check_shape(document, "pack", problems)
    assert len(problems) == 3


def test_the_parts_that_hold_a_fault_are_known() -> None:
    document = _document(
        "kind: pack_part\nschema_version: 1\nguards: {g: {refuse_when: 1, reason: x}, h: {refuse_when: x, reason: y}}\n"
    )
    assert not check_shape(document, "pack_part", Problems())
    assert document.unsound == {("guards", "g", "refuse_when")}


def test_no_key_of_a_document_reaches_a_terminal_raw(shape: Check) -> None:
    assert shape('kind: pack_part\nschema_version: 1\n"\\e[31mred": 1\n') == [
        'pack.yaml:3:1: "\\u001b[31mred": unknown key "\\u001b[31mred"; known here: agents, checks, debriefs, default_agent, '
        "defaults, description, guards, hook_settings, hooks, include, kind, owner, scenarios, schema_version, seed, skeleton, "
        "state_probe, tags, tools, vars and 1 more"
    ]
