"""D10: warn once of each distinct fault, count every one."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from kit.steering import LONG_S, Door, Hang, SteeredWaiter, both_doors
from windtunnel.hooks import Event, HookDispatcher, Limits

CALL = Event("post_tool_call", {"tool": "", "args": {}, "result": ""})
OTHER = Event("other", {})


@pytest.fixture(autouse=True)
def _every_level(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.DEBUG, logger="windtunnel.hooks"):
        yield


def lines(caplog: pytest.LogCaptureFixture, level: int = logging.WARNING) -> list[str]:
    assert {record.name for record in caplog.records} <= {"windtunnel.hooks"}
    return [record.getMessage() for record in caplog.records if record.levelno == level]


def fails() -> None:
    raise ValueError("boom")


def numbered() -> Iterator[Exception]:
    for number in range(1000):
        yield ValueError(f"boom {number}")


@both_doors
def test_d10_a_fault_is_warned_of_once_and_names_the_fields_that_the_event_sends(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    hooks = HookDispatcher([CALL])
    hooks.register("post_tool_call", fails, hook="notes")
    for _ in range(3):
        door(hooks, "post_tool_call")
    line = "hook 'notes' raised at post_tool_call: ValueError: boom (post_tool_call sends: args, result, tool)"
    assert lines(caplog) == [line]
    assert lines(caplog, logging.DEBUG) == [line] * 2
    assert hooks.counts["post_tool_call", "notes", "raised"] == 3
    assert hooks.counts["post_tool_call", "notes", "timeout"] == 0


@both_doors
def test_d10_distinct_is_event_code_error_and_the_text_up_to_its_limit(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    hooks = HookDispatcher([CALL, OTHER], limits=Limits(text_chars=10))
    errors: list[Exception] = [
        ValueError("0123456789a"),
        ValueError("0123456789b"),  # the same as far as is told
        ValueError("012345678"),
        KeyError("012345678"),
    ]

    def fails_in_turn() -> None:
        raise errors[0]

    hooks.register("post_tool_call", fails_in_turn, hook="notes")
    hooks.register("other", fails_in_turn, hook="notes")
    while errors:
        door(hooks, "post_tool_call")
        door(hooks, "other")
        errors.pop(0)
    assert lines(caplog) == [
        f"hook 'notes' raised at {event}: {detail} ({event} sends: {fields})"
        for detail in ("ValueError: 0123456789", "ValueError: 012345678", "KeyError: '012345678")
        for event, fields in (("post_tool_call", "args, result, tool"), ("other", "nothing"))
    ]


def test_d10_one_piece_of_code_is_warned_of_once_however_many_objects_share_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Notes:
        def ping(self) -> None:
            raise ValueError("boom")

    class Others(Notes):
        def ping(self) -> None:
            raise ValueError("boom")

    hooks = HookDispatcher([OTHER])
    for number, owner in enumerate((Notes(), Notes(), Others())):
        hooks.register("other", owner.ping, hook=f"h{number}")
    hooks.fire("other")
    assert lines(caplog) == [
        "hook 'h0' raised at other: ValueError: boom (other sends: nothing)",
        "hook 'h2' raised at other: ValueError: boom (other sends: nothing)",
    ]
    assert sum(hooks.counts.values()) == 3


@both_doors
def test_d10_after_the_20th_distinct_fault_of_an_event_and_hook_they_are_only_counted(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    hooks = HookDispatcher([CALL, OTHER])
    errors = numbered()

    def fails_anew() -> None:
        raise next(errors)

    hooks.register("post_tool_call", fails_anew, hook="notes")
    hooks.register("post_tool_call", fails, hook="other")
    for _ in range(30):
        door(hooks, "post_tool_call")
    warned = [line for line in lines(caplog) if "'notes'" in line]
    assert len(warned) == 20
    assert warned[-1].startswith("hook 'notes' raised at post_tool_call: ValueError: boom 19 ")
    assert len([line for line in lines(caplog) if "'other'" in line]) == 1
    assert hooks.counts["post_tool_call", "notes", "raised"] == 30


def test_d10_every_kind_is_told_in_the_same_way(caplog: pytest.LogCaptureFixture) -> None:
    waiter = SteeredWaiter()
    guard = Event("guard", {}, policy=True)
    hooks = HookDispatcher([OTHER, guard], waiter=waiter)
    hang = Hang(waiter)
    hooks.register("other", hang, hook="hangs")
    hooks.register("guard", lambda: "yes", hook="guards")
    for _ in range(3):
        hooks.fire("other")
        hooks.fire("guard")
    assert lines(caplog) == [
        "hook 'hangs' did not answer in time at other: "
        "TimeoutError: no answer before its deadline (other sends: nothing)",
        "hook 'guards' gave a malformed answer at guard: "
        "TypeError: answered str, not None or Refuse(reason) (guard sends: nothing)",
        "hook 'hangs' was skipped at other: "
        "Skipped: quiet, for it did not answer in time before (other sends: nothing)",
    ]
    assert dict(hooks.counts) == {
        ("other", "hangs", "timeout"): 1,
        ("other", "hangs", "quiet"): 2,
        ("guard", "guards", "malformed"): 3,
    }
    hang.release.set()


def test_d10_what_is_posted_is_reported_in_the_same_way(caplog: pytest.LogCaptureFixture) -> None:
    hooks = HookDispatcher([OTHER])
    hooks.register("other", fails, hook="notes")
    for _ in range(3):
        hooks.post("other")
    hooks.close(LONG_S)
    assert lines(caplog) == ["hook 'notes' raised at other: ValueError: boom (other sends: nothing)"]
    assert hooks.counts["other", "notes", "raised"] == 3


def test_d10_reports_can_be_forgotten_and_are_then_warned_of_anew(caplog: pytest.LogCaptureFixture) -> None:
    hooks = HookDispatcher([OTHER], limits=Limits(max_distinct=1))
    hooks.register("other", fails, hook="notes")
    hooks.fire("other")
    hooks.forget_reports()
    hooks.fire("other")
    hooks.fire("other")
    assert len(lines(caplog)) == 2
    assert hooks.counts["other", "notes", "raised"] == 3


def test_d10_a_line_is_inert_and_no_format(caplog: pytest.LogCaptureFixture) -> None:
    hooks = HookDispatcher([OTHER])

    def fails_in_colour() -> None:
        raise ValueError("%s \x1b[31mred\r\n::error::")

    hooks.register("other", fails_in_colour, hook="notes")
    hooks.fire("other")
    assert lines(caplog) == [
        "hook 'notes' raised at other: ValueError: %s \\x1b[31mred ::error:: (other sends: nothing)"
    ]


def test_d10_counts_cannot_be_changed_from_outside() -> None:
    hooks = HookDispatcher([OTHER])
    with pytest.raises(TypeError):
        hooks.counts["other", "notes", "raised"] = 1  # type: ignore[index]
