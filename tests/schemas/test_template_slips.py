"""A template or expression that does not parse is told as the slip that it is."""

from __future__ import annotations

import pytest
from windtunnel.schemas.templates import template_faults

LITERAL = "write literal braces between {% raw %} and {% endraw %}"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("'Where in reply", "the quotation mark at character 1 is never closed; close it"),
        ("reply == \"x' in reply", "the quotation mark at character 10 is never closed; close it"),
        ("reply == “x”", "“ at character 10 is no quotation mark of expressions; write \" or '"),
        ("reply = 'x'", "a single = compares nothing; write =="),
        ("'x' in = reply", "a single = compares nothing; write =="),
        ("'a' in reply && true", "'&' at character 14 means nothing here; write `and`"),
        ("reply || reply", "|| means nothing here; write `or`"),
        ("!reply", "'!' at character 1 means nothing here; write `not`"),
        ("reply ? 1 : 2", "'?' at character 7 means nothing here; write `a if condition else b`"),
        ("reply == $1", "'$' at character 10 means nothing here; leave it out, or put it in quotes"),
        ("'x' IN reply", "'IN' means nothing here; write it in small letters: in"),
        ("(reply", "a closing ) is missing; add it"),
        ("reply and", "it ends too early: something is missing after its last word; finish it"),
        ("reply matches 'x'", "unexpected 'matches' after the expression; mend it"),
        ("{{ reply }}", "expected token ':', got '}'; an expression stands without {{ }}: leave them out"),
    ],
)
def test_a_slip_in_an_expression_is_told_as_what_it_is(source: str, told: str) -> None:
    assert template_faults(source, "check", {}, expression=True) == [told]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("a {{ reply", f"a {{{{ is never closed; close it with }}}}, or {LITERAL}"),
        ("a\n{{ reply }", f"line 2: a {{{{ is closed with one }}; close it with }}}}, or {LITERAL}"),
        ("{{ 'x }}", "the quotation mark at character 4 is never closed; close it"),
        ("{{ }}", "{{ }} holds nothing; write an expression in it, or leave it out"),
        ("{% if reply %}x", "a {% if %} is never closed; add {% endif %}"),
        ("{% endif %}", "{% endif %} stands where nothing that it belongs to is open; leave it out, or open that before it"),
        ("{% iff reply %}{% endif %}", "unknown tag 'iff'; did you mean 'if'?"),
        ("{% zzz %}", f"unknown tag 'zzz'; mend it, or {LITERAL}"),
        ("{{ reply | }}", f"expected token 'name', got 'end of print statement'; mend it, or {LITERAL}"),
    ],
)
def test_a_slip_in_a_template_is_told_as_what_it_is(source: str, told: str) -> None:
    assert template_faults(source, "check", {}) == [told]
