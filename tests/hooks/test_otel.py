"""Spans follow OpenTelemetry's GenAI conventions, hang together as the run did, and never hold a run up."""

from __future__ import annotations

import builtins
import importlib
import json
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from kit.observed import everything
from kit.wt import environment, evidence, small_pack, sweep_record, wt
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from windtunnel.engine.cli.hooks import SAMPLE_PACK
from windtunnel.hooks import HookConfigError
from windtunnel.hooks.activation import activate
from windtunnel.hooks.otel import sdk
from windtunnel.hooks.otel.calls import error_type
from windtunnel.hooks.otel.sdk import SdkSender
from windtunnel.hooks.otel.span import Span

Tree = dict[str, Any]


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """The SDK's exporter into memory, in place of whatever the environment would name."""
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(sdk, "exporters_by", lambda env: [exporter])
    return exporter


def the_run(folder: Path, memory: InMemorySpanExporter, **env: str) -> list[ReadableSpan]:
    with everything(folder, "debrief", "otel", **env) as result:
        assert (result.exit_code, result.record.warnings) == (0, [])
    return list(memory.get_finished_spans())


def tree(spans: Sequence[ReadableSpan]) -> list[Tree]:
    """The spans by name, children within parents, in the order in which they began."""
    ordered = sorted(spans, key=lambda span: (span.start_time or 0, -(span.end_time or 0)))

    def below(parent: ReadableSpan | None) -> list[Tree]:
        wanted = None if parent is None else parent.context.span_id
        found = [span for span in ordered if (span.parent.span_id if span.parent else None) == wanted]
        return [{span.name: below(span)} for span in found]

    return below(None)


