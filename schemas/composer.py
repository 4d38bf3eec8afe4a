"""Compose the parser's events into plain data and its places, refusing what YAML allows and a document must not say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from .expansion import Expansion
from .marks import Branch, Document, Marks, Place
from .problems import KeyPath, Mark, Problems, Source
from .scalars import FIRST, TAGS, ScalarFault, resolve, resolve_tagged
from .slips import QUOTE, braces_slip

DEEPEST = 64


class Unreadable(Exception):
    """The document cannot be read on; the fault has been told."""


class _Missing:
    """A key that has no value yet, ``<<``, or a key that was refused and whose value is dropped."""


NO_KEY, MERGE, DROPPED = _Missing(), _Missing(), _Missing()


class _Frame:
    """A mapping or list that is still open."""

    __slots__ = ("anchor", "branch", "key", "key_place", "merges", "value")

    def __init__(self, value: Any, branch: Branch, anchor: str | None) -> None:
        self.value = value
        self.branch = branch
        self.anchor = anchor
        self.key: Any = NO_KEY
        self.key_place: Any = None
        self.merges: list[tuple[Any, Any]] | None = None


class Composer:
    """Takes the events of one document. ``text`` is what they were parsed from, to recognise slips."""

    def __init__(self, text: str, source: Source, problems: Problems) -> None:
        self._text = text
        self._source = source
        self._problems = problems
        self._stack: list[_Frame] = []
        self._top: _Frame | None = None
        self._anchors: dict[str, tuple[Any, Any]] = {}
        self._open: set[str] = set()
        self._expansion = Expansion(DEEPEST)
        self._documents = 0
        self._root: tuple[Any, Any] = (None, None)
        self.unsound: set[KeyPath] = set()
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
            self._problems.add(Mark(self._source), "", "the file is empty", "begin it with 'kind:' and 'schema_version:'")
            return None
        value, node = self._root
        return Document(self._source, value, Marks(self._source, node), self.unsound)

    def path(self) -> KeyPath:
        """The path of the node that is being read."""
        steps: list[str | int] = []
        for frame in self._stack:
            if isinstance(frame.value, list):
                steps.append(len(frame.value))
            elif isinstance(frame.key, str):
                steps.append(frame.key)
        return tuple(steps)

    def _fault(self, place: Place, message: str, remedy: str, *, path: KeyPath | None = None) -> None:
        path = self.path() if path is None else path
        self._problems.add(Mark(self._source, place.line + 1, place.column + 1), path, message, remedy)
        self.unsound.add(path)

    def _stop(self, place: Place, message: str, remedy: str) -> Unreadable:
        self._fault(place, message, remedy)
        return Unreadable()

    # -- events

    def _nothing(self, event: Any) -> None:
        pass

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise self._stop(event.start_mark, "a second document begins here", "put it in a file of its own")

    def _scalar(self, event: Any) -> None:
        value = event.value
        top = self._top
        if top is not None and top.key is NO_KEY and top.branch.keys is not None:
            self._key(event, value, top)
            return
        if event.tag is not None or (event.implicit[0] and (not value or value[0] in FIRST)):
            value = self._resolved(event, value)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, event.start_mark)
            self._expansion.keep(value)
        self._attach(value, event.start_mark)

    def _key(self, event: Any, key: str, top: _Frame) -> None:
        top.key_place = event.start_mark
        plain = event.tag is None and event.implicit[0]
        if plain and key == "<<":
            top.key = MERGE
            return
        if event.tag is not None or (plain and (not key or key[0] in FIRST)):
            found = self._resolved(event, key)
            if not isinstance(found, str):
                self._fault(event.start_mark, f"the key {key or 'before the colon'} is not text", QUOTE)
        if event.anchor is not None:
            self._anchors[event.anchor] = (key, event.start_mark)
        self._take_key(key, event.start_mark, top)

    def _take_key(self, key: str, place: Place, top: _Frame) -> None:
        if key in top.value:
            first = (top.branch.keys or {})[key]
            path = (*self.path(), key)
            self._fault(place, f"the key stands twice, first in line {first.line + 1}", "keep one of them", path=path)
            top.key = DROPPED
        else:
            top.key = key

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
        self._fault(event.start_mark, f"unknown tag {tag}", "leave it out, or put the text in quotes")
        return text

    def _mapping(self, event: Any) -> None:
        self._begin(event, {}, Branch(event.start_mark, {}, {}), "map")

    def _sequence(self, event: Any) -> None:
        self._begin(event, [], Branch(event.start_mark, None, []), "seq")

    def _begin(self, event: Any, value: Any, branch: Branch, kind: str) -> None:
        top = self._top
        if top is not None and top.key is NO_KEY and top.branch.keys is not None:
            self._refuse_key(event, top)
        if event.tag is not None and event.tag != "!" and TAGS.get(event.tag) != kind:
            self._fault(event.start_mark, f"unknown tag {event.tag}", "leave it out")
        if len(self._stack) >= DEEPEST:
            raise self._stop(event.start_mark, f"nested deeper than {DEEPEST} levels", "make the document flatter")
        if event.anchor is not None:
            self._open.add(event.anchor)
        self._top = _Frame(value, branch, event.anchor)
        self._stack.append(self._top)

    def _refuse_key(self, event: Any, top: _Frame) -> None:
        """A mapping or list stands where a key should; it is read (it has a value of its own) and dropped."""
        if braces_slip(self._text, event.start_mark.index):
            raise self._stop(top.branch.place, "an unquoted {{ }} is a mapping in YAML", 'put the whole value in quotes: "{{ ... }}"')
        raise self._stop(event.start_mark, "a mapping or list cannot be a key", QUOTE)

    def _end(self, event: Any) -> None:
        frame = self._stack.pop()
        self._top = self._stack[-1] if self._stack else None
        if frame.merges is not None:
            self._merge(frame)
        if frame.anchor is not None:
            self._open.discard(frame.anchor)
            self._anchors[frame.anchor] = (frame.value, frame.branch)
            self._expansion.keep(frame.value)
        self._attach(frame.value, frame.branch)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        if name in self._open:
            raise self._stop(event.start_mark, f"*{name} stands inside what it names", "write out what is meant")
        if name not in self._anchors:
            self._fault(event.start_mark, f"nothing is named &{name} above", f"name it, or put '*{name}' in quotes if it is text")
            value, node = None, event.start_mark
        else:
            value, node = self._anchors[name]
            if not self._expansion.allows(value, len(self._stack)):
                raise self._stop(event.start_mark, "the aliases stand for too much data", "write less by alias")
        top = self._top
        if top is not None and top.key is NO_KEY and top.branch.keys is not None:
            top.key_place = event.start_mark
            if not isinstance(value, str):
                raise self._stop(event.start_mark, "a key cannot be an alias of something that is not text", "write the key")
            self._take_key(value, event.start_mark, top)
            return
        self._attach(value, node)

    # -- joining

    def _attach(self, value: Any, node: Any) -> None:
        top = self._top
        if top is None:
            self._root = (value, node)
        elif top.branch.keys is None:
            top.value.append(value)
            top.branch.items.append(node)
        else:
            key = top.key
            if type(key) is str:
                top.value[key] = value
                top.branch.items[key] = node
                top.branch.keys[key] = top.key_place
            elif key is MERGE:
                self._remember_merge(value, node, top)
            top.key = NO_KEY

    def _remember_merge(self, value: Any, node: Any, top: _Frame) -> None:
        if top.merges is not None:
            self._fault(top.key_place, "the key << stands twice", "give it one list: <<: [*a, *b]")
            return
        listed = isinstance(value, list)
        found = list(zip(value, node.items, strict=True)) if listed else [(value, node)]
        if not all(isinstance(each, dict) for each, _ in found):
            self._fault(top.key_place, "<< takes a mapping or a list of mappings", "name a mapping, as in <<: *defaults")
            found = []
        top.merges = found

    def _merge(self, frame: _Frame) -> None:
        """Lay the mapping's own keys over the merged ones; of those, the first that has a key wins. Shallow."""
        own, branch = dict(frame.value), frame.branch
        keys, items = dict(branch.keys or {}), dict(branch.items)
        for value, node in reversed(frame.merges or []):
            frame.value.update(value)
            branch.items.update(node.items)
            if branch.keys is not None:
                branch.keys.update(node.keys)
        frame.value.update(own)
        branch.items.update(items)
        if branch.keys is not None:
            branch.keys.update(keys)
