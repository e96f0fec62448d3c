"""What must become of our own share in the dice, whatever a server says; pure.

A promise of ours is used by one draw. The server has it *for sure* once it has answered to
something that we said later. Then it is in the next draw; and who answers a draw is in it, or is
named as late. Once named, we are in no draw of that round any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perudo_protocol.messages import Entropy, Promise
from perudo_protocol.vocabulary import NO_SEAT

from .faults import FaultKind, Wrong

Moment = tuple[int, int]
"""Round and attempt of a draw."""


@dataclass(slots=True, repr=False)
class OwnShare:
    """What is known of our own share in one game."""

    promise: bytes = b""
    """What we promised last; empty where the server need not know of any."""
    certain: bool = False
    """The server has this promise for sure."""
    answered: Moment = (0, -1)
    """The draw that we answered last."""
    entropy: bytes = b""
    """What we opened then."""
    seat: int = NO_SEAT
    """In which seat."""
    known: bool = False
    """We have promised something in this game."""
    _with: Moment | None = None
    """The draw whose answer brought our promise."""
    _since: int = -1
    """Being ready in a later round than this was said after our promise."""
    _out: int = 0
    """The round of whose draws we are out."""

    def said(self, message: Promise | Entropy, seat: int, since: int) -> None:
        """Hear what we say, in which seat; `since` is the round that goes on, -1 at the start."""
        if isinstance(message, Entropy):
            self.answered = self._with = (message.round, message.attempt)
            self.entropy, self.seat, self._since = message.entropy, seat, message.round - 1
        else:
            self._with, self._since = None, since
        self.promise, self.certain, self.known = message.promise, False, True

    def dropped(self) -> None:
        """Hear that somebody else plays our seat: the server has no promise of ours any more."""
        self.promise, self.certain, self._with = b"", False, None

    def ready(self, number: int) -> None:
        """Hear that the server has heard of us as ready in this round."""
        if self.promise and number > self._since:
            self.certain = True

    def in_draw(self, moment: Moment, promises: Mapping[int, bytes]) -> bool:
        """Say whether our share is in this draw."""
        return self.answered == moment and self.seat in promises

    def mixed(self, moment: Moment) -> None:
        """Hear that our share of this draw is in the mix: the promise that came with it is there"""
        if self._with == moment:
            self.certain = True

    def listed(
        self,
        seat: int,
        moment: Moment,
        promises: Mapping[int, bytes],
        left_out: Sequence[int],
        *,
        skipped: bool,
        excused: bool,
        lost: bool,
    ) -> bool:
        """See what a new draw says of our share; says whether we are passed over and are excused.

        `skipped`: draws before it were not shown to us. `excused`: our answer may have come late.
        `lost`: and our promise may not be there. Raises `Wrong`.
        """
        if not self.promise:
            return False
        number, attempt = moment
        answered = self.answered[0] == number and self.answered[1] < attempt
        told = promises.get(seat, b"")
        if seat in left_out:
            self._out = number
            if answered and not excused:
                raise Wrong(FaultKind.ABSENCE, number, seat)
            return answered
        if told:
            self._promised(told, seat, moment)
            return False
        if self._out == number:
            return False
        if not skipped and not lost:
            if self.certain or self._with == (number, attempt - 1):
                raise Wrong(FaultKind.LEFT_OUT, number, seat)
            return False
        if answered and not excused:
            raise Wrong(FaultKind.ABSENCE, number, seat)
        return answered

    def _promised(self, told: bytes, seat: int, moment: Moment) -> None:
        """See that a promise that is listed as ours is ours, and has not been used up."""
        number, attempt = moment
        if self._out == number:
            raise Wrong(FaultKind.CHANGED, number, seat)
        if told != self.promise:
            if self.certain or self._with == (number, attempt - 1):
                raise Wrong(FaultKind.CHANGED, number, seat)
            return  # an older one: the newest has not arrived
        if self._with is not None and self._with[0] == number and self._with[1] < attempt - 1:
            raise Wrong(FaultKind.CHANGED, number, seat)
        self.certain = True
