"""The check at load: every name in every branch, against what its place provides, with the name that was meant."""

from __future__ import annotations

from typing import Any

import pytest
from windtunnel.schemas.documents import Inert
from windtunnel.schemas.names import FIXED_MEMBERS, MEANINGS, PLACES, SHAPES
from windtunnel.schemas.templates import template_faults

KNOWN: dict[str, Any] = {"vars": ["client", "canary"], "case": [], "answer": None}


def faults(source: str, place: str = "check", *, expression: bool = False) -> list[str]:
    return template_faults(source, place, KNOWN, expression=expression)


@pytest.mark.parametrize(
    ("source", "place", "told"),
    [
        ("{{ usr }}", "script", "unknown name 'usr' in a script; did you mean 'user'?"),
        ("{{ vras.client }}", "turn", "unknown name 'vras' in a user turn; did you mean 'vars'?"),
        ("{{ vars.clent }}", "turn", "vars has no 'clent'; did you mean 'client'?"),
        ("{{ vars['clent'] }}", "turn", "vars has no 'clent'; did you mean 'client'?"),
        ("{{ vars.clent.name | upper }}", "turn", "vars has no 'clent'; did you mean 'client'?"),
        ("{{ case.id }}", "turn", "case has no 'id'; there is none"),
        (
            "{% if false %}{{ zzz }}{% endif %}",
            "turn",
            "unknown name 'zzz' in a user turn; it sees: answer, case, now, vars",
        ),
        ("{{ 'a' if true else zzz }}", "turn", "unknown name 'zzz' in a user turn; it sees: answer, case, now, vars"),
        ("{{ zzz | default('a') }}", "turn", "unknown name 'zzz' in a user turn; it sees: answer, case, now, vars"),
        ("{{ reasons.outcom }}", "debrief", "reasons has no 'outcom'; did you mean 'outcome'?"),
        (
            "{{ env.TOKEN }}",
            "turn",
            "env is not known in a user turn; variables are read in agents only: use vars here",
        ),
        ("{{ secret(env.T) }}", "tool", None),
        ("{{ env }}", "setting", "env is not a value of its own; write env.NAME"),
        ("{{ secret('x') }}", "setting", "secret(...) hides a variable; write secret(env.NAME)"),
        ("{{ reply | uper }}", "check", "unknown filter 'uper'; did you mean 'upper'?"),
        ("{{ reply is strng }}", "check", "unknown test 'strng'; did you mean 'string'?"),
        ("{{ calls | map('uper') }}", "check", "unknown filter 'uper'; did you mean 'upper'?"),
        ("{{ calls | selectattr('n', 'eqq', 1) }}", "check", "unknown test 'eqq'; did you mean 'eq'?"),
        ("{{ calls | select('definde') }}", "check", "unknown test 'definde'; did you mean 'defined'?"),
        (
            "{% for c in calls %}{% endfor %}{{ c }}",
            "wait",
            "unknown name 'c' in a wait's `until`; it sees: answer, calls, turns, world",
        ),
        (
            "{{ n }}{% set n = 1 %}",
            "wait",
            "unknown name 'n' in a wait's `until`; it sees: answer, calls, turns, world",
        ),
        (
            "{% macro m(a) %}{{ b }}{% endmacro %}",
            "wait",
            "unknown name 'b' in a wait's `until`; it sees: answer, calls, turns, world",
        ),
        ("{{ self.x }}", "wait", "unknown name 'self' in a wait's `until`; it sees: answer, calls, turns, world"),
        ("a\n{{ zzz }}", "turn", "line 2: unknown name 'zzz' in a user turn; it sees: answer, case, now, vars"),
        ("{% include 'a' %}", "turn", "'include' is not part of these templates; write the text itself"),
        (
            "{{ reply",
            "check",
            "a {{ is never closed; close it with }}, or write literal braces between {% raw %} and {% endraw %}",
        ),
    ],
)
def test_a_name_that_its_place_does_not_give_is_told(source: str, place: str, told: str | None) -> None:
    found = faults(source, place)
    assert found == [told] if told else len(found) > 0


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("{{ vars.client }} and {{ answer }}", "turn"),
        ("{{ vars.maybe | default('x') }}{{ case.family.name | d('x') }}", "turn"),
        ("{% if case is defined and case.family is defined %}{{ vars.x is undefined }}{% endif %}", "debrief"),
        ("{{ vars.items() | list }}{{ vars.get('zzz') }}", "turn"),
        ("{% set a = 1 %}{{ a }}{% set b %}x{% endset %}{{ b }}{% with c = b %}{{ c }}{% endwith %}", "turn"),
        (
            "{% for k, v in reasons.items() if v %}{{ loop.index }}{{ k }}{{ v }}{% else %}{{ reasons.outcome }}{% endfor %}",
            "debrief",
        ),
        (
            "{% macro m(a, b=vars) %}{{ a }}{{ b }}{{ varargs }}{{ m(1) }}{{ caller() }}{% endmacro %}{% call(x) m(1) %}{{ x }}{% endcall %}",
            "turn",
        ),
        ("{% set ns = namespace(n=0) %}{% set ns.n = 1 %}{{ ns.n }}{{ range(3) }}{{ dict(a=1) }}", "turn"),
        ("{{ secret(env.T | default('none')) }}{{ env.BASE }}{{ vars.client }}", "setting"),
        ("{{ env['OPENAI_KEY'] }}", "prompt"),
        ("{% raw %}{{ anything }}{% endraw %}{# {{ at all }} #}", "turn"),
        ("{{ 'a' if true }}{{ none }}{{ True }}", "turn"),
        ("{{ calls[0].args.what.ever }}{{ turns | map(attribute='anything') }}", "check"),
        ("no template { at } all", "turn"),
        (Inert("{{ zzz }}"), "turn"),
    ],
)
def test_what_its_place_gives_or_the_text_itself_sets_is_sound(source: str, place: str) -> None:
    assert faults(source, place) == []


