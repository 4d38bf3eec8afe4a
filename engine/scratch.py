"""A folder for what is thrown away, removed whatever becomes of those who work in it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..schemas.errors import EvidenceMissing


def scratch(prefix: str, within: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """A context manager that gives its path; ``within`` None: where the system has such.

    Raises EvidenceMissing where there is no place for one.
    """
    try:
        return tempfile.TemporaryDirectory(prefix=prefix, dir=within, ignore_cleanup_errors=True)
    except OSError as error:
        raise EvidenceMissing(f"no temporary directory can be made: {error.strerror}; set TMPDIR to one") from None
