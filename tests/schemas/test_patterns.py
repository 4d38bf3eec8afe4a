"""Users' patterns: they find, and the bad ones end with a fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.schemas.errors import PatternFault
from windtunnel.schemas.patterns import compile_pattern, find_all, fullmatch, search


def test_a_pattern_finds_every_match_as_whole_text() -> None:
    assert find_all(r"(HB)-([0-9]+)", "HB-1, HB-22") == ["HB-1", "HB-22"]


def test_search_looks_anywhere_and_fullmatch_at_the_whole_text() -> None:
    assert search("b", "abc") is not None
    assert fullmatch("b", "abc") is None
    assert fullmatch("price_.*", "price_get") is not None


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "the pattern '(' does not compile: missing ) at position 1; mend it"),
        ("x" * 10_001, "the pattern has 10001 characters: the limit is 10000; shorten it"),
        ("a{1000000000}", "the pattern 'a{1000000000}' repeats more than 100000 times; repeat less"),
        ("(?:a{1000}){1000}", "the pattern '(?:a{1000}){1000}' repeats more than 100000 times; repeat less"),
        ("(?x)(?:a{1000}) {1000}", "the pattern '(?x)(?:a{1000}) {1000}' repeats more than 100000 times; repeat less"),
        ("([[a])]a{1000}){1000}", "the pattern '([[a])]a{1000}){1000}' repeats more than 100000 times; repeat less"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_a_fault(pattern: str, why: str) -> None:
    with pytest.raises(PatternFault) as caught:
        compile_pattern(pattern)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    "pattern", [r"\d{4}-\d{2}-\d{2}T(?:\d{2}:?){3}", r"[(]{5}", r"a{0,1000000}", r"\{1000000\}", "[{]9}"]
)
def test_an_ordinary_pattern_compiles(pattern: str) -> None:
    assert compile_pattern(pattern).pattern == pattern


@pytest.mark.parametrize("find", [search, find_all])
def test_a_pattern_that_never_ends_is_stopped(find: object) -> None:
    assert callable(find)
    with pytest.raises(PatternFault, match="pattern took too long: more than 1 s; make it simpler"):
        find("(a+)+$", "a" * 5000 + "b")


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_pattern_raises_anything_but_our_fault(pattern: str, text: str) -> None:
    for find in (search, fullmatch, find_all):
        try:
            find(pattern, text)
        except PatternFault as fault:
            assert str(fault)
