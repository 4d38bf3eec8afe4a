"""Walk a syntax tree in the order of the text, and write down each name that the text did not set itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from jinja2 import nodes

from .nearest import did_you_mean
from .sandbox import GLOBALS
from .sandbox_lists import LIST_FILTERS
from .sandbox_methods import MAPPING_METHODS
from .sandbox_tests import TESTS

Guard = Literal["", "default", "defined"]
SECRET = "secret"  # noqa: S105 - the name of a function


@dataclass(frozen=True, slots=True)
class Use:
    """A name that comes from outside, and the member that is taken from it ("" for the name itself)."""

    name: str
    member: str
    guard: Guard
    line: int


@dataclass(slots=True)
class Uses:
    """All that one text uses, and what is wrong with it wherever it stands."""

    found: list[Use] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Reader:
    """One walk in the order of the text; ``bound`` are the names that the text itself has set so far."""

    def __init__(self, *, many_lines: bool) -> None:
        self.uses = Uses()
        self.bound: frozenset[str] = frozenset(GLOBALS)
        self.many_lines = many_lines

    def visit(self, node: nodes.Node | None, guard: Guard = "") -> None:
        if node is None:
            return
        look = _LOOKS.get(type(node))
        if look is not None:
            look(self, node, guard)
        else:
            self.visit_all(node.iter_child_nodes())

    def visit_all(self, found: Iterable[nodes.Node]) -> None:
        for node in found:
            self.visit(node)

    def inside(self, names: Iterable[str], body: Iterable[nodes.Node]) -> None:
        """A block whose names end with it."""
        outside = self.bound
        self.bound = outside.union(names)
        self.visit_all(body)
        self.bound = outside

    def use(self, name: str, member: str, guard: Guard, line: int) -> None:
        if name not in self.bound:
            self.uses.found.append(Use(name, member, guard, line))

    def fault(self, node: nodes.Node, text: str) -> None:
        self.uses.faults.append(f"line {node.lineno}: {text}" if self.many_lines else text)

    def known(self, node: nodes.Node, what: str, name: Any, table: Iterable[str]) -> None:
        if isinstance(name, str) and name not in table:
            names = [each for each in table if each.isidentifier()]
            self.fault(node, f"unknown {what} {name!r}; {did_you_mean(name, names, what=f'{what}s')}")


def targets(node: nodes.Node) -> list[str]:
    """The names that an assignment sets."""
    return [name.name for name in [node, *node.find_all(nodes.Name)] if isinstance(name, nodes.Name)]


def _name(reader: Reader, node: nodes.Name, guard: Guard) -> None:
    if node.ctx == "load":
        reader.use(node.name, "", guard, node.lineno)
    else:
        reader.bound |= {node.name}


def _member(reader: Reader, node: nodes.Getattr | nodes.Getitem, guard: Guard) -> None:
    key = node.attr if isinstance(node, nodes.Getattr) else _constant(node.arg)
    if isinstance(node.node, nodes.Name) and isinstance(key, str):
        reader.use(node.node.name, key, guard, node.lineno)
    else:
        reader.visit(node.node, guard)
    if isinstance(node, nodes.Getitem):
        reader.visit(node.arg)


def _call(reader: Reader, node: nodes.Call, _: Guard) -> None:
    called = node.node
    if isinstance(called, nodes.Getattr) and called.attr in MAPPING_METHODS:
        reader.visit(called.node)
    elif isinstance(called, nodes.Name) and called.name == SECRET and SECRET not in reader.bound:
        reader.use(SECRET, "", "", node.lineno)
        if not any(each.name == "env" for each in node.find_all(nodes.Name)):
            reader.fault(node, "secret(...) hides a variable; write secret(env.NAME)")
    else:
        reader.visit(called)
    reader.visit_all([*node.args, *node.kwargs])
    reader.visit(node.dyn_args)
    reader.visit(node.dyn_kwargs)


def _filter(reader: Reader, node: nodes.Filter, _: Guard) -> None:
    reader.known(node, "filter", node.name, LIST_FILTERS)
    first = _constant(node.args[0]) if node.args else None
    second = _constant(node.args[1]) if len(node.args) > 1 else None
    if node.name == "map":
        reader.known(node, "filter", first, LIST_FILTERS)
    elif node.name in ("select", "reject"):
        reader.known(node, "test", first, TESTS)
    elif node.name in ("selectattr", "rejectattr"):
        reader.known(node, "test", second, TESTS)
    reader.visit(node.node, "default" if node.name in ("default", "d") else "")
    reader.visit_all([*node.args, *node.kwargs])
    reader.visit(node.dyn_args)
    reader.visit(node.dyn_kwargs)


def _test(reader: Reader, node: nodes.Test, _: Guard) -> None:
    reader.known(node, "test", node.name, TESTS)
    reader.visit(node.node, "defined" if node.name in ("defined", "undefined") else "")
    reader.visit_all([*node.args, *node.kwargs])
    reader.visit(node.dyn_args)
    reader.visit(node.dyn_kwargs)


def _for(reader: Reader, node: nodes.For, _: Guard) -> None:
    reader.visit(node.iter)
    test = [] if node.test is None else [node.test]
    reader.inside([*targets(node.target), "loop"], [*test, *node.body])
    reader.inside([], node.else_)


def _macro(reader: Reader, node: nodes.Macro | nodes.CallBlock, _: Guard) -> None:
    if isinstance(node, nodes.Macro):
        reader.bound |= {node.name}
    else:
        reader.visit(node.call)
    reader.visit_all(node.defaults)
    reader.inside([*(each.name for each in node.args), "caller", "varargs", "kwargs"], node.body)


def _with(reader: Reader, node: nodes.With, _: Guard) -> None:
    reader.visit_all(node.values)
    reader.inside([name for target in node.targets for name in targets(target)], node.body)


def _assign(reader: Reader, node: nodes.Assign, _: Guard) -> None:
    reader.visit(node.node)
    reader.visit(node.target)


def _assign_block(reader: Reader, node: nodes.AssignBlock, _: Guard) -> None:
    reader.inside([], node.body)
    reader.visit(node.filter)
    reader.visit(node.target)


def _filter_block(reader: Reader, node: nodes.FilterBlock, _: Guard) -> None:
    reader.inside([], node.body)
    reader.visit(node.filter)


def _namespace(reader: Reader, node: nodes.NSRef, _: Guard) -> None:
    reader.use(node.name, "", "", node.lineno)


def _constant(node: nodes.Node) -> Any:
    return node.value if isinstance(node, nodes.Const) else None


_LOOKS: dict[type[nodes.Node], Callable[[Reader, Any, Guard], None]] = {
    nodes.Name: _name,
    nodes.Getattr: _member,
    nodes.Getitem: _member,
    nodes.Call: _call,
    nodes.Filter: _filter,
    nodes.Test: _test,
    nodes.For: _for,
    nodes.Macro: _macro,
    nodes.CallBlock: _macro,
    nodes.With: _with,
    nodes.Assign: _assign,
    nodes.AssignBlock: _assign_block,
    nodes.FilterBlock: _filter_block,
    nodes.NSRef: _namespace,
}
