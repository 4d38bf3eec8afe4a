"""A folder of a command's own, made before it forks and removed whatever becomes of the working side."""

from __future__ import annotations

import tempfile

from ...schemas.errors import EvidenceMissing


def scratch(prefix: str) -> tempfile.TemporaryDirectory[str]:
    """Raises EvidenceMissing where there is no place for one."""
    try:
        return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
    except OSError as error:
        raise EvidenceMissing(f"no temporary directory can be made: {error.strerror}; set TMPDIR to one") from None
