"""Whatever a hook does when it is fired, the bench goes on, and says what happened once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.channel import KeptChannel, scored_facts
from windtunnel.hooks import HookContext
from windtunnel.hooks.active import ActiveHook, Observer
from windtunnel.hooks.channel import FaultLines
from windtunnel.hooks.events import EVENTS
from windtunnel.hooks.hook_set import HookSet
from windtunnel.hooks.hook_shape import methods_of
from windtunnel.hooks.points import PointFacts
from windtunnel.hooks.settings import HookTimeouts
from windtunnel.hooks.voice import HookContextClosed

Body = Callable[..., Any]


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def hook_set(*bodies: Body, point: str = "on_run_scored", hook_s: float | None = None) -> HookSet:
    """Hooks h0, h1, ... that do nothing but ``bodies`` at ``point``."""
    hooks = [SimpleNamespace(**{"name": f"h{n}", point: body}) for n, body in enumerate(bodies)]
    active = [
        ActiveHook(
            name=hook.name,
            asked=hook.name,
            source="test",
            observers={"desk": Observer(hook=hook, methods=methods_of(hook, hook.name, EVENTS))},
        )
        for hook in hooks
    ]
    return HookSet(active, EVENTS, HookTimeouts(hook_s=hook_s), packs=["desk"])


def fire(*bodies: Body, point: str = "on_run_scored", hook_s: float | None = None) -> KeptChannel:
    hooks = hook_set(*bodies, point=point, hook_s=hook_s)
    channel = KeptChannel(answer=lambda _text: "Nothing.")
    try:
        hooks.fire(point, "desk", scored_facts(), channel)
    finally:
        hooks.close()
    return channel


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets what hangs end with the test."""
    event = threading.Event()
    yield event
    event.set()


def raises(error: BaseException) -> Body:
    def body(ctx: HookContext) -> None:
        raise error

    return body


def test_hooks_hear_a_point_one_after_another_each_with_a_context_of_its_own() -> None:
    seen: list[tuple[str, HookContext]] = []
    fire(lambda ctx: seen.append(("first", ctx)), lambda ctx: seen.append(("second", ctx)))
    assert [name for name, _ in seen] == ["first", "second"]
    assert seen[0][1] is not seen[1][1]


def test_an_async_hook_is_run_to_its_end() -> None:
    async def ask(ctx: HookContext) -> None:
        await asyncio.sleep(0)
        ctx.warn(await ctx.aconverse("why"))

    assert fire(ask).warned == [("h0", "Nothing.")]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no"), "hook:h0: on_run_scored raised ValueError: no"),
        (SystemExit(0), "hook:h0: on_run_scored raised SystemExit: 0"),
        (GeneratorExit(), "hook:h0: on_run_scored raised GeneratorExit"),
        (RecursionError(), "hook:h0: on_run_scored raised RecursionError"),
        (ValueError("a\n\x1b[31mb"), "hook:h0: on_run_scored raised ValueError: a \x1b[31mb"),
    ],
)
def test_what_a_hook_raises_is_one_line_and_its_siblings_still_hear(error: BaseException, line: str) -> None:
    channel = fire(raises(error), lambda ctx: ctx.warn("heard"))
    assert channel.faults.lines() == [line]
    assert channel.warned == [("h1", "heard")]


def test_an_error_whose_text_cannot_be_made_is_told_by_its_type() -> None:
    [line] = fire(raises(Unspeakable())).faults.lines()
    assert line.startswith("hook:h0: on_run_scored raised Unspeakable: ")


def test_ctrl_c_in_a_hook_interrupts_and_its_context_is_closed_all_the_same() -> None:
    kept: list[HookContext] = []

    def stop(ctx: HookContext) -> None:
        kept.append(ctx)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fire(stop)
    with pytest.raises(HookContextClosed):
        kept[0].warn("late")


