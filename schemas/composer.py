"""Compose the parser's events into plain data and its places, refusing what YAML allows and a document must not say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from .expansion import Expansion
from .frames import DROPPED, MERGE, Frame
from .marks import Branch, Document, Marks, Place
from .problems import KeyPath, Mark, Problems, Source
from .scalars import FIRST, TAGS, ScalarFault, resolve, resolve_tagged
from .slips import BRACES, QUOTE, braces_slip
from .wording import shown

DEEPEST = 64


class Unreadable(Exception):
    """The document cannot be read on; the fault has been told."""


class Composer:
    """Takes the events of one document. ``text`` is what they were parsed from, to recognise slips."""

    def __init__(self, text: str, source: Source, problems: Problems) -> None:
        self._text = text
        self._source = source
        self._problems = problems
        self._stack: list[Frame] = []
        self._top: Frame | None = None
        self._anchors: dict[str, tuple[Any, Any]] = {}
        self._open: set[str] = set()
        self._expansion = Expansion(DEEPEST)
        self._documents = 0
        self._root: tuple[Any, Any] = (None, None)
        self._unsound: set[KeyPath] = set()
        self.slipped = False  # an unquoted {{ }} has been told
        self.handlers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._mapping,
            yaml.SequenceStartEvent: self._sequence,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
            yaml.DocumentEndEvent: self._nothing,
            yaml.StreamStartEvent: self._nothing,
        }

    def document(self) -> Document | None:
        """What was composed, or None (and a fault) where the file holds nothing."""
        if not self._documents:
            remedy = "begin it with 'kind:' and 'schema_version:'"
            self._problems.add(Mark(self._source), "", "the file is empty", remedy)
            return None
        value, node = self._root
        return Document(self._source, value, Marks(self._source, node), self._unsound)

    def path(self) -> KeyPath:
        """The path of the node that is being read."""
        steps = (len(frame.value) if isinstance(frame.value, list) else frame.key for frame in self._stack)
        return tuple(step for step in steps if isinstance(step, str | int))

    def _fault(self, place: Place, message: str, remedy: str, *, path: KeyPath | None = None) -> None:
        path = self.path() if path is None else path
        self._problems.add(Mark(self._source, place.line + 1, place.column + 1), path, message, remedy)
        self._unsound.add(path)

    def _stop(self, place: Place, message: str, remedy: str) -> Unreadable:
        self._fault(place, message, remedy)
        return Unreadable()

    def _attach(self, value: Any, node: Any) -> None:
        if self._top is None:
            self._root = (value, node)
        elif self._top.key is MERGE:
            self._merge_later(value, node, self._top)
        else:
            self._top.take(value, node)

    # -- one handler an event

    def _nothing(self, _: Any) -> None:
        pass

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise self._stop(event.start_mark, "a second document begins here", "put it in a file of its own")

    def _scalar(self, event: Any) -> None:
        value = event.value
        top = self._top
        if top is not None and top.wants_key:
            self._key(event, value, top)
            return
        if event.tag is not None or (event.implicit[0] and (not value or value[0] in FIRST)):
            value = self._resolved(event, value)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, event.start_mark)
        self._attach(value, event.start_mark)

    def _key(self, event: Any, key: str, top: Frame) -> None:
        plain = event.implicit[0] and event.tag is None
        if plain and key == "<<":
            top.key, top.key_place = MERGE, event.start_mark
            return
        if event.tag is not None or (plain and (not key or key[0] in FIRST)):
            found = self._resolved(event, key)
            if not isinstance(found, str):
                said = (f"the key {key[:40]} is not text", QUOTE) if key else ("here a key is missing", "write it")
                self._fault(event.start_mark, *said)
        if event.anchor is not None:
            self._anchors[event.anchor] = (key, event.start_mark)
        self._take_key(key, event.start_mark, top)

    def _take_key(self, key: str, place: Place, top: Frame) -> None:
        top.key, top.key_place = key, place
        if key in top.value:
            first = (top.branch.keys or {})[key]
            self._fault(place, f"the key stands twice, first in line {first.line + 1}", "keep one of them")
            top.key = DROPPED

    def _resolved(self, event: Any, text: str) -> Any:
        tag = event.tag
        try:
            if tag is None:
                return resolve(text)
            if tag == "!":
                return text
            if tag in TAGS:
                return resolve_tagged(text, TAGS[tag])
        except ScalarFault as fault:
            self._fault(event.start_mark, *fault.args)
            return text
        self._fault(event.start_mark, f"unknown tag {shown(tag)}", "leave it out, or put the text in quotes")
        return text

    def _mapping(self, event: Any) -> None:
        self._begin(event, {}, Branch(event.start_mark, {}, {}), "map")

    def _sequence(self, event: Any) -> None:
        self._begin(event, [], Branch(event.start_mark, None, []), "seq")

    def _begin(self, event: Any, value: Any, branch: Branch, kind: str) -> None:
        is_key = self._top is not None and self._top.wants_key
        if is_key:
            self._refuse_key(event)
        if event.tag is not None and event.tag != "!" and TAGS.get(event.tag) != kind:
            self._fault(event.start_mark, f"unknown tag {shown(event.tag)}", "leave it out")
        if len(self._stack) >= DEEPEST:
            raise self._stop(event.start_mark, f"nested deeper than {DEEPEST} levels", "make the document flatter")
        if event.anchor is not None:
            self._open.add(event.anchor)
        self._top = Frame(value, branch, event.anchor, is_key=is_key)
        self._stack.append(self._top)

    def _refuse_key(self, event: Any) -> None:
        """A mapping or list stands where a key should."""
        if braces_slip(self._text, event.start_mark.index):
            self._fault(self._stack[-1].branch.place, *BRACES)
            self.slipped = True
        else:
            self._fault(event.start_mark, "a mapping or list cannot be a key", QUOTE)

    def _end(self, _: Any) -> None:
        frame = self._stack.pop()
        self._top = self._stack[-1] if self._stack else None
        if frame.merges is not None:
            frame.merge()
        if frame.anchor is not None:
            self._open.discard(frame.anchor)
            self._anchors[frame.anchor] = (frame.value, frame.branch)
            self._expansion.keep(frame.value)
        if self._top is not None and frame.is_key:
            self._top.key = DROPPED
        else:
            self._attach(frame.value, frame.branch)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        if name in self._open:
            raise self._stop(event.start_mark, f"*{name} stands inside what it names", "write out what is meant")
        if name not in self._anchors:
            remedy = f"name it, or put '*{name}' in quotes if it is text"
            raise self._stop(event.start_mark, f"nothing above is named &{name}", remedy)
        value, node = self._anchors[name]
        if not self._expansion.allows(value, len(self._stack)):
            raise self._stop(event.start_mark, "the aliases stand for too much data", "write less by alias")
        if self._top is None or not self._top.wants_key:
            self._attach(value, node)
        elif isinstance(value, str):
            self._take_key(value, event.start_mark, self._top)
        else:
            raise self._stop(event.start_mark, f"the key *{name} is not text", "write the key itself")

    def _merge_later(self, value: Any, node: Any, top: Frame) -> None:
        """Remember what ``<<`` names until the mapping ends."""
        found = list(zip(value, node.items, strict=True)) if isinstance(value, list) else [(value, node)]
        if top.merges is not None:
            self._fault(top.key_place, "the key << stands twice", "give it one list: <<: [*a, *b]")
        elif all(isinstance(each, dict) for each, _ in found):
            top.merges = found
        else:
            self._fault(top.key_place, "<< takes a mapping or a list of mappings", "name one, as in <<: *defaults")
        top.take(value, node)
