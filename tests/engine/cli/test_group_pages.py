"""The page of a group of commands tells each of them whole, on its line."""

from __future__ import annotations

import pytest

from .conftest import Told


@pytest.mark.parametrize(
    ("group", "told_of"),
    [
        ("debrief", ["  preview  show what TEMPLATE would ask"]),
        (
            "hooks",
            [
                "  list  list events with their fields, hooks and guards",
                "  test  fire EVENT once at hooks, without a run",
            ],
        ),
    ],
)
def test_a_group_tells_its_commands_whole(told: Told, group: str, told_of: list[str]) -> None:
    lines = told(group, "--help").out.splitlines()
    begin = lines.index("Commands:") + 1
    assert lines[begin : lines.index("", begin)] == told_of
