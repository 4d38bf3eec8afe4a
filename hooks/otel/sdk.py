"""Send spans by OpenTelemetry's SDK, which reads its own OTEL_* variables; no wait here is longer than its bound."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points

from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer, set_span_in_context

from ... import __version__
from ...schemas.bounded import clean_text, describe_error
from ..errors import HookConfigError
from ..loader import in_import_time
from .span import Span

GROUP = "opentelemetry_traces_exporter"
DRAIN_EVERY = 512  # spans; the SDK's queue holds 2048 and drops what comes after
DRAIN_S = 5.0
_OTLP = {"http/protobuf": "otlp_proto_http", "grpc": "otlp_proto_grpc"}
MOST_TROUBLES, TROUBLE_CHARS = 10, 300


class SdkSender:
    """Sends from a thread of the SDK. A collector that is slow or away costs ``DRAIN_S`` once, and then spans."""

    def __init__(self, exporters: Sequence[SpanExporter], env: Mapping[str, str]) -> None:
        self._exporters = exporters
        self._env = env
        self._lock = threading.Lock()
        self._troubles = _Troubles()
        self._provider: TracerProvider | None = None
        self._tracer: Tracer | None = None
        self._waiting = 0
        self._slow = False
        self._closed = False

    def send(self, root: Span, began_ns: int) -> None:
        with self._lock:
            if not self._closed:
                self._write(self._tracer or self._begin(), root, began_ns, Context())

    def close(self, timeout_s: float) -> list[str]:
        with self._lock:
            self._closed, provider, self._provider = True, self._provider, None
        if provider is None:
            return []
        if not _within(timeout_s, provider.shutdown):
            self._troubles.add(f"not every span was sent within {timeout_s:g} s; see OTEL_EXPORTER_OTLP_ENDPOINT")
        self._troubles.leave()
        return [f"spans: {text}" for text in self._troubles.texts]

    def _begin(self) -> Tracer:
        """The SDK starts its threads with the first run, and not where a sweep is only planned."""
        self._troubles.enter()
        self._provider = TracerProvider(resource=_resource(self._env), shutdown_on_exit=False)
        for exporter in self._exporters:
            self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("windtunnel", __version__)
        return self._tracer

    def _write(self, tracer: Tracer, span: Span, began_ns: int, parent: Context) -> None:
        kind = SpanKind.CLIENT if span.remote else SpanKind.INTERNAL
        attributes = span.attributes | ({"error.type": span.error_type} if span.error_type else {})
        end_ns = began_ns + round(span.end_ms * 1e6)
        written = tracer.start_span(
            span.name, context=parent, kind=kind, attributes=attributes, start_time=began_ns + round(span.at_ms * 1e6)
        )
        for child in sorted(span.children, key=lambda each: each.at_ms):
            self._write(tracer, child, began_ns, set_span_in_context(written, parent))
        for name, told in span.events:
            written.add_event(name, told, timestamp=end_ns)
        if span.error_type:
            written.set_status(Status(StatusCode.ERROR, span.error_text or None))
        written.end(end_ns)
        self._drain()

    def _drain(self) -> None:
        """Let the queue run empty from time to time: a quick sweep loses no span where the collector keeps up."""
        self._waiting += 1
        if self._waiting >= DRAIN_EVERY and not self._slow and self._provider is not None:
            self._waiting = 0
            self._slow = not _within(DRAIN_S, self._provider.force_flush)


class _Troubles(logging.Handler):
    """Keeps what the SDK logs, each text once, so that it lands in the sweep's record and not across the console."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._logger = logging.getLogger("opentelemetry")
        self._propagated = True
        self.texts: list[str] = []

    def enter(self) -> None:
        self._propagated, self._logger.propagate = self._logger.propagate, False
        self._logger.addHandler(self)

    def leave(self) -> None:
        self._logger.removeHandler(self)
        self._logger.propagate = self._propagated

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self.add(record.getMessage())
        except Exception as error:  # noqa: BLE001 - a log call with wrong arguments
            self.add(describe_error(error))

    def add(self, text: str) -> None:
        text = clean_text(" ".join(text.split()), TROUBLE_CHARS)
        if text not in self.texts and len(self.texts) < MOST_TROUBLES:
            self.texts.append(text)


def exporters_by(env: Mapping[str, str]) -> list[SpanExporter]:
    """Those that OTEL_TRACES_EXPORTER names (``otlp`` if it is not set). Raises HookConfigError."""
    asked = [name.strip() for name in (env.get("OTEL_TRACES_EXPORTER") or "otlp").split(",")]
    return [_exporter(name, env) for name in asked if name and name != "none"]


def _exporter(asked: str, env: Mapping[str, str]) -> SpanExporter:
    name = asked
    if asked == "otlp":
        protocol = env.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or env.get("OTEL_EXPORTER_OTLP_PROTOCOL")
        name = _OTLP.get(protocol or "http/protobuf", f"otlp_{protocol}")
    found = tuple(entry_points(group=GROUP, name=name))
    if not found:
        known = ", ".join(sorted({each.name for each in entry_points(group=GROUP)} | {"otlp", "none"}))
        raise HookConfigError(
            f"hook 'otel': no span exporter {name[:80]!r} (OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_PROTOCOL); "
            f"installed: {known}; or pip install opentelemetry-exporter-{name.replace('_', '-')[:80]}"
        )
    try:
        exporter: SpanExporter = in_import_time(in_import_time(found[0].load))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an installed exporter is foreign code, and reads the environment
        raise HookConfigError(
            f"hook 'otel': span exporter {name[:80]!r} was not made: {describe_error(error)}; see OTEL_EXPORTER_*"
        ) from error
    return exporter


def _resource(env: Mapping[str, str]) -> Resource:
    """The service is ``windtunnel`` unless the environment names it."""
    named = env.get("OTEL_SERVICE_NAME") or "service.name=" in env.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return Resource.create({} if named else {SERVICE_NAME: "windtunnel"})


def _within(seconds: float, work: Callable[[], object]) -> bool:
    """Whether the work, on a thread that nobody waits for longer, was done in time."""
    thread = threading.Thread(target=work, name="windtunnel-otel", daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()
