"""Render texts, values and conditions over plain data; whatever they say, the only error is TemplateFault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .bounded import clean_text
from .documents import Inert
from .errors import TemplateFault
from .sandbox import compiled, compiled_expression, fault_of, run_expression, run_text
from .sandbox_data import plain, text_of
from .sandbox_meter import LARGEST_OUTPUT


def is_template(source: str) -> bool:
    """Whether there is anything to render; all other text stands for itself."""
    return "{" in source and not isinstance(source, Inert) and ("{{" in source or "{%" in source or "{#" in source)


def render_text(source: str, names: Mapping[str, Any]) -> str:
    """The text that a template gives. Raises TemplateFault; AbsentFault where it uses a fact that is not there."""
    if not is_template(source):
        return str(source)
    try:
        root = compiled(source)
        if isinstance(root, tuple):
            text = text_of(run_expression(root[0], names))
            if len(text) > LARGEST_OUTPUT:
                raise TemplateFault(f"the output has more than {LARGEST_OUTPUT} characters; write less")
        else:
            text = run_text(root, names)
    except Exception as error:  # noqa: BLE001 - this is the boundary: user text and data, our one fault
        raise fault_of(error, source) from None
    return text if text.isascii() else clean_text(text, LARGEST_OUTPUT)


def render_value(value: Any, names: Mapping[str, Any]) -> Any:
    """A nested value with every text in it rendered (keys are left as they are); ``{{ x }}`` alone keeps its type."""
    if isinstance(value, str):
        return _rendered(value, names)
    if isinstance(value, Mapping):
        return {key: render_value(member, names) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [render_value(item, names) for item in value]
    return value


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression, as plain data. Raises as ``render_text`` does, also where the value is absent."""
    try:
        return plain(run_expression(compiled_expression(expression), names))
    except Exception as error:  # noqa: BLE001 - the boundary, as above
        raise fault_of(error, expression) from None


def holds(expression: str, names: Mapping[str, Any]) -> bool:
    """Whether a condition holds. Raises as ``evaluate`` does."""
    try:
        return bool(run_expression(compiled_expression(expression), names))
    except Exception as error:  # noqa: BLE001 - the boundary, as above
        raise fault_of(error, expression) from None


def _rendered(source: str, names: Mapping[str, Any]) -> Any:
    if not is_template(source):
        return str(source)
    try:
        root = compiled(source)
        if isinstance(root, tuple):
            return plain(run_expression(root[0], names))
    except Exception as error:  # noqa: BLE001 - the boundary, as above
        raise fault_of(error, source) from None
    return render_text(source, names)
