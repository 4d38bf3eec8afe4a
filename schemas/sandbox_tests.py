"""The tests that stand after ``is`` and in ``select``: Jinja's own that ask about plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import tests as jinja
from jinja2.runtime import StrictUndefined

from .errors import TemplateFault
from .nearest import did_you_mean
from .sandbox_operators import COMPARISONS, contains, equal

ASK_WHETHER_THERE = frozenset({"defined", "undefined"})

_SAME = {
    "==": "eq", "eq": "eq", "equalto": "eq", "!=": "ne", "ne": "ne", ">": "gt", "gt": "gt", "greaterthan": "gt",
    ">=": "gteq", "ge": "gteq", "<": "lt", "lt": "lt", "lessthan": "lt", "<=": "lteq", "le": "lteq",
}  # fmt: skip
_PLAIN = (
    "odd even divisibleby defined undefined none boolean false true integer float lower upper string mapping number "
    "sequence iterable"
)


def _text_case(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and test(value)


TESTS: dict[str, Callable[..., Any]] = {
    **{name: getattr(jinja, f"test_{name}") for name in _PLAIN.split()},
    **{name: COMPARISONS[same] for name, same in _SAME.items()},
    "in": contains,
    "lower": _text_case(str.islower),
    "upper": _text_case(str.isupper),
    "sameas": equal,
    "truthy": bool,
}


def call_test(name: Any, value: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the value passes; an absent one passes none but ``undefined``, where a user would expect no fault."""
    test = TESTS.get(name) if isinstance(name, str) else None
    if test is None:
        raise TemplateFault(f"there is no test {str(name)[:60]!r}; {did_you_mean(str(name), TESTS, what='tests')}")
    if isinstance(value, StrictUndefined) and name not in ASK_WHETHER_THERE:
        return False
    return bool(test(value, *args, **kwargs))
