"""Examine a bench and its agents, one thing after the other, each within its time, each told once it is known."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ...schemas.doctor import DoctorCheck, DoctorReport
from ...schemas.documents import Agent, Pack
from ...schemas.errors import DocumentFault, UsageFault
from ...schemas.nearest import did_you_mean
from ...schemas.secrets import Secrets
from ..loading.resolve import how_to_set, resolve_agent, unset_variables
from ..options import RunOptions
from ..runtimes.all_runtimes import runtime_named
from ..runtimes.base import ResolvedAgent, RuntimeFault
from ..runtimes.reach import Reach, Reached, reach_of
from ..sweep.select import agents_of, refuse_empty_globs
from ..within import Overdue, within
from .bench import clock, runs_directory
from .canary import reset_canary
from .findings import Desk, exit_code
from .played import Interrupted, Stand
from .speech import hello, latency_check, model_check, reply_check, tools_check

REACH_S = 15.0
SKEW_S = 300.0
SPOKEN = ("reply", "model", "latency", "tools", "reset")
HERMETIC = "scripted"
Tell = Callable[[DoctorCheck], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenPack:
    """A pack whose documents do not hold."""

    shown: str
    fault: DocumentFault


async def examine(
    pack: Pack | BrokenPack, agents: Sequence[str], tell: Tell, *,
    runs_dir: Path, env: Mapping[str, str], folder: Path, scratch: Path | None = None,
) -> DoctorReport:
    """Examine a pack and those of its agents that the globs pick; evidence goes to ``scratch``, and away.

    Raises UsageFault for a glob that matches nothing.
    """
    checks: list[DoctorCheck] = []

    def keep(check: DoctorCheck) -> None:
        checks.append(check)
        tell(check)

    keep(_documents(pack))
    keep(runs_directory(runs_dir))
    keep(clock())
    code = 0
    if isinstance(pack, Pack):
        refuse_empty_globs([pack], RunOptions(agents=tuple(agents)))
        try:
            for agent in agents_of(pack, agents):
                stand = Stand(pack=pack, agent=agent, env=env, folder=folder, scratch=scratch)
                async with aclosing(_of_agent(stand)) as found:
                    async for check in found:
                        keep(check)
        except Interrupted as interrupted:
            code = interrupted.code
    return DoctorReport(
        pack=pack.name if isinstance(pack, Pack) else pack.shown, exit_code=code or exit_code(checks), checks=checks
    )


def _documents(pack: Pack | BrokenPack) -> DoctorCheck:
    if isinstance(pack, Pack):
        return Desk().ok("documents", f"pack {pack.name} holds")
    told = "\n".join(map(str, pack.fault.problems))
    return Desk().fault("documents", told, f"mend them: wt validate {pack.shown}")


async def _of_agent(stand: Stand) -> AsyncGenerator[DoctorCheck]:
    agent, secrets = stand.agent, Secrets()
    desk = Desk(agent.id, secrets)
    try:
        resolved = _resolved(agent, stand.pack, stand.env, secrets)
    except (DocumentFault, UsageFault) as fault:
        yield desk.faulty("settings", str(fault))
        for check in desk.unasked(("endpoint", *SPOKEN), "the agent's settings do not hold"):
            yield check
        return
    yield desk.ok("settings", f"runtime {agent.runtime}")
    if agent.runtime == HERMETIC:
        yield desk.none("endpoint", "a script needs no endpoint and no model")
    else:
        async with aclosing(_spoken(desk, stand, resolved)) as spoken:
            async for check in spoken:
                yield check
                if check.verdict == "fault" and check.name in ("endpoint", "reply"):
                    left = SPOKEN if check.name == "endpoint" else SPOKEN[1:]
                    for unasked in desk.unasked(left, f"not asked: there is no {check.name}"):
                        yield unasked
                    return
    yield await _reset(desk, stand)


async def _spoken(desk: Desk, stand: Stand, resolved: ResolvedAgent) -> AsyncGenerator[DoctorCheck]:
    """The checks that need somebody at the other end."""
    reach = reach_of(runtime_named(stand.agent.runtime))
    reached: Reached | None = None
    if reach is None:
        yield desk.none("endpoint", f"runtime {stand.agent.runtime} cannot be asked before it is spoken to")
    else:
        check, reached = await _endpoint(desk, reach, resolved)
        yield check
    played = await hello(stand)
    check, turn = reply_check(desk, played)
    if turn is None and reached is not None and reached.models:
        check = _unknown_model(desk, check, reached.models, str(resolved.settings.get("model", "")))
    yield check
    if turn is None:
        return
    if reached is not None:
        yield model_check(desk, reached, str(resolved.settings.get("model", "")))
    else:
        yield desk.none("model", "nobody lists the models that there are")
    yield latency_check(desk, turn, stand.pack)
    yield await tools_check(desk, stand)


async def _endpoint(desk: Desk, reach: Reach, resolved: ResolvedAgent) -> tuple[DoctorCheck, Reached | None]:
    try:
        reached = await within(_asked(reach, resolved), REACH_S)
    except RuntimeFault as fault:
        return desk.faulty("endpoint", str(fault)), None
    except Overdue:
        late = f"the endpoint did not answer within {REACH_S:g} s"
        return desk.fault("endpoint", late, "is it running, and is base_url right?"), None
    if reached.date is not None:
        strayed = (datetime.now(UTC) - reached.date).total_seconds()
        if abs(strayed) > SKEW_S:
            told = f"endpoint {reached.shown} says another time than this machine, by {strayed:.0f} s"
            return desk.fault("endpoint", told, "set the clock of the one that is wrong"), reached
    return desk.ok("endpoint", f"{reached.shown} answers"), reached


async def _asked(reach: Reach, resolved: ResolvedAgent) -> Reached:
    return await reach(resolved)


def _unknown_model(desk: Desk, check: DoctorCheck, models: Sequence[str], model: str) -> DoctorCheck:
    """A reply that failed for a model that is not listed is most likely due to that."""
    if model in models:
        return check
    return desk.fault("reply", check.cause, f"the endpoint lists no model {model!r}; {did_you_mean(model, models)}")


async def _reset(desk: Desk, stand: Stand) -> DoctorCheck:
    found = await reset_canary(stand)
    if found.verdict == "ok":
        return desk.ok("reset", found.cause)
    mute = stand.agent.runtime == HERMETIC and not (found.leaks or found.changed)  # a script without an answer
    if found.verdict == "unchecked" or mute:
        return desk.unchecked("reset", found.cause, found.remedy)
    return desk.fault("reset", found.cause, found.remedy)


def _resolved(agent: Agent, pack: Pack, env: Mapping[str, str], secrets: Secrets) -> ResolvedAgent:
    unset = unset_variables(agent, env)
    if unset:
        names, remedy = ", ".join(unset), how_to_set(agent, unset[0]).partition(":")[0]
        raise UsageFault(f"{agent.mark}: the environment variable {names} is not set; {remedy}")
    return resolve_agent(agent, pack, env, secrets)
