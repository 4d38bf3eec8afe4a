"""Faults for people: one a line, then the notes, and a line for each document that holds."""

from __future__ import annotations

from collections.abc import Iterator

from ..loading.validate import Validation
from .inert import inert


def lines(validation: Validation) -> Iterator[str]:
    """``file:line:column: path: what is wrong; what to do``, and ``ok file: what it is``."""
    for problem in validation.problems:
        yield inert(str(problem))
    for note in validation.notes:
        yield inert(str(note))
    for shown, what in sorted(validation.sound.items()):
        yield inert(f"ok {shown}: {what}")
