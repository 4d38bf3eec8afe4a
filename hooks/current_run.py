"""The id of the run that the current code works for travels in a context variable, into hooks and their queues too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_RUN_ID: ContextVar[str] = ContextVar("windtunnel_run_id", default="")


def current_run() -> str:
    """The run_id of the run in hand, "" outside of every run."""
    return _RUN_ID.get()


@contextmanager
def bind_run(run_id: str) -> Iterator[None]:
    """Within this block (and the tasks and callbacks that start in it), ``current_run()`` is ``run_id``.

    The engine binds every run, the only one of a sweep included (D8).
    """
    token = _RUN_ID.set(run_id)
    try:
        yield
    finally:
        _RUN_ID.reset(token)
