"""D12: posted payloads are delivered by one thread a subscriber, in order, and the emitter never waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from kit.steering import LONG_S, FakeClock, eventually
from windtunnel.hooks import Event, Fault, HookConfigError, HookDispatcher, Limits, current_run
from windtunnel.hooks.current_run import bind_run
from windtunnel.hooks.workers import Waiter

DELTA = Event("on_stream_delta", {"text": "", "n": 0})
END = Event("on_stream_end", {"n": 0})
STEADY = Event("steady", {"text": ""}, bounded=False)


class Blocked:
    """A callback that stops at its first payload until the test lets it go on."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.heard: list[int] = []
        self.threads: list[threading.Thread] = []

    def __call__(self, n: int) -> None:
        if threading.current_thread() not in self.threads:
            self.threads.append(threading.current_thread())
        if not self.begun.is_set():
            self.begun.set()
            assert self.go_on.wait(LONG_S)
        self.heard.append(n)


class Impatient(Waiter):
    """At close, it waits for nothing."""

    def wait(self, done: threading.Lock, seconds: float) -> bool:
        return done.acquire(blocking=False)


def blocked(**limits: int) -> tuple[HookDispatcher, Blocked]:
    hooks = HookDispatcher([DELTA, END], limits=Limits(**limits))
    callback = Blocked()
    hooks.register("on_stream_delta", callback, hook="stream")
    assert hooks.post("on_stream_delta", n=0) == 1
    assert callback.begun.wait(LONG_S)
    return hooks, callback


def test_d12_payloads_are_delivered_in_order_by_one_thread_that_is_not_the_emitters() -> None:
    hooks, callback = blocked()
    assert [hooks.post("on_stream_delta", n=n) for n in range(1, 1000)] == [1] * 999
    callback.go_on.set()
    hooks.close(LONG_S)
    assert callback.heard == list(range(1000))
    assert len(callback.threads) == 1
    assert threading.current_thread() not in callback.threads
    assert not hooks.counts


def test_d12_a_full_queue_drops_the_oldest_and_counts_it() -> None:
    hooks, callback = blocked()
    for n in range(1, 1031):
        assert hooks.post("on_stream_delta", n=n) == 1
    callback.go_on.set()
    hooks.close(LONG_S)
    assert callback.heard == [0, *range(7, 1031)]
    assert dict(hooks.counts) == {("on_stream_delta", "stream", "dropped"): 6}


def test_d12_each_subscriber_has_a_queue_of_its_own() -> None:
    hooks, callback = blocked(queue_size=2)
    heard: list[int] = []
    hooks.register("on_stream_delta", lambda n: heard.append(n), hook="quick")
    for n in range(1, 6):
        assert hooks.post("on_stream_delta", n=n) == 2
        eventually(lambda n=n: len(heard) == n)  # type: ignore[misc]
    callback.go_on.set()
    hooks.close(LONG_S)
    assert (heard, callback.heard) == ([1, 2, 3, 4, 5], [0, 4, 5])
    assert dict(hooks.counts) == {("on_stream_delta", "stream", "dropped"): 3}


def test_d12_the_methods_of_one_object_hear_their_events_in_order() -> None:
    class Stream:
        name = "stream"

        def __init__(self) -> None:
            self.heard: list[Any] = []
            self.threads: set[threading.Thread] = set()

        def on_stream_delta(self, n: int) -> None:
            self.threads.add(threading.current_thread())
            self.heard.append(n)

        def on_stream_end(self) -> None:
            self.threads.add(threading.current_thread())
            self.heard.append("end")

    stream = Stream()
    hooks = HookDispatcher([DELTA, END], [stream])
    for n in range(200):
        hooks.post("on_stream_delta", n=n)
    hooks.post("on_stream_end")
    hooks.close(LONG_S)
    assert stream.heard == [*range(200), "end"]
    assert len(stream.threads) == 1


