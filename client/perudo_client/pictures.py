"""What a whole picture of a table may say of a game, beside what was told of it step by step; pure.

A picture says what was told, or what the next step would have told; it may be further only where
the line was lost. What is not right raises `Wrong`.
"""

from __future__ import annotations

from perudo_protocol import fairness
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase

from .draws import (
    Drawn,
    as_called,
    as_told,
    see_agreed,
    see_complete,
    see_counted,
    see_shown,
)
from .faults import FaultKind, Wrong
from .findings import Finding, Gap
from .rounds import Rounds


def see_picture(rounds: Rounds, view: TableView, asleep: bool) -> list[Finding]:
    """Take a whole picture in; `asleep` says that this computer has slept, or the line was lost,
    before it."""
    proof, known = view.proof, rounds.drawn
    moment = (proof.round, proof.attempt)
    if proof.game != rounds.game or (known is not None and moment < known.moment):
        raise Wrong(FaultKind.TWO_STORIES, view.round)
    if proof.round not in (view.round, view.round + 1):
        raise Wrong(FaultKind.TWO_STORIES, view.round)
    if view.phase is Phase.BIDDING and proof.round != view.round:
        raise Wrong(FaultKind.TWO_STORIES, view.round)
    if view.phase is not Phase.OVER:
        _see_seats(rounds, view)
    findings: list[Finding] = []
    if proof.round == 0:
        _see_chain(fairness.first_link(rounds.game), proof.chain, 0)
    else:
        if known is None or moment != known.moment:
            findings += _catch_up(rounds, view, known, asleep)
        else:
            see_agreed(known, view)
        findings += _picture(rounds, view)
    _see_reveal(rounds, view)
    return findings


def _see_seats(rounds: Rounds, view: TableView) -> None:
    """See that a picture in mid-game has the seats that we know, and us where we were."""
    mine = view.my_seat
    if len(view.seats) != rounds.seats or mine not in (NO_SEAT, rounds.seat):
        raise Wrong(FaultKind.TWO_STORIES, view.round, mine)
    if mine == NO_SEAT:
        rounds.share.dropped()


def _catch_up(rounds: Rounds, view: TableView, known: Drawn | None, asleep: bool) -> list[Finding]:
    """Take up a draw that began unseen; the round before it ends here if it was seen."""
    proof, findings = view.proof, list[Finding]()
    if known is not None and known.dealt and not known.ended:
        if (known.draw.round, proof.round) == (view.round, view.round + 1):
            findings.append(_ended_unseen(rounds, known, view))
    same = known is not None and known.draw.round == proof.round
    if same and known is not None and known.opened:
        raise Wrong(FaultKind.CHANGED, proof.round)
    first = known is None and proof.round == 1
    follows = known is not None and known.ended and known.draw.round + 1 == proof.round
    if first:
        rounds.chain = fairness.first_link(rounds.game)
    elif not same and not follows:
        rounds.chain, rounds.whole = b"", False  # not known from what we have seen
        if known is not None:
            findings.append(Gap(proof.round))
    last = known if same and known is not None else None
    if last is not None and last.draw.attempt + 1 != proof.attempt:
        last = None
    rounds.skipped = last is None and not ((first or follows) and proof.attempt == 0)
    drawn = as_told(rounds.game, proof)
    return findings + rounds.drawn_anew(drawn, last, view, excused=asleep, lost=asleep)


def _ended_unseen(rounds: Rounds, known: Drawn, view: TableView) -> Finding:
    reveal = view.reveal
    if reveal is None:
        raise Wrong(FaultKind.MISSING, view.round)
    see_shown(known, view.my_seat, reveal.cups, reveal.seeds)
    return rounds.linked(known, view, reveal, view.proof.chain)


def _picture(rounds: Rounds, view: TableView) -> list[Finding]:
    """Check a draw as a whole picture shows it."""
    drawn, proof = rounds.drawn, view.proof
    assert drawn is not None
    number, findings = proof.round, list[Finding]()
    dealt = number == view.round
    ended = dealt and view.phase in (Phase.REVEAL, Phase.OVER)
    if drawn.ended:
        _see_chain(rounds.chain, proof.chain, number)
        return findings
    if not dealt and view.phase is not Phase.OVER:
        see_complete(view.seats, drawn, promised=True, waits=True)
    elif not ended and dealt:
        see_complete(view.seats, drawn)
    if proof.entropies and not drawn.opened:
        rounds.mix(drawn, proof.entropies)
    if dealt and not drawn.opened:
        raise Wrong(FaultKind.MISSING, number)
    if dealt and not drawn.dealt:
        findings += rounds.without(drawn) if ended else rounds.covered(drawn, view.seats)
        drawn.dealt = True
    if dealt and not ended and drawn.counts != tuple(seat.dice for seat in view.seats):
        raise Wrong(FaultKind.TWO_STORIES, number)
    if dealt and view.hand:
        rounds.take_hand(view)
    if not ended:
        _see_chain(rounds.chain or proof.chain, proof.chain, number)
        rounds.chain = proof.chain
        return findings
    return [*findings, *_picture_ended(rounds, view, drawn)]


def _picture_ended(rounds: Rounds, view: TableView, drawn: Drawn) -> list[Finding]:
    reveal, chain = view.reveal, view.proof.chain
    if reveal is not None:
        see_shown(drawn, view.my_seat, reveal.cups, reveal.seeds)
    elif view.phase is not Phase.OVER:
        raise Wrong(FaultKind.MISSING, view.round)
    if rounds.chain:
        return [rounds.linked(drawn, view, reveal, chain)]
    if reveal is not None:
        see_counted(drawn, view, reveal)
    rounds.ended(drawn, reveal, chain)
    return []


def _see_reveal(rounds: Rounds, view: TableView) -> None:
    """See that a picture shows the cups of a round as they were shown."""
    number, shown = rounds.shown
    if number == view.round and number and as_called(view.reveal) != shown:
        raise Wrong(FaultKind.TWO_STORIES, number)


def _see_chain(known: bytes, told: bytes, number: int) -> None:
    if known != told:
        raise Wrong(FaultKind.TWO_STORIES, number)
