"""A value of a document together with its place; what is not sound in shape is simply not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...schemas.documents import Inert
from ...schemas.marks import Marks
from ...schemas.problems import KeyPath, Mark, Problems
from .files import Files, Place, is_reference
from .rows import DataRow, read_rows


@dataclass(slots=True, kw_only=True)
class Tree:
    """What the nodes of one joined document share. ``unsound`` are the paths at which the shape is at fault."""

    marks: Marks
    problems: Problems
    files: Files
    unsound: frozenset[KeyPath] = frozenset()
    above: frozenset[KeyPath] = field(default=frozenset(), init=False)

    def __post_init__(self) -> None:
        self.above = frozenset(path[:length] for path in self.unsound for length in range(len(path)))


class Node:
    """One value with its key path. Made on the way down; cheap enough to make one for every value looked at."""

    __slots__ = ("path", "tree", "value")

    def __init__(self, tree: Tree, value: Any, path: KeyPath = ()) -> None:
        self.tree = tree
        self.value = value
        self.path = path

    def get(self, key: str) -> Node | None:
        """The member of a map, or None where it is absent or unsound."""
        value, tree = self.value, self.tree
        if not isinstance(value, dict) or key not in value:
            return None
        path = (*self.path, key)
        return None if tree.unsound and path in tree.unsound else Node(tree, value[key], path)

    def down(self, *keys: str) -> Node | None:
        """``get`` for each key in turn."""
        found: Node | None = self
        for key in keys:
            found = found.get(key) if found else None
        return found

    def entries(self) -> Iterator[tuple[str, Node]]:
        """The sound members of a map of ids, of names, of data."""
        tree, above = self.tree, self.path
        if isinstance(self.value, dict):
            for key, value in self.value.items():
                path = (*above, key)
                if not (tree.unsound and path in tree.unsound):
                    yield key, Node(tree, value, path)

    def settings(self) -> Iterator[tuple[str, Node]]:
        """The sound members of a map whose keys are ours, but for those that are the author's own."""
        return ((key, member) for key, member in self.entries() if not is_free(key))

    def items(self) -> Iterator[Node]:
        """The sound members of a list, each with the index it has in the document."""
        if isinstance(self.value, list):
            for index, value in enumerate(self.value):
                path = (*self.path, index)
                if path not in self.tree.unsound:
                    yield Node(self.tree, value, path)

    @property
    def whole(self) -> bool:
        """Whether nothing here or below is unsound in shape."""
        return self.path not in self.tree.unsound and self.path not in self.tree.above

    @property
    def mark(self) -> Mark:
        return self.tree.marks.value(self.path)

    @property
    def place(self) -> Place:
        return Place(self.mark, self.path)

    def fault(self, message: str, remedy: str = "") -> None:
        self.tree.problems.add(self.mark, self.path, message, remedy)

    def fault_at_key(self, message: str, remedy: str = "") -> None:
        self.tree.problems.add(self.tree.marks.key(self.path), self.path, message, remedy)

    def plain(self, key: str, default: Any) -> Any:
        """The value of a member as it stands."""
        member = self.get(key)
        return default if member is None else member.value

    def text(self, key: str) -> str | None:
        """The text of a member: what stands there, or Inert text of the file it names."""
        member = self.get(key)
        return None if member is None else text_of(member)


def is_free(key: str) -> bool:
    """Whether a key is the author's own and means nothing to us."""
    return key == "meta" or key.startswith("x-")


def text_of(node: Node) -> str | None:
    """A text with its ``file://`` read (Inert), or ``{template: file://x}`` read as a template; None for no text."""
    value = node.value
    if isinstance(value, str):
        return file_text(node) if is_reference(value) else value
    template = _template(node)
    return None if template is None else file_text(template, rendered=True)


def file_text(node: Node, *, rendered: bool = False) -> str | None:
    """The text of the file that a node names; Inert, so that it is never rendered, unless asked for."""
    text = node.tree.files.text(node.tree.files.beside(node.value, node.mark), node.place)
    return text if text is None or rendered else Inert(text)


def value_of(node: Node) -> Any:
    """A nested value with every ``file://`` in it read; in a list, a glob becomes one text for each file."""
    value = node.value
    if isinstance(value, str):
        return text_of(node) or "" if is_reference(value) else value
    if isinstance(value, list):
        return [member for item in node.items() for member in _members(item)]
    if isinstance(value, dict):
        if _template(node) is not None:
            return text_of(node) or ""
        return {key: value_of(Node(node.tree, member, (*node.path, key))) for key, member in value.items()}
    return value


def texts_of(node: Node) -> list[str]:
    """The texts that stand where a list is meant: the list, or the files of one glob."""
    found = value_of(node) if isinstance(node.value, list) else _members(node)
    return [text for text in found if isinstance(text, str)]


def cells_of(node: Node) -> dict[str, Any]:
    """The cells of an inline row; a column may well be named ``template``."""
    return {key: value_of(Node(node.tree, value, (*node.path, key))) for key, value in node.value.items()}


def rows_of(node: Node) -> list[DataRow] | None:
    """Every row of the data files that a node names; None, with faults, where one does not hold."""
    rows: list[DataRow] = []
    sources = node.tree.files.matches(node.value, node.place)
    whole = bool(sources)
    for source in sources:
        text = node.tree.files.text(source, node.place)
        found = None if text is None else read_rows(text, source, node.tree.problems)
        whole = whole and found is not None
        rows.extend(found or ())
    return rows if whole else None


def inert(value: Any) -> Any:
    """The same value with every text in it Inert."""
    if isinstance(value, str):
        return Inert(value)
    if isinstance(value, list):
        return [inert(member) for member in value]
    if isinstance(value, dict):
        return {key: inert(member) for key, member in value.items()}
    return value


def _members(item: Node) -> Iterable[Any]:
    if not is_reference(item.value):
        return (value_of(item),)
    files = item.tree.files
    texts = (files.text(source, item.place) for source in files.matches(item.value, item.place))
    return [Inert(text) for text in texts if text is not None]


def _template(node: Node) -> Node | None:
    value = node.value
    if isinstance(value, dict) and len(value) == 1 and is_reference(value.get("template")):
        return node.get("template")
    return None
