"""Show how a sweep goes, on standard error: a live display on a terminal, a few plain lines elsewhere.

This module owns rich, and imports it only where there is a terminal to draw on.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

from .board import Board
from .streams import Streams

if TYPE_CHECKING:
    from rich.console import RenderableType

FIRST_S = 1.0
EVERY_S = 10.0
RAREST_S = 60.0
FRAMES_A_SECOND = 4
BAR_WIDTH = 24
COLOURS = {"PASS": "green", "FAIL": "red", "INVALID": "yellow", "ERROR": "yellow", "NOT_RUN": "yellow"}


class Meter(Protocol):
    """Shows a board until it is closed."""

    def paused(self) -> AbstractContextManager[None]:
        """Out of the way while a line is written."""
        ...

    def close(self) -> None:
        """Show no more; may be called twice."""
        ...


def meter_for(board: Board, streams: Streams, env: Mapping[str, str]) -> Meter:
    """A live display where standard error is a terminal that may be drawn on, else plain lines."""
    return LiveMeter(board, streams, env) if streams.err_is_terminal and may_draw(env) else PlainMeter(board, streams)


def may_draw(env: Mapping[str, str]) -> bool:
    """Not in CI, whose logs are read later, and not on a terminal that cannot move its cursor."""
    return env.get("CI", "").lower() in ("", "0", "false") and env.get("TERM", "dumb") not in ("", "dumb", "unknown")


def may_colour(env: Mapping[str, str]) -> bool:
    """Where may be drawn and nobody has set NO_COLOR (https://no-color.org: any value but the empty one)."""
    return may_draw(env) and not env.get("NO_COLOR")


def plain_lines(board: Board, wait: Callable[[float], bool]) -> Iterator[str]:
    """Nothing of a short sweep; then one line every ten seconds, and more seldom in a long one.

    ``wait`` lets seconds pass and returns whether the sweep has ended meanwhile.
    """
    if wait(FIRST_S):
        return
    yield board.start_line()
    while not wait(min(RAREST_S, max(EVERY_S, board.seconds / 10))):
        yield board.progress_line()


class PlainMeter:
    """Writes plain lines from a thread of its own, so that a slow run is told of too."""

    def __init__(self, board: Board, streams: Streams) -> None:
        self._over = threading.Event()
        threading.Thread(target=self._write, args=(board, streams), name="wt-progress", daemon=True).start()

    def _write(self, board: Board, streams: Streams) -> None:
        for line in plain_lines(board, self._over.wait):
            streams.err(line)

    def paused(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        self._over.set()


class LiveMeter:
    """One or two lines that are drawn anew a few times a second, and are gone in the end."""

    def __init__(self, board: Board, streams: Streams, env: Mapping[str, str]) -> None:
        from rich.console import Console
        from rich.live import Live

        class SteadyConsole(Console):
            """Leaves the cursor as it is: a process that is killed cannot bring it back."""

            def show_cursor(self, show: bool = True) -> bool:
                return False

        console = SteadyConsole(file=_Terminal(streams), force_terminal=True, no_color=not may_colour(env),
                                _environ=env)
        self._live = Live(get_renderable=lambda: picture(board), console=console, transient=True,
                          refresh_per_second=FRAMES_A_SECOND, redirect_stdout=False, redirect_stderr=False)
        self._live.start(refresh=True)

    @contextmanager
    def paused(self) -> Iterator[None]:
        shown = self._live.is_started
        self._live.stop()
        try:
            yield
        finally:
            if shown:
                self._live.start()

    def close(self) -> None:
        self._live.stop()


def picture(board: Board) -> RenderableType:
    """A bar with the counts and the time, and below it the batches under way."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    counts = Text("  ").join(
        Text(f"{number} {verdict}", COLOURS[verdict]) for verdict, number in board.counts.items() if number)
    minutes, seconds = divmod(int(board.seconds), 60)
    row = Table.grid(padding=(0, 2))
    bar = ProgressBar(total=board.runs, completed=board.done, width=BAR_WIDTH)
    row.add_row(bar, Text(f"{board.done}/{board.runs} runs"), Text(f"{board.batches_done}/{board.batches} batches"),
                Text(f"{minutes}:{seconds:02}"), counts)
    return Group(row, Text(board.running_names(), "dim", no_wrap=True, overflow="ellipsis"))


class _Terminal(io.StringIO):
    """A file for rich that cannot fail and cannot be closed by others."""

    def __init__(self, streams: Streams) -> None:
        super().__init__()
        self._streams = streams

    def write(self, text: str) -> int:
        self._streams.err_text(text)
        return len(text)

    def isatty(self) -> bool:
        return True
