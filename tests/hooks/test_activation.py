"""A hook is active because somebody asked for it, and only if it can do what it says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from kit.channel import KeptChannel, scored_facts
from kit.packs import small_pack
from windtunnel.hooks import HookConfigError
from windtunnel.hooks.activation import activate
from windtunnel.hooks.hook_set import HookSet
from windtunnel.hooks.sources import available
from windtunnel.schemas.documents import Pack

HOOKS_FILE = """
import types
from windtunnel.hooks import Hook

class Notes(Hook):
    name = "notes"
    def on_run_scored(self, ctx):
        ctx.warn(f"{ctx.pack} {ctx.score.verdict}")

class Other(Notes):
    name = "other"
    serial = True

class Dashed(Notes):
    name = "run-notes"

class Underscored(Notes):
    name = "run_notes"

class Misspelt(Hook):
    name = "misspelt"
    def on_run_scoerd(self, ctx): ...

class OnTurn:
    name = "turns"
    def on_turn(self, ctx):
        ctx.warn("heard")

class Greedy:
    name = "greedy"
    def on_run_scored(self, ctx, trace): ...

class ByPosition:
    name = "by_position"
    def on_run_scored(self, ctx, /): ...

class NotCallable:
    name = "not_callable"
    on_run_scored = "soon"

class Idle(Hook):
    name = "idle"

class Calls:
    name = "calls"
    def pre_tool_call(self, args, name): ...
    async def on_stream_end(self, **fields): ...

class CallsAndPoints(Notes):
    name = "both"
    def post_api_request(self, usage): ...

class MisspeltCall:
    name = "misspelt"
    def pre_api_reqest(self): ...

class GreedyCall:
    name = "greedy"
    def pre_tool_call(self, result): ...

class Guards(Notes):
    name = "guards"
    def guard_tool_call(self, tool): ...

class Plain:
    name = "plain"
    on_failure = "keep"
    on_run_start = None
    def on_run_end(self): ...

class Needs:
    name = "needs"
    def __init__(self, where): ...

class Leaves:
    name = "leaves"
    def __init__(self):
        raise SystemExit(0)

class Stops:
    name = "stops"
    def __init__(self):
        raise KeyboardInterrupt

class Nameless:
    def on_run_end(self, ctx): ...

class Shy:
    @property
    def name(self):
        raise RuntimeError("no")

def named(name):
    return types.SimpleNamespace(name=name, on_run_end=lambda ctx: ctx.warn("seen"))

space, upper, long, empty, newline, accent = map(named, ("a b", "Notes", "x" * 65, "", "a\\n", "é"))
score, pack, trace, ledger, sweep, hook = map(named, ("score", "pack", "trace", "ledger", "sweep", "hook"))
number = named(7)
longest = named("x" * 64)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "h.py").write_text(HOOKS_FILE)
    return tmp_path


@pytest.fixture
def desk(folder: Path) -> Pack:
    return small_pack(folder, hooks={"ask_tools": {"on_run_scored": (("warn", "{{ verdict }}"),)}})


def fault_of(names: list[str], packs: list[Pack], folder: Path, env: dict[str, str] | None = None) -> str:
    with pytest.raises(HookConfigError) as caught:
        activate(names, packs, env or {}, folder)
    assert caught.value.exit_code == 2
    return str(caught.value)


def fired(hooks: HookSet, point: str = "on_run_scored", pack: str | None = "desk") -> list[tuple[str, str]]:
    channel = KeptChannel(answer=lambda _text: "Nothing.")
    hooks.fire(point, pack, scored_facts(), channel)
    hooks.close()
    assert channel.faults.lines() == []
    return channel.warned


def test_without_a_name_nothing_is_active(desk: Pack, folder: Path) -> None:
    hooks = activate([], [desk], {"WT_HOOK_TIMEOUT_S": "broken", "WT_DEBRIEF_ON": "broken"}, folder)
    assert not hooks
    assert hooks.names == ()
    assert not hooks.serial
    assert not hooks.wants("on_run_scored", "desk")
    assert fired(hooks) == []


def test_a_knob_of_a_hook_that_is_not_active_is_not_read(desk: Pack, folder: Path) -> None:
    assert activate(["ask_tools"], [desk], {"WT_DEBRIEF_ON": "broken"}, folder).names == ("ask_tools",)


def test_hooks_fire_in_the_order_in_which_they_were_asked_for(desk: Pack, folder: Path) -> None:
    hooks = activate(["h.py:Other", "ask_tools", "h.py:Notes"], [desk], {}, folder)
    assert hooks.names == ("other", "ask_tools", "notes")
    assert hooks.listening("on_run_scored", "desk") == ("other", "ask_tools", "notes")
    assert hooks.serial
    assert fired(hooks) == [("other", "desk FAIL"), ("ask_tools", "FAIL"), ("notes", "desk FAIL")]


