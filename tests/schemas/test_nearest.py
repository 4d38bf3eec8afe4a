"""A name that is not known gets the one that was probably meant, or the names there are."""

from __future__ import annotations

import pytest
from windtunnel.schemas.nearest import did_you_mean, nearest

KNOWN = ["system_prompt", "max_steps", "model", "min", "max"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("sytem_prompt", "system_prompt"),
        ("System-Prompt", "system_prompt"),
        ("max steps", "max_steps"),
        ("modle", "model"),
        ("minn", "min"),
        ("temperature", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_the_nearest_name_is_guessed_or_none(name: str, meant: str | None) -> None:
    assert nearest(name, KNOWN) == meant


def test_the_remedy_asks_or_lists() -> None:
    assert did_you_mean("modle", KNOWN) == "did you mean 'model'?"
    assert did_you_mean("zzz", KNOWN) == "known: max, max_steps, min, model, system_prompt"
    assert did_you_mean("zzz", ["b", "a"], what="agents") == "agents: a, b"
    assert did_you_mean("zzz", []) == "there is none"
    many = [f"name{n:02}" for n in range(30)]
    assert did_you_mean("zzz", many) == f"known: {', '.join(many[:20])} and 10 more"
