"""Anchors, aliases and the shallow merge work; what they could blow up or tie in a knot is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Data = Callable[[str], Any]
Faults = Callable[[str], list[str]]


def test_an_alias_stands_for_what_its_anchor_names(data: Data) -> None:
    assert data("a: &x [1, {b: &y text}]\nc: *x\n*y : *y") == {
        "a": [1, {"b": "text"}],
        "c": [1, {"b": "text"}],
        "text": "text",
    }


def test_a_merge_is_shallow_and_own_keys_win(data: Data) -> None:
    merged = data("x: &x {a: {p: 1}, b: 2}\ny: {<<: *x, a: {q: 1}, c: 3}")["y"]
    assert merged == {"a": {"q": 1}, "b": 2, "c": 3}


def test_of_several_merged_mappings_the_first_that_has_a_key_wins(data: Data) -> None:
    assert data("x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz: {<<: [*x, *y]}")["z"] == {"a": 1, "b": 2}


def test_a_quoted_merge_key_is_text(data: Data) -> None:
    assert data("'<<': 1") == {"<<": 1}


def _bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: &a [*a]", "pack.yaml:1:8: a[0]: *a stands inside what it names; write out what is meant"),
        ("a: &a {b: {<<: *a}}", "pack.yaml:1:16: a.b: *a stands inside what it names; write out what is meant"),
        ("a: *b", "pack.yaml:1:4: a: nothing above is named &b; name it, or put '*b' in quotes if it is text"),
        ("a: *.md", "pack.yaml:1:5: a: text that begins with * or & is an alias in YAML; put the text in quotes"),
        ("a: &a {b: 1}\n*a : 2", "pack.yaml:2:1: the key *a is not text; write the key itself"),
        ("a: {<<: 1}", "pack.yaml:1:5: a: << takes a mapping or a list of mappings; name one, as in <<: *defaults"),
        ("x: &x {p: 1}\na: {<<: *x, <<: *x}",
         "pack.yaml:2:13: a: the key << stands twice; give it one list: <<: [*a, *b]"),
        (_bomb(9), "pack.yaml:6:10: a5[0]: the aliases stand for too much data; write less by alias"),
        (f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 200)}]",
         "pack.yaml:2:513: b[127]: the aliases stand for too much data; write less by alias"),
    ],
)  # fmt: skip
def test_an_alias_that_cannot_be_meant_is_a_fault(faults: Faults, text: str, told: str) -> None:
    assert faults(text) == [told]


def test_aliases_do_not_get_deeper_than_a_document_may(faults: Faults) -> None:
    text = "a0: &a0 [x]\n" + "\n".join(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 70))
    assert faults(text) == ["pack.yaml:64:12: a63[0]: the aliases stand for too much data; write less by alias"]
