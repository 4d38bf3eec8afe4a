"""A context is read-only, its members are the hook's own copies, and it falls silent with its dispatch."""

from __future__ import annotations

import asyncio
import math
import threading
from concurrent.futures import Future
from typing import Any

import pytest
from kit.channel import KeptChannel, scored_facts
from windtunnel.hooks import HookContext
from windtunnel.hooks.channel import ConverseError, ConverseTimeout
from windtunnel.hooks.points import ALL_AGGREGATES, POINTS, PointFacts
from windtunnel.hooks.voice import MOST_WARNINGS, HookContextClosed, Timing, Voice
from windtunnel.schemas.codec import encode
from windtunnel.schemas.sweeps import Aggregate


@pytest.fixture
def channel() -> KeptChannel:
    return KeptChannel(answer=lambda _text: "Nothing.")


def made(
    channel: KeptChannel, point: str = "on_run_scored", facts: PointFacts | None = None, **timing: Any
) -> HookContext:
    return HookContext(facts or scored_facts(), voice(channel, point, **timing), pack="desk", settings=b'{"a":"1"}')


def voice(channel: KeptChannel, point: str = "on_run_scored", **timing: Any) -> Voice:
    return Voice(hook="notes", point=point, channel=channel, timing=Timing(**timing))


def test_members_read_as_records(channel: KeptChannel) -> None:
    ctx = made(channel)
    assert ctx.point == "on_run_scored"
    assert ctx.pack == "desk"
    assert ctx.run_id == "0123456789abcdef0123456789abcdef"
    assert ctx.session_id == "fedcba9876543210fedcba9876543210"
    assert ctx.scenario is not None
    assert ctx.scenario.id == "sample_scenario"
    assert ctx.agent is not None
    assert ctx.agent.model == "sample-model"
    assert ctx.trace is not None
    assert [call.status for call in ctx.trace.calls] == ["ok", "error"]
    assert ctx.score is not None
    assert ctx.score.outcome.passed is False
    assert ctx.score.constraint.detail == "not declared"
    assert ctx.turns == ctx.trace.turns
    assert ctx.calls == ctx.trace.calls
    assert ctx.settings == {"a": "1"}


def test_a_member_without_a_fact_is_none(channel: KeptChannel) -> None:
    ctx = made(channel, "on_provisioned", PointFacts(members={}))
    assert {ctx.scenario, ctx.agent, ctx.run_id, ctx.session_id, ctx.trace, ctx.score, ctx.aggregate} == {None}
    assert (ctx.turns, ctx.calls) == (None, None)


def test_at_the_end_of_a_sweep_aggregate_is_the_tuple_of_all(channel: KeptChannel) -> None:
    one = Aggregate(sweep="s", pack="desk", scenario_id="a", agent="b", verdict="PASS", gates=True, runs=1,
                    counts={"PASS": 1}, pass_rate=1.0)  # fmt: skip
    facts = PointFacts(members={"aggregate": (encode([one, one]), ALL_AGGREGATES)})
    assert made(channel, "on_pack_end", facts).aggregate == (one, one)


def test_what_a_hook_does_to_a_member_reaches_nobody_else(channel: KeptChannel) -> None:
    facts = scored_facts()
    first, second = made(channel, facts=facts), made(channel, facts=facts)
    assert first.trace is not None
    first.trace.calls.clear()
    assert first.trace.calls == []  # the hook's own copy stays its own
    assert second.trace is not None
    assert len(second.trace.calls) == 2


def test_a_context_cannot_be_changed(channel: KeptChannel) -> None:
    ctx = made(channel)
    with pytest.raises(AttributeError) as caught:
        ctx.score = None  # type: ignore[misc]
    assert str(caught.value) == "a HookContext is read-only: 'score' cannot be set; hooks observe"
    with pytest.raises(AttributeError, match="'trace' cannot be deleted"):
        del ctx.trace


def test_what_is_emitted_and_warned_reaches_the_channel_with_the_hooks_name(channel: KeptChannel) -> None:
    ctx = made(channel)
    ctx.emit_artifact({"a": 1})
    ctx.emit_artifact([2], label="two")
    ctx.warn("odd \ud800 text")
    assert channel.emitted == [("notes", "on_run_scored", {"a": 1}, None), ("notes", "on_run_scored", [2], "two")]
    assert channel.warned == [("notes", "odd \\ud800 text")]


def test_what_is_emitted_is_a_snapshot(channel: KeptChannel) -> None:
    payload = {"a": [1]}
    made(channel).emit_artifact(payload)
    payload["a"].append(2)
    assert channel.emitted[0][2] == {"a": [1]}


def test_warnings_without_end_are_counted_and_not_kept(channel: KeptChannel) -> None:
    spoken = voice(channel)
    for number in range(MOST_WARNINGS + 12):
        spoken.warn(f"number {number}")
    spoken.close()
    assert len(channel.warned) == MOST_WARNINGS + 1
    assert channel.warned[-1] == ("notes", "12 more warnings of on_run_scored were dropped")


def test_after_its_dispatch_a_context_says_nothing_any_more(channel: KeptChannel) -> None:
    spoken = voice(channel)
    ctx = HookContext(scored_facts(), spoken)
    spoken.close()
    text = (
        "{} came after the dispatch of on_run_scored had returned, and its context is closed; "
        "speak before the hook returns and within its deadline"
    )
    with pytest.raises(HookContextClosed) as emitted:
        ctx.emit_artifact({})
    with pytest.raises(HookContextClosed) as warned:
        ctx.warn("late")
    with pytest.raises(HookContextClosed) as conversed:
        ctx.converse("late")
    with pytest.raises(HookContextClosed) as aconversed:
        asyncio.run(ctx.aconverse("late"))
    assert str(emitted.value) == text.format("emit_artifact")
    assert str(warned.value) == text.format("warn")
    assert str(conversed.value) == str(aconversed.value) == text.format("converse")
    assert (channel.emitted, channel.warned, channel.asked) == ([], [], [])
    assert ctx.run_id is not None  # facts may still be read


