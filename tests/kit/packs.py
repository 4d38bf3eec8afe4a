"""Small packs as loading would leave them, for tests that need no document."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from windtunnel.schemas.documents import Pack
from windtunnel.schemas.hook_documents import DebriefTemplate, DeclaredHook, DeclaredPoint, HookStep
from windtunnel.schemas.problems import Mark, Source


def mark_of(folder: Path, name: str = "desk") -> Mark:
    return Mark(Source(folder / f"{name}.yaml", f"{name}.yaml"), 1, 1)


def small_pack(
    folder: Path,
    name: str = "desk",
    *,
    hooks: Mapping[str, Mapping[str, tuple[tuple[Any, ...], ...]]] | None = None,
    hook_settings: Mapping[str, Mapping[str, Any]] | None = None,
    debriefs: Mapping[str, DebriefTemplate] | None = None,
) -> Pack:
    """A pack with ``{hook: {point: ((kind, value[, as]), ...)}}``; a first step ("when", x) is the point's ``when``."""
    declared = {hook: declared_hook(folder, hook, points) for hook, points in (hooks or {}).items()}
    return Pack(
        name=name,
        path=folder / f"{name}.yaml",
        shown=f"{name}.yaml",
        agents={},
        scenarios={},
        hooks=declared,
        hook_settings=hook_settings or {},
        debriefs=debriefs or {},
    )


def declared_hook(folder: Path, name: str, points: Mapping[str, tuple[tuple[Any, ...], ...]]) -> DeclaredHook:
    mark = mark_of(folder)
    found = {}
    for point, steps in points.items():
        when = steps[0][1] if steps[0][0] == "when" else None
        played = tuple(
            HookStep(kind=step[0], value=step[1], name=step[2] if len(step) > 2 else "", mark=mark)
            for step in steps
            if step[0] != "when"
        )
        found[point] = DeclaredPoint(point=point, when=when, steps=played)
    return DeclaredHook(name=name, points=found, mark=mark)
