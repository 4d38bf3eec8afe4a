"""Templates and conditions: what users write gives what they expect, over plain data where absent facts are absent."""

from __future__ import annotations

from typing import Any

import pytest
from windtunnel.schemas.documents import Inert
from windtunnel.schemas.errors import AbsentFault, TemplateFault
from windtunnel.schemas.templates import evaluate, holds, render_text, render_value

CALLS: list[dict[str, Any]] = [
    {
        "n": 1,
        "name": "ask",
        "effect": "read",
        "args": {"id": "A"},
        "status": "ok",
        "text": "approved",
        "rows": [{"id": "HB-1"}],
    },
    {"n": 2, "name": "wish", "args": {}, "status": "error", "error": "no tool 'wish'"},
    {"n": 3, "name": "send", "effect": "destructive", "args": "{bad", "status": "refused", "error": "ask first"},
    {"n": 4, "name": "look", "effect": "read", "args": {"id": "B"}, "status": "ok", "rows": [{"id": "HB-2"}]},
]
NAMES: dict[str, Any] = {
    "calls": CALLS,
    "turns": [{"n": 1, "user": "u", "reply": "See HB-1 and HB-9.", "calls": CALLS}],
    "reply": "See HB-1 and HB-9.",
    "args": {"id": "A", "cents": 4990, "items": 3},
    "vars": {"client": "Bluewing", "list": [1, 2]},
    "case": {"facts": "a;b", "payload": Inert("{{ vars.client }}")},
    "result": {},
    "reasons": {"outcome": "not there", "trajectory": ""},
    "world": {"orders": [{"id": "ORD-1", "paid": 5000}, {"id": "ORD-2", "paid": 100}]},
}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("calls | selectattr('args.id', 'eq', args.id) | map(attribute='n')", [1]),
        ("calls | rejectattr('effect', 'eq', 'read') | map(attribute='n')", [2, 3]),
        ("calls | selectattr('effect', 'ne', 'read') | map(attribute='n') | list", [3]),
        ("calls | selectattr('rows', 'undefined') | map(attribute='n') | list", [2, 3]),
        ("calls | selectattr('error') | list | length", 2),
        ("calls | rejectattr('error') | list | length", 2),
        (
            "calls | selectattr('rows', 'defined') | map(attribute='rows') | sum(start=[]) | map(attribute='id')",
            ["HB-1", "HB-2"],
        ),
        ("reply | find_all('HB-[0-9]+') | reject('in', ['HB-1'])", ["HB-9"]),
        ("'approved' in calls | map(attribute='text')", True),
        ("calls | map(attribute='text', default='-') | join(' ')", "approved - - -"),
        ("calls | map(attribute='text') | select('defined') | list", ["approved"]),
        ("world.orders | selectattr('id', 'eq', 'ORD-1') | selectattr('paid', 'ge', args.cents) | list | length", 1),
        ("args.id not in world.orders | map(attribute='id') | list", True),
        ("case.facts.split(';')", ["a", "b"]),
        ("not calls", False),
        ("calls | selectattr('name', 'eq', 'nobody')", []),
        ("calls | selectattr('name', 'eq', 'nobody') | first | default('none')", "none"),
        ("result.error | default('fine')", "fine"),
        ("turns[7].reply.text | default('fine')", "fine"),
        ("turns[7].reply is defined", False),
        ("calls[-1].args.body is defined", False),
        ("args.items", 3),
        ("world.orders[0].keys()", ["id", "paid"]),
        ("{'items': 5}.items", 5),
        ("'error' in reply | lower", False),
        ("1 < 2 < 3", True),
        ("1 < 3 < 3", False),
        ("calls[1:3] | map(attribute='n')", [2, 3]),
        ("(1, 2)", [1, 2]),
        ("calls | groupby('status') | map(attribute='grouper')", ["error", "ok", "refused"]),
        ("calls | sort(attribute='name') | map(attribute='n')", [1, 4, 3, 2]),
        ("calls | max(attribute='n') == calls[-1]", True),
        ("range(3) | list", [0, 1, 2]),
        ("'%s-%03d' % ('a', 5)", "a-005"),
        ("'%(a)s' | format(a=1)", "1"),
        ("'{:>4}|{}'.format('a', 2.5)", "   a|2.5"),
        ("'a' ~ 1 ~ true", "a1True"),
        ("reply.upper().startswith('SEE')", True),
        ("{'b': [1, 'ü', \"it's\"]} | tojson", '{"b": [1, "ü", "it\'s"]}'),
        ("'x' if false", ""),
        ("7 // 2 + 2 ** 3 % 5", 6),
        ("[3, 1, 3] | unique | sort", [1, 3]),
        ("[1, 2, 3] | batch(2, 0)", [[1, 2], [3, 0]]),
        ("[1, 2, 3] | slice(2)", [[1, 2], [3]]),
        ("{'b': 1, 'a': 2} | dictsort", [["a", 2], ["b", 1]]),
        ("'one two three' | truncate(9)", "one two three"),
        ("'one two three four' | truncate(9)", "one..."),
        ("'a b' | urlencode", "a%20b"),
        ("'<a>' | e", "&lt;a&gt;"),
        ("2.567 | round(1)", 2.6),
        ("'12' | int + '1.5' | float", 13.5),
        ("[1, [2]] | map('string')", ["1", "[2]"]),
        ("none", None),
    ],
)
def test_an_expression_gives(expression: str, value: Any) -> None:
    found = evaluate(expression, NAMES)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("What is the email of {{ vars.client }}?", "What is the email of Bluewing?"),
        ("{{ result.error | default('No tool returned an error.') }}", "No tool returned an error."),
        (
            "{% for layer, reason in reasons.items() if reason %}- {{ layer }}: {{ reason }}\n{% endfor %}",
            "- outcome: not there\n",
        ),
        (
            "{% if calls %}{{ calls | map(attribute='name') | join(', ') }}{% else %}none{% endif %}",
            "ask, wish, send, look",
        ),
        ("{% raw %}{{ literal }}{% endraw %}", "{{ literal }}"),
        ("{{ case.payload }} as written", "{{ vars.client }} as written"),
        ("{% for call in calls %}{{ loop.index }}/{{ loop.length }} {% endfor %}", "1/4 2/4 3/4 4/4 "),
        ("{% set ns = namespace(n=0) %}{% for c in calls %}{% set ns.n = ns.n + c.n %}{% endfor %}{{ ns.n }}", "10"),
        ("{% macro quoted(t) %}<{{ t }}{{ caller() }}>{% endmacro %}{% call quoted(1) %}!{% endcall %}", "<1!>"),
        ("{% set t %}abc{% endset %}{{ t | upper }}{% filter upper %}d{% endfilter %}", "ABCD"),
        ("{% for n in [[1, [2]]] recursive %}{{ n if n is number else loop(n) }}{% endfor %}", "12"),
        ("a line\n", "a line\n"),
        ("{{ vars.client }}\n", "Bluewing\n"),
        (
            "{% for call in calls %}{{ call.name.upper() }}{% for k, v in reasons.items() %}.{% endfor %}{% endfor %}",
            "ASK..WISH..SEND..LOOK..",
        ),
        ("{% for n in range(2) %}{% for m in range(n + 1) %}{{ loop.cycle('a', 'b') }}{% endfor %}{% endfor %}", "aab"),
        ("{# a comment #}text", "text"),
        ("a { brace } stays", "a { brace } stays"),
        ("{{ '\\ud83d\\ude00\\ud800' }}", "😀\\ud800"),
    ],
)
def test_a_template_gives(source: str, text: str) -> None:
    assert render_text(source, NAMES) == text


