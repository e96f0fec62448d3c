"""Tables to look at: six and ten players, long names, palifico, a reveal, the end, the lobby."""

from __future__ import annotations

from msgspec.structs import replace

from perudo_protocol.messages import OwnHand, Said, ServerMessage, TableLine, Update
from perudo_protocol.ruleset import ruleset, to_wire
from perudo_protocol.story import AnyEvent, BidPlaced, Called, Dealt, DieLost, NextSet, TurnSet
from perudo_protocol.views import (
    Next,
    Person,
    Placed,
    Reveal,
    SeatView,
    TableView,
    Tally,
    Throw,
    Turn,
)
from perudo_protocol.vocabulary import Bid, Call, Phase, Player

ME = 11
"""The viewer's own number."""
NAMES = ("Ana", "Bia", "Caio", "Duda", "Edu", "Fabi", "Gil", "Hugo", "Iara", "João")
LONG_NAMES = tuple(f"{name}-Maximiliano-von"[:16] for name in NAMES)
"""Sixteen cells each, the most that a server takes."""


def seats(count: int, mine: int, dice: tuple[int, ...], long: bool = False) -> tuple[SeatView, ...]:
    """Give the seats of a table; every third one is a bot."""
    names = LONG_NAMES if long else NAMES
    return tuple(
        SeatView(
            name=names[number],
            player=Player.BOT if number % 3 == 2 and number != mine else Player.PERSON,
            person=ME if number == mine else 100 + number,
            dice=dice[number],
        )
        for number in range(count)
    )


def six(mine: int = 5, **changes: object) -> TableView:
    """Six players, round 7, five fours stand and it is the viewer's turn."""
    view = TableView(
        table=1,
        name="Friday table",
        rules=to_wire(ruleset()),
        rev=40,
        host=100,
        seats=seats(6, mine, (5, 3, 2, 2, 0, 5)),
        phase=Phase.BIDDING,
        game=3,
        round=7,
        opener=3,
        ladder=(
            Placed(3, Bid(3, 2)),
            Placed(5, Bid(4, 2)),
            Placed(0, Bid(2, 1)),
            Placed(1, Bid(5, 4)),
        ),
        turn=Turn(5, 41_000, (3, 6, 6, 6, 5, 5), (17, 17, 17, 17, 17, 17), (5,), (5,)),
        you=ME,
        hand=(1, 2, 2, 4, 6),
    )
    view = replace(view, seats=_out(view.seats, 4, 6))
    return replace(view, **changes)


def waiting() -> TableView:
    """Six players, and it is somebody else's turn."""
    turn = Turn(2, 41_000, (3, 6, 6, 6, 5, 5), (17, 17, 17, 17, 17, 17), (2,), (2,))
    return six(turn=turn)


def ten(long: bool = True) -> TableView:
    """Ten players with the longest names, fifty dice, a long ladder."""
    ladder = tuple(Placed(number % 10, Bid(4 + number, 2 + number % 5)) for number in range(14))
    rules = to_wire(ruleset("standard", {"max_players": 10}))
    least = (9, 18, 18, 18, 18, 17)
    return TableView(
        table=2,
        name="Friday table long"[:16],
        rules=rules,
        rev=12,
        host=100,
        seats=seats(10, 4, (5,) * 10, long),
        phase=Phase.BIDDING,
        game=4,
        round=1,
        opener=0,
        ladder=ladder,
        turn=Turn(4, 58_000, least, (50,) * 6, (4,), (4,)),
        you=ME,
        hand=(3, 3, 1, 5, 6),
    )


def opening() -> TableView:
    """Nobody has bid yet and the viewer opens."""
    turn = Turn(5, 60_000, (0, 1, 1, 1, 1, 1), (0, 17, 17, 17, 17, 17), (), ())
    return six(ladder=(), opener=5, turn=turn)


def palifico() -> TableView:
    """A palifico round: the face is locked, no spot-on."""
    view = six(
        palifico=True,
        round=9,
        opener=2,
        ladder=(Placed(2, Bid(1, 3)),),
        turn=Turn(5, 30_000, (0, 0, 2, 0, 0, 0), (0, 0, 13, 0, 0, 0), (5,), ()),
        hand=(3, 3, 1, 2, 6),
    )
    dice = (4, 2, 1, 1, 0, 5)
    changed = tuple(replace(seat, dice=dice[i]) for i, seat in enumerate(view.seats))
    return replace(view, seats=changed)


def top() -> TableView:
    """The top of the ladder: nothing can be bid any more."""
    turn = Turn(5, 30_000, (0,) * 6, (0,) * 6, (5,), (5,))
    return six(ladder=(Placed(1, Bid(17, 1)),), turn=turn)


def reveal() -> TableView:
    """Duda doubted six threes of Caio; there were five."""
    cups = ((1, 3, 2, 5, 6), (3, 4, 4), (1, 2), (6, 6), (), (1, 2, 2, 4, 6))
    shown = Reveal(
        caller=3,
        call=Call.DUDO,
        bidder=2,
        bid=Bid(6, 3),
        count=5,
        right=True,
        cups=cups,
        palifico=False,
        lost=(2,),
    )
    view = six(
        phase=Phase.REVEAL,
        turn=None,
        reveal=shown,
        next=Next(2, True),
        resume=9_000,
        ladder=(*six().ladder, Placed(2, Bid(6, 3))),
    )
    changed = tuple(replace(s, dice=1) if i == 2 else s for i, s in enumerate(view.seats))
    return replace(view, seats=changed)


