from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from kit.tool_bench import Bench
from kit.worlds import DESK, NOW, pack, spec, takes, tool
from windtunnel.schemas.codec import UNSET, encode

TEXT = {"type": "string"}
FUNCTIONS = """
import time
loads = 0

def by_name(query, limit=5): return f"{query} {limit}"
def by_object(args): return args
def by_other_name(payload, world, context): return [payload["query"], len(world.tables()), context.call]
def all_names(**everything): return sorted(everything)
def none(): return None
def rows(query, *, world):
    world.write("INSERT INTO outbox VALUES (:q, 'x')", {"q": query}, expect_rows=1)
    return world.query("SELECT recipient FROM outbox")
def asks(context):
    it = {"tool": context.tool, "call": context.call, "now": context.now, "vars": context.vars}
    return {**it, "r": context.random.random() < 1}
async def waits(query):
    import asyncio
    await asyncio.sleep(0)
    return query
class Callable:
    def __call__(self, query): return "called with " + query
made = Callable()
def changes(args):
    args["query"] = "changed"
    return args
def forbidden(world): return world.query("PRAGMA user_version")
constant = 5
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before = list(sys.path)
    (tmp_path / "tools.py").write_text(dedent(FUNCTIONS))
    yield tmp_path
    sys.path[:] = before


def bench_of(folder: Path, attr: str, schema: dict[str, Any] | None = None, **keys: Any) -> Bench:
    world = spec(*DESK.tables.values(), now=NOW)
    schema = takes(query=TEXT) if schema is None else schema
    return Bench(pack(tool("t", schema, function=f"{folder}/tools.py:{attr}"), folder=folder, world=world), **keys)


@pytest.mark.parametrize(
    ("attr", "text"),
    [
        ("by_name", "Blue 5"),
        ("by_object", '{"query":"Blue"}'),
        ("by_other_name", '["Blue",2,1]'),
        ("all_names", '["query"]'),
        ("waits", "Blue"),
        ("made", "called with Blue"),
        ("rows", '[{"recipient":"Blue"}]'),
        ("asks", None),
    ],
)
def test_a_function_gets_its_arguments_and_the_world_or_the_context_if_it_asks(
    folder: Path, attr: str, text: str | None
) -> None:
    schema = takes() if attr == "asks" else None
    bench = bench_of(folder, attr, schema)
    told = f'{{"tool":"t","call":1,"now":"{NOW}","vars":{{"client":"Bluewing"}},"r":true}}'
    assert bench.call("t", {} if schema else {"query": "Blue"}).content == (text or told)


def test_a_list_is_rows_and_anything_else_is_text(folder: Path) -> None:
    bench = bench_of(folder, "rows")
    assert bench.call("t", {"query": "a"}).rows == [{"recipient": "a"}]
    assert bench_of(folder, "by_object").call("t", {"query": "a"}).rows is UNSET
    assert bench_of(folder, "none", takes()).call("t").text == "null"


def test_what_a_function_does_to_its_arguments_changes_no_evidence(folder: Path) -> None:
    bench = bench_of(folder, "changes")
    assert bench.call("t", {"query": "Blue"}).text == '{"query":"changed"}'
    assert bench.last.args == {"query": "Blue"}


@pytest.mark.parametrize(
    ("attr", "error", "bench_is_to_blame"),
    [
        ("nowhere", "there is no 'nowhere' in it", True),
        ("constant", "is not a function; name one that can be called", True),
        ("none", "TypeError: none() got an unexpected keyword argument 'query'", False),
        ("forbidden", "TypeError: forbidden() got an unexpected keyword argument 'query'", False),
    ],
)
def test_a_function_that_cannot_be_called_is_an_error(
    folder: Path, attr: str, error: str, bench_is_to_blame: bool
) -> None:
    bench = bench_of(folder, attr)
    result = bench.call("t", {"query": "x"})
    assert result.status == "error"
    assert isinstance(result.error, str)
    assert error in result.error
    assert bool(bench.host.faults) is bench_is_to_blame


def test_a_functions_sql_is_held_to_the_rules_of_a_packs(folder: Path) -> None:
    assert bench_of(folder, "forbidden", takes()).call("t").error == (
        "SqlFault: uses PRAGMA; a pack's SQL may only SELECT, INSERT, UPDATE and DELETE"
    )


HOSTILE = """
import sys
class Unspeakable:
    def __repr__(self): raise SystemExit(9)
    __str__ = __repr__
class Loud(Exception):
    def __str__(self): raise RuntimeError("no text")
