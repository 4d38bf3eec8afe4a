"""Daemon threads that run foreign code, are used again, and are never waited for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import NamedTuple

from .containment import Outcome

MOST_IDLE = 32
A_MOMENT_S = 0.0001


class Job(NamedTuple):
    """``work`` is run, then ``tell`` gets its outcome. Neither raises."""

    work: Callable[[], Outcome]
    tell: Callable[[Outcome], object]


class Workers:
    """Hands each job to an idle thread, or to a new one; an abandoned thread is replaced, for it is simply not idle."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._closed = False

    def submit(self, job: Job) -> None:
        """Raises RuntimeError (or MemoryError) where a thread is needed and none can be started (D6)."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is None:
            worker = _Worker(self)
            worker.start()
        worker.jobs.put(job)

    def rest(self, worker: _Worker) -> bool:
        """A worker has nothing to do; False: it is not needed any more."""
        with self._lock:
            if self._closed or len(self._idle) >= MOST_IDLE:
                return False
            self._idle.append(worker)
            return True

    def close(self) -> None:
        """Let idle threads end; busy ones end after their job."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.jobs.put(None)


class _Worker(threading.Thread):
    def __init__(self, workers: Workers) -> None:
        super().__init__(name="windtunnel-hook-worker", daemon=True)
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._workers = workers

    def run(self) -> None:
        while (job := self.jobs.get()) is not None:
            outcome = job.work()
            # Idle before it tells: whoever waits for this outcome finds the same thread for its next job.
            stays = self._workers.rest(self)
            job.tell(outcome)
            del job, outcome  # an idle thread keeps no payload alive
            if not stays:
                return


class Waiter:
    """How callers wait for a call, and the only place where real time passes; tests put another in its place."""

    def wait(self, done: threading.Lock, seconds: float) -> bool:
        """Wait until ``done`` is released; False: ``seconds`` are over."""
        return done.acquire(timeout=seconds)

    def wait_a_moment(self, done: threading.Lock) -> bool:
        """Wait for so short a time that a loop may be held for it."""
        return done.acquire(timeout=A_MOMENT_S)

    async def await_(self, done: asyncio.Future[bool], seconds: float | None) -> bool:
        """Wait until ``done`` has a result; False: ``seconds`` are over. None: without end."""
        if seconds is None:
            return await done
        timer = done.get_loop().call_later(seconds, resolve, done, False)
        try:
            return await done
        finally:
            timer.cancel()


def resolve(done: asyncio.Future[bool], result: bool) -> None:
    """Give a future its result, unless it has one or was cancelled."""
    if not done.done():
        done.set_result(result)
