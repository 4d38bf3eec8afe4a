"""Render an agent's settings: ``env.NAME`` as the environment was taken, ``secret(...)`` masked from then on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .documents import Inert
from .rendering import render_value
from .sandbox_access import Variables
from .sandbox_methods import Method
from .secrets import Secrets
from .template_uses import uses_of
from .template_walk import SECRET


def render_setting(value: Any, names: Mapping[str, Any], env: Mapping[str, str], secrets: Secrets) -> Any:
    """Render a nested setting like ``render_value``; a variable inside ``secret(...)`` that is set becomes a secret.

    Raises TemplateFault, naming the variable where one is not set and has no default, or is too short for a secret.
    """
    variables = Variables(env)
    reveal = Method(_reveal, (variables, secrets))
    return render_value(value, {**names, "env": variables, SECRET: reveal})


def env_names(value: Any) -> set[str]:
    """The variables that a nested setting needs: used without a default, and not asked whether they are defined."""
    needed: set[str] = set()
    for source in _templates(value):
        found = [use for use in uses_of(source, expression=False).found if use.name == "env" and use.member]
        asked = {use.member for use in found if use.guard == "defined"}
        needed.update(use.member for use in found if not use.guard and use.member not in asked)
    return needed


def _reveal(owner: tuple[Variables, Secrets], value: Any, *names: str) -> Any:
    variables, secrets = owner
    for name in names:
        if name in variables:
            secrets.add(name, variables[name])
    return value


def _templates(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if "{" in value and not isinstance(value, Inert):
            yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _templates(member)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _templates(item)
