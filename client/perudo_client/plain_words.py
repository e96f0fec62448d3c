"""What the plain client says in several lines: help, tables, the table, the reveal, the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perudo_protocol.messages import TableLine
from perudo_protocol.ruleset import CHOICES, PRESETS, Ruleset
from perudo_protocol.views import TableView, Tally
from perudo_protocol.vocabulary import FACES, PHRASES, Bid, Options, Phase

from . import faults
from .faults import Fault
from .i18n import _, ngettext
from .odds import odds
from .option_words import known, preset_of_words, rules_name, rules_sentences
from .people_words import player_note
from .proof_words import evidence_line
from .rules_text import rules_text
from .story_words import winner_line
from .words import (
    Style,
    bid_text,
    dice_count,
    dice_text,
    hand_line,
    listed,
    many_of,
    phrase_text,
    plain_name,
    standing_line,
    turn_line,
)

WORDS = Style.WORDS


def help_lines() -> list[str]:
    """Say what can be typed."""
    return [
        _("5 4: bid five fours. Also 5x4 or 5 fours."),
        _("dudo: doubt the standing bid."),
        _("spot on: say that the standing bid is exactly right."),
        _("dice: hear your dice. table: hear who plays and which bid stands."),
        _("bids: hear the bids of this round. odds: hear the chance of the standing bid."),
        _("time: hear how many seconds are left."),
        _("ready, or an empty line: go on after a reveal."),
        _("say TEXT: talk to the table. phrases: hear the quick phrases. phrase WORD: say one."),
        _("rules: hear the rules of this table."),
        _("tables: hear the tables. join N: take a seat at table N. watch N: watch it."),
        _("make NAME PRESET OPTION=VALUE: make a table. The preset and options may be left out."),
        _("make NAME words=BLUE-FOX-RAIN: make a table that only those with these words join."),
        _("Presets: {presets}. Options: {options}.").format(
            presets=listed(PRESETS), options=listed(CHOICES)
        ),
        _("For the host: start, bot, unbot NAME, kick NAME, host NAME, rematch."),
        _("pause, go on: for the host, stop the clocks for a while."),
        _("more time: have your turn last as long again, once a game."),
        _("back: take your seat back from the bot that plays for you."),
        _("leave: leave the table. quit: end the program."),
        _("wait: for scripts. What follows is read when it is your turn or the game is over."),
    ]


def tables_lines(tables: Sequence[TableLine]) -> list[str]:
    """Say which tables there are."""
    if not tables:
        return [_("There are no tables yet. Type make to make one.")]
    return [table_line(table) for table in tables]


def table_line(table: TableLine) -> str:
    """Say a table of the list in one line."""
    text = (
        _("Table {number}, {name}: {rules}, {taken} of {seats} seats taken, a game is on.")
        if table.playing
        else _("Table {number}, {name}: {rules}, {taken} of {seats} seats taken.")
    )
    line = text.format(
        number=table.table,
        name=table.name,
        rules=rules_name(known(table.rules)),
        taken=table.people + table.bots,
        seats=table.seats,
    )
    return f"{line} {_('It is locked.')}" if table.locked else line


def arrival_lines(view: TableView, rules: Ruleset, *, turn_follows: bool = False) -> list[str]:
    """Say where one is on coming to a table."""
    text = _("You are at table {number}, {name}: {rules}.")
    if view.my_seat < 0:
        text = _("You watch table {number}, {name}: {rules}.")
    line = text.format(number=view.table, name=view.name, rules=rules_name(rules))
    about = [line, *rules_sentences(rules), *seats_lines(view)]
    about += moment_lines(view, turn_follows=turn_follows)
    if any(person.waiting and person.person == view.you for person in view.watchers):
        about.append(_("You play from the next game on."))
    return about


def status_lines(view: TableView, options: Options) -> list[str]:
    """Say all that is to be seen at the table now."""
    return [*seats_lines(view), *moment_lines(view), *options_lines(options)]


def seats_lines(view: TableView) -> list[str]:
    """Say who sits where and with how many dice, who is the host, and who watches."""
    lines = [_seat_line(view, number) for number in range(len(view.seats))]
    if view.watchers:
        names = listed(
            _("you") if person.person == view.you else person.name for person in view.watchers
        )
        lines.append(_("Watching: {names}.").format(names=names))
    return lines


def _seat_line(view: TableView, number: int) -> str:
    seat = view.seats[number]
    notes = [_("you") if number == view.my_seat else "", player_note(seat)]
    if seat.person == view.host:
        notes.append(_("host"))
    if view.phase in (Phase.LOBBY, Phase.OVER):
        notes.append(_("ready") if seat.ready else "")
    else:
        notes.append(dice_count(seat.dice) if seat.dice else _("out"))
    told = listed(note for note in notes if note)
    text = _("Seat {number}: {name} ({notes}).") if told else _("Seat {number}: {name}.")
    return text.format(number=number + 1, name=seat.name, notes=told)


def unready_line(view: TableView, *, stood_in: bool) -> str:
    """Say to somebody who cannot be ready who can."""
    if stood_in:
        return _("A bot plays for you. Type back to take your seat.")
    if view.my_seat < 0:
        return _("You watch this table: only who has a seat can be ready.")
    if view.phase is Phase.BIDDING:
        return _("A round is being bid: nobody need be ready now.")
    return _("You are out of this game: only who has dice can be ready.")


def too_few_line() -> str:
    """Say to the host why there is no rematch now."""
    return _("Another game needs at least two players: type bot, or wait for somebody.")


def join_words_line() -> str:
    """Say what join words are, to somebody who asked for help before a locked door."""
    return _("Join words are those that your host has told you; capitals and hyphens count not.")


def moment_lines(view: TableView, *, turn_follows: bool = False) -> list[str]:
    """Say what goes on: the round, the standing bid, whose turn it is, one's own dice.

    What `turn_lines` say is left out where they follow.
    """
    match view.phase:
        case Phase.LOBBY:
            return [_("The game has not started yet.")]
        case Phase.THROW:
            return [_("The game is about to begin.")]
        case Phase.OVER:
            return [winner_line(view)]
        case Phase.REVEAL:
            return [_("All dice are shown; the next round comes soon.")]
        case Phase.BIDDING:
            text = _("Round {round}, {dice} in play.")
            lines = [text.format(round=view.round, dice=dice_count(view.dice_in_play))]
            if view.palifico:
                lines.append(_("This round is palifico: aces are not wild."))
            if turn_follows:
                return lines
            if view.hand:
                lines.append(hand_line(view, WORDS))
            return [*lines, standing_line(view, WORDS), turn_line(view)]


def turn_lines(view: TableView, options: Options, seconds: float | None) -> list[str]:
    """Say that it is one's turn, and all that is needed to decide."""
    lines = [turn_line(view), standing_line(view, WORDS), hand_line(view, WORDS)]
    lines += options_lines(options)
    if seconds is not None:
        lines.append(seconds_line(seconds))
    return lines