def test_d12_an_oversized_payload_is_not_queued_and_is_counted() -> None:
    hooks = HookDispatcher([DELTA], limits=Limits(queue_item_bytes=100))
    heard: list[Any] = []
    hooks.register("on_stream_delta", lambda text: heard.append(text), hook="stream")
    endless: list[Any] = []
    endless.append(endless)
    texts: list[Any] = ["x" * 101, "x" * 100, {"deep": [["ä" * 60]]}, "ä" * 50, endless, [0] * 20, b"x" * 101, {1, 2}]
    assert [hooks.post("on_stream_delta", text=text) for text in texts] == [0, 1, 0, 1, 0, 0, 0, 1]
    assert hooks.post("on_stream_delta", text="small", n="x" * 1000) == 1  # nobody asks for n
    hooks.close(LONG_S)
    assert heard == ["x" * 100, "ä" * 50, {1, 2}, "small"]
    assert dict(hooks.counts) == {("on_stream_delta", "stream", "oversized"): 5}


def test_d12_the_standing_limits_are_1024_payloads_of_16_kib() -> None:
    hooks = HookDispatcher([DELTA])
    hooks.register("on_stream_delta", lambda text: None, hook="stream")
    assert [hooks.post("on_stream_delta", text="x" * size) for size in (16384, 16385)] == [1, 0]
    assert Limits().queue_size == 1024
    hooks.close()


def test_d12_what_is_posted_is_copied_when_it_is_posted() -> None:
    hooks = HookDispatcher([DELTA])
    go_on = threading.Event()
    heard: list[Any] = []

    def hears(text: list[int]) -> None:
        assert go_on.wait(LONG_S)
        heard.append(text)

    hooks.register("on_stream_delta", hears, hook="stream")
    text = [1]
    hooks.post("on_stream_delta", text=text)
    text.append(2)
    go_on.set()
    hooks.close(LONG_S)
    assert heard == [[1]]


def test_d12_a_payload_that_cannot_be_copied_is_a_fault() -> None:
    told: list[Fault] = []
    hooks = HookDispatcher([DELTA], off_path=told.append)
    hooks.register("on_stream_delta", lambda text: None, hook="stream")
    assert hooks.post("on_stream_delta", text=threading.Lock()) == 0
    assert [fault.detail for fault in told] == [
        "UncopyableError: 'text' cannot be copied: TypeError: cannot pickle '_thread.lock' object"
    ]


def test_d12_after_close_nothing_is_taken_and_it_is_counted() -> None:
    hooks = HookDispatcher([DELTA])
    heard: list[int] = []
    hooks.register("on_stream_delta", lambda n: heard.append(n), hook="stream")
    assert hooks.post("on_stream_delta", n=1) == 1
    hooks.close(LONG_S)
    hooks.close(LONG_S)
    hooks.register("on_stream_delta", lambda n: heard.append(n), hook="late")
    assert hooks.post("on_stream_delta", n=2) == 0
    assert heard == [1]
    assert dict(hooks.counts) == {
        ("on_stream_delta", "stream", "dropped"): 1,
        ("on_stream_delta", "late", "dropped"): 1,
    }


def test_d12_close_leaves_behind_what_hangs_and_counts_what_was_not_delivered() -> None:
    told: list[Fault] = []
    hooks = HookDispatcher([DELTA], waiter=Impatient(), off_path=told.append)
    callback = Blocked()
    hooks.register("on_stream_delta", callback, hook="stream")
    hooks.post("on_stream_delta", n=0)
    assert callback.begun.wait(LONG_S)
    hooks.post("on_stream_delta", n=1)
    hooks.post("on_stream_delta", n=2)
    hooks.close()
    assert told == [Fault("on_stream_delta", "stream", "timeout", "TimeoutError: no answer before its deadline")]
    assert dict(hooks.counts) == {
        ("on_stream_delta", "stream", "timeout"): 1,
        ("on_stream_delta", "stream", "dropped"): 2,
    }
    callback.go_on.set()
    eventually(lambda: callback.heard == [0])


def test_d12_close_may_be_called_by_a_callback_of_the_queue() -> None:
    hooks = HookDispatcher([DELTA], waiter=Waiter())
    closed = threading.Event()

    def closes() -> None:
        hooks.close(LONG_S)
        closed.set()

    hooks.register("on_stream_delta", closes, hook="closes")
    hooks.post("on_stream_delta")
    assert closed.wait(LONG_S / 2)


