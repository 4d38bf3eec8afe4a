"""Read an agent's script once, so that a turn has only to walk it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.documents import Agent
from ...schemas.problems import KeyPath


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStep:
    """Call a tool; text in ``args`` is a template."""

    path: KeyPath
    tool: str
    args: Any
    unchecked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitStep:
    """Let the run's clock go on."""

    path: KeyPath
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SayStep:
    """Add a line to the reply."""

    path: KeyPath
    text: str


Step = CallStep | WaitStep | SayStep


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRule:
    """One answer; ``when`` None holds always."""

    path: KeyPath
    when: str | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The rules at ``script``, of the agent at ``path``. ``reads_facts``: some text names ``turns`` or ``calls``."""

    path: KeyPath
    script: KeyPath
    rules: tuple[ScriptRule, ...]
    debrief: str | None
    reads_facts: bool


def read_program(agent: Agent, settings: Mapping[str, Any]) -> Program:
    """The program of ``script:`` and ``debrief:``, which are sound in shape."""
    path: KeyPath = ("agents", agent.id)
    script = agent.place or (*path, "script")
    rules = tuple(_read_rule(rule, (*script, index)) for index, rule in enumerate(settings.get("script", ())))
    debrief = settings.get("debrief")
    facts = any(name in text for text in _texts(rules, debrief) for name in ("turns", "calls"))
    return Program(path=path, script=script, rules=rules, debrief=debrief, reads_facts=facts)


def _read_rule(rule: Mapping[str, Any], path: KeyPath) -> ScriptRule:
    steps = tuple(_read_step(step, (*path, "do", index)) for index, step in enumerate(rule["do"]))
    return ScriptRule(path=path, when=rule.get("when"), steps=steps)


def _read_step(step: Mapping[str, Any], path: KeyPath) -> Step:
    if "say" in step:
        return SayStep(path=(*path, "say"), text=step["say"])
    if "wait_s" in step:
        return WaitStep(path=(*path, "wait_s"), seconds=float(step["wait_s"]))
    call = step["call"]
    return CallStep(
        path=(*path, "call"),
        tool=call["tool"],
        args=call.get("args", {}),
        unchecked=call.get("unchecked", False),
    )


def _texts(rules: tuple[ScriptRule, ...], debrief: str | None) -> Iterator[str]:
    if debrief is not None:
        yield debrief
    for rule in rules:
        if rule.when is not None:
            yield rule.when
        for step in rule.steps:
            if isinstance(step, SayStep):
                yield step.text
            elif isinstance(step, CallStep):
                yield from (text for _, text in leaves(step.args, step.path))


def leaves(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Every text in a nested value, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
