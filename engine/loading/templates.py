"""Check templates and conditions where they stand: their syntax, and the names that their place provides."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...schemas.documents import Inert
from ...schemas.names import PLACES
from ...schemas.template_uses import uses_of
from ...schemas.templates import template_faults
from .files import is_reference
from .node import Node, text_of

Members = Mapping[str, Collection[str] | None]
NO_CLOCK = ("asks for `now`, and no clock is declared", "give the world a `now:`")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of names: the members of some, and (``absent``) of those that hold no fact here, what to say."""

    members: Members
    absent: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def plus(self, names: Collection[str]) -> Known:
        """The same with further names, of whose members nothing is known."""
        return Known({**self.members, **dict.fromkeys(names)}, self.absent) if names else self

    def having(self, name: str, members: Collection[str]) -> Known:
        """The same with the members of one more name."""
        return Known({**self.members, name: members}, self.absent)


class TemplateLint:
    """Looks at each template once for each set of names it can meet."""

    def __init__(self) -> None:
        self._seen: set[Any] = set()

    def value(self, node: Node | None, place: str, known: Known) -> None:
        """Every text in a nested value is a template."""
        if node is None:
            return
        value = node.value
        if isinstance(value, str):
            if "{" in value and not is_reference(value):
                self._look(node, value, place, known, expression=False)
        elif isinstance(value, list):
            for item in node.items():
                self.value(item, place, known)
        elif isinstance(value, dict):
            text = text_of(node) if len(value) == 1 else None
            if text is not None:
                self._look(node, text, place, known, expression=False)
                return
            for _, member in node.entries():
                self.value(member, place, known)

    def expression(self, node: Node | None, place: str, known: Known) -> None:
        """The text is a condition."""
        text = None if node is None else text_of(node)
        if node is not None and text is not None:
            self._look(node, str(text), place, known, expression=True)

    def _look(self, node: Node, text: str, place: str, known: Known, *, expression: bool) -> None:
        key = (node.path, place, id(known))
        if key in self._seen or (isinstance(text, Inert) and not expression):
            return
        self._seen.add(key)
        for fault in template_faults(text, place, known.members, expression=expression):
            message, _, remedy = fault.partition("; ")
            node.fault(message, remedy)
        for name, (message, remedy) in known.absent.items():
            if name in text and name in PLACES[place].names and _relies_on(name, text, expression):
                node.fault(message, remedy)


def _relies_on(name: str, text: str, expression: bool) -> bool:
    """Whether a text uses a name without asking first whether it is defined."""
    return any(use.name == name and not use.guard for use in uses_of(text, expression).found)
