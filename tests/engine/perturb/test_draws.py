"""Whether a fault strikes a call depends on seed, scenario, run, perturbation and call alone."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from kit.judged import MARK
from windtunnel.engine.perturb.draws import Draws
from windtunnel.schemas.scenario_documents import Perturbation

SEEDS = st.integers(0, 2**53 - 1)
RUNS = st.integers(1, 100_000)
IDS = st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
CALLS = st.integers(1, 1000)
DRAWS = st.builds(lambda seed, scenario, run: Draws(seed=seed, scenario=scenario, run=run), SEEDS, IDS, RUNS)


def fault(probability: float | None = None, on_call: tuple[int, ...] = (), index: int = 0) -> Perturbation:
    return Perturbation(
        index=index, type="tool-fault", tool="look", fault="error", probability=probability, on_call=on_call, mark=MARK
    )


@given(DRAWS, st.lists(st.tuples(st.integers(0, 5), CALLS), unique=True, max_size=20), st.randoms())
def test_the_order_in_which_calls_arrive_changes_no_draw(draws: Draws, asked: list[tuple[int, int]], rnd: Random) -> None:
    first = {one: draws.draw(*one) for one in asked}
    rnd.shuffle(asked)
    assert {one: draws.draw(*one) for one in asked} == first


@given(DRAWS, st.integers(0, 5), CALLS)
def test_a_draw_is_at_least_0_and_less_than_1(draws: Draws, index: int, call: int) -> None:
    assert 0 <= draws.draw(index, call) < 1


@given(DRAWS, CALLS)
def test_probability_1_strikes_every_call_and_the_smallest_hardly_any(draws: Draws, call: int) -> None:
    assert draws.strikes(fault(1), call)
    assert draws.strikes(fault(1.0), call)
    assert not draws.strikes(fault(5e-324), call)


@given(DRAWS, CALLS, st.floats(0, 1, exclude_min=True), st.floats(0, 1, exclude_min=True))
def test_what_a_low_probability_strikes_a_higher_one_strikes_too(draws: Draws, call: int, one: float, two: float) -> None:
    low, high = sorted((one, two))
    assert draws.strikes(fault(high), call) or not draws.strikes(fault(low), call)


@given(DRAWS, st.sets(CALLS, min_size=1, max_size=5), CALLS)
def test_on_call_strikes_these_calls_and_no_other_and_nothing_said_strikes_all(
    draws: Draws, on: set[int], call: int
) -> None:
    assert draws.strikes(fault(on_call=tuple(on)), call) == (call in on)
    assert draws.strikes(fault(), call)


def test_seed_scenario_run_perturbation_and_call_each_have_draws_of_their_own() -> None:
    base = {"seed": 0, "scenario": "s", "run": 1}
    others = [{**base, "seed": 1}, {**base, "scenario": "t"}, {**base, "run": 2}]
    drawn = [Draws(**base).draw(0, 1), *(Draws(**other).draw(0, 1) for other in others)]  # type: ignore[arg-type]
    drawn += [Draws(**base).draw(1, 1), Draws(**base).draw(0, 2)]  # type: ignore[arg-type]
    assert len(set(drawn)) == 6


def test_the_share_of_calls_that_are_struck_is_the_probability() -> None:
    struck = sum(Draws(seed=3, scenario="s", run=run).strikes(fault(0.3), call) for run in range(100) for call in range(100))
    assert 2800 < struck < 3200


def test_draws_stay_what_they_are_from_version_to_version() -> None:
    """A pack's runs would otherwise change their weather under a new release."""
    assert [round(Draws(seed=1, scenario="first", run=run).draw(0, 1), 6) for run in (1, 2, 3)] == [0.115759, 0.579185, 0.666347]
