"""The words of the game: bids, dice, names, and how things stand.

Both screens word the game from here. Every function gives whole words or sentences in the reader's
language and knows nothing but the values it is given. What happens is told in `story_words`,
reasons are worded in `reasons`, options in `option_words`, the rules page in `rules_text`, the
people at a table in `people_words`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Bid

from .i18n import _, ngettext, pgettext


class Style(Enum):
    """How a bid is written: `5 × [4]`, `5 x [4]`, or `5 fours`."""

    SIGNS = "signs"
    ASCII = "ascii"
    WORDS = "words"


def bid_text(bid: Bid, style: Style = Style.SIGNS) -> str:
    """Write a bid in short."""
    if style is Style.WORDS:
        return many_of(bid.quantity, bid.face)
    times = "×" if style is Style.SIGNS else "x"
    return f"{bid.quantity} {times} {die(bid.face)}"


def die(face: int) -> str:
    """Draw a die in three letters: `[4]`."""
    return f"[{face}]"


def dice_text(faces: Iterable[int], style: Style = Style.SIGNS) -> str:
    """Write dice in a row: `[1] [2] [2]`, or `1, 2, 2` in words."""
    if style is Style.WORDS:
        return listed(str(face) for face in faces)
    return " ".join(die(face) for face in faces)


def many_of(count: int, face: int) -> str:
    """Say how many of a face: `1 ace`, `5 fours`."""
    match face:
        case 1:
            text = ngettext("{count} ace", "{count} aces", count)
        case 2:
            text = ngettext("{count} two", "{count} twos", count)
        case 3:
            text = ngettext("{count} three", "{count} threes", count)
        case 4:
            text = ngettext("{count} four", "{count} fours", count)
        case 5:
            text = ngettext("{count} five", "{count} fives", count)
        case 6:
            text = ngettext("{count} six", "{count} sixes", count)
        case _:
            text = "{count} × [{face}]"
    return text.format(count=count, face=face)


def face_plural(face: int) -> str:
    """Name a face in the plural: `aces`, `fours`."""
    names = {1: _("aces"), 2: _("twos"), 3: _("threes"), 4: _("fours"), 5: _("fives")}
    return names.get(face, _("sixes"))


def dice_count(count: int) -> str:
    """Say how many dice: `1 die`, `17 dice`."""
    return ngettext("{count} die", "{count} dice", count).format(count=count)


def clock_text(seconds: float) -> str:
    """Write a time that is left: `0:48`."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def listed(items: Iterable[str]) -> str:
    """Put words in a row."""
    return pgettext("between the items of a list", ", ").join(items)


def together(sentences: Iterable[str]) -> str:
    """Put whole sentences on one line."""
    return " ".join(sentence for sentence in sentences if sentence)


def seat_name(view: TableView, seat: int) -> str:
    """Name a seat; our own is `you`."""
    if seat == view.my_seat != NO_SEAT:
        return _("you")
    return plain_name(view, seat)


def plain_name(view: TableView, seat: int) -> str:
    """Give the name at a seat as it is, our own too."""
    return view.seats[seat].name if 0 <= seat < len(view.seats) else _("somebody")


def phrase_text(phrase: str) -> str:
    """Word one of the quick phrases; an unknown one is shown as it is."""
    words = {
        "hello": _("Hello!"),
        "good_luck": _("Good luck!"),
        "well_played": _("Well played."),
        "nice_bluff": _("Nice bluff!"),
        "no_way": _("No way!"),
        "really": _("Really?"),
        "thinking": _("Let me think..."),
        "hurry_up": _("Come on, your turn!"),
        "oops": _("Oops."),
        "thanks": _("Thank you."),
        "again": _("Another game?"),
        "goodbye": _("Goodbye."),
    }
    return words.get(phrase, phrase)


def turn_line(view: TableView) -> str:
    """Say whose turn it is; the empty text when no round is being bid."""
    if view.turn is None:
        return ""
    if view.turn.seat == view.my_seat:
        return _("It is your turn.")
    return _("It is {name}'s turn.").format(name=plain_name(view, view.turn.seat))


def standing_line(view: TableView, style: Style = Style.SIGNS) -> str:
    """Say which bid stands and whose it is."""
    standing = view.standing
    if standing is None:
        return _("There is no bid yet.")
    bid = bid_text(standing.bid, style)
    if standing.seat == view.my_seat:
        return _("Your bid of {bid} stands.").format(bid=bid)
    return _("The bid of {bid} by {name} stands.").format(
        bid=bid, name=plain_name(view, standing.seat)
    )


def hand_line(view: TableView, style: Style = Style.SIGNS) -> str:
    """Say which dice lie under our own cup."""
    if not view.hand:
        return _("You have no dice under your cup.")
    return _("Your dice: {dice}.").format(dice=dice_text(view.hand, style))


def storage_line(full: bool) -> str:
    """Say how it stands with what the server writes down."""
    if full:
        return _("The server cannot write down the game, its disk may be full: everything waits.")
    return _("The server can write down the game again: it goes on.")
