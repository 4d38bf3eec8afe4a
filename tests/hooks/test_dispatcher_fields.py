"""D9, D13 and D14: what a callback is handed, what its time costs, and what nobody's listening costs."""

from __future__ import annotations

import asyncio
import copy
import functools
import threading
from collections.abc import Callable
from typing import Any

import pytest
from kit.steering import Door, FakeClock, both_doors
from windtunnel.hooks import Dispatch, Event, Fault, HookConfigError, HookDispatcher, Refuse
from windtunnel.hooks.contract import PerHook
from windtunnel.hooks.hook_time import HookTime

CALL = Event("post_tool_call", {"tool": "", "args": {}, "result": "", "status": "ok"})
RAW = Event("raw", {"ctx": None}, copied=False)
PAYLOAD = {"tool": "lookup", "args": {"query": "x"}, "result": "y", "status": "ok"}


def registered(callback: Callable[..., Any], event: Event = CALL) -> HookDispatcher:
    hooks = HookDispatcher([event])
    hooks.register(event.name, callback, hook="notes")
    return hooks


def refusal_of(callback: Any, event: Event = CALL) -> str:
    with pytest.raises(HookConfigError) as caught:
        HookDispatcher([event]).register(event.name, callback, hook="wrong")
    return str(caught.value)


@both_doors
def test_d9_a_callback_receives_the_fields_that_it_declares(door: Door) -> None:
    class Notes:
        def method(self, result: str, *, status: str) -> Any:
            return [result, status]

    def some(tool: str, args: dict[str, str], unknown: str = "default") -> Any:
        return [tool, args, unknown]

    assert door(registered(some), "post_tool_call", **PAYLOAD).values == (["lookup", {"query": "x"}, "default"],)
    assert door(registered(Notes().method), "post_tool_call", **PAYLOAD).values == (["y", "ok"],)
    assert door(registered(functools.partial(some, "set")), "post_tool_call", args=1).values == (["set", 1, "default"],)
    assert door(registered(lambda: "none"), "post_tool_call", **PAYLOAD).values == ("none",)
    assert door(registered(lambda **all_of_them: all_of_them), "post_tool_call", **PAYLOAD).values == (PAYLOAD,)


def test_d9_a_parameter_that_the_event_never_sends_is_refused_at_registration() -> None:
    def wrong(tool_data: str) -> None: ...
    def two(when: str, args: str, how: str) -> None: ...

    assert refusal_of(wrong) == (
        "hook 'wrong' asks for 'tool_data', which post_tool_call never sends; it sends: args, result, status, tool"
    )
    assert refusal_of(two) == (
        "hook 'wrong' asks for 'how', 'when', which post_tool_call never sends; it sends: args, result, status, tool"
    )
    assert refusal_of(wrong, Event("empty", {})) == (
        "hook 'wrong' asks for 'tool_data', which empty never sends; it sends: nothing"
    )


def test_d9_what_cannot_be_called_by_name_is_refused_at_registration() -> None:
    def by_position(args: str, /) -> None: ...

    class Hostile:
        def __call__(self) -> None: ...

        @property
        def __signature__(self) -> Any:
            raise SystemExit("no signature")

    assert refusal_of(by_position) == (
        "hook 'wrong' takes 'args' of post_tool_call by position only; "
        "fields are sent by name: take the '/' out, or wrap it in a function"
    )
    assert refusal_of("text") == "hook 'wrong' gives a str for post_tool_call; give a function"
    assert refusal_of(Hostile()) == (
        "hook 'wrong': the parameters of its callback for post_tool_call cannot be read "
        "(SystemExit: no signature); wrap it in a function"
    )


@both_doors
def test_d9_a_payload_may_have_fewer_or_more_fields_than_the_sample(door: Door) -> None:
    assert door(registered(lambda **fields: fields), "post_tool_call", extra=1).values == ({"extra": 1},)
    assert door(registered(lambda extra=0: extra), "post_tool_call", extra=1, event=2).values == (1,)
    assert door(registered(lambda tool: tool), "post_tool_call").faults == (
        Fault(
            "post_tool_call",
            "notes",
            "raised",
            "TypeError: test_d9_a_payload_may_have_fewer_or_more_fields_than_the_sample.<locals>.<lambda>() "
            "missing 1 required positional argument: 'tool'",
        ),
    )


@both_doors
def test_d9_observers_receive_deep_copies_of_their_own(door: Door) -> None:
    hooks = HookDispatcher([CALL])
    seen: list[Any] = []

    def spoils(args: dict[str, Any], result: list[Any]) -> None:
        seen.append(copy.deepcopy([args, result]))
        args["nested"]["deep"].append("spoiled")
        args.clear()
        result.append("spoiled")

    async def spoils_too(args: dict[str, Any], result: list[Any]) -> None:
        spoils(args, result)

    for number, callback in enumerate((spoils, spoils, spoils_too)):
        hooks.register("post_tool_call", callback, hook=f"h{number}")
    args = {"nested": {"deep": [1]}}
    result = [2]
    door(hooks, "post_tool_call", args=args, result=result)
    assert (args, result) == ({"nested": {"deep": [1]}}, [2])
    assert seen == [[{"nested": {"deep": [1]}}, [2]]] * 3


@both_doors
def test_d9_guards_receive_deep_copies_too(door: Door) -> None:
    guard = Event("guard", {"args": {}}, policy=True)

    def rewrites(args: dict[str, str]) -> None:
        args["to"] = "someone else"

    args = {"to": "ops"}
    assert door(registered(rewrites, guard), "guard", args=args).refusals == ()
    assert args == {"to": "ops"}


