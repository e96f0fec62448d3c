"""Who came to a table, who went, who sits where: sentences from two pictures of the people."""

from __future__ import annotations

from perudo_protocol.views import NOBODY, Person, SeatView, TableView
from perudo_protocol.vocabulary import NO_SEAT, Player

from .i18n import _


def people_lines(
    before: TableView,
    after: TableView,
    sent_away: int = NOBODY,
    untold: frozenset[str] = frozenset(),
) -> list[str]:
    """Tell the difference between two moments, a sentence for each change.

    `sent_away` is the person whom the host has sent away in between. Of those in `untold` nobody
    was told that they were away before, so it is no news that they are back.
    """
    return [
        *_absences(before, after, sent_away, untold),
        *_arrivals(before, after),
        *_seats_taken(before, after),
        *_departures(before, after, sent_away),
        *_bots(before, after),
        *_host(before, after),
    ]


def ready_line(view: TableView, seat: int, ready: bool) -> str:
    """Say that a seat is ready, or not any more; nothing of a bot that plays for somebody."""
    if seat < len(view.seats) and view.seats[seat].player is Player.STAND_IN:
        return ""
    name = view.seats[seat].name if seat < len(view.seats) else _("somebody")
    if seat == view.my_seat != NO_SEAT:
        return _("You are ready.") if ready else _("You are not ready yet.")
    text = _("{name} is ready.") if ready else _("{name} is not ready yet.")
    return text.format(name=name)


def player_note(seat: SeatView) -> str:
    """Say in a word who plays a seat: nothing for a person, else `away`, `bot`, `left`..."""
    match seat.player:
        case Player.PERSON:
            return _("away") if seat.away else ""
        case Player.BOT:
            return _("bot")
        case Player.STAND_IN:
            return _("stand-in")
        case Player.NOBODY:
            return _("left")


def _absences(
    before: TableView, after: TableView, sent_away: int, untold: frozenset[str]
) -> list[str]:
    """Tell who is away, who is back, and for whom a bot plays on."""
    lines = []
    for was, now in zip(before.seats, after.seats, strict=False):
        if was.name != now.name or was.person == sent_away != NOBODY:
            continue
        mine = after.you in (was.person, now.person) and after.you != NOBODY
        text = _absence(was, now, mine)
        if was.player is now.player and not now.away and not mine and now.name in untold:
            continue
        if text:
            lines.append(text.format(name=now.name))
    return lines


def _absence(was: SeatView, now: SeatView, mine: bool) -> str:
    if _stood_in(was, now):
        return _("A bot plays on for you.") if mine else _("{name} is away: a bot plays on.")
    if was.player is Player.STAND_IN and now.player is Player.PERSON:
        return _("You have your seat back.") if mine else _("{name} is back and plays again.")
    if now.player is not Player.PERSON or bool(was.away) is bool(now.away):
        return ""
    if now.away:
        return _("You count as away now.") if mine else _("{name} is away for now.")
    return _("You are back.") if mine else _("{name} is back.")


def _stood_in(was: SeatView, now: SeatView) -> bool:
    """Say whether a bot takes over from somebody who was away, and not from one who left."""
    return was.player is Player.PERSON and was.away > 0 and now.player is Player.STAND_IN


def _waited_for(before: TableView, after: TableView) -> set[int]:
    """Give the people who have lost their seats to bots, and may have them back."""
    pairs = zip(before.seats, after.seats, strict=False)
    return {was.person for was, now in pairs if was.name == now.name and _stood_in(was, now)}


def _seated(view: TableView) -> dict[int, SeatView]:
    people = (seat for seat in view.seats if seat.player is Player.PERSON)
    return {seat.person: seat for seat in people if seat.person != NOBODY}


def _watching(view: TableView) -> dict[int, Person]:
    return {person.person: person for person in view.watchers}


def _arrivals(before: TableView, after: TableView) -> list[str]:
    known = {*_seated(before), *_watching(before)}
    return [
        _watch_text(person, person.person == after.you).format(name=person.name)
        for who, person in _watching(after).items()
        if (who not in known or who in _seated(before)) and who not in _waited_for(before, after)
    ]


def _watch_text(person: Person, mine: bool) -> str:
    if mine:
        if person.waiting:
            return _("You watch now, and take a seat in the next game.")
        return _("You watch now.")
    if person.waiting:
        return _("{name} watches, and takes a seat in the next game.")
    return _("{name} watches.")


def _seats_taken(before: TableView, after: TableView) -> list[str]:
    lines = []
    for who, seat in _seated(after).items():
        if who in _seated(before) or _was_stand_in(before, seat):
            continue
        text = _("You take a seat.") if who == after.you else _("{name} takes a seat.")
        lines.append(text.format(name=seat.name))
    return lines


def _was_stand_in(before: TableView, seat: SeatView) -> bool:
    return any(s.name == seat.name and s.player is Player.STAND_IN for s in before.seats)


def _departures(before: TableView, after: TableView, sent_away: int) -> list[str]:
    here = {*_seated(after), *_watching(after), *_waited_for(before, after)} - {sent_away}
    stand_ins = {seat.name for seat in after.seats if seat.player is Player.STAND_IN}
    lines = []
    for who, seat in _seated(before).items():
        if who in here:
            continue
        text = _left_text(sent=who == sent_away, replaced=seat.name in stand_ins)
        lines.append(text.format(name=seat.name))
    owners = {seat.name for seat in before.seats if seat.player is Player.STAND_IN}
    gone = [
        person
        for who, person in _watching(before).items()
        if who not in here and person.name not in owners
    ]
    for person in gone:
        text = _("{name} watches no longer.")
        if person.person == sent_away:
            text = _left_text(sent=True, replaced=False)
        lines.append(text.format(name=person.name))
    return lines


def _left_text(*, sent: bool, replaced: bool) -> str:
    if sent and replaced:
        return _("The host has sent {name} away. A bot plays on.")
    if sent:
        return _("The host has sent {name} away.")
    return _("{name} has left. A bot plays on.") if replaced else _("{name} has left.")


def _bots(before: TableView, after: TableView) -> list[str]:
    old = [seat.name for seat in before.seats if seat.player is Player.BOT]
    new = [seat.name for seat in after.seats if seat.player is Player.BOT]
    came = [name for name in new if name not in old]
    gone = [name for name in old if name not in new]
    return [_("{name}, a bot, takes a seat.").format(name=name) for name in came] + [
        _("{name}, a bot, has gone.").format(name=name) for name in gone
    ]


def _host(before: TableView, after: TableView) -> list[str]:
    if after.host in (before.host, NOBODY):
        return []
    if after.host == after.you:
        return [_("You are the host now.")]
    names = {who: person.name for who, person in _watching(after).items()}
    names.update((who, seat.name) for who, seat in _seated(after).items())
    if after.host not in names:
        return []
    return [_("{name} is the host now.").format(name=names[after.host])]
