"""D1, D2 and D4: bounded, abandoned, quiet, saturated; and never for ever."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from typing import Any

import pytest
from kit.steering import (
    LONG_S,
    Door,
    FakeClock,
    Hang,
    SteeredWaiter,
    both_doors,
    by_afire,
    by_fire,
    eventually,
    kinds,
)
from windtunnel.hooks import Event, Fault, HookDispatcher, Limits
from windtunnel.hooks.workers import Waiter

PING = Event("ping", {"id": "a"}, identity="id")
OTHER = Event("other", {"id": "a"}, identity="id")


class Bench:
    """A dispatcher with a steered clock and deadline, and one callback that hangs."""

    def __init__(self, **limits: Any) -> None:
        self.clock = FakeClock()
        self.waiter = SteeredWaiter()
        self.hooks = HookDispatcher([PING, OTHER], limits=Limits(**limits), clock=self.clock, waiter=self.waiter)
        self.hang = Hang(self.waiter)
        self.hooks.register("ping", self.hang, hook="hangs")


@both_doors
def test_d1_a_callback_that_hangs_is_abandoned_and_its_siblings_still_run(door: Door) -> None:
    bench = Bench()
    bench.hooks.register("ping", lambda: "sibling", hook="sibling")
    dispatch = door(bench.hooks, "ping", id="a")
    assert dispatch.values == ("sibling",)
    assert dispatch.faults == (Fault("ping", "hangs", "timeout", "TimeoutError: no answer before its deadline"),)
    bench.hang.release.set()


@both_doors
def test_d1_a_bounded_callback_runs_on_a_daemon_thread_within_the_deadline_of_its_event(door: Door) -> None:
    waiter = SteeredWaiter()
    slow = Event("slow", {}, timeout_s=300)
    hooks = HookDispatcher([PING, slow], limits=Limits(timeout_s=7), waiter=waiter)
    threads: list[threading.Thread] = []
    for event in ("ping", "slow"):
        hooks.register(event, lambda: threads.append(threading.current_thread()), hook="notes")
        door(hooks, event)
    assert all(thread.daemon and thread is not threading.current_thread() for thread in threads)
    assert waiter.asked == [7, 300]


@both_doors
@pytest.mark.parametrize(
    "event", [Event("inline", {}, timeout_s=0), Event("inline", {}, bounded=False)], ids=["timeout 0", "unbounded"]
)
def test_d1_without_a_deadline_a_callback_runs_on_the_callers_thread(door: Door, event: Event) -> None:
    hooks = HookDispatcher([event])
    hooks.register("inline", lambda: threading.get_ident(), hook="notes")
    assert door(hooks, "inline").values == (threading.get_ident(),)


def test_d1_the_limits_may_ask_for_no_deadline_at_all() -> None:
    hooks = HookDispatcher([PING], limits=Limits(timeout_s=0))
    hooks.register("ping", lambda: threading.get_ident(), hook="notes")
    assert hooks.fire("ping").values == (threading.get_ident(),)


@both_doors
def test_d1_workers_are_reused_and_only_an_abandoned_one_is_replaced(door: Door) -> None:
    bench = Bench(quiet_s=0)
    bench.hang.hangs = False
    for number in range(5):
        door(bench.hooks, "ping", id=str(number))
    assert len(set(bench.hang.threads)) == 1
    bench.hang.hangs = True
    door(bench.hooks, "ping", id="hang")
    bench.hang.hangs = False
    for number in range(5):
        door(bench.hooks, "ping", id=str(number))
    assert len(set(bench.hang.threads[:6])) == 1
    assert len(set(bench.hang.threads[6:])) == 1
    assert bench.hang.threads[5] != bench.hang.threads[6]
    bench.hang.release.set()


def test_d1_ten_callbacks_share_one_worker() -> None:
    hooks = HookDispatcher([PING])
    for number in range(10):
        hooks.register("ping", lambda: threading.get_ident(), hook=f"h{number}")
    assert len(set(hooks.fire("ping").values)) == 1


def test_d1_the_process_ends_though_workers_hang() -> None:
    script = """
import threading
from windtunnel.hooks import Event, HookDispatcher, Limits
hooks = HookDispatcher([Event("ping", {})], limits=Limits(timeout_s=0.01))
hooks.register("ping", threading.Event().wait, hook="hangs")
print(hooks.fire("ping").faults[0].kind, hooks.post("ping"))
hooks.close(0.01)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=10 + LONG_S, check=False
    )
    assert (done.returncode, done.stdout) == (0, "timeout 1\n")


def test_d1_a_caller_that_is_interrupted_leaves_its_call_behind_and_the_slot_is_free() -> None:
    class Interrupted(SteeredWaiter):
        def wait(self, done: threading.Lock, seconds: float) -> bool:
            raise KeyboardInterrupt

    waiter = Interrupted()
    hang = Hang(waiter)
    hooks = HookDispatcher([PING], waiter=waiter)
    hooks.register("ping", hang, hook="hangs")
    for _ in range(2):  # the second is admitted: neither busy nor quiet
        with pytest.raises(KeyboardInterrupt):
            hooks.fire("ping", id="a")
    assert not hooks.counts
    hang.release.set()


