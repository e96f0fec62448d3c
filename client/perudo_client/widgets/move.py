"""What may be done now: the bid picker and the calls, or whom everybody waits for.

What is legal comes as `Options`; nothing else can be picked.
"""

from __future__ import annotations

from collections.abc import Hashable

from textual.message import Message

from perudo_client.i18n import _
from perudo_client.words import bid_text, die, seat_name
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import FACES, NO_OPTIONS, Bid, Call, Options

from .lines import Lines
from .pieces import Line, Piece, fit, wrap
from .seats import turn_of
from .shapes import cheapest, least_text


class Move(Lines):
    """The bid picker; posts `BidChosen`, `CallChosen`, and `Picked` when the pick changes."""

    DEFAULT_CSS = """
    Move { height: 1fr; }
    """

    class BidChosen(Message):
        """The player bids this."""

        def __init__(self, bid: Bid) -> None:
            """Remember the bid."""
            super().__init__()
            self.bid = bid

    class CallChosen(Message):
        """The player calls."""

        def __init__(self, call: Call) -> None:
            """Remember the call."""
            super().__init__()
            self.call = call

    class Picked(Message):
        """Another bid is picked, not yet made."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with nothing to do."""
        super().__init__(id=id)
        self._view: TableView | None = None
        self._moment: tuple[int, int, int] = (0, 0, -1)
        self._odds = ""
        self._word = ""
        self.options: Options = NO_OPTIONS
        self.headline = ""
        """Whose turn it is and what stands, in a few words."""
        self.picked: Bid | None = None
        """The bid that Enter would make; always a legal one."""

    def show(self, view: TableView) -> None:
        """Show what this viewer may do; the pick stays while the same bid stands."""
        self._view = view
        self.options = view.options_for(view.my_seat)
        at = (view.game, view.round, len(view.ladder))
        if at != self._moment:
            self._moment, self.picked, self._word = at, None, ""
        if self.picked is None or not self.options.allows(self.picked):
            self.picked = cheapest(self.options)
        self.set_class(self.mine, "-mine")
        self.headline = self._headline(view)
        self.title(self.headline)
        self.repaint()

    @property
    def mine(self) -> bool:
        """Whether it is this viewer's turn."""
        return self.options.may_bid or (
            self._view is not None and turn_of(self._view) == self._view.my_seat != -1
        )

    def odds(self, text: str) -> None:
        """Show a line about chances; the empty text shows none."""
        if text != self._odds:
            self._odds = text
            self.repaint()

    def tell(self, text: str) -> None:
        """Say why something was refused, until the next bid."""
        self._word = text
        self.repaint()

    # Picking ------------------------------------------------------------------------------------

    def step_quantity(self, step: int) -> None:
        """Pick more or fewer dice of the same face, as far as is legal."""
        if self.picked is not None:
            self.pick(Bid(self.picked.quantity + step, self.picked.face))

    def step_face(self, step: int) -> None:
        """Pick the next face on which a bid is legal."""
        if self.picked is None:
            return
        legal = [face for face in FACES if self.options.least[face - 1]]
        at = legal.index(self.picked.face)
        self.pick(Bid(self.picked.quantity, legal[(at + step) % len(legal)]))

    def pick(self, bid: Bid) -> None:
        """Pick the legal bid on this face that is nearest to the one given; else nothing."""
        if bid.face not in FACES or not self.options.least[bid.face - 1]:
            return
        least, most = self.options.least[bid.face - 1], self.options.most[bid.face - 1]
        self.picked = Bid(min(max(bid.quantity, least), most), bid.face)
        self._word = ""
        self.post_message(self.Picked())
        self.repaint()

    def choose(self) -> None:
        """Make the bid that is picked."""
        if self.picked is not None:
            self.post_message(self.BidChosen(self.picked))

    def pressed(self, press: Hashable) -> None:
        """Act on a click: an arrow, a face, or a button."""
        match press:
            case "less" | "more":
                self.step_quantity(1 if press == "more" else -1)
            case "bid":
                self.choose()
            case Call():
                self.post_message(self.CallChosen(press))
            case int():
                quantity = self.picked.quantity if self.picked else 1
                self.pick(Bid(quantity, press))

    # Drawing ------------------------------------------------------------------------------------

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the picker, or what is waited for."""
        if self._view is None or self._view.turn is None:
            return []
        if not self.mine:
            return self._waiting(self._view, width, height)
        lines = self._picker(width) if self.picked else self._only_calls(width)
        middle = wrap(self._word, width - 1, "bad") if self._word else []
        if not middle and self._odds:
            middle = [(Piece(self._odds, "dim"),)]
        room = height - len(lines) - 1
        if height and self._word and len(middle) > room:
            lines = lines[: max(height - 1 - len(middle), 0)]
            room = height - 1 - len(lines)
        lines += [(Piece(" "), *line) for line in middle[: max(room, 0)]]
        if height:
            lines += [()] * (height - len(lines) - 1)
        return [*lines, self._buttons(width)]

    def _picker(self, width: int) -> list[Line]:
        picked = self.picked
        assert picked is not None
        cell = 4 if width >= 36 else 3
        least, most = self.options.least[picked.face - 1], self.options.most[picked.face - 1]
        upper = [
            Piece(" ◂ " if picked.quantity > least else "   ", "turn", "less"),
            Piece(f"{picked.quantity:>2}", "strong"),
            Piece(" ▸" if picked.quantity < most else "  ", "turn", "more"),
            Piece(" × " if cell == 4 else " ×", ""),
        ]
        label = _("least")
        lower = [Piece(" " + fit(label, 9 if cell == 4 else 8), "dim")]
        for face in FACES:
            bound = self.options.least[face - 1]
            chosen = face == picked.face
            shown = die(face) if chosen else f" {face} "
            role = "pick" if chosen else ("strong" if bound else "dim")
            gap = " " * (cell - 3)
            upper += [Piece(shown, role, face if bound else None)]
            upper += [Piece(gap)]
            lower += [Piece(f"{bound or '–':>2} " + gap, "" if bound else "dim")]
        return [upper, lower]

    def _only_calls(self, width: int) -> list[Line]:
        lines = wrap(_("No higher bid is possible: call."), width - 1)
        return [(Piece(" "), *line) for line in lines]

    def _buttons(self, width: int) -> Line:
        wide = width >= 36
        line = [Piece(" ")]
        if self.picked is not None:
            words = _("bid {bid}") if wide else "{bid}"
            text = words.format(bid=bid_text(self.picked))
            line += [Piece(f" {text} ", "pick", "bid"), Piece(" ")]
        if self.options.may_dudo:
            line += _call("d", _("dudo"), Call.DUDO)
        if self.options.may_spot_on:
            line += _call("s", _("spot-on"), Call.SPOT_ON)
        return line

    def _waiting(self, view: TableView, width: int, height: int) -> list[Line]:
        lines: list[Line] = []
        standing = view.standing
        if standing is not None:
            name = seat_name(view, standing.seat)
            lines.append(
                (
                    Piece(" " + fit(_("stands"), 8), "dim"),
                    Piece(bid_text(standing.bid), "strong"),
                    Piece(_("  by {name}").format(name=name), "dim"),
                )
            )
        least = least_text(view.options_for(turn_of(view)))
        if least:
            lines.append((Piece(" " + fit(_("least"), 8), "dim"), Piece(least)))
        if self._word:
            lines += wrap(self._word, width - 1, "bad")
        elif self._odds and (height == 0 or len(lines) + 1 < height):
            lines.append((Piece(" " + self._odds, "dim"),))
        if self.options.may_dudo or self.options.may_spot_on:
            lines = lines[: max(height - 1, 0)] if height else lines
            lines += [()] * (height - len(lines) - 1)
            lines.append(self._buttons(width))
        return lines

    def _headline(self, view: TableView) -> str:
        if view.turn is None:
            return ""
        standing = view.standing
        name = seat_name(view, turn_of(view))
        if standing is None:
            return _("Your turn: open") if self.mine else _("{name} opens").format(name=name)
        if not self.mine:
            return _("{name} is to play").format(name=name)
        by = seat_name(view, standing.seat)
        text = _("Your turn: {bid} by {name} stands")
        return text.format(bid=bid_text(standing.bid), name=by)


def _call(key: str, label: str, call: Call) -> Line:
    return (Piece(f" {key}", "key", call), Piece(f" {label} ", "", call))