def test_a_hook_is_found_by_its_entry_point(desk: Pack, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(folder, monkeypatch, "notes = h:Notes\ndebrief = h:Other\nbroken = h:NoSuch\n")
    assert set(available([desk])) >= {"notes", "debrief", "ask_tools", "broken"}
    assert available([desk])["debrief"] == "built in"
    assert activate(["notes"], [desk], {}, folder).names == ("notes",)
    assert activate(["debrief"], [desk], {}, folder).names == ("debrief",)  # the built-in one wins
    assert not activate(["debrief"], [desk], {}, folder).serial
    assert fault_of(["broken"], [desk], folder) == (
        "hook 'broken' (h:NoSuch) could not be loaded: AttributeError: module 'h' has no attribute 'NoSuch'"
    )


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, entries: str) -> None:
    """Install a distribution for real: a folder on the path with its metadata."""
    info = folder / "my_hooks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-hooks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[windtunnel.hooks]\n{entries}")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "h", raising=False)


def test_an_unknown_name_tells_the_nearest_and_all_there_are(desk: Pack, folder: Path) -> None:
    assert fault_of(["ask_tool"], [desk], folder) == (
        "there is no hook 'ask_tool'; did you mean 'ask_tools'? available: ask_tools, debrief, otel, state_probe, timeline, usage; "
        "or name one as module:attr or path/to/file.py:attr"
    )


def test_the_same_hook_twice_is_a_fault(desk: Pack, folder: Path) -> None:
    assert fault_of(["debrief", "debrief"], [desk], folder) == "--hook debrief is given twice; give it once"
    assert fault_of(["h.py:Notes", "./h.py:Notes"], [desk], folder) == (
        "--hook h.py:Notes and --hook ./h.py:Notes both have the name 'notes'; give one of them another name"
    )


def test_two_hooks_of_one_prefix_are_a_fault(desk: Pack, folder: Path) -> None:
    assert fault_of(["h.py:Dashed", "h.py:Underscored"], [desk], folder) == (
        "hooks 'run-notes' and 'run_notes' would both read WT_RUN_NOTES_*; give one of them another name"
    )


def test_a_declared_hook_cannot_take_the_name_of_a_built_in_one(folder: Path) -> None:
    desk = small_pack(folder, hooks={"debrief": {"on_run_end": (("warn", "x"),)}})
    assert fault_of(["debrief"], [desk], folder) == (
        "desk.yaml:1:1: hook 'debrief' is built in; give the declared one another name"
    )


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("h.py:Misspelt", "hook 'misspelt' has a method 'on_run_scoerd', and no point has that name; "
                          "did you mean 'on_run_scored'?"),
        ("h.py:OnTurn", "hook 'turns' has a method 'on_turn', and no point has that name; points: on_pack_end, "),
        ("h.py:MisspeltCall", "hook 'misspelt' has a method 'pre_api_reqest', and no event has that name; "
                              "did you mean 'pre_api_request'?"),
        ("h.py:GreedyCall", "hook 'greedy' asks for 'result', which pre_tool_call never sends; it sends: agent, args, "),
        ("h.py:Guards", "hook 'guards' has a method guard_tool_call: a hook never decides; "
                        "name the guard in an agent's `guards:`"),
        ("h.py:Greedy", "hook 'greedy' asks for 'trace', which on_run_scored never sends; it sends: ctx, run_id"),
        ("h.py:ByPosition", "hook 'by_position' takes 'ctx' of on_run_scored by position only"),
        ("h.py:NotCallable", "hook 'not_callable' gives a str for on_run_scored; give a function"),
        ("h.py:Idle", "hook 'idle' has no method for any point; points: on_pack_end, on_provisioned, on_run_end, "
                      "on_run_scored, on_run_start, on_scenario_end; calls: on_stream_delta, on_stream_end, "),
        ("h.py:Needs", "hook 'h.py:Needs': the class could not be instantiated without arguments: TypeError: "),
        ("h.py:Leaves", "hook 'h.py:Leaves': the class could not be instantiated without arguments: SystemExit: 0"),
        ("h.py:Nameless", "hook 'h.py:Nameless' has no name; give it one: name = \"notes\""),
        ("h.py:empty", "hook 'h.py:empty' has no name; give it one: name = \"notes\""),
        ("h.py:number", "hook 'h.py:number' has no name; give it one: name = \"notes\""),
        ("h.py:named", "hook 'h.py:named' has no name; give it one: name = \"notes\""),
        ("h.py:Shy", "hook 'h.py:Shy': name could not be read: RuntimeError: no"),
        ("h.py:space", "hook 'h.py:space' has the name 'a b'; a name is 1 to 64 of a-z, 0-9, _ and -"),
        ("h.py:upper", "hook 'h.py:upper' has the name 'Notes'; a name is 1 to 64 of a-z, 0-9, _ and -"),
        ("h.py:newline", "hook 'h.py:newline' has the name 'a\\n'; a name is 1 to 64 of a-z, 0-9, _ and -"),
        ("h.py:accent", "hook 'h.py:accent' has the name 'é'; a name is 1 to 64 of a-z, 0-9, _ and -"),
        ("h.py:long", f"hook 'h.py:long' has the name '{'x' * 65}'; a name is 1 to 64 of a-z, 0-9, _ and -"),
        *[(f"h.py:{name}", f"hook 'h.py:{name}' has the name '{name}', which the bench keeps for files of its own")
          for name in ("score", "pack", "trace", "ledger", "sweep", "hook")],
    ],
)  # fmt: skip
def test_an_object_that_cannot_be_a_hook_is_told_why(asked: str, text: str, desk: Pack, folder: Path) -> None:
    assert fault_of([asked], [desk], folder).startswith(text)