def test_a_hook_that_hangs_is_left_behind_and_can_no_longer_speak(release: threading.Event) -> None:
    said: list[str] = []
    ended = threading.Event()

    def hang(ctx: HookContext) -> None:
        release.wait()
        for speak in (ctx.warn, ctx.emit_artifact, ctx.converse):
            try:
                speak("late")
            except HookContextClosed as error:
                said.append(str(error).split(" came", maxsplit=1)[0])
        ended.set()

    channel = fire(hang, lambda ctx: ctx.warn("heard"), hook_s=0.05)
    assert channel.faults.lines() == ["hook:h0: on_run_scored: TimeoutError: no answer before its deadline"]
    assert channel.warned == [("h1", "heard")]
    release.set()
    assert ended.wait(10)
    assert said == ["warn", "emit_artifact", "converse"]
    assert channel.warned == [("h1", "heard")]
    assert (channel.emitted, channel.asked) == ([], [])


def test_after_a_timeout_a_hook_is_skipped_and_every_run_says_so(release: threading.Event) -> None:
    hooks = hook_set(lambda ctx: release.wait(), hook_s=0.05)
    first, second = KeptChannel(), KeptChannel()
    hooks.fire("on_run_scored", "desk", scored_facts(), first)
    hooks.fire("on_run_scored", "desk", scored_facts(), second)
    hooks.close()
    assert second.faults.lines() == ["hook:h0: on_run_scored: Skipped: quiet, for it did not answer in time before"]


def test_a_converse_turn_ends_before_its_hooks_deadline_so_that_the_hook_can_tell() -> None:
    def ask(ctx: HookContext) -> None:
        try:
            ctx.converse("why")
        except TimeoutError as error:
            ctx.emit_artifact({"error": str(error)})

    hooks = hook_set(ask, hook_s=0.5)
    silent = KeptChannel()
    hooks.fire("on_run_scored", "desk", scored_facts(), silent)
    hooks.close()
    assert silent.faults.lines() == []
    assert silent.asked[0][2] == pytest.approx(0.45, abs=0.05)
    assert silent.emitted[0][2]["error"].startswith("converse got no reply within 0.4")


def test_what_a_hook_returns_is_ignored() -> None:
    channel = fire(lambda ctx: object(), lambda ctx: ctx)
    assert channel == KeptChannel(answer=channel.answer, faults=channel.faults, lock=channel.lock)
    assert channel.faults.lines() == []


def test_a_hook_that_renames_itself_moves_nothing() -> None:
    class Fickle:
        name = "fickle"

        def on_run_scored(self, ctx: HookContext) -> None:
            type(self).name = "score"
            ctx.emit_artifact({})

    hook = Fickle()
    observer = Observer(hook=hook, methods=methods_of(hook, "fickle", EVENTS))
    hooks = HookSet(
        [ActiveHook(name="fickle", asked="x", source="test", observers={"desk": observer})],
        EVENTS,
        HookTimeouts(),
        packs=["desk"],
    )
    channel = KeptChannel()
    for _ in range(2):
        hooks.fire("on_run_scored", "desk", scored_facts(), channel)
    hooks.close()
    assert [emitted[0] for emitted in channel.emitted] == ["fickle", "fickle"]


def per_pack(point: str, **bodies: Body) -> HookSet:
    """One hook with an object for each pack, which does nothing but its body at ``point``."""
    hooks = {pack: SimpleNamespace(**{"name": "notes", point: body}) for pack, body in bodies.items()}
    observers = {pack: Observer(hook=hook, methods=methods_of(hook, "notes", EVENTS)) for pack, hook in hooks.items()}
    active = ActiveHook(name="notes", asked="notes", source="test", observers=observers)
    return HookSet([active], EVENTS, HookTimeouts(), packs=list(bodies))


