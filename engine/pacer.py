"""Runs whose replies come all at once go on a few at a time, so that the first ask again while the rest still wait.

Else a hundred of them are scored in step, and their next questions leave together when the last is done: the endpoint
idles meanwhile, and then the bench does.
"""

from __future__ import annotations

import asyncio
from collections import deque

WIDTH = 16  # runs that go on in one beat
BEAT = 8  # turns of the loop: about as many as a run takes from its reply to its next question


class Pacer:
    """One for a sweep. Nobody waits where no more than ``WIDTH`` runs are made at once."""

    def __init__(self, jobs: int) -> None:
        self._needed = jobs > WIDTH
        self._gone = 0
        self._turns_left = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def go_on(self) -> None:
        """Return when it is this run's turn: at once, or after those whose replies came before."""
        if not self._needed:
            return
        loop = asyncio.get_running_loop()
        if self._turns_left == 0:
            self._begin_beat(loop)
        if self._gone < WIDTH and not self._waiting:
            self._gone += 1
            return
        place: asyncio.Future[None] = loop.create_future()
        self._waiting.append(place)
        await place

    def _begin_beat(self, loop: asyncio.AbstractEventLoop) -> None:
        self._gone, self._turns_left = 0, BEAT
        loop.call_soon(self._turn, loop)

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        """Count one turn of the loop; when the beat is over, let the next ones go. With nobody there, it rests."""
        self._turns_left -= 1
        if self._turns_left:
            loop.call_soon(self._turn, loop)
        elif self._waiting:
            self._begin_beat(loop)
            while self._waiting and self._gone < WIDTH:
                place = self._waiting.popleft()
                if not place.done():  # else its run was cut off
                    place.set_result(None)
                    self._gone += 1
