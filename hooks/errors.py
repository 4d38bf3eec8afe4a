"""The fault of a hook that cannot be used as it is: told before any agent, process or socket."""

from __future__ import annotations

from ..schemas.errors import UsageFault


class HookConfigError(UsageFault):
    """A hook, a guard or one of their knobs that cannot be used as it is; the text says what to do (exit 2)."""
