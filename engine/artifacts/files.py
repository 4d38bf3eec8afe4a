"""A file is whole or it is not there: written under a temporary name, then claimed or moved in one step.

Names are text here: making a Path costs more than writing a file into memory does.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import select
from collections.abc import Iterable
from pathlib import Path

from ..descriptor import open_above

LONGEST_NAME = 255
PATIENCE_S = 10.0
STREAMS = {"/dev/stdout": "1", "/dev/stderr": "2"}
FD_FOLDERS = (Path("/dev/fd"), Path("/proc/self/fd"))
_count = itertools.count(1)
_mark = os.urandom(4).hex()  # processes of two containers may have one number and share a directory


def write_first(folder: Path, names: Iterable[str], data: bytes) -> str:
    """Write the first of these files that does not exist yet, and return its name; data is written once in any case.

    Raises FileExistsError if all do, OSError if it cannot be written.
    """
    place = os.fspath(folder)
    temporary, taken = _write_temporary(place, data), None
    try:
        for name in names:
            try:
                _claim(temporary, place, name)
            except FileExistsError as fault:
                taken = fault
                continue
            return name
    finally:
        _remove(temporary)
    raise taken or FileExistsError(17, "no name was given")


def replace(path: Path, data: bytes) -> None:
    """Write a file in the place of one that may be there. Raises OSError; the old one then stays as it was."""
    temporary = _write_temporary(os.fspath(path.parent), data)
    try:
        os.replace(temporary, path)
    except OSError:
        _remove(temporary)
        raise


def pass_on(path: Path, data: bytes) -> None:
    """Write into a pipe or a device that is there. Raises OSError, also where nobody has read for a while."""
    fd = _open_pipe(path)
    try:
        view = memoryview(data)
        while view:
            if not select.select([], [fd], [], PATIENCE_S)[1]:
                raise TimeoutError(errno.ETIMEDOUT, f"nobody has read it for {PATIENCE_S:g} s")
            with contextlib.suppress(BlockingIOError):
                view = view[os.write(fd, view):]
    finally:
        os.close(fd)


def _open_pipe(path: Path) -> int:
    """A stream of this process is not opened anew: only a copy shares its place in the file that it leads to."""
    number = STREAMS.get(str(path), path.name) if path.parent in FD_FOLDERS or str(path) in STREAMS else ""
    if number.isdecimal():
        return os.dup(int(number))
    return open_above(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK)


def append_line(path: Path, line: bytes) -> None:
    """Add one line in one write, after mending a last line that a killed process left torn. Raises OSError."""
    fd = open_above(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        size = os.fstat(fd).st_size
        torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
        whole = (b"\n" if torn else b"") + line + b"\n"
        if os.write(fd, whole) != len(whole):
            raise OSError(f"{path}: only a part of the line could be written")
    finally:
        os.close(fd)


def _write_temporary(folder: str, data: bytes) -> str:
    temporary = f"{folder}/.{os.getpid()}.{_mark}.{next(_count)}.tmp"  # short, however long the name will be
    fd = open_above(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        written = os.write(fd, data)
        while written < len(data):
            written += os.write(fd, memoryview(data)[written:])
    except OSError:
        _remove(temporary)
        raise
    finally:
        os.close(fd)
    return temporary


def _remove(path: str) -> None:
    try:  # twice a run: suppress() costs as much as the call itself
        os.unlink(path)
    except FileNotFoundError:
        return


def _claim(temporary: str, folder: str, name: str) -> None:
    try:
        os.link(temporary, f"{folder}/{name}")
    except FileExistsError:
        raise
    except OSError:
        _claim_without_links(temporary, folder, name)


def _claim_without_links(temporary: str, folder: str, name: str) -> None:
    """Where the file system has no hard links: claim the name with a lock file beside it, then move."""
    path, lock = f"{folder}/{name}", f"{folder}/{f'.{name}.claim'[:LONGEST_NAME]}"
    os.close(open_above(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    try:
        if os.path.exists(path):
            raise FileExistsError(17, "the name is taken", path)
        os.replace(temporary, path)
    finally:
        _remove(lock)