class LyingList(list):
    def __iter__(self): raise ValueError("no")
class LyingText(str):
    def __len__(self): return -5
    def __str__(self): raise ValueError("no")
def circle():
    it = {"a": [1]}
    it["a"].append(it)
    return it
def deep():
    it = []
    for _ in range(100_000): it = [it]
    return it
def raises(error): raise error
def leaves(): sys.exit(3)
def recurses(): return recurses()
def cancels():
    import asyncio
    raise asyncio.CancelledError
def stops(): raise StopIteration
large = lambda: "x" * 50_000_000
many = lambda: ["y" * 100_000] * 500
number = lambda: 10 ** 5000
nan = lambda: [{"a": float("nan"), "b": float("-inf")}]
half = lambda: [{"a": "\\ud800", "\\udfff": 1}]
keys = lambda: [{1: "a", "1": "b", None: "c"}]
sets = lambda: {3, 1, 2}
data = lambda: b"\\xff bytes"
blobs = lambda: [{"a": b"\\xff"}]
speaks_not = lambda: Unspeakable()
in_a_list = lambda: [Unspeakable()]
lying = lambda: LyingList([1])
lying_text = lambda: LyingText("abc")
loud = lambda: raises(Loud())
generator = lambda: (n for n in range(3))
exits = leaves
"""


@pytest.mark.parametrize(
    "attr",
    [
        "circle",
        "deep",
        "recurses",
        "cancels",
        "stops",
        "large",
        "many",
        "number",
        "nan",
        "half",
        "keys",
        "sets",
        "data",
        "blobs",
        "speaks_not",
        "in_a_list",
        "lying",
        "lying_text",
        "loud",
        "generator",
        "exits",
    ],
)
def test_whatever_a_function_gives_is_bounded_strict_and_witnessed(folder: Path, attr: str) -> None:
    (folder / "tools.py").write_text(HOSTILE)
    bench = bench_of(folder, attr, takes())
    result = bench.call("t")
    assert result.status in ("ok", "error")
    assert len(result.content) < 70_000
    assert bench.last.status == result.status
    assert len(encode(bench.witness.calls)) < 1_500_000
    assert bench.host.faults == []


def test_a_large_text_is_cut_visibly_with_its_size(folder: Path) -> None:
    (folder / "tools.py").write_text(HOSTILE)
    content = bench_of(folder, "large", takes()).call("t").content
    assert content == "x" * 65_536 + "… [cut, 50000000 characters in all]"


def test_what_a_function_raises_is_told_by_type_and_text(folder: Path) -> None:
    (folder / "tools.py").write_text(HOSTILE)
    assert bench_of(folder, "exits", takes()).call("t").error == "SystemExit: 3"
    assert bench_of(folder, "loud", takes()).call("t").error == "Loud: (Loud: its text cannot be made, RuntimeError)"
    assert bench_of(folder, "cancels", takes()).call("t").error == "CancelledError"


def test_a_call_in_flight_when_its_turn_is_cancelled_is_recorded_as_cancelled(folder: Path) -> None:
    (folder / "tools.py").write_text(
        "import threading\nbegun, go, ended = threading.Event(), threading.Event(), threading.Event()\n"
        "def hangs():\n    begun.set()\n    go.wait()\n    ended.set()\n    return 'late'\n"
    )
    bench = bench_of(folder, "hangs", takes())

    async def turn() -> Any:
        call = asyncio.create_task(bench.host.call("t", {}))
        while not (module := _module(folder)) or not module.begun.is_set():
            await asyncio.sleep(0.001)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return module

    module = asyncio.run(turn())
    module.go.set()
    module.ended.wait()
    assert [(call.status, call.text, call.error) for call in bench.witness.calls] == [("cancelled", UNSET, UNSET)]


def _module(folder: Path) -> Any:
    return next(
        (
            module
            for module in list(sys.modules.values())
            if getattr(module, "__file__", None) == f"{folder}/tools.py" and hasattr(module, "hangs")
        ),
        None,
    )


def test_functions_run_beside_each_other_and_off_the_loop(folder: Path) -> None:
    (folder / "tools.py").write_text(
        "import threading\nboth = threading.Barrier(2, timeout=20)\n"
        "def meets():\n    both.wait()\n    return threading.current_thread().daemon\n"
    )
    bench = bench_of(folder, "meets", takes())

    async def two() -> list[str]:
        return [result.content for result in await asyncio.gather(bench.host.call("t", {}), bench.host.call("t", {}))]

    assert asyncio.run(two()) == ["true", "true"]
    assert threading.current_thread() is threading.main_thread()
