"""Standard output and error, taken once at the start: nobody who closes or replaces them later moves our words."""

from __future__ import annotations

import contextlib
import os
import select

from ..descriptor import Descriptor

PATIENCE_S = 10.0


class Streams:
    """Two private copies of the file descriptors. A reader that went away costs the words, never the result."""

    def __init__(self, out: int = 1, err: int = 2) -> None:
        self._out = Descriptor(os.dup(out))
        self._err = Descriptor(os.dup(err))
        self.err_is_terminal = os.isatty(self._err.fd)
        self.out_is_terminal = os.isatty(self._out.fd)

    def out(self, line: str) -> None:
        """Write one line of results."""
        _write(self._out, f"{line}\n")

    def err(self, line: str) -> None:
        """Write one line of everything else."""
        _write(self._err, f"{line}\n")

    def err_text(self, text: str) -> None:
        """Write a piece of a live display, as it is."""
        _write(self._err, text)


def _write(stream: Descriptor, text: str) -> None:
    data = memoryview(text.encode("utf-8", "backslashreplace"))
    with contextlib.suppress(OSError):
        while data:
            try:
                data = data[stream.write(data):]
            except BlockingIOError:  # somebody who shares the terminal has made it non-blocking
                if not select.select([], [stream.fd], [], PATIENCE_S)[1]:
                    return
