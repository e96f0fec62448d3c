"""What holds in every game, over all options and 2-10 players, whatever is tried.

A machine plays game after game: bids and calls by whoever may, bids and calls by whoever may not,
time-outs, leavers. After each step the properties are looked at; at the end of each run the game is
brought to its end within a bound.
"""

from __future__ import annotations

import dataclasses
from functools import reduce
from random import Random
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from perudo_protocol.ruleset import CHOICES, SWITCH, Choice, Ruleset, ruleset
from perudo_protocol.vocabulary import FACES, NO_SEAT, Bid, Call, Options, Refusal
from perudo_server.rules.actions import (
    Action,
    Deal,
    Draw,
    Dudo,
    Leave,
    PlaceBid,
    SpotOn,
    Throw,
    TimeUp,
)
from perudo_server.rules.counting import count
from perudo_server.rules.events import (
    BidPlaced,
    Called,
    Cleared,
    DieGained,
    DieLost,
    Event,
    WentOut,
    Won,
)
from perudo_server.rules.game import (
    Refused,
    Stage,
    bids,
    callers,
    decide,
    evolve,
    new_game,
    options_for,
)
from perudo_server.rules.sight import visible_cups
from perudo_server.rules.values import replace
from tests.support.judging import BOTTOM, above, look_at_the_verdict, look_at_what_comes


def values(choice: Choice) -> st.SearchStrategy[Any]:
    """Any value that an option may have."""
    if choice is SWITCH:
        return st.booleans()
    return st.sampled_from(choice.words) if choice.words else st.integers(choice.least, choice.most)


RULESETS = st.fixed_dictionaries({name: values(choice) for name, choice in CHOICES.items()}).map(
    lambda changes: ruleset("standard", changes)
)
"""Any options at all."""


