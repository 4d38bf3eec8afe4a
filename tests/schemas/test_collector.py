"""The collector is paused while documents are read, and is afterwards what it was."""

from __future__ import annotations

import gc

from windtunnel.schemas.collector import collector_paused


def test_meanwhile_the_collector_is_off_and_then_on_again() -> None:
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