@pytest.mark.parametrize("point", [*sorted(set(POINTS) - {"on_run_scored"}), "on_turn"])
def test_converse_works_only_where_the_run_is_scored(point: str, channel: KeptChannel) -> None:
    with pytest.raises(ConverseError) as caught:
        made(channel, point).converse("hello")
    assert str(caught.value) == (
        f"converse works only in on_run_scored, where the run is scored and its session still lives; this is {point}"
    )
    assert channel.asked == []


def test_converse_brings_the_reply_and_its_async_twin_the_same(channel: KeptChannel) -> None:
    channel.answer = str.upper
    assert made(channel).converse("why") == "WHY"
    assert asyncio.run(made(channel).aconverse("why")) == "WHY"


def test_a_converse_turn_has_the_smaller_of_its_own_time_and_what_its_hook_has_left(channel: KeptChannel) -> None:
    now = [100.0]
    ctx = made(channel, hook_s=60.0, converse_s=30.0, clock=lambda: now[0])
    ctx.converse("the default")
    ctx.converse("my own", timeout_s=5)
    now[0] += 50
    ctx.converse("what is left, but the time to tell")
    now[0] += 9.6
    with pytest.raises(ConverseTimeout, match=r"^converse was not sent: nothing is left of this hook's own deadline$"):
        ctx.converse("too late")
    assert [seconds for _, _, seconds in channel.asked] == [30.0, 5.0, 9.5]


def test_a_hook_without_a_deadline_leaves_converse_its_own(channel: KeptChannel) -> None:
    made(channel, hook_s=0).converse("hello")
    assert channel.asked == [("notes", "hello", 30.0)]


@pytest.mark.parametrize("timeout_s", [0, -1, math.nan, math.inf, "5", True])
def test_a_timeout_that_is_none_is_refused(timeout_s: Any, channel: KeptChannel) -> None:
    with pytest.raises(ValueError, match=r"^converse: timeout_s is a number of seconds greater than 0$"):
        made(channel).converse("hello", timeout_s=timeout_s)


@pytest.mark.parametrize("text", ["", " \n", None, 3, "x" * 300_000])
def test_a_prompt_that_is_no_text_is_not_sent(text: Any, channel: KeptChannel) -> None:
    with pytest.raises(
        ValueError, match=r"^converse needs a text of at most 262,144 characters, and not an empty one$"
    ):
        made(channel).converse(text)
    assert channel.asked == []


def test_a_turn_that_gets_no_reply_is_cancelled_and_its_late_reply_dropped() -> None:
    silent = KeptChannel()
    with pytest.raises(ConverseTimeout, match=r"^converse got no reply within 0\.01 s$"):
        made(silent, hook_s=0.2).converse("hello", timeout_s=0.01)
    with pytest.raises(ConverseTimeout, match=r"^converse got no reply within 0\.01 s$"):
        asyncio.run(made(silent, hook_s=0.2).aconverse("hello", timeout_s=0.01))
    assert [future.cancelled() for future in silent.futures] == [True, True]


def test_a_turn_that_the_bench_gives_up_is_a_timeout_too() -> None:
    class GivesUp(KeptChannel):
        def converse(self, hook: str, text: str, timeout_s: float) -> Future[str]:
            future: Future[str] = Future()
            future.cancel()
            return future

    with pytest.raises(ConverseTimeout):
        made(GivesUp()).converse("hello")
    with pytest.raises(ConverseTimeout):
        asyncio.run(made(GivesUp()).aconverse("hello"))


def test_the_agents_trouble_is_a_converse_error_with_its_text(channel: KeptChannel) -> None:
    def refuse(_text: str) -> str:
        raise ConverseError("status 500: overloaded")

    def burst(_text: str) -> str:
        raise KeyError("choices")

    channel.answer = refuse
    with pytest.raises(ConverseError, match=r"^status 500: overloaded$"):
        made(channel).converse("hello")
    channel.answer = burst
    with pytest.raises(ConverseError, match=r"^KeyError: 'choices'$"):
        made(channel).converse("hello")
    with pytest.raises(ConverseError, match=r"^KeyError: 'choices'$"):
        asyncio.run(made(channel).aconverse("hello"))


def test_a_turn_that_is_under_way_when_the_dispatch_returns_is_given_up() -> None:
    silent = KeptChannel()
    spoken = voice(silent)
    said: list[str] = []

    def ask() -> None:
        try:
            HookContext(scored_facts(), spoken).converse("hello")
        except ConverseTimeout as error:
            said.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    while not spoken._asking:
        thread.join(0.001)
    spoken.close()
    thread.join(10)
    assert said == ["converse got no reply within 30 s"]
    assert silent.futures[0].cancelled()


def test_an_async_hook_that_is_cancelled_gives_its_turn_up() -> None:
    silent = KeptChannel()

    async def main() -> None:
        task = asyncio.create_task(made(silent).aconverse("hello"))
        for _ in range(3):  # until it waits for its reply
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert silent.futures[0].cancelled()


def test_where_no_session_is_open_converse_says_so() -> None:
    with pytest.raises(ConverseError, match=r"^converse has nobody to talk to: the run's session is not open$"):
        made(KeptChannel(no_session=True)).converse("hello")
