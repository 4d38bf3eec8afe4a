"""EVENTS is the only place that knows an event: its fields, what tells its calls apart, and its deadline."""

from __future__ import annotations

from collections.abc import Mapping

from .contract import Event

LIFECYCLE_TIMEOUT_S = 300.0


def lifecycle_event(name: str) -> Event:
    """A point of a skeleton as an event, one of its own included.

    It sends ``ctx``, a HookContext made for each callback (``PerHook``), so that there is nothing to copy. A firing
    that belongs to no run sends a token of its own as ``run_id``: batches may end at once, and must all be heard (D3).
    """
    sample = {"ctx": None, "run_id": "5f0c1e9a7b3d4c2e8a6f1b0d9c7e5a3f"}
    return Event(name, sample, identity="run_id", timeout_s=LIFECYCLE_TIMEOUT_S, copied=False)


EVENTS: Mapping[str, Event] = {
    event.name: event
    for event in (
        lifecycle_event("on_provisioned"),
        lifecycle_event("on_run_start"),
        lifecycle_event("on_run_scored"),
        lifecycle_event("on_run_end"),
        lifecycle_event("on_scenario_end"),
        lifecycle_event("on_pack_end"),
    )
}
