"""Count what one rendering does, so that it ends: loop turns, characters made, seconds of work."""

from __future__ import annotations

import threading
import time

from .errors import TemplateFault

LARGEST_OUTPUT = 256 * 1024  # characters that a rendering may give
LARGEST_TEXT = 1 << 20  # characters of one text inside, as large as a cell of the world may be
MOST_TURNS = 100_000  # loop turns and calls in all
MOST_ITEMS = 100_000  # items of one list
MOST_MADE = 32 << 20  # characters of all texts and lists made on the way (an item counts as 8)
MOST_SECONDS = 0.7  # of this thread's work; leaves room for the last operation to end within 2 s
MOST_PASSED = 1.4  # seconds of the clock on the wall, for a thread that has hardly been let work
MOST_NODES = 300_000  # values that one look at data may come by, each mention counted
MOST_BITS = 13_000  # of a whole number: about as many digits as Python writes
MOST_COMPARED = 4 << 20  # characters that one comparison, sort or key may look at


class Meter:
    """What one rendering may still do."""

    __slots__ = ("began", "ends", "made", "nodes", "turns")

    def __init__(self) -> None:
        self.turns = MOST_TURNS
        self.made = MOST_MADE
        self.nodes = MOST_NODES
        self.began = time.perf_counter()
        self.ends = time.thread_time() + MOST_SECONDS

    def turn(self, count: int = 1) -> None:
        """Pay for loop turns or calls."""
        self.turns -= count
        if self.turns < 0:
            raise TemplateFault(f"more than {MOST_TURNS} loop turns and calls; loop over less")
        if not self.turns & 15:
            self.look_at_clock()

    def make(self, size: int) -> None:
        """Pay for a text of so many characters before it is made."""
        if size > LARGEST_TEXT:
            raise TemplateFault(
                f"a text of {count_of(size)} characters would be made: the limit is {LARGEST_TEXT}; make less"
            )
        self.made -= size
        if self.made < 0:
            raise TemplateFault(f"more than {MOST_MADE} characters in all would be made on the way; make less")
        if size > 4096:
            self.look_at_clock()

    def make_items(self, count: int) -> None:
        """Pay for a list of so many items before it is made."""
        if count > MOST_ITEMS:
            raise TemplateFault(
                f"a list of {count_of(count)} items would be made: the limit is {MOST_ITEMS}; make less"
            )
        self.make(8 * count)

    def look_at_clock(self) -> None:
        left = self.seconds_left
        if left < 0 or (left < MOST_SECONDS * 0.8 and time.perf_counter() - self.began > MOST_PASSED):
            raise TemplateFault(f"it takes longer than {MOST_SECONDS:g} s of work; make it simpler")

    @property
    def seconds_left(self) -> float:
        return self.ends - time.thread_time()


class _Current(threading.local):
    """The meter of the rendering that this thread is in."""

    def __init__(self) -> None:
        self.meter = Meter()


current = _Current()


def count_of(number: int) -> str:
    """A number as a fault tells it."""
    return str(number) if number.bit_length() < 200 else "very many"
