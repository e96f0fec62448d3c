"""What is told of a table in the plain client: each turn, each reveal, and how things stand."""

from __future__ import annotations

from collections.abc import Callable

from perudo_protocol.vocabulary import NO_SEAT, Phase

from . import happenings as h
from . import plain_words
from .banner import banner
from .i18n import _
from .model import Model
from .proof_words import finding_line
from .story_words import call_line, result_lines, story, winner_line
from .words import Style, hand_line


class Teller:
    """Tells one player, a line a thing."""

    def __init__(
        self,
        model: Model,
        tell: Callable[[str], None],
        clock: Callable[[], float],
        *,
        with_odds: bool,
    ) -> None:
        """Write with `tell`; with odds, each turn begins with the chance of the standing bid."""
        self.waiting = False
        """The player waits for the next turn, or for what makes one impossible."""
        self._model = model
        self._tell = tell
        self._clock = clock
        self._with_odds = with_odds
        self._turn_untold = False
        self._listed: set[int] | None = None
        """The tables that were said, since we came to the list."""
        self._banner = ""

    def tell_all(self, lines: list[str]) -> None:
        """Tell these lines."""
        for line in lines:
            self._tell(line)

    def rest(self) -> None:
        """Wait for no turn any more."""
        self._turn_untold = self.waiting = False

    def list_anew(self) -> None:
        """Say all tables when they are listed next."""
        self._listed = None

    def list_tables(self, *, looking: bool) -> None:
        """Say all tables on coming to the list, and later only those that are new.

        Nothing is said unless somebody is `looking`.
        """
        numbers = {table.table for table in self._model.tables}
        if self._model.view is None and looking:
            if self._listed is None:
                self.tell_all(plain_words.tables_lines(self._model.tables))
            else:
                new = [t for t in self._model.tables if t.table not in self._listed]
                self.tell_all([plain_words.table_line(table) for table in new])
        self._listed = numbers

    def tell(self, happening: h.Happening) -> None:
        """Tell what has happened at the table."""
        match happening:
            case h.Revealed(view):
                self._turn_untold = False
                if view.reveal is not None:
                    self._tell(call_line(view, view.reveal, Style.WORDS))
                    self.tell_all(plain_words.cups_lines(view))
                    self.tell_all(result_lines(view, view.reveal))
            case h.NextOpener():
                self.tell_all(story(happening, Style.WORDS))
                if self._model.can_be_ready and not self._model.am_ready:
                    self._tell(_("Press Enter to go on."))
            case h.HandDealt(view):
                if self._turn_untold:
                    self._your_turn()
                else:
                    self._tell(hand_line(view, Style.WORDS))
            case h.YourTurn(view):
                self._turn_untold = not view.hand
                if view.hand:
                    self._your_turn()
            case h.ReadyChanged(view) if view.phase not in (Phase.LOBBY, Phase.OVER):
                pass  # bots and people go on after each reveal: that is no news
            case h.DiceProven(view, finding):
                self._tell(finding_line(view, finding))
            case _:
                self.tell_all(story(happening, Style.WORDS))

    def arrived(self, *, again: bool, back: bool, quiet: bool, words: str) -> None:
        """Tell what there is to see at our table.

        `again`: we were here before, and come `back` after a lost connection. With `quiet` nobody
        wants to read who is here. `words` are the join words, if we know them.
        """
        model, view = self._model, self._model.view
        if view is None:
            return
        self._listed = None
        taken_back = again and self._banner == "stood_in" and model.my_seat != NO_SEAT
        turn = model.my_turn and bool(view.hand)
        if taken_back and not back:
            self._tell(_("You have your seat back."))
        if again and (back or taken_back):
            self.tell_all(plain_words.moment_lines(view, turn_follows=turn))
        elif not quiet:
            self.tell_all(plain_words.arrival_lines(view, model.rules, turn_follows=turn))
            if words and model.am_host:
                text = _("The table is locked. Its join words: {words}.")
                self._tell(text.format(words=words))
        if model.paused and not model.can_come_back:
            self._tell(banner(model, self._clock(), keys=False))
        if turn:
            self._your_turn()

    def _your_turn(self) -> None:
        self._turn_untold = self.waiting = False
        view = self._model.view
        if view is not None:
            seconds = self._model.seconds_left(self._clock())
            self.tell_all(plain_words.turn_lines(view, self._model.my_options, seconds))
            if self._with_odds and self._model.standing is not None:
                self._tell(plain_words.odds_line(view, self._model.standing))

    def tell_end(self, happening: h.GameOver) -> None:
        """Tell who won."""
        self.rest()
        self._tell(winner_line(happening.view))
        self.tell_all(plain_words.over_lines(happening.view))

    def tell_banner(self) -> None:
        """Say once that a bot plays for us, or is about to."""
        model = self._model
        kind = "stood_in" if model.stood_in else "away" if model.counted_away else ""
        if kind and kind != self._banner:
            self._tell(banner(model, self._clock(), keys=False))
        self._banner = kind