def test_d1_a_caller_that_is_cancelled_is_not_held_and_the_callback_is_not_blamed() -> None:
    bench = Bench()
    entered = threading.Event()

    def waits() -> None:
        entered.set()
        bench.hang.release.wait(LONG_S)

    hooks = HookDispatcher([PING], waiter=bench.waiter)
    hooks.register("ping", waits, hook="waits")

    async def cancel_it() -> None:
        firing = asyncio.ensure_future(hooks.afire("ping", id="a"))
        while not entered.is_set():
            await asyncio.sleep(0.001)
        firing.cancel()
        await asyncio.wait_for(asyncio.gather(firing, return_exceptions=True), LONG_S)
        assert firing.cancelled()

    asyncio.run(cancel_it())
    assert not hooks.counts
    bench.hang.release.set()
    assert kinds(hooks.fire("ping", id="a")) == []


def test_d1_the_real_waiter_gives_up_when_the_seconds_are_over_and_only_then() -> None:
    lock = threading.Lock()
    assert Waiter().wait(lock, 0)
    assert not Waiter().wait(lock, 0.001)
    assert not Waiter().wait_a_moment(lock)

    async def on_a_loop() -> tuple[bool, bool]:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        late = await Waiter().await_(done, 0)
        ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        ended.set_result(True)
        return late, await Waiter().await_(ended, LONG_S)

    assert asyncio.run(on_a_loop()) == (False, True)


@both_doors
def test_d1_a_real_deadline_ends_a_real_wait(door: Door) -> None:
    hooks = HookDispatcher([PING], limits=Limits(timeout_s=0.01))
    release = threading.Event()
    hooks.register("ping", lambda: release.wait(LONG_S), hook="hangs")
    assert kinds(door(hooks, "ping")) == ["timeout"]
    release.set()


@both_doors
def test_d2_after_a_timeout_it_is_quiet_for_60_seconds_and_every_skip_is_told(door: Door) -> None:
    bench = Bench()
    told = []
    for seconds in (0, 30, 29.99, 0.01):
        bench.clock.advance(seconds)
        told += kinds(door(bench.hooks, "ping", id="a"))
    assert told == ["timeout", "quiet", "quiet", "timeout"]
    assert len(bench.hang.threads) == 2
    assert bench.hooks.counts["ping", "hangs", "quiet"] == 2
    bench.hang.release.set()


@both_doors
def test_d2_quiet_is_one_event_and_one_callback(door: Door) -> None:
    bench = Bench()
    other = Hang(bench.waiter)
    other.hangs = False
    bench.hooks.register("ping", other, hook="well")
    bench.hooks.register("other", bench.hang, hook="hangs")
    assert kinds(door(bench.hooks, "ping", id="a")) == ["timeout"]
    bench.hang.hangs = False
    again = door(bench.hooks, "ping", id="b")
    assert (kinds(again), again.values) == (["quiet"], ("done",))
    assert door(bench.hooks, "other", id="a").values == ("done",)
    bench.hang.release.set()


def test_d2_a_quiet_time_of_zero_is_none() -> None:
    bench = Bench(quiet_s=0)
    assert kinds(bench.hooks.fire("ping", id="a")) == ["timeout"]
    assert kinds(bench.hooks.fire("ping", id="a")) == ["timeout"]
    bench.hang.release.set()


def test_d2_a_skip_says_what_it_is() -> None:
    bench = Bench()
    bench.hooks.fire("ping", id="a")
    (fault,) = bench.hooks.fire("ping", id="b").faults
    assert fault == Fault("ping", "hangs", "quiet", "Skipped: quiet, for it did not answer in time before")
    bench.hang.release.set()


@pytest.mark.parametrize(("first", "second"), [(by_fire, by_afire), (by_afire, by_fire)])
def test_d2_both_doors_share_one_quiet_time(first: Door, second: Door) -> None:
    bench = Bench()
    assert kinds(first(bench.hooks, "ping", id="a")) == ["timeout"]
    assert kinds(second(bench.hooks, "ping", id="b")) == ["quiet"]
    bench.hang.release.set()


@both_doors
def test_d4_three_abandoned_workers_saturate_until_one_ends(door: Door) -> None:
    bench = Bench()
    told = []
    for _ in range(5):
        told += kinds(door(bench.hooks, "ping", id="a"))
        bench.clock.advance(60)
    assert told == ["timeout", "timeout", "timeout", "saturated", "saturated"]
    assert len(bench.hang.threads) == 3
    bench.hang.hangs = False
    bench.hang.release.set()
    eventually(lambda: door(bench.hooks, "ping", id="a").values == ("done",))


def test_d4_saturation_says_what_it_is() -> None:
    bench = Bench(max_abandoned=1)
    bench.hooks.fire("ping", id="a")
    bench.clock.advance(60)
    (fault,) = bench.hooks.fire("ping", id="a").faults
    assert fault == Fault("ping", "hangs", "saturated", "Skipped: saturated, 1 abandoned calls of it still run")
    bench.hang.release.set()


@both_doors
def test_d4_one_hang_never_blocks_for_ever(door: Door) -> None:
    bench = Bench()
    door(bench.hooks, "ping", id="a")
    bench.hang.hangs = False
    bench.clock.advance(60)
    assert door(bench.hooks, "ping", id="a").values == ("done",)
    bench.hang.release.set()


def test_d4_coroutines_left_on_a_closed_loop_count_no_more() -> None:
    bench = Bench(quiet_s=0)

    async def stubborn() -> None:
        bench.waiter.hung.set()
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                continue

    bench.hooks.register("other", stubborn, hook="stubborn")
    told = [kinds(by_afire(bench.hooks, "other", id=str(number))) for number in range(5)]
    assert told == [["timeout"]] * 5
