"""Calls that are made at once begin in the order in which they came, however long hooks hold some of them."""

from __future__ import annotations

import asyncio


class Place:
    """A place in the order. ``await place.turn()``, then ``leave()`` in the moment of beginning (or of giving up)."""

    __slots__ = ("_ahead", "_left")

    def __init__(self, ahead: asyncio.Future[None] | None) -> None:
        self._ahead = ahead
        self._left: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def turn(self) -> None:
        """Return when all that came before have begun or given up."""
        if self._ahead is not None and not self._ahead.done():
            await asyncio.wait({self._ahead})

    def leave(self) -> None:
        """Let the next one begin: at once, or, where this one gave up early, when its own turn has come."""
        if self._ahead is None or self._ahead.done():
            self._go()
        else:
            self._ahead.add_done_callback(self._go)
        self._ahead = None

    def _go(self, _: object = None) -> None:
        if not self._left.done():
            self._left.set_result(None)


class Turnstile:
    """Hands out the places of one session. Without hooks each call begins when it comes; with them it must be the same.

    Else a slow observer of one call would let another that came later change the world first.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    def arrive(self) -> Place:
        """Take the place behind all that have come."""
        place = Place(self._last)
        self._last = place._left
        return place