def test_expressions_are_checked_in_the_same_way() -> None:
    assert faults("'email' in user and turn == 1", "script", expression=True) == []
    assert faults("'a' in usr", "script", expression=True) == ["unknown name 'usr' in a script; did you mean 'user'?"]
    assert faults("reply ==", expression=True) == [
        "it ends too early: something is missing after its last word; finish it"
    ]


def test_all_faults_of_a_text_are_told_and_each_once() -> None:
    assert faults("{{ vars.q }}{{ vars.q }}{{ zzz | uper }}", "wait") == [
        "unknown filter 'uper'; did you mean 'upper'?",
        "unknown name 'vars' in a wait's `until`; it sees: answer, calls, turns, world",
        "unknown name 'zzz' in a wait's `until`; it sees: answer, calls, turns, world",
    ]


def test_the_quick_look_at_plain_texts_finds_what_the_parser_finds() -> None:
    for quick, parsed in [
        ("{{ vars.q }}", "{{ vars.q }}{# #}"),
        ("{{ zzz }}", "{{ (zzz) }}"),
        ("{{ a[0].b }}", "{{ a[0].b }}{# #}"),
    ]:
        assert faults(quick) == faults(parsed) != []


def test_every_name_of_every_place_has_a_meaning() -> None:
    assert set().union(*(place.names for place in PLACES.values())) == set(MEANINGS)
    assert set(FIXED_MEMBERS) <= set(SHAPES)


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("check", "reply turns calls world vars case scenario agent now observed"),
        ("tool", "args call world vars case now"),
        ("guard", "tool args agent turns calls world last_user_turn"),
        ("debrief", "run_id session_id scenario agent verdict failed_layers reasons turns calls vars case"),
        ("follow_up", "run_id session_id scenario agent verdict failed_layers reasons turns calls vars case reply"),
        ("turn_when", "reply turn turns calls vars case now"),
        ("until", "reply turn turns calls vars case now"),
        ("wait", "turns calls world"),
        ("script", "user turn turns calls session_id result results vars case now run_number history sampling"),
        ("prompt", "vars case now env"),
    ],
)
def test_a_place_sees_what_the_contract_says(place: str, names: str) -> None:
    assert PLACES[place].names == frozenset(names.split())
