"""The table of runtimes, and what an installed package can add to it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from windtunnel.engine.runtimes import all_runtimes
from windtunnel.engine.runtimes.all_runtimes import BUILT_IN, runtime_named, runtime_names
from windtunnel.schemas.errors import UsageFault

CODE = """
class Echo:
    name = "echo"
    independent_sessions = True
    late = frozenset()
    def check(self, agent, pack, problems): ...
    async def provision(self, agent, pack): ...

ready = Echo()
half = object()

class Angry(Echo):
    def __init__(self): raise SystemError("no licence")
"""

ENTRIES = """[windtunnel.runtimes]
echo = echo_runtime:Echo
echo_ready = echo_runtime:ready
half = echo_runtime:half
angry = echo_runtime:Angry
gone = echo_runtime:Gone
scripted = echo_runtime:Echo
"""


@pytest.fixture(name="_package")
def install_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with entry points on the path."""
    (tmp_path / "echo_runtime.py").write_text(CODE)
    info = tmp_path / "echo_runtime-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: echo-runtime\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    _forget()
    yield
    sys.modules.pop("echo_runtime", None)
    _forget()


def _forget() -> None:
    all_runtimes._installed.cache_clear()
    all_runtimes._load.cache_clear()


def test_scripted_and_openai_ship() -> None:
    assert {name: runtime.independent_sessions for name, runtime in BUILT_IN.items()} == {
        "scripted": True,
        "openai": True,
    }
    assert runtime_named("scripted") is BUILT_IN["scripted"]


def test_an_unknown_runtime_is_a_fault_with_the_nearest_name() -> None:
    with pytest.raises(UsageFault, match=re.escape("there is no runtime 'scriptd'; did you mean 'scripted'?")):
        runtime_named("scriptd")


@pytest.mark.usefixtures("_package")
def test_entry_points_add_runtimes_as_classes_and_as_objects() -> None:
    assert runtime_names() == ("angry", "echo", "echo_ready", "gone", "half", "openai", "scripted")
    assert type(runtime_named("echo")).__name__ == "Echo"
    assert runtime_named("echo") is runtime_named("echo")
    assert type(runtime_named("echo_ready")).__name__ == "Echo"


@pytest.mark.usefixtures("_package")
def test_a_built_in_wins_over_an_entry_point_of_its_name() -> None:
    assert runtime_named("scripted") is BUILT_IN["scripted"]


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "angry",
            "runtime 'angry' (echo_runtime:Angry) cannot be loaded: SystemError: no licence; "
            "mend or uninstall the package that brings it",
        ),
        (
            "gone",
            "runtime 'gone' (echo_runtime:Gone) cannot be loaded: "
            "AttributeError: module 'echo_runtime' has no attribute 'Gone'; "
            "mend or uninstall the package that brings it",
        ),
        (
            "half",
            "runtime 'half' (echo_runtime:half) lacks name, independent_sessions, late, check, provision; "
            "windtunnel.engine.runtimes.base.Runtime says what a runtime has",
        ),
    ],
)
def test_a_runtime_that_cannot_be_loaded_is_named_with_its_package(name: str, text: str) -> None:
    with pytest.raises(UsageFault) as caught:
        runtime_named(name)
    assert str(caught.value) == text
