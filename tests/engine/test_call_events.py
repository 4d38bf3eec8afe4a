"""Each ``pre_`` has exactly one ``post_``, whatever the call, its caller and the hooks do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from kit.heard import ORIGIN, Bench, Hearing, Recorder, bench, hook_set, per_pack
from windtunnel.engine.call_events import FIELD_BYTES, SILENT, CallEvents, Origin
from windtunnel.engine.clock import RealClock, SeededClock
from windtunnel.engine.latency import Latency
from windtunnel.hooks import bind_run, current_run
from windtunnel.hooks.settings import HookTimeouts
from windtunnel.schemas.secrets import Secrets

PAIR = ("pre_tool_call", "post_tool_call")
FROM = {"run_id": "r1", "session_id": "s1", "pack": "desk", "scenario": "first", "agent": "careful", "at_ms": 0.0}


async def call(events: CallEvents, work: Callable[[], Awaitable[Any]], call_id: str = "call-1") -> Any:
    return await events.around(
        PAIR,
        work,
        before=lambda: {"tool_call_id": call_id, "name": "look"},
        after=lambda result, error, seconds: {
            "tool_call_id": call_id,
            "status": "ok" if error is None else type(error).__name__,
            "result": result,
            "duration_ms": seconds * 1000,
        },
    )


async def answers() -> str:
    return "three"


def test_a_call_is_told_before_and_after() -> None:
    hook = Recorder()
    assert asyncio.run(call(bench(hook).events, answers)) == "three"
    assert hook.heard == [
        ("pre_tool_call", {**FROM, "tool_call_id": "call-1", "name": "look"}),
        ("post_tool_call", {**FROM, "tool_call_id": "call-1", "status": "ok", "result": "three", "duration_ms": 0.0}),
    ]


def test_the_caller_gets_the_very_same_exception() -> None:
    error, hook = ValueError("no"), Recorder()

    async def fails() -> None:
        raise error

    with pytest.raises(ValueError, match="no") as raised:
        asyncio.run(call(bench(hook).events, fails))
    assert raised.value is error
    assert [(name, fields.get("status")) for name, fields in hook.heard] == [
        ("pre_tool_call", None),
        ("post_tool_call", "ValueError"),
    ]


def test_a_hook_may_hear_the_end_alone() -> None:
    hook = Recorder("post_tool_call")
    asyncio.run(call(bench(hook).events, answers))
    assert hook.names == ["post_tool_call"]


def test_without_a_listener_nothing_is_built() -> None:
    def never(*_: object) -> dict[str, Any]:
        raise AssertionError("nobody listens")

    async def work() -> None:
        for events in (SILENT, bench(Recorder("on_stream_end")).events):
            assert await events.around(PAIR, answers, before=never, after=never) == "three"
            await events.tell("pre_tool_call", never)
            events.post("on_stream_delta", never)
            await events.settled()

    asyncio.run(work())
    assert SILENT.silent
    assert not SILENT.wants("pre_tool_call")
    assert SILENT.mint("call") != SILENT.mint("call")


def test_a_cancelled_call_is_told_of_and_its_caller_goes_at_once() -> None:
    released, hook = threading.Event(), Recorder()
    hooks = bench(_Holds("post_tool_call", released), hook)

    async def work() -> list[str]:
        events = hooks.events
        task = asyncio.ensure_future(call(events, asyncio.Event().wait))
        while not hook.heard:
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()
        before = hook.names
        released.set()
        await events.settled()
        return before

    assert asyncio.run(work()) == ["pre_tool_call"]
    assert [(name, fields.get("status")) for name, fields in hook.heard][1:] == [("post_tool_call", "CancelledError")]


def test_a_call_that_is_cancelled_while_hooks_hear_of_it_is_told_of_whole_and_in_order() -> None:
    released, hook = threading.Event(), Recorder()
    holder = _Holds("pre_tool_call", released)

    async def work() -> None:
        events = bench(holder, hook).events
        task = asyncio.ensure_future(call(events, answers))
        while not holder.entered.is_set():
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert hook.heard == []
        released.set()
        await events.settled()

    asyncio.run(work())
    assert [(name, fields.get("status")) for name, fields in hook.heard] == [
        ("pre_tool_call", None),
        ("post_tool_call", "CancelledError"),
    ]


class _Holds:
    """Holds an event until it is released."""

    name = "holds"

    def __init__(self, event: str, released: threading.Event) -> None:
        self.entered = threading.Event()

        def hold(**_: Any) -> None:
            self.entered.set()
            released.wait(20)

        setattr(self, event, hold)


def test_calls_that_come_at_once_begin_in_the_order_in_which_they_came() -> None:
    slow_ones, released = {"call-0", "call-2"}, threading.Event()

    class Slow:
        name = "slow"

        def pre_tool_call(self, tool_call_id: str) -> None:
            if tool_call_id in slow_ones:
                released.wait(20)

    begun: list[int] = []

    async def work() -> None:
        events = bench(Slow()).events

        async def begin(number: int) -> None:
            begun.append(number)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call(events, lambda n=n: begin(n), f"call-{n}")) for n in range(5)]  # type: ignore[misc]
            for _ in range(20):
                await asyncio.sleep(0)
            tasks[1].cancel()
            released.set()

    asyncio.run(work())
    assert begun == [0, 2, 3, 4]


def test_a_call_that_gives_up_in_the_queue_lets_nobody_overtake() -> None:
    released = threading.Event()
    holder = _Holds("pre_tool_call", released)
    begun: list[str] = []

    async def work() -> None:
        events = bench(holder).events

        async def begin(name: str) -> None:
            begun.append(name)

        first = asyncio.ensure_future(call(events, lambda: begin("first"), "call-1"))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(call(events, lambda: begin("second"), "call-2"))
        third = asyncio.ensure_future(call(events, lambda: begin("third"), "call-3"))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait({second})
        released.set()
        await asyncio.gather(first, third)

    asyncio.run(work())
    assert begun == ["first", "third"]


def test_what_hooks_do_to_their_fields_reaches_nobody() -> None:
    args = {"query": ["a"]}

    class Changes:
        name = "changes"

        def pre_tool_call(self, args: dict[str, list[str]]) -> str:
            args["query"].append("b")
            args["more"] = []
            return "nonsense"

    hook = Recorder()

    async def work() -> None:
        await bench(Changes(), hook).events.tell("pre_tool_call", lambda: {"tool_call_id": "1", "args": args})

    asyncio.run(work())
    assert hook.of("pre_tool_call")[0]["args"] == args == {"query": ["a"]}


def test_faults_are_kept_once_with_their_count_on_the_path_and_off() -> None:
    class Broken:
        name = "broken"

        def pre_tool_call(self) -> None:
            raise ValueError("no")

        async def post_tool_call(self) -> None:
            raise SystemExit("out")

        def on_stream_delta(self) -> None:
            raise RuntimeError("off")

    hooks = bench(Broken())

    async def work() -> None:
        for _ in range(2):
            await call(hooks.events, answers)
        hooks.events.post("on_stream_delta", lambda: {"request_id": "1"})

    asyncio.run(work())
    hooks.hooks.close()
    assert hooks.faults == [
        "hook:broken: pre_tool_call raised ValueError: no (2 times)",
        "hook:broken: post_tool_call raised SystemExit: out (2 times)",
        "hook:broken: on_stream_delta raised RuntimeError: off",
    ]


@pytest.mark.parametrize("is_async", [False, True])
def test_ctrl_c_in_a_hook_interrupts_and_leaves_the_call_alone(is_async: bool) -> None:
    class Stops:
        name = "stops"

        def pre_tool_call(self) -> None:
            raise KeyboardInterrupt

    class StopsLater:
        name = "stops"

        async def pre_tool_call(self) -> None:
            raise KeyboardInterrupt

    hearing, hook = Hearing(), StopsLater() if is_async else Stops()
    assert asyncio.run(call(bench(hook, hearing=hearing).events, answers)) == "three"
    assert hearing.interrupts == 1


def test_ctrl_c_off_the_path_interrupts_with_the_next_event() -> None:
    entered = threading.Event()

    class Stops:
        name = "stops"

        def on_stream_start(self) -> None:
            entered.set()
            raise KeyboardInterrupt

    hearing = Hearing()
    hooks = bench(Stops(), hearing=hearing)
    hooks.events.post("on_stream_start", lambda: {"request_id": "1"})
    entered.wait(20)
    while not hearing.interrupts:
        hooks.events.post("on_stream_start", lambda: {"request_id": "2"})
    assert hearing.interrupts == 1


def test_payloads_are_bounded_and_masked_before_hooks_see_them() -> None:
    secrets, hook = Secrets(), Recorder()
    secrets.add("KEY", "sk-0123456789")
    long = "x" * (FIELD_BYTES - 5) + "sk-0123456789"

    async def work() -> None:
        await bench(hook, secrets=secrets).events.tell(
            "pre_tool_call",
            lambda: {"tool_call_id": "1", "args": {"sk-0123456789": ["my sk-0123456789"]}, "name": long},
        )

    asyncio.run(work())
    ((_, fields),) = hook.heard
    assert fields["args"] == {"***": ["my ***"]}
    assert "sk-" not in fields["name"]
    assert len(fields["name"]) < FIELD_BYTES + 100


def test_ids_never_repeat_and_take_nothing_from_the_run() -> None:
    clock = SeededClock("run")
    events = bench(Recorder(), clock=clock).events
    minted = {events.mint("call") for _ in range(100)}
    assert len(minted) == 100
    assert all(len(each) == len("call-") + 32 for each in minted)
    assert clock.token() == SeededClock("run").token()


def test_the_session_of_a_helper_has_its_own_origin_and_shares_the_rest() -> None:
    hook, released = Recorder(), threading.Event()

    async def work() -> None:
        events = bench(_Holds("pre_aux_request", released), hook).events
        judge = events.session(agent="judge", session_id="s2")
        asking = asyncio.ensure_future(judge.tell("pre_aux_request", lambda: {"request_id": "1"}))
        await asyncio.sleep(0)
        asking.cancel()
        released.set()
        await events.settled()  # waits for the helper's too

    asyncio.run(work())
    ((_, fields),) = hook.heard
    assert (fields["agent"], fields["session_id"], fields["run_id"]) == ("judge", "s2", "r1")


def test_a_hook_of_one_pack_hears_that_pack_alone() -> None:
    desk, shop = Recorder(), Recorder()

    class Waits(Recorder):
        def __init__(self) -> None:
            super().__init__("pre_tool_call")
            keep = self.pre_tool_call

            async def pre_tool_call(**fields: Any) -> None:
                await asyncio.sleep(0)
                keep(**fields)

            self.pre_tool_call: Any = pre_tool_call

    yard = Waits()
    packs = ("desk", "shop", "yard", "away")
    hooks = per_pack("notes", {"desk": desk, "shop": shop, "yard": yard}, packs=packs)
    assert hooks.calls.heard("desk") > hooks.calls.heard("yard") == {"pre_tool_call"}
    assert hooks.calls.heard("away") == hooks.calls.heard("unknown") == frozenset()

    async def work() -> None:
        for pack in packs:
            events = Bench(hooks=hooks, origin=Origin(pack=pack)).events
            await events.tell("pre_tool_call", lambda pack=pack: {"tool_call_id": pack})  # type: ignore[misc]
            events.post("on_stream_start", lambda pack=pack: {"request_id": pack})  # type: ignore[misc]
            events.post("on_stream_end", lambda pack=pack: {"request_id": pack})  # type: ignore[misc]

    asyncio.run(work())
    hooks.close()
    for hook, pack in ((desk, "desk"), (shop, "shop")):
        assert hook.names == ["pre_tool_call", "on_stream_start", "on_stream_end"]
        assert {fields["pack"] for _, fields in hook.heard} == {pack}
    assert [fields["pack"] for _, fields in yard.heard] == ["yard"]


def test_d8_hooks_see_the_run_that_they_hear_of() -> None:
    seen: list[str] = []

    class Looks:
        name = "looks"

        def pre_tool_call(self) -> None:
            seen.append(current_run())

        async def post_tool_call(self) -> None:
            seen.append(current_run())

        def on_stream_start(self) -> None:
            seen.append(current_run())

    hooks = bench(Looks())

    async def work() -> None:
        with bind_run("r1"):
            await call(hooks.events, answers)
            hooks.events.post("on_stream_start", lambda: {"request_id": "1"})

    asyncio.run(work())
    hooks.hooks.close()
    assert seen == ["r1", "r1", "r1"]


def test_d13_the_time_of_hooks_is_not_the_calls() -> None:
    class Clock(RealClock):
        """Stands still; a hook moves it."""

        def __init__(self) -> None:
            super().__init__()
            self.at = 0.0

        def elapsed(self) -> float:
            return self.at

    clock = Clock()

    class Moves:
        name = "moves"

        def pre_tool_call(self) -> None:
            clock.at += 7

        post_tool_call = pre_tool_call

    hook = Recorder("post_tool_call")

    async def takes_two() -> None:
        clock.at += 2

    asyncio.run(call(bench(Moves(), hook, clock=clock).events, takes_two))
    assert hook.heard[0][1]["duration_ms"] == 2000


def test_d13_hook_time_inside_of_a_measured_block_is_taken_off() -> None:
    class Ticks(RealClock):
        def elapsed(self) -> float:
            return now[0]

    now = [0.0]
    took = Latency(Ticks())
    took.hooks._clock = lambda: now[0]
    with took:
        now[0] += 1
        took.hooks.begin()
        now[0] += 10
        assert took.seconds == 1
        took.hooks.end()
        now[0] += 2
    now[0] += 100
    assert took.seconds == 3


def test_d13_a_clock_that_only_sleep_moves_stands_still_while_hooks_run() -> None:
    async def work() -> float:
        clock = SeededClock("x")
        with Latency(clock) as took:
            took.hooks.begin()
            await clock.sleep(5)
            took.hooks.end()
        return took.seconds

    assert asyncio.run(work()) == 5


def test_without_a_deadline_hooks_run_on_the_loop_that_tells() -> None:
    where: list[threading.Thread] = []

    class Looks:
        name = "looks"

        def pre_tool_call(self) -> None:
            where.append(threading.current_thread())

    asyncio.run(call(bench(Looks(), timeouts=HookTimeouts(hook_s=0.0)).events, answers))
    assert where == [threading.current_thread()]


def test_a_call_that_is_thrown_away_when_its_loop_has_ended_breaks_nothing() -> None:
    hook = Recorder("post_tool_call")
    left = call(bench(hook).events, asyncio.Event().wait)

    async def begin() -> None:
        left.send(None)

    asyncio.run(begin())
    left.close()
    assert hook.heard == []


def test_the_origin_is_what_every_event_sends() -> None:
    assert ORIGIN.fields().keys() == FROM.keys() - {"at_ms"}
    assert hook_set().calls.heard("desk") == frozenset()
