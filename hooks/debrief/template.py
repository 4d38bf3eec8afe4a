"""Build a debrief template from its document, and refuse one that asks about steering before the environment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ...schemas.documents import Inert
from ...schemas.hook_documents import DebriefTemplate, FollowUp, Question
from ...schemas.marks import Document, Marks
from ...schemas.problems import KeyPath, Problems
from ...schemas.templates import template_faults
from .text_files import read_text

ABOUT = ("environment", "blockers", "steering")
DEFAULT_WHEN = "failed_layers"
_PLACE = "debrief"
_FOLLOW_UP_PLACE = "follow_up"

Known = Mapping[str, Collection[str] | None]


def build_template(document: Document, problems: Problems) -> DebriefTemplate | None:
    """The template of a document of kind ``debrief``, sound in shape. None, with faults, where it does not hold."""
    return build_entry(document.data, document.marks, (), problems, name=document.data.get("name", ""))


def build_entry(
    entry: Mapping[str, Any], marks: Marks, at: KeyPath, problems: Problems, *, name: str, known: Known | None = None
) -> DebriefTemplate | None:
    """The template of one entry of a pack's ``debriefs:``, sound in shape, that stands at key path ``at``.

    ``known`` are the members of ``vars`` and ``case`` where they are known. None, with faults, where it does not hold.
    """
    reader = _Reader(marks, problems, known or {})
    before = len(problems)
    reader.check_order(entry["ask"], (*at, "ask"))
    when = reader.expression(entry.get("when", DEFAULT_WHEN), (*at, "when"), _PLACE)
    preamble = reader.text(entry.get("preamble", ""), (*at, "preamble"), _PLACE)
    ask = tuple(
        Question(about=item["about"], question=reader.text(item["question"], (*at, "ask", n, "question"), _PLACE))
        for n, item in enumerate(entry["ask"])
    )
    follow_ups = tuple(
        reader.follow_up(item, (*at, "follow_ups", n)) for n, item in enumerate(entry.get("follow_ups", ()))
    )
    if len(problems) > before:
        return None
    return DebriefTemplate(name=name, when=when, preamble=preamble, ask=ask, follow_ups=follow_ups)


class _Reader:
    """Reads the texts of one template, each checked against the names that its place gives."""

    def __init__(self, marks: Marks, problems: Problems, known: Known) -> None:
        self._marks = marks
        self._problems = problems
        self._known = known

    def check_order(self, ask: list[Mapping[str, Any]], at: KeyPath) -> None:
        latest = 0
        for n, item in enumerate(ask):
            rank = ABOUT.index(item["about"])
            if n == 0 and rank > 0:
                return self._refuse_order((*at, n, "about"), f"asks about {item['about']} before the environment")
            if rank < latest:
                return self._refuse_order((*at, n, "about"), f"asks about {item['about']} after {ABOUT[latest]}")
            latest = rank
        return None

    def _refuse_order(self, path: KeyPath, message: str) -> None:
        remedy = f"ask in the order {', '.join(ABOUT)}, and about the environment in any case"
        self._problems.add(self._marks.value(path), path, message, remedy)

    def follow_up(self, item: Mapping[str, Any], at: KeyPath) -> FollowUp:
        question = self.text(item["question"], (*at, "question"), _FOLLOW_UP_PLACE)
        when = item.get("when")
        if when is not None:
            when = self.expression(when, (*at, "when"), _FOLLOW_UP_PLACE)
        return FollowUp(question=question, when=when)

    def text(self, value: Any, at: KeyPath, place: str) -> str:
        text = read_text(value, self._marks.value(at), at, self._problems)
        if not isinstance(text, Inert):
            self._check(text, at, place, expression=False)
        return text

    def expression(self, source: str, at: KeyPath, place: str) -> str:
        self._check(source, at, place, expression=True)
        return source

    def _check(self, source: str, at: KeyPath, place: str, *, expression: bool) -> None:
        for fault in template_faults(source, place, self._known, expression=expression):
            self._problems.add(self._marks.value(at), at, fault)
