"""Write the document that an agent told by options stands for; each of its values stands at its option."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ...schemas.bounded import clean_text
from ...schemas.codec import CodecFault, canonical
from ...schemas.documents import Inert
from ...schemas.errors import UsageFault
from ...schemas.marks import Branch, Document, Foreign, Marks, Start
from ...schemas.problems import Source
from ..added_agents import AgentOptions, flag_of
from .files import PREFIX
from .node import inert
from .strict_json import check_depth

OPENAI, SCRIPTED = "openai", "scripted"
NAMELESS = "cli"
_LONGEST_ID = 64
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_NOWHERE = Start(-1, -1)  # an option has no line


def document_of(options: AgentOptions) -> Document:
    """A ``pack_part`` with this one agent. Raises UsageFault where the options make none."""
    _refuse_halves(options)
    _refuse_unwritable(options)
    settings = _settings(options)
    name = agent_id(options)
    home = Path.cwd()
    flags = {key: Foreign(Source(home / name, flag), _NOWHERE) for key, (flag, _) in settings.items()}
    named_by = next(flags[key] for key in ("model", "runtime", "extends") if key in flags)
    if options.agent_id:
        named_by = Foreign(Source(home / name, "--agent-id"), _NOWHERE)
    agent = Branch(_NOWHERE, dict(flags), dict(flags))
    agents = Branch(_NOWHERE, {name: named_by}, {name: Foreign(named_by.source, agent)})
    source = Source(home / name, named_by.source.shown)
    data = {
        "kind": "pack_part", "schema_version": 1,
        "agents": {name: {key: value for key, (_, value) in settings.items()}},
    }
    return Document(source, data, Marks(source, Branch(_NOWHERE, {"agents": named_by}, {"agents": agents})))


def agent_id(options: AgentOptions) -> str:
    """The id that was asked for; else the model's name with what an id cannot hold as dashes, or ``cli``."""
    slug = re.sub(r"[^A-Za-z0-9_]+", "-", options.model)[:_LONGEST_ID].strip("-")
    return options.agent_id or slug or NAMELESS


def told_of(options: AgentOptions, read: Mapping[str, str]) -> dict[str, Any]:
    """The options as a record keeps them, without what may be a secret; ``read``: the digest of each file."""
    told = {
        "runtime": _runtime(options), "model": options.model,
        "base_url": _bare(options.base_url) if options.base_url else "",
        "api_key_env": options.api_key_env, "sampling": dict(options.sampling), "extends": options.extends,
        "system_prompt": read,
    }
    return {key: value for key, value in told.items() if value}


def _bare(base_url: str) -> str:
    """An address without login and query; of one that is none, which is a fault of its own, nothing."""
    try:
        url = urlsplit(base_url)
    except ValueError:
        return ""
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"


def _settings(options: AgentOptions) -> dict[str, tuple[str, Any]]:
    """Each key of the agent with the option that says it. All is data, but for what names a variable or a file."""
    key = f"{{{{ secret(env.{options.api_key_env}) }}}}" if options.api_key_env else ""
    if options.extends and options.base_url and not key:
        key = Inert()  # the key that is inherited was meant for another address
    prompt = f"{PREFIX}{options.system_prompt!s}" if str(options.system_prompt) else ""
    said = {
        "extends": ("--extends", options.extends),
        "role": ("--extends", "subject" if options.extends else ""),  # else a helper's: another would run in its place
        "runtime": ("--runtime", _runtime(options)),
        "model": ("--model", Inert(options.model)),
        "base_url": ("--base-url", Inert(options.base_url)),
        "sampling": ("--sampling", inert(dict(options.sampling))),
        "system_prompt": ("--system-prompt", prompt),
    }
    kept = {name: (flag, value) for name, (flag, value) in said.items() if value}
    if isinstance(key, Inert):
        return {**kept, "api_key": ("--base-url", key)}
    return {**kept, "api_key": ("--api-key-env", key)} if key else kept


def _runtime(options: AgentOptions) -> str:
    return options.runtime or ("" if options.extends else OPENAI)


def _refuse_halves(options: AgentOptions) -> None:
    """Options that make half an agent: say which one is missing."""
    variable = options.api_key_env
    if variable and not _VARIABLE.match(variable):
        raise UsageFault("--api-key-env: that is no name of a variable; export the key, and name the variable here")
    if options.extends:
        return
    if not (options.runtime or options.model or options.base_url):
        raise UsageFault(
            f"{_first(options)} tells more of an agent, and none is told of; "
            "add --model M --base-url U, or write the agent into a file for --agent-file"
        )
    if options.runtime == SCRIPTED:
        raise UsageFault(
            "--runtime scripted: a script is no option; write the agent into a file, and name that with --agent-file"
        )
    if _runtime(options) == OPENAI:
        for flag, value, example in (("--model", options.model, "--model gpt-4.1-mini"),
                                     ("--base-url", options.base_url, "--base-url http://127.0.0.1:8080/v1")):
            if not value:
                raise UsageFault(f"an agent of runtime openai needs {flag}; add it, like {example}")


def _refuse_unwritable(options: AgentOptions) -> None:
    """What no request and no record could hold is told before anything runs."""
    for member in fields(options):
        flag, value = flag_of(member.name), getattr(options, member.name)
        if isinstance(value, str) and clean_text(value, len(value)) != value:
            raise UsageFault(f"{flag}: it holds bytes that are not UTF-8; write it in UTF-8")
    for key, value in options.sampling.items():
        try:
            check_depth(value)
            canonical({key: value})
        except ValueError as wrong:
            raise UsageFault(f"--sampling {clean_text(key, 80)}: the value {wrong}; mend it") from None
        except CodecFault as fault:
            raise UsageFault(f"--sampling {fault}; mend the value") from None


def _first(options: AgentOptions) -> str:
    more = ("api_key_env", "sampling", "system_prompt", "agent_id")
    return next((flag_of(name) for name in more if getattr(options, name)), "an option")
