"""Standard output and error, taken once at the start: nobody who closes or replaces them later moves our words."""

from __future__ import annotations

import contextlib
import os
import sys


class Streams:
    """Two private copies of the file descriptors. A reader that went away costs the words, never the result."""

    def __init__(self) -> None:
        self._out = os.dup(sys.stdout.fileno())
        self._err = os.dup(sys.stderr.fileno())
        self.err_is_terminal = os.isatty(self._err)
        self.out_is_terminal = os.isatty(self._out)

    def out(self, line: str) -> None:
        """Write one line of results."""
        self._write(self._out, line)

    def err(self, line: str) -> None:
        """Write one line of everything else."""
        self._write(self._err, line)

    def _write(self, fd: int, line: str) -> None:
        data = memoryview(f"{line}\n".encode("utf-8", "backslashreplace"))
        with contextlib.suppress(OSError):
            while data:
                data = data[os.write(fd, data):]
