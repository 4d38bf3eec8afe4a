"""The JSON Schemas are a contract for any reader: complete, described, and of one mind with the code."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from windtunnel.schemas import doctor, observations, records, registry, scores, selftests, state, surfaces, sweeps
from windtunnel.schemas.catalog import artifact_faults, bundle, file_name, kinds, schema
from windtunnel.schemas.codec import UNSET
from windtunnel.schemas.registry import references, resolve
from windtunnel.schemas.sieve import PARTS

FILES = sorted(Path(registry.__file__).parent.glob("*.json"))
SUBSCHEMAS = ("properties", "patternProperties", "$defs", "dependentSchemas")


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _schemas(node: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema within a schema, with its place."""
    if not isinstance(node, dict):
        return
    yield place, node
    for key, value in node.items():
        if key in SUBSCHEMAS:
            for name, each in value.items():
                yield from _schemas(each, f"{place}/{key}/{name}")
        elif key == "dependentRequired":
            continue
        elif isinstance(value, list):
            for n, each in enumerate(value):
                yield from _schemas(each, f"{place}/{key}/{n}")
        else:
            yield from _schemas(value, f"{place}/{key}")


EVERY = [each for path in FILES for each in _schemas(_load(path), path.name)]


def test_every_property_has_a_description() -> None:
    missing = [
        f"{place}/{key}"
        for place, node in EVERY
        for key, each in node.get("properties", {}).items()
        if isinstance(each, dict) and "description" not in each
    ]
    assert missing == []


def test_every_reference_names_a_schema_of_ours() -> None:
    for path in FILES:
        for reference in references(_load(path)):
            if reference.startswith("#"):
                continue
            assert reference.partition("#")[0] in {each.name for each in FILES}
            assert isinstance(resolve(reference), dict | bool)


def test_the_sieve_knows_every_keyword_that_documents_use() -> None:
    written = {key for _, node in EVERY for key in node}
    assert written - PARTS.keys() == {"$schema"}


def test_no_property_is_met_by_a_pattern_too() -> None:
    for _, node in EVERY:
        for pattern in node.get("patternProperties", {}):
            assert not [key for key in node.get("properties", {}) if re.search(pattern, key)]


@pytest.mark.parametrize("kind", kinds())
def test_a_bundle_stands_alone(kind: str) -> None:
    whole = bundle(kind)
    Draft202012Validator.check_schema(whole)
    assert whole["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for reference in references(whole):
        assert reference == "#" or reference.removeprefix("#/$defs/") in whole["$defs"]


@pytest.mark.parametrize("kind", kinds())
def test_a_schema_is_what_its_file_says(kind: str) -> None:
    assert schema(kind) == _load(Path(registry.__file__).parent / file_name(kind))


RECORDS = {
    "trace.v1.json": records.Trace,
    "trace.v1.json#/$defs/turn": records.Turn,
    "trace.v1.json#/$defs/turn/properties/usage": records.Usage,
    "trace.v1.json#/$defs/call": records.Call,
    "trace.v1.json#/$defs/intervention": records.Intervention,
    "trace.v1.json#/$defs/stage_error": records.StageError,
    "trace.v1.json#/$defs/table": records.TableState,
    "score.v1.json": scores.Score,
    "score.v1.json#/$defs/layer": scores.LayerResult,
    "score.v1.json#/$defs/finding": scores.Finding,
    "ledger_row.v1.json": sweeps.Aggregate,
    "results.v1.json": sweeps.SweepResults,
    "results.v1.json#/$defs/matrix": sweeps.MatrixResult,
    "results.v1.json#/$defs/cell": sweeps.CellResult,
    "doctor.v1.json": doctor.DoctorReport,
    "doctor.v1.json#/$defs/check": doctor.DoctorCheck,
    "selftest.v1.json": selftests.SelftestResults,
    "selftest.v1.json#/$defs/certificate": selftests.Certificate,
    "selftest.v1.json#/$defs/reference": selftests.PlayedReference,
    "selftest.v1.json#/$defs/check": selftests.CheckWorth,
    "state_violation.v1.json": state.StateViolation,
    "state_violation.v1.json#/$defs/baseline": state.StateBaseline,
    "state_violation.v1.json#/$defs/change": state.StateChange,
    "surface.v1.json": surfaces.GoldenFile,
    "surface.v1.json#/$defs/segment": surfaces.Segment,
    "surface.v1.json#/$defs/surface": surfaces.Surface,
    "surface.v1.json#/$defs/recorded": surfaces.RecordedSurface,
    "surface_diff.v1.json": surfaces.SurfaceDiff,
    "surface_diff.v1.json#/$defs/size": surfaces.SegmentSize,
    "surface_diff.v1.json#/$defs/segment": surfaces.SegmentDifference,
    "surface_diff.v1.json#/$defs/difference": surfaces.SurfaceDifference,
    "sweep.v1.json": sweeps.SweepRecord,
    "sweep.v1.json#/$defs/artifact": sweeps.ArtifactRow,
    "sweep.v1.json#/$defs/added": sweeps.AddedRow,
    "timeline.v1.json": observations.Timeline,
    "timeline.v1.json#/$defs/entry": observations.TimelineEntry,
    "usage.v1.json": observations.UsageReport,
    "usage.v1.json#/$defs/model": observations.ModelUsage,
    "usage.v1.json#/$defs/tool": observations.ToolUsage,
}


def test_every_record_that_is_written_has_a_schema() -> None:
    modules = (doctor, observations, records, scores, selftests, state, surfaces, sweeps)
    written = {each for module in modules for each in vars(module).values()
               if dataclasses.is_dataclass(each) and each.__module__ == module.__name__}  # fmt: skip
    assert written == set(RECORDS.values())


@pytest.mark.parametrize(("reference", "record"), RECORDS.items())
def test_a_record_and_its_schema_have_the_same_members(reference: str, record: Any) -> None:
    described = resolve(reference)
    members = dataclasses.fields(record)
    assert sorted(described["properties"]) == sorted(member.name for member in members)
    left_out = {member.name for member in members if member.default is UNSET}
    assert set(described["properties"]) - set(described["required"]) == left_out


def test_what_keeps_data_from_being_an_artifact_is_told() -> None:
    row = {
        "schema_version": 1,
        "run_id": "x",
        "scenario_id": "s",
        "agent": "a",
        "verdict": "MAYBE",
        "failed_layers": [],
    }
    layer = {"passed": None, "gate": False, "detail": "not declared"}
    layers = dict.fromkeys(("outcome", "trajectory", "constraint"), layer)
    assert sorted(artifact_faults("score", {**row, "layers": layers, "findings": [], "notes": []})) == [
        "layers: the key 'integrity' is missing",
        "run_id: 'x' is not a run id",
        "verdict: 'MAYBE' is not known here",
    ]