def test_a_hook_with_an_object_for_each_pack_is_led_to_the_packs_own_whatever_fields_it_takes() -> None:
    heard: list[str] = []
    hooks = per_pack(
        "on_run_scored",
        desk=lambda: heard.append("desk"),
        shop=lambda **fields: heard.append(f"shop: {', '.join(sorted(fields))}"),
    )
    channel = KeptChannel()
    hooks.fire("on_run_scored", "desk", scored_facts(), channel)
    hooks.fire("on_run_scored", "shop", scored_facts(), channel)
    hooks.close()
    assert heard == ["desk", "shop: ctx, run_id"]
    assert channel.faults.lines() == []


def test_async_objects_of_one_hook_are_awaited_and_hear_the_end_of_the_sweep_one_after_another() -> None:
    heard: list[str] = []

    async def slow(ctx: HookContext) -> None:
        heard.append("desk begins")
        await asyncio.sleep(0)
        heard.append("desk ends")

    async def quick(ctx: HookContext) -> None:
        heard.append("dock")

    hooks = per_pack(
        "on_pack_end",
        depot=lambda ctx: heard.append("depot"),
        desk=slow,
        shop=lambda ctx: heard.append("shop"),
        dock=quick,
    )
    channel = KeptChannel()
    hooks.fire("on_pack_end", None, PointFacts(members={}), channel)
    hooks.close()
    assert heard == ["depot", "desk begins", "desk ends", "shop", "dock"]
    assert channel.faults.lines() == []


def test_batches_that_end_at_once_do_not_shut_each_other_out() -> None:
    both = threading.Barrier(2)
    hooks = hook_set(lambda ctx: both.wait(10), point="on_scenario_end")
    channel = KeptChannel()
    facts = PointFacts(members={})
    threads = [threading.Thread(target=hooks.fire, args=("on_scenario_end", "desk", facts, channel)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hooks.close()
    assert channel.faults.lines() == []


def test_a_point_that_nobody_hears_costs_nothing() -> None:
    hooks = hook_set(lambda ctx: None)
    assert hooks.wants("on_run_scored", "desk")
    assert hooks.wants("on_run_scored", None)
    assert not hooks.wants("on_run_scored", "shop")
    assert not hooks.wants("on_run_end", "desk")
    hooks.fire("on_run_end", "desk", PointFacts(members={}), KeptChannel())
    hooks.fire("no_such_point", "desk", PointFacts(members={}), KeptChannel())
    hooks.close()


def test_a_hook_may_leave_its_context_out() -> None:
    heard: list[str] = []
    fire(lambda: heard.append("nothing"), lambda **fields: heard.append(", ".join(sorted(fields))))
    assert heard == ["nothing", "ctx, run_id"]


def test_without_a_deadline_hooks_run_on_the_thread_that_fires() -> None:
    seen: list[int] = []
    fire(lambda ctx: seen.append(threading.get_ident()), hook_s=0)
    assert seen == [threading.get_ident()]


def test_the_same_fault_again_is_the_same_line_with_a_count() -> None:
    lines = FaultLines()
    lines.add("notes", "on_turn raised ValueError: no")
    lines.add("other", "on_turn raised ValueError: no")
    lines.add("notes", "on_turn raised ValueError: no", 2)
    assert lines.lines() == [
        "hook:notes: on_turn raised ValueError: no (3 times)",
        "hook:other: on_turn raised ValueError: no",
    ]


ERRORS = [
    ValueError("x"),
    SystemExit(1),
    GeneratorExit(),
    MemoryError(),
    Unspeakable(),
    BaseExceptionGroup("all", [SystemExit(2)]),
    asyncio.CancelledError(),
    StopIteration(),
]


@given(st.lists(st.sampled_from(ERRORS) | st.none(), min_size=1, max_size=5))
def test_whatever_hooks_raise_every_one_is_called_and_each_fault_told_once(errors: list[BaseException | None]) -> None:
    called: list[int] = []

    def body(number: int, error: BaseException | None) -> Body:
        def run(ctx: HookContext) -> None:
            called.append(number)
            if error is not None:
                raise error

        return run

    channel = fire(*(body(number, error) for number, error in enumerate(errors)))
    assert called == list(range(len(errors)))
    assert len(channel.faults.lines()) == sum(error is not None for error in errors)
