"""The board counts runs and knows which batches are under way."""

from __future__ import annotations

from windtunnel.engine.report.board import Board

A, B, C, D, E = ((("shop", name, "good")) for name in "abcde")


def board(*batches: tuple[tuple[str, str, str], int], at_once: int = 2) -> Board:
    return Board(batches, at_once=at_once, clock=iter(range(100)).__next__)


def test_the_first_line_says_how_much_there_is() -> None:
    assert board((A, 5), (B, 7), at_once=8).start_line() == "12 runs of 2 batches, 8 at once"
    assert board((A, 1), at_once=1).start_line() == "1 run of 1 batch, 1 at once"


def test_batches_begin_in_order_as_many_as_there_are_jobs() -> None:
    kept = board((A, 2), (B, 1), (C, 1))
    seen = [list(kept.running)]
    for key, verdict in ((A, "PASS"), (B, "FAIL"), (A, "PASS"), (C, "ERROR")):
        kept.run_done(key, verdict)
        seen.append(list(kept.running))
    assert seen == [[A, B], [A, B], [A, C], [C], []]
    assert kept.counts == {"PASS": 2, "FAIL": 1, "INVALID": 0, "ERROR": 1, "NOT_RUN": 0}


def test_a_skipped_batch_is_never_under_way() -> None:
    assert board((A, 0), (B, 1), (C, 0), (D, 1)).running == (B, D)


def test_a_progress_line_says_how_far_it_is() -> None:
    kept = board((A, 3), (B, 3), (C, 3), (D, 3), (E, 3), at_once=5)
    assert kept.progress_line() == "0 of 15 runs in 1 s; running: a/good, b/good, c/good and 2 more"
    for verdict in ("PASS", "FAIL", "PASS"):
        kept.run_done(A, verdict)
    assert kept.progress_line() == "3 of 15 runs in 2 s: 2 PASS, 1 FAIL; running: b/good, c/good, d/good and 1 more"


def test_a_run_of_no_known_batch_is_counted_and_breaks_nothing() -> None:
    kept = board((A, 1))
    kept.run_done(E, "PASS")
    kept.run_done(A, "PASS")
    kept.run_done(A, "PASS")
    assert (kept.done, kept.running) == (3, ())
