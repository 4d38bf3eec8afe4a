"""Plant a nonce in one session, reset, and look for it in another: the hard gate that no state outlives a reset."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...hooks.state.declared import declared_probe
from ...hooks.state.snapshot import Snapshot, StateProbe, differing, shown
from ...hooks.state.violation import in_words
from ...schemas.bounded import clean_text
from ...schemas.codec import encode, to_plain
from ...schemas.documents import Pack
from ...schemas.errors import UsageFault
from ...schemas.nearest import did_you_mean
from ...schemas.records import Trace
from ..event_loop import run_to_end
from ..loading.find import find_pack
from ..loading.load import load_pack
from ..options import RunOptions
from ..sweep.select import agents_of
from .played import TURN_S, Interrupted, Part, Played, PlayedRun, Stand, play

SKELETON = "reset_canary"
PLANT, ASK = 1, 2
RUNS = {PLANT: "the nonce was not planted", ASK: "the agent was not heard after the reset"}
CLEAN_UP = "let reset leave nothing of the run before: look at sessions, memories and files that the agent keeps"
SHOWN = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryResult:
    """``leaked``: the nonce came back, ``leaks`` says where; ``fault``: the agent or its state was not as it must be.

    ``changed`` are the keys of the state that the reset did not restore.
    """

    verdict: Literal["ok", "leaked", "fault", "unchecked"]
    cause: str
    remedy: str = ""
    nonce: str
    leaks: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def run_reset_canary(
    pack: Pack | str | Path, agent: str = "", *, state_probe: StateProbe | None = None, probe_recall: bool = True,
    turn_timeout_s: float = TURN_S, env: Mapping[str, str] | None = None, runs_dir: str | Path | None = None,
) -> CanaryResult:
    """Plant, reset, ask, and look. ``agent`` is an id; left out, the pack's default one.

    ``state_probe`` looks at the state outside the world (left out: the one that the pack declares, if it does).
    ``probe_recall`` False asks the agent nothing, and needs a probe. With ``runs_dir`` the evidence is kept there.
    Raises DocumentFault, UsageFault and EvidenceMissing; nothing has been sent then.
    """
    loaded = pack if isinstance(pack, Pack) else load_pack(find_pack(pack))
    subject = _subject(loaded, agent)
    stand = Stand(
        pack=loaded, agent=loaded.agents[subject], env=dict(os.environ if env is None else env), folder=Path.cwd(),
        turn_timeout_s=turn_timeout_s, runs_dir=None if runs_dir is None else Path(runs_dir),
    )
    try:
        return run_to_end(reset_canary(stand, state_probe, probe_recall=probe_recall))
    except Interrupted:
        raise KeyboardInterrupt from None


async def reset_canary(
    stand: Stand, state_probe: StateProbe | None = None, *, probe_recall: bool = True
) -> CanaryResult:
    """``run_reset_canary`` for a caller that is async, with an agent that is already chosen."""
    spec = stand.pack.state_probe
    probe = state_probe or (declared_probe(spec, stand.env) if spec is not None else None)
    if probe is None and not probe_recall:
        raise UsageFault("the canary would look at nothing: give a state_probe, or let it ask (probe_recall)")
    nonce = f"canary-{secrets.token_hex(6)}"
    part = Part(
        name=SKELETON, vars={"nonce": nonce, "recall": probe_recall}, runs=2,
        that="turns | length == 0 or vars.nonce in turns[0].user or vars.nonce not in reply | default('')",
    )
    return judged(await play(part, stand, SKELETON, probe), nonce, asked=probe_recall, probed=probe is not None)


def judged(played: Played, nonce: str, *, asked: bool, probed: bool) -> CanaryResult:
    """What the two runs show. A leak outweighs all else; nothing that could not be looked at is called clean."""
    leaks = tuple(_leaks(played, nonce))
    changed = tuple(_changed(played))
    found: dict[str, tuple[Literal["ok", "leaked", "fault", "unchecked"], str, str]] = {}
    if leaks:
        found["leaked"] = "leaked", f"after the reset the nonce came back: {'; '.join(leaks)}", CLEAN_UP
    for number, what in RUNS.items():
        trouble = played[number].trouble if number in played else "the run was not made"
        if trouble:
            found.setdefault("trouble", ("fault", f"{what}: {trouble}", "mend that first"))
    if changed:
        keys = f"the reset did not restore the state: {in_words(changed)} changed"
        found["changed"] = "fault", keys, f"{CLEAN_UP}; leave out of the probe what changes by itself"
    blind = _blind(played) if probed else ""
    if blind:
        found["blind"] = "unchecked", f"the state could not be looked at: {blind}", "mend the state probe"
    looked = [word for word, done in (("the reply", asked), ("the state", probed)) if done]
    found["ok"] = "ok", f"the nonce did not come back: {' and '.join(looked)} after the reset", ""
    verdict, cause, remedy = next(iter(found.values()))
    return CanaryResult(verdict=verdict, cause=cause, remedy=remedy, nonce=nonce, leaks=leaks, changed=changed)


def _leaks(played: Played, nonce: str) -> Iterator[str]:
    after = played.get(ASK)
    if after is None:
        return
    if after.trace is not None:
        yield from _told(after.trace, nonce)
    if after.look is not None and after.look.snapshot is not None:
        for key, value in after.look.snapshot.items():
            if _holds(key, nonce) or _holds(value.decode("utf-8", "replace"), nonce):
                yield f"the state's key {shown(key)!r} holds it"


def _told(trace: Trace, nonce: str) -> Iterator[str]:
    for turn in trace.turns:
        if isinstance(turn.reply, str) and _holds(turn.reply, nonce):
            yield f"the agent replied {clean_text(' '.join(turn.reply.split()), SHOWN)!r}"
    for call in trace.calls:
        if _holds(encode(to_plain(call)).decode(), nonce):
            yield f"the agent used it in a call of {clean_text(call.name, 60)}"


def _changed(played: Played) -> list[str]:
    before, after = _snapshot(played.get(PLANT)), _snapshot(played.get(ASK))
    return [] if before is None or after is None else differing(before, after)


def _snapshot(run: PlayedRun | None) -> Snapshot | None:
    return run.look.snapshot if run is not None and run.look is not None else None


def _blind(played: Played) -> str:
    for number in (PLANT, ASK):
        run = played.get(number)
        if run is None or run.look is None:
            return "the run was not made"
        if run.look.fault:
            return run.look.fault
    return ""


def _holds(text: str, nonce: str) -> bool:
    """However it is spelt: in capitals, in pieces, between quotes."""
    return _letters(nonce).removeprefix("canary") in _letters(text)


def _letters(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", "", text.casefold())


def _subject(pack: Pack, agent: str) -> str:
    if not agent:
        return agents_of(pack, RunOptions().agents)[0].id
    subjects = [name for name, each in pack.agents.items() if each.role == "subject"]
    if agent not in subjects:
        raise UsageFault(f"{pack.shown}: there is no agent '{agent}' to bench; {did_you_mean(agent, subjects)}")
    return agent
