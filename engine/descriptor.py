"""A file descriptor of our own: used only while it still is what it was.

Foreign code may close descriptors that are not its own. The number then names whatever is opened next, perhaps a file
of evidence, and no word of ours may land there. Imports the standard library alone: a sweep's parent stays small.
"""

from __future__ import annotations

import errno
import fcntl
import os

STANDARD = (0, 1, 2)


def hold_standard_streams() -> None:
    """Occupy a standard stream that foreign code has closed: else its number goes to the next file or socket of ours.

    The next `close(1)` of that code would then hit ours.
    """
    for number in STANDARD:
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)


def open_above(path: str | os.PathLike[str], flags: int, mode: int = 0o666) -> int:
    """As ``os.open``, close-on-exec, but never with the number of a standard stream. Raises OSError."""
    fd = os.open(path, flags | os.O_CLOEXEC, mode)
    if fd not in STANDARD:
        return fd
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, len(STANDARD))
    os.close(fd)
    hold_standard_streams()
    return high


class Descriptor:
    """Wraps an open descriptor. Closing it is left to the end of the process."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._was = self._now()

    def write(self, data: bytes | memoryview) -> int:
        """As ``os.write``. Raises OSError (EBADF) where the number is closed, or has become another file's."""
        if self._now() != self._was:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return os.write(self.fd, data)

    def _now(self) -> tuple[int, int]:
        status = os.fstat(self.fd)
        return status.st_dev, status.st_ino
