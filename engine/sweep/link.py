"""What the working child tells its parent, line by line through a pipe, so that its death hides nothing."""

from __future__ import annotations

import threading

from ..descriptor import Descriptor


class Link:
    """No parent: everything said is dropped. A sweep in this process (the Python interface) has this one."""

    def beat(self) -> None:
        """The interpreter still runs."""

    def longest(self, seconds: float) -> None:
        """No callback may hold the interpreter longer than this."""

    def record(self, path: str) -> None:
        """The sweep record's path: from now on only it can say that the sweep ended well."""

    def expect(self, score: str, *, gates: bool) -> None:
        """A score is about to be written at this path below the runs directory; ``gates``: its FAIL is exit 1."""

    def early(self, exit_code: int) -> None:
        """The child ends before there is a sweep, with a fault that it has shown."""


class PipeLink(Link):
    """A link to a parent over the write end of a pipe."""

    def __init__(self, fd: int) -> None:
        self._pipe = Descriptor(fd)
        self._lock = threading.Lock()

    def beat(self) -> None:
        self._send("beat")

    def longest(self, seconds: float) -> None:
        self._send(f"longest {seconds}")

    def record(self, path: str) -> None:
        self._send(f"record {path}")

    def expect(self, score: str, *, gates: bool) -> None:
        self._send(f"{'gate' if gates else 'free'} {score}")

    def early(self, exit_code: int) -> None:
        self._send(f"early {exit_code}")

    def _send(self, line: str) -> None:
        data = line.replace("\n", " ").encode("utf-8", "surrogateescape") + b"\n"
        with self._lock:
            try:
                self._pipe.write(data)
            except OSError:
                pass  # the parent is gone, or somebody has closed the pipe: either way this process is about to end
