"""A wrapper stands around a tool call and can neither run it twice, nor lose it, nor break it.

It may answer in the tool's place, or call ``next`` (once) and answer with what that gives, or with something else. One
that fails before it has called ``next`` is skipped; one that fails after it leaves the real result standing. Either is
marked, so that nobody takes the experiment for one that happened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import describe_error
from .results import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class WrappedCall:
    """A call that arrives at its tool. ``n`` is its number in the run, ``number`` that among this tool's calls."""

    n: int
    number: int
    tool: str
    effect: str
    args: Mapping[str, Any]


Next = Callable[[], Awaitable[Answer]]
Wrap = Callable[[WrappedCall, Next], Awaitable[Answer]]
Mark = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """One wrapper; ``type`` and ``name`` are what its marks are told by."""

    name: str
    wrap: Wrap
    type: str = "wrapper"


class NextMisused(RuntimeError):
    """``next`` runs at most once, and only while its wrapper does."""


async def wrapped(
    call: WrappedCall,
    wrappers: Sequence[Wrapper],
    tool: Callable[[], Coroutine[Any, Any, Answer]],
    mark: Callable[[Mark], object],
) -> Answer:
    """Call the tool through the wrappers, the first one outermost; ``mark`` is given one entry for each that failed.

    Raises CancelledError where the caller is cancelled, though a wrapper may swallow it, and KeyboardInterrupt where a
    wrapper does. Nothing of the call is still under way when this returns.
    """
    if not wrappers:
        return await tool()
    wrapper, inner = wrappers[0], wrappers[1:]
    rest = _Rest(lambda: wrapped(call, inner, tool, mark))
    try:
        answer = await _answered(wrapper, call, rest)
    except _WrapperFailed as failure:
        when = "after" if rest.begun else "before"
        what = "its result stands" if rest.begun else "it was skipped"
        mark(
            {
                "type": wrapper.type, "name": wrapper.name, "tool": call.tool, "call": call.n, "applied": False,
                "detail": f"failed {when} the tool was called, and {what}: {failure.told}",
            }
        )
        return await rest.result()
    except BaseException:
        rest.stop()
        raise
    await rest.settled()
    return answer


class _WrapperFailed(Exception):
    def __init__(self, told: str) -> None:
        self.told = told
        super().__init__(told)


async def _answered(wrapper: Wrapper, call: WrappedCall, rest: _Rest) -> Answer:
    """The wrapper's answer. Raises _WrapperFailed for whatever else it comes to."""
    task = asyncio.current_task()
    before = task.cancelling() if task is not None else 0
    try:
        answer: object = await wrapper.wrap(call, rest.next)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a wrapper may raise anything, CancelledError of its own included
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError from None
        raise _WrapperFailed(describe_error(error)) from None
    finally:
        rest.close()
    if task is not None and task.cancelling() > before:
        raise asyncio.CancelledError
    if rest.misused:
        raise _WrapperFailed(f"{NextMisused.__name__}: {rest.misused}")
    if not isinstance(answer, Answer):
        raise _WrapperFailed(f"TypeError: answered {type(answer).__name__}, not Answer")
    return answer


class _Rest:
    """The rest of the call: run once, by the wrapper or in its place, and not cut off when a wrapper stops waiting."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, Answer]]) -> None:
        self._work = work
        self._task: asyncio.Task[Answer] | None = None
        self._closed = False
        self.misused = ""

    @property
    def begun(self) -> bool:
        return self._task is not None

    async def next(self) -> Answer:
        """Run the rest of the call. Raises NextMisused the second time, and after the wrapper has returned."""
        if self._closed:
            raise NextMisused("next was called after the wrapper had returned")
        if self._task is not None:
            self.misused = "next was called twice"
            raise NextMisused(self.misused)
        return await asyncio.shield(self._begin())

    def close(self) -> None:
        self._closed = True

    async def result(self) -> Answer:
        """The real result: of the run that the wrapper began, or else of one that begins now."""
        task = self._task or self._begin()
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.cancel()
            raise

    async def settled(self) -> None:
        """Wait until the rest has ended, if it was begun: no effect of a call may come after its answer."""
        if self._task is not None and not self._task.done():
            try:
                await asyncio.wait({self._task})
            except asyncio.CancelledError:
                self._task.cancel()
                raise

    def stop(self) -> None:
        """The caller is cancelled, and so is the tool."""
        if self._task is not None:
            self._task.cancel()

    def _begin(self) -> asyncio.Task[Answer]:
        self._task = asyncio.ensure_future(self._work())
        return self._task
