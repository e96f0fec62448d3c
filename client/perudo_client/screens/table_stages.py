"""What the table shows: a round being bid, the throw for the start, or a reveal.

Which of the three it is, how the window's height is shared out, and when a reveal is over. What
keys and clicks do stands in `table`.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from perudo_client import happenings as h
from perudo_client import story_words, words
from perudo_client.i18n import _
from perudo_client.odds import is_wild, own_count
from perudo_client.option_words import rules_name
from perudo_client.proving import Mark
from perudo_client.reasons import refused
from perudo_client.widgets.bar import TopBar
from perudo_client.widgets.cup import Cup
from perudo_client.widgets.keys import Key
from perudo_client.widgets.ladder import Ladder
from perudo_client.widgets.move import Move
from perudo_client.widgets.reveal import RevealPanel
from perudo_client.widgets.seats import Seats
from perudo_client.widgets.story import Story
from perudo_client.widgets.throw import ThrowPanel
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import ACE, NO_SEAT, Bid, Call, Phase

from .pacing import Pacing
from .table_words import after, odds_text, question, without_dice
from .talk import TalkScreen

OWN_ROWS = 5
"""So many rows one's cup and move take on a small screen."""
OTHER_ROWS, STORY_ROWS = 11, 4
"""So many rows are left for all but seats and bids on a large screen, and more on a roomy one, on
which the story has a frame."""
THROW_SECONDS = 3.0
"""How long the throw for the start is shown."""


