"""A call that a tool fault strikes: what the fault may do with it, and how it says what became of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.secrets import Secrets
from ..clock import RunClock
from ..tools.results import Answer, witnessed
from ..tools.wrappers import Next, WrappedCall
from .marks import FaultMark


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """``args`` are the keys of the fault, rendered. A fault says ``struck`` once the call is not what it was."""

    call: WrappedCall
    next: Next
    args: Mapping[str, Any]
    clock: RunClock
    secrets: Secrets
    mark: FaultMark

    def struck(self) -> None:
        self.mark.struck(self.call.n)

    def spared(self, answer: Answer, why: str) -> Answer:
        """The real answer, untouched, and why."""
        self.mark.spared(self.call.n, why)
        return answer

    def read(self, answer: Answer) -> str:
        """The text that the agent would read: bounded, and without secrets, so that no cut goes through one."""
        text = witnessed(answer, self.secrets).text
        return text if isinstance(text, str) else ""


Fault = Callable[[Strike], Awaitable[Answer]]
