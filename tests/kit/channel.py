"""A channel that keeps what hooks say, and the facts of a run that they read."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from windtunnel.hooks.channel import FaultLines
from windtunnel.hooks.debrief.sample import sample_score, sample_trace
from windtunnel.hooks.points import PointFacts
from windtunnel.schemas.codec import encode
from windtunnel.schemas.hook_views import AgentInfo, ScenarioInfo
from windtunnel.schemas.records import Trace
from windtunnel.schemas.scores import Score

Answer = Callable[[str], str]


@dataclass
class KeptChannel:
    """A channel that keeps everything; ``answer`` replies at once, on the thread that asks; None never replies."""

    answer: Answer | None = None
    no_session: bool = False
    emitted: list[tuple[str, str, Any, str | None]] = field(default_factory=list)
    warned: list[tuple[str, str]] = field(default_factory=list)
    asked: list[tuple[str, str, float]] = field(default_factory=list)
    futures: list[Future[str]] = field(default_factory=list)
    faults: FaultLines = field(default_factory=FaultLines)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def emit(self, hook: str, point: str, payload: bytes, label: str | None) -> None:
        with self.lock:
            self.emitted.append((hook, point, json.loads(payload), label))

    def warn(self, hook: str, message: str) -> None:
        with self.lock:
            self.warned.append((hook, message))

    def fault(self, hook: str, message: str, count: int) -> None:
        with self.lock:
            self.faults.add(hook, message, count)

    def converse(self, hook: str, text: str, timeout_s: float) -> Future[str] | None:
        if self.no_session:
            return None
        self.asked.append((hook, text, timeout_s))
        future: Future[str] = Future()
        self.futures.append(future)
        if self.answer is not None:
            try:
                future.set_result(self.answer(text))
            except Exception as error:
                future.set_exception(error)
        return future


def scored_facts(trace: Trace | None = None, score: Score | None = None, **scenario: Any) -> PointFacts:
    """What holds at on_run_scored, for the sample run unless told otherwise."""
    trace, score = trace or sample_trace(), score or sample_score()
    return PointFacts(
        run_id=trace.run_id,
        session_id=trace.session_id,
        members={
            "scenario": (encode(ScenarioInfo(id=trace.scenario_id, **scenario)), ScenarioInfo),
            "agent": (encode(AgentInfo(id=trace.agent, runtime="scripted", model=trace.model)), AgentInfo),
            "trace": (encode(trace), Trace),
            "score": (encode(score), Score),
        },
    )
