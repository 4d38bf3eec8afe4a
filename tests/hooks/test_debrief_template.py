"""A debrief asks about the environment first, then blockers, then steering, or it is refused at its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from windtunnel.hooks import HookConfigError
from windtunnel.hooks.debrief.library import built_in_templates, find_template, load_template
from windtunnel.schemas.documents import Inert
from windtunnel.schemas.problems import Problems

HEAD = "kind: debrief\nschema_version: 1\nname: mine\n"
ASK = 'ask:\n  - {about: environment, question: "Quote it."}\n'


def faults(folder: Path, text: str) -> str:
    """Every fault of a document, one a line."""
    (folder / "mine.yaml").write_text(text)
    problems = Problems()
    assert load_template(folder / "mine.yaml", "mine.yaml", problems) is None
    return "\n".join(map(str, problems))


def asks(*about: str) -> str:
    return HEAD + "ask:\n" + "".join(f"  - {{about: {each}, question: Why}}\n" for each in about)


@pytest.mark.parametrize(
    "about",
    [
        ["environment"],
        ["environment", "environment", "blockers"],
        ["environment", "steering"],
        ["environment", "blockers", "steering", "steering"],
    ],
)
def test_the_order_may_leave_out_and_repeat(about: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(asks(*about))
    template = find_template("mine.yaml", said="x", folder=tmp_path)
    assert [question.about for question in template.ask] == about
    assert (template.name, template.when, template.preamble, template.follow_ups) == ("mine", "failed_layers", "", ())


@pytest.mark.parametrize(
    ("about", "text"),
    [
        (["steering", "environment"], "mine.yaml:5:13: ask[0].about: asks about steering before the environment"),
        (["blockers"], "mine.yaml:5:13: ask[0].about: asks about blockers before the environment"),
        (["environment", "steering", "blockers"], "mine.yaml:7:13: ask[2].about: asks about blockers after steering"),
        (
            ["environment", "blockers", "environment"],
            "mine.yaml:7:13: ask[2].about: asks about environment after blockers",
        ),
    ],
)
def test_any_other_order_is_refused(about: list[str], text: str, tmp_path: Path) -> None:
    remedy = "ask in the order environment, blockers, steering, and about the environment in any case"
    assert faults(tmp_path, asks(*about)) == f"{text}; {remedy}"


def test_a_name_that_its_place_does_not_give_is_a_fault_also_in_a_branch_not_taken(tmp_path: Path) -> None:
    text = faults(
        tmp_path,
        HEAD
        + "when: \"'outcome' in faild_layers\"\n"
        + "preamble: '{% if false %}{{ verdit }}{% endif %}'\n"
        + "ask:\n"
        + "  - {about: environment, question: 'You said {{ reply }}'}\n"
        + "follow_ups:\n"
        + "  - {when: \"'x' in rply\", question: 'You said {{ reply }}'}\n",
    )
    lines = text.split("\n")
    assert [line.split(": ")[1] for line in lines] == ["when", "preamble", "ask[0].question", "follow_ups[0].when"]
    assert "failed_layers" in lines[0]
    assert "verdict" in lines[1]
    assert "reply" in lines[2]
    assert "reply" in lines[3]


def test_a_document_of_another_kind_is_told_so(tmp_path: Path) -> None:
    text = faults(tmp_path, "kind: skeleton\nschema_version: 1\nname: x\n")
    assert text == "mine.yaml:1:7: kind: a debrief is meant, this is a skeleton; name a document of kind debrief"


def test_a_text_from_a_file_is_data_unless_it_is_asked_for_as_a_template(tmp_path: Path) -> None:
    (tmp_path / "said.md").write_text("{{ verdict }} stays as it is")
    (tmp_path / "mine.yaml").write_text(HEAD + "preamble: file://said.md\n" + ASK)
    template = find_template("mine.yaml", said="x", folder=tmp_path)
    assert template.preamble == "{{ verdict }} stays as it is"
    assert isinstance(template.preamble, Inert)


def test_a_text_file_that_is_not_there_is_a_fault_at_its_place(tmp_path: Path) -> None:
    assert faults(tmp_path, HEAD + "preamble: file://none.md\n" + ASK) == (
        "mine.yaml:4:11: preamble: file://none.md cannot be read: No such file or directory; "
        "mend the path; it is relative to this document"
    )


def test_the_built_in_template_is_the_one_that_the_contract_shows() -> None:
    assert sorted(built_in_templates()) == ["environment_first"]
    template = find_template("environment_first", said="x", folder=Path("/"))
    assert [question.about for question in template.ask] == ["environment", "blockers", "steering"]
    assert [follow_up.when for follow_up in template.follow_ups] == ["'error' in reply"]


def test_a_template_is_found_by_path_from_the_folder_of_the_call(tmp_path: Path) -> None:
    (tmp_path / "debriefs").mkdir()
    (tmp_path / "debriefs" / "mine.yml").write_text(HEAD + ASK)
    for asked in ("debriefs/mine.yml", "file://debriefs/mine.yml", f"{tmp_path}/debriefs/mine.yml"):
        assert find_template(asked, said="x", folder=tmp_path).name == "mine"


def test_an_unknown_template_tells_the_nearest_and_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(HookConfigError) as near:
        find_template("environment-frist", said="WT_DEBRIEF_TEMPLATE is 'environment-frist'", folder=tmp_path)
    assert str(near.value) == (
        "WT_DEBRIEF_TEMPLATE is 'environment-frist': there is no debrief template 'environment-frist'; "
        "did you mean 'environment_first', or name a path to a file"
    )
    with pytest.raises(HookConfigError, match="there are: environment_first, or name a path to a file"):
        find_template("short", said="x", folder=tmp_path)


def test_a_template_file_that_is_not_there_is_told_with_who_asked_for_it(tmp_path: Path) -> None:
    with pytest.raises(HookConfigError) as fault:
        find_template("mine.yaml", said="WT_DEBRIEF_TEMPLATE is 'mine.yaml'", folder=tmp_path)
    assert str(fault.value) == (
        f"WT_DEBRIEF_TEMPLATE is 'mine.yaml': there is no file '{tmp_path}/mine.yaml'; name a debrief document"
    )