def named(spans: Sequence[ReadableSpan], name: str) -> list[ReadableSpan]:
    return sorted((span for span in spans if span.name == name), key=lambda span: span.start_time or 0)


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_a_run_is_one_tree_of_turns_attempts_tools_and_helpers(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    spans = the_run(tmp_path, memory)
    assert tree(spans) == [{"run lamps": [
        {"invoke_agent visitor": [{"chat visitor-1": []}]},
        {"invoke_agent careful": [
            {"chat small": []}, {"chat small": []},
            {"execute_tool look": []}, {"execute_tool ship": []}, {"execute_tool luk": []},
            {"chat small": []},
        ]},
        {"invoke_agent owl": [{"chat owl-1": []}]},
        {"invoke_agent careful": [{"chat small": []}]},
        {"invoke_agent careful": [{"chat small": []}]},
    ]}]
    assert len({span.context.trace_id for span in spans}) == 1
    by_id = {span.context.span_id: span for span in spans}
    for span in spans:
        assert span.start_time is not None
        assert span.end_time is not None
        assert span.start_time <= span.end_time
        if span.parent:
            parent = by_id[span.parent.span_id]
            assert (parent.start_time or 0) <= span.start_time
            assert span.end_time <= (parent.end_time or 0)
    (run,) = named(spans, "run lamps")
    assert abs((run.end_time or 0) / 1e9 - time.time()) < 60


def test_an_attempt_is_a_chat_span(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    refused, asked, answered, *_ = named(the_run(tmp_path, memory), "chat small")
    told = attributes(refused)
    assert (refused.kind, refused.status.status_code, refused.status.description) == (SpanKind.CLIENT, StatusCode.ERROR, None)
    assert told["error.type"] == "EndpointFault"
    assert (told["windtunnel.retry_count"], attributes(asked)["windtunnel.retry_count"]) == (0, 1)
    told = attributes(answered)
    assert answered.status.status_code is StatusCode.UNSET
    assert told.pop("gen_ai.response.time_to_first_chunk") >= 0
    assert told.pop("windtunnel.request_id").startswith("req-")
    assert len(told.pop("gen_ai.conversation.id")) == 32
    assert told == {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "small",
        "gen_ai.request.temperature": 0.0, "gen_ai.request.stream": True,
        "gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 5, "gen_ai.response.finish_reasons": ("stop",),
        "windtunnel.retry_count": 0,
    }


def test_a_tool_call_is_an_execute_tool_span(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    spans = the_run(tmp_path, memory)
    found = {name: named(spans, f"execute_tool {name}")[0] for name in ("look", "ship", "luk")}
    assert attributes(found["look"]) == {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "call_1", "windtunnel.tool.effect": "read", "windtunnel.tool.status": "ok",
    }
    assert {name: (span.kind, span.status.status_code, attributes(span).get("error.type")) for name, span in found.items()} == {
        "look": (SpanKind.INTERNAL, StatusCode.UNSET, None),
        "ship": (SpanKind.INTERNAL, StatusCode.ERROR, "blocked"),
        "luk": (SpanKind.INTERNAL, StatusCode.ERROR, "tool_error"),
    }


def test_a_turn_and_a_helper_are_agents_that_were_invoked(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    spans = the_run(tmp_path, memory)
    turn, debrief, _ = named(spans, "invoke_agent careful")
    told = attributes(turn)
    assert turn.kind is SpanKind.INTERNAL
    assert {key: told[key] for key in told if key != "gen_ai.conversation.id"} == {
        "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "careful", "gen_ai.request.model": "small",
        "gen_ai.response.finish_reasons": ("stop",), "windtunnel.turn": 1,
        "gen_ai.usage.input_tokens": 31, "gen_ai.usage.output_tokens": 12,
    }
    (judge,) = named(spans, "invoke_agent owl")
    assert (attributes(judge)["windtunnel.aux_task"], attributes(debrief)["windtunnel.aux_task"]) == ("llm_rubric", "debrief")
    assert attributes(judge)["gen_ai.conversation.id"] != told["gen_ai.conversation.id"]
    assert attributes(debrief)["gen_ai.conversation.id"] == told["gen_ai.conversation.id"]


def test_the_verdict_stands_on_the_run_with_each_layer_as_an_evaluation(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    (run,) = named(the_run(tmp_path, memory), "run lamps")
    told = attributes(run)
    assert (told["windtunnel.verdict"], told["windtunnel.pack"], told["windtunnel.run_number"]) == ("PASS", "desk", 1)
    assert run.status.status_code is StatusCode.UNSET
    assert [(event.name, dict(event.attributes or {})) for event in run.events] == [
        ("gen_ai.evaluation.result", {
            "gen_ai.evaluation.name": name, "gen_ai.evaluation.score.label": "pass", "gen_ai.evaluation.score.value": 1.0,
        }) for name in ("outcome", "integrity")
    ]
    assert run.resource.attributes["service.name"] == "windtunnel"


TEXTS = ("lamp", "three", "Be careful", "not today", "busy", "How many")


def test_no_text_of_a_run_is_told_unless_it_is_asked_for(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    told = "".join(span.to_json() for span in the_run(tmp_path, memory)).replace("run lamps", "").replace('"lamps"', "")
    assert [text for text in TEXTS if text in told] == []


def test_with_content_turns_arguments_results_and_errors_are_told(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    spans = the_run(tmp_path, memory, WT_OTEL_CONTENT="1")
    told = "".join(span.to_json() for span in spans)
    assert [text for text in TEXTS if text not in told] == []
    look = attributes(named(spans, "execute_tool look")[0])
    assert (look["gen_ai.tool.call.arguments"], look["gen_ai.tool.call.result"]) == ('{"item":"lamp"}', '[{"pieces":3}]')
    turn = attributes(named(spans, "invoke_agent careful")[0])
    assert json.loads(turn["gen_ai.input.messages"]) == [{"role": "user", "parts": [{"type": "text", "content": "How many lamps?"}]}]
    assert json.loads(turn["gen_ai.output.messages"]) == [
        {"role": "assistant", "parts": [{"type": "text", "content": "It is three."}], "finish_reason": "stop"}
    ]
    assert json.loads(turn["gen_ai.system_instructions"]) == [{"type": "text", "content": "Be careful."}]
    assert named(spans, "execute_tool ship")[0].status.description == "not today"


def test_trouble_of_the_bench_is_an_error_of_the_run(tmp_path: Path, memory: InMemorySpanExporter) -> None:
    with everything(tmp_path, "otel", DESK_URL="http://127.0.0.1:9/v1") as result:
        assert result.exit_code == 3
    spans = memory.get_finished_spans()
    assert tree(spans) == [{"run lamps": [{"invoke_agent visitor": [{"chat visitor-1": []}]}]}]
    (run,) = named(spans, "run lamps")
    assert (run.status.status_code, attributes(run)["error.type"], attributes(run)["windtunnel.verdict"]) == (
        StatusCode.ERROR, "bench", "ERROR",
    )
    (visitor,) = named(spans, "invoke_agent visitor")
    assert visitor.status.status_code is StatusCode.ERROR
    assert "127.0.0.1" not in "".join(span.to_json() for span in spans)


@pytest.mark.parametrize(("text", "kind"), [
    ("TimeoutError: no answer", "TimeoutError"), ("a.b.Fault: x", "a.b.Fault"), ("Cancelled", "Cancelled"),
    ("answered with 503", "_OTHER"), ("", "_OTHER"),
])
def test_the_type_of_an_error_is_what_stands_before_its_text(text: str, kind: str) -> None:
    assert error_type(text) == kind


def root(name: str, children: int = 0) -> Span:
    return Span(name=name, at_ms=0, end_ms=1, children=[Span(name="c", at_ms=0, end_ms=1) for _ in range(children)])


def test_a_quick_sweep_loses_no_span_where_the_collector_keeps_up() -> None:
    memory = InMemorySpanExporter()
    sender = SdkSender([memory], {})
    for n in range(60):
        sender.send(root(f"r{n}", 99), time.time_ns())
    assert sender.close(30) == []
    assert len(memory.get_finished_spans()) == 6000


class Stuck(SpanExporter):
    """A collector that never answers."""

    def __init__(self) -> None:
        self.release = threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.release.wait(60)
        return SpanExportResult.FAILURE


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    exporter = Stuck()
    yield exporter
    exporter.release.set()


def test_a_collector_that_hangs_is_left_behind_and_told(stuck: Stuck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdk, "DRAIN_S", 0.05)
    sender = SdkSender([stuck], {})
    for n in range(50):
        sender.send(root(f"r{n}", 99), time.time_ns())
    assert "spans: not every span was sent within 0.05 s; see OTEL_EXPORTER_OTLP_ENDPOINT" in sender.close(0.05)
    sender.send(root("late"), time.time_ns())
    assert sender.close(0) == []


def test_what_the_sdk_logs_is_told_once_and_reaches_no_console(capsys: pytest.CaptureFixture[str]) -> None:
    sender = SdkSender([InMemorySpanExporter()], {})
    sender.send(root("r"), time.time_ns())
    for n in range(40):
        logging.getLogger("opentelemetry.exporter").warning("no collector %s\n", n % 20)
    logging.getLogger("opentelemetry.exporter").warning("wrong %d", "x")
    told = sender.close(10)
    assert told[0] == "spans: no collector 0"
    assert len(told) == sdk.MOST_TROUBLES
    assert capsys.readouterr() == ("", "")
    assert logging.getLogger("opentelemetry").propagate
    assert logging.getLogger("opentelemetry").handlers == []


def test_a_sender_that_was_never_used_has_started_nothing() -> None:
    before = threading.active_count()
    assert SdkSender([InMemorySpanExporter()], {}).close(0) == []
    assert threading.active_count() == before


def test_without_the_extra_the_fault_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError("No module named 'opentelemetry'", name="opentelemetry")
        return real(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "windtunnel.hooks.otel.sdk")
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(HookConfigError) as fault:
        activate(["otel"], [SAMPLE_PACK], {}, Path())
    assert str(fault.value) == (
        "hook 'otel' needs OpenTelemetry's SDK, which is not installed (No module named 'opentelemetry'); "
        "pip install 'windtunnel-engine[otel]'"
    )
    monkeypatch.undo()
    importlib.import_module("windtunnel.hooks.otel.sdk")


@pytest.mark.parametrize(("env", "told"), [
    ({"OTEL_TRACES_EXPORTER": "zipkinn"}, "hook 'otel': no span exporter 'zipkinn' (OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_PROTOCOL); "
                                        "installed: "),
    ({"OTEL_EXPORTER_OTLP_PROTOCOL": "smoke"}, "hook 'otel': no span exporter 'otlp_smoke' "),
    ({"WT_OTEL_CONTENT": "yes"}, "WT_OTEL_CONTENT is 'yes'; it takes one of: 0, 1"),
    ({"WT_OTEL_CONTENTS": "1"}, "WT_OTEL_CONTENTS is set, and hook 'otel' does not know it; it takes content"),
])
def test_what_the_environment_cannot_mean_is_a_fault(env: dict[str, str], told: str) -> None:
    with pytest.raises(HookConfigError) as fault:
        activate(["otel"], [SAMPLE_PACK], env, Path())
    assert str(fault.value).startswith(told)


def test_none_is_no_exporter() -> None:
    assert sdk.exporters_by({"OTEL_TRACES_EXPORTER": "none"}) == []
    assert [type(each).__name__ for each in sdk.exporters_by({})] == ["OTLPSpanExporter"]


class Collector(BaseHTTPRequestHandler):
    """Keeps what arrives at /v1/traces, as the protocol has it."""

    got: ClassVar[list[ExportTraceServiceRequest]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200 if self.path == "/v1/traces" else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_real_collector_gets_the_spans_by_the_standard_variables(tmp_path: Path) -> None:
    small_pack(tmp_path)
    Collector.got.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        env = environment(OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{server.server_port}", OTEL_SERVICE_NAME="bench")
        ended = wt("run", "shop.yaml", "--hook", "otel", folder=tmp_path, env=env)
        server.shutdown()
    assert (ended.code, "warning" in ended.err) == (0, False), ended
    resources = [resource for request in Collector.got for resource in request.resource_spans]
    assert {each.value.string_value for resource in resources for each in resource.resource.attributes
            if each.key == "service.name"} == {"bench"}
    names = Counter(span.name for resource in resources for scope in resource.scope_spans for span in scope.spans)
    assert names == {"run ask": 2, "run buy": 2, "invoke_agent good": 6, "chat": 6, "execute_tool stock_get": 2, "execute_tool order": 2}


def test_a_collector_that_is_away_changes_no_verdict_and_is_told_in_the_record(tmp_path: Path) -> None:
    small_pack(tmp_path)
    env = environment(OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9", OTEL_EXPORTER_OTLP_TIMEOUT="1")
    plain = wt("run", "shop.yaml", "--runs-dir", "a", "--deterministic", "7", folder=tmp_path, env=env)
    ended = wt("run", "shop.yaml", "--runs-dir", "b", "--deterministic", "7", "--hook", "otel", folder=tmp_path, env=env)
    assert (plain.code, ended.code) == (0, 0)
    assert evidence(tmp_path / "a") == evidence(tmp_path / "b")
    assert any(line.startswith("hook:otel: spans: ") for line in sweep_record(tmp_path / "b")["warnings"])
