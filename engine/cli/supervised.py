"""Run the working side of a command in a supervised child, and leave with the exit code that its record allows."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from ..exit_codes import OUR_BUG
from ..sweep.link import Link
from ..sweep.supervise import supervise


def leave(module: str, function: str, *asked: Any, **more: Any) -> NoReturn:
    """Exit with what ``function(*asked, link, env=..., folder=..., **more)`` returns.

    ``module`` stands beside this one; it is imported in the child, as is everything heavy.
    """
    sys.exit(supervise(lambda link: _work(module, function, link, asked, more)))


def _work(module: str, function: str, link: Link, asked: tuple[Any, ...], more: dict[str, Any]) -> int:
    """A bug of ours ends in a report that can be pasted."""
    try:
        working: Callable[..., int] = getattr(importlib.import_module(f".{module}", __package__), function)
        return working(*asked, link, env=dict(os.environ), folder=Path.cwd(), **more)
    except Exception as error:  # noqa: BLE001 - the boundary of the working side
        faults = importlib.import_module(".faults", __package__)
        sys.stderr.write(faults.bug_report(error, sys.argv[1:]))
        link.early(OUR_BUG)
        return OUR_BUG
