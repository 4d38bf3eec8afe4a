"""Tell hooks of calls: each ``pre_`` has exactly one ``post_``, and nothing that a hook does reaches the caller."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from ..hooks.call_observers import CallObservers
from ..schemas.bounded import clean_value
from ..schemas.secrets import Secrets
from .clock import RunClock
from .descriptor import hold_standard_streams
from .latency import Latency
from .turnstile import Turnstile

T = TypeVar("T")
Payload = Mapping[str, Any]

FIELD_BYTES = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where calls come from: the fields that every call event sends. Ids are "" where there is no run."""

    run_id: str = ""
    session_id: str = ""
    pack: str = ""
    scenario: str = ""
    agent: str = ""

    def fields(self) -> dict[str, str]:
        return {
            "run_id": self.run_id,
            "session_id": self.session_id,
            "pack": self.pack,
            "scenario": self.scenario,
            "agent": self.agent,
        }


class Hearing(Protocol):
    """What the engine does with what hooks come to. ``fault`` may be called from any thread."""

    def fault(self, hook: str, message: str, count: int) -> None:
        """Keep a fault of a hook in the record of the run."""
        ...

    def interrupt(self) -> None:
        """A hook raised KeyboardInterrupt: it stops the sweep as Ctrl-C does."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """What the call events of one run stand on. ``ids`` is a source apart: an event takes no id from the run's own."""

    observers: CallObservers
    hearing: Hearing
    clock: RunClock
    ids: RunClock
    secrets: Secrets
    under_way: set[asyncio.Task[None]] = field(default_factory=set)


class CallEvents:
    """The call events of one session; payload texts are bounded and masked, and built only for who listens (D14)."""

    def __init__(self, origin: Origin, wiring: Wiring | None) -> None:
        self.origin = origin
        self._wiring = wiring
        self._heard: frozenset[str] = frozenset() if wiring is None else wiring.observers.heard(origin.pack)
        self._order = Turnstile()

    def session(self, *, agent: str, session_id: str) -> CallEvents:
        """The events of another session of the same run (a judge's, a simulated user's)."""
        return CallEvents(replace(self.origin, agent=agent, session_id=session_id), self._wiring)

    @property
    def silent(self) -> bool:
        """Whether no hook hears of any call."""
        return not self._heard

    def wants(self, event: str) -> bool:
        """Whether any hook hears this event."""
        return event in self._heard

    def mint(self, prefix: str) -> str:
        """An id, never the same twice in this process, that takes nothing from the run's own ids."""
        return f"{prefix}-{secrets.token_hex(16) if self._wiring is None else self._wiring.ids.token()}"

    def mask(self, text: str) -> str:
        """The text as hooks may see it; for text that is cut before it becomes part of a payload."""
        return text if self._wiring is None else self._wiring.secrets.mask(text)

    def unfinished(self, text: str) -> int:
        """How many characters at the end of the text may be the beginning of a secret."""
        return 0 if self._wiring is None else self._wiring.secrets.unfinished(text)

    async def tell(self, event: str, build: Callable[[], Payload]) -> None:
        """Let hooks hear an event and wait for them; a caller that is cancelled does not cut them off."""
        if event in self._heard:
            await asyncio.shield(self._begin(event, build()))

    def post(self, event: str, build: Callable[[], Payload]) -> None:
        """Queue an event for the hooks that hear it, and go on."""
        wiring = self._wiring
        if wiring is None or event not in self._heard:
            return
        try:
            wiring.observers.post(event, self._payload(build()), wiring.hearing.fault)
        except KeyboardInterrupt:
            wiring.hearing.interrupt()

    async def around(
        self,
        pair: tuple[str, str],
        work: Callable[[], Awaitable[T]],
        *,
        before: Callable[[], Payload],
        after: Callable[[T | None, BaseException | None, float], Payload],
    ) -> T:
        """Do the work between the ``pre_`` and the ``post_`` event of ``pair``; return or raise what it does.

        ``after`` gets what came of it: the result or the error (CancelledError where it was cut off), and the seconds
        that it took, without hooks. Work that comes at once begins in the order in which it came. A caller that is
        cancelled goes at once: the events that are due follow on their own, in order.
        """
        wiring = self._wiring
        if wiring is None or self._heard.isdisjoint(pair):
            return await work()
        pre, post = pair
        told = self._begin(pre, before()) if pre in self._heard else None
        place = self._order.arrive()
        took = Latency(wiring.clock)
        try:
            if told is not None:
                await asyncio.shield(told)
            await place.turn()
            place.leave()
            with took:
                result = await work()
        except BaseException as error:
            place.leave()
            if post in self._heard and asyncio._get_running_loop() is not None:
                ended = self._begin(post, after(None, error, took.seconds), told)
                if isinstance(error, Exception):
                    await asyncio.shield(ended)
            raise
        await self.tell(post, lambda: after(result, None, took.seconds))
        return result

    async def settled(self) -> None:
        """Return when no event of the run is under way; each is bounded by the deadlines of its hooks."""
        while self._wiring is not None and self._wiring.under_way:
            await asyncio.wait(set(self._wiring.under_way))

    def _begin(self, event: str, payload: Payload, after: asyncio.Task[None] | None = None) -> asyncio.Task[None]:
        """Deliver in a task of its own, which outlives a caller that is cancelled."""
        assert self._wiring is not None  # noqa: S101 - nothing is heard without
        work = self._deliver(self._wiring, event, self._payload(payload), after)
        task = asyncio.get_running_loop().create_task(work)
        self._wiring.under_way.add(task)
        task.add_done_callback(self._wiring.under_way.discard)
        return task

    async def _deliver(
        self, wiring: Wiring, event: str, payload: dict[str, Any], after: asyncio.Task[None] | None
    ) -> None:
        if after is not None and not after.done():
            await asyncio.wait({after})
        try:
            await wiring.observers.tell(event, payload, wiring.hearing.fault)
        except KeyboardInterrupt:
            wiring.hearing.interrupt()
        finally:
            hold_standard_streams()

    def _payload(self, fields: Payload) -> dict[str, Any]:
        """The fields of the event as hooks may see them, and where it comes from."""
        assert self._wiring is not None  # noqa: S101 - as above
        mask = self._wiring.secrets.mask_value  # before anything is cut: a cut must not leave half a secret
        told = {name: clean_value(mask(value), FIELD_BYTES) for name, value in fields.items()}
        return {**self.origin.fields(), "at_ms": round(self._wiring.clock.elapsed() * 1000, 3), **told}


SILENT = CallEvents(Origin(), None)
"""No hook is active: nothing is built, and nobody is told."""
