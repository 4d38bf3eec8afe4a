"""Many replies at once are taken up a few at a time, in the order in which they came; a few are not held."""

from __future__ import annotations

import asyncio

from windtunnel.engine.pacer import BEAT, WIDTH, Pacer


async def _turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def test_no_run_waits_where_few_are_made_at_once() -> None:
    async def scenario() -> list[int]:
        pacer, gone = Pacer(WIDTH), list[int]()

        async def run(number: int) -> None:
            await pacer.go_on()
            gone.append(number)

        tasks = [asyncio.ensure_future(run(number)) for number in range(3 * WIDTH)]
        await _turns(1)
        assert all(task.done() for task in tasks)
        return gone

    assert asyncio.run(scenario()) == list(range(3 * WIDTH))


def test_many_go_on_in_order_and_a_width_at_a_time() -> None:
    async def scenario() -> None:
        pacer, gone = Pacer(100), list[int]()

        async def run(number: int) -> None:
            await pacer.go_on()
            gone.append(number)

        tasks = [asyncio.ensure_future(run(number)) for number in range(2 * WIDTH + 3)]
        await _turns(2)
        assert gone == list(range(WIDTH))
        await _turns(BEAT)
        assert gone == list(range(2 * WIDTH))
        await asyncio.gather(*tasks)
        assert gone == list(range(2 * WIDTH + 3))

    asyncio.run(scenario())


def test_a_run_that_is_cut_off_while_it_waits_costs_nobody_a_place() -> None:
    async def scenario() -> None:
        pacer, gone = Pacer(100), list[int]()

        async def run(number: int) -> None:
            await pacer.go_on()
            gone.append(number)

        tasks = [asyncio.ensure_future(run(number)) for number in range(3 * WIDTH)]
        await _turns(2)
        for task in tasks[WIDTH : 2 * WIDTH]:
            task.cancel()
        await _turns(BEAT)
        assert gone == [*range(WIDTH), *range(2 * WIDTH, 3 * WIDTH)]

    asyncio.run(scenario())


def test_a_loop_with_nobody_in_it_rests() -> None:
    async def scenario() -> None:
        pacer = Pacer(100)
        await pacer.go_on()
        await _turns(BEAT + 2)
        loop = asyncio.get_running_loop()
        assert not loop._ready  # type: ignore[attr-defined]  # nothing is left to be called

    asyncio.run(scenario())
