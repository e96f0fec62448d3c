"""A table before the game: who sits there, who is ready, the rules, and the host's tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container

from perudo_client import happenings as h
from perudo_client.i18n import _
from perudo_client.option_words import rules_name, rules_sentences
from perudo_client.people_words import player_note
from perudo_client.widgets.bar import TopBar
from perudo_client.widgets.menu import Item, Menu
from perudo_client.widgets.page import Page, Paragraph
from perudo_client.widgets.story import Story
from perudo_protocol.views import NOBODY, TableView

from .base import N_
from .talk import TalkScreen

LEAST_PEOPLE = 3
"""So many rows the list of people has on a small screen; the rest is scrolled to."""
LEAST_ABOUT = 10
"""So many are for what friends need: join words and a line with a pin."""
OTHER_ROWS = 4
"""The top line, the key line, and two of the story."""


class RoomScreen(TalkScreen):
    """The waiting room."""

    DEFAULT_CSS = """
    RoomScreen {
        #room { height: auto; }
        #story { padding: 0 1; }
        &.-full #room {
            layout: horizontal;
            height: auto;
            max-height: 16;
            & > #people, & > #about {
                border: round $line;
                border-title-color: $foreground 75%;
                padding: 0 1;
                width: 1fr;
                height: auto;
                min-height: 12;
            }
        }
        &.-compact #room {
            layout: vertical;
            & > #people { height: auto; }
            & > #about { height: auto; border-top: solid $line; }
        }
    }
    """
    AUTO_FOCUS = "Menu"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s,enter", "start", N_("start"), tooltip=N_("Start the game")),
        Binding("r", "ready", N_("ready"), tooltip=N_("Be ready, or not ready any more")),
        Binding("b", "add_bot", N_("add a bot"), tooltip=N_("Let a bot sit down")),
        Binding("x,delete", "remove", N_("remove"),
                tooltip=N_("Send away the bot or the person under the cursor")),
        Binding("o", "hand_over", N_("hand over"), show=False,
                tooltip=N_("Make the person under the cursor the host")),
        Binding("c", "copy", N_("copy"), show=False,
                tooltip=N_("Copy the line with which friends join")),
        Binding("escape,q", "app.leave_table", N_("leave"), tooltip=N_("Leave this table")),
    ]  # fmt: skip

    def content(self) -> ComposeResult:
        """Give the seats, the rules, the story."""
        yield TopBar(id="bar")
        with Container(id="room"):
            yield Menu(id="people")
            yield Page(id="about")
        yield Story(id="story")
        yield self.entry

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show who is here and what the rules are."""
        view = self.model.view
        if view is None:
            return
        rules = self.model.rules
        text = _("{taken} of {seats} seats")
        facts = [text.format(taken=len(view.seats), seats=rules.max_players)]
        self.query_one(TopBar).show(view.name, rules_name(rules), facts)
        people = self.query_one(Menu)
        people.show(_people(view))
        self.query_one("#about", Page).show(self._about(view))
        self.query_one(Story).show(self.client.tales)
        self._make_room(view)
        people.title(_("At the table"))
        self.query_one("#about", Page).title(_("About"))

    def _make_room(self, view: TableView) -> None:
        """On a small screen, give what friends need the rows that nobody sits in."""
        about, people = self.query_one("#about", Page), self.query_one(Menu)
        if self.has_class("-full"):
            about.styles.max_height = people.styles.max_height = None
            return
        room = self.app.size.height - OTHER_ROWS
        rows = max(LEAST_PEOPLE, min(len(view.seats) + len(view.watchers), room - LEAST_ABOUT))
        people.styles.max_height = rows
        about.styles.max_height = max(room - rows, 1)

    def _about(self, view: TableView) -> list[Paragraph]:
        if self.model.am_host:
            enough = self.model.can_start
            word = _("You are the host: start when all are here.") if enough else _(
                "You are the host: wait for others, or add a bot.")  # fmt: skip
        elif not self.model.can_be_ready:
            word = _("You watch. The host starts the game.")
        elif self.model.am_ready:
            word = _("You are ready. The host starts the game.")
        else:
            word = _("The host starts the game. Say that you are ready.")
        paragraphs = [Paragraph(word, "turn" if self.model.can_start else "strong")]
        if self.client.door.words_here:
            paragraphs.append(Paragraph(_("The join words of this table:"), "dim"))
            paragraphs.append(Paragraph(self.client.door.words_here, "strong"))
        if self.client.join_line:
            paragraphs.append(Paragraph(_("Friends join with (c copies it):"), "dim", gap=True))
            paragraphs.append(Paragraph(self.client.join_line, "strong"))
        rules = self.model.rules
        name = _("{rules}.").format(rules=rules_name(rules))
        name = name[:1].upper() + name[1:]
        paragraphs.append(Paragraph(name, "dim", gap=True))
        sentences = rules_sentences(rules)
        paragraphs += [Paragraph(sentence, "dim") for sentence in sentences]
        return paragraphs

    # What the host may do, and everybody ------------------------------------------------------

    def _under_cursor(self) -> tuple[int, int]:
        """Give the seat and the person under the cursor; -1 and 0 where there is none."""
        view = self.model.view
        index = self.query_one(Menu).index
        if view is None:
            return -1, NOBODY
        if index < len(view.seats):
            return index, view.seats[index].person
        watcher = index - len(view.seats)
        return -1, view.watchers[watcher].person if watcher < len(view.watchers) else NOBODY

    @on(Menu.Chosen)
    async def _chosen(self) -> None:
        await self.run_action("start" if self.model.can_start else "ready")

    @on(Menu.Moved)
    def _moved(self) -> None:
        self.show_keys()

    def action_start(self) -> None:
        """Start the game."""
        if self.model.can_start:
            self.client.ask(self.model.start())

    def action_ready(self) -> None:
        """Be ready, or not any more."""
        if self.model.can_be_ready:
            self.client.ask(self.model.ready(not self.model.am_ready))

    def action_add_bot(self) -> None:
        """Let a bot sit down."""
        self.client.ask(self.model.add_bot())

    def action_remove(self) -> None:
        """Send away who is under the cursor."""
        seat, person = self._under_cursor()
        if self.model.can_remove_bot(seat):
            self.client.ask(self.model.remove_bot(seat))
        elif self.model.can_kick(person):
            self.client.ask(self.model.kick(person))

    def action_hand_over(self) -> None:
        """Make the person under the cursor the host."""
        _seat, person = self._under_cursor()
        if self.model.can_hand_over(person):
            self.client.ask(self.model.hand_over(person))

    def action_copy(self) -> None:
        """Copy the line with which friends join."""
        self.app.copy_to_clipboard(self.client.join_line)
        self.client.tell(_("Copied: friends can paste it."))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action means something now."""
        if not self.is_alive:
            return True
        seat, person = self._under_cursor()
        bot = self.model.can_remove_bot(seat)
        match action:
            case "start":
                return self.model.can_start
            case "ready":
                return self.model.can_be_ready and not self.model.am_host
            case "add_bot":
                return self.model.can_add_bot
            case "remove":
                return bot or self.model.can_kick(person)
            case "copy":
                return bool(self.client.join_line)
            case "hand_over":
                return not bot and self.model.can_hand_over(person)
            case _:
                return True


def _people(view: TableView) -> list[Item]:
    items = []
    for seat in view.seats:
        notes = [player_note(seat)]
        if seat.person == view.host != NOBODY:
            notes.append(_("host"))
        elif seat.ready:
            notes.append(_("ready"))
        mine = seat.person == view.you != NOBODY
        title = _("{name} (you)").format(name=seat.name) if mine else seat.name
        items.append(Item(title, " · ".join(note for note in notes if note)))
    for person in view.watchers:
        note = _("host, watches") if person.person == view.host else _("watches")
        items.append(Item(person.name, note, role="dim"))
    return items