class Play(RuleBasedStateMachine):
    """One game, played at random, with all that it told."""

    def __init__(self) -> None:
        """Wait for the options."""
        super().__init__()
        self.table, self.players = ruleset(), 2
        self.start = self.game = new_game(self.table, self.players)
        self.journal: list[Event] = []

    @initialize(rules=RULESETS, players=st.integers(2, 10), dice=st.sampled_from([2, 3, 5, 0]))
    def open(self, rules: Ruleset, players: int, dice: int) -> None:
        """Open a table with any options; few dice more often, so that games come to their end."""
        self.table = dataclasses.replace(rules, start_dice=dice or rules.start_dice)
        self.players = min(players, rules.max_players)
        self.begin(Random(players))

    @rule(seed=st.integers(0, 2**32))
    def step(self, seed: int) -> None:
        """Try what may be refused, then do one thing of those that the game waits for."""
        chance = Random(seed)
        self.try_anything(chance)
        leaves = self.game.stage is not Stage.OVER and chance.random() < 0.03
        (self.leave if leaves else self.go_on)(chance)

    # Steps -------------------------------------------------------------------------------------

    def begin(self, chance: Random) -> None:
        """Begin a game; a rematch has the same seats and options (D42)."""
        self.start = self.game = new_game(self.table, self.players)
        self.journal = []
        if self.table.first_player == "random":
            self.act(Draw(chance.randrange(self.players)))

    def go_on(self, chance: Random) -> None:
        """Do what the game waits for."""
        match self.game.stage:
            case Stage.THROWING:
                self.throw(chance)
            case Stage.DEALING:
                self.deal(chance)
            case Stage.OVER:
                self.begin(chance)
            case Stage.BIDDING:
                ways = [self.time_up]
                ways += [self.call] * 3 if self.game.ladder else []
                ways += [self.bid, *[self.bid_least] * 6, *[self.bid_truth] * 2] * self.may_bid
                chance.choice(ways)(chance)

    def throw(self, chance: Random) -> None:
        """Throw for the start; the highest begins, those tied throw again."""
        rolls = {seat: chance.randint(1, 6) for seat in self.game.throwing}
        self.act(Throw(tuple(rolls.items())))
        tied = tuple(seat for seat in rolls if rolls[seat] == max(rolls.values()))
        if len(tied) > 1:
            assert self.game.throwing == tied
        else:
            assert (self.game.throwing, self.game.opener) == ((), tied[0])

    def deal(self, chance: Random) -> None:
        """Deal dice of all faces, or of few, so that counts are great."""
        before = self.game
        faces = chance.choice([(1, 2, 3, 4, 5, 6), (1, 5), (3,)])
        cups = tuple(tuple(chance.choice(faces) for _ in range(dice)) for dice in before.dice)
        self.act(Deal(cups))
        assert self.game.round == before.round + 1
        assert self.game.turn == self.game.opener == before.opener
        assert self.game.plays(self.game.turn)

    def bid(self, chance: Random) -> None:
        """Raise, anywhere between the least and the most."""
        face = chance.choice([face for face in FACES if self.options.least[face - 1]])
        span = self.options.least[face - 1], self.options.most[face - 1]
        self.raise_to(Bid(chance.randint(*span), face))

    def bid_least(self, chance: Random) -> None:
        """Raise by as little as may be, so that ladders grow long."""
        face = chance.choice([face for face in FACES if self.options.least[face - 1]])
        self.raise_to(Bid(self.options.least[face - 1], face))

    def bid_truth(self, chance: Random) -> None:
        """Bid exactly what lies there, where that is legal, and have it called."""
        game = self.game
        truths = [Bid(count(game.cups, face, game.wild), face) for face in FACES]
        legal = [bid for bid in truths if self.options.allows(bid)]
        if not legal:
            self.bid_least(chance)
            return
        self.raise_to(chance.choice(legal))
        self.call(chance)

    def call(self, chance: Random) -> None:
        """Call, whoever may."""
        seats = [(seat, options_for(self.game, seat)) for seat in range(self.players)]
        able: list[Action] = [Dudo(seat) for seat, options in seats if options.may_dudo]
        able += [SpotOn(seat) for seat, options in seats if options.may_spot_on]
        self.lift(chance.choice(able))

    def time_up(self, chance: Random) -> None:
        """Let the clock of the one in turn run down (D33)."""
        before = self.game
        if before.ladder:
            self.lift(TimeUp(before.turn))
            return
        self.act(TimeUp(before.turn))
        assert self.game.standing == Bid(1, 2)

    def leave(self, chance: Random) -> None:
        """Give a seat up, at any stage; with two left that ends the game (D32)."""
        before = self.game
        seat = chance.choice(before.playing)
        self.act(Leave(seat))
        after = self.game
        assert after.places[seat] == len(before.playing)
        assert (after.ladder, after.cups) == (before.ladder, before.cups)
        if before.stage is Stage.BIDDING and after.stage is Stage.BIDDING:
            assert (after.dice, after.palifico) == (before.dice, before.palifico)
            assert after.turn == (before.next_after(seat) if seat == before.turn else before.turn)
        else:
            assert after.dice[seat] == 0

    def try_anything(self, chance: Random) -> None:
        """Try acts of any seat, there or not: accepted exactly when the options say so."""
        before = self.game
        seat = chance.randint(-2, len(before.dice))
        bid = Bid(chance.randint(-1, before.in_play + 2), chance.randint(-1, 7))
        rungs = len(before.ladder)
        answers = chance.choice([None, rungs, rungs - 1, rungs + 1])
        fresh = answers in (None, rungs)
        options = options_for(before, seat)
        acts: list[tuple[Action, bool]] = [
            (PlaceBid(seat, bid, answers), options.allows(bid) and fresh),
            (Dudo(seat, answers), options.may_dudo and fresh),
            (SpotOn(seat, answers), options.may_spot_on and fresh),
        ]
        for action, allowed in acts:
            result = decide(before, action)
            assert isinstance(result, Refused) != allowed, (action, result)
            if not fresh and before.stage is Stage.BIDDING and before.plays(seat):
                assert result == Refused(Refusal.STALE)
            if before.stage is not Stage.BIDDING:
                assert result == Refused(Refusal.NOT_PLAYING)

    # What holds after each ---------------------------------------------------------------------

    @invariant()
    def what_all_may_do_is_what_each_may_do(self) -> None:
        """The server tells of all seats at once; and a turn is somebody's while a round is bid."""
        game = self.game
        assert (game.turn != NO_SEAT) == (game.stage is Stage.BIDDING)
        if game.stage is not Stage.BIDDING:
            return
        each = [options_for(game, seat) for seat in range(self.players)]
        assert bids(game) == (each[game.turn].least, each[game.turn].most)
        assert callers(game, Call.DUDO) == tuple(s for s, o in enumerate(each) if o.may_dudo)
        assert callers(game, Call.SPOT_ON) == tuple(s for s, o in enumerate(each) if o.may_spot_on)

    @invariant()
    def somebody_can_act(self) -> None:
        """Until the game is over something can be done, by one who is still in."""
        game = self.game
        match game.stage:
            case Stage.THROWING:
                assert len(game.throwing) > 1 or game.rules.first_player == "random"
                assert all(map(game.plays, game.throwing))
            case Stage.DEALING:
                assert game.plays(game.opener)
            case Stage.BIDDING:
                options = self.options
                assert options.may_bid or options.may_dudo
                assert options.may_dudo == bool(game.ladder)
                assert not isinstance(decide(game, TimeUp(game.turn)), Refused)
            case Stage.OVER:
                assert game.playing == (game.winner,)

    @invariant()
    def the_places_tell_who_is_out(self) -> None:
        """Everybody out has a place of their own, from the last upwards; those in have none."""
        game = self.game
        if game.stage is Stage.OVER:
            assert sorted(game.places) == list(range(1, len(game.dice) + 1))
            assert game.places[game.winner] == 1
            return
        out = [place for place in game.places if place]
        assert sorted(out) == list(range(len(game.playing) + 1, len(game.dice) + 1))
        for seat, place in enumerate(game.places):
            assert (place == 0) == game.plays(seat)

    @invariant()
    def dice_are_in_bounds(self) -> None:
        """Nobody has fewer than none, or more than at the start."""
        assert all(0 <= dice <= self.game.rules.start_dice for dice in self.game.dice)

    @invariant()
    def replay_gives_the_same_game(self) -> None:
        """The fold of all events is the game, dice included."""
        assert reduce(evolve, self.journal, self.start) == self.game

    @invariant()
    def hidden_dice_make_no_difference(self) -> None:
        """Nobody's options, and nothing that a seat sees, hang on cups hidden from it (D36)."""
        game = self.game
        if game.shown:
            return
        for viewer in (NO_SEAT, *range(len(game.dice))):
            cups = tuple(
                hand if seat == viewer else (1,) * len(hand) for seat, hand in enumerate(game.cups)
            )
            other = replace(game, cups=cups)
            assert visible_cups(other, viewer) == visible_cups(game, viewer)
            assert options_for(other, viewer) == options_for(game, viewer)
            assert repr(other) == repr(game)

    def teardown(self) -> None:
        """Bring the game to its end: three acts a die at the most, where only dudo is called."""
        for _ in range(3 * self.game.in_play + 3 * len(self.game.dice) + 3):
            game = self.game
            match game.stage:
                case Stage.THROWING:
                    first = game.throwing[0]
                    self.act(Throw(tuple((s, 6 if s == first else 1) for s in game.throwing)))
                case Stage.DEALING:
                    self.act(Deal(tuple((2,) * dice for dice in game.dice)))
                case Stage.BIDDING:
                    self.lift(Dudo(game.turn)) if game.ladder else self.act(TimeUp(game.turn))
                case Stage.OVER:
                    break
        assert self.game.stage is Stage.OVER

    # Hands -------------------------------------------------------------------------------------

    @property
    def options(self) -> Options:
        """Give what the one in turn may do."""
        return options_for(self.game, self.game.turn)

    @property
    def may_bid(self) -> bool:
        """Say whether the one in turn may raise at all."""
        return self.options.may_bid

    def act(self, action: Action) -> tuple[Event, ...]:
        """Do what must be allowed, and write it down."""
        events = decide(self.game, action)
        assert not isinstance(events, Refused), (action, events)
        for event in events:
            self.game = evolve(self.game, event)
        self.journal += events
        assert not any(isinstance(event, Won) for event in events[:-1])
        assert isinstance(events[-1], Won) == (self.game.stage is Stage.OVER)
        return events

    def raise_to(self, bid: Bid) -> None:
        """Bid; the ladder rises strictly, each rung above the one below."""
        before = self.game
        self.act(PlaceBid(before.turn, bid, len(before.ladder)))
        assert self.game.ladder == (*before.ladder, BidPlaced(before.turn, bid))
        assert above(before.rules, before.palifico, bid, before.standing or BOTTOM)
        assert len(self.game.ladder) <= 6 * before.in_play

    def lift(self, action: Action) -> None:
        """Call; look at who pays, who gains, who opens and whether it is palifico (D19)."""
        before = self.game
        events = self.act(action)
        called = next(event for event in events if isinstance(event, Called))
        lost = [event.seat for event in events if isinstance(event, DieLost)]
        gained = [event.seat for event in events if isinstance(event, DieGained)]
        look_at_the_verdict(before, called, lost, gained)
        cleared = {event.seat for event in events if isinstance(event, Cleared)}
        assert cleared == {s for s in before.gone if before.dice[s] - lost.count(s) > 0}
        for seat, dice in enumerate(before.dice):
            moved = dice - lost.count(seat) + gained.count(seat)
            assert self.game.dice[seat] == (0 if seat in before.gone else moved)
        out = [event.seat for event in events if isinstance(event, WentOut)]
        assert out == [seat for seat in lost if before.plays(seat) and before.dice[seat] == 1]
        if self.game.stage is not Stage.OVER:
            look_at_what_comes(before, self.game, called, lost)


TestPlay = Play.TestCase
TestPlay.settings = settings(
    max_examples=50,
    stateful_step_count=100,
    deadline=None,
)
