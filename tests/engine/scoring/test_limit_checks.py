"""``latency`` and ``tokens`` look at the turns alone."""

from __future__ import annotations

from kit.judged import check, scenario, scored, told, trace, turn

TWO = trace(turns=[turn("a", 1, seconds=2.0, tokens=100), turn("b", 2, seconds=3.5, tokens=50)])


def test_latency_is_that_of_the_slowest_turn_or_of_the_run() -> None:
    assert told(TWO, check("latency", max_s=3.5)) == (True, "latency 3.5 s: turn 2 took 3.5 s")
    assert told(TWO, check("latency", max_s=3, per="turn")) == (False, "latency 3 s: turn 2 took 3.5 s")
    assert told(TWO, check("latency", max_s=5, per="run")) == (False, "latency 5 s a run: the run took 5.5 s")
    assert told(TWO, check("not-latency", max_s=5, per="run"))[0] is True


def test_tokens_are_summed_over_the_run() -> None:
    assert told(TWO, check("tokens", max=150)) == (True, "tokens 150: 150 tokens")
    assert told(TWO, check("tokens", max=149)) == (False, "tokens 149: 150 tokens")


def test_usage_that_was_not_told_is_an_error() -> None:
    evidence = trace(turns=[turn("a", 1, tokens=1), turn("b", 2)])
    for type_ in ("tokens", "not-tokens"):
        assert told(evidence, check(type_, max=9)) == (
            "error",
            f"{type_} 9: the endpoint did not tell the usage of turn 2",
        )


def test_usage_lost_to_a_timeout_is_a_failure() -> None:
    evidence = trace(turns=[turn(None, 1, timed_out=True, error="the time was over")])
    for type_ in ("tokens", "not-tokens"):
        found = scored(evidence, scenario(check(type_, max=9))).findings[-1]
        assert (found.passed, found.detail) == (False, f"{type_} 9: turn 1 timed out before its usage was told")
