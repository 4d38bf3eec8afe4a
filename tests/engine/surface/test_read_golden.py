"""A golden file is compared with where it is whole and of this pack, replaced where it is ours, and else a fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kit.wt import Ended

from .conftest import GOLDEN, golden, surface

RECORD = "wt surface record shop.yaml"
TORN = f"is not whole JSON (cut off, or merged badly); bring it back, or record it anew: {RECORD}"


def _edited(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        plain = json.loads(data)
        change(plain)
        return json.dumps(plain).encode()

    return edit


FAULTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "torn": (lambda data: data[:400], TORN),
    "empty": (lambda data: b"", TORN),
    "foreign": (lambda data: b'{"kind": "pack"}', "is no golden file of `wt surface record`; name one with --golden"),
    "a list": (lambda data: b"[]", "is no golden file of `wt surface record`; name one with --golden"),
    "newer": (lambda data: data.replace(b'"schema_version": 1', b'"schema_version": 2'),
              "schema_version 2 is newer than 1, which this wt reads; update wt"),
    "another": (lambda data: data.replace(b'"pack": "shop"', b'"pack": "kiosk"'),
                f"records pack 'kiosk', not 'shop'; name the file of this pack with --golden, or record it: {RECORD}"),
    "hash": (_edited(lambda it: it["agents"]["good"][0]["segments"][0].update(sha256="0" * 64)),
             f"agents.good: the hash b86250c9 is not that of its segments; it was changed by hand, or merged badly; record it anew: {RECORD}"),
    "text": (_edited(lambda it: it["texts"].update({next(iter(it["texts"])): "hello"})),
             f"texts: the hash 0c2fae86 is not that of its text; it was changed by hand, or merged badly; record it anew: {RECORD}"),
    "twice": (_edited(lambda it: it["agents"]["good"].append(it["agents"]["good"][0])),
              f"agents.good: a scenario stands there twice; it was changed by hand, or merged badly; record it anew: {RECORD}"),
    "shape": (_edited(lambda it: it["agents"].update(good=3)),
              f"agents.good: 3 is a number where a list is meant; it was changed by hand, or merged badly; record it anew: {RECORD}"),
    "nobody": (_edited(lambda it: it.update(agents={})),
               f"covers none of the pairs of scenario and agent that are selected (ask with good and 1 more); record them: {RECORD} --store-text"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_golden_file_that_cannot_be_compared_with_is_a_fault(shop: Path, fault: str) -> None:
    change, text = FAULTS[fault]
    (shop / GOLDEN).write_bytes(change((shop / GOLDEN).read_bytes()))
    for what in ("check", "diff"):
        assert surface(shop, what) == Ended(code=2, out="", err=f"{GOLDEN}: {text}\n")


def test_a_golden_file_that_is_missing_or_no_file_is_a_fault(tmp_path: Path) -> None:
    assert surface(tmp_path, "check") == Ended(
        code=2, out="", err=f"{GOLDEN}: there is no golden file; record it first: {RECORD}\n"
    )
    ended = surface(tmp_path, "check", "--golden", "/dev/zero", "--agent", "b*")
    assert ended == Ended(
        code=2, out="", err=f"/dev/zero: cannot be read: it is not a regular file; record it anew: {RECORD} --agent 'b*' --out /dev/zero\n"
    )


def test_record_mends_a_torn_file_and_lets_a_foreign_one_be(shop: Path) -> None:
    (shop / GOLDEN).write_bytes((shop / GOLDEN).read_bytes()[:400])
    ended = surface(shop, "record")
    assert (ended.code, ended.err) == (0, f"warning: {GOLDEN}: is not whole JSON (cut off, or merged badly); it is replaced\n")
    assert list(golden(shop)["agents"]) == ["good"]
    (shop / "notes.json").write_text('{"mine": true}')
    ended = surface(shop, "record", "--out", "notes.json")
    assert ended == Ended(
        code=2, out="", err="notes.json: is no golden file, and stays as it is; remove it, or name another with --out\n"
    )
    (shop / GOLDEN).write_text((shop / GOLDEN).read_text().replace('"schema_version": 1', '"schema_version": 2'))
    ended = surface(shop, "record")
    assert ended == Ended(code=2, out="", err=f"{GOLDEN}: schema_version 2 is newer than 1, which this wt reads; update wt\n")
