"""Check the shape of a document by its schema, and tell every fault at its place."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from .agent_chain import runtime_of
from .branches import Chooser
from .judge import ShapeFault, judge
from .marks import Document
from .nearest import did_you_mean, nearest
from .problems import KeyPath, Problems
from .registry import DOCUMENTS, Schema, resolve, whole
from .wording import shown, wrong_type


def kind_of(document: Document, problems: Problems) -> str | None:
    """The kind a document says it is; None (and a fault) where it says none that we know, or a version we do not."""
    if not isinstance(document.data, dict):
        problems.add(document.marks.value(()), "", *wrong_type(document.data, ["object"]))
        return None
    kind, version = document.data.get("kind"), document.data.get("schema_version")
    if "kind" not in document.data:
        problems.add(document.marks.value(()), "", "the key 'kind' is missing", f"add it: {', '.join(DOCUMENTS)}")
        return None
    if not isinstance(kind, str) or kind not in DOCUMENTS:
        remedy = did_you_mean(str(kind), DOCUMENTS)
        problems.add(document.marks.value(("kind",)), "kind", f"unknown kind {shown(kind)}", remedy)
        return None
    if type(version) is int and version > DOCUMENTS[kind]:
        message = f"version {version} is newer than this Wind Tunnel knows"
        mark = document.marks.value(("schema_version",))
        problems.add(mark, "schema_version", message, f"update Wind Tunnel, or write {DOCUMENTS[kind]}")
        return None
    return kind


def check_shape(document: Document, kind: str, problems: Problems, *, partial: bool = False) -> bool:
    """Whether the document has the shape of its kind. Parts that have not are put into ``document.unsound``.

    ``partial``: keys that the schema requires at the top are not asked for (before parts are joined).
    """
    found = judge(document.data, _without_required(kind) if partial else whole(kind))
    if kind in ("pack", "pack_part"):
        found += _derived_agents(document.data)
    told = frozenset(document.unsound)
    for fault in _meant(found):
        _tell(fault, document, problems, told)
    return not found


@cache
def _without_required(kind: str) -> Schema:
    return {**whole(kind), "required": ["kind", "schema_version"]}


def _derived_agents(data: Any) -> list[ShapeFault]:
    """An agent that extends another has the keys of that one's runtime, where this document tells which it is."""
    agents = data.get("agents") if isinstance(data, dict) else None
    found: list[ShapeFault] = []
    if not isinstance(agents, dict):
        return found
    branches = _runtime_branches()
    for name, agent in agents.items():
        runtime = runtime_of(name, agents)
        if isinstance(agent, dict) and "runtime" not in agent and runtime in branches:
            found += [_under(("agents", name), fault) for fault in judge(agent, branches[runtime])]
    return found


@cache
def _runtime_branches() -> dict[str, Schema]:
    """The keys of each runtime of ours, none of them required."""
    chooser = Chooser(resolve("agent.v1.json#")["oneOf"])
    return {
        runtime: {key: value for key, value in chooser.branches[at].items() if key not in ("required", "if", "else")}
        for runtime, at in chooser.by_value.items()
    }


def _under(path: KeyPath, fault: ShapeFault) -> ShapeFault:
    return replace(fault, path=path + fault.path)


def _meant(found: list[ShapeFault]) -> list[ShapeFault]:
    """Leave out a key that is missing where an unknown one stands that is probably meant for it."""
    unknown: dict[KeyPath, list[str]] = {}
    for fault in found:
        if fault.keyword == "unknown":
            unknown.setdefault(fault.path, []).append(fault.key)
    return [fault for fault in found if fault.keyword != "required" or not _misspelt(fault, unknown)]


def _misspelt(missing: ShapeFault, unknown: dict[KeyPath, list[str]]) -> bool:
    return any(nearest(key, [missing.key]) is not None for key in unknown.get(missing.path, ()))


def _tell(fault: ShapeFault, document: Document, problems: Problems, told: frozenset[KeyPath]) -> None:
    at_key = fault.keyword in ("unknown", "key")
    path = (*fault.path, fault.key) if at_key else fault.path
    mark = document.marks.key(path) if at_key else document.marks.value(path)
    document.unsound.add(path)
    if path and path in told and fault.keyword != "unknown":
        return  # the reader has told what is wrong with this value
    problems.add(mark, path, fault.message, fault.remedy)
