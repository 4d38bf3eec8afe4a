"""How the command line shows a fault: an expected one as its text, a bug of ours as a report that can be pasted."""

from __future__ import annotations

import platform
import shlex
import traceback
from collections.abc import Sequence

from ... import __version__
from ...schemas.errors import DocumentFault, WindTunnelError
from ..report.inert import inert

BUG = """\
wt: this is a bug in Wind Tunnel, not in your pack. Please report it with the lines between the rulers.
------------------------------------------------------------------------
windtunnel {version}, Python {python}, {platform}
wt {arguments}
{traceback}------------------------------------------------------------------------
"""


def fault_text(fault: WindTunnelError) -> str:
    """One line a fault, with nothing in it that a terminal could obey."""
    told = fault.problems if isinstance(fault, DocumentFault) else str(fault).split("\n")
    return "\n".join(inert(str(line)) for line in told)


def bug_report(error: BaseException, words: Sequence[str]) -> str:
    """A report that can be pasted into an issue as it is."""
    lines = "".join(traceback.format_exception(error)).splitlines()
    return BUG.format(
        version=__version__, python=platform.python_version(), platform=platform.platform(),
        arguments=inert(shlex.join(words)), traceback="".join(f"{inert(line)}\n" for line in lines),
    )
