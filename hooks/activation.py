"""Turn the names of ``--hook`` into hooks that are ready to fire, or say what is wrong before anything runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..schemas.codec import encode
from ..schemas.documents import Pack
from ..schemas.errors import CodecFault
from .active import ActiveHook, Observer
from .contract import Event
from .errors import HookConfigError
from .events import CALL_EVENTS, EVENTS, lifecycle_event
from .hook_set import HookSet
from .hook_shape import is_serial, methods_of
from .points import POINTS
from .settings import HookTimeouts, prefix_of, read_timeouts, settings_for
from .sources import Found, find


def activate(
    names: Sequence[str],
    packs: Sequence[Pack],
    env: Mapping[str, str],
    folder: Path,
    *,
    points: Mapping[str, Collection[str]] | None = None,
) -> HookSet:
    """The hooks that ``names`` ask for, in firing order, for a sweep over ``packs``.

    ``env`` and ``folder`` are those of the call, taken once. ``points`` are the points that the skeleton of each pack
    (by its name) has of its own. Raises HookConfigError, and DocumentFault for a document that a knob names.
    """
    if not names:
        return HookSet((), {}, HookTimeouts())
    _refuse_twice(names)
    found = [find(asked, packs, env, folder) for asked in names]
    _refuse_clashes(found)
    prefixes = [prefix_of(each.name) for each in found]
    timeouts = read_timeouts(env, prefixes)
    maker = _Maker(packs=packs, env=env, prefixes=prefixes, points=points or {})
    active = [maker.active(each) for each in found]
    return HookSet(active, _events(maker.custom()), timeouts, packs=[pack.name for pack in packs])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    """Makes one hook ready for every pack of the sweep."""

    packs: Sequence[Pack]
    env: Mapping[str, str]
    prefixes: Sequence[str]
    points: Mapping[str, Collection[str]]

    def custom(self, pack: str | None = None) -> set[str]:
        """The skeleton's own points of one pack, or of all packs."""
        chosen = self.points.values() if pack is None else [self.points.get(pack, ())]
        return {point for points in chosen for point in points if point not in POINTS}

    def active(self, found: Found) -> ActiveHook:
        observers: dict[str, Observer] = {}
        by_hook: dict[int, Observer] = {}
        for pack in self.packs:
            settings = settings_for(found.name, pack.hook_settings.get(found.name, {}), self.env, self.prefixes)
            hook = found.make(pack, settings)
            if hook is None:
                continue
            if id(hook) not in by_hook:
                custom = self.custom(pack.name if found.source == "declared" else None)
                by_hook[id(hook)] = Observer(hook=hook, methods=methods_of(hook, found.name, _events(custom)))
            observers[pack.name] = replace(by_hook[id(hook)], settings=_settings_json(found.name, pack, settings))
        serial = True in {is_serial(each.hook, found.name) for each in by_hook.values()}
        return ActiveHook(
            name=found.name, asked=found.asked, source=found.source, observers=observers, serial=serial
        )


def _events(custom: Collection[str]) -> dict[str, Event]:
    """The six points, those that a skeleton has of its own, and what is told of calls."""
    own = {name: lifecycle_event(name) for name in sorted(custom)}
    return {name: EVENTS[name] for name in POINTS} | own | dict(CALL_EVENTS)


def _refuse_twice(names: Sequence[str]) -> None:
    for index, asked in enumerate(names):
        if asked in names[:index]:
            raise HookConfigError(f"--hook {asked} is given twice; give it once")


def _refuse_clashes(found: Sequence[Found]) -> None:
    by_prefix: dict[str, Found] = {}
    for each in found:
        prefix = prefix_of(each.name)
        other = by_prefix.setdefault(prefix, each)
        if other is each:
            continue
        if other.name == each.name:
            raise HookConfigError(
                f"--hook {other.asked} and --hook {each.asked} both have the name {each.name!r}; "
                "give one of them another name"
            )
        raise HookConfigError(
            f"hooks {other.name!r} and {each.name!r} would both read {prefix}*; give one of them another name"
        )


def _settings_json(hook: str, pack: Pack, settings: Mapping[str, Any]) -> bytes:
    try:
        return encode(dict(settings))
    except CodecFault as fault:
        raise HookConfigError(f"{pack.shown}: the settings of hook {hook!r} are not plain data: {fault}") from fault
