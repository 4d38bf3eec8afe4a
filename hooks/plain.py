"""Make a built-in hook that observes every pack of a sweep as one object, and has no knobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from ..schemas.documents import Pack
from .errors import HookConfigError
from .settings import prefix_of

OfPack = Callable[[Pack, Mapping[str, Any]], object]


class Named(Protocol):
    """Whatever observes."""

    @property
    def name(self) -> str: ...


def plain(kind: Callable[[], Named]) -> Callable[[Mapping[str, str], Path], OfPack]:
    """What ``BUILT_IN`` holds of such a hook; a knob that is set would be read by nobody, and is a HookConfigError."""

    def begin(env: Mapping[str, str], _folder: Path) -> OfPack:
        hook = kind()

        def of_pack(pack: Pack, settings: Mapping[str, Any]) -> object:
            refuse_knobs(hook.name, (), pack, settings, env)
            return hook

        return of_pack

    return begin


def refuse_knobs(
    hook: str, known: tuple[str, ...], pack: Pack, settings: Mapping[str, Any], env: Mapping[str, str]
) -> None:
    """Raises HookConfigError for a setting that the hook does not know, as its user wrote it."""
    for key in settings:
        if key not in known:
            variable = f"{prefix_of(hook)}{key.upper()}"
            said = variable if variable in env else f"{pack.shown}: hook_settings.{hook}.{key}"
            there_are = f"it takes {', '.join(known)}" if known else "it has no settings"
            raise HookConfigError(f"{said} is set, and hook {hook!r} does not know it; {there_are}")
