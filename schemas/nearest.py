"""Guess the name that was meant, to end a fault with a question that helps."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_LISTED = 20


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like ``name``, or None where none is like it."""
    by_folded = {_folded(each): each for each in sorted(known, reverse=True)}
    wanted = _folded(name[:100])
    if wanted in by_folded:
        return by_folded[wanted]
    found = get_close_matches(wanted, by_folded, n=1, cutoff=0.7)
    return by_folded[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str], *, what: str = "known") -> str:
    """A remedy: ``did you mean 'x'?``, or else the names there are (``known: a, b, c``)."""
    names = sorted(set(known))
    found = nearest(name, names)
    if found is not None:
        return f"did you mean {found!r}?"
    if not names:
        return "there is none"
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{what}: {', '.join(map(_plain, names[:MOST_LISTED]))}{more}"


def _plain(name: str) -> str:
    return name if name.isprintable() else ascii(name)


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
