"""The words that give every pack of a command an agent that none of them declares, gathered into one."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import click

from ...schemas.errors import UsageFault
from ..added_agents import AddedAgent, AgentOptions, flag_of

F = TypeVar("F", bound=Callable[..., Any])
TOLD = tuple(each.name for each in fields(AgentOptions))  # each is a word of its own


def agent_words(file: click.Path) -> Callable[[F], F]:
    """Give a command these words; it gets them as ``added_agents``, a tuple. ``file``: the type of a path."""

    def give(command: F) -> F:
        @functools.wraps(command)
        def gathered(*args: Any, agent_files: Sequence[Path], **given: Any) -> Any:
            told = {name: given.pop(name) for name in TOLD}
            return command(*args, added_agents=(*agent_files, *_told(**told)), **given)

        for word in reversed(_words(file)):
            gathered = word(gathered)
        return gathered  # type: ignore[return-value]  # the same, but for the words it takes

    return give


def _words(file: click.Path) -> tuple[Callable[[Any], Any], ...]:
    return (
        click.option(
            "--agent-file", "agent_files", multiple=True, type=file, metavar="FILE",
            help="Also the agents of this document of kind pack_part; repeatable. They run where --agent picks none.",
        ),
        click.option(
            "--runtime", metavar="NAME",
            help="Also an agent of this runtime; openai if left out, and --model is given.",
        ),
        click.option("--model", metavar="M", help="Its model, as the endpoint knows it."),
        click.option("--base-url", metavar="U", help="Its endpoint, up to /v1."),
        click.option("--api-key-env", metavar="NAME", help="The variable that holds its key; masked."),
        click.option(
            "--sampling", multiple=True, metavar="KEY=VALUE",
            help="Sent with every request, like max_tokens=256; repeatable.",
        ),
        click.option("--system-prompt", type=file, default=None, metavar="FILE", help="A file with its system prompt."),
        click.option(
            "--extends", metavar="AGENT", help="Begin with this agent of the pack: its prompt, its guards."
        ),
        click.option("--agent-id", metavar="ID", help="Its id, instead of one made of the model's name."),
    )


def _told(*, sampling: Sequence[str], system_prompt: Path | None, **words: str | None) -> tuple[AddedAgent, ...]:
    said = {name: word for name, word in words.items() if word is not None}
    for name, word in said.items():
        if not word.strip():  # as if nothing were said, another agent would be benched, and perhaps pass
            raise UsageFault(f"{flag_of(name)}: an empty value says nothing; is the variable set that it comes from?")
    if not (sampling or system_prompt or said):
        return ()
    return (AgentOptions(sampling=_sampling(sampling), system_prompt=system_prompt or "", **said),)


def _sampling(pairs: Sequence[str]) -> dict[str, Any]:
    """Values as JSON reads them; what is no JSON is text."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, said, value = pair.partition("=")
        if not said or not key:
            raise UsageFault(f"--sampling {pair[:80]}: a key and its value are meant; write it like max_tokens=256")
        if key in found:
            raise UsageFault(f"--sampling {key[:80]}: it is said twice; say it once")
        found[key] = _value(key, value)
    return found


def _value(key: str, text: str) -> Any:
    """What the text means. Raises UsageFault for JSON that no request can hold, and for nothing at all."""
    if not text.strip():
        raise UsageFault(
            f"--sampling {key[:80]}=: an empty value says nothing; is the variable set that it comes from? "
            f"An empty text is written {key[:80]}='\"\"'"
        )
    strict_json = importlib.import_module("..loading.strict_json", __package__)  # not for those who sample nothing
    try:
        return strict_json.decode(text)
    except strict_json.NotJson:
        return text
    except ValueError as wrong:
        raise UsageFault(f"--sampling {key[:80]}: the value {wrong}; mend it") from None
