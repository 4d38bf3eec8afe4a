"""Fire one event at hooks, through the real dispatcher and without a run, and keep what comes of it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..schemas.documents import Pack
from .activation import activate
from .events import CALL_EVENTS
from .hook_set import HookSet
from .points import CONVERSE_POINT
from .trial_payload import trial_facts

ANSWER = "1. No tool returned an error. 2. Nothing was missing. 3. I would look again."
"""What a trial's agent answers to whatever it is asked."""

OFF_PATH = frozenset(("on_stream_start", "on_stream_delta", "on_stream_end"))


@dataclass(slots=True, kw_only=True)
class HookTrial:
    """What one hook came to, or one guard: ``answer`` is a guard's. ``faults`` are what a run's warnings would tell."""

    hook: str
    source: str = ""
    heard: bool = True
    answer: str = ""
    faults: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    artifacts: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class TrialChannel:
    """The channel of a trial: keeps what is said, answers what is asked, and writes nothing."""

    def __init__(self, *, may_converse: bool) -> None:
        self.hooks: dict[str, HookTrial] = defaultdict(lambda: HookTrial(hook=""))
        self._may_converse = may_converse
        self._lock = threading.Lock()

    def emit(self, hook: str, point: str, payload: bytes, label: str | None) -> None:
        with self._lock:
            self.hooks[hook].artifacts.append({"label": label or "", "payload": json.loads(payload)})

    def warn(self, hook: str, message: str) -> None:
        with self._lock:
            self.hooks[hook].warnings.append(message)

    def fault(self, hook: str, message: str, count: int) -> None:
        with self._lock:
            self.hooks[hook].faults.append(message)

    def converse(self, hook: str, text: str, timeout_s: float) -> Future[str] | None:
        if not self._may_converse:
            return None
        with self._lock:
            self.hooks[hook].asked.append(text)
        future: Future[str] = Future()
        future.set_result(ANSWER)
        return future


def try_hooks(
    event: str, names: Sequence[str], pack: Pack, payload: Mapping[str, Any], *, env: Mapping[str, str], folder: Path
) -> list[HookTrial]:
    """Activate the hooks as a run would, fire the event once, and let go of them; in the order of ``names``.

    Raises HookConfigError where a run would not begin, and KeyboardInterrupt where a hook does.
    """
    hooks = activate(names, [pack], env, folder)
    channel = TrialChannel(may_converse=event == CONVERSE_POINT)
    try:
        _fire(hooks, event, pack.name, payload, channel)
    finally:
        hooks.close()
    heard = hooks.listening(event, pack.name)
    for name in hooks.names:
        channel.hooks[name].hook, channel.hooks[name].heard = name, name in heard
    return [channel.hooks[name] for name in hooks.names]


def _fire(hooks: HookSet, event: str, pack: str, payload: Mapping[str, Any], channel: TrialChannel) -> None:
    fault: Callable[[str, str, int], None] = channel.fault
    if event not in CALL_EVENTS:
        hooks.fire(event, None if event == "on_pack_end" else pack, trial_facts(event, payload), channel)
    elif event in OFF_PATH:
        hooks.calls.post(event, payload, fault)
    else:
        asyncio.run(hooks.calls.tell(event, payload, fault))
