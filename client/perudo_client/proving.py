"""Our share in the dice, and the check of everybody's: what the model asks about proofs; pure.

`Share` holds our own entropy and opens each one exactly once. `Proving` feeds it and a `Checker`
with all that comes, and keeps what the last message brought: what is to be sent at once, and the
steps that a saved game consists of.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from enum import Enum
from typing import TypeGuard

from msgspec import Struct

from perudo_protocol import fairness
from perudo_protocol.messages import Act, ClientMessage, Entropy, Promise, SetReady
from perudo_protocol.story import AnyEvent, Committed, People, Started
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase

from .checking import Checker
from .faults import Fault
from .findings import Finding

Draws = Callable[[], bytes]
"""Gives 32 bytes that nobody can foresee."""
ASLEEP_SECONDS = 2.0
"""A heart that misses so long a time of beats says that the whole process stood still."""
WAKING_SECONDS = 10.0
"""So long after waking, what comes may still be what waited meanwhile."""


def fresh() -> bytes:
    """Draw entropy from the system's cryptographic generator."""
    return secrets.token_bytes(fairness.SIZE)


class Share:
    """Our own entropy for the coming draw; nothing is ever opened twice."""

    def __init__(self, entropy: Draws) -> None:
        """Begin with nothing promised."""
        self._entropy = entropy
        self._where: tuple[int, str, int] | None = None
        self._secret = b""
        self._promise = b""
        self._answered = (0, -1)
        self._sent: Entropy | None = None

    def __repr__(self) -> str:
        """Say nothing of what is secret."""
        return f"Share(answered={self._answered})"

    def forget(self) -> None:
        """Take part in no game any more."""
        self._where, self._secret, self._promise, self._answered = None, b"", b"", (0, -1)
        self._sent = None

    def begin(self, view: TableView) -> Promise | None:
        """Promise entropy for this game, if we sit in it and have not yet; else `None`."""
        where = (view.game, view.proof.game, view.my_seat)
        on = view.phase not in (Phase.LOBBY, Phase.OVER)
        if not on or not view.proof.game or view.my_seat == NO_SEAT:
            self.forget()
            return None
        if self._where == where:
            return None
        self.forget()
        self._where = where
        return Promise(game=view.game, promise=self._next())

    def look_again(self, view: TableView) -> None:
        """See, when the line was lost or draws went by unseen, whether our promise may be used up
        or lost: the draw that is shown does not wait for it. Then `begin` promises anew; the newest
        one counts."""
        proof, sent = view.proof, self._sent
        listed = fairness.given(proof.promises).get(view.my_seat)
        waits = proof.round == view.round + 1 and not proof.entropies
        answered = sent is not None and self._answered == (proof.round, proof.attempt)
        if not (waits and (listed == self._promise or (answered and listed))):
            self._where = None

    def answer(self, view: TableView) -> Entropy | None:
        """Open our entropy and promise the next, if a draw awaits just this one."""
        proof, seat = view.proof, view.my_seat
        moment = (proof.round, proof.attempt)
        awaited = proof.round == view.round + 1 and not proof.entropies
        if self._where != (view.game, proof.game, seat) or not awaited or moment <= self._answered:
            return None
        if fairness.given(proof.promises).get(seat) != self._promise:
            return None
        opened, self._answered = self._secret, moment
        self._sent = Entropy(
            game=view.game,
            round=proof.round,
            attempt=proof.attempt,
            entropy=opened,
            promise=self._next(),
        )
        return self._sent

    def again(self, view: TableView) -> Entropy | None:
        """Give the same answer again, if the draw still awaits it: it was lost with its line."""
        proof, seat, sent = view.proof, view.my_seat, self._sent
        if sent is None or self._where != (view.game, proof.game, seat) or proof.entropies:
            return None
        if (sent.round, sent.attempt) != (proof.round, proof.attempt):
            return None
        promised = fairness.given(proof.promises).get(seat)
        return sent if promised == fairness.promise(proof.game, seat, sent.entropy) else None

    def _next(self) -> bytes:
        assert self._where is not None
        _game, proof, seat = self._where
        self._secret = self._entropy()
        self._promise = fairness.promise(proof, seat, self._secret)
        return self._promise


class Hand(Struct, frozen=True):
    """Our own dice came; they are in the view."""

    view: TableView


class Slept(Struct, frozen=True):
    """This computer has just slept."""


class Told(Struct, frozen=True):
    """One step of the story, and the view before it."""

    before: TableView
    event: AnyEvent


Step = TableView | Told | Hand | Promise | Entropy | Slept | None
"""What happened, in order; `None`: we are at no table any more."""


class Alarm(Struct, frozen=True):
    """A fault, and the table as it was when it was found."""

    view: TableView
    fault: Fault


