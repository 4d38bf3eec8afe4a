"""Exit codes that are no verdict: a bug of ours, and the signal that ended the work.

Imports nothing, for a sweep's parent stays small.
"""

from __future__ import annotations

OUR_BUG = 70
OF_SIGNAL = {"SIGINT": 130, "SIGTERM": 143}


def is_interruption(exit_code: int) -> bool:
    """Whether it says that a signal ended the work."""
    return exit_code in OF_SIGNAL.values()
