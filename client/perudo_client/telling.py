"""What the app remembers of a table: the story in words, the reveals, whether its end was seen."""

from __future__ import annotations

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase

from . import happenings as h
from . import story_words
from .faults import Fault
from .findings import Checked, Unshown
from .i18n import _
from .proof_words import finding_line
from .widgets.story import Tale

MOST_TALES = 300

_SHOWN_ELSEWHERE = (h.BidMade, h.TurnPassed, h.YourTurn, h.HandDealt, h.ReadyChanged)
"""What the ladder, the seats and the cup show by themselves."""
_SPOILING = (h.Revealed, h.DiceMoved, h.WentOutOfGame, h.DiceGone, h.NextOpener, h.GameOver)
"""What must not be read before the cups are open."""


def tales(happening: h.Happening) -> list[Tale]:
    """Word one happening for the story; nothing for what the screen shows by itself."""
    if isinstance(happening, _SHOWN_ELSEWHERE):
        return []
    if isinstance(happening, h.StorageChanged) and happening.full:
        return []  # it stands over everything
    if isinstance(happening, h.DiceProven):
        return _proof(happening)
    if isinstance(happening, h.ChatSaid):
        name = _("you") if happening.mine else happening.name
        return [Tale(story_words.chat_text(happening), who=f"{name}:")]
    number = happening.view.round if isinstance(happening, h.AtTable) else 0
    spoils = isinstance(happening, _SPOILING)
    role = "" if isinstance(happening, h.Revealed | h.GameOver) else "dim"
    return [Tale(text, role, round=number, spoils=spoils) for text in story_words.story(happening)]


def _proof(happening: h.DiceProven) -> list[Tale]:
    """Word what the check of the dice has found; that they are right is said by the mark."""
    finding = happening.finding
    if isinstance(finding, Checked | Unshown):
        return []
    role = "bad" if isinstance(finding, Fault) else "dim"
    return [Tale(finding_line(happening.view, finding), role, round=happening.view.round)]


class Memory:
    """What is kept of one table after it has happened."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.tales: list[Tale] = []
        """The story in words."""
        self.reveals: list[TableView] = []
        """Every reveal of the game, oldest first."""
        self.end_seen = True
        """Whether the reveal that ended the game was seen."""
        self._table = ("", 0)
        self._anew = False

    def take(self, happening: h.Happening) -> None:
        """Take note of a happening."""
        self.tales.extend(tales(happening))
        del self.tales[:-MOST_TALES]
        match happening:
            case h.Arrived(view, again):
                self.end_seen = self.end_seen or not again or view.phase is Phase.OVER
                table, anew = (view.name, view.table), self._anew
                if not again and not (anew and table == self._table):
                    self.tales.clear()
                    self.reveals.clear()
                self._table, self._anew = table, False
            case h.NotWaitedFor():
                self._anew = True
            case h.GameStarted():
                self.reveals.clear()
                self.end_seen = False
            case h.Revealed(view):
                self.reveals.append(view)
                self.end_seen = False
            case h.NextOpener(view) | h.GameOver(view):
                if self.reveals and self.reveals[-1].round == view.round and view.reveal:
                    self.reveals[-1] = view
                elif isinstance(happening, h.GameOver):
                    self.end_seen = True
            case _:
                pass
