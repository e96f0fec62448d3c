"""One's own dice, which can be hidden from people who look over one's shoulder."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from perudo_client.i18n import _

from .boxes import BOX, boxes
from .lines import Lines
from .pieces import Line, Piece


class Cup(Lines):
    """The viewer's own dice: as boxes where there are three lines for them, else in one line."""

    DEFAULT_CSS = """
    Cup { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with an empty cup."""
        super().__init__(id=id)
        self._hand: tuple[int, ...] = ()
        self._matching: Collection[int] = ()
        self._summary = self._brief = ""
        self.hidden = False

    def show(
        self,
        hand: Sequence[int],
        matching: Collection[int] = (),
        summary: str = "",
        brief: str = "",
    ) -> None:
        """Show these dice; those of a face in `matching` stand out.

        `summary` sums them up; so does `brief` where there is less room.
        """
        shown = tuple(sorted(hand)), matching, summary, brief or summary
        if shown != (self._hand, self._matching, self._summary, self._brief):
            self._hand, self._matching, self._summary, self._brief = shown
            self.repaint()

    def hide(self, hidden: bool) -> None:
        """Hide the dice, or show them again."""
        self.hidden = hidden
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the dice and, where there is room, a line about them."""
        if not self._hand:
            return [(Piece(" " + self._summary, "dim"),)]
        faces = ["?" if self.hidden else str(face) for face in self._hand]
        roles = [self._role(face) for face in self._hand]
        about = _("hidden; Space shows them") if self.hidden else self._summary
        if height >= 3 and width >= (BOX + 1) * len(faces):
            lines: list[Line] = [(Piece(" "), *line) for line in boxes(faces, roles)]
            if height >= 5:
                lines.append(())
            lines.append((Piece(" " + about, "dim"),))
            return lines
        line = [Piece(" ")]
        for face, role in zip(faces, roles, strict=True):
            line.append(Piece(f"[{face}] ", role))
        room = width - 4 * len(faces) - 3
        if room < len(about) and not self.hidden:
            about = self._brief
        if room >= len(about):
            line.append(Piece(" " + about, "dim"))
        return [line]

    def _role(self, face: int) -> str:
        return "match" if not self.hidden and face in self._matching else ""

    def pressed(self, press: object) -> None:
        """Nothing in the cup can be pressed."""
