"""Refuse a script that cannot be played: a call that its tool does not take, a template that its place cannot fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...schemas.codec import CodecFault
from ...schemas.documents import Agent, Inert, Pack
from ...schemas.errors import PatternFault
from ...schemas.nearest import did_you_mean
from ...schemas.problems import KeyPath, Problems
from ...schemas.templates import is_template, template_faults
from ...schemas.tool_documents import Tool
from ...schemas.value_schema import SchemaFault, schema_faults
from ..tools.quick_arguments import surely_sound
from .late_names import names_of
from .scripted_program import CallStep, Program, SayStep, leaves, read_program


def check_script(agent: Agent, pack: Pack, problems: Problems) -> None:
    """Add every fault of the agent's script, each with its own place."""
    program = read_program(agent, agent.settings)
    for path, message, remedy in _call_faults(program, None if agent.role == "helper" else pack.tools):
        problems.add(agent.mark, path, message, remedy)
    known = names_of(pack)
    for path, text, expression in _templates(program):
        for fault in template_faults(text, "script", known, expression=expression):
            message, _, remedy = fault.partition("; ")
            problems.add(agent.mark, path, message, remedy)


def _templates(program: Program) -> Iterator[tuple[KeyPath, str, bool]]:
    """Every text of the script that is rendered, with its place, and whether it is an expression."""
    if program.debrief is not None and not isinstance(program.debrief, Inert):
        yield (*program.path, "debrief"), program.debrief, False
    for rule in program.rules:
        if rule.when is not None:
            yield (*rule.path, "when"), rule.when, True
        for step in rule.steps:
            if isinstance(step, SayStep) and not isinstance(step.text, Inert):
                yield step.path, step.text, False
            elif isinstance(step, CallStep):
                found = leaves(step.args, (*step.path, "args"))
                yield from ((path, text, False) for path, text in found if not isinstance(text, Inert))


def _call_faults(program: Program, tools: Mapping[str, Tool] | None) -> Iterator[tuple[KeyPath, str, str]]:
    """``tools`` None: the agent is a helper, which has none."""
    for rule in program.rules:
        for step in rule.steps:
            if isinstance(step, CallStep) and not step.unchecked:
                if tools is None:
                    yield step.path, "a helper has no tools", _or_unchecked("leave the call out")
                else:
                    yield from _faults_of(step, tools)


def _faults_of(step: CallStep, tools: Mapping[str, Tool]) -> Iterator[tuple[KeyPath, str, str]]:
    tool = tools.get(step.tool)
    if tool is None:
        yield (*step.path, "tool"), f"there is no tool '{step.tool}'", _or_unchecked(did_you_mean(step.tool, tools))
        return
    if not isinstance(step.args, Mapping):
        return  # one template for all arguments: known only when it is rendered
    properties: Mapping[str, Any] = tool.input_schema.get("properties", {})
    place = (*step.path, "args")
    for name in tool.input_schema.get("required", ()):
        if name not in step.args:
            yield place, f"the tool '{tool.name}' needs the argument '{name}'", _or_unchecked("add it")
    for name, value in step.args.items():
        if name not in properties:
            remedy = _or_unchecked(did_you_mean(name, properties))
            yield (*place, name), f"the tool '{tool.name}' has no argument '{name}'", remedy
        elif not _has_template(value):
            for fault in _value_faults(value, properties[name]):
                yield (*place, name), fault, _or_unchecked("write a value that the tool takes")


def _value_faults(value: Any, schema: Any) -> list[str]:
    """What the tool's schema says against a literal; most are plainly sound, which is cheaper to see."""
    try:
        return [] if surely_sound(schema)(value) else schema_faults(schema, value)
    except (PatternFault, SchemaFault, CodecFault) as fault:
        return [str(fault)]


def _or_unchecked(remedy: str) -> str:
    return f"{remedy} (a script that means to call wrongly says `unchecked: true`)"


def _has_template(value: Any) -> bool:
    """Whether any text in the value is rendered, so that its type is not known before."""
    return any(is_template(text) for _, text in leaves(value, ()))
