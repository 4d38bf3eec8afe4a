"""Print what a delivery costs beside a bare call of the same function, all measured in one run.

Run it as ``python tests/bench/dispatcher.py``. It is a measurement, not a test: it never fails on a slow machine.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from windtunnel.hooks import Event, HookDispatcher

PAYLOAD = {
    "tool": "client_lookup",
    "args": {"query": "Bluewing"},
    "tool_call_id": "call-1",
    "status": "ok",
    "rows": [1, 2],
}
ROUNDS = 3


def observer(tool: str, args: dict[str, str], status: str) -> None:
    """What a small observer is handed."""


async def async_observer(tool: str, args: dict[str, str], status: str) -> None:
    """The same, to be awaited."""


def dispatcher(*callbacks: Callable[..., object]) -> HookDispatcher:
    made = HookDispatcher([Event("post_tool_call", PAYLOAD, identity="tool_call_id")])
    for number, callback in enumerate(callbacks):
        made.register("post_tool_call", callback, hook=f"observer{number}")
    return made


def best(measure: Callable[[int], float], times: int) -> float:
    """Microseconds of one call: the best of some rounds, for everything else only adds."""
    measure(times // 10)
    return min(measure(times) for _ in range(ROUNDS)) / times * 1e6


def bare(times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        observer(tool="client_lookup", args={"query": "Bluewing"}, status="ok")
    return time.perf_counter() - started


def handed_over(times: int) -> float:
    """The least that a thread can cost: give it something, and wait until it says that it has it."""
    given: queue.SimpleQueue[threading.Lock | None] = queue.SimpleQueue()

    def take() -> None:
        while (taken := given.get()) is not None:
            taken.release()

    threading.Thread(target=take, daemon=True).start()
    done = threading.Lock()
    done.acquire()
    started = time.perf_counter()
    for _ in range(times):
        given.put(done)
        done.acquire()
    spent = time.perf_counter() - started
    given.put(None)
    return spent


def fired(hooks: HookDispatcher) -> Callable[[int], float]:
    def measure(times: int) -> float:
        started = time.perf_counter()
        for _ in range(times):
            hooks.fire("post_tool_call", **PAYLOAD)
        return time.perf_counter() - started

    return measure


def awaited(hooks: HookDispatcher) -> Callable[[int], float]:
    async def loop(times: int) -> float:
        started = time.perf_counter()
        for _ in range(times):
            await hooks.afire("post_tool_call", **PAYLOAD)
        return time.perf_counter() - started

    return lambda times: asyncio.run(loop(times))


def asked(hooks: HookDispatcher) -> Callable[[int], float]:
    def measure(times: int) -> float:
        started = time.perf_counter()
        for _ in range(times):
            hooks.wants("post_tool_call")
        return time.perf_counter() - started

    return measure


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep every thread on one core: to wake a core that sleeps costs some machines more than all else together."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def threaded() -> list[tuple[str, float, str]]:
    """What a delivery to another thread costs, beside the least that a thread can cost."""
    return [
        ("(a thread there and back, bare)", best(handed_over, 5_000), ""),
        ("sync observer, fire", best(fired(dispatcher(observer)), 5_000), ""),
        ("sync observer, afire", best(awaited(dispatcher(observer)), 5_000), "150"),
        ("ten sync observers, afire, each", best(awaited(dispatcher(*[observer] * 10)), 500) / 10, "100"),
        ("ten sync observers, fire, each", best(fired(dispatcher(*[observer] * 10)), 500) / 10, "100"),
    ]


def main() -> None:
    base = best(bare, 100_000)
    threads = threading.active_count()
    nobody = dispatcher()
    rows = [
        ("no subscriber, wants", best(asked(nobody), 100_000), "1"),
        ("no subscriber, fire", best(fired(nobody), 100_000), "1"),
    ]
    extra = threading.active_count() - threads
    rows.append(("async observer, afire", best(awaited(dispatcher(async_observer)), 5_000), "50"))
    print(f"{'bare call':34}{base:9.2f} us")
    told(rows, base)
    with on_one_core():
        print("on one core:")
        told(threaded(), base)
    print("on all cores, where each wakes the other:")
    told(threaded(), base)
    print(f"threads started for no subscriber: {extra}")


def told(rows: list[tuple[str, float, str]], base: float) -> None:
    for name, cost, target in rows:
        aim = f"   (aim: under {target} us)" if target else ""
        print(f"{name:34}{cost:9.2f} us{cost / base:9.1f} x{aim}")


if __name__ == "__main__":
    main()
