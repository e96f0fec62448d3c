"""The soak: `uv run python -m tests.soak.play --tables 64 --minutes 10`.

A real server with many tables at which bots of the house and scripted players play, leave, drop,
come back and begin again. Memory, file descriptors and threads of the server are sampled, and must
return to their base when all have gone. Prints the figures; ends with 1 when a bound was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .guest import Crew, Figures
from .process import Server, free_port

SLOPE = 512.0
"""The most that the memory may grow in a minute after the warm-up, in KiB."""
WARM_UP = 0.6
"""The part of the time after which memory is expected to stand still: until then people have not
asked so much that the last 64 answers are kept for each of them."""
GONE = 30.0
"""Seconds after which nobody is to be there any more."""


class Sample(NamedTuple):
    """The server's process at one moment."""

    at: float
    memory: float
    """In KiB."""
    files: int
    threads: int
    cpu: float
    """Seconds of processor time so far."""
    journal: int
    """Bytes."""


def sample(server: Server, at: float) -> Sample:
    """Look at the process from outside."""
    process = Path("/proc") / str(server.pid)
    lines = (process / "status").read_text().splitlines()
    status = {key: value.split() for key, _, value in (line.partition(":") for line in lines)}
    times = (process / "stat").read_text().rpartition(")")[2].split()
    size = sum(path.stat().st_size for path in server.data.glob("journal*"))
    return Sample(
        at,
        float(status["VmRSS"][0]),
        len(list((process / "fd").iterdir())),
        int(status["Threads"][0]),
        (int(times[11]) + int(times[12])) / 100,
        size,
    )


def slope(samples: list[Sample]) -> float:
    """Give the KiB a minute by which the memory grows: the line of least squares."""
    count = len(samples)
    if count < 2:
        return 0.0
    at = sum(s.at for s in samples) / count
    memory = sum(s.memory for s in samples) / count
    over = sum((s.at - at) * (s.memory - memory) for s in samples)
    return 60 * over / sum((s.at - at) ** 2 for s in samples)


class Soak:
    """One run."""

    def __init__(self, home: Path, tables: int, seconds: float, seed: int) -> None:
        self.figures = Figures()
        self.seconds = seconds
        self.samples: list[Sample] = []
        self.base: Sample | None = None
        self.after: Sample | None = None
        port = free_port(random.Random())
        self.server = Server(
            home,
            port,
            *("--bot-seconds", "0.8", "--reveal-seconds", "4", "--log-level", "warning"),
            PERUDO_THROW_SECONDS="2",
        )
        rng = random.Random(seed)
        self.crews = [
            Crew(number, port, random.Random(rng.getrandbits(64)), self.figures)
            for number in range(1, tables + 1)
        ]

    async def run(self) -> None:
        """Let all play for the time, and then go."""
        await self.server.start()
        try:
            self.base = sample(self.server, 0.0)
            spread = min(10.0, self.seconds / 4) / len(self.crews)
            tasks = [
                asyncio.create_task(crew.meet(number * spread))
                for number, crew in enumerate(self.crews)
            ]
            await self._watch()
            for crew in self.crews:
                crew.open = False
                for guest in crew.guests:
                    guest.go()
            await asyncio.gather(*tasks)
            await self._empty()
            await self.server.end()
        finally:
            await self.server.kill()
        self._judge()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        start, step = loop.time(), min(2.0, self.seconds / 20)
        while (at := loop.time() - start) < self.seconds:
            self.samples.append(sample(self.server, at))
            await asyncio.sleep(step)

    async def _empty(self) -> None:
        """Wait until the server is as empty as it was."""
        assert self.base is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(GONE):
                while True:
                    self.after = sample(self.server, self.seconds)
                    if self.after.files <= self.base.files:
                        return
                    await asyncio.sleep(0.2)

    def _judge(self) -> None:
        assert self.base is not None
        assert self.after is not None
        evidence = self.figures.evidence
        if self.after.files > self.base.files or self.after.threads > self.base.threads:
            evidence.append(f"not all is given back: {self.base} before, {self.after} after")
        warm = self.warm()
        if self.seconds >= 120 and (grows := slope(warm)) > SLOPE:
            evidence.append(f"the memory grows by {grows:.0f} KiB a minute, {SLOPE:.0f} may be")
        log = self.server.log.read_text()
        if log:
            evidence.append(f"the log has warnings:\n{log[-2000:]}")

    def warm(self) -> list[Sample]:
        """Give the samples after the warm-up."""
        return [each for each in self.samples if each.at >= WARM_UP * self.seconds]

    def report(self) -> str:
        """Give the figures."""
        counts = self.figures.counts.copy()
        for crew in self.crews:
            for guest in crew.guests:
                counts.update({k: v for k, v in guest.counts.items() if k != "resumed"})
        waits = sorted(self.figures.waits) or [0.0]
        assert self.base is not None
        assert self.after is not None
        last, warm = self.samples[-1], self.warm()
        peak = max(self.samples, key=lambda each: each.memory)
        lines = {
            "tables": f"{len(self.crews)}, people {sum(len(c.guests) for c in self.crews)}",
            "minutes": f"{self.seconds / 60:.1f}",
            "memory": f"{self.base.memory / 1024:.1f} MiB at first, {peak.memory / 1024:.1f} at"
            f" most, {self.after.memory / 1024:.1f} when all had gone",
            "slope after the warm-up": f"{slope(warm):+.0f} KiB a minute over"
            f" {(warm[-1].at - warm[0].at) / 60:.1f} minutes (bound {SLOPE:.0f})",
            "file descriptors": f"{self.base.files} at first,"
            f" {max(s.files for s in self.samples)} at most, {self.after.files} when all had gone",
            "threads": f"{self.base.threads} at first, {max(s.threads for s in self.samples)} at"
            f" most, {self.after.threads} when all had gone",
            "processor": f"{100 * last.cpu / self.seconds:.0f} % of one core",
            "journal": f"{last.journal / 2**20:.1f} MiB",
            "requests": f"{counts['asked']}, done {counts['done']}",
            "answers after": f"p50 {1000 * waits[len(waits) // 2]:.1f} ms,"
            f" p99 {1000 * waits[int(0.99 * (len(waits) - 1))]:.1f} ms",
            "came and went": f"{counts['greeted']} greetings, {counts['resumed']} resumes,"
            f" {counts['reset']} resets, {counts['lid']} lids, {counts['leave']} left",
            "hands verified": str(sum(g.witness.hands for c in self.crews for g in c.guests)),
        }
        return "\n".join(f"{name + ':':28}{value}" for name, value in lines.items())


async def soak(home: Path, tables: int, seconds: float, seed: int) -> Soak:
    """Run one soak; broken bounds are in the evidence of its figures."""
    run = Soak(home, tables, seconds, seed)
    await run.run()
    return run


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="perudo-soak-") as home:
        run = asyncio.run(soak(Path(home), given.tables, given.minutes * 60, given.seed))
        sys.stdout.write(run.report() + "\n")
    for what in run.figures.evidence[:20]:
        sys.stdout.write(f"BROKEN: {what}\n")
    return 1 if run.figures.evidence else 0


if __name__ == "__main__":
    sys.exit(main())
