"""What a hook may do in the bench: emit, warn, and speak to the agent of a scored run. It reaches nothing else."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future

from ..hooks.channel import ConverseError, FaultLines
from ..schemas.bounded import clean_text, describe_error
from ..schemas.secrets import Secrets
from .artifacts.recorder import SweepRecorder
from .artifacts.slot import ConverseLog, Emission
from .runtimes.base import RuntimeFault
from .scopes import BatchScope, RunScope
from .within import Overdue, within

WARNING_CHARS = 2000


class RunChannel:
    """The channel of one run; everything it takes is kept in the run's slot."""

    def __init__(self, run: RunScope, *, may_converse: bool, loop: asyncio.AbstractEventLoop) -> None:
        self._run = run
        self._may_converse = may_converse
        self._loop = loop

    def emit(self, hook: str, point: str, payload: bytes, label: str | None) -> None:
        if not self._run.slot.closed:
            self._run.slot.emissions.append(Emission(hook=hook, point=point, label=label or "", payload=payload))

    def warn(self, hook: str, message: str) -> None:
        text = clean_text(self._run.batch.sweep.secrets.mask(message), WARNING_CHARS)
        if not self._run.slot.closed:
            self._run.slot.warnings.append(f"hook:{hook}: {text}")

    def fault(self, hook: str, message: str, count: int) -> None:
        self._run.slot.faults.add(hook, self._run.batch.sweep.secrets.mask(message), count)

    def converse(self, hook: str, text: str, timeout_s: float) -> Future[str] | None:
        """Schedule one user turn on the engine's loop; cancelling the future cancels the turn."""
        if not self._may_converse or self._run.session is None or self._run.batch.handle is None:
            return None
        log = self._run.slot.converse.setdefault(hook, ConverseLog())
        return asyncio.run_coroutine_threadsafe(self._converse(text, timeout_s, log), self._loop)

    async def _converse(self, text: str, timeout_s: float, log: ConverseLog) -> str:
        run = self._run
        session, handle = run.session, run.batch.handle
        if session is None or handle is None or run.slot.closed:
            raise ConverseError("the session is over")
        secrets = run.batch.sweep.secrets
        try:
            reply = await within(handle.send(session, clean_text(secrets.mask(text)), purpose="debrief"), timeout_s)
        except Overdue as overdue:
            log.timed_out = True
            run.batch.abandoned_turn = True
            run.batch.retired = run.batch.retired or overdue.stuck
            raise TimeoutError(f"no reply within {timeout_s:g} s") from None
        except asyncio.CancelledError:
            log.timed_out = True
            run.batch.abandoned_turn = True
            raise
        except RuntimeFault as fault:
            log.error = log.error or clean_text(secrets.mask(str(fault)), WARNING_CHARS)
            raise ConverseError(log.error) from None
        except Exception as error:  # noqa: BLE001 - whatever a runtime raises, its hook hears of it as trouble
            log.error = log.error or secrets.mask(describe_error(error))
            raise ConverseError(log.error) from None
        return clean_text(secrets.mask(str(reply.text)))


class SweepChannel:
    """The channel of a scenario's or the sweep's points: artifacts at the root, warnings in the sweep record."""

    def __init__(self, recorder: SweepRecorder, batch: BatchScope | None, mask: Secrets) -> None:
        self._recorder = recorder
        self._batch = batch
        self._secrets = mask
        self._emissions: list[Emission] = []
        self._warnings: list[str] = []
        self._faults = FaultLines()
        self._lock = threading.Lock()
        self._closed = False

    def emit(self, hook: str, point: str, payload: bytes, label: str | None) -> None:
        with self._lock:
            if not self._closed:
                self._emissions.append(Emission(hook=hook, point=point, label=label or "", payload=payload))

    def warn(self, hook: str, message: str) -> None:
        with self._lock:
            if not self._closed:
                self._warnings.append(f"hook:{hook}: {clean_text(self._secrets.mask(message), WARNING_CHARS)}")

    def fault(self, hook: str, message: str, count: int) -> None:
        with self._lock:
            if not self._closed:
                self._faults.add(hook, self._secrets.mask(message), count)

    def converse(self, hook: str, text: str, timeout_s: float) -> Future[str] | None:
        return None

    def close(self) -> list[str]:
        """Write what was emitted, put every warning into the sweep record, and return the warnings."""
        with self._lock:
            self._closed = True
        warnings = [*self._warnings, *self._faults.lines()]
        for line in warnings:
            self._recorder.warn(line)
        pack, scenario_id, agent = self._batch.key if self._batch else ("", "", "")
        for emission in self._emissions:
            self._recorder.write_emission(emission, pack=pack, scenario_id=scenario_id, agent=agent)
        return warnings
