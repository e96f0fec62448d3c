"""A shell with one job: `python -m tests.support.job_shell PROGRAM ARGUMENT...`.

It has the terminal whenever the job does not run, and says `stopped` then; the line `bg` continues
the job without the terminal, and any other gives it that, as `fg` does. It ends with the job, with
the job's exit code.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import termios


def main(command: list[str]) -> int:
    """Run this command as a job in the foreground, as often as it stops; gives its exit code."""
    take_the_terminal()
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # we take the terminal from the background
    read, write = os.pipe()
    job = os.fork()
    if not job:
        os.setpgid(0, 0)
        os.close(write)
        os.read(read, 1)  # until the terminal is ours
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(command[0], command)
    os.setpgid(job, job)
    os.tcsetpgrp(0, job)
    os.close(write)
    while True:
        _pid, status = os.waitpid(job, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        sys.stdout.write("stopped\n")
        sys.stdout.flush()
        if sys.stdin.readline() != "bg\n":
            os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)


def take_the_terminal() -> None:
    """Make the terminal that of our session, as it is a shell's."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def start_another(command: list[str]) -> int:
    """Start this command and wait for it, as `uv run` does; gives its exit code."""
    return subprocess.call(command)


if __name__ == "__main__":
    if sys.argv[1] == "--start":
        sys.exit(start_another(sys.argv[2:]))
    if sys.argv[1] == "--alone":  # in a window of its own, without a shell
        take_the_terminal()
        os.execv(sys.argv[2], sys.argv[2:])
    sys.exit(main(sys.argv[1:]))
