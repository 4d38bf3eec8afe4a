"""Faults as GitHub workflow commands, which mark the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.problems import Mark
from ..loading.validate import Validation
from .inert import inert

_ESCAPES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_IN_PROPERTIES = ((":", "%3A"), (",", "%2C"))


def lines(validation: Validation) -> Iterator[str]:
    """``::error file=...,line=...,col=...::message`` for each fault, ``::notice`` for each note."""
    for problem in validation.problems:
        told = f"{problem.path}: {problem.message}" if problem.path else problem.message
        yield _command("error", problem.mark, f"{told}; {problem.remedy}" if problem.remedy else told)
    for note in validation.notes:
        yield _command("notice", note.mark, note.text)


def _command(level: str, mark: Mark, message: str) -> str:
    file = _escaped(mark.source.shown, (*_ESCAPES, *_IN_PROPERTIES))
    return f"::{level} file={file},line={mark.line},col={mark.column}::{_escaped(inert(message), _ESCAPES)}"


def _escaped(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for character, escape in escapes:
        text = text.replace(character, escape)
    return inert(text)
