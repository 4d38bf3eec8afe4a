"""How many there are of something, as people say it."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """``1 call``, ``2 calls``; ``many`` is the plural where it is not ``one`` with an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
