"""D7 and D8: coroutines through both doors, and the context variables that callbacks see."""

from __future__ import annotations

import asyncio
import functools
import signal
import threading
from contextvars import ContextVar
from typing import Any

import pytest
from kit.steering import (
    LONG_S,
    Door,
    SteeredWaiter,
    both_doors,
    by_afire,
    by_fire,
    eventually,
    kinds,
)
from windtunnel.hooks import Dispatch, Event, Fault, HookDispatcher, Limits, bind_run, current_run

PING = Event("ping", {"id": "a"}, identity="id")
INLINE = Event("inline", {}, bounded=False)
COLOUR: ContextVar[str] = ContextVar("COLOUR", default="none")


async def answers() -> str:
    await asyncio.sleep(0)
    return "awaited"


async def answers_partly(prefix: str) -> str:
    await asyncio.sleep(0)
    return f"{prefix} awaited"


class Callable:
    async def __call__(self) -> str:
        return await answers()


def hands_a_coroutine_on() -> Any:
    return answers()


@both_doors
@pytest.mark.parametrize("event", ["ping", "inline"])
@pytest.mark.parametrize("callback", [answers, Callable(), functools.partial(answers), hands_a_coroutine_on])
def test_d7_whatever_is_to_be_awaited_is_awaited(door: Door, event: str, callback: Any) -> None:
    hooks = HookDispatcher([PING, INLINE])
    hooks.register(event, callback, hook="answers")
    assert door(hooks, event) == Dispatch(event, values=("awaited",))


def test_d7_afire_awaits_on_the_loop_of_its_caller() -> None:
    hooks = HookDispatcher([PING, INLINE])

    async def where() -> tuple[asyncio.AbstractEventLoop, int]:
        return asyncio.get_running_loop(), threading.get_ident()

    hooks.register("ping", where, hook="where")
    hooks.register("inline", where, hook="where")

    async def main() -> None:
        here = (asyncio.get_running_loop(), threading.get_ident())
        assert (await hooks.afire("ping")).values == (here,)
        assert (await hooks.afire("inline")).values == (here,)

    asyncio.run(main())


def test_d7_fire_resolves_a_coroutine_on_a_thread_with_a_loop_of_its_own() -> None:
    hooks = HookDispatcher([PING])

    async def where() -> int:
        return threading.get_ident()

    hooks.register("ping", where, hook="where")
    (thread,) = hooks.fire("ping").values
    assert thread != threading.get_ident()


@pytest.mark.parametrize("event", ["ping", "inline"])
def test_d7_fire_resolves_a_coroutine_though_a_loop_runs_on_the_callers_thread(event: str) -> None:
    hooks = HookDispatcher([PING, INLINE])
    hooks.register(event, answers, hook="answers")
    hooks.register(event, hands_a_coroutine_on, hook="hands on")

    async def main() -> Dispatch:
        return hooks.fire(event)

    assert asyncio.run(main()) == Dispatch(event, values=("awaited", "awaited"))


@both_doors
def test_d7_a_coroutine_that_swallows_cancellation_cannot_hold_its_caller(door: Door) -> None:
    waiter = SteeredWaiter()
    hooks = HookDispatcher([PING], waiter=waiter)
    swallowed = []

    async def stubborn() -> None:
        waiter.hung.set()
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                swallowed.append(1)

    hooks.register("ping", stubborn, hook="stubborn")
    hooks.register("ping", lambda: "sibling", hook="sibling")
    dispatch = door(hooks, "ping")
    assert dispatch.values == ("sibling",)
    assert dispatch.faults == (Fault("ping", "stubborn", "timeout", "TimeoutError: no answer before its deadline"),)
    eventually(lambda: swallowed == [1])


@both_doors
def test_d7_a_coroutine_that_is_given_up_is_cancelled_and_frees_its_place(door: Door) -> None:
    waiter = SteeredWaiter()
    hooks = HookDispatcher([PING], waiter=waiter, limits=Limits(max_abandoned=1, quiet_s=0))
    ended = []

    async def polite() -> None:
        waiter.hung.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(1)

    hooks.register("ping", polite, hook="polite")
    assert kinds(door(hooks, "ping", id="a")) == ["timeout"]
    eventually(lambda: ended == [1])
    eventually(lambda: kinds(door(hooks, "ping", id="a")) == ["timeout"])


def test_d7_a_coroutine_given_up_before_it_began_frees_its_place() -> None:
    waiter = SteeredWaiter()
    hooks = HookDispatcher([PING], waiter=waiter, limits=Limits(max_abandoned=1, quiet_s=0))
    hooks.register("ping", answers, hook="answers")

    async def main() -> list[str]:
        waiter.hung.set()
        first = await hooks.afire("ping")
        return kinds(first) + kinds(await hooks.afire("ping"))

    assert asyncio.run(main()) == ["timeout"]