def test_any_object_with_a_name_and_a_point_is_a_hook(desk: Pack, folder: Path) -> None:
    assert activate(["h.py:Plain", "h.py:longest"], [desk], {}, folder).names == ("plain", "x" * 64)


def test_a_hook_may_hear_calls_alone_or_besides_points(desk: Pack, folder: Path) -> None:
    hooks = activate(["h.py:CallsAndPoints", "h.py:Calls"], [desk], {}, folder)
    assert hooks.calls.heard("desk") == {"pre_tool_call", "on_stream_end", "post_api_request"}
    assert hooks.calls.heard("another") == frozenset()
    assert hooks.listening("pre_tool_call", "desk") == ("calls",)
    assert hooks.listening("on_run_scored", "desk") == ("both",)


def test_the_variable_for_deadlines_holds_for_calls_too(desk: Pack, folder: Path) -> None:
    assert activate(["h.py:Calls"], [desk], {}, folder).longest_s == 300
    assert activate(["h.py:Calls"], [desk], {"WT_HOOK_TIMEOUT_S": "7"}, folder).longest_s == 7


def test_ctrl_c_in_a_constructor_stops_the_bench(desk: Pack, folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        activate(["h.py:Stops"], [desk], {}, folder)


def test_a_skeletons_own_point_is_a_point_too(desk: Pack, folder: Path) -> None:
    hooks = activate(["h.py:OnTurn"], [desk], {}, folder, points={"desk": ["on_run_start", "on_turn"]})
    assert fired(hooks, "on_turn") == [("turns", "heard")]


def test_a_declared_point_that_the_skeleton_of_its_pack_does_not_have_is_a_fault(folder: Path) -> None:
    packs = [
        small_pack(folder, "desk", hooks={"turns": {"on_turn": (("warn", "x"),)}}),
        small_pack(folder, "shop"),
    ]
    with pytest.raises(HookConfigError, match=r"hook 'turns' has a method 'on_turn', and no point has that name"):
        activate(["turns"], packs, {}, folder, points={"shop": ["on_turn"], "desk": []})


def test_a_hook_of_one_pack_observes_that_pack_alone(folder: Path) -> None:
    packs = [
        small_pack(folder, name, hooks={"same": {"on_run_end": (("warn", name),), "on_pack_end": (("warn", name),)}})
        for name in ("desk", "shop")
    ]
    packs += [
        small_pack(folder, "yard"),
    ]
    hooks = activate(["same", "h.py:longest"], packs, {}, folder)
    assert hooks.listening("on_run_end", "yard") == ("x" * 64,)
    assert fired(hooks, "on_run_end", "desk") == [("same", "desk"), ("x" * 64, "seen")]
    assert fired(hooks, "on_run_end", "shop") == [("same", "shop"), ("x" * 64, "seen")]
    assert fired(hooks, "on_run_end", "yard") == [("x" * 64, "seen")]
    assert fired(hooks, "on_pack_end", None) == [("same", "desk"), ("same", "shop")]


def test_settings_come_from_the_pack_that_fires_with_the_environment_over_them(folder: Path) -> None:
    (folder / "tells.py").write_text(
        "class Tells:\n    name = 'tells'\n    def on_run_end(self, ctx):\n        ctx.warn(repr(ctx.settings))\n"
    )
    packs = [
        small_pack(folder, "desk", hook_settings={"tells": {"tone": "dry", "lines": 3}}),
        small_pack(folder, "shop", hook_settings={"tells": {"tone": "warm"}}),
    ]
    hooks = activate(["tells.py:Tells"], packs, {"WT_TELLS_LINES": "5"}, folder)
    assert fired(hooks, "on_run_end", "desk") == [("tells", "{'tone': 'dry', 'lines': '5'}")]
    assert fired(hooks, "on_run_end", "shop") == [("tells", "{'tone': 'warm', 'lines': '5'}")]
