"""All cups open: how many dice of each count, how the sum climbs against the bid, what follows.

The server says how many dice matched; which ones is read off that number, so that no rule stands
here: aces count where the dice of the bid's own face do not make up the count.
"""

from __future__ import annotations

from collections.abc import Iterator

from perudo_client.i18n import _
from perudo_client.words import bid_text, die, seat_name
from perudo_protocol.views import Reveal, TableView

from .lines import Lines
from .pieces import Line, Piece, fit, wrap


class RevealPanel(Lines):
    """The cups of a reveal, opened one after the other.

    `step` counts what is shown: one for each cup, then the verdict, then who opens.
    """

    DEFAULT_CSS = """
    RevealPanel { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with nothing revealed."""
        super().__init__(id=id)
        self._view: TableView | None = None
        self._question = ""
        self._answer = ""
        self._result = ""
        self._after = ""
        self.step = 0

    def show(self, view: TableView, question: str, answer: str, result: str, after: str) -> None:
        """Show a reveal: what is to be seen, what was, who loses or gains, what comes next."""
        self._view = view
        self._question, self._answer, self._result = question, answer, result
        self._after = after
        self.repaint()

    @property
    def steps(self) -> int:
        """How many steps there are in all."""
        return len(self._cups()) + 2

    @property
    def done(self) -> bool:
        """Whether everything is shown."""
        return self.step >= self.steps

    def advance(self, to: int | None = None) -> None:
        """Show one thing more, or all up to a step."""
        self.step = min(self.step + 1 if to is None else to, self.steps)
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the cups, the count, the verdict, what follows."""
        view = self._view
        if view is None or view.reveal is None:
            return []
        reveal = view.reveal
        cups = self._cups()
        shown = (self._question, self._answer)[self.step > len(cups)]
        lines = _padded(wrap(shown, width, "strong"), self._head_height(width))
        tail = self._tail(reveal, width)
        rows = self._rows(reveal, width)
        room = height - len(lines) - len(tail) if height else len(rows) + 3
        if room < len(rows):
            end = min(max(self.step, room), len(rows))
            rows = rows[max(end - max(room, 1), 0) : end]
        spare = room - len(rows)
        gaps = [[()] * (spare > wanted) for wanted in range(3)]
        return [*lines, *gaps[1], *rows, *gaps[0], tail[0], *gaps[2], *tail[1:]]

    def _rows(self, reveal: Reveal, width: int) -> list[Line]:
        assert self._view is not None
        return [
            _cup_line(self._view, reveal, seat, opened=order < self.step, width=width)
            for order, seat in enumerate(self._cups())
        ]

    def _tail(self, reveal: Reveal, width: int) -> list[Line]:
        cups = self._cups()
        opened = cups[: self.step]
        count = sum(counts(reveal, face) for seat in opened for face in reveal.cups[seat])
        result = wrap(self._result, width, "strong")
        after = wrap(self._after, width) if self._after else []
        return [
            _tally_line(reveal, count, len(opened) == len(cups), width),
            *(result if self.step > len(cups) else [()] * len(result)),
            *(after if self.step > len(cups) + 1 else [()] * len(after)),
        ]

    def _head_height(self, width: int) -> int:
        """Give the room for question and answer, so that nothing jumps later."""
        return max(len(wrap(text, width)) for text in (self._question, self._answer))

    def _cups(self) -> list[int]:
        if self._view is None or self._view.reveal is None:
            return []
        return [seat for seat, cup in enumerate(self._view.reveal.cups) if cup]


def _padded(lines: list[Line], height: int) -> list[Line]:
    return [*lines, *[()] * (height - len(lines))]


def counts(reveal: Reveal, face: int) -> bool:
    """Say whether a die of this face counts for the bid of this reveal."""
    if face == reveal.bid.face:
        return True
    plain = sum(1 for die_face in _all_dice(reveal) if die_face == reveal.bid.face)
    return face == 1 and plain != reveal.count


def _all_dice(reveal: Reveal) -> Iterator[int]:
    for cup in reveal.cups:
        yield from cup


def _cup_line(view: TableView, reveal: Reveal, seat: int, *, opened: bool, width: int) -> Line:
    cup = reveal.cups[seat]
    dice_room = 3 * max(len(hand) for hand in reveal.cups) + 1
    name = max(min(16, width - dice_room - 2 - 4), 4)
    who = "strong" if seat in (reveal.bidder, reveal.caller) else ""
    line = [
        Piece("▸ " if seat == reveal.caller else "  ", "strong"),
        Piece(fit(seat_name(view, seat), name) + " ", who),
    ]
    if not opened:
        line.append(Piece(fit(" · " * len(cup), dice_room), "dim"))
        return line
    for face in sorted(cup, key=lambda face: (not counts(reveal, face), face)):
        if counts(reveal, face):
            line.append(Piece(die(face), "ace" if face == 1 != reveal.bid.face else "match"))
        else:
            line.append(Piece(f" {face} ", "miss"))
    line.append(Piece(" " * (dice_room - 3 * len(cup))))
    own = sum(counts(reveal, face) for face in cup)
    line.append(Piece(f"+{own}", "strong" if own else "dim"))
    if width >= name + dice_room + 24:
        line.append(Piece("   " + _role_of(reveal, seat), "dim"))
    return line


def _role_of(reveal: Reveal, seat: int) -> str:
    if seat == reveal.bidder:
        return _("bid {bid}").format(bid=bid_text(reveal.bid))
    return _("called it") if seat == reveal.caller else ""


def _tally_line(reveal: Reveal, count: int, final: bool, width: int) -> Line:
    asked = reveal.bid.quantity
    text = _("{count} of {asked}").format(count=count, asked=asked)
    role = ("good" if count >= asked else "bad") if final else "strong"
    line = [Piece("  " + fit(text, 9), role)]
    if asked <= width - 14 - max(count - asked, 0) - 1:
        line.append(Piece("■" * min(count, asked), "match"))
        line.append(Piece("□" * max(asked - count, 0), "dim"))
        if count > asked:
            line.append(Piece("│" + "■" * (count - asked), "match"))
    return line
