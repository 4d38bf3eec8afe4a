"""What an agent names as its guards: told at load as far as can be seen without importing, loaded before a run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from kit.desk import Desk
from windtunnel.engine.loading.resolve import resolve_agent
from windtunnel.hooks.errors import HookConfigError
from windtunnel.hooks.guards import available_guards, load_guard
from windtunnel.schemas.errors import DocumentFault
from windtunnel.schemas.secrets import Secrets

GUARD = "def allow(tool):\n    return None\n"
WROTE = "write module:attr, or path/to/file.py:attr from the folder of the pack"


def agents(guards: str, more: str = "") -> str:
    return f"kind: pack_part\nschema_version: 1\nagents:\n  base: {{extends: careful, guards: [{guards}]}}\n{more}"


def test_a_plain_path_is_of_the_pack_and_file_of_the_document_that_says_it(desk: Desk) -> None:
    desk.write("parts/a.yaml", agents('"g.py:allow", "file://g.py:allow", "some.module:allow"'))
    desk.write("g.py", GUARD)
    desk.write("parts/g.py", GUARD)
    pack = desk.load("include: [parts/a.yaml]\n")
    assert pack.agents["base"].guards == ("g.py:allow", "parts/g.py:allow", "some.module:allow")


def test_the_digest_of_a_pack_covers_its_guards(desk: Desk) -> None:
    desk.write("a.yaml", agents('"g.py:allow"'))
    desk.write("g.py", GUARD)
    first = desk.load("include: [a.yaml]\n").sha256
    desk.write("g.py", GUARD + "# changed\n")
    assert desk.load("include: [a.yaml]\n").sha256 != first


@pytest.mark.parametrize(
    ("guard", "text", "told"),
    [
        ("g.py:allow", None, "g.py cannot be read: there is no such file; mend the path; it is relative to this document"),
        ("g.py:allow", "def allow(:\n", "g.py:1 is not Python: invalid syntax; mend the file"),
        ("g.py:alow", GUARD, "there is no 'alow' in g.py; did you mean 'allow'?"),
        ("g.py:x", "", "there is no 'x' in g.py; it defines nothing"),
        ("g.py:a-b", GUARD, f"'g.py:a-b' names no guard; {WROTE}"),
        ("no module:x", GUARD, f"'no module:x' names no guard; {WROTE}"),
    ],
)
def test_what_can_be_seen_without_importing_is_told_at_load_once(desk: Desk, guard: str, text: str | None, told: str) -> None:
    desk.write("a.yaml", agents(f'"{guard}"', "  child: {extends: base}\n"))
    if text is not None:
        desk.write("g.py", text)
    (fault,) = desk.faults("include: [a.yaml]\n")
    assert fault == f"a.yaml:4:37: agents.base.guards[0]: {told}"


@pytest.mark.parametrize(
    "text",
    [
        "allow = None\n",
        "if True:\n    import os as allow\n",
        "try:\n    from x import allow\nexcept ImportError:\n    allow = None\n",
        "from x import *\n",
        "def __getattr__(name): ...\n",
        "globals()['allow'] = 1\n",
        "class allow: ...\n",
        "allow: object\n",
    ],
)
def test_a_name_that_may_be_bound_is_not_a_fault(desk: Desk, text: str) -> None:
    desk.write("a.yaml", agents('"g.py:allow"'))
    desk.write("g.py", text)
    assert desk.load("include: [a.yaml]\n").agents["base"].guards == ("g.py:allow",)


def test_loading_a_pack_runs_no_guard_file(desk: Desk) -> None:
    desk.write("a.yaml", agents('"g.py:allow"'))
    desk.write("g.py", "allow = 1 / 0\n")
    desk.load("include: [a.yaml]\n")


def failing(desk: Desk, text: str, attribute: str = "allow") -> str:
    desk.write("a.yaml", agents(f'"g.py:{attribute}"'))
    desk.write("g.py", text)
    pack = desk.load("include: [a.yaml]\n")
    with pytest.raises(DocumentFault) as caught:
        resolve_agent(pack.agents["base"], pack, {}, Secrets())
    (problem,) = caught.value.problems
    head = "a.yaml:4:3: agents.base.guards: "
    assert str(problem).startswith(head)
    return str(problem).removeprefix(head)


MEND = "mend it, or take it out of the agent's guards"
FIELDS = "agent, args, calls, last_user_turn, run_id, session_id, tool, tool_call_id, turns, world"


@pytest.mark.parametrize(
    ("text", "attribute", "told"),
    [
        ("allow = 1 / 0\n", "allow", f"guard 'g.py:allow' could not be loaded: ZeroDivisionError: division by zero; {MEND}"),
        ("raise SystemExit(0)\nallow = 1", "allow", f"guard 'g.py:allow' could not be loaded: SystemExit: 0; {MEND}"),
        ("class A: ...\nclass B:\n    def of(self): ...\n", "B.off",
         "guard 'g.py:B.off' could not be loaded: there is no 'off' in it; did you mean 'of'?"),
        ("allow = 3\n", "allow",
         "guard 'g.py:allow' is of type int; give a function, or an object with a method guard_tool_call(tool, args, ...)"),
        ("class Allow:\n    guard_tool_call = 3\n", "Allow",
         "guard 'g.py:Allow' is of type int; give a function, or an object with a method guard_tool_call(tool, args, ...)"),
        ("class Allow: ...\n", "Allow",
         "guard 'g.py:Allow' is of type Allow; give a function, or an object with a method guard_tool_call(tool, args, ...)"),
        ("class Allow:\n    def __init__(self, limit): ...\n", "Allow",
         "guard 'g.py:Allow': the class could not be instantiated without arguments: TypeError: Allow.__init__() missing 1 "
         "required positional argument: 'limit'; give its parameters defaults, or name an instance of it"),
        ("def allow(tool_data): ...\n", "allow",
         f"guard 'g.py:allow' asks for 'tool_data', which guard_tool_call never sends; it sends: {FIELDS}"),
        ("def allow(tool, /): ...\n", "allow",
         "guard 'g.py:allow' takes 'tool' of guard_tool_call by position only; fields are sent by name: take the '/' out, or "
         "wrap it in a function"),
        ("def allow(): ...\nallow.timeout_s = 0\n", "allow",
         "guard 'g.py:allow': timeout_s is 0; give a number of seconds above 0, at most 600"),
        ("def allow(): ...\nallow.timeout_s = '5 s'\n", "allow",
         "guard 'g.py:allow': timeout_s is 5 s; give a number of seconds above 0, at most 600"),
        ("class Allow:\n    @property\n    def guard_tool_call(self): raise ValueError('x')\n", "Allow",
         "guard 'g.py:Allow': guard_tool_call could not be read: ValueError: x"),
    ],
)
def test_a_guard_that_cannot_be_used_is_told_with_cause_and_remedy(desk: Desk, text: str, attribute: str, told: str) -> None:
    assert failing(desk, text, attribute) == told


def test_a_module_is_found_in_the_folder_of_the_pack(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    desk.write("a.yaml", agents('"guard_names_module:allow"'))
    desk.write("guard_names_module.py", GUARD)
    pack = desk.load("include: [a.yaml]\n")
    found = resolve_agent(pack.agents["base"], pack, {}, Secrets()).guards["guard_names_module:allow"]
    assert (found.source, found.fields) == ("guard_names_module:allow", frozenset({"tool"}))


def installed(folder: Path, *values: str) -> None:
    """Packages that bring the guard ``brought``."""
    for number, value in enumerate(values):
        info = folder / f"brings{number}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: brings{number}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[windtunnel.guards]\nbrought = {value}\n")


def test_an_installed_guard_is_an_entry_point(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path / "site", "guard_names_brought:allow")
    (tmp_path / "site" / "guard_names_brought.py").write_text(GUARD)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    desk.write("a.yaml", agents("brought, g", "guards: {g: {refuse_when: 'false', reason: no}}\n"))
    pack = desk.load("include: [a.yaml]\n")
    found = resolve_agent(pack.agents["base"], pack, {}, Secrets()).guards
    assert {name: each.source for name, each in found.items()} == {"brought": "entry point guard_names_brought:allow"}
    assert available_guards([pack]) == {
        "brought": "entry point guard_names_brought:allow",
        "g": "declared in pack.yaml",
    }
    desk.write("a.yaml", agents("brougt"))
    assert desk.faults("include: [a.yaml]\n") == [
        "a.yaml:4:37: agents.base.guards[0]: there is no guard 'brougt'; did you mean 'brought'?"
    ]


def test_an_installed_guard_that_is_broken_or_ambiguous_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path / "one", "guard_names_absent:allow")
    monkeypatch.syspath_prepend(str(tmp_path / "one"))
    with pytest.raises(HookConfigError) as caught:
        load_guard("brought", tmp_path)
    assert str(caught.value) == (
        "guard 'brought' (guard_names_absent:allow) could not be loaded: ModuleNotFoundError: No module named "
        "'guard_names_absent'; mend or uninstall the package that brings it"
    )
    installed(tmp_path / "two", "x:a", "y:b")
    monkeypatch.syspath_prepend(str(tmp_path / "two"))
    with pytest.raises(HookConfigError, match=r"guard 'brought' is installed more than once .*name one of these instead"):
        load_guard("brought", tmp_path)
    with pytest.raises(HookConfigError, match="there is no guard 'brougt'; did you mean 'brought'\\? installed: brought; declare"):
        load_guard("brougt", tmp_path)
