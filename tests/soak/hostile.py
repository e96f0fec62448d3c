"""Attack a real server while a quiet table plays, and measure what the quiet table feels.

`uv run python -m tests.soak.hostile [--quick] [--seconds N] [--only NAME ...]`

A server, a table of six, and hostile clients, each a process. Quiet and attacked times take turns
within one run. A figure is the time from a bid's sending until the last of the six had it. Printed
for each attack: the hostile clients at once, the median and the 99th percentile quiet (before and
after) and under attack, what the server's memory grew by for each hostile client, what share of one
processor the server used, and how it ended for them: words of `error` and `bye`; `http` and `tls`
for the line that a visitor with another protocol gets; `reset`: cut off; `open`: let alone.

Goals: the 99th percentile stays within 10 ms of its quiet value, memory grows by less than 1 MiB a
hostile client, each one ends with a word that fits, and the table plays on. All kept: exit code 0;
else 1, and the last line says which are not. `--quick` makes all times short and measures memory
roughly and delays not at all.

Hostile clients come from many addresses where this system gives us a network of our own (Linux with
user namespaces); else from the loopback, which no limit of one address concerns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.soak.attacks import ATTACKS
from tests.soak.foes import Attack
from tests.support.servers import RunningServer, server

DELAY_MS = 10.0
MEMORY_MIB = 1.0
QUICK_MEMORY_MIB = 4.0
QUIET_SHARE = 0.6
"""So long a quiet time is, measured by an attack's."""
CUT = {"reset"}
"""Who goes on sending may be cut off before the word is heard."""
INSIDE = "SOAK_IN_OWN_NETWORK"
FAR = "198.18.0.1"
"""Of the network that is kept for measuring (RFC 2544)."""
NETWORK = f"ip link set lo up && ip addr add {FAR}/15 dev lo"
SHORT = {
    "PERUDO_GREETING_SECONDS": "0.5",
    "PERUDO_FRAME_SECONDS": "0.4",
    "PERUDO_PING_SECONDS": "0.5",
    "PERUDO_DEAD_SECONDS": "1.5",
    "PERUDO_OVERFLOW_SECONDS": "0.2",
    "PERUDO_OUTBOX_BYTES": "8192",
    "PERUDO_CROWD_SECONDS": "0",
}
"""With `--quick` the server loses its patience sooner."""


@dataclass
class Result:
    """What one attack did."""

    attack: Attack
    told: dict[str, Any]
    start: float
    end: float
    grown: float
    """MiB that the server's memory grew by at the most."""
    busy: float
    """Seconds of processor time that the server used for each second."""
    quiet: list[float]
    under: list[float]

    @property
    def share(self) -> float:
        """MiB for each hostile client."""
        return self.grown / max(1, int(self.told["most"]))

    def broken(self, quick: bool) -> list[str]:
        """Say which goals were not kept."""
        found = []
        strange = set(self.told["ends"]) - self.attack.also - {self.attack.end}
        if quick:
            # On a busy machine a short time may not do for all, nor be over for those before.
            strange -= {"open", "too_many"}
        if strange:
            found.append(f"ended with {', '.join(sorted(strange))}")
        wanted = {self.attack.end, *self.attack.also & CUT}
        if quick and self.attack.end == "reset":
            wanted.add("open")  # to fill a line takes longer; tests/wire/test_limits_talk.py does
        if not wanted & set(self.told["ends"]):
            found.append(f"nobody's ended with {self.attack.end}")
        if not self.told["connections"]:
            found.append("nobody connected")
        if self.share >= (QUICK_MEMORY_MIB if quick else MEMORY_MIB):
            found.append(f"memory +{self.share:.2f} MiB a client")
        if quick:
            return found
        more = percentile(self.under, 99) - percentile(self.quiet, 99)
        if more >= DELAY_MS:
            found.append(f"p99 {more:+.1f} ms")
        return found


def percentile(values: list[float], part: float) -> float:
    """Give a percentile in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * part / 100))]


class Program:
    """A process that answers lines with lines."""

    def __init__(self, stack: ExitStack, *command: str) -> None:
        self.process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        stack.callback(self.process.kill)

    def ask(self, line: str) -> None:
        stdin = self.process.stdin
        assert stdin is not None
        stdin.write(line + "\n")
        stdin.flush()

    def line(self) -> str:
        stdout: IO[str] | None = self.process.stdout
        assert stdout is not None
        line = stdout.readline()
        if not line:
            raise SystemExit("hostile: a part of the measuring itself has failed, see above")
        return line

    def end(self) -> str:
        """End its input, and give what it still says."""
        out, _ = self.process.communicate(timeout=30)
        return str(out)


def memory(pid: int) -> float:
    """Give the MiB that a process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    kib = next(row.split()[1] for row in status.splitlines() if row.startswith("VmRSS"))
    return int(kib) / 1024


