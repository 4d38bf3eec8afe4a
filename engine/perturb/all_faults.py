"""The one table of tool faults."""

from __future__ import annotations

from .bent import bending, empty, malformed_json, truncated, wrong_type
from .injected import injected_text
from .late import slow
from .lost import error, schema_error, timeout
from .strike import Fault

ALL_FAULTS: dict[str, Fault] = {
    "timeout": timeout,
    "slow": slow,
    "error": error,
    "schema-error": schema_error,
    "malformed-json": bending(malformed_json),
    "empty": bending(empty),
    "truncated": bending(truncated),
    "wrong-type": bending(wrong_type),
    "injected-text": injected_text,
}
