"""What is shown becomes hashed segments: all of it, in order, once, and without a secret."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.surface import shared
from windtunnel.engine.surface.compare import segment_differences
from windtunnel.engine.surface.segments import sha256_of, surface_of
from windtunnel.engine.surface.shared import SharedSurfaces
from windtunnel.engine.tools.definitions import ToolDefinition
from windtunnel.schemas.catalog import artifact_faults
from windtunnel.schemas.codec import UNSET, to_plain
from windtunnel.schemas.secrets import Secrets
from windtunnel.schemas.surfaces import Surface

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8,
)


def tool(name: str, description: str = "Does it.") -> ToolDefinition:
    return ToolDefinition(name=name, description=description, input_schema={"type": "object", "properties": {"a": {"type": "string"}}})


def shown(**changes: Any) -> dict[str, Any]:
    return {
        "model": "small", "sampling": {"temperature": 0}, "tools": (tool("find"), tool("send")),
        "guards": [{"name": "never", "source": "declared"}], "system_prompt": "Be brief.", "max_steps": 8, **changes,
    }  # fmt: skip


def surface(store_text: bool = True, secrets: Secrets | None = None, **changes: Any) -> Surface:
    return surface_of(shown(**changes), secrets or Secrets(), store_text=store_text)


def names(of: Surface) -> list[str]:
    return [segment.name for segment in of.segments]


def test_prompt_tools_guards_and_sampling_stand_first_and_the_rest_follows_by_name() -> None:
    assert names(surface()) == ["system_prompt", "tool:find", "tool:send", "guard:never", "sampling", "max_steps", "model"]


def test_a_hash_is_that_of_the_text_which_is_the_value_or_its_canonical_json() -> None:
    texts = {segment.name: str(segment.text) for segment in surface().segments}
    assert texts["system_prompt"] == "Be brief."
    assert texts["sampling"] == '{"temperature":0}'
    assert texts["tool:find"] == (
        '{"description":"Does it.","input_schema":{"properties":{"a":{"type":"string"}},"type":"object"},"name":"find"}'
    )
    for segment in surface().segments:
        assert segment.sha256 == hashlib.sha256(str(segment.text).encode()).hexdigest()
        assert segment.chars == len(str(segment.text))


def test_the_hash_of_a_surface_can_be_had_with_the_standard_library_alone() -> None:
    found = surface()
    pairs = json.dumps([[one.name, one.sha256] for one in found.segments], separators=(",", ":"))
    assert found.sha256 == hashlib.sha256(pairs.encode()).hexdigest() == sha256_of(found.segments)


def test_without_the_word_no_text_is_kept_and_the_hashes_are_the_same() -> None:
    bare = surface(store_text=False)
    assert {segment.text for segment in bare.segments} == {UNSET}
    assert [segment.sha256 for segment in bare.segments] == [segment.sha256 for segment in surface().segments]


def test_one_character_of_one_description_is_one_segment() -> None:
    changed = surface(tools=(tool("find", "Does it!"), tool("send")))
    assert [(one.name, one.change) for one in segment_differences(surface().segments, changed.segments)] == [("tool:find", "changed")]


def test_a_tool_in_another_place_is_another_surface() -> None:
    moved = surface(tools=(tool("send"), tool("find")))
    assert moved.sha256 != surface().sha256
    assert [one.change for one in segment_differences(surface().segments, moved.segments)] == ["moved"]


def test_runs_with_different_secrets_have_one_surface_and_none_shows() -> None:
    found = []
    for value in ("sk-4f1c9d-open-sesame", "another-secret-of-a-length"):
        secrets = Secrets()
        secrets.add("KEY", value)
        found.append(surface(secrets=secrets, system_prompt=f"The key is {value}.", header={value: [value]}))
        assert value not in str(found[-1])
    assert found[0] == found[1]
    assert found[0].segments[0].text == "The key is ***."


def test_a_change_after_the_first_million_characters_is_a_change() -> None:
    long = "x" * (3 << 20)
    assert surface(system_prompt=f"{long}a").sha256 != surface(system_prompt=f"{long}b").sha256


def test_a_runtime_that_tells_tools_of_its_own_is_believed() -> None:
    told = [{"type": "function", "function": {"name": "theirs"}}, {"name": "plain"}, "odd", {"name": "plain"}]
    assert names(surface(tools=told))[1:5] == ["tool:theirs", "tool:plain", "tool:3", "tool:plain-2"]
    assert names(surface(tools="none"))[1] == "tools"


@given(st.dictionaries(st.sampled_from(["system_prompt", "tools", "guards", "sampling", "odd"]) | st.text(), JSON, max_size=6))
def test_whatever_a_runtime_tells_becomes_a_sound_surface_and_the_same_one_twice(told: dict[str, Any]) -> None:
    found = surface_of(told, Secrets(), store_text=True)
    assert found == surface_of(json.loads(json.dumps(told)), Secrets(), store_text=True)
    assert len(set(names(found))) == len(found.segments)
    plain = {"kind": "surface", "schema_version": 1, "pack": "p", "agents": {"a": [{"scenarios": ["s"], **to_plain(found)}]}}
    assert artifact_faults("surface", plain) == []


def test_what_no_json_holds_is_hashed_as_its_text() -> None:
    texts = {segment.name: segment.text for segment in surface(several={2, 1}, number=float("nan"), half="\ud800").segments}
    assert (texts["several"], texts["number"], texts["half"]) == ("[1,2]", "nan", "\\ud800")


def test_what_is_seen_again_is_hashed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def counted(told: Any, secrets: Secrets, *, store_text: bool) -> Surface:
        made.append(told)
        return surface_of(told, secrets, store_text=store_text)

    monkeypatch.setattr(shared, "surface_of", counted)
    secrets = Secrets()
    kept = SharedSurfaces(secrets=secrets)
    first, other = kept.of(shown()), kept.of(shown(max_steps=9))
    assert kept.of(shown()) is first
    assert kept.of(shown(max_steps=9)) is other
    assert len(made) == 2
    secrets.add("KEY", "Be brief.")  # one that was made before a secret was known is made anew
    assert kept.of(shown()) != first
    for number in range(shared.MOST + 1):
        kept.of(shown(max_steps=number))
    assert len(kept._made) == shared.MOST
