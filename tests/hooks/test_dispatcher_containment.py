"""D11: whatever a callback raises, returns or is stays with it; only KeyboardInterrupt comes through."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.steering import LONG_S, Door, FakeClock, Hang, SteeredWaiter, both_doors, by_afire, by_fire, eventually, kinds
from windtunnel.hooks import Dispatch, Event, Fault, HookDispatcher, Limits, Refuse

PING = Event("ping", {"id": "a"}, identity="id")
INLINE = Event("inline", {}, bounded=False)
GUARD = Event("guard", {}, policy=True)
EVENTS = ("ping", "inline", "guard")


class Wordless(Exception):
    def __str__(self) -> str:
        raise SystemExit("no words")


class OfItsOwn(BaseException):
    """Derived from nothing that an ordinary except clause knows."""


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise ValueError("no name")


class OfNoName(Exception, metaclass=Nameless):
    pass


def recurses() -> None:
    recurses()


def raises(error: BaseException) -> Callable[[], None]:
    def callback() -> None:
        raise error

    return callback


HOSTILE: list[tuple[BaseException, str]] = [
    (ValueError("boom"), "ValueError: boom"),
    (ValueError(), "ValueError"),
    (SystemExit(0), "SystemExit: 0"),
    (GeneratorExit("over"), "GeneratorExit: over"),
    (StopIteration("stop"), "StopIteration: stop"),
    (StopAsyncIteration("stop"), "StopAsyncIteration: stop"),
    (asyncio.CancelledError("no"), "CancelledError: no"),
    (OfItsOwn("mine"), "OfItsOwn: mine"),
    (OfNoName("x"), "OfNoName: x"),
    (Wordless(), "Wordless: (no text: its __str__ raised SystemExit)"),
    (BaseExceptionGroup("many", [SystemExit(1)]), "BaseExceptionGroup: many (1 sub-exception)"),
    (ValueError("two\nlines\x00 and \ud800"), "ValueError: two lines\x00 and \\ud800"),
    (ValueError("x" * 300), "ValueError: " + "x" * 200),
]


def errors(*without: type[BaseException]) -> pytest.MarkDecorator:
    """Each error with its detail; named by number, for some cannot be asked for a name."""
    chosen = [each for each in HOSTILE if not isinstance(each[0], without)]
    return pytest.mark.parametrize(("error", "detail"), chosen, ids=[str(number) for number in range(len(chosen))])


hostile = errors()
hostile_in_a_coroutine = errors(StopIteration, StopAsyncIteration)  # which Python itself turns into RuntimeError there


@both_doors
@pytest.mark.parametrize("event", EVENTS)
@hostile
def test_d11_what_a_callback_raises_is_a_fault(door: Door, event: str, error: BaseException, detail: str) -> None:
    hooks = HookDispatcher([PING, INLINE, GUARD])
    hooks.register(event, raises(error), hook="hostile")
    hooks.register(event, lambda: None, hook="sibling")
    dispatch = door(hooks, event)
    assert dispatch.faults == (Fault(event, "hostile", "raised", detail),)
    assert dispatch.values == ()


@both_doors
@pytest.mark.parametrize("event", EVENTS)
@hostile_in_a_coroutine
def test_d11_what_a_coroutine_raises_is_a_fault(door: Door, event: str, error: BaseException, detail: str) -> None:
    hooks = HookDispatcher([PING, INLINE, GUARD])

    async def hostile() -> None:
        await asyncio.sleep(0)
        raise error

    hooks.register(event, hostile, hook="hostile")
    assert door(hooks, event).faults == (Fault(event, "hostile", "raised", detail),)


@hostile
def test_d11_what_a_callback_raises_off_the_path_is_a_fault(error: BaseException, detail: str) -> None:
    told: list[Fault] = []
    hooks = HookDispatcher([PING], off_path=told.append)
    hooks.register("ping", raises(error), hook="hostile")
    for _ in range(2):
        assert hooks.post("ping") == 1
    hooks.close(LONG_S)
    assert told == [Fault("ping", "hostile", "raised", detail)] * 2


@both_doors
@pytest.mark.parametrize("event", EVENTS)
def test_d11_endless_recursion_is_a_fault(door: Door, event: str) -> None:
    hooks = HookDispatcher([PING, INLINE, GUARD])
    hooks.register(event, recurses, hook="recurses")
    (fault,) = door(hooks, event).faults
    assert fault.detail.startswith("RecursionError: maximum recursion depth exceeded")


@both_doors
@pytest.mark.parametrize("event", EVENTS)
def test_d11_keyboard_interrupt_comes_through_at_once(door: Door, event: str) -> None:
    hooks = HookDispatcher([PING, INLINE, GUARD])

    async def interrupts() -> None:
        raise KeyboardInterrupt

    for callback in (raises(KeyboardInterrupt()), interrupts):
        forget = hooks.register(event, callback, hook="interrupts")
        for _ in range(2):  # its place is free again
            with pytest.raises(KeyboardInterrupt):
                door(hooks, event)
        forget()
    assert door(hooks, event) == Dispatch(event)
    assert not hooks.counts


@pytest.mark.parametrize("door", ["fire", "afire", "post", "close"])
def test_d11_keyboard_interrupt_off_the_path_is_kept_and_raised_by_the_next_call(door: str) -> None:
    hooks = HookDispatcher([PING, INLINE])
    hooks.register("ping", raises(KeyboardInterrupt("kept")), hook="interrupts")
    calls: dict[str, Callable[[], object]] = {
        "fire": lambda: hooks.fire("inline"),
        "afire": lambda: by_afire(hooks, "inline"),
        "post": lambda: hooks.post("inline"),
        "close": lambda: hooks.close(LONG_S),
    }
    assert hooks.post("ping") == 1
    if door != "close":
        eventually(lambda: hooks._kept is not None)
    with pytest.raises(KeyboardInterrupt, match="kept"):
        calls[door]()
    calls[door]()  # once
    assert not hooks.counts


@both_doors
def test_d11_keyboard_interrupt_of_an_abandoned_call_is_kept_too(door: Door) -> None:
    clock, waiter = FakeClock(), SteeredWaiter()
    hooks = HookDispatcher([PING, INLINE], clock=clock, waiter=waiter)
    hang = Hang(waiter)

    def interrupts_late() -> None:
        hang()
        raise KeyboardInterrupt("late")

    hooks.register("ping", interrupts_late, hook="late")
    assert kinds(door(hooks, "ping")) == ["timeout"]
    hang.release.set()
    eventually(lambda: hooks._kept is not None)
    with pytest.raises(KeyboardInterrupt, match="late"):
        door(hooks, "inline")


class Liar:
    """An answer that fails whoever looks at it."""

    def __bool__(self) -> bool:
        raise SystemExit

    def __eq__(self, other: object) -> bool:
        raise SystemExit

    __hash__ = None  # type: ignore[assignment]

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise SystemExit

    def __repr__(self) -> str:
        raise SystemExit


class HostileRefuse(Refuse):
    @property
    def reason(self) -> str:
        raise SystemExit("no reason")


@both_doors
@pytest.mark.parametrize("event", ["ping", "inline"])
def test_d11_an_observer_may_return_anything(door: Door, event: str) -> None:
    hooks = HookDispatcher([PING, INLINE])
    answers: list[Any] = [0, "", None, [], Refuse("not asked"), ValueError("returned"), NotImplemented, open, type]
    for number, answer in enumerate(answers):
        hooks.register(event, lambda answer=answer: answer, hook=f"h{number}")
    dispatch = door(hooks, event)
    assert dispatch.values == tuple(answer for answer in answers if answer is not None)
    assert (dispatch.faults, dispatch.refusals) == ((), ())


@both_doors
def test_d11_an_answer_may_fail_whoever_looks_at_it(door: Door) -> None:
    hooks = HookDispatcher([PING, INLINE, GUARD])

    async def lies() -> Liar:
        return Liar()

    for event in EVENTS:
        hooks.register(event, lambda: Liar(), hook="liar")
        hooks.register(event, lies, hook="too")
    for event in ("ping", "inline"):
        assert [type(value) is Liar for value in door(hooks, event).values] == [True, True]
    assert [refusal.message for refusal in door(hooks, "guard").refusals] == [
        "refused, for 'liar' failed: TypeError: answered Liar, not None or Refuse(reason)",
        "refused, for 'too' failed: TypeError: answered Liar, not None or Refuse(reason)",
    ]


@both_doors
def test_d11_a_guard_whose_refusal_cannot_be_read_refuses(door: Door) -> None:
    hooks = HookDispatcher([GUARD])
    hooks.register("guard", lambda: HostileRefuse.__new__(HostileRefuse), hook="hostile")
    refusal = door(hooks, "guard").refusal
    assert refusal is not None
    assert refusal.message == "refused, for 'hostile' failed: SystemExit: no reason"


@both_doors
@pytest.mark.parametrize("event", ["ping", "inline"])
def test_d11_a_callback_that_closes_the_standard_streams_harms_nobody(
    door: Door, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = HookDispatcher([PING, INLINE])
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.StringIO())

    def closes() -> None:
        sys.stdout.close()
        sys.stderr.close()
        raise ValueError("closed")

    handler = logging.StreamHandler(sys.stderr)
    logging.getLogger("windtunnel.hooks").addHandler(handler)
    try:
        hooks.register(event, closes, hook="closes")
        assert kinds(door(hooks, event)) == ["raised"]
    finally:
        logging.getLogger("windtunnel.hooks").removeHandler(handler)


@both_doors
def test_d11_a_log_handler_that_raises_harms_nobody(door: Door) -> None:
    class Broken(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise SystemExit("handler")

    hooks = HookDispatcher([PING])
    hooks.register("ping", raises(ValueError("boom")), hook="hostile")
    handler = Broken()
    logging.getLogger("windtunnel.hooks").addHandler(handler)
    try:
        assert kinds(door(hooks, "ping")) == ["raised"]
    finally:
        logging.getLogger("windtunnel.hooks").removeHandler(handler)


@both_doors
def test_d11_an_error_that_hangs_when_it_is_put_into_words_is_abandoned(door: Door) -> None:
    waiter = SteeredWaiter()
    hang = Hang(waiter)

    class HangsInWords(Exception):
        def __str__(self) -> str:
            return hang()

    hooks = HookDispatcher([PING], waiter=waiter)
    hooks.register("ping", lambda: (_ for _ in ()).throw(HangsInWords()), hook="hangs")
    hooks.register("ping", lambda: "sibling", hook="sibling")
    if door is by_fire:
        assert kinds(door(hooks, "ping")) == ["timeout"]
    hang.release.set()


@both_doors
def test_d11_a_callback_may_delete_what_it_stands_on(door: Door) -> None:
    class Hook:
        name = "gone"

        def ping(self) -> None:
            del self.__dict__["tools"]
            type(self).ping = None  # type: ignore[method-assign, assignment]
            raise ValueError("gone")

        def __init__(self) -> None:
            self.tools = 1

    hooks = HookDispatcher([PING], [Hook()])
    details = [fault.detail for _ in range(2) for fault in door(hooks, "ping").faults]
    assert details == ["ValueError: gone", "KeyError: 'tools'"]


@given(text=st.text(), chars=st.integers(1, 50))
def test_d11_every_error_text_fits_its_limit_and_strict_utf8(text: str, chars: int) -> None:
    hooks = HookDispatcher([INLINE], limits=Limits(text_chars=chars))
    hooks.register("inline", raises(ValueError(text)), hook="says")
    (fault,) = hooks.fire("inline").faults
    fault.detail.encode()
    assert len(fault.detail.removeprefix("ValueError").removeprefix(": ")) <= chars
