"""The story of a game in sentences, a happening at a time: bids, calls, who pays, who is out."""

from __future__ import annotations

from perudo_protocol.views import Placed, Reveal, TableView
from perudo_protocol.vocabulary import NO_SEAT, Call

from . import happenings as h
from .i18n import _, ngettext
from .people_words import people_lines, ready_line
from .words import (
    Style,
    bid_text,
    dice_count,
    listed,
    phrase_text,
    plain_name,
    seat_name,
    storage_line,
    together,
)


def story(happening: h.Happening, style: Style = Style.SIGNS) -> list[str]:
    """Tell a happening in lines for the log; no line for what the screen shows by itself."""
    match happening:
        case h.BidMade(view, placed):
            return [bid_line(view, placed, style)]
        case h.Revealed(view):
            return [] if view.reveal is None else [reveal_line(view, view.reveal, style)]
        case h.ChatSaid(name=name):
            return [_("{name}: {text}").format(name=name, text=chat_text(happening))]
        case h.PeopleChanged(view, before, sent_away, untold):
            return people_lines(before, view, sent_away, untold)
        case h.ReadyChanged(view, seat, ready):
            line = ready_line(view, seat, ready)
            return [line] if line else []
        case h.StorageChanged(full):
            return [storage_line(full)]
        case h.CameBack(seconds, bot_played):
            return [back_line(seconds, bot_played=bot_played)]
        case h.AtTable():
            line = _game_line(happening)
            return [line] if line else []
        case _:
            return []


def _game_line(happening: h.AtTable) -> str:
    view = happening.view
    match happening:
        case h.GameStarted():
            most = max((seat.dice for seat in view.seats), default=0)
            text = ngettext(
                "A game begins. Everybody has {count} die.",
                "A game begins. Everybody has {count} dice.",
                most,
            )
            return text.format(count=most)
        case h.ThrownForStart():
            return throw_line(view)
        case h.NextOpener():
            return next_line(view)
        case h.NewRound():
            return round_line(view)
        case h.TimeUp(seat=seat):
            if seat == view.my_seat:
                return _("You ran out of time.")
            return _("{name} ran out of time.").format(name=plain_name(view, seat))
        case h.MoreTimeTaken(seat=seat):
            if seat == view.my_seat:
                return _("You have more time.")
            return _("{name} takes more time.").format(name=plain_name(view, seat))
        case h.PauseChanged():
            return pause_line(view)
        case h.DiceMoved(seat=seat, gained=gained):
            return gain_line(view, seat) if gained else loss_line(view, seat)
        case h.SeatGivenUp(was=was):
            text = _("{name} has left the game. The dice stay until the round ends.")
            return text.format(name=was.name)
        case h.DiceGone(seat=seat):
            return _("The dice of {name} go out.").format(name=plain_name(view, seat))
        case h.WentOutOfGame(seat=seat, place=place):
            return out_line(view, seat, place)
        case h.GameOver():
            return winner_line(view)
        case _:
            return ""


def chat_text(said: h.ChatSaid) -> str:
    """Give what was said, without who said it."""
    return phrase_text(said.phrase) if said.phrase else said.text


def pause_line(view: TableView) -> str:
    """Say that the game is paused, or goes on."""
    return _("The host has paused the game.") if view.paused else _("The game goes on.")


def back_line(seconds: float, *, bot_played: bool = False) -> str:
    """Say for how long the connection was lost, and whether a bot has played for us."""
    count = max(1, round(seconds))
    text = ngettext(
        "The connection was lost for {count} second; you are back.",
        "The connection was lost for {count} seconds; you are back.",
        count,
    )
    if bot_played:
        text = ngettext(
            "The connection was lost for {count} second; a bot has played for you.",
            "The connection was lost for {count} seconds; a bot has played for you.",
            count,
        )
    return text.format(count=count)


def bid_line(view: TableView, placed: Placed, style: Style = Style.SIGNS) -> str:
    """Say who bid what."""
    bid = bid_text(placed.bid, style)
    if placed.seat == view.my_seat:
        return _("You bid {bid}.").format(bid=bid)
    return _("{name} bids {bid}.").format(name=plain_name(view, placed.seat), bid=bid)


