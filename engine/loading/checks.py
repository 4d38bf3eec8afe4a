"""Build checks: prefixes taken off, files read, and ``use`` replaced by the checks it names."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.nearest import did_you_mean
from ...schemas.problems import dotted
from ...schemas.scenario_documents import Check
from .files import is_reference
from .node import Node, inert, rows_of, value_of
from .tools import function_reference

COMMON = frozenset({"type", "name", "when", "gate", "of"})


@dataclass(frozen=True, slots=True)
class BuiltCheck:
    """A check with the node it was made from, and the conditions of each ``use`` that led to it."""

    check: Check
    node: Node
    whens: tuple[Node, ...] = ()


def bare_type(written: str) -> tuple[str, bool]:
    """The type without its prefixes, and whether ``not-`` was one of them."""
    negated = False
    while True:
        for prefix in ("not-", "trajectory:"):
            if written.startswith(prefix):
                written = written.removeprefix(prefix)
                negated ^= prefix == "not-"
                break
        else:
            return written, negated


class CheckBuilder:
    """Makes each check of a document once, however many scenarios use it."""

    def __init__(self, shared: Node | None, helper: str = "") -> None:
        self._helper = helper  # who judges where a check does not say it
        self._shared = dict(shared.entries()) if shared else {}
        self._names = list(shared.value) if shared and isinstance(shared.value, dict) else []
        self._built: dict[Any, list[BuiltCheck]] = {}

    def shared(self) -> Mapping[str, Node]:
        """The lists of pack-level ``checks``, by id."""
        return self._shared

    def checks(self, node: Node | None) -> list[BuiltCheck]:
        """Every sound check of a list, with ``use`` expanded."""
        return [] if node is None else [built for item in node.items() for built in self._item(item, ())]

    def _item(self, node: Node, using: tuple[str, ...]) -> list[BuiltCheck]:
        if not node.whole or not isinstance(node.value, dict):
            return []
        known = self._built.get(node.path)
        if known is None:
            is_use = node.value.get("type") == "use"
            known = self._used(node, using) if is_use else [BuiltCheck(self._check(node, using), node)]
            self._built[node.path] = known
        return known

    def _used(self, node: Node, using: tuple[str, ...]) -> list[BuiltCheck]:
        """The checks a ``use`` names, each under the ``when`` and ``gate`` of the ``use`` as well."""
        name = node.value["value"]
        entry = self._shared.get(name)
        value = node.get("value") or node
        if name in using:
            value.fault(f"checks.{name} uses itself", "take the circle apart: " + " -> ".join((*using, name)))
            return []
        if entry is None:
            if name not in self._names:
                value.fault(f"there are no shared checks '{name}'", did_you_mean(name, self._names, what="checks"))
            return []
        found = [built for item in entry.items() for built in self._item(item, (*using, name))]
        when = node.get("when")
        whens = () if when is None else (when,)
        return [BuiltCheck(_under(built.check, node.value), built.node, (*built.whens, *whens)) for built in found]

    def alternatives(self, node: Node) -> list[BuiltCheck]:
        """The checks inside an ``any-of``."""
        return self.checks(node.get("checks"))

    def _check(self, node: Node, using: tuple[str, ...]) -> Check:
        kind, negated = bare_type(node.value["type"])
        return Check(
            type=kind,
            negated=negated,
            name=node.plain("name", ""),
            when=node.text("when"),
            gate=node.plain("gate", True),
            of=node.text("of"),
            args=dict(self._args(kind, node, using)),
            path=dotted(node.path),
            mark=node.mark,
        )

    def _args(self, kind: str, node: Node, using: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        if kind == "llm-rubric":
            yield "judge", self._helper
        for key, member in node.settings():
            if key in COMMON:
                continue
            if kind == "any-of" and key == "checks":
                yield key, tuple(check for item in member.items() for check in self._alternative(item, using))
            elif kind == "python" and key == "value":
                yield key, function_reference(member) or ""
            elif kind == "world" and key == "equals" and is_reference(member.value):
                yield key, [inert(row.values) for row in rows_of(member) or ()]
            else:
                yield key, value_of(member)

    def _alternative(self, item: Node, using: tuple[str, ...]) -> list[Check]:
        """One check of an ``any-of``; a ``use`` there counts as one, which holds if all of its checks hold."""
        found = [built.check for built in self._item(item, using)]
        if item.value.get("type") != "use" or len(found) < 2:
            return found
        args = {"checks": tuple(found), "min": len(found)}
        return [Check(type="any-of", name=item.value["value"], args=args, path=dotted(item.path), mark=item.mark)]


def _under(check: Check, use: Mapping[str, Any]) -> Check:
    when = use.get("when")
    if when is not None:
        when = when if check.when is None else f"({when}) and ({check.when})"
    gate = check.gate and use.get("gate", True)
    return dataclasses.replace(check, name=check.name or use.get("name", ""), when=when or check.when, gate=gate)
