"""The built-in hook ``state_probe``: the hook over what a pack declares, one for each pack."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...schemas.documents import Pack
from ..errors import HookConfigError
from ..plain import OfPack, refuse_knobs
from .declared import declared_probe
from .hook import StateProbeHook
from .snapshot import StateProbe

NAME = "state_probe"


class DeclaredStateProbeHook(StateProbeHook):
    """Looks through the probe that it was given."""

    name = NAME

    def __init__(self, probe: StateProbe) -> None:
        self._probe = probe

    def capture_state(self) -> Mapping[str, Any]:
        return self._probe.capture_state()


def state_probe_hook(env: Mapping[str, str], _folder: Path) -> OfPack:
    """What ``BUILT_IN`` holds. A pack that declares no probe is a HookConfigError: the hook would look at nothing."""

    def of_pack(pack: Pack, settings: Mapping[str, Any]) -> StateProbeHook:
        refuse_knobs(NAME, (), pack, settings, env)
        if pack.state_probe is None:
            raise HookConfigError(
                f"{pack.shown}: hook '{NAME}' has nothing to look at: the pack has no `state_probe:`; "
                "declare one (command, url or files), or leave the hook out"
            )
        return DeclaredStateProbeHook(declared_probe(pack.state_probe, env))

    return of_pack
