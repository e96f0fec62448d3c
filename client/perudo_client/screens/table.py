"""The table: what its keys, its mouse and the typing line do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType

from perudo_client import typed
from perudo_client.i18n import _
from perudo_client.typed import Command as Word
from perudo_client.widgets.entry import Entry, Mode
from perudo_client.widgets.move import Move
from perudo_protocol.messages import ClientMessage
from perudo_protocol.vocabulary import Bid, Call

from .base import N_
from .table_stages import TableStages

_NEVER_SKIP = ("t", "question_mark", "f1", "h", "q", "b", "p", "escape", "tab", "shift+tab")
"""Keys that keep their meaning during a reveal."""
_DEPENDS = {
    "bid", "more", "face", "dudo", "spot_on", "more_time", "come_back", "pause", "hide", "type"
}  # fmt: skip
"""Actions that do not always mean something."""


class TableScreen(TableStages):
    """A game as it is played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "bid", N_("bid"), tooltip=N_("Make the bid that is picked")),
        Binding("right,plus", "more(1)", N_("how many"), key_display="←→",
                tooltip=N_("Pick more or fewer dice")),
        Binding("left,minus", "more(-1)", N_("fewer"), show=False),
        Binding("down", "face(1)", N_("face"), key_display="↑↓",
                tooltip=N_("Pick another face")),
        Binding("up", "face(-1)", N_("face back"), show=False),
        Binding("d", "dudo", N_("dudo"), tooltip=N_("Doubt the standing bid"), show=False),
        Binding("s", "spot_on", N_("spot-on"), show=False,
                tooltip=N_("Claim that the standing bid is exactly right")),
        Binding("space", "hide", N_("hide"), tooltip=N_("Hide your dice, or show them again")),
        Binding("colon", "type", N_("type"), show=False,
                tooltip=N_("Type a bid or a call, such as 5 4; a digit begins one too")),
        Binding("b", "come_back", N_("come back"),
                tooltip=N_("Take your seat back from the bot that plays for you")),
        Binding("m", "more_time", N_("more time"), show=False,
                tooltip=N_("Have this turn last as long again, once a game")),
        Binding("p", "pause", N_("pause"), show=False,
                tooltip=N_("Pause the game, or let it go on")),
        Binding("h", "app.history", N_("history"), show=False,
                tooltip=N_("Look at the reveals of this game again")),
        Binding("q", "app.leave_table", N_("leave"), show=False,
                tooltip=N_("Leave this table")),
    ]  # fmt: skip

    _keys_for: Sequence[object] = ()
    """What the key line was drawn for; empty where it hangs on more."""

    # Keys and clicks ----------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Let any key go on from a reveal, and let a digit begin a typed bid."""
        if self.entry.is_open or self.has_class("-tiny"):
            return
        if event.key in _NEVER_SKIP or event.key.startswith("ctrl+"):
            return
        if self.stage == "reveal" and self.pacing.skip():
            event.stop()
            event.prevent_default()
            self.show([])
        elif self.stage == "throw":
            event.stop()
            event.prevent_default()
            self._throw_read()
        elif event.character is not None and event.character in "0123456789":
            event.stop()
            event.prevent_default()
            self.entry.open(Mode.BID, event.character)
        elif event.key == "colon" and self.check_action("type", ()):
            event.stop()
            event.prevent_default()
            self.action_type()

    def on_click(self) -> None:
        """Let a click go on from a reveal."""
        if self.stage == "reveal" and self.pacing.skip():
            self.show([])

    def action_bid(self) -> None:
        """Make the bid that is picked."""
        self.move.choose()

    def action_more(self, step: int) -> None:
        """Pick more or fewer dice."""
        self.move.step_quantity(step)

    def action_face(self, step: int) -> None:
        """Pick another face."""
        self.move.step_face(step)

    def action_dudo(self) -> None:
        """Doubt the standing bid."""
        self._call(Call.DUDO)

    def action_spot_on(self) -> None:
        """Claim that the standing bid is exactly right."""
        self._call(Call.SPOT_ON)

    def action_come_back(self) -> None:
        """Take our seat back, or say that we are here."""
        self.client.ask(self.model.back())

    def action_more_time(self) -> None:
        """Ask for more time."""
        self.client.ask(self.model.more_time())

    def action_pause(self) -> None:
        """Pause the game, or let it go on."""
        self.client.ask(self.model.pause(not self.model.paused))

    def action_hide(self) -> None:
        """Hide the dice, or show them again."""
        cup = self.cup
        cup.hide(not cup.hidden)

    def action_type(self) -> None:
        """Open the line for a typed bid."""
        self.entry.open(Mode.BID)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action means something now."""
        if action not in _DEPENDS or not self.is_alive:
            return True
        match action:
            case "bid" | "more" | "face":
                return self._acts and self.move.picked is not None
            case "dudo":
                return self._acts and self.move.options.may_dudo
            case "spot_on":
                return self._acts and self.move.options.may_spot_on
            case "come_back":
                return self.model.can_come_back
            case "more_time":
                return self._acts and self.model.can_have_more_time
            case "pause":
                return self.model.can_pause
            case _:
                view = self.model.view
                return self.stage == "round" and view is not None and bool(view.hand)

    def show_keys(self) -> None:
        """Draw the key line, if other keys mean something than before."""
        plain = self.stage == "round" and not self.entry.is_open
        now = [self.focused, *(self.check_action(each, ()) for each in _DEPENDS)] if plain else []
        if not plain or now != self._keys_for:
            self._keys_for = now
            super().show_keys()

    @property
    def _acts(self) -> bool:
        """Whether a move can be made, if it is ours."""
        stays = self.model.paused or self.model.stood_in or self.model.storage_full
        return self.stage == "round" and not stays

    @on(Move.Picked)
    def _picked(self) -> None:
        if self.model.view is not None and self.stage == "round":
            self._show_cup(self.model.view)

    @on(Move.BidChosen)
    def _bid_chosen(self, event: Move.BidChosen) -> None:
        self._bid(event.bid)

    @on(Move.CallChosen)
    def _call_chosen(self, event: Move.CallChosen) -> None:
        self._call(event.call)

    @on(Entry.Typed)
    async def _typed(self, event: Entry.Typed) -> None:
        match typed.parse(event.text):
            case Bid() as bid:
                self._bid(bid)
            case Call() as call:
                self._call(call)
            case typed.Unclear(sentence):
                self.move.tell(sentence)
            case typed.Order(command):
                await self._order(command)

    async def _order(self, command: Word) -> None:
        actions = {
            Word.HELP: "app.help",
            Word.RULES: "app.rules",
            Word.DICE: "hide",
            Word.SAY: "talk",
            Word.PHRASES: "talk",
            Word.LEAVE: "app.leave_table",
            Word.QUIT: "app.quit",
            Word.ODDS: "app.switch('odds')",
        }
        asks: dict[Word, Callable[[], ClientMessage]] = {
            Word.BACK: self.model.back,
            Word.MORE_TIME: self.model.more_time,
            Word.PAUSE: partial(self.model.pause, True),
            Word.GO_ON: partial(self.model.pause, False),
        }
        if command in asks:
            self.client.ask(asks[command]())
        elif command in actions:
            await self.run_action(actions[command])
        else:
            self.move.tell(_("That is not done here. Type a bid as in 5 4, or dudo."))

    def _bid(self, bid: Bid) -> None:
        self.client.ask(self.model.bid(bid.quantity, bid.face))

    def _call(self, call: Call) -> None:
        self.client.ask(self.model.dudo() if call is Call.DUDO else self.model.spot_on())
