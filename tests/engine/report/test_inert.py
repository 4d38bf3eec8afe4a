"""Text that came from elsewhere is shown on one line and obeyed nowhere."""

from __future__ import annotations

import unicodedata
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.report.inert import inert, squeezed


@pytest.mark.parametrize(("text", "shown"), [
    ("plain words", "plain words"),
    ("Gr\xfc\xdfe \u6f22\u5b57 \U0001f680", "Gr\xfc\xdfe \u6f22\u5b57 \U0001f680"),
    ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
    ("a\nb\r\nc\td", "a\\nb\\r\\nc\\td"),
    ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
    ("\x9b31m", "\\x9b31m"),
    ("\u202eevil", "\\u202eevil"),
    ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
    ("\ud800", "\\ud800"),
    ("\U000e0041", "\\U000e0041"),
    ("\ufffe\uffff\U0001ffff", "\\ufffe\\uffff\\U0001ffff"),
    ("\x00\x7f", "\\x00\\x7f"),
])
def test_what_a_terminal_would_obey_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_a_long_text_is_cut_visibly() -> None:
    assert inert("x" * 11, 10) == "x" * 9 + "\u2026"
    assert inert("x" * 10, 10) == "x" * 10


def test_white_space_is_squeezed() -> None:
    assert squeezed("  a\n\n b\t\u2028c  ", 100) == "a b c"
    assert squeezed("a " * 1000, 9) == "a a a a \u2026"


@given(st.text())
def test_no_text_breaks_a_line_a_terminal_or_an_xml_file(text: str) -> None:
    shown = inert(text)
    assert len(shown.splitlines()) <= 1
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cs", "Zl", "Zp"}
    element = ElementTree.Element("a")
    element.text = shown
    assert ElementTree.fromstring(ElementTree.tostring(element)).text == (shown or None)  # noqa: S314 - our own text
