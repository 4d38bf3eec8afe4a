"""Ask guards about one sample call, as the tool host would ask them, and keep what each answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ...hooks.guards import load_guard
from ...hooks.trial import HookTrial
from ...schemas.documents import Pack
from ..tools.guards import Guards, Refused

ALLOWS = "allows the call"


def guard_names(pack: Pack) -> list[str]:
    """The guards that a pack declares, and those that its agents name."""
    named = [name for agent in pack.agents.values() for name in agent.guards]
    return list(dict.fromkeys([*pack.guards, *named]))


def try_guards(names: Sequence[str], pack: Pack, payload: Mapping[str, Any], *, folder: Path) -> list[HookTrial]:
    """One row a guard. A refusal is an answer; what kept it from answering is a fault. Raises HookConfigError.

    A guard that ``pack`` does not name is looked for from ``folder``, that of the call.
    """
    own = guard_names(pack)
    return [_tried(name, pack, payload, pack.path.parent if name in own else folder) for name in names]


def _tried(name: str, pack: Pack, payload: Mapping[str, Any], folder: Path) -> HookTrial:
    if name in pack.guards:
        return _row(name, asyncio.run(Guards([name], pack.guards).refusal(lambda: payload)))
    with closing(load_guard(name, folder)) as guard:
        return _row(name, asyncio.run(Guards([name], {}, {name: guard}).refusal(lambda: payload)))


def _row(name: str, refused: Refused | None) -> HookTrial:
    if refused is None:
        return HookTrial(hook=name, answer=ALLOWS)
    return HookTrial(hook=name, answer=f"refuses: {refused.message}", faults=[refused.fault] if refused.fault else [])
