"""Whatever lies where a pack, a trace or a report is looked for: an answer in time, and no word of it is obeyed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kit.wt import small_pack, wt

HOSTILE = "\x1b[31m\r\n::error::x\u202e\x07"


def texts(value: Any) -> Any:
    """The same with every text hostile, but what says which verdict, status or effect it is."""
    kept = ("verdict", "status", "effect", "run_id")
    if isinstance(value, dict):
        return {key: value[key] if key in kept else texts(value[key]) for key in value}
    return [texts(each) for each in value] if isinstance(value, list) else HOSTILE if isinstance(value, str) else value


def named(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "layers": {HOSTILE: value["layers"]["outcome"]}} if "layers" in value else {**value, "run_id": HOSTILE}


@pytest.mark.parametrize("change", [texts, named])
def test_a_hostile_trace_is_shown_and_not_obeyed(tmp_path: Path, change: Callable[[Any], Any]) -> None:
    assert wt("run", small_pack(tmp_path), "--runs", "1", folder=tmp_path).code == 0
    (trace,) = (path for path in (tmp_path / "runs/shop/buy/good").glob("*.json") if "." not in path.stem)
    for path in (trace, trace.with_suffix(".score.json")):
        path.write_text(json.dumps(change(json.loads(path.read_text()))))
    ended = wt("show", trace, folder=tmp_path)
    assert ended.code == 0, ended.err
    assert not any(line.startswith("::") for line in ended.out.splitlines())
    assert not set(ended.out) & set("\x1b\x07\r\u202e")


@pytest.mark.parametrize("words", [
    ["run", "pipe"], ["validate", "pipe"], ["plan", "pipe"], ["run", "folder"], ["validate", "folder"], ["show", "pipe"],
    ["run", "shop.yaml", "--skeleton", "pipe"], ["run", "shop.yaml", "--hook", "pipe.py:H"], ["debrief", "preview", "pipe"],
    ["debrief", "preview", "environment_first", "--trace", "pipe"], ["run", "included.yaml"], ["run", "/dev/zero"],
])
def test_a_pipe_where_a_file_is_looked_for_is_refused_and_not_waited_for(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "folder").mkdir()
    for pipe in ("pipe", "pipe.py", "folder/pack.yaml"):
        os.mkfifo(tmp_path / pipe)
    small_pack(tmp_path)
    (tmp_path / "included.yaml").write_text((tmp_path / "shop.yaml").read_text() + "include: [pipe]\n")
    ended = wt(*words, folder=tmp_path, timeout=30)
    assert ended.code == 2, ended
    assert ended.err or ended.out
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("words", [
    ["init", "x" * 300], ["debrief", "preview", "environment_first", "--trace", "."], ["run", "shop.yaml", "--runs-dir", ""],
    ["show", "x" * 300], ["validate", "x" * 300], ["run", "x" * 300], ["run", "shop.yaml", "--junit", "x" * 300],
])
def test_a_name_that_can_be_no_file_is_a_fault_and_no_bug(tmp_path: Path, words: list[str]) -> None:
    small_pack(tmp_path)
    ended = wt(*words, folder=tmp_path)
    assert ended.code == 2, ended
    assert ended.err or ended.out
    assert "Traceback" not in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop.yaml"]


def test_a_folder_with_a_hostile_name_is_written_and_its_name_not_obeyed(tmp_path: Path) -> None:
    for words in (["init", "a\x1b[31mb"], ["schema", "pack", "--out", "c\x1b[31md"]):
        ended = wt(*words, folder=tmp_path)
        assert ended.code == 0
        assert "\x1b" not in ended.out
