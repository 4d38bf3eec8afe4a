"""Recognise the slips that YAML punishes with a riddle, and say what was probably meant."""

from __future__ import annotations

import re
from typing import Any

from .slip_lines import trace_slip

QUOTE = "put it in quotes if it is text"
BRACES = ("an unquoted {{ }} is a mapping in YAML", 'put the whole value in quotes: "{{ ... }}"')

TAB = ("a tab stands where only spaces may", "use spaces")

_OPEN_BRACES = re.compile(r"(?:^|[\[{,:\-]|\s)\s*\{\{")
_CLOSED_QUOTE = re.compile(r"""(?:[:\-,\[{]|^)\s*(?P<quoted>'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")\s*$""")

# What the parser says, what is wrong and what to do. The first that matches is told.
_SAID = (
    (
        "mapping values are not allowed",
        "a colon followed by a space stands in unquoted text",
        "put the whole text in quotes",
    ),
    ("found a tab character", *TAB),
    ("cannot start any token", "unquoted text cannot begin with this character", "put the text in quotes"),
    ("unexpected document indicator", "a quotation mark is never closed", "close it"),
    (
        "invalid Unicode character",
        "this escape stands for no character (half of a pair)",
        "write the character itself, or \\U and 8 digits",
    ),
    ("unknown escape character", "YAML does not know this escape", "use single quotes, or write \\\\ for a backslash"),
    ("expected alphabetic or numeric", "text that begins with * or & is an alias in YAML", "put the text in quotes"),
    ("undefined tag handle", "unknown tag", QUOTE),
    ("expected ',' or", "a comma or a closing bracket is missing", "add it, or put the text in quotes"),
    ("expected '-' indicator", "this line is not an entry of the list above it", "indent it as the other entries"),
    ("expected key", "this line does not go on with the mapping above it", "indent it as the other keys"),
    ("sequence entries are not allowed", "a list cannot begin here", "begin it on a line of its own"),
    ("maximum nesting depth", "nested too deeply", "make the document flatter"),
)


def braces_slip(text: str, index: int) -> bool:
    """Whether the flow mapping at ``index``, which stands as a key, is the inner half of ``{{``."""
    return text[index : index + 1] == "{" and text[:index].rstrip()[-1:] == "{"


def explain(error: Any, lines: list[str]) -> tuple[int, int, str, str]:
    """Line and column (from 0), what is wrong and what to do, for a syntax error of the parser."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark is not None else (0, 0)
    text = lines[line] if line < len(lines) else ""
    before, after = text[:column], text[column:].strip(" ")
    if after.startswith("\t"):
        return line, column, *TAB
    quoted = _CLOSED_QUOTE.search(before)
    if quoted and after[:1] not in ("", "#", ",", "}", "]", ":"):
        return line, column, "text after a closing quote", 'quote the whole value with the other quotes: "..."'
    if _braces_near(lines, line, error):
        return line, column, *BRACES
    if traced := trace_slip(error, line, column, lines):
        return traced
    problem = f"{error.problem or ''}"
    for words, message, remedy in _SAID:
        if words in problem:
            return line, column, message, remedy
    context = f" {error.context}" if error.context else ""
    return line, column, f"not YAML: {problem}{context}", "mend it here or just above"


def _braces_near(lines: list[str], line: int, error: Any) -> bool:
    near = {line, line - 1}
    if error.context_mark is not None:
        near.add(error.context_mark.line)
    return any(_OPEN_BRACES.search(_unquoted(lines[n])) for n in near if 0 <= n < len(lines))


def _unquoted(line: str) -> str:
    return re.sub(r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|\s#.*$""", "_", line)
