"""Foreign code runs inside a containment: whatever it raises is an outcome, except what must interrupt the bench."""

from __future__ import annotations

import re
from types import TracebackType
from typing import Any, NamedTuple

from ..schemas.bounded import clean_text

NEVER_CONTAINED = (KeyboardInterrupt,)
"""The one list of what no surface contains (D11): everything else that is raised is contained on every one."""


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_NAME_OF_TYPE = type.__dict__["__name__"]  # asked past the metaclass, which may be foreign too


class Outcome(NamedTuple):
    """How one call ended. ``kind`` "" means that the callback answered, else it is the kind of its fault.

    ``interrupt`` is what must not be contained, and is raised where the call is waited for.
    """

    value: Any = None
    kind: str = ""
    detail: str = ""
    interrupt: BaseException | None = None


class Containment:
    """``with Containment(chars) as held: held.outcome = ...``: afterwards ``held.outcome`` tells what happened.

    The error is put into words here, on the thread of the callback and within its deadline: an exception's ``__str__``
    is foreign code too. Only text leaves, so no traceback keeps a payload alive.
    """

    __slots__ = ("_text_chars", "outcome")

    def __init__(self, text_chars: int) -> None:
        self._text_chars = text_chars
        self.outcome = Outcome()

    def __enter__(self) -> Containment:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None:
            return False
        try:
            if isinstance(error, NEVER_CONTAINED):
                self.outcome = Outcome(interrupt=error)
            else:
                self.outcome = Outcome(kind="raised", detail=describe(error, self._text_chars))
        except NEVER_CONTAINED as interrupt:
            self.outcome = Outcome(interrupt=interrupt)
        return True


def describe(error: BaseException, text_chars: int) -> str:
    """``Type: text`` on one line, the text cut at ``text_chars``; without addresses, so that equal faults are equal."""
    try:
        told: object = str(error)
    except NEVER_CONTAINED:
        raise
    except BaseException as second:  # noqa: BLE001 - an error's `__str__` is foreign code too
        told = f"(no text: its __str__ raised {type_name(second)})"
    text = _ADDRESS.sub(" at 0x…", clean_text(told, 4 * text_chars))
    text = " ".join(text.split())[:text_chars]
    return f"{type_name(error)}: {text}" if text else type_name(error)


def type_name(value: object) -> str:
    """The name of the value's type, whatever the type makes of being asked."""
    return clean_text(_NAME_OF_TYPE.__get__(type(value)), 100)


def unstartable(error: BaseException, text_chars: int) -> Outcome:
    """No thread could be started for a call (D6)."""
    return Outcome(kind="unstartable", detail=describe(error, text_chars))
