"""Everything that can be known before an agent is touched is told before an agent is touched."""

from __future__ import annotations

from pathlib import Path

from kit.wt import SMALL_PACK, environment, small_pack, wt

REAL = """\
  real: {runtime: openai, base_url: "http://127.0.0.1:9/v1", model: m, api_key: "{{ secret(env.SHOP_KEY) }}", system_prompt: "Code {{ env.SHOP_CODE }}"}
hooks:
"""


def with_real_agent(folder: Path) -> Path:
    return small_pack(folder, SMALL_PACK.replace("hooks:\n", REAL))


def test_every_unset_variable_of_a_selected_agent_is_told_at_once(tmp_path: Path) -> None:
    pack = with_real_agent(tmp_path)
    line = 1 + pack.read_text().splitlines().index(REAL.splitlines()[0])
    ended = wt("run", pack, "--agent", "real", folder=tmp_path)
    assert ended.code == 2
    place = f"{tmp_path}/shop.yaml:{line}:3: agents.real: "
    assert ended.err.splitlines() == [
        f"{place}the environment variable SHOP_CODE is not set; set it, or give it a default: {{{{ env.SHOP_CODE | default('...') }}}}",
        f"{place}the environment variable SHOP_KEY is not set; set it, or give it a default: {{{{ env.SHOP_KEY | default('...') }}}}",
    ]


def test_an_unset_variable_of_an_agent_that_is_not_selected_is_no_fault(tmp_path: Path) -> None:
    assert wt("run", with_real_agent(tmp_path), folder=tmp_path).code == 0


def test_a_secret_that_is_too_short_is_told(tmp_path: Path) -> None:
    ended = wt("run", with_real_agent(tmp_path), "--agent", "real", folder=tmp_path, env=environment(SHOP_KEY="short", SHOP_CODE="x"))
    assert ended.code == 2
    assert "SHOP_KEY has 5 characters: a secret needs at least 8" in ended.err


def test_a_hook_that_no_skeleton_fires_is_told(tmp_path: Path) -> None:
    (tmp_path / "bare.yaml").write_text(
        "kind: skeleton\nschema_version: 1\nname: bare\nbatch:\n  - provision\n  - check_world\n  - each_run: "
        "[reset_state, open_session, inject_turns, capture_evidence, freeze_trace, score]\n  - aggregate\n  - teardown\nsweep: [each_batch]\n"
    )
    ended = wt("run", small_pack(tmp_path), "--skeleton", "bare.yaml", "--hook", "debrief", folder=tmp_path)
    assert ended.code == 2
    assert ended.err == "hook 'debrief' would never fire: the skeleton has none of its points; points that fire: none\n"
    assert wt("run", small_pack(tmp_path), "--skeleton", "bare.yaml", folder=tmp_path).code == 0


def test_a_thread_of_a_hook_that_fails_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "h.py").write_text(
        "import threading\nclass H:\n    name = 'h'\n    def on_pack_end(self, ctx):\n"
        "        t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()\n"
    )
    ended = wt("run", small_pack(tmp_path), "--hook", "h.py:H", folder=tmp_path)
    assert ended.code == 0
    assert ended.err == "warning: a thread that the bench did not start failed: ZeroDivisionError: division by zero\n"
