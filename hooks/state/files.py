"""Look at files as state: each that a glob matches is a key, its size and digest the value."""

from __future__ import annotations

import glob
import hashlib
import os
import stat
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...schemas.bounded import clean_text
from ...schemas.hook_documents import StateProbeSpec
from ..in_time import Late, in_time
from .snapshot import MOST_KEYS, StateProbeFault

CHUNK = 1 << 20


class FilesProbe:
    """Globs are relative to the folder of the document that declares them. A glob may match nothing yet."""

    def __init__(self, spec: StateProbeSpec) -> None:
        self._spec = spec

    def capture_state(self) -> Mapping[str, Any]:
        """``{path: {bytes, sha256}}``. Raises StateProbeFault, for a file that cannot be read as well."""
        stop = threading.Event()
        try:
            return in_time(lambda: dict(self._looked(stop)), self._spec.timeout_s)
        except Late:
            globs = clean_text(", ".join(self._spec.files), 120)
            late = f"the files {globs} were not all read within {self._spec.timeout_s:g} s"
            raise StateProbeFault(f"{late}; match fewer, or raise state_probe.timeout_s (at most 120)") from None
        finally:
            stop.set()

    def _looked(self, stop: threading.Event) -> Iterator[tuple[str, dict[str, Any]]]:
        seen: set[str] = set()
        for pattern in self._spec.files:
            for name in glob.iglob(pattern, root_dir=self._spec.folder, recursive=True):
                if stop.is_set():
                    return
                if name in seen:
                    continue
                seen.add(name)
                if len(seen) > MOST_KEYS:
                    more = f"the files probe matches more than {MOST_KEYS:,} files"
                    raise StateProbeFault(f"{more}; narrow state_probe.files")
                found = _look(self._spec.folder / name, name, stop)
                if found is not None:
                    yield clean_text(name, 4096), found


def _look(path: Path, name: str, stop: threading.Event) -> dict[str, Any] | None:
    """Size and digest of a regular file; None for a folder, and for what has just gone."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return {"kind": "broken link"} if path.is_symlink() else None
    except IsADirectoryError:
        return None
    except OSError as error:
        raise _unreadable(name, error) from None
    with open(fd, "rb", buffering=0) as file:
        mode = os.fstat(fd).st_mode
        if stat.S_ISDIR(mode):
            return None
        if not stat.S_ISREG(mode):
            return {"kind": "not a regular file"}
        try:
            return _digest(file, stop)
        except OSError as error:
            raise _unreadable(name, error) from None


def _digest(file: Any, stop: threading.Event) -> dict[str, Any]:
    size, digest = 0, hashlib.sha256()
    while data := file.read(CHUNK):
        if stop.is_set():
            break
        size += len(data)
        digest.update(data)
    return {"bytes": size, "sha256": digest.hexdigest()}


def _unreadable(name: str, error: OSError) -> StateProbeFault:
    why = (error.strerror or str(error)).lower()
    return StateProbeFault(f"the file {clean_text(name, 120)} cannot be read: {why}; make it readable, or leave it out")
