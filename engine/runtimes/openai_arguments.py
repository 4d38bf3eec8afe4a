"""Read a tool call's arguments, which a model writes as JSON text and sometimes as something else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.codec import CodecFault, decode, encode
from ..tools.arguments import BadArguments
from .openai_wire import as_text, kind_of


def read_arguments(raw: Any, input_schema: Mapping[str, Any]) -> object:
    """The arguments as an object, or BadArguments, which the host answers with an error that the agent sees.

    Nothing at all stands for no arguments where the tool needs none: many endpoints write it so.
    """
    if isinstance(raw, dict):
        return raw
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return BadArguments(raw or "", "empty") if input_schema.get("required") else {}
    if not isinstance(raw, str):
        return BadArguments(as_text(raw), f"{kind_of(raw)}, not an object")
    found, why = _parse(raw)
    return BadArguments(raw, why) if found is None else found


def arguments_sent_back(raw: Any) -> str:
    """The text under which a call stands in the conversation.

    What cannot be read goes back as ``{}``: endpoints parse it again, and would refuse every later request of the
    session. The tool's error beside it quotes what the model wrote.
    """
    if isinstance(raw, dict):
        return encode(clean_value(raw)).decode()
    return raw if isinstance(raw, str) and _parse(raw)[0] is not None else "{}"


def _parse(text: str) -> tuple[dict[str, Any] | None, str]:
    """The object, or None and why there is none."""
    try:
        found = decode(text)
    except CodecFault:
        return None, _why(text)
    return (found, "") if isinstance(found, dict) else (None, f"{kind_of(found)}, not an object")


def _why(text: str) -> str:
    """What is wrong with the text, in words that a model can act on."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} at character {error.pos + 1} of {len(text)}"
    except (ValueError, RecursionError):
        pass
    return "not JSON: a number that JSON does not have, or nested too deeply"
