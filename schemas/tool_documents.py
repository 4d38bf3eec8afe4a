"""The world of a pack, the tools that reach it, and the guards before them, once they are loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .problems import Mark

EFFECTS = ("read", "draft", "internal-update", "external-send", "destructive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of the world: column name to type (text, integer, real, flag or json), and its rows.

    The text cells of the rows may be templates.
    """

    name: str
    columns: Mapping[str, str]
    rows: tuple[Mapping[str, Any], ...] = ()
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSpec:
    """The fixture data of a session; ``now`` is an ISO 8601 instant with an offset, or "" where no clock is set."""

    now: str = ""
    tables: Mapping[str, Table] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way a tool answers: the first rule whose ``when`` holds. ``text`` and ``error`` are templates."""

    when: str | None = None
    sql: tuple[str, ...] = ()
    expect_rows: int | None = None
    text: str | None = None
    error: str | None = None
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A declared function. ``input_schema`` is the JSON Schema of its arguments, ``defaults`` those it fills in.

    Exactly one of ``rules``, ``function`` (``module:attr`` or an absolute ``path.py:attr``) and ``reported`` answers.
    """

    name: str
    description: str
    effect: str
    input_schema: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    function: str | None = None
    reported: bool = False
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Refuses a tool call when the expression holds; ``reason`` is a template."""

    name: str
    refuse_when: str
    reason: str
    mark: Mark
