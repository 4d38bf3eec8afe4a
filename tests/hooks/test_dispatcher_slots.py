"""D3, D5 and D6: what tells calls apart, the race at the deadline, and threads that cannot start."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from kit.steering import (
    LONG_S,
    Door,
    FakeClock,
    Hang,
    RacingWaiter,
    SteeredWaiter,
    both_doors,
    eventually,
    kinds,
)
from windtunnel.hooks import Dispatch, Event, Fault, HookDispatcher, Refusal

CALL = Event("call", {"call_id": "a"}, identity="call_id")
PLAIN = Event("plain", {})


def fire_while_one_runs(
    door: Door, event: Event, first: dict[str, Any], second: dict[str, Any]
) -> tuple[Dispatch, Dispatch]:
    """Fire a second time while the callback of the first is still inside."""
    hooks = HookDispatcher([event])
    inside, go_on = threading.Event(), threading.Event()

    def waits(**fields: Any) -> str:
        if not inside.is_set():
            inside.set()
            assert go_on.wait(LONG_S)
        return str(fields.get("call_id"))

    hooks.register(event.name, waits, hook="waits")
    with ThreadPoolExecutor(1) as pool:
        early = pool.submit(door, hooks, event.name, **first)
        assert inside.wait(LONG_S)
        late = door(hooks, event.name, **second)
        go_on.set()
        return early.result(LONG_S), late


@both_doors
def test_d3_calls_of_different_identities_run_at_once(door: Door) -> None:
    early, late = fire_while_one_runs(door, CALL, {"call_id": "a"}, {"call_id": "b"})
    assert (early.values, late.values) == (("a",), ("b",))
    assert early.faults == late.faults == ()


@both_doors
def test_d3_the_same_identity_twice_at_once_is_busy(door: Door) -> None:
    early, late = fire_while_one_runs(door, CALL, {"call_id": "a"}, {"call_id": "a"})
    assert early.values == ("a",)
    assert late == Dispatch(
        "call", faults=(Fault("call", "waits", "busy", "Skipped: busy with a call of the same identity"),)
    )


@both_doors
@pytest.mark.parametrize("first", [{"call_id": ""}, {"call_id": None}, {}], ids=["empty", "None", "absent"])
def test_d3_calls_without_an_identity_share_one_gate(door: Door, first: dict[str, Any]) -> None:
    assert kinds(fire_while_one_runs(door, CALL, first, {"call_id": ""})[1]) == ["busy"]


@both_doors
def test_d3_an_event_that_declares_no_identity_has_one_gate(door: Door) -> None:
    assert kinds(fire_while_one_runs(door, PLAIN, {"call_id": "a"}, {"call_id": "b"})[1]) == ["busy"]


def test_d3_identities_are_told_apart_by_type_and_may_be_anything() -> None:
    assert (
        kinds(fire_while_one_runs(lambda h, e, /, **p: h.fire(e, **p), CALL, {"call_id": 1}, {"call_id": "1"})[1]) == []
    )
    assert kinds(
        fire_while_one_runs(lambda h, e, /, **p: h.fire(e, **p), CALL, {"call_id": [1]}, {"call_id": [1]})[1]
    ) == ["busy"]


@both_doors
def test_d3_an_identity_that_cannot_be_read_tells_nothing_apart(door: Door) -> None:
    class Unreadable:
        def __repr__(self) -> str:
            raise SystemExit("no identity")

    assert kinds(fire_while_one_runs(door, CALL, {"call_id": Unreadable()}, {"call_id": ""})[1]) == ["busy"]


@both_doors
def test_d3_an_identity_is_free_again_when_its_call_has_ended(door: Door) -> None:
    hooks = HookDispatcher([CALL])
    answers = iter(["one", "", "three"])

    def answer() -> str:
        found = next(answers)
        if not found:
            raise ValueError("two")
        return found

    hooks.register("call", answer, hook="answers")
    assert [door(hooks, "call", call_id="a").values for _ in range(3)] == [("one",), (), ("three",)]


@both_doors
def test_d3_a_callback_that_fires_its_own_event_again_is_busy(door: Door) -> None:
    hooks = HookDispatcher([CALL])
    hooks.register("call", lambda call_id: hooks.fire("call", call_id=call_id), hook="echo")
    (inner,) = door(hooks, "call", call_id="a").values
    assert kinds(inner) == ["busy"]


@both_doors
def test_d3_one_gate_belongs_to_one_callback(door: Door) -> None:
    hooks = HookDispatcher([CALL])
    other: list[Dispatch] = []
    hooks.register(
        "call", lambda call_id: other.append(hooks.fire("call", call_id=call_id)) if not other else None, hook="echo"
    )
    hooks.register("call", lambda: "free", hook="free")
    door(hooks, "call", call_id="a")
    assert other[0].values == ("free",)


@both_doors
def test_d5_a_worker_that_ends_while_its_caller_gives_up_is_heard(door: Door) -> None:
    hooks = HookDispatcher([CALL], waiter=RacingWaiter())
    hooks.register("call", lambda: "in time", hook="races")
    for _ in range(5):  # nothing is left behind: neither busy, nor quiet, nor saturated
        assert door(hooks, "call", call_id="a") == Dispatch("call", values=("in time",))
    assert not hooks.counts


@both_doors
def test_d5_a_fault_and_a_decision_are_heard_in_the_race_as_well(door: Door) -> None:
    hooks = HookDispatcher([CALL, Event("guard", {}, policy=True)], waiter=RacingWaiter())

    def fails() -> None:
        raise ValueError("no")

    hooks.register("call", fails, hook="fails")
    hooks.register("guard", fails, hook="fails")
    assert door(hooks, "call").faults == (Fault("call", "fails", "raised", "ValueError: no"),)
    assert door(hooks, "guard").refusal == Refusal(
        "fails", "refused, for 'fails' failed: ValueError: no", Fault("guard", "fails", "raised", "ValueError: no")
    )


@both_doors
def test_d5_what_an_abandoned_worker_answers_later_reaches_nobody(door: Door) -> None:
    clock, waiter = FakeClock(), SteeredWaiter()
    hooks = HookDispatcher([CALL], clock=clock, waiter=waiter)
    hang = Hang(waiter)
    hooks.register("call", hang, hook="hangs")
    first = door(hooks, "call", call_id="a")
    hang.hangs = False
    clock.advance(60)
    hang.release.set()
    second = door(hooks, "call", call_id="a")
    assert (first.values, second.values) == ((), ("done",))
    assert dict(hooks.counts) == {("call", "hangs", "timeout"): 1}


@both_doors
@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError("no stack")])
def test_d6_a_worker_that_cannot_start_frees_its_slot(
    door: Door, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = HookDispatcher([CALL, Event("guard", {"call_id": "a"}, policy=True, identity="call_id")])
    hooks.register("call", lambda: "ran", hook="notes")
    hooks.register("guard", lambda: None, hook="guards")

    def no_thread(thread: threading.Thread) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", no_thread)
        failed = [door(hooks, "call", call_id="a") for _ in range(5)]
        refused = door(hooks, "guard", call_id="a").refusal
    detail = f"{type(error).__name__}: {error}"
    assert failed == [Dispatch("call", faults=(Fault("call", "notes", "unstartable", detail),))] * 5
    assert refused is not None
    assert refused.message == f"refused, for 'guards' failed: {detail}"
    assert door(hooks, "call", call_id="a").values == ("ran",)
    assert door(hooks, "guard", call_id="a").refusals == ()


def test_d6_a_queue_whose_thread_cannot_start_tells_it_and_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = HookDispatcher([CALL])
    heard: list[str] = []
    hooks.register("call", lambda call_id: heard.append(call_id), hook="notes")

    def no_thread(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", no_thread)
        assert hooks.post("call", call_id="lost") == 0
    assert hooks.post("call", call_id="heard") == 1
    eventually(lambda: heard == ["heard"])
    assert dict(hooks.counts) == {("call", "notes", "unstartable"): 1}
    hooks.close()
