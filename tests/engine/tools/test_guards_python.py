"""Guards in Python: each way to answer, and each way to fail, which refuses with a text of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from kit.tool_bench import Bench
from kit.worlds import guard, pack, rule, takes, tool
from windtunnel.engine.clock import RealClock
from windtunnel.engine.latency import Latency
from windtunnel.engine.tools.guards import Guards, guards_surface
from windtunnel.engine.tools.results import ToolResult
from windtunnel.hooks.contract import Limits, Refuse
from windtunnel.hooks.guards import PythonGuard
from windtunnel.hooks.workers import Waiter
from windtunnel.schemas.records import Intervention
from windtunnel.schemas.secrets import Secrets

TEXT = {"type": "string"}
SEND = tool(
    "send", takes(to=TEXT), rule(sql=("INSERT INTO outbox VALUES (:to, 'x')",), text="sent"), effect="external-send"
)
LOOK = tool("look", takes(), rule(text="seen"))


class Impatient(Waiter):
    """Gives a call no time at all, once ``over`` says so."""

    def __init__(self) -> None:
        self.over = True

    def wait_a_moment(self, done: threading.Lock) -> bool:
        return not self.over and super().wait_a_moment(done)

    async def await_(self, done: asyncio.Future[bool], seconds: float | None) -> bool:
        return False if self.over else await super().await_(done, seconds)


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets guards that hang go on, so that no thread is left when the test ends."""
    event = threading.Event()
    yield event
    event.set()


def python(fn: Any, name: str = "g", **keys: Any) -> PythonGuard:
    return PythonGuard(name, f"x.py:{name}", fn, **keys)


def bench(*guards: PythonGuard, **keys: Any) -> Bench:
    keys.setdefault("pack", pack(SEND, LOOK))
    return Bench(guards=tuple(each.name for each in guards), python_guards={each.name: each for each in guards}, **keys)


def told(fn: Any, **keys: Any) -> tuple[str, Intervention]:
    """What the agent is told where the guard fails, and what is recorded; nothing was sent."""
    asked = bench(python(fn, **keys))
    result = asked.call("send", {"to": "a@b"})
    assert (result.status, asked.world.tables()["outbox"], asked.host.faults) == ("refused", [], [])
    (found,) = asked.witness.interventions
    assert found.message == result.error
    return str(result.error), found


def allow(**_fields: Any) -> None: ...


def refuse() -> Refuse:
    return Refuse("Not today.")


async def allow_later() -> None:
    await asyncio.sleep(0)


async def refuse_later(args: dict[str, Any]) -> Refuse:
    await asyncio.sleep(0)
    return Refuse(f"Not to {args['to']}.")


class AsMethod:
    def guard_tool_call(self, tool: dict[str, str]) -> Refuse | None:
        return Refuse("No sending.") if tool["effect"] == "external-send" else None


class AsCall:
    def __call__(self) -> Refuse:
        return Refuse("Called.")


@pytest.mark.parametrize("fn", [allow, allow_later, lambda: None, lambda args, more=1: None])
def test_none_allows(fn: Any) -> None:
    asked = bench(python(fn))
    assert asked.call("send", {"to": "a@b"}).text == "sent"
    assert asked.witness.interventions == []


@pytest.mark.parametrize(
    ("fn", "text"),
    [
        (refuse, "Not today."),
        (refuse_later, "Not to a@b."),
        (AsMethod, "No sending."),
        (AsMethod(), "No sending."),
        (AsMethod().guard_tool_call, "No sending."),
        (AsCall, "Called."),
        (lambda: Refuse(" "), "refused by guard 'g'"),
    ],
)
def test_refuse_is_what_the_agent_is_told(fn: Any, text: str) -> None:
    assert told(fn) == (text, Intervention(call=1, guard="g", message=text))


def test_a_guard_that_raises_refuses_with_the_error_cut_at_200_characters() -> None:
    def wrong(args: dict[str, Any]) -> None:
        raise ValueError(f"no {args['to']}" + "x" * 300)

    fault = "ValueError: no a@b" + "x" * 194
    text = f"guard 'g' failed, and so refuses: {fault}"
    assert told(wrong) == (text, Intervention(call=1, guard="g", message=text, fault=fault))


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


def _raise(error: BaseException) -> Callable[[], None]:
    def fn() -> None:
        raise error

    return fn


def _recurse() -> None:
    _recurse()


