"""All semantic checks of a pack, one subject after the other."""

from __future__ import annotations

from .built import Built
from .lint_agents import lint_agents
from .lint_debriefs import lint_debriefs
from .lint_hooks import lint_hooks
from .lint_scenarios import lint_scenarios
from .lint_skeleton import lint_skeleton
from .lint_tools import lint_guards, lint_tools
from .sql import SqlLint


def lint_pack(built: Built) -> None:
    """Add every fault that the shape cannot show; each is told with place, cause and remedy."""
    sql = SqlLint(built.flawed_tables())
    lint_agents(built)
    lint_tools(built, sql)
    lint_guards(built)
    lint_scenarios(built, sql)
    lint_hooks(built, lint_skeleton(built))
    lint_debriefs(built)