class TableStages(TalkScreen):
    """The table without its keys."""

    PART = "table"
    DEFAULT_CSS = """
    TableStages {
        /* What only holds others is not drawn: its lines cost as much as those that show. */
        #body, #play, #round { visibility: hidden; }
        Lines, #mine { visibility: visible; }
        #body, #play { height: 1fr; }
        #round, #mine { layout: horizontal; }
        &.-full {
            #mine { visibility: hidden; }
            #round { height: 8; }
            #mine { height: 7; }
            #seats, #ladder, #cup, #move, #reveal, #throw {
                border: round $line;
                border-title-color: $foreground 75%;
                border-subtitle-color: $foreground 70%;
                padding: 0 1;
                width: 1fr;
            }
            #move.-mine {
                border: round $accent;
                border-title-color: $text-accent;
                border-title-style: bold;
            }
            #reveal, #throw { padding: 1 2; }
            #play { height: auto; }
            #reveal { height: auto; max-height: 100%; }
            #throw { height: auto; }
        }
        &.-roomy #story { border: round $line; border-title-color: $foreground 75%; }
        &.-compact {
            #body { layout: vertical; }
            #round, #mine { layout: vertical; }
            #play { height: auto; }
            #round { height: auto; }
            #ladder { border-top: solid $line; }
            #mine {
                height: auto;
                border-top: solid $line;
                border-title-color: $foreground 75%;
                border-title-style: bold;
                &.-mine { border-top: solid $accent; border-title-color: $text-accent; }
            }
            #cup { height: 1; }
            #move { height: 3; }
            #reveal, #throw { height: auto; max-height: 100%; padding: 0 1; }
        }
    }
    """

    def __init__(self) -> None:
        """Begin with no table shown."""
        super().__init__()
        self.bar = TopBar(id="bar")
        self.seats, self.ladder = Seats(id="seats"), Ladder(id="ladder")
        self.cup, self.move = Cup(id="cup"), Move(id="move")
        self.reveal, self.throw = RevealPanel(id="reveal"), ThrowPanel(id="throw")
        self.round, self.mine = Container(id="round"), Container(id="mine")
        self.story = Story(id="story")
        self.pacing: Pacing
        self._throw_seen = (0, 0)
        self._marked = (0, 0, Mark.NOTHING)
        """The game and round last shown, and their mark."""

    def content(self) -> ComposeResult:
        """Give the widgets of the table."""
        yield self.bar
        with Container(id="body"):
            with Container(id="play"):
                with self.round:
                    yield self.seats
                    yield self.ladder
                with self.mine:
                    yield self.cup
                    yield self.move
                yield self.reveal
                yield self.throw
            yield self.story
        yield self.entry

    def on_mount(self) -> None:
        """Get ready to pace reveals."""
        self.pacing = Pacing(self, self._open_next, self._seen, self.client.now)

    # Showing ------------------------------------------------------------------------------------

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show the table as it is, and begin a reveal when one has come."""
        view = self.model.view
        if view is None:
            return
        for happening in happened:
            self._notice(happening)
        self._keep_up_with(view)
        if view.phase is Phase.OVER and not self.pacing.holds:
            self.client.seen()
        stage = self.stage
        self._show_stage(stage)
        shown = self.pacing.view if stage == "reveal" and self.pacing.view else view
        self._show_bar(shown)
        self._show_story(stage)
        if stage == "reveal":
            self._show_reveal(shown)
        elif stage == "throw":
            panel = self.throw
            panel.show(view, story_words.next_line(view))
            panel.title(_("Who begins"))
        else:
            self._show_round(view)
        self.tick()

    @property
    def stage(self) -> str:
        """Say which of the three pictures is shown: `round`, `throw`, or `reveal`."""
        view = self.model.view
        if self.pacing.holds:
            return "reveal"
        if view is not None and view.phase is Phase.THROW:
            return "throw"
        waits = view is not None and view.phase in (Phase.REVEAL, Phase.OVER)
        return "reveal" if waits and self.pacing.view is not None else "round"

    def _notice(self, happening: h.Happening) -> None:
        match happening:
            case h.Revealed(view):
                panel = self.reveal
                panel.step = 0
                self._show_reveal(view)
                last = self.model.view is not None and self.model.view.phase is Phase.OVER
                self.pacing.begin(view, panel.steps, self.client.settings.motion, last)
            case h.RequestRefused() if not self.model.storage_full:
                self.move.tell(refused(happening))
            case h.ThrownForStart():
                self.set_timer(THROW_SECONDS, self._throw_read)
            case _:
                pass

    def _keep_up_with(self, view: TableView) -> None:
        pacing = self.pacing
        if pacing.seen and view.phase is Phase.REVEAL and not self.model.am_ready:
            self._be_ready(Phase.REVEAL)  # what we said while the connection was lost is lost too
        if view.reveal is not None:
            if pacing.view is None and view.phase is Phase.REVEAL:
                self.reveal.step = 0
                self._show_reveal(view)
                pacing.begin(view, 1, False, False)
            elif pacing.view is not None and pacing.view.round == view.round:
                pacing.follow(view)
        elif pacing.view is not None and not pacing.holds:
            pacing.end()

    def _show_stage(self, stage: str) -> None:
        self.set_display(self.round, stage == "round")
        self.set_display(self.mine, stage == "round")
        self.set_display(self.reveal, stage == "reveal")
        self.set_display(self.throw, stage == "throw")

    def _show_bar(self, view: TableView) -> None:
        palifico = [_("palifico")] if view.palifico else []
        compact = self.has_class("-compact")
        text = _("r{round}") if compact else _("round {round}")
        number = [text.format(round=view.round)] if view.round else []
        dice = view.dice_in_play
        if view.reveal is not None:
            dice = sum(len(cup) for cup in view.reveal.cups)
        facts = [*palifico, *number, words.dice_count(dice)]
        bar = self.bar
        bar.prove(self._mark_of(view), view.proof.chain)
        bar.show(view.name, rules_name(self.model.rules), facts)

    def _mark_of(self, view: TableView) -> Mark:
        """Give the mark of what is shown: a reveal that stays keeps the one that it had."""
        now, mark = self.model.view, self.model.mark
        same = now is None or (view.game, view.round) == (now.game, now.round)
        failed = now is not None and view.game == now.game and mark is Mark.FAILED
        if same or failed or self._marked[:2] != (view.game, view.round):
            self._marked = (view.game, view.round, mark)
        return self._marked[2]

    def _show_story(self, stage: str) -> None:
        told = self.client.tales
        shown = self.pacing.view
        if shown is not None and not self.pacing.whole:
            told = [tale for tale in told if not (tale.spoils and tale.round == shown.round)]
        story = self.story
        if stage != "round" or self.has_class("-full"):
            story.display = True
        story.title(_("Story") if self.has_class("-roomy") else "")
        story.show(told)

    def _show_round(self, view: TableView) -> None:
        self._make_room(view)
        move = self.move
        self.seats.show(view)
        self.ladder.show(view)
        move.show(view)
        self._show_cup(view)
        self.seats.title(_("Seats"))
        self.ladder.title(_("Bids, palifico") if view.palifico else _("Bids"))
        watching = view.my_seat == NO_SEAT
        self.cup.title(_("Watching") if watching else _("Your cup"))
        self._show_headline(move.headline, mine=move.mine)

    def _show_headline(self, text: str, *, mine: bool) -> None:
        """Write over cup and move what is the move's own title on a large screen."""
        if not self.has_class("-compact"):
            return
        both, shown = self.mine, Content(text)
        both.set_class(mine, "-mine")
        if both._border_title != shown:
            both.border_title = shown

    def _make_room(self, view: TableView) -> None:
        """Share the height out: the move and the seats first, then bids, then the story."""
        round_, seats, story = self.round, self.seats, self.story
        count = len(view.seats)
        height = self.app.size.height - self.entry.rows - self.hold_up.rows
        if self.has_class("-full"):
            self.set_display(self.ladder, True)
            seats.styles.height = "1fr"
            if self.has_class("-roomy"):
                rows, others = 2 * count + 1, OTHER_ROWS + STORY_ROWS
            else:
                rows, others = max(count, 6) + 2, OTHER_ROWS
            round_.styles.height = min(max(rows, 14) if height >= 36 else rows, height - others)
            return
        room = height - 2 - OWN_ROWS
        rows = count if count <= 6 or room > count + 7 else -(-count // 2)
        rows = max(min(rows, room), 1)
        left = room - rows
        bids = min(max(len(view.ladder), 1), max(left - 4, left // 2 - 1))
        seats.styles.height = rows
        shows = left > 1
        self.set_display(self.ladder, shows)
        story.display = left - 1 - bids >= 2
        if shows and not story.display:
            bids = left - 1
        round_.styles.height = rows + (1 + bids if shows else 0)

    def _show_cup(self, view: TableView) -> None:
        move, cup = self.move, self.cup
        picked = move.picked
        if self.model.stood_in:
            cup.show((), (), _("A bot plays with your dice."))
        elif not view.hand:
            cup.show((), (), without_dice(view))
        elif picked is None:
            cup.show(view.hand)
        else:
            faces = {picked.face, ACE} if is_wild(view, picked.face) else {picked.face}
            own = own_count(view, picked.face)
            mine = words.bid_text(Bid(own, picked.face))
            said = brief = _("you hold {bid}")
            if ACE in faces - {picked.face} and ACE in view.hand:
                said, brief = _("you hold {bid}, aces counted"), _("{bid} with aces")
            cup.show(view.hand, faces, said.format(bid=mine), brief.format(bid=mine))
        move.odds(odds_text(view, picked) if self.client.settings.odds else "")

    def tick(self) -> None:
        """Show the clock."""
        now = self.client.now()
        left = self.model.seconds_left(now)
        bar = self.bar
        self.seats.clocks(self._away(now))
        if self.model.paused:
            bar.clock(_("paused"))
            return
        if self.stage != "round" or left is None:
            bar.clock("")
            return
        bar.clock(words.clock_text(left), hurry=left < 10)

    def _away(self, now: float) -> dict[int, str]:
        """Give the time for which each seat waits whose player is away."""
        view = self.model.view
        seats = range(len(view.seats)) if view is not None else ()
        waits = {seat: self.model.away_left(seat, now) for seat in seats}
        return {seat: words.clock_text(left) for seat, left in waits.items() if left is not None}

    # The reveal ---------------------------------------------------------------------------------

    def _show_reveal(self, view: TableView) -> None:
        reveal = view.reveal
        panel = self.reveal
        if reveal is None:
            return
        result = words.together(story_words.result_lines(view, reveal))
        panel.show(view, question(view), story_words.call_line(view, reveal), result, after(view))
        panel.title(_("Dudo!") if reveal.call is Call.DUDO else _("Spot-on!"))

    def show_keys(self) -> None:
        """Draw the key line; in a reveal it says what any key does."""
        super().show_keys()
        if self.stage == "round" or self.entry.is_open:
            return
        keys = [c for c in self.commands() if c.show]
        line = [self._hint(), *(Key(c.key, c.label, c.action) for c in keys)]
        if self.model.can_come_back:  # the line over it says so too
            line.sort(key=lambda key: key.action != "come_back")
        self.keys.show(line)

    def _hint(self) -> Key:
        """Say what any key does; where it does nothing, who is waited for."""
        phase = self.model.view.phase if self.model.view is not None else Phase.BIDDING
        if self.pacing.holds and not self.pacing.whole:
            return Key(_("any key"), _("shows all"), "")
        if self.pacing.holds and phase is Phase.OVER:
            return Key(_("any key"), _("the end of the game"), "")
        if self.pacing.holds and phase is not Phase.REVEAL:  # the others have gone on
            return Key(_("any key"), _("the next round"), "")
        if not self.model.can_be_ready:
            return Key(_("waiting"), _("for the players"), "")
        if self.model.am_ready:
            return Key(_("waiting"), _("for the others"), "")
        return Key(_("any key"), _("the next round"), "")

    def _open_next(self) -> bool:
        panel = self.reveal
        panel.advance()
        if panel.done and self.pacing.view is not None:
            self._show_reveal(self.pacing.view)
            self._show_story("reveal")
            self.call_later(self.show_keys)
        return panel.done

    def _seen(self) -> None:
        view = self.model.view
        if view is not None and view.phase is Phase.OVER:
            self.client.seen()
            return
        self._be_ready(Phase.REVEAL)
        self.show([])

    def _throw_read(self) -> None:
        self._be_ready(Phase.THROW)

    def _be_ready(self, phase: Phase) -> None:
        view = self.model.view
        if view is None or view.phase is not phase or not self.model.can_be_ready:
            return
        if not self.model.am_ready:
            self.client.ask(self.model.ready())
