"""Make the debrief hook of one pack out of its knobs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...schemas.documents import Pack
from ..errors import HookConfigError
from ..settings import read_choice, unknown_knob
from .hook import DebriefHook
from .library import DEFAULT, find_template

TEMPLATE = "WT_DEBRIEF_TEMPLATE"
ON = "WT_DEBRIEF_ON"
_VARIABLES = {"template": TEMPLATE, "on": ON}


def debrief_for(pack: Pack, settings: Mapping[str, Any], env: Mapping[str, str], folder: Path) -> DebriefHook:
    """The hook as ``settings`` (those of the pack, and over them the environment) and ``folder`` (of the call) have it.

    Raises HookConfigError, and DocumentFault for a template that does not hold.
    """
    for key in settings:
        if key not in _VARIABLES:
            raise _unread(pack, key, env)
    asked = settings.get("template", DEFAULT)
    from_env = TEMPLATE in env
    said = f"{TEMPLATE} is {str(asked)[:80]!r}" if from_env else _said(pack, "template")
    if not isinstance(asked, str) or not asked:
        raise HookConfigError(f"{said}: a template is a name or a path")
    template = find_template(asked, said=said, folder=folder if from_env else pack.path.parent, own=pack.debriefs)
    on_said = ON if ON in env else _said(pack, "on")
    on = read_choice(settings.get("on", "failed"), on_said, ("failed", "all"))
    return DebriefHook(template, always=on == "all")


def _unread(pack: Pack, key: str, env: Mapping[str, str]) -> HookConfigError:
    variable = f"WT_DEBRIEF_{key.upper()}"
    if variable in env:
        return unknown_knob(variable, _VARIABLES.values())
    return unknown_knob(_said(pack, key), map(_key, _VARIABLES))


def _key(name: str) -> str:
    return f"hook_settings.debrief.{name}"


def _said(pack: Pack, key: str) -> str:
    return f"{pack.shown}: {_key(key)}"
