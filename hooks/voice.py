"""The four ways in which a hook speaks, each within a deadline, and none after its dispatch has returned."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass

from ..schemas.bounded import clean_text, describe_error
from .artifacts import check_label, encode_payload
from .channel import Channel, ConverseError, ConverseTimeout
from .events import LIFECYCLE_TIMEOUT_S
from .points import CONVERSE_POINT

MOST_WARNING_CHARS = 2000
MOST_WARNINGS = 100
MOST_PROMPT_CHARS = 256 * 1024
CONVERSE_S = 30.0
BENCH_S = 1.5  # the bench ends a turn at its deadline; only when it is this late is the turn given up here
TELL_S = 0.5  # a hook whose converse has used up its deadline keeps this long to tell so


class HookContextClosed(RuntimeError):
    """The dispatch that a context belongs to has returned: nothing may be said into that run any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The seconds that a callback has (0: no deadline), and those that one converse turn has unless told otherwise."""

    hook_s: float = LIFECYCLE_TIMEOUT_S
    converse_s: float = CONVERSE_S
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class _Turn:
    """A converse turn under way: the bench ends it after ``seconds``; ``wait_s`` is for a bench that does not."""

    future: Future[str]
    seconds: float
    wait_s: float


class Voice:
    """What one hook may say during one dispatch."""

    def __init__(self, *, hook: str, point: str, channel: Channel, timing: Timing) -> None:
        self.hook = hook
        self.point = point
        self._channel = channel
        self._timing = timing
        self._deadline = timing.clock() + timing.hook_s if timing.hook_s else math.inf
        self._tell_s = min(TELL_S, timing.hook_s / 10 or TELL_S)
        self._asking: set[Future[str]] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._warnings = 0

    def close(self) -> None:
        """Revoke: when this returns, nothing that is said reaches the run any more, and no turn is under way."""
        with self._lock:
            self._closed = True
            asking = tuple(self._asking)
            dropped = self._warnings - MOST_WARNINGS
            if dropped > 0:
                self._channel.warn(self.hook, f"{dropped} more warnings of {self.point} were dropped")
        for future in asking:
            future.cancel()

    def emit(self, payload: object, label: object) -> None:
        checked = check_label(label)
        data = encode_payload(payload)
        with self._lock:
            self._refuse_if_closed("emit_artifact")
            self._channel.emit(self.hook, self.point, data, checked)

    def warn(self, message: object) -> None:
        text = clean_text(message, MOST_WARNING_CHARS)
        with self._lock:
            self._refuse_if_closed("warn")
            self._warnings += 1
            if self._warnings <= MOST_WARNINGS:
                self._channel.warn(self.hook, text)

    def converse(self, text: object, timeout_s: object) -> str:
        turn = self._ask(text, timeout_s)
        try:
            return turn.future.result(turn.wait_s)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the turn is given up
            turn.future.cancel()
            raise _failure(error, turn.seconds) from None

    async def aconverse(self, text: object, timeout_s: object) -> str:
        turn = self._ask(text, timeout_s)
        try:
            done, _ = await asyncio.wait({asyncio.wrap_future(turn.future)}, timeout=turn.wait_s)
            return done.pop().result() if done else turn.future.result(0)
        except asyncio.CancelledError:
            if turn.future.cancelled():  # given up by the bench; otherwise it is the hook that is being cancelled
                raise _failure(TimeoutError(), turn.seconds) from None
            turn.future.cancel()
            raise
        except BaseException as error:  # noqa: BLE001 - as above
            turn.future.cancel()
            raise _failure(error, turn.seconds) from None

    def _ask(self, text: object, timeout_s: object) -> _Turn:
        with self._lock:
            self._refuse_if_closed("converse")
            if self.point != CONVERSE_POINT:
                raise ConverseError(
                    f"converse works only in {CONVERSE_POINT}, where the run is scored and its session still lives; "
                    f"this is {self.point}"
                )
            left = self._deadline - self._timing.clock() - self._tell_s
            if left <= 0:
                raise ConverseTimeout("converse was not sent: nothing is left of this hook's own deadline")
            seconds = min(_own_seconds(timeout_s, self._timing.converse_s), left)
            future = self._channel.converse(self.hook, _prompt(text), seconds)
            if future is None:
                raise ConverseError("converse has nobody to talk to: the run's session is not open")
            self._asking.add(future)
        future.add_done_callback(self._asking.discard)
        return _Turn(future, seconds, min(seconds + BENCH_S, left + self._tell_s / 2))

    def _refuse_if_closed(self, what: str) -> None:
        if self._closed:
            raise HookContextClosed(
                f"{what} came after the dispatch of {self.point} had returned, and its context is closed; "
                f"speak before the hook returns and within its deadline"
            )


def _own_seconds(given: object, default: float) -> float:
    if given is None:
        return default
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given < math.inf:
        raise ValueError("converse: timeout_s is a number of seconds greater than 0")
    return float(given)


def _prompt(text: object) -> str:
    if not isinstance(text, str) or not text.strip() or len(text) > MOST_PROMPT_CHARS:
        raise ValueError(f"converse needs a text of at most {MOST_PROMPT_CHARS:,} characters, and not an empty one")
    return clean_text(text, MOST_PROMPT_CHARS)


def _failure(error: BaseException, seconds: float) -> BaseException:
    if isinstance(error, ConverseError) or not isinstance(error, Exception):
        return error
    if isinstance(error, TimeoutError | CancelledError):
        return ConverseTimeout(f"converse got no reply within {seconds:g} s")
    return ConverseError(describe_error(error))
