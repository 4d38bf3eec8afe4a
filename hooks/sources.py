"""Find what ``--hook NAME`` means: built in, of a pack, an entry point, ``module:attr`` or ``file.py:attr``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from ..schemas.bounded import describe_error
from ..schemas.documents import Pack
from ..schemas.nearest import nearest
from .all_hooks import BUILT_IN
from .declared import DeclaredHookPlayer
from .errors import HookConfigError
from .foreign_object import instance_of
from .hook_shape import captured_name
from .loader import in_import_time, load_object

GROUP = "windtunnel.hooks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A hook that was asked for. ``make(pack, settings)`` gives what observes that pack, None where nothing does."""

    asked: str
    name: str
    source: str
    make: Callable[[Pack, Mapping[str, Any]], object | None]


def available(packs: Sequence[Pack]) -> dict[str, str]:
    """Every name that ``--hook`` takes for these packs, with its source; nothing is loaded to find out."""
    found = {entry.name: f"entry point {entry.value}" for entry in entry_points(group=GROUP)}
    for pack in packs:
        found.update(dict.fromkeys(pack.hooks, f"declared in {pack.shown}"))
    found.update(dict.fromkeys(BUILT_IN, "built in"))
    return dict(sorted(found.items()))


def find(asked: str, packs: Sequence[Pack], env: Mapping[str, str], folder: Path) -> Found:
    """What ``asked`` means. Raises HookConfigError."""
    if ":" in asked:
        return _given(asked, asked, load_object(asked, folder))
    if asked in BUILT_IN:
        return _built_in(asked, packs, env, folder)
    declared = {pack.name: pack.hooks[asked] for pack in packs if asked in pack.hooks}
    if declared:
        players = {name: DeclaredHookPlayer(hook) for name, hook in declared.items()}
        return Found(asked=asked, name=asked, source="declared", make=lambda pack, _settings: players.get(pack.name))
    entries = tuple(entry_points(group=GROUP, name=asked))
    if entries:
        return _entry_point(asked, entries)
    known = available(packs)
    near = nearest(asked, known)
    hint = f"did you mean {near!r}? " if near else ""
    raise HookConfigError(
        f"there is no hook {asked[:80]!r}; {hint}available: {', '.join(known)}; "
        "or name one as module:attr or path/to/file.py:attr"
    )


def _built_in(asked: str, packs: Sequence[Pack], env: Mapping[str, str], folder: Path) -> Found:
    for pack in packs:
        if asked in pack.hooks:
            mark = pack.hooks[asked].mark
            raise HookConfigError(f"{mark}: hook {asked!r} is built in; give the declared one another name")
    return Found(asked=asked, name=asked, source="built in", make=BUILT_IN[asked](env, folder))


def _entry_point(asked: str, entries: Sequence[EntryPoint]) -> Found:
    if len({entry.value for entry in entries}) > 1:
        places = ", ".join(sorted(entry.value for entry in entries))
        raise HookConfigError(f"hook {asked!r} is installed more than once ({places}); name one of these instead")
    entry = entries[0]
    try:
        loaded = in_import_time(entry.load)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # importing runs foreign code, which may raise anything
        raise HookConfigError(f"hook {asked!r} ({entry.value}) could not be loaded: {describe_error(error)}") from error
    return _given(asked, f"entry point {entry.value}", loaded)


def _given(asked: str, source: str, loaded: object) -> Found:
    hook = instance_of(loaded, f"hook {asked!r}")
    return Found(asked=asked, name=captured_name(hook, asked), source=source, make=lambda _pack, _settings: hook)
