"""The one error boundary of the command line: nothing that is expected shows a traceback, and a bug of ours says so.

Imports next to nothing: what a command needs comes with it, and what a fault needs comes with the fault.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys

from .front import front_page

TYPE_CHECKING = False  # as type checkers know it, without the price of `typing`
if TYPE_CHECKING:
    from collections.abc import Sequence

LOST = (errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF)
COMPLETION = "_WT_COMPLETE"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _steady_streams()
    try:
        code = _carried_out(words)
        sys.stdout.flush()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _output_lost(error) or _told(error, words)
    except Exception as error:  # noqa: BLE001 - the boundary
        return _told(error, words)
    return code


def _carried_out(words: list[str]) -> int:
    page = front_page(words)
    if page is not None:
        sys.stdout.write(page)
        return 0
    group = importlib.import_module(".group", __package__)
    if COMPLETION in os.environ:
        group.complete(words)
    code: int = group.run(words)
    return code


def _steady_streams() -> None:
    """A closed stream leads nowhere instead of into a file that is opened next; a narrow encoding loses no line."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 - lives as long as the process
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115 - as above
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _output_lost(error: OSError) -> int:
    """3 where an output could not be written (such an error names no file), else 0. A reader that left is no news."""
    if error.errno not in LOST or error.filename is not None:
        return 0
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the interpreter flushes once more at its end
    if error.errno != errno.EPIPE:
        _say(f"wt: the output cannot be written: {error.strerror}\n")
    return 3


def _told(error: Exception, words: Sequence[str]) -> int:
    faults = importlib.import_module(".faults", __package__)
    expected = getattr(error, "exit_code", None)
    if isinstance(expected, int) and isinstance(error, faults.WindTunnelError):
        _say(f"{faults.fault_text(error)}\n")
        return expected
    _say(faults.bug_report(error, words))
    return 70


def _say(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        return  # nobody listens; the exit code still tells


if __name__ == "__main__":
    sys.exit(main())