def options_lines(options: Options) -> list[str]:
    """Say what may be done, as the server says."""
    lines = []
    if options.may_bid:
        least = listed(
            many_of(options.least[face - 1], face) for face in FACES if options.least[face - 1]
        )
        lines.append(_("Least bids: {least}.").format(least=least))
    if options.may_dudo:
        lines.append(_("You may doubt: type dudo."))
    if options.may_spot_on:
        lines.append(_("You may call it exactly right: type spot on."))
    return lines


def seconds_line(seconds: float | None) -> str:
    """Say how much time is left."""
    if seconds is None:
        return _("There is no clock now.")
    text = ngettext("{count} second left.", "{count} seconds left.", round(seconds))
    return text.format(count=round(seconds))


def cups_lines(view: TableView) -> list[str]:
    """Say which dice lay under each cup."""
    cups = view.reveal.cups if view.reveal is not None else ()
    lines = []
    for seat, hand in enumerate(cups):
        if not hand:
            continue
        text = _("You had {dice}.") if seat == view.my_seat else _("{name} had {dice}.")
        lines.append(text.format(name=plain_name(view, seat), dice=dice_text(hand, WORDS)))
    return lines


def bids_lines(view: TableView) -> list[str]:
    """Say the bids of this round, oldest first."""
    if not view.ladder:
        return [standing_line(view, WORDS)]
    return [
        _("{number}. {name}: {bid}.").format(
            number=number,
            name=plain_name(view, placed.seat),
            bid=bid_text(placed.bid, WORDS),
        )
        for number, placed in enumerate(view.ladder, 1)
    ]


def odds_line(view: TableView, bid: Bid) -> str:
    """Say the chances of a bid."""
    chances = odds(view, bid)
    text = _("{bid}: true with a chance of {true} percent, exact with {exact} percent.")
    return text.format(
        bid=bid_text(bid, WORDS), true=round(chances.true * 100), exact=round(chances.exact * 100)
    )


def fault_lines(view: TableView, fault: Fault, path: Path | None) -> list[str]:
    """Say that the dice are wrong, what that proves, and what can be done now."""
    evidence = evidence_line("" if path is None else str(path))
    return [
        _("THE DICE ARE NOT PROVEN."),
        *faults.fault_lines(view, fault),
        evidence,
        halted_line(),
    ]


def halted_line() -> str:
    """Say that nothing is played until the player decides."""
    return _(
        "The game stands still for you. Type leave to leave the table, or go on to play on at your"
        " own risk."
    )


def own_risk_line() -> str:
    """Say that the player goes on at their own risk."""
    return _("You play on at your own risk: the dice of this game are not proven.")


def over_lines(view: TableView) -> list[str]:
    """Say the places and what each did in the game."""
    order = sorted(range(len(view.seats)), key=lambda seat: view.seats[seat].place or 99)
    lines = []
    for seat in order:
        if view.seats[seat].place:
            text = _("Place {place}: {name}.")
            lines.append(text.format(place=view.seats[seat].place, name=view.seats[seat].name))
        if seat < len(view.tallies):
            lines.append(_tally_line(plain_name(view, seat), view.tallies[seat]))
    return lines


def _tally_line(name: str, tally: Tally) -> str:
    text = _(
        "{name}: bids {bids}, false ones {lies}, of these caught {caught}; calls {calls}, right"
        " ones {right}."
    )
    return text.format(
        name=name,
        bids=tally.bids,
        lies=tally.lies,
        caught=tally.caught,
        calls=tally.calls,
        right=tally.right,
    )


def rules_lines(rules: Ruleset) -> list[str]:
    """Say the rules of a table."""
    lines = [preset_of_words(rules)]
    for section in rules_text(rules):
        lines.append(_("{title}:").format(title=section.title))
        lines.extend(section.sentences)
    return lines


def phrases_lines() -> list[str]:
    """Say the quick phrases, each with the word that says it."""
    return [
        _("phrase {word}: {text}").format(word=word, text=phrase_text(word)) for word in PHRASES
    ]
