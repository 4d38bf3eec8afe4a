"""Check the names of a template against what its place provides, at load, also in branches that no run takes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .documents import Inert
from .names import FIXED_MEMBERS, PLACES, Place
from .nearest import did_you_mean
from .template_uses import uses_of
from .template_walk import SECRET, Use


def template_faults(
    source: str, place: str, known: Mapping[str, Collection[str] | None], *, expression: bool = False
) -> list[str]:
    """What is wrong with a template (or ``expression``), each as ``what; what to do``; at most one a name and line.

    ``place`` is a key of ``names.PLACES``. A collection in ``known`` holds the members of a name of that place (of
    ``vars`` and ``case``, say); None adds a name whose members are not known. A member may be missing where the
    template itself asks ``is defined`` or gives a ``default``.
    """
    if not expression and (isinstance(source, Inert) or "{" not in source):
        return []
    uses = uses_of(str(source), expression)
    if not uses.found and not uses.faults:
        return []
    many_lines = "\n" in source
    faults = dict.fromkeys(uses.faults)
    for use in uses.found:
        fault = _fault_of(use, PLACES[place], known)
        if fault:
            faults.setdefault(f"line {use.line}: {fault}" if many_lines else fault)
    return list(faults)


def _fault_of(use: Use, place: Place, known: Mapping[str, Collection[str] | None]) -> str:
    names = place.names
    if use.name == SECRET and "env" in names:
        return ""
    if use.name not in names and known.get(use.name, ()) is not None:
        return _unknown(use.name, place, [*names, *(name for name, members in known.items() if members is None)])
    if use.name == "env" and not use.member:
        return "env is not a value of its own; write env.NAME"
    members = known.get(use.name, FIXED_MEMBERS.get(use.name))
    if members is None or not use.member or use.guard or use.member in members:
        return ""
    return f"{use.name} has no {use.member!r}; {did_you_mean(use.member, members, what='there are')}"


def _unknown(name: str, place: Place, names: Collection[str]) -> str:
    if name in ("env", SECRET):
        return f"{name} is not known in {place.what}; variables are read in agents only: use vars here"
    return f"unknown name {name!r} in {place.what}; {did_you_mean(name, names, what='it sees')}"
