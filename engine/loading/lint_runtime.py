"""Ask an agent's runtime what it finds wrong, and tell that at the line of the setting that it names."""

from __future__ import annotations

import dataclasses
import re

from ...schemas.documents import Agent, Pack
from ...schemas.problems import KeyPath, Mark, Problems
from ..runtimes.all_runtimes import runtime_named
from .built import Built

Told = set[tuple[Mark, str]]

_STEP = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)")


def ask_runtime(built: Built, agent: Agent, pack: Pack, told: Told) -> None:
    """Add what the runtime finds, each fault once; ``pack`` may hold only the scenarios that the agent serves.

    Raises UsageFault where there is no such runtime.
    """
    unsound = [name for name in built.ids("tools") if not built.sound("tools", name)]
    tools = {name: tool for name, tool in pack.tools.items() if name not in unsound}
    found = Problems()
    runtime_named(agent.runtime).check(agent, dataclasses.replace(pack, tools=tools), found)
    home = agent.place or ("agents", agent.id)
    for problem in found.all():
        if any(f"'{name}'" in problem.message for name in unsound):
            continue  # of a tool that is not sound nothing is known but its name
        path = key_path(problem.path)
        known = path[: len(home)] == home
        mark = built.root.tree.marks.value(path) if known else problem.mark
        if (mark, problem.message) not in told:
            told.add((mark, problem.message))
            built.problems.add(mark, problem.path, problem.message, problem.remedy)


def key_path(written: str) -> KeyPath:
    """``agents.a.script[0]`` as a key path; a key that holds a dot or a bracket is not told apart."""
    return tuple(int(index) if index else key for index, key in _STEP.findall(written))
