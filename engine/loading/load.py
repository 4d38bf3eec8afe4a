"""From a path to a frozen pack: read, join, build, and tell every fault of all its files at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ...schemas.collector import collector_paused
from ...schemas.documents import Pack
from ...schemas.errors import UsageFault
from ...schemas.marks import Document
from ...schemas.problems import Problems, Source
from ...schemas.reader import read_document
from ...schemas.tool_documents import WorldSpec
from ..added_agents import AddedAgent
from .added import add_agents, origins
from .agents import agents_from, inherit
from .built import Built
from .debriefs import debriefs_from
from .files import Files, is_reference
from .find import pack_file
from .hooks import hooks_from
from .include import Joined, joined
from .kinds import checked_kind
from .lint import lint_pack
from .node import Node, Tree, value_of
from .scenarios import ScenarioBuilder, variables_from
from .state_probe import state_probe_from
from .templates import TemplateLint
from .tools import guards_from, tools_from
from .world import world_from


def load_pack(path: str | Path, *, agents: Sequence[AddedAgent] = ()) -> Pack:
    """Read a pack (a file, or a folder with a ``pack.yaml``). Raises DocumentFault with all faults of all its files.

    ``agents`` are given to it beside its own: paths of ``pack_part`` files, or AgentOptions. Where there are any,
    they are the ones that run. Raises UsageFault for options that make no agent.
    """
    problems = Problems()
    pack = read_pack(Path(path), os.fspath(path), problems, agents)
    problems.raise_if_any()
    assert pack is not None  # noqa: S101 - a pack that is not built has left a problem
    return pack


def load_packs(paths: Iterable[str | Path], *, agents: Sequence[AddedAgent] = ()) -> tuple[Pack, ...]:
    """Read several packs, each with these agents, and tell the faults of all. Two of one name are a UsageFault."""
    problems = Problems()
    unique = dict.fromkeys(Path(path) for path in paths)
    packs = [read_pack(path, os.fspath(path), problems, agents) for path in unique]
    problems.raise_if_any()
    found = tuple(pack for pack in packs if pack is not None)
    taken: dict[str, Pack] = {}
    for pack in found:
        other = taken.setdefault(pack.name.casefold(), pack)
        if other is not pack:
            wrong = f"{pack.shown} and {other.shown} are both named '{pack.name}'"
            raise UsageFault(f"{wrong}; rename one, or run them one by one")
    return found


def read_pack(path: Path, shown: str, problems: Problems, agents: Sequence[AddedAgent] = ()) -> Pack | None:
    """Read a pack and add its faults; what comes back is whole only if there were none."""
    file, shown = pack_file(path, shown)
    with collector_paused():
        document = read_document(Path(os.path.abspath(file)), shown, problems)
        if document is None or not checked_kind(document, ("pack",), problems):
            return None
        return pack_from(document, problems, agents)


def pack_from(document: Document, problems: Problems, agents: Sequence[AddedAgent] = ()) -> Pack | None:
    """Build a pack from its document and add the faults of all its files."""
    files = Files(problems)
    whole = joined(document, files, problems)
    if whole is None:
        return None
    brought = add_agents(whole, agents, files, problems)
    inherit(whole, document, _root(whole, files, problems))
    built = _built(_root(whole, files, problems), document.source)
    lint_pack(built)
    return replace(built.pack, added=origins(brought, files)) if brought else built.pack


def _root(whole: Joined, files: Files, problems: Problems) -> Node:
    tree = Tree(marks=whole.marks, problems=problems, files=files, unsound=frozenset(whole.unsound))
    return Node(tree, whole.data)


def _built(root: Node, source: Source) -> Built:
    variables = variables_from(root.get("vars"))
    world = world_from(root.get("world"), WorldSpec())
    builder = ScenarioBuilder(root, variables, world)
    listed = root.get("scenarios")
    scenarios = tuple(builder.build(name, node) for name, node in (listed.entries() if listed else ()))
    debriefs = debriefs_from(root.get("debriefs"), {"vars": frozenset(variables), "case": None})
    pack = Pack(
        name=root.plain("name", ""),
        description=root.text("description") or "",
        owner=root.plain("owner", ""),
        tags=tuple(root.plain("tags", ())),
        path=source.path,
        shown=source.shown,
        skeleton=_skeleton(root),
        default_agent=root.plain("default_agent", ""),
        seed=root.plain("seed", 0),
        vars=variables,
        agents=agents_from(root.get("agents")),
        world=world,
        tools=tools_from(root.get("tools")),
        guards=guards_from(root.get("guards")),
        scenarios={each.id: each for one in scenarios for each in one.scenarios},
        hooks=hooks_from(root.get("hooks")),
        hook_settings=_hook_settings(root),
        debriefs=debriefs,
        state_probe=state_probe_from(root.get("state_probe")),
        sha256=root.tree.files.digest(source.path),
    )
    return Built(pack=pack, root=root, scenarios=scenarios, checks=builder.checks, templates=TemplateLint())


def _skeleton(root: Node) -> str:
    node = root.get("skeleton")
    return "standard" if node is None else _path_or_name(node)


def _path_or_name(node: Node) -> str:
    """``file://x`` as an absolute path, with a fault if no file is there; anything else as it stands."""
    if is_reference(node.value):
        source = node.tree.files.beside(node.value, node.mark)
        node.tree.files.read(source, node.place)
        return os.fspath(source.path)
    return str(node.value)


def _hook_settings(root: Node) -> dict[str, dict[str, object]]:
    """The settings of each hook; ``file://`` stays a path, since a hook takes a name or a path."""
    node = root.get("hook_settings")
    return {
        name: {key: _setting(each) for key, each in entry.entries()} for name, entry in (node.entries() if node else ())
    }


def _setting(node: Node) -> object:
    return _path_or_name(node) if is_reference(node.value) else value_of(node)
