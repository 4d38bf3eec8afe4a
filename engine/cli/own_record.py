"""The working side of a command that runs no sweep of the user's: only its own record, complete, can be green."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from ...schemas.codec import encode
from ...schemas.errors import WindTunnelError
from ..report.streams import Streams
from ..sweep.link import Link
from .faults import fault_text


def on_record(place: Path, link: Link, streams: Streams, work: Callable[[], int]) -> int:
    """The exit code of ``work``, or of the fault that it raises, which is told; the file at ``place`` holds it too."""
    logging.getLogger("windtunnel").addHandler(logging.NullHandler())  # its reports are told as warnings, once
    place.write_bytes(encode({"state": "running"}))
    link.record(str(place))
    try:
        code = work()
    except WindTunnelError as fault:
        streams.err(fault_text(fault))
        code = fault.exit_code
        link.early(code)
    place.write_bytes(encode({"state": "complete", "exit_code": code}))
    return code
