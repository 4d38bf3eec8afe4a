"""Speak with an agent once: is there a reply, is it quick enough, and does the agent see its tools?"""

from __future__ import annotations

import secrets
from dataclasses import replace

from ...schemas.bounded import clean_text
from ...schemas.codec import UNSET
from ...schemas.doctor import DoctorCheck
from ...schemas.documents import Pack
from ...schemas.records import Turn
from ...schemas.tool_documents import Rule, Tool
from ..runtimes.all_runtimes import runtime_named
from ..runtimes.reach import Reached, force_of
from .findings import Desk
from .played import Part, Played, Stand, play

SKELETON = "bring_up"
HELLO = "Reply with the single word: hello"
TOOL = "doctor_ping"
SHOWN = 80
MUCH = 0.5  # of the time that a turn has


async def hello(stand: Stand) -> Played:
    """One short turn."""
    return await play(Part(name="doctor_reply", turns=(HELLO,)), stand, SKELETON)


def reply_check(desk: Desk, played: Played) -> tuple[DoctorCheck, Turn | None]:
    """Whether a reply came that can be read; the turn, where one did."""
    run = played.get(1)
    if run is None or run.trouble or run.trace is None or not run.trace.turns:
        return desk.faulty("reply", run.trouble if run is not None else "the run was not made"), None
    turn = run.trace.turns[0]
    text = turn.reply if isinstance(turn.reply, str) else ""
    if not text.strip():
        remedy = "look at max_tokens in sampling, and at what the model writes before its answer"
        return desk.fault("reply", "the reply is empty", remedy), None
    used = "" if turn.usage is UNSET else ", with its usage"
    return desk.ok("reply", f"{clean_text(' '.join(text.split()), SHOWN)!r}{used}"), turn


def latency_check(desk: Desk, turn: Turn, pack: Pack) -> DoctorCheck:
    """Whether the turns of the pack have time enough."""
    least = min(scenario.turn_timeout_s for scenario in pack.scenarios.values())
    told = f"a short turn took {turn.seconds:.3f} s, and the shortest turn_timeout_s is {least:g}"
    if turn.seconds > least * MUCH:
        return desk.fault("latency", told, "raise turn_timeout_s, or run fewer at once (--jobs)")
    return desk.ok("latency", told)


def model_check(desk: Desk, reached: Reached, model: str) -> DoctorCheck:
    """Whether the endpoint knows the model; it has answered as it, which counts for more than its list."""
    shown = clean_text(model, SHOWN)
    if reached.models is None:
        return desk.ok("model", f"{shown}: the endpoint lists no models, and answers")
    if model in reached.models:
        return desk.ok("model", f"{shown}: one of the {len(reached.models)} that the endpoint lists")
    return desk.ok("model", f"{shown}: not in the endpoint's list, which answers all the same")


async def tools_check(desk: Desk, stand: Stand) -> DoctorCheck:
    """Whether a call that is asked for, or else forced, comes back to the tool host."""
    if all(tool.reported for tool in stand.pack.tools.values()):
        return desk.none("tools", "the pack has no tools")
    word = secrets.token_hex(4)
    part = _part(stand, word)
    asked = await play(part, stand, SKELETON)
    if _witnessed(asked):
        return desk.ok("tools", "a call that was asked for came back")
    trouble = _trouble(asked)
    if trouble:
        return desk.faulty("tools", trouble)
    force = force_of(runtime_named(stand.agent.runtime))
    if force is not None:
        agent = replace(stand.agent, settings=force(stand.agent.settings, TOOL))
        forced = await play(part, replace(stand, agent=agent), SKELETON)
        if _witnessed(forced):
            return desk.ok("tools", "no call came when one was asked for, and one did when it was forced")
    remedy = "does the endpoint know tools, and does this model call them? some need a chat template or a flag for that"
    sent = f"not shown: {_sent(asked)} definitions were sent, and no call came back"
    return desk.unchecked("tools", sent, remedy)


def _part(stand: Stand, word: str) -> Part:
    mark = next(iter(stand.pack.scenarios.values())).mark
    ping = Tool(
        name=TOOL, description="Answers with the word that it is given. For looking whether tools can be called.",
        effect="read", rules=(Rule(text="pong {{ args.word }}", mark=mark),), mark=mark,
        input_schema={
            "type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"],
            "additionalProperties": False,
        },
    )
    ask = f"Please call the tool {TOOL} once, with word set to {word}. Then reply with what it returned."
    return Part(name="doctor_tools", turns=(ask,), tools={TOOL: ping})


def _witnessed(played: Played) -> bool:
    trace = played[1].trace if 1 in played else None
    return trace is not None and any(call.name == TOOL for call in trace.calls)


def _sent(played: Played) -> int:
    trace = played[1].trace if 1 in played else None
    shown = trace.surface.segments if trace is not None else ()
    return sum(segment.name.startswith("tool:") for segment in shown)


def _trouble(played: Played) -> str:
    return played[1].trouble if 1 in played else "the run was not made"
