"""Ask a command for state: within its time and size, with whatever it started gone when it is over."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from typing import IO, Any

from ...schemas.bounded import clean_text
from ...schemas.hook_documents import StateProbeSpec
from .json_state import MOST_BYTES, json_state
from .snapshot import StateProbeFault

CHUNK = 1 << 16
TICK_S = 0.05  # how soon an end is seen where a grandchild holds the pipes open
TOLD_BYTES = 2000
GONE_S = 1.0


class CommandProbe:
    """Runs the command without a shell, in the folder of the document that declares it."""

    def __init__(self, spec: StateProbeSpec, env: Mapping[str, str]) -> None:
        self._spec = spec
        self._env = dict(env)
        self._who = f"the command `{clean_text(shlex.join(spec.command), 120)}`"

    def capture_state(self) -> Mapping[str, Any]:
        """What the command prints. Raises StateProbeFault."""
        process = self._start()
        try:
            printed, complaint = self._read(process)
        finally:
            _end(process)
        if len(printed) <= MOST_BYTES and process.returncode != 0:
            raise StateProbeFault(f"{self._who} {_how_it_ended(process.returncode)}{complaint}; run it by hand")
        return json_state(printed, self._who, "printed")

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 - the pack says what is run, as it says what is called
                self._spec.command, cwd=self._spec.folder, env=self._env, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise StateProbeFault(f"{self._who} cannot be started: {why}; is it installed, and on the PATH?") from None

    def _read(self, process: subprocess.Popen[bytes]) -> tuple[bytes, str]:
        """What it printed, and its last words on standard error; at most one byte chunk more than is allowed."""
        printed, errors = bytearray(), bytearray()
        until = time.monotonic() + self._spec.timeout_s
        with selectors.DefaultSelector() as pipes:
            for pipe, into in ((process.stdout, printed), (process.stderr, errors)):
                if pipe is not None:
                    os.set_blocking(pipe.fileno(), False)
                    pipes.register(pipe, selectors.EVENT_READ, into)
            while len(printed) <= MOST_BYTES:
                if time.monotonic() > until:
                    late = f"{self._who} did not end within {self._spec.timeout_s:g} s"
                    raise StateProbeFault(f"{late}; make it quicker, or raise state_probe.timeout_s (at most 120)")
                over = process.poll() is not None
                took = [_take(pipes, key.fileobj, key.data) for key, _ in pipes.select(TICK_S)]  # type: ignore[arg-type]
                del errors[:-TOLD_BYTES]
                if over and not any(took):
                    break
                if not pipes.get_map() and not over:
                    time.sleep(TICK_S / 5)
        return bytes(printed), _last_line(bytes(errors))


def _take(pipes: selectors.BaseSelector, pipe: IO[bytes], into: bytearray) -> bool:
    """Whether there was something; a pipe at its end is looked at no more."""
    try:
        data = os.read(pipe.fileno(), CHUNK)
    except BlockingIOError:
        return False
    if not data:
        pipes.unregister(pipe)
    into.extend(data)
    return bool(data)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it and what it started; it is waited for a moment, and never longer."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GONE_S)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _how_it_ended(code: int) -> str:
    return f"left with exit code {code}" if code >= 0 else f"was ended by {signal.strsignal(-code) or -code}"


def _last_line(errors: bytes) -> str:
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return f" ({clean_text(lines[-1].strip(), 200)})" if lines else ""
