"""The six lifecycle points as a class whose methods are empty: override those that you need."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .context import HookContext


class Hook:
    """Observes runs; never decides anything. Any object with a ``name`` and one of these methods is a hook as well.

    So are methods named after call events (``pre_tool_call``, ``post_api_request``, ``on_stream_delta`` ...): each
    takes those of its event's fields that it declares, by name, or all (``**fields``). ``wt hooks list`` tells them.

    A method may be ``async def``. What it raises becomes a warning of the run, never a failure; what it returns is
    ignored. Each call has a deadline (``WT_HOOK_TIMEOUT_S``, 300 s) and is abandoned at it.
    """

    name: str = ""
    """A slug of at most 64 characters; artifacts are ``<stem>.<name>.json``, knobs ``WT_<NAME>_*``."""

    serial: bool = False
    """True: while this hook is active, runs are made one at a time, whatever ``--jobs`` says."""

    def on_provisioned(self, ctx: HookContext) -> None:
        """Once a batch (one scenario, one agent): the agent is reachable, the world is checked, no run has begun.

        ``ctx`` has scenario and agent.
        """

    def on_run_start(self, ctx: HookContext) -> None:
        """Once a run: its session is fresh, no turn has been sent.

        ``ctx`` has scenario, agent, run_id and session_id.
        """

    def on_run_scored(self, ctx: HookContext) -> None:
        """Once a run: trace and score are on disk, the session still lives and has not been reset.

        ``ctx`` has scenario, agent, run_id, session_id, trace and score. Only here ``ctx.converse`` works.
        """

    def on_run_end(self, ctx: HookContext) -> None:
        """Once a run, after every hook has seen ``on_run_scored`` and before the next reset.

        ``ctx`` has scenario, agent, run_id, session_id, trace and score. The only run point that fires for a run
        whose reset or session failed.
        """

    def on_scenario_end(self, ctx: HookContext) -> None:
        """Once a batch, after its last run; after Ctrl-C too, with what is complete.

        ``ctx`` has scenario, agent and aggregate.
        """

    def on_pack_end(self, ctx: HookContext) -> None:
        """Once a sweep, when all batches are done; after Ctrl-C too, with what is complete.

        ``ctx.aggregate`` is the tuple of all aggregates, each naming its pack, scenario and agent.
        """
