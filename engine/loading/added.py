"""Give a pack agents that it does not declare: those of a ``pack_part`` file, or one that options tell of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...schemas.documents import AddedAgents
from ...schemas.marks import Document
from ...schemas.problems import Problems
from ...schemas.reader import read_document
from ...schemas.shape import check_shape
from ..added_agents import AddedAgent, AgentOptions
from .agent_options import document_of, told_of
from .files import Files
from .include import Joined
from .kinds import checked_kind
from .node import is_free

_HEAD = frozenset({"$schema", "kind", "schema_version"})
_MAPS = ("agents", "guards")


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A document that brought agents, and the options that it was made of, if it was."""

    document: Document
    options: AgentOptions | None


def add_agents(whole: Joined, agents: Sequence[AddedAgent], files: Files, problems: Problems) -> list[Brought]:
    """Join the agents to a pack, each file once. What they lead to is no part of the pack, nor of its digest.

    Raises UsageFault for options that make no agent.
    """
    found, seen = [], set()
    for agent in agents:
        if isinstance(agent, AgentOptions):
            found.append(Brought(document=document_of(agent), options=agent))
            continue
        path = Path(os.path.abspath(agent))
        document = _read(path, os.fspath(agent), problems) if path not in seen else None
        seen.add(path)
        if document is not None:
            found.append(Brought(document=document, options=None))
    for brought in found:
        files.keep_apart(brought.document.source.path)
        _join(whole, brought, problems)
    return found


def origins(found: Sequence[Brought], files: Files) -> tuple[AddedAgents, ...]:
    """Where added agents came from, asked when everything that they name was read."""
    return tuple(_origin(brought, files) for brought in found)


def _origin(brought: Brought, files: Files) -> AddedAgents:
    source, ids = brought.document.source, tuple(_map(brought.document, "agents"))
    if brought.options is None:
        return AddedAgents(ids=ids, file=source.shown, sha256=files.digest(source.path))
    return AddedAgents(ids=ids, options=told_of(brought.options, files.led_to(source.path)))


def _read(path: Path, shown: str, problems: Problems) -> Document | None:
    """A document that holds agents, and the guards they need, and nothing else."""
    document = read_document(path, shown, problems)
    if document is None or checked_kind(document, ("pack_part",), problems) is None:
        return None
    for key in document.data:
        if key not in _HEAD and key not in _MAPS and not is_free(key):
            wrong = f"a file of agents holds agents, and guards for them; not {key}"
            problems.add(document.marks.key((key,)), (key,), wrong, "take it out, or `include` this file in a pack")
    if not document.data.get("agents"):
        problems.add(document.marks.value(()), "", "it holds no agents", "add 'agents:' with one at least")
    return document


def _join(whole: Joined, brought: Brought, problems: Problems) -> None:
    part = brought.document
    check_shape(part, "pack_part", problems, partial=True)
    whole.unsound |= {path for path in part.unsound if path}
    for key in _MAPS:
        ours = whole.data.get(key, {})
        if isinstance(ours, dict):  # what else it may be is told where it stands
            whole.data[key] = _joined(whole, brought, key, ours, problems)


def _joined(whole: Joined, brought: Brought, key: str, ours: dict[str, Any], problems: Problems) -> dict[str, Any]:
    joined, folded = dict(ours), {name.casefold(): name for name in ours}
    remedy = "give it another id" if brought.options is None else "give it another one with --agent-id"
    marks = brought.document.marks
    for name, value in _map(brought.document, key).items():
        other = folded.setdefault(name.casefold(), name)
        if other in joined:
            there = whole.marks.key((key, other))
            told = f"is already declared at {there}" + (f", as '{other}'" if other != name else "")
            problems.add(marks.key((key, name)), (key, name), told, remedy)
        else:
            joined[name] = value
            whole.marks.graft((key, name), marks, (key, name))
    return joined


def _map(document: Document, key: str) -> dict[str, Any]:
    found = document.data.get(key)
    return found if isinstance(found, dict) else {}
