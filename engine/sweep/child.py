"""The working child: it does the work, shows that it lives, goes with its parent, and leaves whatever hangs.

Imports the standard library alone, as ``supervise`` does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from ..exit_codes import OF_SIGNAL, OUR_BUG
from .link import Link, PipeLink

BEAT_S = 1.0


def work_and_leave(work: Callable[[Link], int], link: PipeLink, life: int) -> None:
    """Do the work and leave by ``os._exit``: neither a hanging thread nor an exit handler can hold the process."""
    code = OUR_BUG
    try:
        os.setpgid(0, 0)  # Ctrl-C reaches the parent alone, which passes it on once
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        threading.Thread(target=_beat, args=(link,), daemon=True).start()
        threading.Thread(target=_die_with_parent, args=(life,), daemon=True).start()
        code = work(link)
    except KeyboardInterrupt:
        code = OF_SIGNAL["SIGINT"]
        link.early(code)
    except SystemExit:
        code = 3  # somebody's, not ours: the record is what counts
    except BaseException as error:  # noqa: BLE001 - the child must always end here
        code = OUR_BUG
        link.early(code)
        with contextlib.suppress(Exception):
            sys.stderr.write(f"wt: the working process failed: {type(error).__name__}: {error}\n")
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        os._exit(code)


def _beat(link: Link) -> None:
    while True:
        link.beat()
        time.sleep(BEAT_S)


def _die_with_parent(life: int) -> None:
    """The parent holds the other end: when it is gone, so is the reason to go on."""
    with contextlib.suppress(OSError):
        os.read(life, 1)
    os.killpg(0, signal.SIGKILL)