def reveal_ten() -> TableView:
    """A reveal with ten cups of five and the longest names; spot-on, right."""
    cups = tuple(tuple((seat + die) % 6 + 1 for die in range(5)) for seat in range(10))
    count = sum(face in (1, 4) for cup in cups for face in cup)
    view = ten()
    shown = Reveal(
        caller=4,
        call=Call.SPOT_ON,
        bidder=3,
        bid=Bid(count, 4),
        count=count,
        right=True,
        cups=cups,
        palifico=False,
        lost=(3,),
        gained=(4,),
    )
    return replace(
        view,
        phase=Phase.REVEAL,
        turn=None,
        reveal=shown,
        next=Next(3, False),
        ladder=(*view.ladder, Placed(3, Bid(count, 4))),
    )


def throw() -> TableView:
    """The throw for the start, with a tie."""
    first = tuple(Throw(seat, face) for seat, face in enumerate((6, 2, 6, 1, 3, 5)))
    again = (Throw(0, 2), Throw(2, 4))
    return six(
        phase=Phase.THROW,
        round=0,
        ladder=(),
        turn=None,
        hand=(),
        throws=(first, again),
        next=Next(2, False),
    )


def over() -> TableView:
    """The game is over and the viewer has won."""
    view = reveal()
    places = (2, 3, 4, 5, 6, 1)
    tallies = (
        Tally(14, 4, 2, 5, 3),
        Tally(11, 6, 4, 3, 1),
        Tally(9, 2, 0, 2, 2),
        Tally(8, 1, 1, 4, 1),
        Tally(3, 1, 1, 0, 0),
        Tally(15, 5, 1, 6, 5),
    )
    return replace(
        view,
        phase=Phase.OVER,
        next=None,
        resume=0,
        winner=5,
        tallies=tallies,
        seats=tuple(
            replace(seat, place=places[i], dice=3 if i == 5 else 0)
            for i, seat in enumerate(view.seats)
        ),
    )


def lobby(mine: int = 0, host: int = ME) -> TableView:
    """The waiting room: four seats taken, one of them by a bot, one person watching."""
    view = six(mine=mine)
    return replace(
        view,
        host=host,
        seats=tuple(
            replace(seat, dice=0, place=0, ready=i in (1, 2), player=seat.player)
            for i, seat in enumerate(seats(4, mine, (0,) * 4))
        ),
        watchers=(Person(201, "Olga"),),
        phase=Phase.LOBBY,
        game=0,
        round=0,
        opener=-1,
        ladder=(),
        turn=None,
        hand=(),
    )


def tables() -> tuple[TableLine, ...]:
    """Three tables of a server."""
    return (
        TableLine(
            table=1,
            name="Friday table",
            rules={},
            people=3,
            bots=1,
            seats=6,
            watchers=2,
            playing=True,
        ),
        TableLine(
            table=2,
            name="Aces high",
            rules={"open_aces": True},
            people=1,
            bots=0,
            seats=4,
            watchers=0,
            playing=False,
        ),
        TableLine(
            table=3,
            name="Slow and strict",
            rules={"raising": "one_axis", "spot_on": False, "turn_seconds": 0},
            people=2,
            bots=2,
            seats=10,
            watchers=0,
            playing=False,
        ),
    )


LEAST: dict[int, tuple[int, ...]] = {
    0: (0, 1, 1, 1, 1, 1),
    1: (2, 4, 3, 3, 3, 3),
    2: (2, 5, 4, 4, 4, 4),
    3: (3, 5, 5, 5, 5, 5),
    4: (3, 6, 6, 6, 5, 5),
}
"""The least bids after each bid of `six`."""


def round_before() -> TableView:
    """Round 6 of the same game: six threes of Bia stand, and Ana is to play."""
    view = six(
        round=6,
        ladder=(Placed(5, Bid(5, 3)), Placed(1, Bid(6, 3))),
        turn=Turn(0, 0, (3, 7, 7, 6, 6, 6), (18,) * 6, (0,), (0,)),
        hand=(2, 2, 3, 5, 6),
    )
    dice = (5, 3, 3, 2, 0, 5)
    return replace(view, seats=tuple(replace(s, dice=dice[i]) for i, s in enumerate(view.seats)))


def call_of_round_six() -> Update:
    """Caio doubts the sixes of Bia and is wrong."""
    cups = ((1, 3, 4, 6, 6), (3, 4, 5), (1, 5, 5), (2, 3), (), (2, 2, 3, 5, 6))
    events = (
        Called(2, Call.DUDO, 6, False, cups),
        DieLost(2),
        NextSet(3, False, 12_000),
    )
    return Update(rev=41, events=events)


def round_seven() -> tuple[ServerMessage, ...]:
    """What comes after it, to the viewer's turn, with some talk between."""
    bids = ((3, Bid(3, 2)), (5, Bid(4, 2)), (0, Bid(2, 1)), (1, Bid(5, 4)))
    seats_in_turn = (3, 5, 0, 1, 5)
    events: list[AnyEvent] = [Dealt(7, 3, False)]
    for number, seat in enumerate(seats_in_turn):
        call = (seat,) if number else ()
        events.append(TurnSet(seat, 41_000, LEAST[number], (17,) * 6, call, call))
        if number < len(bids):
            events.append(BidPlaced(*bids[number]))
    return (
        Update(rev=42, events=tuple(events)),
        OwnHand(round=7, dice=(1, 2, 2, 4, 6)),
        Said(person=100, name="Ana", text="nobody has that many fours"),
        Said(person=101, name="Bia", phrase="really"),
    )


def _out(all_seats: tuple[SeatView, ...], number: int, place: int) -> tuple[SeatView, ...]:
    return tuple(
        replace(seat, place=place) if i == number else seat for i, seat in enumerate(all_seats)
    )
