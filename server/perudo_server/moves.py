"""What those at a table may do: bid, call, be ready, take more time, give to the dice, talk.

Each function gives `None` when it was done, else the reason word. The seat is that of who asks; it
never comes from the wire.
"""

from __future__ import annotations

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.messages import Entropy, Promise, Said
from perudo_protocol.story import Ready
from perudo_protocol.text import clean
from perudo_protocol.vocabulary import NO_SEAT, PHRASES, Bid, Refusal
from perudo_protocol.words import Denial

from . import entries as n
from .people import Person
from .rules.actions import Dudo, PlaceBid, SpotOn
from .rules.game import Stage
from .table import No, Table

CHAT_LETTERS = 200
"""The longest line of chat, in characters."""


def act(table: Table, seat: int, asked: m.Act) -> No:
    """Bid or call in a seat; the act names the game, round and bid that it answers (D34)."""
    if seat == NO_SEAT:
        return Denial.NOT_SEATED
    play = table.play
    if play is None:
        return Denial.NO_GAME
    game = play.game
    if asked.round != game.round or asked.game != play.number or game.turn == NO_SEAT:
        return Refusal.STALE
    if play.paused:
        return Denial.PAUSED
    table.roster.seats[seat].time_outs = 0
    match asked:
        case m.PlaceBid():
            return play.act(PlaceBid(seat, Bid(asked.quantity, asked.face), asked.number))
        case m.Dudo():
            return play.act(Dudo(seat, asked.number))
        case m.SpotOn():
            return play.act(SpotOn(seat, asked.number))
        case _:
            raise AssertionError(f"no such act: {type(asked).__name__}")


def more_time(table: Table, person: Person, game: int) -> No:
    """Let somebody's own turn last as long again, once a game."""
    seat, play = table.roster.seat_of(person), table.play
    if seat == NO_SEAT:
        return Denial.NOT_SEATED
    if play is None or not play.on or play.number != game:
        return Denial.NO_GAME
    state = table.roster.seats[seat]
    if not state.more_time:
        return Denial.NO_MORE_TIME if table.rules.turn_seconds else Denial.NO_CLOCK
    state.more_time = False
    no = play.more_time(seat)
    if no is not None:
        state.more_time = True
    table.keep_people()
    return no


def set_ready(table: Table, person: Person, moment: tuple[int, int], ready: bool) -> No:
    """Be ready for what comes next; when all who play are, it comes at once."""
    seat = table.roster.seat_of(person)
    if seat == NO_SEAT:
        return Denial.NOT_SEATED
    if moment != table.moment:
        return Refusal.STALE
    if table.play is not None and table.play.game.stage is Stage.BIDDING:
        return Denial.GAME_ON
    if table.roster.seats[seat].ready != ready:
        table.roster.seats[seat].ready = ready
        table.keep(n.Ready(seat, ready))
        table.tell([Ready(seat, ready)])
        table.after_ready()
    return None


def take_entropy(table: Table, person: Person, message: Promise | Entropy) -> None:
    """Take what somebody adds to the dice of their own seat; for another game it is nothing."""
    seat, play = table.roster.seat_of(person), table.play
    if seat == NO_SEAT or play is None or play.number != message.game:
        return
    if isinstance(message, Promise):
        play.promise(seat, message.promise)
    else:
        moment = (message.round, message.attempt)
        play.entropy(seat, moment, message.entropy, message.promise)


def say(table: Table, person: Person, text: str, phrase: str) -> No:
    """Say something to everybody at the table; text is cleaned, a phrase is one of the list."""
    if phrase and phrase not in PHRASES:
        return Denial.BAD_PHRASE
    text = "" if phrase else clean(text)[:CHAT_LETTERS].strip()
    if not text and not phrase:
        return Denial.EMPTY
    said = Said(person=person.number, name=person.name, text=text, phrase=phrase)
    frame = encode(said)
    for listener in table.roster.everybody():
        listener.put(frame)
    return None