def cpu(pid: int) -> float:
    """Give the seconds of processor time that a process has used."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def give_precedence(pid: int) -> bool:
    """Let a process, with all its threads, go before what else this machine does, where we may; say
    whether it does."""
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setscheduler(int(thread.name), os.SCHED_RR, os.sched_param(1))
    except (AttributeError, OSError):
        return False
    return True


class Siege:
    """A server, a quiet table, and what happens to them."""

    def __init__(
        self, stack: ExitStack, running: RunningServer, near: bool, precedence: bool
    ) -> None:
        port = str(running.port)
        self._pid = running.process.pid
        self.quiet = Program(stack, "tests.soak.quiet", "127.0.0.1", port)
        measured = (self._pid, self.quiet.process.pid)
        self.precedes = precedence and all(map(give_precedence, measured))
        table = self.quiet.line().strip()
        host = "127.0.0.1" if near else FAR
        self.foes = Program(stack, "tests.soak.foes", host, port, table, "near" if near else "far")

    def attack(self, attack: Attack, seconds: float) -> Result:
        """Let one attack happen."""
        before, used = memory(self._pid), cpu(self._pid)
        self.foes.ask(json.dumps([attack.name, seconds]))
        start = float(json.loads(self.foes.line())["begun"])
        most = before
        while time.monotonic() < start + seconds:
            time.sleep(0.05)
            most = max(most, memory(self._pid))
        end = time.monotonic()
        busy = (cpu(self._pid) - used) / (end - start)
        told = json.loads(self.foes.line())
        return Result(attack, told, start, end, most - before, busy, [], [])


def _shortly(siege: Siege, attack: Attack) -> Result:
    """Let an attack happen for a short time, and for longer ones where a busy machine needs it."""
    result = siege.attack(attack, attack.quick)
    for more in (3, 9):
        if not result.broken(quick=True):
            break
        result = siege.attack(attack, attack.quick * more)
    return result


def lay_siege(siege: Siege, names: list[str], given: float, quick: bool) -> list[Result]:
    """Attack in every way, with quiet between; sort the quiet table's figures by time."""
    results = []
    pause = given * QUIET_SHARE
    time.sleep(pause)
    for name in names:
        attack = ATTACKS[name]
        seconds = max(given, attack.seconds)
        results.append(_shortly(siege, attack) if quick else siege.attack(attack, seconds))
        time.sleep(0.1 if quick else 0.5 + pause)
    figures = json.loads(siege.quiet.end().splitlines()[-1])
    for result in results:
        spans = (
            (result.start - pause, result.start - 0.05),
            (result.end + 0.5, result.end + pause),
        )
        result.under = [d for at, d in figures if result.start <= at <= result.end]
        result.quiet = [d for at, d in figures if any(a <= at <= b for a, b in spans)]
    if figures[-1][0] < results[-1].end - (1.0 if quick else 5.0):
        raise SystemExit("hostile: the quiet table has stood still")
    return results


def show(result: Result, quick: bool) -> str:
    """Give one row of the printed table."""
    told = result.told
    ends = ", ".join(f"{word} {number}" for word, number in sorted(told["ends"].items()))
    head = f"{result.attack.name:<12}{told['most']:>5}"
    if quick or not result.quiet or not result.under:
        delays = " " * 41
    else:
        quiet, under = ([percentile(v, p) for p in (50, 99)] for v in (result.quiet, result.under))
        delays = "".join(f"{value:>8.1f}" for value in (*quiet, *under, under[1] - quiet[1])) + " "
    return f"{head}{delays}{result.share:>8.3f}{result.busy:>6.0%}  {ends}"


HEAD = (
    f"{'attack':<12}{'foes':>5}{'p50':>8}{'p99':>8}{'p50 !':>8}{'p99 !':>8}{'p99 +':>8} "
    f"{'MiB/foe':>8}{'cpu':>6}  ends"
)


@contextmanager
def besieged(near: bool, quick: bool) -> Iterator[Siege]:
    """Start everything."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options = ["--host", "127.0.0.1" if near else "0.0.0.0"]
        settings = {"PERUDO_REVEAL_SECONDS": "0", **(SHORT if quick else {})}
        running = stack.enter_context(server(home, *options, **settings))
        yield Siege(stack, running, near, precedence=not quick)  # others may be tested besides
        if running.end():
            raise SystemExit(f"hostile: the server has failed: {running.log()[-2000:]}")
        if "failure" in running.log():
            raise SystemExit("hostile: the server's log tells of a failure")


def own_network(arguments: list[str]) -> int | None:
    """Run all this once more in a network of our own, if there can be one; give the exit code."""
    if os.environ.get(INSIDE) or not sys.platform.startswith("linux"):
        return None
    for how in (["unshare", "-n"], ["unshare", "-rn"]):
        try:
            if subprocess.run([*how, "sh", "-c", NETWORK], capture_output=True).returncode == 0:
                inside = [*how, "sh", "-c", f'{NETWORK} && exec "$@"', "sh", sys.executable]
                command = [*inside, "-m", "tests.soak.hostile", *arguments]
                return subprocess.run(command, env={**os.environ, INSIDE: "1"}).returncode
        except OSError:
            return None
    return None


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Read the command line, attack, print; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.hostile")
    parser.add_argument("--quick", action="store_true", help="a second each; delays not measured")
    parser.add_argument("--seconds", type=float, help="how long each attack lasts at the least")
    parser.add_argument("--only", action="append", choices=sorted(ATTACKS), metavar="NAME")
    given = parser.parse_args(arguments)
    code = own_network(arguments)
    if code is not None:
        return code
    near = not os.environ.get(INSIDE)
    seconds = given.seconds or (0.1 if given.quick else 8.0)
    where = "the loopback, so that no limit of one address is met" if near else "many addresses"
    load = os.getloadavg()[0]
    _print(f"hostile clients from {where}; {os.cpu_count()} processors, load {load:.1f} before")
    if load > (os.cpu_count() or 1) / 2:
        _print("this machine is busy with other things: delays say little")
    with besieged(near, given.quick) as siege:
        if siege.precedes:
            _print("server and quiet table have precedence over all else here")
        results = lay_siege(siege, given.only or list(ATTACKS), seconds, given.quick)
    _print(HEAD)
    wrong = []
    for result in results:
        _print(show(result, given.quick))
        wrong += [f"{result.attack.name}: {why}" for why in result.broken(given.quick)]
    _print("not kept: " + "; ".join(wrong) if wrong else "all goals kept")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
