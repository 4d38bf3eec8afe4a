"""Show what a debrief would say about a run, without any agent."""

from __future__ import annotations

from ...schemas.hook_documents import DebriefTemplate, FollowUp
from ...schemas.records import Trace
from ...schemas.scores import Score
from ..facts import saved_run_names
from .hook import is_due
from .prompt import MOST_FOLLOW_UPS, render_prompt


def preview(template: DebriefTemplate, trace: Trace, score: Score) -> str:
    """The prompt as it would be sent, and the follow-ups as they are written. Raises TemplateFault."""
    names = saved_run_names(trace, score)
    held = "holds: this run would be debriefed" if is_due(template, score, names) else "does not hold for this run"
    lines = [f"debrief {template.name}, when: {template.when}", f"  ({held})", "", render_prompt(template, names)]
    if template.follow_ups:
        lines += ["", f"then, at most {MOST_FOLLOW_UPS} of:", *map(_follow_up, template.follow_ups)]
    return "\n".join(lines)


def _follow_up(follow_up: FollowUp) -> str:
    condition = "always" if follow_up.when is None else f"when {follow_up.when}"
    return f"- {condition}: {follow_up.question}"
