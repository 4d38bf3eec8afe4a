"""Read what a document names with ``file://``: from beside that document, strictly as UTF-8, each file once."""

from __future__ import annotations

import glob
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from ...schemas.documents import Inert
from ...schemas.input_file import read_input
from ...schemas.problems import KeyPath, Mark, Problems, Source

PREFIX = "file://"
LARGEST_FILE = 64 << 20
_GLOB = frozenset("*?[")
_MEND = "mend the path; it is relative to this document"
_MEND_OPTION = "mend the path"


def is_reference(value: object) -> bool:
    """Whether a value is ``file://path``; what is data already names no file."""
    return isinstance(value, str) and value.startswith(PREFIX) and not isinstance(value, Inert)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document names a file: its mark and its key path."""

    mark: Mark
    path: KeyPath


class Files:
    """Every file that loading read, with its content, so that one digest covers all that a document led to.

    Documents that are kept apart, and what they alone led to, are no part of another's digest.
    """

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._read: dict[Path, bytes] = {}
        self._named_by: dict[Path, set[Path]] = {}
        self._apart: set[Path] = set()
        self._texts: dict[Path, str] = {}

    def keep_apart(self, document: Path) -> None:
        """Let a document have a digest of its own."""
        self._apart.add(document)

    def beside(self, reference: str, mark: Mark) -> Source:
        """The file that a reference means: relative to the document at ``mark``, shown as its reader would type it."""
        named = reference.removeprefix(PREFIX)
        shown = os.path.normpath(os.path.join(os.path.dirname(mark.source.shown), named))
        return Source(Path(os.path.normpath(mark.source.path.parent / named)), shown)

    def matches(self, reference: str, place: Place) -> list[Source]:
        """The file a reference names, or the files its glob matches, sorted; a fault where there is none."""
        source = self.beside(reference, place.mark)
        if not _GLOB & set(reference) or _exists(source.path):
            return [source] if self.read(source, place) is not None else []
        try:
            found = sorted(glob.glob(str(source.path), recursive=True))
        except (OSError, ValueError, RecursionError):
            found = []
        files = [Path(name) for name in found if os.path.isfile(name)]
        if not files:
            self._fault(place, f"no file matches {reference.removeprefix(PREFIX)}", _MEND)
        base = os.path.dirname(place.mark.source.shown)
        return [Source(file, os.path.normpath(os.path.join(base, _relative(file, place.mark)))) for file in files]

    def read(self, source: Source, place: Place) -> bytes | None:
        """The bytes of a file; None, with a fault at the place that names it, where it cannot be read."""
        self._named_by.setdefault(source.path, set()).add(place.mark.source.path)
        if source.path in self._read:
            return self._read[source.path]
        try:
            data = _read_file(source.path)
        except (OSError, ValueError) as error:
            self._fault(place, f"{source.shown} cannot be read: {_why(error)}", _MEND)
            return None
        self._read[source.path] = data
        return data

    def text(self, source: Source, place: Place) -> str | None:
        """The text of a file, without a byte order mark; None, with a fault, where it is not UTF-8."""
        data = self.read(source, place)
        if data is None:
            return None
        if source.path in self._texts:
            return self._texts[source.path]
        try:
            text = data.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            wrong = f"{source.shown}:{line}: byte 0x{data[error.start]:02x} is not UTF-8"
            self._fault(place, wrong, "save the file as UTF-8")
            return None
        self._texts[source.path] = text
        return text

    def digest(self, document: Path) -> str:
        """The sha256 over a document and all files it led to, by their path from it; the same wherever they lie."""
        whole = hashlib.sha256()
        try:
            read = {**self._led_to(document), document: _read_file(document)}
        except (OSError, ValueError):
            return ""  # it was there a moment ago; the reader tells it
        for name, data in sorted((os.path.relpath(path, document.parent), data) for path, data in read.items()):
            whole.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            whole.update(data)
        return whole.hexdigest()

    def led_to(self, document: Path) -> dict[str, str]:
        """The sha256 of each file that a document that is kept apart named, by its path from there."""
        found = self._led_to(document).items()
        return {os.path.relpath(path, document.parent): hashlib.sha256(data).hexdigest() for path, data in found}

    def _led_to(self, document: Path) -> dict[Path, bytes]:
        if document in self._apart:
            return {path: data for path, data in self._read.items() if document in self._named_by[path]}
        return {path: data for path, data in self._read.items() if self._named_by[path] - self._apart}

    def _fault(self, place: Place, message: str, remedy: str) -> None:
        remedy = _MEND_OPTION if remedy == _MEND and not place.mark.line else remedy
        self._problems.add(place.mark, place.path, message, remedy)


def _read_file(path: Path) -> bytes:
    if not path.exists():
        raise FileNotFoundError("there is no such file")
    if path.is_dir():
        raise OSError("it is a folder")
    data = read_input(path, LARGEST_FILE)
    if len(data) > LARGEST_FILE:
        raise OSError(f"it has {path.stat().st_size} bytes, more than {LARGEST_FILE}")
    return data


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) and error.strerror else str(error)).lower()


def _relative(file: Path, mark: Mark) -> str:
    return os.path.relpath(file, mark.source.path.parent)
