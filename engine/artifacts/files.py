"""A file is whole or it is not there: written under a temporary name, then claimed or moved in one step."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

_count = itertools.count(1)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that must not exist yet. Raises FileExistsError if it does, OSError if it cannot be written."""
    temporary = _write_temporary(path, data)
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        _claim_without_links(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def replace(path: Path, data: bytes) -> None:
    """Write a file in the place of one that may be there. Raises OSError; the old one then stays as it was."""
    temporary = _write_temporary(path, data)
    try:
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def append_line(path: Path, line: bytes) -> None:
    """Add one line in one write, after mending a last line that a killed process left torn. Raises OSError."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
    try:
        size = os.fstat(fd).st_size
        torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
        whole = (b"\n" if torn else b"") + line + b"\n"
        if os.write(fd, whole) != len(whole):
            raise OSError(f"{path}: only a part of the line could be written")
    finally:
        os.close(fd)


def _write_temporary(path: Path, data: bytes) -> Path:
    temporary = path.parent / f".{path.name}.{os.getpid()}.{next(_count)}.tmp"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view):]
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.close(fd)
    return temporary


def _claim_without_links(temporary: Path, path: Path) -> None:
    """Where the file system has no hard links: claim the name with a lock file beside it, then move."""
    lock = path.parent / f".{path.name}.claim"
    os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    try:
        if path.exists():
            raise FileExistsError(17, "the name is taken", str(path))
        os.replace(temporary, path)
    finally:
        lock.unlink(missing_ok=True)
