"""Break the hook dispatcher in many ways, and see that the tests of the broken rule notice each one.

Run it as ``python tests/mutants/dispatcher_mutants.py [WORD]`` (only the mutants whose name holds WORD). Every mutant is
a change of the source in a copy of the package; the tests that carry the number of its rule run against the copy.
Exit code 1: a mutant survived, or its source text is no longer there to be changed.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 2
LEAST_S = 8.0  # how long a mutant's tests may take: thrice as long as all of them take, and never less than this
PATIENCE_S = "2"
IMPORTED_ONCE = ("hypothesis", "jsonschema", "msgspec")  # for all children, which are forked


@dataclass(frozen=True)
class Mutant:
    """One way to break the module: in ``file``, ``old`` (there exactly once) becomes ``new``."""

    name: str
    tests: str
    file: str
    old: str
    new: str


MUTANTS = [
    Mutant(
        "timeout 0 has a deadline",
        "d1_",
        "delivery.py",
        "not event.bounded or self.timeout_s == 0",
        "not event.bounded",
    ),
    Mutant(
        "unbounded runs on a worker",
        "d1_",
        "delivery.py",
        "not event.bounded or self.timeout_s == 0",
        "self.timeout_s == 0",
    ),
    Mutant(
        "the event's own deadline is ignored",
        "d1_",
        "delivery.py",
        "limits.timeout_s if event.timeout_s is None else event.timeout_s",
        "limits.timeout_s",
    ),
    Mutant(
        "workers are not reused",
        "d1_",
        "workers.py",
        "            self._idle.append(worker)\n            return True",
        "            return False",
    ),
    Mutant(
        "workers hold the process",
        "d1_",
        "workers.py",
        'name="windtunnel-hook-worker", daemon=True',
        'name="windtunnel-hook-worker", daemon=False',
    ),
    Mutant(
        "an interrupted caller keeps its slot",
        "d1_",
        "doors.py",
        "        except BaseException:  # the caller is interrupted\n            subscriber.lane.abandon(delivery.call, quiet=False)",
        "        except BaseException:",
    ),
    Mutant(
        "the callback is blamed for a cancelled caller",
        "d1_",
        "doors.py",
        "        except BaseException:  # the caller is cancelled\n            subscriber.lane.abandon(delivery.call, quiet=False)",
        "        except BaseException:\n            subscriber.lane.abandon(delivery.call)",
    ),
    Mutant(
        "the deadline is not kept", "d1_", "workers.py", "return done.acquire(timeout=seconds)", "return done.acquire()"
    ),
    Mutant(
        "the loop's deadline is not kept",
        "d1_",
        "workers.py",
        "call_later(seconds, resolve, done, False)",
        "call_later(seconds + 60, resolve, done, False)",
    ),
    Mutant("no quiet time", "d2_", "lane.py", "if quiet and self._limits.quiet_s:", "if False:"),
    Mutant(
        "the quiet time lasts too long",
        "d2_",
        "lane.py",
        "self._clock() < self._quiet_until",
        "self._clock() <= self._quiet_until",
    ),
    Mutant("the quiet time does not end", "d2_", "lane.py", "if self._clock() < self._quiet_until:", "if True:"),
    Mutant(
        "one quiet time for all callbacks of an event",
        "d2_",
        "dispatcher.py",
        "        with self._lock:\n            self._subscribers[event] += (subscriber,)",
        "        for other in self._subscribers[event]:\n            subscriber.lane = other.lane\n"
        "        with self._lock:\n            self._subscribers[event] += (subscriber,)",
    ),
    Mutant("one gate for all identities", "d3_", "lane.py", "if identity in self._running:", "if self._running:"),
    Mutant("no gate", "d3_", "lane.py", "if identity in self._running:", "if False:"),
    Mutant(
        "no gate without an identity",
        "d3_",
        "lane.py",
        "if identity in self._running:",
        "if identity and identity in self._running:",
    ),
    Mutant(
        "an identity is never free again",
        "d3_",
        "lane.py",
        "            call.outcome = outcome\n            del self._running[call.identity]",
        "            call.outcome = outcome",
    ),
    Mutant(
        "identities of two types are one",
        "d3_",
        "payload.py",
        'return f"{type(found).__name__}:{found!r}"',
        "return str(found)",
    ),
    Mutant(
        "no cap on abandoned workers",
        "d4_",
        "lane.py",
        "                    return self._saturated\n",
        "                    pass\n",
    ),
    Mutant("the cap counts what has ended", "d4_", "lane.py", "                self._abandoned.discard(call)\n", ""),
    Mutant(
        "an abandoned call keeps its identity",
        "d4_",
        "lane.py",
        "            call.abandoned = True\n            del self._running[call.identity]",
        "            call.abandoned = True",
    ),
    Mutant(
        "tasks of closed loops count for ever",
        "d4_",
        "lane.py",
        "return self.loop is not None and self.loop.is_closed()",
        "return False",
    ),
    Mutant(
        "the race guard is gone",
        "d5_",
        "lane.py",
        "            if call.outcome is not None:\n                return call.outcome\n",
        "            if call.outcome is not None:\n                return _TIMEOUT\n",
    ),
    Mutant(
        "the race makes it quiet",
        "d5_",
        "lane.py",
        "            if call.outcome is not None:\n                return call.outcome\n",
        "            if call.outcome is not None:\n                self._quiet_until = self._clock() + 60\n                return call.outcome\n",
    ),
    Mutant(
        "the race leaves an abandoned call",
        "d5_",
        "lane.py",
        "            if call.outcome is not None:\n                return call.outcome\n",
        "            if call.outcome is not None:\n                self._abandoned.add(call)\n                return call.outcome\n",
    ),
    Mutant(
        "a thread that cannot start keeps its slot",
        "d6_",
        "doors.py",
        "delivery.settle(unstartable(error, delivery.subscriber.text_chars))",
        "delivery.call.outcome = unstartable(error, delivery.subscriber.text_chars)",
    ),
    Mutant(
        "a thread that cannot start fails the caller",
        "d6_",
        "doors.py",
        "except (RuntimeError, MemoryError) as error:  # D6",
        "except ZeroDivisionError as error:  # D6",
    ),
    Mutant(
        "a queue's thread that cannot start fails the emitter",
        "d6_",
        "outbox.py",
        "except (RuntimeError, MemoryError) as error:",
        "except ZeroDivisionError as error:",
    ),
    Mutant(
        "a queue never tries to start again",
        "d6_",
        "outbox.py",
        "                self._thread = None\n                return error",
        "                return error",
    ),
    Mutant(
        "wait_for in afire",
        "d7_",
        "doors.py",
        "            if self._begin(delivery, done) or await",
        "            if subscriber.is_async:\n"
        "                await asyncio.wait_for(delivery._arun(partial(self._end, delivery)), 0.05)\n"
        "                return delivery.outcome\n"
        "            if self._begin(delivery, done) or await",
    ),
    Mutant(
        "the end of a loop waits for stubborn coroutines",
        "d7_",
        "delivery.py",
        "        asyncio.tasks._unregister_task(task)\n",
        "",
    ),
    Mutant(
        "abandoned coroutines are not cancelled",
        "d7_",
        "lane.py",
        "                self._stop()\n",
        "                pass\n",
    ),
    Mutant(
        "a task cancelled before it began keeps its place",
        "d7_",
        "delivery.py",
        "            self.settle(Outcome())\n",
        "            pass\n",
    ),
    Mutant(
        "coroutines are handed over as values",
        "d7_",
        "delivery.py",
        'if hasattr(type(value), "__await__") else',
        "if False else",
    ),
    Mutant(
        "coroutines are not awaited on the caller's loop",
        "d7_",
        "delivery.py",
        "self.is_async = is_async(fn)",
        "self.is_async = False",
    ),
    Mutant(
        "Ctrl-C is lost in a coroutine",
        "d7_",
        "delivery.py",
        "            raise asyncio.CancelledError\n",
        "            pass\n",
    ),
    Mutant(
        "a running loop is not noticed",
        "d7_",
        "delivery.py",
        "if asyncio._get_running_loop() is not None:",
        "if False:",
    ),
    Mutant(
        "no context copy for workers",
        "d8_",
        "delivery.py",
        "self.context.run(subscriber.fn, **self.fields)",
        "subscriber.fn(**self.fields)",
    ),
    Mutant(
        "an empty context for tasks",
        "d8_",
        "delivery.py",
        "create_task(self._arun(tell), context=self.context)",
        "create_task(self._arun(tell), context=contextvars.Context())",
    ),
    Mutant(
        "the context of the delivery off the path",
        "d8_",
        "outbox.py",
        "Delivery(item.subscriber, call, item.fields, item.context)",
        "Delivery(item.subscriber, call, item.fields, copy_context())",
    ),
    Mutant("a run is not bound", "d8_", "current_run.py", "token = _RUN_ID.set(run_id)", 'token = _RUN_ID.set("")'),
    Mutant("shallow copies", "d9_", "payload.py", "copy.deepcopy(value, memo)", "copy.copy(value)"),
    Mutant(
        "no copies for guards",
        "d9_",
        "payload.py",
        "elif event.copied and",
        "elif event.copied and not event.policy and",
    ),
    Mutant("copies where the event says none", "d9_", "payload.py", "elif event.copied and", "elif"),
    Mutant("one object is two in the copy", "d9_", "payload.py", "copy.deepcopy(value, memo)", "copy.deepcopy(value)"),
    Mutant(
        "every field for every callback",
        "d9_",
        "signature.py",
        "    return {name: value for name, value in payload.items() if name in names}",
        "    return dict(payload)",
    ),
    Mutant("unknown parameters are let in", "d9_", "signature.py", "    if unknown:\n", "    if False:\n"),
    Mutant(
        "what cannot be copied keeps its slot",
        "d9_",
        "delivery.py",
        "        self.lane.settle(call, held.outcome)\n",
        "",
    ),
    Mutant(
        "what cannot be copied is handed over",
        "d9_",
        "payload.py",
        '        raise UncopyableError(f"{name!r} cannot be copied: {describe(error, 200)}") from None',
        "        return value",
    ),
    Mutant(
        "a warning at every fault",
        "d10_",
        "reporter.py",
        "                return False\n            self._told.add(key)",
        "                return True\n            self._told.add(key)",
    ),
    Mutant(
        "no cap on distinct faults",
        "d10_",
        "reporter.py",
        " or self._distinct[fault.event, fault.hook] >= self._limits.max_distinct",
        "",
    ),
    Mutant(
        "distinct by kind alone",
        "d10_",
        "reporter.py",
        "(fault.event, code, fault.kind, fault.detail)",
        '(fault.event, code, fault.kind, "")',
    ),
    Mutant(
        "distinct by hook, not by code",
        "d10_",
        "reporter.py",
        "(fault.event, code, fault.kind, fault.detail)",
        "(fault.event, fault.hook, fault.kind, fault.detail)",
    ),
    Mutant(
        "distinct over all events",
        "d10_",
        "reporter.py",
        "(fault.event, code, fault.kind, fault.detail)",
        '("", code, fault.kind, fault.detail)',
    ),
    Mutant("reports are never forgotten", "d10_", "reporter.py", "            self._told.clear()\n", ""),
    Mutant(
        "only new faults are counted",
        "d10_",
        "reporter.py",
        "            self._counts[event, hook, kind] += 1",
        "            self._counts[event, hook, kind] = 1",
    ),
    Mutant("control characters in the log", "d10_", "reporter.py", "if char.isprintable() else", "if True else"),
    Mutant(
        "SystemExit escapes",
        "d11_",
        "containment.py",
        "NEVER_CONTAINED = (KeyboardInterrupt,)",
        "NEVER_CONTAINED = (KeyboardInterrupt, SystemExit)",
    ),
    Mutant(
        "GeneratorExit escapes",
        "d11_",
        "containment.py",
        "NEVER_CONTAINED = (KeyboardInterrupt,)",
        "NEVER_CONTAINED = (KeyboardInterrupt, GeneratorExit)",
    ),
    Mutant(
        "KeyboardInterrupt is contained",
        "d11_",
        "containment.py",
        "NEVER_CONTAINED = (KeyboardInterrupt,)",
        "NEVER_CONTAINED = ()",
    ),
    Mutant(
        "only Exception is contained",
        "d11_",
        "containment.py",
        "        if error is None:\n",
        "        if not isinstance(error, Exception):\n",
    ),
    Mutant(
        "a hostile __str__ escapes",
        "d11_",
        "containment.py",
        '        told = f"(no text: its __str__ raised {type_name(second)})"',
        "        raise",
    ),
    Mutant(
        "the text is not cut", "d11_", "containment.py", '" ".join(text.split())[:text_chars]', '" ".join(text.split())'
    ),
    Mutant(
        "an interrupt off the path is lost",
        "d11_",
        "dispatcher.py",
        "        self._kept = interrupt\n",
        "        pass\n",
    ),
    Mutant(
        "a kept interrupt is raised for ever",
        "d11_",
        "dispatcher.py",
        "kept, self._kept = self._kept, None",
        "kept = self._kept",
    ),
    Mutant(
        "an abandoned interrupt is lost",
        "d11_",
        "doors.py",
        "if not delivery.settle(outcome) and outcome.interrupt is not None:",
        "if not delivery.settle(outcome) and False:",
    ),
    Mutant(
        "a log handler escapes",
        "d11_",
        "reporter.py",
        "with Containment(self._limits.text_chars) as held:",
        "from contextlib import nullcontext\n        with nullcontext(Containment(9)) as held:",
    ),
    Mutant(
        "the answer is asked for its class",
        "d11_",
        "delivery.py",
        "issubclass(type(value), Refuse)",
        "isinstance(value, Refuse)",
    ),
    Mutant("the answers are in the repr", "d11_", "contract.py", "field(default=(), repr=False)", "field(default=())"),
    Mutant(
        "the newest is dropped", "d12_", "outbox.py", "self._queue.popleft().subscriber", "self._queue.pop().subscriber"
    ),
    Mutant(
        "the queue has no bound", "d12_", "outbox.py", "if len(self._queue) >= self._limits.queue_size:", "if False:"
    ),
    Mutant("oversized payloads are queued", "d12_", "outbox.py", "if weight(narrowed, most) > most:", "if False:"),
    Mutant(
        "only the top of a payload is weighed",
        "d12_",
        "payload.py",
        "                waiting += value\n",
        "                pass\n",
    ),
    Mutant(
        "losses are not counted",
        "d12_",
        "dispatcher.py",
        "self._reporter.count(subscriber.event.name, subscriber.hook, kind)",
        "pass",
    ),
    Mutant(
        "what is posted is not copied",
        "d12_",
        "outbox.py",
        "fields = own_fields(narrowed, None, subscriber.event, subscriber.hook)",
        "fields = narrowed",
    ),
    Mutant(
        "a closed dispatcher takes more",
        "d12_",
        "outbox.py",
        "            if self._closed:\n                self._told",
        "            if False:\n                self._told",
    ),
    Mutant(
        "a queue for each method of an object",
        "d12_",
        "delivery.py",
        "fn.__self__ if isinstance(fn, MethodType) else fn",
        "fn",
    ),
    Mutant("one queue for all", "d12_", "dispatcher.py", "        key = id(subscriber.owner)\n", "        key = 0\n"),
    Mutant(
        "what hangs off the path is never given up", "d12_", "outbox.py", "self._clock() - since < deadline", "True"
    ),
    Mutant(
        "an abandoned thread goes on delivering", "d12_", "outbox.py", "        return heard\n", "        return True\n"
    ),
    Mutant(
        "close does not wait for the queue", "d12_", "outbox.py", "if waiter.wait(self._drained, seconds):", "if False:"
    ),
    Mutant(
        "close does not tell what it leaves",
        "d12_",
        "outbox.py",
        '            self._told.lost(item.subscriber, "dropped")\n        if current',
        "            pass\n        if current",
    ),
    Mutant("hook time is not measured", "d13_", "doors.py", "            self._time.begin()", "            pass"),
    Mutant(
        "hooks at once are counted twice",
        "d13_",
        "hook_time.py",
        "            if self._depth == 1:\n                self._since = self._clock()",
        "            self._spent -= 4 * (self._depth - 1)",
    ),
    Mutant(
        "an outer measurement does not see an inner one",
        "d13_",
        "hook_time.py",
        "            self._outer.end()",
        "            pass",
    ),
    Mutant("everything is wanted", "d14_", "dispatcher.py", "return bool(self._subscribers.get(event))", "return True"),
    Mutant(
        "nobody's dispatch is built anew",
        "d14_",
        "dispatcher.py",
        "            return self._nothing.get(event) or self._unknown(event)\n        tally = Tally(self._events[event], self._reporter)\n        with tally:\n            for subscriber in subscribers:\n                tally.add(subscriber, self._doors",
        "            return Dispatch(event)\n        tally = Tally(self._events[event], self._reporter)\n        with tally:\n            for subscriber in subscribers:\n                tally.add(subscriber, self._doors",
    ),
    Mutant(
        "a guard that fails allows", "guard", "doors.py", "        elif fault is not None:\n", "        elif False:\n"
    ),
    Mutant(
        "a guard's nonsense allows",
        "guard",
        "delivery.py",
        'return Outcome(kind="malformed",',
        'return Outcome(kind="",',
    ),
    Mutant(
        "True from a guard allows",
        "guard",
        "delivery.py",
        "        if value is None:\n",
        "        if value is None or value is True:\n",
    ),
    Mutant(
        "a closed dispatcher passes guards by",
        "guard",
        "dispatcher.py",
        "        subscribers = self._subscribers.get(event)\n        if not subscribers:\n            return self._nothing.get(event) or self._unknown(event)\n        tally = Tally(self._events[event], self._reporter)\n        with tally:\n            for subscriber in subscribers:\n                tally.add(subscriber, self._doors",
        "        subscribers = () if self._closed else self._subscribers.get(event)\n        if not subscribers:\n            return self._nothing.get(event) or self._unknown(event)\n        tally = Tally(self._events[event], self._reporter)\n        with tally:\n            for subscriber in subscribers:\n                tally.add(subscriber, self._doors",
    ),
    Mutant("limits are not checked", "limit", "contract.py", "    if not sound:\n", "    if False:\n"),
    Mutant(
        "the order of answers is turned round",
        "order",
        "dispatcher.py",
        "self._subscribers[event] += (subscriber,)",
        "self._subscribers[event] = (subscriber, *self._subscribers[event])",
    ),
]


def main() -> int:
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [mutant for mutant in MUTANTS if word in mutant.name]
    started = time.monotonic()
    for name in IMPORTED_ONCE:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        copy = copied(Path(folder))
        if run_tests(copy / "windtunnel", copy / "tests", "dispatcher", 300) != "survived":
            print("the tests fail on the package as it is; mend that first")
            return 1
        seconds = max(LEAST_S, 3 * (time.monotonic() - started))
        verdicts = list(pool.map(lambda mutant: verdict(mutant, copy, seconds), chosen))
    missed = 0
    for mutant, told in zip(chosen, verdicts, strict=True):
        missed += not told.startswith("caught")
        print(f"{told:24} {mutant.tests:6} {mutant.name}")
    print(f"{len(chosen) - missed} of {len(chosen)} caught in {time.monotonic() - started:.0f} s")
    return 1 if missed else 0


def copied(folder: Path) -> Path:
    """A copy of what the dispatcher and its tests stand on."""
    copy = folder / "sound"
    shutil.copytree(ROOT / "schemas", copy / "windtunnel" / "schemas", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "hooks", copy / "windtunnel" / "hooks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "__init__.py", copy / "windtunnel")
    for part in ("hooks", "kit"):
        (copy / "tests" / part).mkdir(parents=True)
    for path in (ROOT / "tests" / "hooks").glob("test_dispatcher_*.py"):
        shutil.copy(path, copy / "tests" / "hooks")
    shutil.copy(ROOT / "tests" / "kit" / "steering.py", copy / "tests" / "kit")
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def verdict(mutant: Mutant, copy: Path, seconds: float) -> str:
    """Break a copy of the wing, and say what the tests make of it."""
    package = copy.parent / f"{id(mutant):x}" / "windtunnel"
    shutil.copytree(copy / "windtunnel" / "hooks", package / "hooks")  # compiled files too: it keeps their times
    (package / "schemas").symlink_to(copy / "windtunnel" / "schemas")
    (package / "__init__.py").symlink_to(copy / "windtunnel" / "__init__.py")
    broken = package / "hooks" / mutant.file
    text = broken.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        return f"stale: {text.count(mutant.old)} places"
    broken.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    return run_tests(package, copy / "tests", mutant.tests, seconds)


def run_tests(package: Path, tests: Path, chosen: str, seconds: float) -> str:
    """Run the chosen tests in a child that is forked, so that pytest and the like are imported once.

    Tests that a mutant makes hang have caught it as well.
    """
    child = multiprocessing.get_context("fork").Process(target=tests_in_child, args=(package, tests, chosen))
    child.start()
    child.join(seconds)
    if child.exitcode is None:
        child.kill()
        child.join()
        return "caught (hangs)"
    if child.exitcode == pytest.ExitCode.OK:
        return "survived"
    if child.exitcode == pytest.ExitCode.TESTS_FAILED:
        return "caught"
    broken_off = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
    return "caught (tests break off)" if child.exitcode in broken_off else f"no tests: {child.exitcode}"


def tests_in_child(package: Path, tests: Path, chosen: str) -> None:
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.path[:0] = [str(package.parent), str(tests)]
    os.environ |= {"PYTHONPATH": str(package.parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    os.environ["WT_TEST_PATIENCE_S"] = PATIENCE_S
    os.chdir(tests.parent)
    code = pytest.main(["-x", "-p", "no:cacheprovider", "-k", chosen, str(tests / "hooks")])
    os._exit(int(code))  # a mutant may have left threads that an orderly end would wait for


if __name__ == "__main__":
    sys.exit(main())
