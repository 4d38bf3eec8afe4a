"""Every template ends, small and soon, whatever it says; these are the ways in which one might not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from windtunnel.schemas.errors import TemplateFault
from windtunnel.schemas.templates import evaluate, holds, render_text, render_value, template_faults

DEEP: Any = []
for _ in range(500):
    DEEP = [DEEP]
NAMES: dict[str, Any] = {
    "big": "x" * (1 << 20),
    "rows": [{"id": n, "t": f"row {n}"} for n in range(20_000)],
    "reply": "a" * 3000 + "b",
    "huge": 10**4000,
    "vast": 10**5000,
    "deep": DEEP,
}
DOUBLING = "{% set ns = namespace(s=[1]) %}{% for i in range(40) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}"
TUPLES = "{% set ns = namespace(s=(1,)) %}{% for i in range(40) %}{% set ns.s = (ns.s, ns.s) %}{% endfor %}"
FOREVER = "{% for i in range(99999) %}{% if BODY %}{% endif %}{% endfor %}"
ATTACKS = [
    "{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}",
    "{% for r in rows %}{% for q in rows %}{{ q.id }}{% endfor %}{% endfor %}",
    "{{ range(10 ** 9) }}",
    "{{ range(10 ** 30) }}",
    "{{ range(10 ** 25, 10 ** 25 + 1000000000) }}",
    "{{ 'a' * 10 ** 9 }}",
    "{{ 1000000000 * 'a' }}",
    "{{ [1] * 1000000000 }}",
    "{{ (1, 2) * 1000000000 }}",
    "{{ [[[1] * 1000] * 1000] * 1000 }}",
    "{% set ns = namespace(s='a') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    "{% set ns = namespace(s='a') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
    "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
    *(
        DOUBLING + use
        for use in ("{{ ns.s }}", "{{ ns.s == [] ~ ns.s }}", "{{ ns.s | tojson }}", "{{ [ns.s] | sort }}")
    ),
    *(
        TUPLES + use
        for use in ("{{ {ns.s: 1} }}", "{{ [ns.s] | unique }}", "{{ dict([[ns.s, 1]]) }}", "{{ ns.s < ns.s }}")
    ),
    "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(50) }}",
    "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% else %}{{ big }}{% endif %}{% endmacro %}{{ f(9) }}",
    "{{ big }}",
    "{% for i in range(1000) %}" + "y" * 1000 + "{% endfor %}",
    "{% set x %}{% for i in range(99999) %}" + "y" * 10_000 + "{% endfor %}{% endset %}",
    "{{ 9 ** (9 ** 9) }}",
    "{% set ns = namespace(n=3) %}{% for i in range(99) %}{% set ns.n = ns.n * ns.n %}{% endfor %}",
    "{{ huge * huge }}",
    "{{ huge ** 2 }}",
    "{{ vast }}",
    "{{ vast ~ '' }}",
    "{{ [vast] | tojson }}",
    "{{ huge / 3 }}",
    "{{ 2.0 ** 100000 }}",
    "{{ 0x" + "f" * 100_000 + " }}",
    "{{ " + "9" * 100_000 + " }}",
    "{{ 'a' | center(1000000000) }}",
    "{{ 'a'.center(1000000000) }}",
    "{{ 'a'.ljust(1000000000) }}",
    "{{ 'a'.zfill(1000000000) }}",
    "{{ 'a' | indent(1000000000, true) }}",
    "{{ ('a\n' * 100000) | indent(1000) }}",
    "{{ big | replace('x', big) }}",
    "{{ 'a'.replace('', big) }}",
    "{{ big | wordwrap(1) }}",
    "{{ big[:20000] | wordwrap(1, true, big) }}",
    "{{ 'a' | truncate(-5) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ '%*d' % (1000000000, 1) }}",
    "{{ '%.1000000000f' % 1 }}",
    "{{ ('%(a)s' * 1000) | format(a=big) }}",
    "{{ '{:>1000000000}'.format(1) }}",
    "{{ '{0:{1}}'.format(1, 1000000000) }}",
    "{{ ('{0}' * 1000).format(big) }}",
    "{{ big.join(range(1000)) }}",
    "{{ range(100000) | join(big) }}",
    "{{ ([big] * 1000) | join }}",
    "{{ ([big, big ~ 'y'] * 40000) | sort }}",
    "{{ ([big, big ~ 'y'] * 40000) | unique }}",
    "{{ (big ~ 'y') in ([big] * 99999) }}",
    "{{ ([big] * 99999) == ([big ~ ''] * 99999) }}",
    "{{ ([big] * 99999) | map('upper') | list }}",
    "{{ ([big] * 99999) | map('list') | list }}",
    "{{ big | find_all('(x+x+)+y') }}",
    "{{ big | find_all('x{1000000000}') }}",
    "{{ [1] | batch(1000000000, 0) }}",
    "{{ [1] | slice(1000000000, 0) }}",
    "{{ rows | tojson(indent=1000000000) }}",
    "{{ [rows] * 1000 }}",
    "{{ ([rows] * 1000) | sum(start=[]) }}",
    "{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = ns.l + [big[i:]] %}{% endfor %}",
    "{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = [ns.l, i] %}{% endfor %}{{ ns.l }}",
    "{{ ('a' * 1000000).rfind('b' + 'a' * 500000) }}",
    "{{ ('a' * 1000000).strip('b' * 500000 + 'a') }}",
    "{{ 15 | round(-1000000000) }}",
    "{{ 1.5 | round(1000000000) }}",
    *(
        FOREVER.replace("BODY", body)
        for body in ("big ~ 'a'", "rows | sort(attribute='t')", "rows == rows[:]", "'q' in big")
    ),
    *(
        FOREVER.replace("BODY", body)
        for body in ("rows | tojson", "huge * 3 // 7", "big | lower", "reply | find_all('a')")
    ),
    "{{ " + "not " * 5000 + "1 }}",
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "{{ 1" + " + 1" * 5000 + " }}",
    "{{ 1" + " < 2" * 3000 + " }}",
    "{{ a" + ".b" * 5000 + " }}",
    "{{ x" + "|upper" * 3000 + " }}",
    "{{ " + "[" * 3000 + "]" * 3000 + " }}",
    "{% if 1 %}" * 200 + "{% endif %}" * 200,
    "{% for x in [1] %}" * 25 + "{% endfor %}" * 25,
    "{{ reply }}" * 25_000,
    "{{" * 100_000,
    "{#" * 100_000,
    "a" * 300_000 + "{{ reply }}",
]


@pytest.mark.parametrize("source", ATTACKS, ids=lambda source: source[:60].replace("\n", " "))
def test_a_hostile_template_ends_with_a_fault(source: str) -> None:
    with pytest.raises(TemplateFault) as caught:
        render_text(source, NAMES)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "{% for i in range(1000) %}{% for j in range(1000) %}{% endfor %}{% endfor %}",
            "more than 100000 loop turns and calls",
        ),
        ("{{ 'a' * 10 ** 9 }}", "a text of 1000000000 characters would be made: the limit is 1048576; make less"),
        ("{{ [1] * 10 ** 9 }}", "a list of 1000000000 items would be made: the limit is 100000; make less"),
        ("{{ 9 ** 99999 }}", "a whole number of more than 3900 digits would be made; use smaller numbers"),
        ("{{ big }}", "the output has more than 262144 characters; write less"),
        ("{{ big }}!", "the output has more than 262144 characters; write less"),
        ("{{ reply | find_all('(a+)+$') }}", "pattern took too long: more than 1 s; make it simpler"),
        ("a" * 300_000 + "{{ x }}", "the template has 300007 characters: the limit is 262144; split it"),
        (DOUBLING + "{{ ns.s == [] }}", "values would be looked at at once; use less"),
        (
            "{{ 'a' | center(10 ** 9) }}",
            "the number 1000000000 is too large here: the limit is 1048576; use a smaller one",
        ),
    ],
)
def test_the_fault_names_the_limit(source: str, told: str) -> None:
    with pytest.raises(TemplateFault) as caught:
        render_text(source, NAMES)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% for i in range(99000) %}x{% endfor %}", "x" * 99_000),
        ("{{ big | length }}", str(1 << 20)),
        ("{{ rows | selectattr('id', 'gt', 19997) | map(attribute='t') | join(',') }}", "row 19998,row 19999"),
        ("{{ rows | tojson | length }}", "637780"),
        ("{{ rows | groupby('t') | length }}", "20000"),
        ("{% for r in rows %}{{ r.id % 10 }}{% endfor %}", "0123456789" * 2000),
        ("{{ 2 ** 300 }}", str(2**300)),
        ("{{ 'a' ~ 'b' }}" * 500, "ab" * 500),
        ("{{ 'a'" + " ~ 'a'" * 1000 + " }}", "a" * 1001),
    ],
)
def test_honest_work_is_within_the_limits(source: str, text: str) -> None:
    assert render_text(source, NAMES) == text


def test_the_limits_begin_anew_with_each_rendering() -> None:
    for _ in range(5):
        assert render_text("{% for i in range(60000) %}{% endfor %}x", NAMES) == "x"


PIECES = st.sampled_from(
    [
        "{{", "}}", "{%", "%}", "{#", "#}", " ", "\n", "for ", "x", " in ", "range", "(", ")", "9", "10**9", "endfor", "if ",
        "else", "endif", "set ", "=", "~", "*", "**", "%", "|", "join", "map", "(attribute=", "'a'", '"', "[", "]", ":", ",",
        "a", ".b", "loop", "macro ", "endmacro", "big", "rows", "huge", "deep", "vast", "is ", "not ", "raw", "endraw", "-",
        "sum(start=[])", "tojson", "call ", "endcall", "caller()", "namespace", "ns.", "groupby", "format", "{", "}", "with ",
    ]
)  # fmt: skip
SOURCES = st.lists(PIECES | st.text(max_size=3), max_size=14).map("".join) | st.lists(PIECES, max_size=8).map(
    lambda pieces: "{{ " + "".join(pieces) + " }}"
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5)
DATA = st.dictionaries(
    st.sampled_from(["a", "b", "x", "rows"]),
    st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


@settings(max_examples=300, deadline=None)
@given(SOURCES, DATA)
def test_no_template_and_no_data_raise_anything_but_our_fault(source: str, data: dict[str, Any]) -> None:
    names = {"big": "x" * 5000, "huge": 10**4000, "vast": 10**5000, "deep": DEEP, **data}
    for use in (render_text, render_value, evaluate, holds):
        try:
            use(source, names)
        except TemplateFault as fault:
            assert 0 < len(str(fault)) < 1000


@settings(max_examples=300, deadline=None)
@given(SOURCES, st.booleans())
def test_the_check_at_load_never_raises(source: str, expression: bool) -> None:
    for fault in template_faults(source, "check", {"vars": ["a"], "case": None}, expression=expression):
        assert "; " in fault