def test_a_lone_expression_keeps_its_type() -> None:
    value = {"n": "{{ args.cents }}", "list": ["{{ vars.list }}", "n={{ args.cents }}"], "kept": 5, "{{ key }}": None}
    rendered = {"n": 4990, "list": [[1, 2], "n=4990"], "kept": 5, "{{ key }}": None}
    assert render_value(value, NAMES) == rendered


def test_inert_text_is_never_rendered_and_comes_out_as_text() -> None:
    for value in (
        render_value(Inert("{{ x }}"), {}),
        render_text(Inert("{{ x }}"), {}),
        render_value("{{ case.payload }}", NAMES),
    ):
        assert type(value) is str
        assert value.startswith("{{ ")


def test_data_is_not_changed_and_results_are_copies() -> None:
    names: dict[str, Any] = {"vars": {"list": [1]}}
    result = render_value("{{ vars.list }}", names)
    result.append(2)
    assert names == {"vars": {"list": [1]}}


def test_a_condition_holds_or_not() -> None:
    assert holds("'HB-1' in reply and calls | length == 4", NAMES)
    assert not holds("calls | selectattr('name', 'eq', 'nobody')", NAMES)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("calls[9].name", "calls[9].name: there is no [9] in a list of 4; ask `is defined`, or write `| default(...)`"),
        (
            "args.idd == 'A'",
            "args.idd == 'A': there is no 'idd' (did you mean 'id'?); ask `is defined`, or write `| default(...)`",
        ),
        (
            "result.error",
            "result.error: there is no 'error': the mapping is empty; ask `is defined`, or write `| default(...)`",
        ),
        ("nobody", "nobody: 'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("not result.error", None),
        ("result.error ~ ''", None),
        ("[result.error]", None),
        ("[result.error] | tojson", None),
        ("[] | first", None),
        ("reply.__class__", None),
        ("vars.update({})", None),
        ("calls.append(1)", None),
        ("calls | map(attribute='text') | join", None),
    ],
)
def test_using_an_absent_fact_is_a_fault_of_its_own(expression: str, told: str | None) -> None:
    with pytest.raises(AbsentFault) as caught:
        evaluate(expression, NAMES)
    assert told is None or str(caught.value) == told


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("1 / 0", "1 / 0: division by zero; mend the expression"),
        ("'a' + 1", "'a' + 1: can only concatenate str (not \"int\") to str; mend the expression"),
        ("5 in reply", "5 in reply: 'in' asks whether a text holds a number; write it as text"),
        ("'a' in 5", "'a' in 5: 'in' looks into a number; look into a text, a list or a mapping"),
        ("reply.upper", "reply.upper: a method without its () is not data; use text, numbers, lists and mappings"),
        ("namespace()", "namespace(): a namespace is not data; use text, numbers, lists and mappings"),
        ("5 | length", "5 | length: a number has no length; use a text, a list or a mapping"),
        ("5 | list", "5 | list: a number cannot be looped over; use a list"),
        ("{calls: 1}", "{calls: 1}: a list cannot be a key; use text or a number"),
        ("1e308 * 10", "1e308 * 10: inf is not a number that JSON has; divide or multiply by less"),
        ("(-1) ** 0.5", "(-1) ** 0.5: a root of a negative number; use a positive one"),
        ("{{ reply }}", "{{ reply }}: expected token ':', got '}'; an expression stands without {{ }}: leave them out"),
    ],
)
def test_a_fault_says_what_where_and_what_to_do(expression: str, told: str) -> None:
    with pytest.raises(TemplateFault) as caught:
        evaluate(expression, NAMES)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    "source",
    [
        "{% include 'x' %}", "{% import 'x' as y %}", "{% from 'x' import y %}", "{% extends 'x' %}",
        "{% block a %}{% endblock %}", "{% autoescape true %}{% endautoescape %}", "{% do 1 %}", "{{ lipsum() }}",
        "{{ cycler('a') }}", "{{ joiner() }}", "{{ self }}", "{{ [1] | random }}", "{{ reply | attr('upper') }}",
        "{{ reply | safe }}", "{{ reply | map('attr', '__class__') }}", "{{ ''['__class__'] }}", "{{ range.__globals__ }}",
        "{% macro m() %}{% endmacro %}{{ m.__globals__ }}", "{% for c in calls %}{{ loop._iterable }}{% endfor %}",
        "{{ '{0.__class__}'.format(1) }}", "{{ '{0[a]}'.format({'a': 1}) }}", "{{ reply.encode() }}", "{{ reply() }}",
        "{% set ns = namespace() %}{% set ns.me = ns %}{{ ns }}", "{{ calls.__init__ }}", "{{ {}.__len__() }}",
        "{{ calls | map(attribute='__class__') | first }}", "{{ ({}.items).owner }}", "{{ [range] | tojson }}",
    ],
)  # fmt: skip
def test_what_reaches_beyond_plain_data_is_refused(source: str) -> None:
    with pytest.raises(TemplateFault):
        render_text(source, NAMES)
