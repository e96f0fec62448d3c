"""All keys of the screen that was left for this one."""

from __future__ import annotations

from collections.abc import Sequence

from perudo_client.i18n import _
from perudo_client.widgets.page import Paragraph

from .base import Command
from .reading import ReadingScreen


class HelpScreen(ReadingScreen):
    """A list of keys and what they do."""

    LEAD = 9

    def __init__(self, keys: Sequence[Command]) -> None:
        """List these."""
        super().__init__()
        self._keys = keys

    def heading(self) -> tuple[str, str]:
        """Give the title."""
        return _("Help"), _("keys of this screen")

    def paragraphs(self) -> list[Paragraph]:
        """Give one key a line."""
        page = [Paragraph(command.help, lead=command.key) for command in self._keys]
        more = [
            _("At the table a digit begins a bid: type 5 4 for five fours, dudo, or spot on."),
            _("All of it can be done with the mouse too: click a face, an arrow, or a key below."),
            _(
                "The sign at the top tells of the dice: ✓ and six digits, every die that was shown"
                " so far follows from what was promised; ~ the same, but your own share is not in"
                " this round's dice, or what you did not see of this game is taken on trust;"
                " ✗ something was wrong."
            ),
            _("Brackets mark the dice that count in a reveal; aces among them are underlined."),
        ]
        return page + [Paragraph(text, gap=number == 0) for number, text in enumerate(more)]
