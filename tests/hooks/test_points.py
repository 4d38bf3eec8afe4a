"""The six points are the same wherever they are written down."""

from __future__ import annotations

import inspect

import windtunnel.hooks
from windtunnel.engine.skeleton import contracts
from windtunnel.hooks import Hook, HookContext
from windtunnel.hooks.events import EVENTS
from windtunnel.hooks.points import POINTS


def test_the_class_hook_has_one_method_for_each_point_in_the_order_in_which_they_fire() -> None:
    methods = [name for name in vars(Hook) if name.startswith("on_")]
    assert methods == list(POINTS)
    assert [name for name in EVENTS if name in POINTS] == methods
    assert list(contracts.POINTS) == methods


def test_each_method_of_hook_says_when_it_fires_and_what_its_context_has() -> None:
    for point in POINTS.values():
        text = inspect.getdoc(getattr(Hook, point.name))
        assert text is not None
        assert text.startswith("Once a ")
        assert all(member in text for member in point.members), point.name


def test_every_member_of_a_point_is_a_property_of_the_context() -> None:
    for point in POINTS.values():
        assert all(isinstance(getattr(HookContext, member), property) for member in point.members)


def test_everything_that_is_exported_is_there() -> None:
    assert all(hasattr(windtunnel.hooks, name) for name in windtunnel.hooks.__all__)
    assert list(windtunnel.hooks.__all__) == sorted(windtunnel.hooks.__all__)