@pytest.mark.parametrize(
    ("fn", "fault"),
    [
        (_raise(SystemExit(0)), "SystemExit: 0"),
        (_raise(GeneratorExit()), "GeneratorExit"),
        (_raise(asyncio.CancelledError()), "CancelledError"),
        (_raise(Unspeakable()), "Unspeakable: (no text: its __str__ raised RuntimeError)"),
        (_recurse, "RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_whatever_a_guard_raises_refuses(fn: Any, fault: str) -> None:
    assert told(fn)[0] == f"guard 'g' failed, and so refuses: {fault}"


async def yes_later() -> str:
    return "yes"


@pytest.mark.parametrize(
    ("fn", "kind"),
    [(lambda: True, "bool"), (lambda: "no", "str"), (lambda: Refuse, "type"), (yes_later, "str"), (lambda: Refuse(3), "Refuse")],  # type: ignore[arg-type]
)
def test_an_answer_that_is_neither_none_nor_refuse_refuses(fn: Any, kind: str) -> None:
    fault = f"TypeError: answered {kind}, not None or Refuse(reason)"
    text = f"guard 'g' gave a malformed answer, and so refuses: {fault}"
    assert told(fn) == (text, Intervention(call=1, guard="g", message=text, fault=fault))


def test_a_guard_that_hangs_refuses_and_is_then_quiet(release: threading.Event) -> None:
    asked = bench(python(lambda: release.wait(), waiter=Impatient()))
    late = "guard 'g' did not answer in time, and so refuses: TimeoutError: no answer before its deadline"
    quiet = "guard 'g' was not asked, and so refuses: Skipped: quiet, for it did not answer in time before"
    assert [asked.call("send", {"to": "a@b"}).error for _ in range(2)] == [late, quiet]
    assert [each.fault for each in asked.witness.interventions] == [
        late.partition("refuses: ")[2],
        quiet.partition("refuses: ")[2],
    ]
    assert asked.world.tables()["outbox"] == []


def test_an_async_guard_that_holds_its_loop_holds_nobody_else(release: threading.Event) -> None:
    async def stuck() -> None:
        release.wait()

    asked = bench(python(stuck, waiter=Impatient()))
    assert "did not answer in time" in str(asked.call("send", {"to": "a@b"}).error)


def test_a_guard_with_too_many_abandoned_calls_is_saturated_and_refuses(release: threading.Event) -> None:
    limits = Limits(quiet_s=0, max_abandoned=2)
    asked = bench(python(lambda: release.wait(), waiter=Impatient(), limits=limits))
    texts = [asked.call("send", {"to": "a@b"}).error for _ in range(3)]
    assert texts[2] == "guard 'g' was not asked, and so refuses: Skipped: saturated, 2 abandoned calls of it still run"


def test_a_guard_that_no_thread_can_be_started_for_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("windtunnel.hooks.workers._Worker.start", start)
    assert told(allow)[0] == "guard 'g' could not be started, and so refuses: RuntimeError: can't start new thread"


def test_a_guard_that_is_busy_with_the_same_call_refuses() -> None:
    async def twice(asked: PythonGuard, inside: asyncio.Event) -> str:
        names = {"tool_call_id": "c"}
        guards = Guards(["g"], {}, {"g": asked})
        first = asyncio.ensure_future(guards.refusal(lambda: names))
        await inside.wait()
        second = await guards.refusal(lambda: names)
        go.set()
        assert await first is None
        assert second is not None
        return second.message

    async def main() -> str:
        loop, inside = asyncio.get_running_loop(), asyncio.Event()

        def slow() -> None:
            loop.call_soon_threadsafe(inside.set)
            go.wait()

        return await twice(python(slow), inside)

    go = threading.Event()
    text = "guard 'g' was not asked, and so refuses: Skipped: busy with a call of the same identity"
    assert asyncio.run(main()) == text


def test_calls_at_once_are_each_asked_about() -> None:
    both = threading.Barrier(2, timeout=5)

    async def main(asked: Bench) -> list[ToolResult]:
        return list(await asyncio.gather(*(asked.host.call("send", {"to": each}) for each in ("a", "b"))))

    def meet() -> None:
        both.wait()

    results = asyncio.run(main(bench(python(meet))))
    assert [result.status for result in results] == ["ok", "ok"]


def test_a_guard_gets_deep_copies_of_what_it_asks_for_and_of_no_more() -> None:
    seen: list[Any] = []

    def meddle(args: dict[str, Any], world: dict[str, Any], calls: list[Any], **rest: Any) -> None:
        seen.append((rest, [dict(call) for call in calls]))
        args["to"] = "evil@example"
        world["outbox"].append({"recipient": "evil"})
        for call in calls:
            call.clear()

    asked = bench(python(meddle))
    asked.call("look")
    asked.call("send", {"to": "a@b"})
    assert asked.world.tables()["outbox"] == [{"recipient": "a@b", "body": "x"}]
    assert [call.args for call in asked.witness.calls] == [{}, {"to": "a@b"}]
    rest, calls = seen[1]
    assert (rest["tool"]["name"], rest["agent"], rest["turns"], rest["last_user_turn"]) == (
        "send", {"id": "careful", "model": "m"}, [], "Please look it up.",
    )
    assert sorted(rest) == ["agent", "last_user_turn", "run_id", "session_id", "tool", "tool_call_id", "turns"]
    assert [(call["n"], call["name"], call["status"], call["text"]) for call in calls] == [(1, "look", "ok", "seen")]


def test_what_no_guard_asks_for_is_not_made() -> None:
    assert not Guards(["g"], {}, {"g": python(lambda tool, args: None)}).needs_world
    assert not Guards(["g"], {}, {"g": python(lambda tool, args: None)}).needs_facts
    assert Guards(["g"], {}, {"g": python(lambda world: None)}).needs_world
    assert Guards(["g"], {}, {"g": python(lambda turns: None)}).needs_facts
    assert Guards(["g"], {}, {"g": python(allow)}).needs_world


def test_guards_are_asked_in_order_and_no_further_one_after_a_refusal() -> None:
    asked: list[str] = []

    def say(name: str, answer: Refuse | None) -> PythonGuard:
        def fn() -> Refuse | None:
            asked.append(name)
            return answer

        return python(fn, name)

    first, second, third = say("a", None), say("b", Refuse("b says no")), say("c", Refuse("c says no"))
    declared = (guard("yaml", "asked", "no"), guard("before", "false"))
    tools = pack(SEND, guards=declared)
    found = Bench(
        pack=tools,
        guards=("before", "a", "b", "yaml", "c"),
        python_guards={"a": first, "b": second, "c": third},
    )
    assert found.call("send", {"to": "x"}).error == "b says no"
    assert asked == ["a", "b"]
    assert guards_surface(("before", "a", "lost"), tools.guards, {"a": first}) == [
        {"name": "before", "source": "declared", "refuse_when": "false", "reason": "No."},
        {"name": "a", "source": "x.py:a"},
        {"name": "lost", "source": ""},
    ]


def test_a_declared_guard_wins_over_a_python_one_of_its_name() -> None:
    declared = guard("g", "true", "declared")
    found = Bench(pack=pack(SEND, guards=(declared,)), guards=("g",), python_guards={"g": python(allow)})
    assert found.call("send", {"to": "x"}).error == "declared"


def test_a_guard_sees_what_happened_while_another_was_asked() -> None:
    seen: list[int] = []

    async def main(asked: Bench) -> None:
        async def slow() -> None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_look(), loop))

        async def _look() -> None:
            await asked.host.call("look", {})

        def count(calls: list[Any]) -> None:
            seen.append(len(calls))

        loop = asyncio.get_running_loop()
        only_send = python(lambda tool: slow() if tool["name"] == "send" else None, "slow")
        asked.host._guards = Guards(["slow", "count"], {}, {"slow": only_send, "count": python(count, "count")})
        await asked.host.call("send", {"to": "x"})

    asyncio.run(main(bench()))
    assert seen == [0, 1]


def test_a_secret_in_an_error_is_masked_before_the_error_is_cut() -> None:
    secrets = Secrets()
    secrets.add("KEY", "sk-0123456789")
    asked = bench(python(_raise(ValueError("x" * 195 + "sk-0123456789 end"))), secrets=secrets)
    asked.call("send", {"to": "a@b"})
    assert asked.witness.interventions[0].fault == "ValueError: " + "x" * 195 + "*** e"


def test_a_reason_is_bounded_and_masked() -> None:
    secrets = Secrets()
    secrets.add("KEY", "sk-0123456789")
    asked = bench(python(lambda: Refuse("sk-0123456789 " + "y" * 100_000)), secrets=secrets)
    text = str(asked.call("send", {"to": "a@b"}).error)
    assert text.startswith("*** yyy")
    assert text.endswith("characters in all]")


def test_guard_time_is_in_no_latency() -> None:
    began = threading.Event()

    def slow() -> None:
        began.set()
        time.sleep(0.2)

    async def main() -> float:
        asked = bench(python(slow), clock=RealClock())
        with Latency(RealClock()) as turn:
            await asked.host.call("send", {"to": "a@b"})
        assert asked.witness.calls[0].seconds < 0.15
        assert turn.hooks.seconds >= 0.2
        return turn.seconds

    assert asyncio.run(main()) < 0.15
    assert began.is_set()


def test_a_declared_guards_time_is_in_no_latency_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_holds(*_: object) -> bool:
        time.sleep(0.2)
        return False

    monkeypatch.setattr("windtunnel.engine.tools.guards.holds", slow_holds)
    asked = Bench(pack=pack(SEND, guards=(guard("g", "false"),)), guards=("g",), clock=RealClock())
    asked.call("send", {"to": "a@b"})
    assert asked.last.seconds < 0.15


def test_a_cancelled_call_leaves_its_guard_behind_and_is_recorded(release: threading.Event) -> None:
    async def main(asked: Bench) -> None:
        loop, inside = asyncio.get_running_loop(), asyncio.Event()

        def hang() -> None:
            loop.call_soon_threadsafe(inside.set)
            release.wait()

        asked.host._guards = Guards(["g"], {}, {"g": python(hang)})
        task = asyncio.ensure_future(asked.host.call("send", {"to": "a@b"}))
        await inside.wait()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    asked = bench()
    asyncio.run(main(asked))
    assert (asked.last.status, asked.witness.interventions, asked.world.tables()["outbox"]) == ("cancelled", [], [])


def test_a_guards_keyboard_interrupt_interrupts_as_ctrl_c_does() -> None:
    interrupted: list[bool] = []
    asked = bench(python(_raise(KeyboardInterrupt())), interrupt=lambda: interrupted.append(True))
    with pytest.raises(asyncio.CancelledError):
        asked.call("send", {"to": "a@b"})
    assert (interrupted, asked.last.status) == ([True], "cancelled")