def test_d12_a_delivery_that_hangs_is_given_up_by_the_next_post_after_its_deadline() -> None:
    clock = FakeClock()
    runs: list[str] = []
    hooks = HookDispatcher([DELTA], clock=clock, off_path=lambda fault: runs.append(f"{current_run()} {fault.kind}"))
    callback = Blocked()
    hooks.register("on_stream_delta", callback, hook="stream")
    with bind_run("first"):
        hooks.post("on_stream_delta", n=0)
    assert callback.begun.wait(LONG_S)
    clock.advance(29.9)
    hooks.post("on_stream_delta", n=1)
    assert runs == []
    clock.advance(0.1)
    with bind_run("second"):
        hooks.post("on_stream_delta", n=2)
    eventually(lambda: runs == ["first timeout", " quiet", "second quiet"])
    clock.advance(60)
    hooks.post("on_stream_delta", n=3)
    eventually(lambda: callback.heard == [3])
    callback.go_on.set()
    eventually(lambda: not callback.threads[0].is_alive())
    hooks.post("on_stream_delta", n=4)
    hooks.close(LONG_S)
    assert callback.heard == [3, 0, 4]
    assert len(callback.threads) == 2


def test_d12_an_unbounded_delivery_is_never_overdue() -> None:
    clock = FakeClock()
    hooks = HookDispatcher([STEADY], clock=clock)
    begun, go_on = threading.Event(), threading.Event()
    heard: list[str] = []

    def hears(text: str) -> None:
        begun.set()
        assert go_on.wait(LONG_S)
        heard.append(text)

    hooks.register("steady", hears, hook="steady")
    hooks.post("steady", text="one")
    assert begun.wait(LONG_S)
    clock.advance(10_000)
    hooks.post("steady", text="two")
    go_on.set()
    hooks.close(LONG_S)
    assert heard == ["one", "two"]
    assert not hooks.counts


def test_d12_coroutines_are_resolved_off_the_path() -> None:
    hooks = HookDispatcher([DELTA])
    heard: list[int] = []

    async def hears(n: int) -> None:
        heard.append(n)

    hooks.register("on_stream_delta", hears, hook="stream")
    for n in range(3):
        hooks.post("on_stream_delta", n=n)
    hooks.close(LONG_S)
    assert heard == [0, 1, 2]


def test_d12_a_callback_that_was_unregistered_hears_what_was_posted_before_and_its_thread_ends() -> None:
    hooks, callback = blocked()
    forget = hooks.register("on_stream_delta", callback, hook="again")
    unregister: Callable[[], None] = forget
    hooks.post("on_stream_delta", n=1)
    unregister()
    assert hooks.post("on_stream_delta", n=2) == 1
    callback.go_on.set()
    hooks.close(LONG_S)
    assert callback.heard == [0, 1, 1, 2]

    heard: list[int] = []
    other = HookDispatcher([DELTA])
    before = threading.active_count()
    unregister = other.register("on_stream_delta", lambda n: heard.append(n), hook="stream")
    other.post("on_stream_delta", n=1)
    unregister()
    assert other.post("on_stream_delta", n=2) == 0
    eventually(lambda: heard == [1] and threading.active_count() <= before)


def test_d12_guards_cannot_be_posted_to() -> None:
    hooks = HookDispatcher([Event("guard_tool_call", {}, policy=True)])
    hooks.register("guard_tool_call", lambda: None, hook="guard")
    with pytest.raises(HookConfigError, match="guard_tool_call asks guards for a decision: fire it, for a posted one"):
        hooks.post("guard_tool_call")


def test_d12_many_emitters_lose_nothing() -> None:
    hooks = HookDispatcher([DELTA], limits=Limits(queue_size=10_000))
    heard: list[int] = []
    hooks.register("on_stream_delta", lambda n: heard.append(n), hook="stream")

    def emit(first: int) -> None:
        for n in range(first, first + 200):
            hooks.post("on_stream_delta", n=n)

    emitters = [threading.Thread(target=emit, args=(1000 * number,)) for number in range(8)]
    for emitter in emitters:
        emitter.start()
    for emitter in emitters:
        emitter.join(LONG_S)
    hooks.close(LONG_S)
    assert sorted(heard) == [1000 * number + n for number in range(8) for n in range(200)]
    for number in range(8):
        assert [n for n in heard if n // 1000 == number] == [1000 * number + n for n in range(200)]
