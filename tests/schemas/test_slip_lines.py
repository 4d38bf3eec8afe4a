"""A slip is told where it was made, not where the parser stumbles over it lines later."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Faults = Callable[[str], list[str]]

MISSING = "a comma or a closing bracket is missing; add it, or put the text in quotes"
DEEPER = (
    "is indented deeper than the line above it, and would go on with its text; "
    "indent both lines alike, or put the whole text in quotes"
)
COLON = "a colon followed by a space stands in unquoted text; put the whole text in quotes"
NO_DASH = "a space is missing after the dash, so that it begins no entry of a list; add it"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'a:\n  turns: ["Where is it?]\n  b: 1\n  more: ["I am Nora"]',
            "pack.yaml:2:11: a.turns[1]: the quotation mark that opens here is closed only in line 4, and more text follows; "
            "close it where its text ends",
        ),
        (
            "a: 'b\nc: d\ne: 'f'",
            "pack.yaml:1:4: the quotation mark that opens here is closed only in line 3, and more text follows; "
            "close it where its text ends",
        ),
        ("a: 'b", "pack.yaml:1:4: a: the quotation mark that opens here is never closed; close it"),
        ('a: 1\nb: "c\nd: e\n', "pack.yaml:2:4: b: the quotation mark that opens here is never closed; close it"),
        ("a: [b, c\nd: e", "pack.yaml:1:4: a[2]: the bracket that opens here is never closed; close it with ]"),
        ("- {a: 'b'\n- {a: c}", "pack.yaml:1:3: [0]: the bracket that opens here is never closed; close it with }"),
        ("a: {b: 1\n", "pack.yaml:1:4: a: the bracket that opens here is never closed; close it with }"),
        ("a: [\n  'b'\n  'c'\n]", f"pack.yaml:3:3: a[1]: {MISSING}"),
        (
            "- {a: 1, b: #2}\n- {a: 2}",
            "pack.yaml:1:13: [0].b: text that begins with # is a comment, and the closing } is in it; put the text in quotes",
        ),
        ("a:\n   b: some text\n    c: 1", f"pack.yaml:3:5: a: the key 'c' {DEEPER}"),
        ("- b: some text\n   c: 1", f"pack.yaml:2:4: [0]: the key 'c' {DEEPER}"),
        ("a: b: c", f"pack.yaml:1:5: {COLON}"),
        ("a: some\n  more text\n  note: b", f"pack.yaml:3:7: {COLON}"),
        ("a:\n  -{b: c, d: e}", f"pack.yaml:2:3: a: {NO_DASH}"),
        ("a:\n  - b\nc:\n  -d\n  -e: f", f"pack.yaml:5:3: {NO_DASH}"),
        ("a: 1\nb:c\nd: 2", "pack.yaml:2:3: a space is missing after the colon; add it"),
        ("a: 1\nb c\nd: 2", "pack.yaml:2:1: this line has no colon, or is not indented; add the colon, or indent the text"),
    ],
)  # fmt: skip
def test_a_slip_is_told_in_the_line_where_it_was_made(faults: Faults, text: str, told: str) -> None:
    assert faults(text) == [told]