class Mark(Enum):
    """How far the dice of the game are proven."""

    NOTHING = "nothing"
    """There are no dice yet."""
    NONE = "none"
    """The server offers no proof."""
    CHECKED = "checked"
    """Every die that was shown so far follows from what was promised."""
    UNSHARED = "unshared"
    """The same, but our own share is not in the dice of this round."""
    GAPPED = "gapped"
    """They are right, but not all of the game was shown: what was not is taken on trust."""
    FAILED = "failed"


class Proving:
    """Our share and the check, fed by the model."""

    def __init__(self, entropy: Draws = fresh) -> None:
        """Draw our own entropy with `entropy`."""
        self.share = Share(entropy)
        self.checker = Checker()
        self.outgoing: list[Promise | Entropy] = []
        """What the last message makes us say; to be sent before anything else."""
        self.steps: list[Step] = []
        """What the last message told, and what we said to it."""
        self.alarm: Alarm | None = None
        """What was found, until the player has decided, whatever the server does meanwhile."""
        self._beat: float | None = None
        self._woke: float | None = None
        self._now = 0.0
        self._late = False
        """Our last answer may have come late: this computer had slept, or the line was lost."""
        self._back = False
        """The next whole picture is the first one after the line was lost."""

    def begin(self, now: float) -> None:
        """Begin with another message."""
        self.outgoing, self.steps = [], []
        self._look_at_clock(now)
        self._now = now

    def came_back(self, now: float) -> None:
        """Hear that the line was lost: what we were asked meanwhile did not reach us."""
        self._now = now
        self._late = self._back = True

    def beat(self, now: float) -> None:
        """Hear that the process is awake; to be called twice a second or more often."""
        self._look_at_clock(now)
        self._beat = now

    def _look_at_clock(self, now: float) -> None:
        if self._beat is not None and now - self._beat > ASLEEP_SECONDS:
            self._woke = now

    @property
    def _asleep(self) -> bool:
        return self._woke is not None and self._now - self._woke <= WAKING_SECONDS

    def forget(self) -> None:
        """Leave the table: its game is no concern of ours any more."""
        self.steps.append(None)
        self.checker.forget()
        self.share.forget()

    def arrived(self, view: TableView) -> list[Finding]:
        """Take a whole picture in."""
        late = self._back or (self._late and bool(view.proof.left_out))
        if late:
            self.steps.append(Slept())
        self.steps.append(view)
        findings = self._noted(view, self.checker.view(view, late))
        back, self._back = self._back, False
        if self.fault is None:
            again = self.share.again(view) if back else None
            if again is not None:
                self.outgoing.append(again)
            if back or self.checker.rounds.skipped:
                self.share.look_again(view)
        return self._after(view, findings)

    def told(self, before: TableView, event: AnyEvent, after: TableView) -> list[Finding]:
        """Take one step of the story in."""
        asleep = isinstance(event, Committed) and bool(event.left_out) and self._late
        if asleep:
            self.steps.append(Slept())
        self.steps.append(Told(before, event))
        findings = self._noted(after, self.checker.event(before, event, asleep))
        if isinstance(event, Started | Committed | People):
            return self._after(after, findings)
        return findings

    def dealt(self, view: TableView) -> list[Finding]:
        """Take our own dice in."""
        self.steps.append(Hand(view))
        return self._noted(view, self.checker.hand(view))

    def _noted(self, view: TableView, findings: list[Finding]) -> list[Finding]:
        for finding in findings:
            if isinstance(finding, Fault):
                self.alarm = Alarm(view, finding)
        return findings

    def _after(self, view: TableView, findings: list[Finding]) -> list[Finding]:
        """Say what is due; nothing more in a game whose dice are found wrong."""
        if self.fault is not None:
            return findings
        for message in (self.share.begin(view), self.share.answer(view)):
            if message is not None:
                if isinstance(message, Entropy):
                    self._late = self._asleep
                self.checker.own(message)
                self.outgoing.append(message)
                self.steps.append(message)
        return findings

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the present game, or `None`."""
        return self.checker.fault

    @property
    def halted(self) -> bool:
        """Whether the game stands still for us, until the player decides."""
        return self.alarm is not None

    def decided(self) -> None:
        """Hear that the player has read it, and leaves, or goes on at their own risk."""
        self.alarm = None

    def stops(self, message: ClientMessage) -> TypeGuard[Act | SetReady]:
        """Say whether a message is one that a halted game holds back."""
        return self.halted and isinstance(message, Act | SetReady)

    def mark(self, view: TableView) -> Mark:
        """Say how far the dice of this table's game are proven."""
        if self.checker.fault is not None:
            return Mark.FAILED
        if view.phase is Phase.LOBBY:
            return Mark.NOTHING
        if not self.checker.rounds.game:
            return Mark.NONE
        if not self.checker.rounds.sound:
            return Mark.NOTHING
        if not self.checker.rounds.shared:
            return Mark.UNSHARED
        return Mark.CHECKED if self.checker.rounds.whole else Mark.GAPPED
