"""How an expression reaches into data: a mapping's key first, then a harmless method; what is absent stays absent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jinja2.runtime import LoopContext, StrictUndefined
from jinja2.utils import Namespace, missing

from .errors import TemplateFault
from .nearest import did_you_mean
from .sandbox_data import ATOMS, kind_of, weigh
from .sandbox_methods import Method, method_of

_LOOP = "index index0 revindex revindex0 first last length depth depth0 previtem nextitem"
LOOP_MEMBERS = frozenset(_LOOP.split())


class Variables(dict[str, str]):
    """Environment variables, as ``env`` in the settings of an agent."""


class Absent(StrictUndefined):
    """A fact that is not there: it may be asked ``is defined`` or given a ``default``; every other use is a fault."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        name: Any = self._undefined_name
        owner = self._undefined_obj
        if self._undefined_hint:
            return self._undefined_hint
        cure = "ask `is defined`, or write `| default(...)`"
        if owner is missing:
            return f"{name!r} is not defined; {cure}"
        if isinstance(owner, Variables):
            return f"the variable {name} is not set; set it, or write env.{name} | default(...)"
        if isinstance(owner, dict):
            keys = [str(key) for key in list(owner)[:200]]
            if not keys:
                return f"there is no {name!r}: the mapping is empty; {cure}"
            return f"there is no {name!r} ({did_you_mean(str(name), keys, what='there are')}); {cure}"
        if isinstance(owner, list | tuple | str) and isinstance(name, int):
            return f"there is no [{name}] in {kind_of(owner)} of {len(owner)}; {cure}"
        return f"{kind_of(owner)} has no {name!r}; {cure}"


def attribute(owner: Any, name: str) -> Any:
    """``owner.name``."""
    if isinstance(owner, dict):
        if name in owner:
            return owner[name]
    elif isinstance(owner, StrictUndefined):
        return owner
    elif isinstance(owner, tuple) and name in getattr(owner, "_fields", ()):
        return getattr(owner, name)
    elif isinstance(owner, LoopContext):
        return _loop_member(owner, name)
    elif isinstance(owner, Namespace):
        return _namespace_member(owner, name)
    return method_of(owner, name) or Absent(obj=owner, name=name)


def item(owner: Any, key: Any) -> Any:
    """``owner[key]``."""
    if isinstance(owner, StrictUndefined):
        return owner
    if isinstance(key, StrictUndefined):
        return key
    if isinstance(owner, dict):
        if (type(key) in ATOMS or isinstance(key, str)) and key in owner:
            return owner[key]
    elif isinstance(owner, list | tuple | str) and isinstance(key, int) and -len(owner) <= key < len(owner):
        return owner[key]
    elif isinstance(owner, Namespace) and isinstance(key, str):
        return _namespace_member(owner, key)
    return Absent(obj=owner, name=key if type(key) in ATOMS else kind_of(key))


def by_path(path: Any) -> Callable[[Any], Any]:
    """What ``attribute='args.id'`` takes from each item; an absent step gives an absent value."""
    if isinstance(path, str):
        parts = path[:1000].split(".")
        steps: Sequence[Any] = [int(part) if part.isdigit() and part.isascii() else part for part in parts]
    elif isinstance(path, int):
        steps = [path]
    else:
        raise TemplateFault(f"an attribute is named by a text, not by {kind_of(path)}; write attribute='name'")

    def found(owner: Any) -> Any:
        for step in steps:
            by_key = isinstance(owner, dict) or not isinstance(step, str)
            owner = item(owner, step) if by_key else attribute(owner, step)
        return owner

    return found


def _loop_member(owner: LoopContext, name: str) -> Any:
    if name in _LOOP_METHODS:
        return Method(_LOOP_METHODS[name], owner)
    return getattr(owner, name) if name in LOOP_MEMBERS else Absent(obj=owner, name=name)


def _changed(loop: LoopContext, *values: Any) -> bool:
    weigh(values)
    return loop.changed(*values)


_LOOP_METHODS: dict[str, Callable[..., Any]] = {"cycle": LoopContext.cycle, "changed": _changed}


def _namespace_member(owner: Namespace, name: str) -> Any:
    if name.startswith("_"):
        return Absent(obj=owner, name=name)
    try:
        return getattr(owner, name)
    except AttributeError:
        return Absent(obj=owner, name=name)
