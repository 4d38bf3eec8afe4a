"""The methods and filters that are there, each with what it gives and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from windtunnel.schemas.errors import AbsentFault, TemplateFault
from windtunnel.schemas.templates import evaluate, render_text

NAMES: dict[str, Any] = {
    "rows": [{"id": 2, "t": "b"}, {"id": 1, "t": "A"}, {"t": "c"}],
    "reply": "one two\nthree",
    "empty": [],
    "pair": {"a": 1, "0": "zero"},
}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("reply.split()", ["one", "two", "three"]),
        ("reply.splitlines() | length", 2),
        ("'a'.center(5, '-')", "--a--"),
        ("'7'.zfill(3)", "007"),
        ("'a'.ljust(3) ~ '|'", "a  |"),
        ("' a '.strip() ~ '|' ~ 'xax'.strip('x') ~ 'a.b.c'.rsplit('.', 1)[0]", "a|aa.b"),
        ("', '.join(['a', 1, none])", "a, 1, None"),
        ("reply.replace('o', '0', 1)", "0ne two\nthree"),
        ("'{} {name} {:05.1f}{{}}'.format('a', 2, name='b')", "a b 002.0{}"),
        ("'{0} {name} {1:05.1f}{{}}'.format('a', 2, name='b')", "a b 002.0{}"),
        ("pair.get('a') ~ pair.get('b', 'none') ~ pair.get([], 'none')", "1nonenone"),
        ("pair.items() | list", [["a", 1], ["0", "zero"]]),
        ("pair.values() | list", [1, "zero"]),
        ("pair | items", [["a", 1], ["0", "zero"]]),
        ("pair | list", ["a", "0"]),
        ("pair['a'] + pair.a", 2),
        ("pair | length + pair | count", 4),
        ("['a', 'b'].index('b') + ['a', 'a'].count('a')", 3),
        ("'abc'[1] ~ 'abc'[-1] ~ 'abc'[::-1] ~ 'abc'[1:]", "bccbabc"),
        ("[1, 2] + (3,)", [1, 2, 3]),
        ("[0] * 2 ~ 2 * 'a' ~ 'a' * -1", "[0, 0]aa"),
        ("-2 ** 2 + 7 - 1.5 / 3", 10.5),
        ("1 in [1] and 'a' in pair and 3 not in pair and [] not in pair", True),
        ("[1] < [2] and 'a' <= 'b' and 2 >= 2 and 1 != 2", True),
        ("rows | sort(attribute='t') | map(attribute='t') | join", "Abc"),
        ("rows | sort(attribute='t', case_sensitive=true) | map(attribute='t') | join", "Abc"),
        ("rows | map(attribute='t') | sort(reverse=true)", ["c", "b", "A"]),
        ("rows | groupby('id', default=0) | map('first')", [0, 1, 2]),
        ("(rows | groupby('id', default=0))[1].list[0].t", "A"),
        ("[1, [1], [1], {'a': 1}] | unique | length", 3),
        ("rows | min(attribute='t') == rows[1]", True),
        ("empty | min | default('none')", "none"),
        ("{'b': 1, 'a': 2} | dictsort(by='value', reverse=true)", [["a", 2], ["b", 1]]),
        ("'abc' | reverse ~ ([1, 2] | reverse)", "cba[2, 1]"),
        ("'abc' | first ~ 'abc' | last", "ac"),
        ("[1, 2, 3, 4, 5] | slice(2, 0)", [[1, 2, 3], [4, 5, 0]]),
        ("[1, 2, 3] | batch(2)", [[1, 2], [3]]),
        ("empty | batch(2, 0)", []),
        ("['a', 'b'] | sum(start='')", "ab"),
        ("rows | map(attribute='id', default=0) | sum", 3),
        ("[{'n': 1}, {'n': 2}] | sum(attribute='n')", 3),
        ("rows | join(',', attribute='t')", "b,A,c"),
        ("['a'] | map('upper') | map('replace', 'A', 'z')", ["z"]),
        ("[0, 1, ''] | select", [1]),
        ("[1, 2, 3] | reject('odd')", [2]),
        ("['a', 'B'] | select('upper')", ["B"]),
        ("'x' | default('y') ~ '' | default('y', true)", "xy"),
        ("5 is divisibleby(5) and 5 is integer and 'a' is string and pair is mapping and rows is iterable", True),
        ("none is none and 1 is sameas 1 and 1 is in [1] and 'a' is lower", True),
        ("'word' | capitalize ~ ' a b' | title ~ ' ' ~ 'a b' | wordcount", "Word A B 2"),
        ("' a ' | trim ~ 'xax' | trim('x')", "aa"),
        ("'a\nb' | indent(2)", "a\n  b"),
        ("'a b c' | wordwrap(3)", "a b\nc"),
        ("'long text here' | truncate(8, true, '…', 0)", "long te…"),
        ("'ff' | int(base=16) + 'x' | int(7) + 2.9 | int", 264),
        ("'x' | float(1.5)", 1.5),
        ("('9' * 5000) | int(-1) + ('9' * 5000) | float(-1)", -2),
        ("2.5 | round ~ 2.4 | round(method='ceil')", "2.03.0"),
        ("{'a': 'b c', 'd': 1} | urlencode", "a=b%20c&d=1"),
        ("[['a', '/']] | urlencode", "a=%2F"),
        ("[1, {'a': none}] | tojson(indent=2)", '[\n  1,\n  {\n    "a": null\n  }\n]'),
        ("1000000 | filesizeformat", "1.0 MB"),
        ("[1.0, true, none] | string", "[1.0, True, None]"),
        ("'a%s' | format(1)", "a1"),
        ("-5 | abs", 5),
        ("range(2, 8, 3)", [2, 5]),
        ("dict(pair, b=2) | length", 3),
        ("dict([['a', 1]]).a", 1),
        ("namespace(a=1).a", 1),
    ],
)
def test_it_gives(expression: str, value: Any) -> None:
    found = evaluate(expression, NAMES)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("rows | sort(attribute='id')", "there is no 'id' (there are: t); ask `is defined`, or write `| default(...)`"),
        ("empty | first", "the list is empty: it has no first and no last item; write `| default(...)`"),
        ("empty | max", "the list is empty: it has no smallest and no largest item; write `| default(...)`"),
        ("namespace(a=1).b", "a namespace has no 'b'; ask `is defined`, or write `| default(...)`"),
        ("namespace(a=1)['b']", "a namespace has no 'b'; ask `is defined`, or write `| default(...)`"),
        (
            "namespace(a=1)._Namespace__attrs",
            "a namespace has no '_Namespace__attrs'; ask `is defined`, or write `| default(...)`",
        ),
        ("reply[99]", "there is no [99] in a text of 13; ask `is defined`, or write `| default(...)`"),
        ("reply['upper']", "a text has no 'upper'; ask `is defined`, or write `| default(...)`"),
        ("rows[nobody]", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("nobody[0:1]", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("nobody()", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("nobody in 'a'", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("nobody in rows", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("1 in nobody", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("nobody | list", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("nobody | length", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
        ("{nobody: 1}", "'nobody' is not defined; ask `is defined`, or write `| default(...)`"),
    ],
)
def test_an_absent_fact_is_told(expression: str, told: str) -> None:
    with pytest.raises(AbsentFault) as caught:
        evaluate(expression, NAMES)
    assert str(caught.value) == f"{expression}: {told}"


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("5[0:1]", "a number cannot be sliced; slice a text or a list"),
        ("5()", "a number cannot be called; leave the () out"),
        ("','.join(5)", "join takes a list; give it one"),
        ("'{0!r}'.format(1)", "a format converts with '!'; leave it out"),
        ("'{0.real}'.format(1)", "a format reaches into its argument; give it the value itself"),
        ("'%s' | format(1, a=2)", "format takes values by place or by name, not both; use one kind"),
        ("'a' | truncate(1)", "truncate to 1 leaves no room for '...'; use a longer length"),
        ("('a ' * 11000) | wordwrap", "wordwrap takes at most 20000 characters; wrap less"),
        (
            "[range] | length ~ ([range] | tojson)",
            "a function without its () is not data; use text, numbers, lists and mappings",
        ),
        ("[1e999] | tojson", None),
        ("reply | find_all(5)", "find_all takes a pattern, not a number; write it as text"),
        ("rows | selectattr(none)", "an attribute is named by a text, not by none; write attribute='name'"),
        ("rows | map(attribute='t', defalt=1)", "map takes no 'defalt'; it takes attribute and default"),
        ("rows | map('uper')", "map knows no filter 'uper'; did you mean 'upper'?"),
        ("rows | map", "map knows no filter ''; filters: abs, batch, "),
        ("rows | select('eqq')", "there is no test 'eqq'; did you mean 'eq'?"),
        ("5 | items", "a number has no items; use a mapping"),
        ("rows | dictsort", "dictsort sorts a mapping by 'key' or 'value'; give it those"),
        ("['a', 1] | sort", None),
        ("[1, 'a'] | sum", None),
        ("[1] | sum(start=[])", None),
        ("('a' * 1000000).rfind('a' * 100)", "both texts are too long for this search; look for less"),
        ("1 | round(10 ** 9)", "the number 1000000000 is too large here: the limit is 300; use a smaller one"),
    ],
)
def test_what_makes_no_sense_is_a_fault(expression: str, told: str | None) -> None:
    with pytest.raises(TemplateFault) as caught:
        evaluate(expression, NAMES)
    assert not isinstance(caught.value, AbsentFault)
    assert told is None or str(caught.value).startswith(f"{expression}: {told}")


def test_a_loop_knows_its_place_and_its_neighbours() -> None:
    source = (
        "{% for n in [1, 1, 2] %}{{ loop.index }}{{ loop.first }}{{ loop.last }}{{ loop.changed(n) }}"
        "{{ loop.previtem | default('-') }}{{ loop.nextitem | default('-') }}{{ loop.cycle('a', 'b') }} {% endfor %}"
    )
    assert render_text(source, {}) == "1TrueFalseTrue-1a 2FalseFalseFalse12b 3FalseTrueTrue1-a "