def reveal_line(view: TableView, reveal: Reveal, style: Style = Style.SIGNS) -> str:
    """Tell a call, what it uncovered and who pays: several sentences on one line."""
    return together([call_line(view, reveal, style), *result_lines(view, reveal)])


def call_line(view: TableView, reveal: Reveal, style: Style = Style.SIGNS) -> str:
    """Say who called which bid, and how many there were."""
    mine = reveal.caller == view.my_seat
    if reveal.call is Call.DUDO:
        text = _doubt_text(reveal.count, mine)
    else:
        text = _spot_on_text(reveal.count, mine)
    return text.format(
        name=plain_name(view, reveal.caller),
        bid=bid_text(reveal.bid, style),
        count=reveal.count,
    )


def _doubt_text(count: int, mine: bool) -> str:
    if mine:
        return ngettext(
            "You doubted {bid}: there was {count}.",
            "You doubted {bid}: there were {count}.",
            count,
        )
    return ngettext(
        "{name} doubted {bid}: there was {count}.",
        "{name} doubted {bid}: there were {count}.",
        count,
    )


def _spot_on_text(count: int, mine: bool) -> str:
    if mine:
        return ngettext(
            "You called spot-on on {bid}: there was {count}.",
            "You called spot-on on {bid}: there were {count}.",
            count,
        )
    return ngettext(
        "{name} called spot-on on {bid}: there was {count}.",
        "{name} called spot-on on {bid}: there were {count}.",
        count,
    )


def result_lines(view: TableView, reveal: Reveal) -> list[str]:
    """Say who loses and who regains a die, a sentence each."""
    lines = [loss_line(view, seat) for seat in reveal.lost]
    if not reveal.lost:
        lines.append(_("Nobody loses a die."))
    return lines + [gain_line(view, seat) for seat in reveal.gained]


def loss_line(view: TableView, seat: int) -> str:
    """Say that a seat loses a die."""
    if seat == view.my_seat:
        return _("You lose a die.")
    return _("{name} loses a die.").format(name=plain_name(view, seat))


def gain_line(view: TableView, seat: int) -> str:
    """Say that a seat regains a die."""
    if seat == view.my_seat:
        return _("You regain a die.")
    return _("{name} regains a die.").format(name=plain_name(view, seat))


def throw_line(view: TableView) -> str:
    """Tell the latest throw for the start."""
    throws = view.throws[-1] if view.throws else ()
    dice = listed(
        _("{name}: {face}").format(name=seat_name(view, throw.seat), face=throw.face)
        for throw in throws
    )
    if len(view.throws) > 1:
        return _("A tie. They throw again: {dice}.").format(dice=dice)
    return _("The throw for who begins: {dice}.").format(dice=dice)


def next_line(view: TableView) -> str:
    """Say who opens the coming round."""
    if view.next is None:
        return ""
    name = plain_name(view, view.next.opener)
    if view.next.opener == view.my_seat:
        if view.next.palifico:
            return _("You have one die left: the next round is palifico, and you open it.")
        return _("You open the next round.")
    if view.next.palifico:
        text = _("{name} has one die left: the next round is palifico, and {name} opens it.")
        return text.format(name=name)
    return _("{name} opens the next round.").format(name=name)


def round_line(view: TableView) -> str:
    """Say which round begins, with how many dice, and who opens it."""
    if view.opener == view.my_seat:
        text = _("Round {round}, {dice}. You open.")
        palifico = _("Palifico! Round {round}, {dice}. You open, and aces are not wild.")
    else:
        text = _("Round {round}, {dice}. {name} opens.")
        palifico = _("Palifico! Round {round}, {dice}. {name} opens, and aces are not wild.")
    return (palifico if view.palifico else text).format(
        round=view.round,
        dice=dice_count(view.dice_in_play),
        name=plain_name(view, view.opener),
    )


def out_line(view: TableView, seat: int, place: int) -> str:
    """Say that a seat is out, and in which place."""
    if seat == view.my_seat:
        return _("You are out of the game: place {place}.").format(place=place)
    text = _("{name} is out of the game: place {place}.")
    return text.format(name=plain_name(view, seat), place=place)


def winner_line(view: TableView) -> str:
    """Say who won."""
    if view.winner == NO_SEAT:
        return _("The game is over.")
    if view.winner == view.my_seat:
        return _("You win the game.")
    return _("{name} wins the game.").format(name=plain_name(view, view.winner))
