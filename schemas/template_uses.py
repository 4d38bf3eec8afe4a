"""Tell which names a template or expression uses, in every branch, without running or compiling it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from jinja2 import nodes

from .errors import TemplateFault
from .nearest import did_you_mean
from .sandbox import GLOBALS, SANDBOX
from .sandbox_lists import LIST_FILTERS
from .sandbox_methods import MAPPING_METHODS
from .sandbox_syntax import parse_expression, parse_template
from .sandbox_tests import TESTS

Guard = Literal["", "default", "defined"]
SECRET = "secret"  # noqa: S105 - the name of a function


_DOTTED = re.compile(r"\{\{ *([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?(?:\.[A-Za-z_]\w*|\[-?[0-9]+\])* *\}\}", re.ASCII)
_RESERVED = "true false none True False None not and or is in if else"
_WORDS = frozenset(_RESERVED.split()).union(GLOBALS)


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


@lru_cache(maxsize=16_384)
def uses_of(source: str, expression: bool) -> Uses:
    """Read once; a text that does not parse has its fault and no uses."""
    simple = None if expression or "\n" in source else _simple(source)
    if simple is not None:
        return simple
    try:
        tree = parse_expression(SANDBOX, source) if expression else parse_template(SANDBOX, source)
    except TemplateFault as fault:
        return Uses(faults=[str(fault)])
    reader = _Reader(many_lines="\n" in source)
    reader.visit(tree)
    return reader.uses


def _simple(source: str) -> Uses | None:
    """The uses of a text with nothing but ``{{ name.member }}`` in it, where a parser would be slow; else None."""
    found = [match.groups("") for match in _DOTTED.finditer(source)]
    rest = _DOTTED.sub("", source)
    if any(mark in rest for mark in ("{{", "{%", "{#")) or any(name in _WORDS for name, _ in found):
        return None
    return Uses(found=[Use(name, member, "", 1) for name, member in found])


class _Reader:
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


def _name(reader: _Reader, node: nodes.Name, guard: Guard) -> None:
    if node.ctx == "load":
        reader.use(node.name, "", guard, node.lineno)
    else:
        reader.bound |= {node.name}


def _member(reader: _Reader, node: nodes.Getattr | nodes.Getitem, guard: Guard) -> None:
    key = node.attr if isinstance(node, nodes.Getattr) else _constant(node.arg)
    if isinstance(node.node, nodes.Name) and isinstance(key, str):
        reader.use(node.node.name, key, guard, node.lineno)
    else:
        reader.visit(node.node, guard)
    if isinstance(node, nodes.Getitem):
        reader.visit(node.arg)


def _call(reader: _Reader, node: nodes.Call, _: Guard) -> None:
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


def _filter(reader: _Reader, node: nodes.Filter, _: Guard) -> None:
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


def _test(reader: _Reader, node: nodes.Test, _: Guard) -> None:
    reader.known(node, "test", node.name, TESTS)
    reader.visit(node.node, "defined" if node.name in ("defined", "undefined") else "")
    reader.visit_all([*node.args, *node.kwargs])
    reader.visit(node.dyn_args)
    reader.visit(node.dyn_kwargs)


def _for(reader: _Reader, node: nodes.For, _: Guard) -> None:
    reader.visit(node.iter)
    test = [] if node.test is None else [node.test]
    reader.inside([*targets(node.target), "loop"], [*test, *node.body])
    reader.inside([], node.else_)


def _macro(reader: _Reader, node: nodes.Macro | nodes.CallBlock, _: Guard) -> None:
    if isinstance(node, nodes.Macro):
        reader.bound |= {node.name}
    else:
        reader.visit(node.call)
    reader.visit_all(node.defaults)
    reader.inside([*(each.name for each in node.args), "caller", "varargs", "kwargs"], node.body)


def _with(reader: _Reader, node: nodes.With, _: Guard) -> None:
    reader.visit_all(node.values)
    reader.inside([name for target in node.targets for name in targets(target)], node.body)


def _assign(reader: _Reader, node: nodes.Assign, _: Guard) -> None:
    reader.visit(node.node)
    reader.visit(node.target)


def _assign_block(reader: _Reader, node: nodes.AssignBlock, _: Guard) -> None:
    reader.inside([], node.body)
    reader.visit(node.filter)
    reader.visit(node.target)


def _filter_block(reader: _Reader, node: nodes.FilterBlock, _: Guard) -> None:
    reader.inside([], node.body)
    reader.visit(node.filter)


def _namespace(reader: _Reader, node: nodes.NSRef, _: Guard) -> None:
    reader.use(node.name, "", "", node.lineno)


def _constant(node: nodes.Node) -> Any:
    return node.value if isinstance(node, nodes.Const) else None


_LOOKS: dict[type[nodes.Node], Callable[[_Reader, Any, Guard], None]] = {
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