def test_d7_a_cancelled_afire_cancels_what_it_awaits() -> None:
    hooks = HookDispatcher([PING])
    told: list[str] = []

    async def waits() -> None:
        told.append("begun")
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            told.append("cancelled")
            raise

    hooks.register("ping", waits, hook="waits")

    async def main() -> None:
        firing = asyncio.ensure_future(hooks.afire("ping"))
        while not told:
            await asyncio.sleep(0)
        firing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await firing
        await asyncio.sleep(0)

    asyncio.run(main())
    assert told == ["begun", "cancelled"]
    assert not hooks.counts


@both_doors
def test_d7_a_coroutine_that_raises_cancellation_itself_is_a_fault_and_cancels_nobody(door: Door) -> None:
    hooks = HookDispatcher([PING])

    async def cancels() -> None:
        raise asyncio.CancelledError("mine")

    async def cancels_itself() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    hooks.register("ping", cancels, hook="cancels")
    hooks.register("ping", cancels_itself, hook="itself")
    hooks.register("ping", lambda: "sibling", hook="sibling")
    assert door(hooks, "ping") == Dispatch(
        "ping",
        values=("sibling",),
        faults=(
            Fault("ping", "cancels", "raised", "CancelledError: mine"),
            Fault("ping", "itself", "raised", "CancelledError"),
        ),
    )


def test_d7_ctrl_c_reaches_through_a_coroutine_on_the_main_thread() -> None:
    hooks = HookDispatcher([INLINE])

    async def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(3600)

    hooks.register("inline", interrupted, hook="interrupted")
    with pytest.raises(KeyboardInterrupt):
        hooks.fire("inline")


def test_d7_both_doors_give_equal_dispatches() -> None:
    hooks = HookDispatcher([PING])

    async def fails() -> None:
        raise ValueError(object())

    def fails_too(**fields: Any) -> None:
        raise RuntimeError(f"{object()} of {sorted(fields)}")

    callbacks: list[Any] = [answers, fails, fails_too, lambda id: id]
    for number, callback in enumerate(callbacks):
        hooks.register("ping", callback, hook=f"h{number}")
    fired = by_fire(hooks, "ping", id="a")
    assert fired == by_afire(hooks, "ping", id="a")
    assert [fault.detail for fault in fired.faults] == [
        "ValueError: <object object at 0x…>",
        "RuntimeError: <object object at 0x…> of ['id']",
    ]


@both_doors
@pytest.mark.parametrize("event", ["ping", "inline"])
def test_d8_a_callback_sees_the_context_variables_of_its_caller(door: Door, event: str) -> None:
    hooks = HookDispatcher([PING, INLINE])

    async def sees() -> str:
        return COLOUR.get()

    hooks.register(event, lambda: COLOUR.get(), hook="sync")
    hooks.register(event, sees, hook="async")
    token = COLOUR.set("red")
    try:
        assert door(hooks, event).values == ("red", "red")
    finally:
        COLOUR.reset(token)


@both_doors
@pytest.mark.parametrize("event", ["ping", "inline"])
def test_d8_what_a_callback_sets_reaches_neither_its_caller_nor_its_siblings(door: Door, event: str) -> None:
    hooks = HookDispatcher([PING, INLINE])

    def sets() -> str:
        before = COLOUR.get()
        COLOUR.set("blue")
        return before

    async def sets_too() -> str:
        return sets()

    for number, callback in enumerate((sets, sets_too, sets)):
        hooks.register(event, callback, hook=f"h{number}")
    assert door(hooks, event).values == ("none", "none", "none")
    assert COLOUR.get() == "none"


@both_doors
def test_d8_the_current_run_is_bound_for_the_only_run_too(door: Door) -> None:
    hooks = HookDispatcher([PING])
    hooks.register("ping", lambda: current_run(), hook="sync")
    with bind_run("0af3"):
        assert door(hooks, "ping").values == ("0af3",)
    assert door(hooks, "ping").values == ("",)


def test_d8_runs_that_go_on_at_once_keep_their_own_binding() -> None:
    hooks = HookDispatcher([PING])
    hooks.register("ping", lambda: current_run(), hook="sync")

    async def one(run_id: str) -> tuple[Any, ...]:
        with bind_run(run_id):
            await asyncio.sleep(0)
            return (await hooks.afire("ping", id=run_id)).values

    async def main() -> list[tuple[Any, ...]]:
        return await asyncio.gather(*(one(str(number)) for number in range(8)))

    assert asyncio.run(main()) == [(str(number),) for number in range(8)]


def test_d8_a_posted_payload_is_delivered_with_the_context_of_its_emitter_at_enqueue() -> None:
    hooks = HookDispatcher([PING])
    begun, go_on = threading.Event(), threading.Event()
    seen: list[str] = []

    def sees() -> None:
        begun.set()
        assert go_on.wait(LONG_S)
        seen.append(f"{COLOUR.get()} {current_run()}")

    hooks.register("ping", sees, hook="sees")
    for colour in ("red", "blue"):
        token = COLOUR.set(colour)
        with bind_run(f"run of {colour}"):
            assert hooks.post("ping") == 1
        COLOUR.reset(token)
    assert begun.wait(LONG_S)
    go_on.set()
    hooks.close(LONG_S)
    assert seen == ["red run of red", "blue run of blue"]
