"""The collector is eased while a sweep runs, and is afterwards what it was."""

from __future__ import annotations

import gc

from windtunnel.engine.collector import SELDOM, collector_eased


def test_while_a_sweep_runs_the_collector_looks_seldom_and_not_at_what_was_there() -> None:
    usual = gc.get_threshold()
    with collector_eased():
        assert gc.get_threshold() == SELDOM
        assert gc.get_freeze_count() > 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)


def test_the_last_of_several_sweeps_puts_the_collector_back() -> None:
    usual = gc.get_threshold()
    first, second = collector_eased(), collector_eased()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == SELDOM
    second.__exit__(None, None, None)
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)


def test_what_somebody_else_has_frozen_stays_frozen() -> None:
    gc.freeze()
    try:
        with collector_eased():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_a_sweep_that_breaks_puts_the_collector_back_too() -> None:
    usual = gc.get_threshold()
    try:
        with collector_eased():
            raise RuntimeError
    except RuntimeError:
        pass
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)
