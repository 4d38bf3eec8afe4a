"""Whatever a document says, loading answers with a pack or with our own faults."""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.desk import Desk
from windtunnel.engine.loading.find import BUILT_IN, find_pack
from windtunnel.engine.loading.load import load_pack
from windtunnel.engine.loading.validate import validate_paths
from windtunnel.schemas.errors import DocumentFault, UsageFault

FLIGHT: dict[str, Any] = yaml.load((BUILT_IN / "first_flight" / "pack.yaml").read_text(), yaml.CSafeLoader)
TEXTS = st.sampled_from(
    [
        "",
        "x",
        "{{ x }}",
        "{% for",
        "file://pack.yaml",
        "file://.",
        "file:///dev/zero",
        "file://*",
        "not-use",
        "use",
        "openai",
        "-",
        "é",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value in a document."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, member in members for found in places(member, (*path, key)))]


PLACES = [path for path in places(FLIGHT) if path]


def load_text(text: bytes) -> None:
    """Load, and let our own faults pass; every fault can be shown."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pack.yaml")
        path.write_bytes(text)
        try:
            assert load_pack(path).name
        except (DocumentFault, UsageFault) as fault:
            assert str(fault)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES), min_size=1, max_size=3))
def test_a_pack_with_any_value_anywhere_loads_or_has_faults(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    document = copy.deepcopy(FLIGHT)
    for path, value in changes:
        holder: Any = document
        for key in path[:-1]:
            holder = holder[key] if isinstance(holder, dict) and key in holder else {}
        if isinstance(holder, dict):
            holder[path[-1]] = value
    load_text(yaml.safe_dump(document, allow_unicode=True, sort_keys=False).encode())


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 3000), st.integers(0, 40))
def test_a_pack_with_any_bytes_anywhere_loads_or_has_faults(junk: bytes, at: int, cut: int) -> None:
    whole = (BUILT_IN / "first_flight" / "pack.yaml").read_bytes()
    load_text(whole[:at] + junk + whole[at + cut :])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=30))
def test_any_name_is_a_path_a_pack_or_our_fault(desk: Desk, name: str) -> None:
    try:
        find_pack(name)
    except UsageFault as fault:
        assert str(fault)
    assert validate_paths([name] if name else []).problems or not name or Path(name).exists()


def test_cutting_a_pack_anywhere_gives_faults_and_nothing_else() -> None:
    whole = (BUILT_IN / "first_flight" / "pack.yaml").read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 40)):
        load_text(whole[:at])
