"""Wrappers around a tool call: ``next`` runs at most once, and no wrapper can lose, repeat or break the call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.tool_bench import Bench
from kit.worlds import guard, pack, rule, takes, tool
from windtunnel.engine.tools.results import Answer
from windtunnel.engine.tools.wrappers import Next, NextMisused, Wrap, WrappedCall, Wrapper, wrapped
from windtunnel.schemas.codec import encode

TEXT = {"type": "string"}
SEND = tool(
    "send", takes(to=TEXT), rule(sql=("INSERT INTO outbox VALUES (:to, 'x')",), text="sent"), effect="external-send"
)


def bench(*wraps: Wrap, **keys: Any) -> Bench:
    wrappers = tuple(Wrapper(name=f"w{n}", wrap=wrap, type="tool-fault") for n, wrap in enumerate(wraps, 1))
    return Bench(pack=pack(SEND, guards=(guard("never", "args.to == 'refused'"),)), guards=("never",), wrappers=wrappers, **keys)


def sent(asked: Bench) -> int:
    return len(asked.world.tables()["outbox"])


def mark(detail: str, name: str = "w1", call: int = 1) -> dict[str, Any]:
    return {"type": "tool-fault", "name": name, "tool": "send", "call": call, "applied": False, "detail": detail}


async def through(_call: WrappedCall, next: Next) -> Answer:
    return await next()


async def instead(_call: WrappedCall, _next: Next) -> Answer:
    return Answer(error="timed out")


async def hides(_call: WrappedCall, next: Next) -> Answer:
    await next()
    return Answer(error="timed out")


def test_a_wrapper_may_let_the_call_through_answer_in_its_place_or_answer_something_else() -> None:
    for wrap, text, rows in ((through, "sent", 1), (instead, "Error: timed out", 0), (hides, "Error: timed out", 1)):
        asked = bench(wrap)
        assert asked.call("send", {"to": "a"}).content == text
        assert (sent(asked), asked.witness.perturbations) == (rows, [])
        assert asked.last.status == ("ok" if text == "sent" else "error")


def test_the_first_wrapper_is_the_outermost() -> None:
    order: list[str] = []

    def named(name: str) -> Wrap:
        async def wrap(call: WrappedCall, next: Next) -> Answer:
            order.append(f"{name} before {call.tool} {call.n} {call.number} {call.args['to']}")
            answer = await next()
            order.append(f"{name} after")
            return answer

        return wrap

    bench(named("a"), named("b")).call("send", {"to": "x"})
    assert order == ["a before send 1 1 x", "b before send 1 1 x", "b after", "a after"]


def test_a_call_that_reaches_no_tool_reaches_no_wrapper() -> None:
    async def never(_call: WrappedCall, _next: Next) -> Answer:
        raise AssertionError

    asked = bench(never)
    found = [asked.call("send", {"to": "refused"}), asked.call("send", {}), asked.call("sned", {"to": "x"})]
    assert [each.status for each in found] == ["refused", "error", "error"]
    assert asked.witness.perturbations == []


def test_what_a_wrapper_does_to_the_arguments_reaches_nobody() -> None:
    async def meddle(call: WrappedCall, next: Next) -> Answer:
        call.args["to"] = "evil"  # type: ignore[index]  # a wrapper in Python can try
        return await next()

    asked = bench(meddle)
    asked.call("send", {"to": "a"})
    assert (asked.world.tables()["outbox"][0]["recipient"], asked.last.args) == ("a", {"to": "a"})


async def fails_before(_call: WrappedCall, _next: Next) -> Answer:
    raise ValueError("oops")


async def fails_after(_call: WrappedCall, next: Next) -> Answer:
    await next()
    raise ValueError("oops")


async def answers_nonsense(_call: WrappedCall, _next: Next) -> Answer:
    return "sent"  # type: ignore[return-value]  # as foreign code may


async def answers_nonsense_after(_call: WrappedCall, next: Next) -> Answer:
    await next()
    return None  # type: ignore[return-value]


def is_no_coroutine(_call: WrappedCall, _next: Next) -> Answer:
    return Answer()


async def exits(_call: WrappedCall, next: Next) -> Answer:
    await next()
    raise SystemExit(0)


async def cancels_itself(_call: WrappedCall, _next: Next) -> Answer:
    raise asyncio.CancelledError


async def calls_twice(_call: WrappedCall, next: Next) -> Answer:
    await next()
    return await next()


async def calls_twice_and_hides_it(_call: WrappedCall, next: Next) -> Answer:
    await next()
    with suppress(NextMisused):
        await next()
    return Answer(error="gone")


async def calls_twice_at_once(_call: WrappedCall, next: Next) -> Answer:
    return (await asyncio.gather(next(), next()))[0]


BEFORE = "failed before the tool was called, and it was skipped"
AFTER = "failed after the tool was called, and its result stands"
TWICE = "NextMisused: next was called twice"


@pytest.mark.parametrize(
    ("wrap", "detail"),
    [
        (fails_before, f"{BEFORE}: ValueError: oops"),
        (fails_after, f"{AFTER}: ValueError: oops"),
        (answers_nonsense, f"{BEFORE}: TypeError: answered str, not Answer"),
        (answers_nonsense_after, f"{AFTER}: TypeError: answered NoneType, not Answer"),
        (exits, f"{AFTER}: SystemExit: 0"),
        (cancels_itself, f"{BEFORE}: CancelledError"),
        (calls_twice, f"{AFTER}: {TWICE}"),
        (calls_twice_and_hides_it, f"{AFTER}: {TWICE}"),
        (calls_twice_at_once, f"{AFTER}: {TWICE}"),
    ],
)
def test_a_wrapper_that_fails_is_marked_and_the_real_result_stands(wrap: Any, detail: str) -> None:
    asked = bench(wrap)
    assert asked.call("send", {"to": "a"}).text == "sent"
    assert (sent(asked), asked.witness.perturbations) == (1, [mark(detail)])
    assert (asked.last.status, asked.host.faults) == ("ok", [])


def test_a_wrapper_that_is_no_coroutine_function_fails_before_the_tool() -> None:
    asked = bench(is_no_coroutine)  # type: ignore[arg-type]  # as foreign code may
    assert asked.call("send", {"to": "a"}).text == "sent"
    assert asked.witness.perturbations[0]["detail"].startswith(f"{BEFORE}: TypeError: ")


def test_a_wrapper_that_fails_takes_no_other_with_it() -> None:
    asked = bench(fails_before, hides, fails_after)
    assert asked.call("send", {"to": "a"}).error == "timed out"
    assert asked.call("send", {"to": "b"}).error == "timed out"
    assert sent(asked) == 2
    assert asked.witness.perturbations == [
        mark(f"{which}: ValueError: oops", name, call)
        for call in (1, 2)
        for which, name in ((BEFORE, "w1"), (AFTER, "w3"))
    ]


def test_next_is_closed_once_its_wrapper_has_returned() -> None:
    kept: list[Next] = []

    async def keeps(_call: WrappedCall, next: Next) -> Answer:
        kept.append(next)
        return Answer(value="mine")

    asked = bench(keeps)
    assert asked.call("send", {"to": "a"}).text == "mine"
    with pytest.raises(NextMisused, match="next was called after the wrapper had returned"):
        asyncio.run(kept[0]())  # type: ignore[arg-type]  # a coroutine
    assert sent(asked) == 0


Tool = Callable[[], Any]
CALL = WrappedCall(n=1, number=1, tool="t", effect="read", args={})


async def run(wrap: Wrap, tool: Tool) -> tuple[Answer, list[str]]:
    marks: list[dict[str, Any]] = []
    answer = await wrapped(CALL, [Wrapper(name="w", wrap=wrap)], tool, marks.append)
    return answer, [each["detail"] for each in marks]


def test_a_wrapper_that_stops_waiting_does_not_cut_the_tool_off_and_the_call_ends_after_it() -> None:
    done: list[str] = []

    async def main() -> Answer:
        let_go = asyncio.Event()

        async def slow() -> Answer:
            await let_go.wait()
            done.append("tool")
            return Answer(value="late")

        async def impatient(_call: WrappedCall, next: Next) -> Answer:
            waiting = asyncio.ensure_future(next())
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            waiting.cancel()
            let_go.set()
            return Answer(error="timed out")

        answer, marks = await run(impatient, slow)
        assert marks == []
        return answer

    assert asyncio.run(main()).error == "timed out"
    assert done == ["tool"]


def test_the_real_result_of_a_call_that_is_still_under_way_stands() -> None:
    kept: list[object] = []

    async def main() -> tuple[Answer, list[str]]:
        async def slow() -> Answer:
            for _ in range(5):
                await asyncio.sleep(0)
            return Answer(value="real")

        async def hasty(_call: WrappedCall, next: Next) -> Answer:
            kept.append(asyncio.ensure_future(next()))
            await asyncio.sleep(0)
            raise ValueError("oops")

        return await run(hasty, slow)

    answer, marks = asyncio.run(main())
    assert (answer.value, marks) == ("real", [f"{AFTER}: ValueError: oops"])


async def swallows(_call: WrappedCall, next: Next) -> Answer:
    with suppress(asyncio.CancelledError):
        return await next()
    return Answer(value="never mind")


async def raises_instead(_call: WrappedCall, next: Next) -> Answer:
    try:
        return await next()
    except asyncio.CancelledError:
        raise ValueError("oops") from None


async def hangs(_call: WrappedCall, _next: Next) -> Answer:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.parametrize("wrap", [through, swallows, raises_instead, hangs, fails_before])
def test_a_cancelled_caller_is_cancelled_whatever_a_wrapper_makes_of_it(wrap: Wrap) -> None:
    cut_off: list[bool] = []

    async def main() -> None:
        begun = asyncio.Event()

        async def tool() -> Answer:
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cut_off.append(True)
                raise
            raise AssertionError

        task = asyncio.ensure_future(run(wrap, tool))
        if wrap is hangs:
            await asyncio.sleep(0)
        else:
            await begun.wait()
        task.cancel()
        await asyncio.wait({task})
        await asyncio.sleep(0)
        assert task.cancelled()

    asyncio.run(main())
    assert cut_off == ([] if wrap is hangs else [True])


def test_a_cancelled_call_is_recorded_as_such() -> None:
    async def main(asked: Bench) -> None:
        task = asyncio.ensure_future(asked.host.call("send", {"to": "a"}))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})

    asked = bench(hangs)
    asyncio.run(main(asked))
    assert (asked.last.status, sent(asked)) == ("cancelled", 0)


def test_a_keyboard_interrupt_passes() -> None:
    async def interrupts(_call: WrappedCall, _next: Next) -> Answer:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench(interrupts).call("send", {"to": "a"})


STEPS: dict[str, Callable[[Next], Awaitable[object]]] = {}


async def _call_next(next: Next) -> object:
    return await next()


async def _call_next_and_hide(next: Next) -> object:
    with suppress(Exception):
        return await next()
    return None


async def _pause(_next: Next) -> object:
    return await asyncio.sleep(0, "paused")


async def _fail(_next: Next) -> object:
    raise ValueError("oops")


STEPS |= {"next": _call_next, "hidden": _call_next_and_hide, "pause": _pause, "fail": _fail}


@given(st.lists(st.lists(st.sampled_from(sorted(STEPS)), max_size=4), max_size=3), st.booleans())
def test_however_wrappers_behave_the_tool_runs_at_most_once_and_every_failure_is_marked(
    plans: list[list[str]], answers: bool
) -> None:
    ran: list[int] = []

    def planned(plan: list[str]) -> Wrap:
        async def wrap(_call: WrappedCall, next: Next) -> Answer:
            result: object = None
            for step in plan:
                found = await STEPS[step](next)
                result = found if isinstance(found, Answer) else result
            return result if isinstance(result, Answer) else Answer(value="made up") if answers else None  # type: ignore[return-value]

        return wrap

    async def tool() -> Answer:
        ran.append(1)
        return Answer(value="real")

    wrappers = [Wrapper(name=str(n), wrap=planned(plan)) for n, plan in enumerate(plans)]
    marks: list[dict[str, Any]] = []
    answer = asyncio.run(wrapped(CALL, wrappers, tool, marks.append))
    assert isinstance(answer, Answer)
    assert len(ran) <= 1
    assert answer.value in ("real", "made up")
    if answer.value == "real":
        assert ran == [1]
    failed = [each["name"] for each in marks]
    assert len(set(failed)) == len(failed)
    for each in marks:
        encode(each)
        assert each["applied"] is False
