"""A declared probe gives the state as a mapping, or a fault that names probe, cause and remedy, within its bound."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from kit.endpoint import Answer, Endpoint
from kit.packs import mark_of
from windtunnel.hooks import StateProbeFault
from windtunnel.hooks.state.declared import declared_probe
from windtunnel.schemas.hook_documents import StateProbeSpec

PYTHON = sys.executable


def look(folder: Path, **said: Any) -> Mapping[str, Any]:
    spec = StateProbeSpec(folder=folder, mark=mark_of(folder), **said)
    return declared_probe(spec, os.environ).capture_state()


def fault(folder: Path, **said: Any) -> str:
    with pytest.raises(StateProbeFault) as caught:
        look(folder, **said)
    return str(caught.value)


def python(code: str) -> tuple[str, ...]:
    return PYTHON, "-c", code


def test_a_command_prints_the_state_from_the_folder_of_its_document(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"notes": ["tea"], "rows": 3}')
    assert look(tmp_path, command=("cat", "state.json")) == {"notes": ["tea"], "rows": 3}


def test_a_program_of_the_pack_is_found_beside_it(tmp_path: Path) -> None:
    program = tmp_path / "probe.sh"
    program.write_text("#!/bin/sh\necho '{\"a\": 1}'\n")
    program.chmod(0o755)
    assert look(tmp_path, command=("./probe.sh",)) == {"a": 1}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("pass", "printed nothing; let it give a JSON object, such as {\"rows\": 3}"),
        ("print('three rows')", "printed no JSON, it begins with 'three rows'; let it give a JSON object, such as {\"rows\": 3}"),
        ("print('[1, 2]')", "printed a list, no mapping; let it give a JSON object, such as {\"rows\": 3}"),
        ("print('{\"a\": NaN}')", "printed no JSON, it begins with '{\"a\": NaN}'; let it give a JSON object, such as {\"rows\": 3}"),
        ("print('{\"a\": 1}'); import sys; sys.exit('the store is locked')",
         "left with exit code 1 (the store is locked); run it by hand"),
        ("print('{\"a\": 1}', flush=True); import os; os.kill(os.getpid(), 9)", "was ended by Killed; run it by hand"),
    ],
    ids=["nothing", "text", "list", "nan", "exit code", "signal"],
)
def test_a_command_that_gives_no_mapping_is_a_fault(tmp_path: Path, code: str, told: str) -> None:
    assert fault(tmp_path, command=python(code)).partition("` ")[2] == told


def test_a_command_that_hangs_is_ended_at_its_time(tmp_path: Path) -> None:
    began = time.monotonic()
    told = fault(tmp_path, command=("sleep", "600"), timeout_s=0.3)
    assert told == (
        "the command `sleep 600` did not end within 0.3 s; make it quicker, or raise state_probe.timeout_s (at most 120)"
    )
    assert time.monotonic() - began < 60


def test_what_a_command_started_is_gone_with_it(tmp_path: Path) -> None:
    code = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print('{\"pid\": %d}' % p.pid)"
    pid = look(tmp_path, command=python(code), timeout_s=20)["pid"]
    for _ in range(500):
        if not Path(f"/proc/{pid}/stat").exists() or Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.01)
    pytest.fail("the grandchild still runs")


def test_a_command_that_prints_100_mb_is_cut_off(tmp_path: Path) -> None:
    told = fault(tmp_path, command=python("print('x' * 100_000_000)"), timeout_s=60)
    assert told.endswith("printed more than 4,194,304 bytes; let it give less: counts, or digests")


def test_a_command_that_complains_without_end_has_its_state_all_the_same(tmp_path: Path) -> None:
    code = "import sys; sys.stderr.write('x' * 20_000_000); print('{\"a\": 1}')"
    assert look(tmp_path, command=python(code), timeout_s=60) == {"a": 1}


def test_a_command_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    assert fault(tmp_path, command=("no_such_probe",)) == (
        "the command `no_such_probe` cannot be started: no such file or directory; is it installed, and on the PATH?"
    )


def test_an_address_answers_with_the_state(tmp_path: Path) -> None:
    with Endpoint([Answer(body={"rows": 3})]) as endpoint:
        assert look(tmp_path, url=f"{endpoint.root}/state?of=all") == {"rows": 3}
        assert endpoint.requests[0].path == "/state?of=all"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(status=500, body={"a": 1}), "answered status 500; it has to answer 200 with the state itself"),
        (Answer(status=302, headers={"Location": "/"}), "answered status 302; it has to answer 200 with the state itself"),
        (Answer(body=[1]), "answered with a list, no mapping; let it give a JSON object, such as {\"rows\": 3}"),
        (Answer(body=b"x" * 5_000_000), "answered with more than 4,194,304 bytes; let it give less: counts, or digests"),
        (Answer(hold=True), "did not answer within 0.5 s; look at its load, or raise state_probe.timeout_s (at most 120)"),
        (Answer(pieces=(b"{", b"\n"), hold=True),
         "did not answer within 0.5 s; look at its load, or raise state_probe.timeout_s (at most 120)"),
    ],
    ids=["500", "redirect", "list", "too much", "hangs", "hangs in the middle"],
)
def test_an_address_that_gives_no_mapping_is_a_fault(tmp_path: Path, answer: Answer, told: str) -> None:
    with Endpoint([answer]) as endpoint:
        seconds = 0.5 if answer.hold else 20
        assert fault(tmp_path, url=f"{endpoint.root}/state", timeout_s=seconds) == f"the address {endpoint.root}/state {told}"


def test_an_address_where_nobody_listens_is_a_fault(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/state"
        assert fault(tmp_path, url=url) == (
            f"the address {url} cannot be asked: Connection refused; is it running, and is the url right?"
        )


def test_files_are_told_by_size_and_digest(tmp_path: Path) -> None:
    (tmp_path / "memory" / "deep").mkdir(parents=True)
    (tmp_path / "memory" / "deep" / "a.md").write_text("tea")
    (tmp_path / "memory" / "b.txt").write_text("not asked for")
    (tmp_path / "memory" / "gone.md").symlink_to("nowhere")
    os.mkfifo(tmp_path / "memory" / "pipe.md")
    found = look(tmp_path, files=("memory/**/*.md", "memory/deep/*"))
    assert found["memory/deep/a.md"] == {
        "bytes": 3, "sha256": "a9f74d1ec36ebdeb2da3f6e5868090cd2a2d20b3dcca7b62f60304b1d3d9ef42"
    }
    assert {name: each.get("kind") for name, each in found.items() if "kind" in each} == {
        "memory/gone.md": "broken link", "memory/pipe.md": "not a regular file"
    }
    assert len(found) == 3


def test_no_file_is_a_state_as_well(tmp_path: Path) -> None:
    assert look(tmp_path, files=("memory/*.md",)) == {}


def test_a_folder_with_a_pattern_in_its_name_is_no_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "a[1]"
    folder.mkdir()
    (folder / "x.md").write_text("")
    assert list(look(folder, files=("*.md",))) == ["x.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "a.md").chmod(0)
    assert fault(tmp_path, files=("*.md",)) == (
        "the file a.md cannot be read: permission denied; make it readable, or leave it out"
    )
