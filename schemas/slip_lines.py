"""Find the line in which a slip was made: it often stands above the one in which the parser stumbles."""

from __future__ import annotations

import re
from typing import Any

Told = tuple[int, int, str, str]  # line and column from 0, what is wrong, and what to do

_STARTS = r"(?<![^\s\[{,:\-])"  # a quotation mark opens only where a value can begin
_TOKENS = re.compile(
    rf"""{_STARTS}(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?:^|(?<=\s))(?P<comment>\#.*)$|{_STARTS}(?P<open>["'])"""
)
_KEY = re.compile(r" *(?:- +)*(?P<key>[A-Za-z_][\w.-]*) *$")
_KEY_AND_TEXT = re.compile(r" *(?:- +)*(?P<key>[A-Za-z_][\w.-]*): +[^\s|>&\"'\[{#]")
_CLOSING = {"[": "]", "{": "}"}


def trace_slip(error: Any, line: int, column: int, lines: list[str]) -> Told | None:
    """Where the slip was made and what it was, or None where it is just what the parser says, where it says it."""
    problem = f"{error.problem or ''}"
    context = error.context_mark
    if opened := _open_quote(lines, line, column):
        words = f"the quotation mark that opens here is closed only in line {line + 1}, and more text follows"
        return *opened, words, "close it where its text ends"
    if "expected ':'" in problem and context is not None:
        return _key_without_colon(context.line, context.column, _line(lines, context.line))
    if "mapping values are not allowed" in problem:
        return _dash(line, _line(lines, line)) or _indented(line, column, lines)
    if "end of stream" in problem and context is not None:
        return context.line, context.column, "the quotation mark that opens here is never closed", "close it"
    if "expected node content" in problem:
        return _hidden_bracket(line - 1, 0, _line(lines, line - 1), "]}")
    if "expected ',' or" in problem and context is not None and context.line < line:
        return _open_bracket(context.line, context.column, line, lines)
    return None


def _line(lines: list[str], n: int) -> str:
    return lines[n] if n < len(lines) else ""


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _open_quote(lines: list[str], line: int, column: int) -> tuple[int, int] | None:
    """Where the text began whose quotation mark, just before the column, closes it lines later."""
    before = _line(lines, line)[:column].rstrip()
    quote = before[-1:]
    if quote not in ('"', "'") or any(_quoted(each) and each.end() == len(before) for each in _TOKENS.finditer(before)):
        return None
    for above in range(line - 1, -1, -1):
        for token in _TOKENS.finditer(lines[above]):
            if token["open"] == quote:
                return above, token.start()
    return None


def _quoted(token: re.Match[str]) -> bool:
    return token["open"] is None and token["comment"] is None


def _key_without_colon(line: int, column: int, text: str) -> Told:
    if dash := _dash(line, text):
        return dash
    if tight := re.match(r"[\w.-]+:(?=\S)", text[column:]):
        return line, column + tight.end(), "a space is missing after the colon", "add it"
    return line, column, "this line has no colon, or is not indented", "add the colon, or indent the text"


def _dash(line: int, text: str) -> Told | None:
    if not re.match(r" *-[^\s\-\d]", text):
        return None
    return line, _indent(text), "a space is missing after the dash, so that it begins no entry of a list", "add it"


def _indented(line: int, column: int, lines: list[str]) -> Told | None:
    """A key below a line of text, and deeper than its key: to YAML it goes on with the text."""
    here, above = _KEY.match(lines[line][:column]), _KEY_AND_TEXT.match(_line(lines, line - 1)) if line else None
    if here is None or above is None or above.start("key") >= here.start("key"):
        return None
    words = f"the key '{here['key'][:60]}' is indented deeper than the line above it, and would go on with its text"
    return line, here.start("key"), words, "indent both lines alike, or put the whole text in quotes"


def _open_bracket(opened: int, column: int, line: int, lines: list[str]) -> Told | None:
    """A bracket that is still open where a later line is not indented as what stands in it."""
    text = lines[opened]
    if line < len(lines) and _indent(lines[line]) > _indent(text):
        return None
    closing = _CLOSING.get(text[column : column + 1], "]")
    hidden = _hidden_bracket(opened, column, text, closing)
    return hidden or (opened, column, "the bracket that opens here is never closed", f"close it with {closing}")


def _hidden_bracket(line: int, column: int, text: str, closing: str) -> Told | None:
    """A bracket that would close the value, in what YAML takes for a comment."""
    for token in _TOKENS.finditer(text, column):
        if token["comment"] and (found := next((each for each in closing if each in token["comment"]), "")):
            words = f"text that begins with # is a comment, and the closing {found} is in it"
            return line, token.start(), words, "put the text in quotes"
    return None
