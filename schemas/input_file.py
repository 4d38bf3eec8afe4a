"""Read a file that somebody else names: never a device or a pipe, which could block, and never too much."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_input(path: str | Path, most: int) -> bytes:
    """The bytes of a regular file, ``most + 1`` where it is larger. Raises OSError with a reason in ``strerror``.

    It is opened without blocking and asked afterwards, so that nothing can be put in its place in between.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:
        raise OSError(errno.EINVAL, "no file has such a name") from None
    with open(fd, "rb") as file:
        mode = os.fstat(fd).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        return file.read(most + 1)
