"""A file descriptor of our own: used only while it still is what it was.

Foreign code may close descriptors that are not its own. The number then names whatever is opened next, perhaps a file
of evidence, and no word of ours may land there. Imports the standard library alone: a sweep's parent stays small.
"""

from __future__ import annotations

import errno
import os


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
