"""Every fault that Wind Tunnel expects is one of these, and knows the exit code it stands for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .problems import Problem


class WindTunnelError(Exception):
    """An expected fault: it is shown as its text, never as a traceback.

    The text says what is wrong, where, and what to do.
    """

    exit_code = 2


class UsageFault(WindTunnelError):
    """A request that cannot be carried out as it was made (an unknown name, a value out of range)."""


class DocumentFault(WindTunnelError):
    """One or more documents that do not hold; ``problems`` carries each with its place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class EvidenceMissing(WindTunnelError):
    """Some evidence that was asked for is not there: an output that could not be written, a sweep that died."""

    exit_code = 3


class TemplateFault(WindTunnelError):
    """A template or expression that does not parse, names what its place does not give, or breaks a limit."""


class AbsentFault(TemplateFault):
    """A template or expression that asks, at run time, for a fact that is not there (an undefined value)."""


class PatternFault(WindTunnelError):
    """A user's pattern that does not compile or took too long."""


class CodecFault(WindTunnelError):
    """A value that strict JSON cannot hold, or bytes that are not the JSON that was expected."""
