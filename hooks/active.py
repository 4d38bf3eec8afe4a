"""Who hears what: an active hook, and the objects that observe each pack for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Method = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """What observes one pack: an object, its methods by point, its settings as a JSON object."""

    hook: object
    methods: Mapping[str, Method]
    settings: bytes = b"{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveHook:
    """One ``--hook``: its name, taken once, and what observes each pack, by the pack's name."""

    name: str
    asked: str
    source: str
    observers: Mapping[str, Observer] = field(default_factory=dict)
    serial: bool = False

    def at(self, point: str, pack: str | None) -> list[Observer]:
        """Who hears ``point`` of ``pack`` (None: of the whole sweep), each object once."""
        heard: dict[int, Observer] = {}
        for name, each in self.observers.items():
            if pack in (None, name) and point in each.methods:
                heard.setdefault(id(each.hook), each)
        return list(heard.values())
