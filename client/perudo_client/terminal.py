"""The terminal around the app: its signs, its title, and the signals that end us."""

from __future__ import annotations

import asyncio
import codecs
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import Any

GRACE = 2.0
"""So long, in seconds, we have to end in good order when the terminal is gone."""
GONE = 128 + 1
"""The exit code when the terminal is gone: that of its signal, `SIGHUP`."""


def speaks_unicode() -> bool:
    """Say whether what we write can be more than ASCII: on a terminal of UTF-8, and on no other.

    The code pages of Windows and the old sets of other systems hold some of our signs and not the
    dice, so there all of it is ASCII.
    """
    encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:  # an encoding that nobody knows
        return False


def end_at_signals(end: Callable[[int], None]) -> None:
    """Call `end` with 128 and the signal's number when we are to end or the terminal is gone."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:
            continue  # not on this system
        with suppress(NotImplementedError, ValueError):
            loop.add_signal_handler(number, partial(end, 128 + int(number)))


def hear_no_signals() -> None:
    """End as it was said, whatever comes now.

    A loop closes the pipe through which it hears of signals before it gives the signals back: one
    that came between would be a traceback.
    """
    with suppress(ValueError):  # another thread than the main one heard of none
        signal.set_wakeup_fd(-1)


def end_without_terminal(terminal: int) -> None:
    """End the process when this terminal is gone, even where nothing else would.

    Textual's writer dies of the first write to a terminal that is gone, and the app then waits for
    it for ever. What is left after `GRACE` is ended hard; there is nothing to restore.
    """
    if hasattr(select, "poll"):
        threading.Thread(target=_watch, args=(terminal,), name="terminal", daemon=True).start()


def _watch(terminal: int) -> None:
    poll = select.poll()
    poll.register(terminal, 0)  # a hang-up is told unasked
    while not any(event & select.POLLHUP for _fd, event in poll.poll()):
        time.sleep(GRACE)  # something else is wrong with it: no haste
    time.sleep(GRACE)
    os._exit(GONE)


@contextmanager
def modes_kept() -> Iterator[None]:
    """Give the terminal back with the modes that it has now, whatever is done to it."""
    modes = _modes()
    try:
        yield
    finally:
        _set_modes(modes)


def go_on_when_continued(give_back: Callable[[], None], draw: Callable[[str], None]) -> None:
    """Take the terminal again when we are continued after a stop; call this when it is ours.

    `give_back` gives the terminal back; `draw` gets what to write to it, and draws all. Textual
    itself would begin a second time without having ended, and then take its own modes for those to
    give back; that is right only after `SIGTSTP`, at which we give the terminal back. And it would
    stop us alone: a program that started us, such as `uv run`, would have the terminal on, and no
    shell would come. What is done at both is done in the loop's own time: within a signal it could
    wait for ever for a lock that what is interrupted holds.
    """
    if sys.platform == "win32":
        return
    loop = asyncio.get_running_loop()
    ours = _modes()
    on_continue = signal.getsignal(signal.SIGCONT)
    given_back = False

    def stop() -> None:
        nonlocal given_back
        if not given_back:
            given_back = True
            give_back()
            _stop_the_job()

    def go_on() -> None:
        nonlocal given_back
        while _in_front() not in (0, os.getpgrp()):
            os.kill(os.getpid(), signal.SIGSTOP)  # the terminal is another's: wait for `fg`
        if not given_back:
            _set_modes(ours)
            draw(TAKEN)
        elif callable(on_continue):
            on_continue(signal.SIGCONT, None)
            given_back = False
            draw("")  # Textual leaves it to the size of the window, which may be the same

    def soon(call: Callable[[], None]) -> Callable[[int, FrameType | None], None]:
        def told(_number: int, _frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(call)

        return told

    if callable(on_continue):
        signal.signal(signal.SIGTSTP, soon(stop))
        signal.signal(signal.SIGCONT, soon(go_on))


def _stop_the_job() -> None:
    """Stop us, and with us all that the shell waits for, if the terminal is ours and theirs.

    All stop at once, so that nobody is continued before it has stopped. Where nobody could continue
    us, as in a window without a shell, the system does not stop us, and we just go on.
    """
    if sys.platform == "win32":
        return
    heard = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    if _in_front() == os.getpgrp():
        os.killpg(0, signal.SIGTSTP)
    else:
        os.kill(os.getpid(), signal.SIGSTOP)
    signal.signal(signal.SIGTSTP, heard)
    os.kill(os.getpid(), signal.SIGCONT)


def _in_front() -> int:
    """Give the group of processes that has the terminal; 0 where nobody can say."""
    if sys.platform == "win32" or sys.__stdin__ is None:
        return 0
    try:
        return os.tcgetpgrp(sys.__stdin__.fileno())
    except (OSError, ValueError):  # closed, or not the terminal of our session
        return 0


Modes = list[Any]
TAKEN = (
    "\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l"
)
"""The other screen, the mouse, no cursor, focus, pastes in brackets, no wrapping."""


def _modes() -> Modes | None:
    """Give the modes of the terminal that we read from; `None` where there is none."""
    if sys.platform == "win32" or sys.__stdin__ is None:
        return None
    import termios

    try:
        return termios.tcgetattr(sys.__stdin__.fileno())
    except (OSError, ValueError, termios.error):  # closed, or no terminal
        return None


def _set_modes(modes: Modes | None) -> None:
    if sys.platform == "win32" or sys.__stdin__ is None or modes is None:
        return
    import termios

    with suppress(OSError, ValueError, termios.error):  # it is gone
        termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, modes)


class WindowTitle:
    """The window's title; the old one is laid on the terminal's own stack, where it has one."""

    def __init__(self) -> None:
        """Begin with the title that is there."""
        self._shown = ""

    def show(self, text: str) -> str:
        """Give what to write for this title; for the empty text, what gives the old one back."""
        if text == self._shown:
            return ""
        keep = "" if self._shown else "\x1b[22;0t"
        give_back = "" if text else "\x1b[23;0t"
        self._shown = text
        return f"{keep}\x1b]0;{text}\x07{give_back}"