def test_d9_what_is_one_object_in_two_fields_is_one_object_in_the_copy() -> None:
    shared: list[int] = []
    hooks = registered(lambda args, result: (args is result, args is not shared))
    assert hooks.fire("post_tool_call", args=shared, result=shared).values == ((True, True),)


@both_doors
def test_d9_an_event_that_does_not_copy_hands_over_the_very_object(door: Door) -> None:
    marker = object()
    assert door(registered(lambda ctx: ctx, RAW), "raw", ctx=marker).values == (marker,)


@both_doors
def test_d9_a_field_can_be_made_for_each_hook(door: Door) -> None:
    hooks = HookDispatcher([RAW, CALL])
    for name in ("one", "two"):
        hooks.register("raw", lambda ctx: ctx, hook=name)
        hooks.register("post_tool_call", lambda args: args, hook=name)
    made = PerHook(lambda hook: f"context of {hook}")
    assert door(hooks, "raw", ctx=made).values == ("context of one", "context of two")
    assert door(hooks, "post_tool_call", args=made).values == ("context of one", "context of two")


class Uncopyable:
    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        raise SystemExit("mine alone")


@both_doors
def test_d9_a_field_that_cannot_be_copied_is_a_fault_of_those_who_ask_for_it(door: Door) -> None:
    hooks = HookDispatcher([CALL])
    called: list[str] = []
    hooks.register("post_tool_call", lambda args: called.append(args), hook="asks")
    hooks.register("post_tool_call", lambda tool: tool, hook="does not")
    for _ in range(2):  # its place is free again
        dispatch = door(hooks, "post_tool_call", args=[threading.Lock()], tool="lookup")
        assert dispatch == Dispatch(
            "post_tool_call",
            values=("lookup",),
            faults=(
                Fault(
                    "post_tool_call",
                    "asks",
                    "raised",
                    "UncopyableError: 'args' cannot be copied: TypeError: cannot pickle '_thread.lock' object",
                ),
            ),
        )
    assert door(hooks, "post_tool_call", args=Uncopyable()).faults[0].detail == (
        "UncopyableError: 'args' cannot be copied: SystemExit: mine alone"
    )
    assert called == []


@both_doors
def test_d9_a_guard_that_cannot_be_shown_the_call_refuses_it(door: Door) -> None:
    guard = Event("guard", {"args": {}}, policy=True)
    refusal = door(registered(lambda args: None, guard), "guard", args=Uncopyable()).refusal
    assert refusal is not None
    assert refusal.message == (
        "refused, for 'notes' failed: UncopyableError: 'args' cannot be copied: SystemExit: mine alone"
    )


@both_doors
def test_d13_hook_time_is_told_so_that_a_latency_can_leave_it_out(door: Door) -> None:
    clock = FakeClock()
    hooks = HookDispatcher([CALL])
    hooks.register("post_tool_call", lambda: clock.advance(5), hook="slow")

    async def slow_too() -> None:
        clock.advance(2)

    hooks.register("post_tool_call", slow_too, hook="slow too")
    with HookTime(clock) as turn:
        clock.advance(1)
        with HookTime(clock) as call:
            door(hooks, "post_tool_call")
        clock.advance(1)
        assert (call.seconds, turn.seconds) == (7, 7)
        door(hooks, "post_tool_call")
    door(hooks, "post_tool_call")
    assert (call.seconds, turn.seconds) == (7, 14)


def test_d13_hooks_that_are_waited_for_at_once_are_counted_once() -> None:
    clock = FakeClock()
    hooks = HookDispatcher([Event("ping", {"id": "a"}, identity="id")])
    inside: list[str] = []
    go_on = asyncio.Event()

    async def waits(id: str) -> None:
        inside.append(id)
        await go_on.wait()

    hooks.register("ping", waits, hook="waits")

    async def main() -> float:
        with HookTime(clock) as spent:
            firing = asyncio.gather(*(hooks.afire("ping", id=name) for name in "abc"))
            while len(inside) < 3:
                await asyncio.sleep(0)
            clock.advance(4)
            assert spent.seconds == 4
            go_on.set()
            await firing
        clock.advance(10)
        return spent.seconds

    assert asyncio.run(main()) == 4


def test_d13_a_hook_that_fires_in_a_hook_is_counted_once() -> None:
    clock = FakeClock()
    hooks = HookDispatcher([CALL, RAW])
    hooks.register("raw", lambda: clock.advance(3), hook="inner")
    hooks.register("post_tool_call", lambda: hooks.fire("raw"), hook="outer")
    with HookTime(clock) as spent:
        hooks.fire("post_tool_call")
    assert spent.seconds == 3


@both_doors
def test_d14_where_nobody_listens_nothing_is_built_copied_or_started(door: Door) -> None:
    hooks = HookDispatcher([CALL, Event("guard", {}, policy=True)])
    before = threading.enumerate()
    assert not hooks.wants("post_tool_call")
    assert door(hooks, "post_tool_call", args=Uncopyable()) == Dispatch("post_tool_call")
    assert door(hooks, "guard") == Dispatch("guard")
    assert hooks.post("post_tool_call", args=Uncopyable()) == 0
    assert hooks.fire("post_tool_call") is hooks.fire("post_tool_call")
    assert threading.enumerate() == before
    assert not hooks.counts


def test_d14_the_dispatcher_says_whether_a_payload_is_wanted() -> None:
    hooks = HookDispatcher([CALL, RAW])
    forget = hooks.register("post_tool_call", lambda: Refuse("ignored"), hook="notes")
    assert [hooks.wants(name) for name in ("post_tool_call", "raw", "unheard_of")] == [True, False, False]
    forget()
    forget()
    assert not hooks.wants("post_tool_call")
    assert hooks.fire("post_tool_call") == Dispatch("post_tool_call")
