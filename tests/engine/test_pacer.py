"""Many replies at once are taken up a few at a time, in the order in which they came; a few are not held."""

from __future__ import annotations

import asyncio

from windtunnel.engine.pacer import BEAT, WIDTH, Pacer

MANY = 100


async def _turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


class Crowd:
    """Runs whose replies have come all at once; ``gone`` are those that went on, in their order."""

    def __init__(self, number: int, *, jobs: int) -> None:
        self._pacer = Pacer(jobs)
        self.gone: list[int] = []
        self.tasks = [asyncio.ensure_future(self._run(each)) for each in range(number)]

    async def _run(self, number: int) -> None:
        await self._pacer.go_on()
        self.gone.append(number)


def test_no_run_waits_where_few_are_made_at_once() -> None:
    async def scenario() -> list[int]:
        crowd = Crowd(3 * WIDTH, jobs=WIDTH)
        await _turns(1)
        return crowd.gone

    assert asyncio.run(scenario()) == list(range(3 * WIDTH))


def test_many_go_on_in_order_and_a_width_at_a_time() -> None:
    async def scenario() -> None:
        crowd = Crowd(2 * WIDTH + 3, jobs=MANY)
        await _turns(2)
        assert crowd.gone == list(range(WIDTH))
        await _turns(BEAT)
        assert crowd.gone == list(range(2 * WIDTH))
        await asyncio.gather(*crowd.tasks)
        assert crowd.gone == list(range(2 * WIDTH + 3))

    asyncio.run(scenario())


def test_a_run_that_is_cut_off_while_it_waits_costs_nobody_a_place() -> None:
    async def scenario() -> None:
        crowd = Crowd(3 * WIDTH, jobs=MANY)
        await _turns(2)
        for task in crowd.tasks[WIDTH : 2 * WIDTH]:
            task.cancel()
        await _turns(BEAT)
        assert crowd.gone == [*range(WIDTH), *range(2 * WIDTH, 3 * WIDTH)]

    asyncio.run(scenario())


def test_a_loop_with_nobody_in_it_rests() -> None:
    async def scenario() -> None:
        await Pacer(MANY).go_on()
        await _turns(BEAT + 2)
        loop = asyncio.get_running_loop()
        assert not loop._ready  # type: ignore[attr-defined]  # nothing is left to be called

    asyncio.run(scenario())
