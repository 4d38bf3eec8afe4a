from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Any

import pytest
from windtunnel.engine.foreign import ForeignFault, ForeignTimeout, interrupts, run_foreign

word: contextvars.ContextVar[str] = contextvars.ContextVar("word", default="")


def run(function: Any, *args: Any, timeout_s: float | None = None) -> Any:
    return asyncio.run(run_foreign(function, *args, timeout_s=timeout_s))


def raises(error: BaseException) -> None:
    raise error


def test_what_a_function_returns_comes_back_from_a_daemon_thread_that_sees_the_callers_context() -> None:
    word.set("seen")
    assert run(lambda it: (it, word.get(), threading.current_thread().daemon), 5) == (5, "seen", True)


def test_a_coroutine_is_awaited_on_that_thread() -> None:
    async def named() -> str:
        await asyncio.sleep(0)
        return threading.current_thread().name

    assert run(named) != threading.current_thread().name


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (asyncio.CancelledError(), "CancelledError"),
        (StopIteration("x"), "StopIteration: x"),
        (GeneratorExit(), "GeneratorExit"),
        (TimeoutError("mine"), "TimeoutError: mine"),
    ],
)
def test_whatever_a_function_raises_is_one_fault(error: BaseException, text: str) -> None:
    with pytest.raises(ForeignFault) as caught:
        run(raises, error)
    assert str(caught.value) == text
    assert caught.value.__cause__ is error


def test_ctrl_c_goes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        run(raises, KeyboardInterrupt())


def test_in_a_sweep_ctrl_c_interrupts_and_cancels_the_caller() -> None:
    told: list[str] = []
    with interrupts(lambda: told.append("interrupted")), pytest.raises(asyncio.CancelledError):
        run(raises, KeyboardInterrupt())
    assert told == ["interrupted"]


def test_a_function_that_hangs_is_left_behind_at_its_deadline() -> None:
    go = threading.Event()
    with pytest.raises(ForeignTimeout) as caught:
        run(go.wait, timeout_s=0.01)
    assert str(caught.value) == "not done within 0.01 s"
    go.set()


def test_a_thread_that_cannot_start_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def main() -> None:
        monkeypatch.setattr(threading.Thread, "start", refuse)
        try:
            await run_foreign(int)
        finally:
            monkeypatch.undo()

    with pytest.raises(ForeignFault, match="RuntimeError: can't start new thread"):
        asyncio.run(main())
