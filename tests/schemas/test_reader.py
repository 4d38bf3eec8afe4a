"""The reader refuses what a document must not say, and tells the place and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from windtunnel.schemas.problems import Problems
from windtunnel.schemas.reader import LARGEST_FILE, read_document

Faults = Callable[[str | bytes], list[str]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("0", 0),
        ("-17", -17),
        ("+17", 17),
        ("1.50", 1.5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("9223372036854775807", 9223372036854775807),
        ("! 12", "12"),
        ("!!str 12", "12"),
        ("!!int 12", 12),
        ("!!float 12", 12.0),
        ("!!map {a: !!seq [1]}", {"a": [1]}),
    ],
)
def test_a_plain_scalar_is_a_core_type(data: Callable[[str], Any], text: str, value: object) -> None:
    found = data(f"a: {text}")["a"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    ["no", "on", "yes", "True", "NULL", "~", "0123", "-01", "1:30", "12_34", "0x1F", "0o17", "2026-03-02", "1.2.3", ".",
     "2026-03-02T09:00:00+01:00", "1e", "+", "0123.5", "'true'", '"12"', "nan", "infinity", "٣"],
)  # fmt: skip
def test_everything_else_stays_text(data: Callable[[str], Any], text: str) -> None:
    assert data(f"a: {text}") == {"a": text.strip("'\"")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1\nb: 2\na: 3", "pack.yaml:3:1: a: the key stands twice, first in line 1; keep one of them"),
        ("a: {b: 1, 'b': 2}", "pack.yaml:1:11: a.b: the key stands twice, first in line 1; keep one of them"),
        ("1: x", "pack.yaml:1:1: the key 1 is not text; put it in quotes if it is text"),
        ("true: x", "pack.yaml:1:1: the key true is not text; put it in quotes if it is text"),
        ("?\n: x", "pack.yaml:1:2: here a key is missing; write it"),
        ("? [a]\n: b", "pack.yaml:1:3: a mapping or list cannot be a key; put it in quotes if it is text"),
        ("a: !thing b", "pack.yaml:1:4: a: unknown tag '!thing'; leave it out, or put the text in quotes"),
        ("a: !thing [b]", "pack.yaml:1:4: a: unknown tag '!thing'; leave it out"),
        ("a: !!set {b}", "pack.yaml:1:4: a: unknown tag 'tag:yaml.org,2002:set'; leave it out"),
        ("a: !!int b", "pack.yaml:1:4: a: 'b' is not what its tag !!int says; leave the tag out"),
        ("a: 1\n---\nb: 1", "pack.yaml:2:1: a second document begins here; put it in a file of its own"),
        ("", "pack.yaml:1:1: the file is empty; begin it with 'kind:' and 'schema_version:'"),
        ("# only a comment\n", "pack.yaml:1:1: the file is empty; begin it with 'kind:' and 'schema_version:'"),
        ("a:\n\tb: 1", "pack.yaml:2:1: a: a tab stands where only spaces may; use spaces"),
        ("a:\tb", "pack.yaml:1:3: a tab stands where only spaces may; use spaces"),
        ("a: b\t# why", "pack.yaml:1:5: a tab stands where only spaces may; use spaces"),
        ("a: .nan", "pack.yaml:1:4: a: .nan is not a finite number; write a number, or put it in quotes if it is text"),
        ("a: -.inf", "pack.yaml:1:4: a: -.inf is not a finite number; write a number, or put it in quotes if it is text"),
        ("a: 1e999", "pack.yaml:1:4: a: 1e999 is too large a number; put it in quotes if it is text"),
        ("a: " + "9" * 5000, "pack.yaml:1:4: a: a number of 5000 digits is too large; put it in quotes if it is text"),
        ("a: 9223372036854775808", "pack.yaml:1:4: a: a number of 19 digits is too large; put it in quotes if it is text"),
        ('a: "\\ud800"', "pack.yaml:1:7: a: this escape stands for no character (half of a pair); "
                         "write the character itself, or \\U and 8 digits"),
        ("a: " + "[" * 100, "pack.yaml:1:67: a" + "[0]" * 63 + ": nested deeper than 64 levels; make the document flatter"),
        ("[" * 100_000, "pack.yaml:1:1001: nested too deeply; make the document flatter"),
    ],
)  # fmt: skip
def test_a_fault_has_its_place_and_a_remedy(faults: Faults, text: str, told: str) -> None:
    assert faults(text) == [told]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a: 1\nb: \xe9", "pack.yaml:2:4: byte 0xe9 is not UTF-8; save the file as UTF-8"),
        ("a: 1".encode("utf-16"), "pack.yaml:1:1: the file is UTF-16; save it as UTF-8"),
        ("a: 1".encode("utf-32"), "pack.yaml:1:1: the file is UTF-32; save it as UTF-8"),
        (b"\xef\xbb\xbf\xef\xbb\xbfa: 1", "pack.yaml:1:1: the file begins with two byte order marks; leave one out"),
        (b"\xef\xbb\xbf\xc0", "pack.yaml:1:1: byte 0xc0 is not UTF-8; save the file as UTF-8"),
        (b"a: 1\nb: \x00", "pack.yaml:2:4: the character U+0000 may not stand here; "
                           "leave it out, or write its escape in double quotes"),
        ("a: b\u2028c".encode(), "pack.yaml:1:5: the character U+2028 may not stand here; "
                                 "leave it out, or write its escape in double quotes"),
    ],
)  # fmt: skip
def test_bytes_that_are_no_plain_utf_8_are_named(faults: Faults, content: bytes, told: str) -> None:
    assert faults(content) == [told]


def test_one_byte_order_mark_is_allowed(data: Callable[[str], Any]) -> None:
    assert data("\ufeffa: é") == {"a": "é"}


def test_tabs_inside_text_and_comments_are_text(data: Callable[[str], Any]) -> None:
    assert data("a: 'x\ty'  # \t\nb: |\n  all:\n  \tmake\n") == {"a": "x\ty", "b": "all:\n\tmake\n"}


def test_faults_that_do_not_end_the_reading_are_told_together(faults: Faults) -> None:
    assert faults("a: .nan\n2: x\nb: 1\nb: 2\nc: !thing x") == [
        "pack.yaml:1:4: a: .nan is not a finite number; write a number, or put it in quotes if it is text",
        "pack.yaml:2:1: the key 2 is not text; put it in quotes if it is text",
        "pack.yaml:4:1: b: the key stands twice, first in line 3; keep one of them",
        "pack.yaml:5:4: c: unknown tag '!thing'; leave it out, or put the text in quotes",
    ]


BRACES = 'an unquoted {{ }} is a mapping in YAML; put the whole value in quotes: "{{ ... }}"'
QUOTES = 'text after a closing quote; quote the whole value with the other quotes: "..."'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: {{ x }}", f"pack.yaml:1:4: a: {BRACES}"),
        ("a: {{ x, y }}\nb: .nan", f"pack.yaml:1:4: a: {BRACES}\npack.yaml:2:4: b: .nan is not a finite number; "
                                   "write a number, or put it in quotes if it is text"),
        ("a: {{ x }} and more", f"pack.yaml:1:4: a: {BRACES}"),
        ("a: [b, {{ x | default('c') }}]", f"pack.yaml:1:8: a[1]: {BRACES}"),
        ("a: {b: {{ x['y'] }} }", f"pack.yaml:1:8: a.b: {BRACES}"),
        ("when: 'a' in b", f"pack.yaml:1:11: {QUOTES}"),
        ('- {when: "a" in b, do: x}', f"pack.yaml:1:14: [0]: {QUOTES}"),
        ("a: b: c", "pack.yaml:1:5: a colon followed by a space stands in unquoted text; put the whole text in quotes"),
        ("a: @b", "pack.yaml:1:4: a: unquoted text cannot begin with this character; put the text in quotes"),
        ("a: [b, c}", "pack.yaml:1:9: a[2]: a comma or a closing bracket is missing; add it, or put the text in quotes"),
        ('a: "\\q"', "pack.yaml:1:5: a: YAML does not know this escape; use single quotes, or write \\\\ for a backslash"),
        ("- a\nb: 1", "pack.yaml:2:1: [1]: this line is not an entry of the list above it; indent it as the other entries"),
        ("%YAML 3.0\n---\na: b", "pack.yaml:1:1: not YAML: found incompatible YAML document; mend it here or just above"),
    ],
)  # fmt: skip
def test_a_slip_is_told_as_what_it_is(faults: Faults, text: str, told: str) -> None:
    assert faults(text) == told.splitlines()


def test_quoted_braces_near_a_fault_are_not_blamed(faults: Faults) -> None:
    assert faults('a: "{{ x }}"\nb: c: d') == [
        "pack.yaml:2:5: a colon followed by a space stands in unquoted text; put the whole text in quotes"
    ]


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * (LARGEST_FILE + 1))
    problems = Problems()
    for name in ("none.yaml", "", "large.yaml", "a\0b", "x" * 5000):
        assert read_document(tmp_path / name, name[:10] or "folder", problems) is None
    assert [str(problem) for problem in problems] == [
        "a\0b:1:1: cannot be read: no file has such a name; name a file that exists and may be read",
        "folder:1:1: cannot be read: Is a directory; name a file that exists and may be read",
        "large.yaml:1:1: the file is larger than 16 MiB; move data to CSV or JSONL files",
        "none.yaml:1:1: cannot be read: No such file or directory; name a file that exists and may be read",
        "xxxxxxxxxx:1:1: cannot be read: File name too long; name a file that exists and may be read",
    ]
