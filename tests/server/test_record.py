"""What is remembered of a game: what each seat did, counted over the rounds that were revealed."""

from __future__ import annotations

from perudo_protocol.views import Tally
from perudo_server.record import new_record, note
from perudo_server.rules.actions import Action, Dudo, SpotOn
from perudo_server.rules.game import Refused, decide, evolve
from tests.support.boards import bid, bidding


def tallies(hands: tuple[tuple[int, ...], ...], *actions: Action) -> tuple[Tally, ...]:
    """Play one round, and give what each seat did in it."""
    game, record = bidding(*hands), new_record(len(hands))
    for action in actions:
        events = decide(game, action)
        assert not isinstance(events, Refused)
        for event in events:
            record = note(record, game, event)
            game = evolve(game, event)
    return record.tallies


def test_a_lie_that_is_doubted_is_caught() -> None:
    """Two twos lie there: the first bid is true, the second one false."""
    told = tallies(((2, 3), (2, 4)), bid(0, "2x2"), bid(1, "3x2"), Dudo(0))
    assert told == (
        Tally(bids=1, lies=0, caught=0, calls=1, right=1),
        Tally(bids=1, lies=1, caught=1, calls=0, right=0),
    )


def test_a_lie_that_nobody_doubts_in_time_is_not_caught() -> None:
    """The first bid is false, and is raised; the one that is doubted is true."""
    told = tallies(((2, 3), (4, 4)), bid(0, "2x3"), bid(1, "2x4"), Dudo(0))
    assert told == (
        Tally(bids=1, lies=1, caught=0, calls=1, right=0),
        Tally(bids=1, lies=0, caught=0, calls=0, right=0),
    )


def test_a_bid_that_is_exactly_right_is_no_lie() -> None:
    """So a spot-on that is right catches nobody."""
    told = tallies(((2, 3), (2, 4)), bid(0, "2x2"), SpotOn(1))
    assert told == (
        Tally(bids=1, lies=0, caught=0, calls=0, right=0),
        Tally(bids=0, lies=0, caught=0, calls=1, right=1),
    )


def test_a_spot_on_that_is_wrong_catches_nobody_either() -> None:
    """The bid was a lie, but its bidder has not paid for it."""
    told = tallies(((2, 3), (2, 4)), bid(0, "3x2"), SpotOn(1))
    assert told == (
        Tally(bids=1, lies=1, caught=0, calls=0, right=0),
        Tally(bids=0, lies=0, caught=0, calls=1, right=0),
    )
