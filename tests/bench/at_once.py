"""Print what 1,000 runs against a model of 100 ms cost, 100 at once, beside a bare aiohttp loop with the same requests.

The server has a process of its own, and both clients ask the same one in turn. Run it as
``python tests/bench/at_once.py [ROUNDS]``. It is a measurement, not a test: it never fails on a slow machine.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

RUNS, AT_ONCE, ANSWER_S = 1000, 100, 0.1
ROUNDS = 5
SHM = Path("/dev/shm")  # noqa: S108 - where there is one, so that the disk is in neither measurement

PACK = """\
kind: pack
schema_version: 1
name: at_once
agents:
  model:
    runtime: openai
    base_url: "%s"
    model: fixed
    system_prompt: Be brief.
scenarios:
  hello:
    runs: %d
    turns: ["Say hello."]
    expect: {outcome: [{type: icontains, value: hello}]}
"""
ASKED = {
    "model": "fixed",
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say hello."}],
}
ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "fixed",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
}


def serve() -> None:
    from aiohttp import web

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(ANSWER_S)
        return web.json_response(ANSWER)

    async def forever() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=512)
        await site.start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()

    asyncio.run(forever())


def bare(base_url: str, folder: Path) -> None:
    import aiohttp

    async def ask(session: aiohttp.ClientSession, numbers: list[int]) -> None:
        while numbers:
            numbers.pop()
            async with session.post(f"{base_url}/chat/completions", json=ASKED) as response:
                assert (await response.json())["choices"][0]["message"]["content"] == "Hello."

    async def all_of_them() -> None:
        numbers = list(range(RUNS))
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as session:
            await asyncio.gather(*(ask(session, numbers) for _ in range(AT_ONCE)))

    asyncio.run(all_of_them())


def bench(base_url: str, folder: Path) -> None:
    from windtunnel.engine import run_pack
    from windtunnel.engine.options import RunOptions

    pack = folder / "pack.yaml"
    pack.write_text(PACK % (base_url, RUNS))
    assert run_pack(pack, RunOptions(runs_dir=folder / "runs", jobs=AT_ONCE)).exit_code == 0


def seconds(work: Callable[[str, Path], None], base_url: str) -> tuple[float, float]:
    folder = Path(tempfile.mkdtemp(dir=SHM if SHM.is_dir() else None))
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        work(base_url, folder)
        return time.perf_counter() - wall, time.process_time() - cpu
    finally:
        shutil.rmtree(folder)  # 2,000 files: nobody's run waits for that


def main(rounds: int) -> None:
    with subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            base_url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
            pairs = [(seconds(bare, base_url), seconds(bench, base_url)) for _ in range(rounds + 1)][1:]
        finally:
            server.kill()
    print(f"{RUNS} runs, {AT_ONCE} at once{'bare':>15}{'bench':>12}{'ratio':>10}")
    for index, (kind, aim) in enumerate((("wall", "   (aim: within 1.4 x)"), ("cpu of the client", ""))):
        base, ours = (statistics.median(pair[which][index] for pair in pairs) for which in (0, 1))
        ratio = statistics.median(pair[1][index] / pair[0][index] for pair in pairs)
        print(f"{kind:26}{base:10.2f} s{ours:10.2f} s{ratio:8.2f} x{aim}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
