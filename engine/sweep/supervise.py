"""A small parent and a working child: only a sweep that its own record calls complete can be green.

Imports the standard library alone, so that the fork comes before everything heavy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from .child import work_and_leave
from .link import Link, PipeLink
from .parent import Parent


def supervise(work: Callable[[Link], int]) -> int:
    """Fork, let the child do ``work``, and return the exit code that the evidence on disk allows."""
    sys.stdout.flush()
    sys.stderr.flush()
    read_end, write_end = os.pipe()
    life_read, life_write = os.pipe()
    parent = Parent(read_end)
    child = os.fork()
    if child == 0:
        parent.release()
        os.close(read_end)
        os.close(life_write)
        work_and_leave(work, PipeLink(write_end), life_read)
    os.close(write_end)
    os.close(life_read)
    return parent.watch(child)
