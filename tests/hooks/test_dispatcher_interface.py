"""What the dispatcher is told and what it answers: limits, events, registration, guards and their refusals."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.steering import Door, Hang, SteeredWaiter, both_doors, by_afire, by_fire
from windtunnel import hooks as wing
from windtunnel.hooks import Dispatch, Event, Fault, HookConfigError, HookDispatcher, Limits, Refusal, Refuse
from windtunnel.hooks.events import EVENTS, lifecycle_event
from windtunnel.hooks.points import POINTS
from windtunnel.schemas.errors import UsageFault

PING = Event("ping", {"id": "a"}, identity="id")
GUARD = Event("guard_tool_call", {"tool": ""}, policy=True)


def test_the_interface_is_what_the_design_names() -> None:
    assert Event("e", {}) == Event("e", {}, False, None, True, None, True)
    assert Limits() == Limits(30.0, 60.0, 3, 200, 1024, 16384, 20)
    assert Dispatch("e") == Dispatch("e", (), (), ())
    assert Refusal("h", "m") == Refusal("h", "m", None)
    assert issubclass(HookConfigError, UsageFault)
    assert HookConfigError("x").exit_code == 2
    for name in ("Dispatch", "Event", "Fault", "HookConfigError", "HookDispatcher", "Limits", "Refusal", "Refuse"):
        assert name in wing.__all__


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("timeout_s", -0.1, "timeout_s is -0.1; give a number from 0 to 600"),
        ("timeout_s", 600.1, "timeout_s is 600.1; give a number from 0 to 600"),
        ("timeout_s", math.nan, "timeout_s is nan; give a number from 0 to 600"),
        ("timeout_s", math.inf, "timeout_s is inf; give a number from 0 to 600"),
        ("timeout_s", "30", "timeout_s is '30'; give a number from 0 to 600"),
        ("timeout_s", True, "timeout_s is True; give a number from 0 to 600"),
        ("quiet_s", -1, "quiet_s is -1; give a number from 0 to 86400"),
        ("max_abandoned", 0, "max_abandoned is 0; give a whole number from 1 to 1000"),
        ("max_abandoned", 1.5, "max_abandoned is 1.5; give a whole number from 1 to 1000"),
        ("text_chars", 0, "text_chars is 0; give a whole number from 1 to 100000"),
        ("queue_size", 0, "queue_size is 0; give a whole number from 1 to 1000000"),
        ("queue_item_bytes", 0, "queue_item_bytes is 0; give a whole number from 1 to 1073741824"),
        ("max_distinct", -1, "max_distinct is -1; give a whole number from 1 to 10000"),
    ],
)
def test_a_limit_out_of_its_range_is_refused_and_never_clamped(name: str, value: Any, told: str) -> None:
    with pytest.raises(HookConfigError) as caught:
        Limits(**{name: value})
    assert str(caught.value) == told


def test_the_ends_of_the_range_of_a_timeout_are_in_it() -> None:
    assert (Limits(timeout_s=0).timeout_s, Limits(timeout_s=600).timeout_s) == (0, 600)
    assert Event("e", {}, timeout_s=600).timeout_s == 600


def test_an_event_that_cannot_be_is_refused() -> None:
    for arguments, told in (
        (("", {}), "an event needs a name, not ''"),
        (("e", ["a"]), "event 'e': the sample is one payload, a mapping of field names to values"),
        (("e", {1: 2}), "event 'e': the sample is one payload, a mapping of field names to values"),
        (("e", {}, False, None, True, 601), "event 'e': timeout_s is 601; give a number from 0 to 600"),
    ):
        with pytest.raises(HookConfigError) as caught:
            Event(*arguments)
        assert str(caught.value) == told


def test_two_events_of_one_name_are_refused() -> None:
    with pytest.raises(HookConfigError, match="two events are named 'ping'"):
        HookDispatcher([PING, Event("ping", {})])


@pytest.mark.parametrize("door", ["register", "fire", "afire", "post"])
def test_an_unknown_event_is_told_with_the_nearest_name(door: str) -> None:
    hooks = HookDispatcher([PING, GUARD])
    calls: dict[str, Any] = {
        "register": lambda: hooks.register("pong", print, hook="x"),
        "fire": lambda: hooks.fire("pong"),
        "afire": lambda: by_afire(hooks, "pong"),
        "post": lambda: hooks.post("pong"),
    }
    with pytest.raises(HookConfigError) as caught:
        calls[door]()
    assert str(caught.value) == "no event is named 'pong'; did you mean 'ping'?"


@both_doors
def test_hooks_are_objects_with_a_name_and_methods_named_like_events(door: Door) -> None:
    class Notes:
        name = "notes"

        def ping(self, id: str) -> str:
            return id

    class Half(wing.Hook):
        name = "half"

        def on_run_end(self, ctx: Any) -> None: ...

    hooks = HookDispatcher([PING, *EVENTS.values()], hooks=[Notes(), Half()])
    assert door(hooks, "ping", id="a").values == ("a",)
    assert [name for name in EVENTS if hooks.wants(name)] == ["on_run_end"]
    with pytest.raises(HookConfigError, match="two hooks are named 'notes'; give each a name of its own"):
        HookDispatcher([PING], hooks=[Notes(), Notes()])
    with pytest.raises(HookConfigError, match="has no name"):
        HookDispatcher([PING], hooks=[object()])


@both_doors
def test_values_and_faults_stand_in_the_order_of_registration(door: Door) -> None:
    hooks = HookDispatcher([PING])
    called: list[int] = []

    def make(number: int) -> Any:
        def answers() -> int:
            called.append(number)
            if number % 2:
                raise ValueError(number)
            return number

        return answers

    for number in (3, 0, 1, 2):
        hooks.register("ping", make(number), hook=f"h{number}")
    dispatch = door(hooks, "ping")
    assert called == [3, 0, 1, 2]
    assert dispatch.values == (0, 2)
    assert [fault.hook for fault in dispatch.faults] == ["h3", "h1"]
    assert dispatch.refusal is None


@both_doors
def test_a_guard_allows_with_none_and_refuses_with_its_reason_as_given(door: Door) -> None:
    hooks = HookDispatcher([GUARD])
    hooks.register("guard_tool_call", lambda: None, hook="allows")
    assert door(hooks, "guard_tool_call") == Dispatch("guard_tool_call")
    hooks.register("guard_tool_call", lambda tool: Refuse(f"  not {tool}\n"), hook="first")
    hooks.register("guard_tool_call", lambda: Refuse("nor that"), hook="second")
    dispatch = door(hooks, "guard_tool_call", tool="mail")
    assert dispatch == Dispatch(
        "guard_tool_call", refusals=(Refusal("first", "  not mail\n"), Refusal("second", "nor that"))
    )
    assert dispatch.refusal == Refusal("first", "  not mail\n")


@both_doors
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (True, "answered bool, not None or Refuse(reason)"),
        (False, "answered bool, not None or Refuse(reason)"),
        ("no", "answered str, not None or Refuse(reason)"),
        (Refuse, "answered type, not None or Refuse(reason)"),
        (Refuse(None), "answered Refuse, not None or Refuse(reason)"),  # type: ignore[arg-type]
        (Refuse(b"no"), "answered Refuse, not None or Refuse(reason)"),  # type: ignore[arg-type]
        ({"reason": "no"}, "answered dict, not None or Refuse(reason)"),
    ],
)
def test_a_guard_that_answers_nonsense_refuses(door: Door, answer: Any, told: str) -> None:
    hooks = HookDispatcher([GUARD])
    hooks.register("guard_tool_call", lambda: answer, hook="odd")
    fault = Fault("guard_tool_call", "odd", "malformed", f"TypeError: {told}")
    assert door(hooks, "guard_tool_call") == Dispatch(
        "guard_tool_call",
        faults=(fault,),
        refusals=(Refusal("odd", f"refused, for 'odd' failed: TypeError: {told}", fault),),
    )


@both_doors
def test_a_guard_that_fails_in_any_way_refuses_with_a_text_of_its_own(door: Door) -> None:
    waiter = SteeredWaiter()
    hooks = HookDispatcher([GUARD], waiter=waiter, limits=Limits(max_abandoned=1, quiet_s=0))
    hang = Hang(waiter)
    hooks.register("guard_tool_call", hang, hook="hangs")
    told = [door(hooks, "guard_tool_call").refusal for _ in range(2)]
    assert [refusal and refusal.message for refusal in told] == [
        "refused, for 'hangs' failed: TimeoutError: no answer before its deadline",
        "refused, for 'hangs' failed: Skipped: saturated, 1 abandoned calls of it still run",
    ]
    assert all(refusal and refusal.fault for refusal in told)
    hang.release.set()


@both_doors
def test_a_dispatcher_that_is_closed_still_lets_no_guard_be_passed_by(door: Door) -> None:
    hooks = HookDispatcher([GUARD])
    hooks.register("guard_tool_call", lambda: Refuse("no"), hook="guard")
    hooks.close()
    assert door(hooks, "guard_tool_call").refusals == (Refusal("guard", "no"),)


def test_workers_end_after_close() -> None:
    before = set(threading.enumerate())
    hooks = HookDispatcher([PING])
    hooks.register("ping", lambda: None, hook="notes")
    for _ in range(3):
        hooks.fire("ping")
    hooks.close()
    hooks.fire("ping")
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
        assert not thread.is_alive()


def test_the_lifecycle_points_are_events_that_copy_nothing_and_have_300_seconds() -> None:
    for name in POINTS:
        event = EVENTS[name]
        assert event == lifecycle_event(name)
        assert (event.name, event.identity, event.timeout_s) == (name, "run_id", 300)
        assert (event.policy, event.bounded, event.copied) == (False, True, False)
        assert set(event.sample) == {"ctx", "run_id"}


@given(
    answers=st.lists(
        st.one_of(
            st.none(),
            st.integers(),
            st.text(),
            st.builds(Refuse, st.text()),
            st.builds(ValueError, st.text()).map(lambda e: [e]),
        ),
        max_size=6,
    ),
    policy=st.booleans(),
)
def test_both_doors_give_equal_dispatches_whatever_the_callbacks_do(answers: list[Any], policy: bool) -> None:
    hooks = HookDispatcher([Event("any", {}, policy=policy, bounded=False)])
    for number, answer in enumerate(answers):

        def callback(answer: Any = answer) -> Any:
            if isinstance(answer, list):
                raise answer[0]
            return answer

        hooks.register("any", callback, hook=f"h{number}")
    fired = by_fire(hooks, "any")
    assert fired == by_afire(hooks, "any")
    if policy:
        failed = [answer for answer in answers if answer is not None and not isinstance(answer, Refuse)]
        assert len(fired.refusals) == len([answer for answer in answers if answer is not None])
        assert len(fired.faults) == len(failed)
