"""Differences are the fewest that there are, told once for all scenarios that differ alike."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.surface.compare import compare, segment_differences
from windtunnel.engine.surface.lines import MOST_SHOWN, diff_lines
from windtunnel.engine.surface.segments import surface_of
from windtunnel.schemas.codec import UNSET
from windtunnel.schemas.secrets import Secrets
from windtunnel.schemas.surfaces import Segment, Surface

NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True)


def segments(names: Sequence[str]) -> list[Segment]:
    return [Segment(name=name, sha256=name * 64, chars=1) for name in names]


def prompt(text: str, store_text: bool = True, **more: object) -> Surface:
    return surface_of({"system_prompt": text, **more}, Secrets(), store_text=store_text)


@given(NAMES, NAMES)
def test_taking_out_what_moved_leaves_the_rest_in_one_order(before: list[str], after: list[str]) -> None:
    found = list(segment_differences(segments(before), segments(after)))
    moved = {one.name for one in found if one.change == "moved"}
    assert {one.name for one in found if one.change == "removed"} == set(before) - set(after)
    assert {one.name for one in found if one.change == "added"} == set(after) - set(before)
    both = set(before) & set(after)
    assert [n for n in before if n in both - moved] == [n for n in after if n in both - moved]
    assert (found == []) == (before == after)


def test_one_that_goes_to_the_end_is_the_only_one_that_moved() -> None:
    (found,) = segment_differences(segments("abcdef"), segments("acdefb"))
    assert (found.name, found.change, found.after) == ("b", "moved", "f")


def test_a_segment_that_changed_and_moved_is_told_twice() -> None:
    after = [Segment(name="c", sha256="x" * 64, chars=2), *segments("ab")]
    found = [(one.name, one.change, one.after) for one in segment_differences(segments("abc"), after)]
    assert found == [("c", "changed", UNSET), ("c", "moved", "")]


def test_scenarios_that_differ_alike_are_one_difference_whatever_else_they_show() -> None:
    recorded = {("a", f"s{n}"): prompt(f"Scenario {n}.", sampling={"temperature": 0}) for n in range(3)}
    found = {("a", f"s{n}"): prompt(f"Scenario {n}.", sampling={"temperature": 1}) for n in range(3)}
    compared = compare(recorded, found, [], {})
    assert [(one.scenarios, [each.name for each in one.segments]) for one in compared.differences] == [(["s0", "s1", "s2"], ["sampling"])]
    assert compared.pairs == 3


def test_pairs_that_are_new_gone_or_unseen_are_each_told() -> None:
    one = prompt("Hello.")
    compared = compare({("a", "old"): one, ("a", "left"): one}, {("a", "new"): one}, [("a", "old")], {("b", "x"): "it hangs"})
    assert [(d.agent, d.scenarios, d.kind, d.reason) for d in compared.differences] == [
        ("a", ["new"], "unrecorded", UNSET), ("a", ["old"], "gone", UNSET), ("b", ["x"], "unseen", "it hangs"),
    ]  # fmt: skip
    assert compared.pairs == 3


def test_a_text_diff_needs_both_texts() -> None:
    (found,) = segment_differences(prompt("One.", store_text=False).segments, prompt("Two.").segments)
    assert (found.change, found.diff) == ("changed", UNSET)


def test_a_change_in_a_long_line_shows() -> None:
    long = " ".join(f"Sentence number {n} says nothing." for n in range(60))
    lines = diff_lines(long, long.replace("number 30 says", "number 30 still says"))
    assert [line for line in lines if line[0] in "+-"][2:] == [
        "-Sentence number 30 says nothing.", "+Sentence number 30 still says nothing.",
    ]  # fmt: skip


def test_json_that_differs_in_its_white_space_alone_still_shows() -> None:
    assert diff_lines('{"a": 1}', '{"a":1}')[3:] == ['-{"a": 1}', '+{"a":1}']


def test_a_diff_ends() -> None:
    lines = diff_lines("\n".join(f"{n} here" for n in range(1000)), "\n".join(f"{n} there" for n in range(1000)))
    assert len(lines) == MOST_SHOWN + 1
    assert lines[-1].startswith("(and ")
    assert diff_lines("x\n" * 3000, "y") == ["(no diff: the text has more than 2000 lines)"]
    assert diff_lines("x" * (2 << 20), "y") == ["(no diff: the text has more than 1048576 characters)"]
