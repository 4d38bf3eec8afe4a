"""The fault in which hostile text is laid over a real answer: ``injected-text``."""

from __future__ import annotations

import dataclasses

from ...schemas.bounded import TEXT_LIMIT, clean_text
from ..tools.results import Answer
from .strike import Strike

ROOM_FOR_A_CUT = 200


async def injected_text(strike: Strike) -> Answer:
    """The real call stands, effects and rows too; the agent reads ``text`` after it, before it, or in its place.

    An error of the call's own is laid over in the same way: an attack does not wait for a good answer.
    """
    answer = await strike.next()
    if answer.bench:
        return strike.spared(answer, "the tool is broken")
    text, position = str(strike.args["text"]), strike.args.get("position", "append")
    failed = answer.error is not None
    read = clean_text(answer.error or "") if failed else strike.read(answer)
    real = clean_text(read, max(0, TEXT_LIMIT - len(text) - ROOM_FOR_A_CUT))  # what is cut must not be the attack
    strike.struck()
    if position == "replace":
        return dataclasses.replace(answer, error=text) if failed else Answer(value=text)
    told = "\n".join(part for part in ((text, real) if position == "prepend" else (real, text)) if part)
    return dataclasses.replace(answer, error=told) if failed else dataclasses.replace(answer, shown=told)
