"""The parent: it watches the child, passes signals on, and believes of its end what is on disk.

Imports the standard library alone, as ``supervise`` does.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time

from ..exit_codes import OF_SIGNAL, OUR_BUG
from .child import BEAT_S
from .recover import Expected, complete_exit_code, recover

SILENCE_S = 60.0
LINK_LOST_S = 10.0
LOOK_S = 5.0


class Parent:
    """Watches the child: its messages, its heartbeat, the signals meant for it, and its end."""

    def __init__(self, read_end: int) -> None:
        self._pipe = read_end
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._pending: list[int] = []
        self._passed: int | None = None
        self._killed = ""
        self._child = 0
        self._rest = b""
        self._last_beat = self._last_look = time.monotonic()
        self._hung_up = False
        self._longest = 0.0
        self._record = ""
        self._early: int | None = None
        self._expected: list[Expected] = []
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        self._old = {
            number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)
        }

    def release(self) -> None:
        """In the child: give the signals back to Python's own handling."""
        signal.set_wakeup_fd(-1)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        os.close(self._wake_read)
        os.close(self._wake_write)

    def watch(self, child: int) -> int:
        """See the child, a process id, to its end, and return the exit code that the evidence allows."""
        self._child = child
        status: int | None = None
        while status is None:
            with contextlib.suppress(InterruptedError):
                heard = [self._wake_read] if self._hung_up else [self._wake_read, self._pipe]
                ready, _, _ = select.select(heard, [], [], BEAT_S)
                if self._wake_read in ready:
                    os.read(self._wake_read, 512)
                if self._pipe in ready:
                    self._hung_up = not self._read()
            self._pass_signals()
            self._check_beat()
            status = self._ended()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # what a hook or a tool has started must not hold our output open
        self._drain()
        return self._verdict(status)

    def _note(self, number: int, frame: object) -> None:
        if number != signal.SIGCHLD:
            self._pending.append(number)

    def _pass_signals(self) -> None:
        """Pass the first signal on; a second one ends the child at once."""
        while self._pending:
            number = self._pending.pop(0)
            if self._passed is None:
                self._passed = number
                self._signal(number, group=False)
            else:
                self._kill("a second signal")

    def _check_beat(self) -> None:
        now = time.monotonic()
        if now - self._last_look > LOOK_S:
            self._last_beat = now  # this process itself was stopped, and the child perhaps with it
        self._last_look = now
        silence = now - self._last_beat
        if self._hung_up and silence > LINK_LOST_S:
            self._kill("it had closed its link to the bench")
        elif silence > self._longest + SILENCE_S:
            self._kill(f"{silence:.0f} s without a sign of life")

    def _kill(self, why: str) -> None:
        self._killed = self._killed or why
        self._signal(signal.SIGKILL, group=True)

    def _signal(self, number: int, *, group: bool) -> None:
        for send in (os.killpg, os.kill) if group else (os.kill,):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                send(self._child, number)

    def _ended(self) -> int | None:
        pid, status = os.waitpid(self._child, os.WNOHANG)
        return status if pid else None

    def _read(self) -> bool:
        data = os.read(self._pipe, 65536)
        self._last_beat = time.monotonic()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._hear(*line.decode("utf-8", "surrogateescape").partition(" ")[::2])
        return bool(data)

    def _drain(self) -> None:
        os.set_blocking(self._pipe, False)
        with contextlib.suppress(BlockingIOError):
            while self._read():
                pass

    def _hear(self, kind: str, rest: str) -> None:
        if kind == "longest":
            self._longest = float(rest)
        elif kind == "record":
            self._record = rest
        elif kind == "early":
            self._early = int(rest)
        elif kind in ("gate", "free"):
            self._expected.append(Expected(score=rest, gates=kind == "gate"))

    def _verdict(self, status: int) -> int:
        code = os.waitstatus_to_exitcode(status)
        if not self._record:
            if self._early is not None and self._early == code and code != 0:
                return code
            return self._died(status, 3)
        complete = complete_exit_code(self._record)
        if complete is not None:
            return complete
        on_disk = recover(self._record, self._expected, self._how(status))
        return self._died(status, OUR_BUG if self._early == code == OUR_BUG else on_disk)

    def _died(self, status: int, code: int) -> int:
        sys.stderr.write(
            f"wt: the sweep did not end well ({self._how(status)}): what is on disk is kept, the rest is NOT_RUN\n"
        )
        return OF_SIGNAL.get(signal.Signals(self._passed).name, code) if self._passed is not None else code

    def _how(self, status: int) -> str:
        code = os.waitstatus_to_exitcode(status)
        how = (
            f"killed: {signal.strsignal(-code)}"
            if code < 0
            else f"it left with exit code {code} before its record was complete"
        )
        return f"{how} after {self._killed}" if self._killed else how
