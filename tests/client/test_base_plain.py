"""The plain client without a network: what it says, what it asks for, how it ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from perudo_client.endings import Closed
from perudo_client.plain import MOST_NAMES, OK, PROTOCOL, UNAVAILABLE, USAGE, Plain, Plan
from perudo_protocol import messages as m
from perudo_protocol import views as v
from perudo_protocol.ruleset import ruleset, to_wire
from perudo_protocol.vocabulary import Bid, Call, Player
from tests.support import sample_views

ME, BO = 1, 2
WELCOME = m.Welcome(version=1, server="s 1", name="Home", person=ME, you="Ana", now=0)
LOBBY = v.TableView(
    table=4,
    name="Friday",
    rules=to_wire(ruleset()),
    rev=0,
    host=ME,
    seats=(v.SeatView("Ana", Player.PERSON, ME), v.SeatView("Bo", Player.PERSON, BO)),
    you=ME,
)


class Desk:
    """A plain client on a wire that only keeps what is sent; answers come from the test."""

    def __init__(self, plan: Plan = Plan.LOOK, table: int = 0, chosen: bool = True) -> None:
        self.lines: list[str] = []
        self.complaints: list[str] = []
        self.sent: list[m.ClientMessage] = []
        self.names: list[str] = []
        self.taken = 0
        self.closed = False
        self.code: int | None = None
        self.plain = Plain(
            tell=self.lines.append,
            complain=self.complaints.append,
            on_end=self._ended,
            clock=lambda: 0.0,
            plan=plan,
            table=table,
            name="Ana",
            name_is_chosen=chosen,
            on_taken=self._taken,
        )
        self.plain.wire = self

    def _ended(self, code: int) -> None:
        assert self.code is None, "it ends once"
        self.code = code

    def _taken(self) -> None:
        self.taken += 1

    # The wire

    def send(self, message: m.ClientMessage) -> None:
        self.sent.append(message)

    def greet(self, name: str) -> None:
        self.names.append(name)

    def close(self) -> None:
        self.closed = True
        self.plain.lost(Closed.BY_US)

    # The test's hands

    def hear(self, *messages: m.ServerMessage) -> list[str]:
        """Give the lines that these messages bring."""
        before = len(self.lines)
        for message in messages:
            self.plain.hear(message)
        return self.lines[before:]

    def told(self, *events: v.AnyEvent) -> list[str]:
        view = self.plain.model.view
        assert view is not None
        return self.hear(m.Update(rev=view.rev + 1, events=events))

    def type(self, *lines: str) -> list[str]:
        before = len(self.lines)
        for line in lines:
            self.plain.typed(line)
        return self.lines[before:]

    def asked(self, line: str) -> m.ClientMessage:
        """Type a line, and give the request that it made, answered at once."""
        before = len(self.sent)
        self.type(line)
        (request,) = self.sent[before:]
        assert isinstance(request, m.Request)
        self.hear(m.Done(re=request.id))
        return request


def greeted() -> Desk:
    desk = Desk()
    desk.hear(WELCOME, m.Tables(tables=sample_views.tables()))
    return desk


def seated(view: v.TableView = LOBBY) -> Desk:
    desk = greeted()
    desk.hear(m.View(view=view))
    return desk


def playing() -> Desk:
    """Ana is to open round 1."""
    desk = seated()
    desk.told(v.Started(1, 5), v.Thrown((v.Throw(0, 6), v.Throw(1, 2))), v.NextSet(0, False, 9))
    desk.told(v.Dealt(1, 0, False), turn(0))
    desk.hear(m.OwnHand(round=1, dice=(1, 2, 2, 4, 6)))
    return desk


def turn(seat: int, least: tuple[int, ...] = (0, 1, 1, 1, 1, 1)) -> v.TurnSet:
    caller = (seat,)
    return v.TurnSet(seat, 30_000, least, (10,) * 6, caller, caller)


# Coming in ---------------------------------------------------------------------------------------


def test_the_greeting_and_the_tables_are_said() -> None:
    lines = greeted().lines
    assert lines[0] == "Connected to Home. You are Ana."
    assert "Table 1, Friday table: standard rules, 4 of 6 seats taken, a game is on." in lines


def test_later_only_new_tables_are_said() -> None:
    desk = greeted()
    new = replace(sample_views.tables()[0], table=9, name="New")
    assert desk.hear(m.Tables(tables=sample_views.tables())) == []
    (line,) = desk.hear(m.Tables(tables=(*sample_views.tables(), new)))
    assert line.startswith("Table 9, New:")


@pytest.mark.parametrize(("plan", "kind"), [(Plan.JOIN, m.Join), (Plan.WATCH, m.Watch)])
def test_the_table_asked_for_is_gone_to(plan: Plan, kind: type) -> None:
    desk = Desk(plan, table=3)
    desk.hear(WELCOME)
    assert desk.sent == [kind(id=1, table=3)]


def test_alone_a_table_with_three_bots_is_started() -> None:
    desk = Desk(Plan.ALONE)
    desk.hear(WELCOME)
    make, *bots, start = desk.sent
    assert isinstance(make, m.Make)
    assert make.options == {"turn_seconds": 0}
    assert [type(bot) for bot in bots] == [m.AddBot] * 3
    assert isinstance(start, m.Start)


def test_the_demo_stands_up_and_watches_bots_and_ends_with_the_game() -> None:
    desk = Desk(Plan.DEMO)
    desk.hear(WELCOME)
    desk.hear(m.View(view=LOBBY))
    kinds = [type(message) for message in desk.sent]
    assert kinds == [m.Make, m.Watch, *[m.AddBot] * 4, m.Start]
    lines = desk.hear(m.View(view=replace(sample_views.six(), table=4, you=99)))
    assert lines == []
    lines = desk.told(v.Won(1, ()))
    assert lines[0] == "Bia wins the game."
    assert desk.code == OK


def test_a_name_that_was_not_chosen_gets_a_number_where_it_is_taken() -> None:
    desk = Desk(chosen=False)
    taken = m.Error(error="name_taken", detail="no")
    desk.hear(taken, taken)
    assert desk.names == ["Ana 2", "Ana 3"]
    for _ in range(MOST_NAMES - 2):
        desk.hear(taken)
    assert desk.code is None
    desk.hear(taken)
    assert desk.code == USAGE


@pytest.mark.parametrize("word", ["name_taken", "bad_name"])
def test_a_chosen_name_that_is_not_taken_in_ends_with_a_sentence(word: str) -> None:
    desk = Desk()
    desk.hear(m.Error(error=word, detail="no"))
    assert desk.code == USAGE
    assert len(desk.complaints) == 1
    assert desk.names == []


# The game ----------------------------------------------------------------------------------------


def test_ones_turn_says_all_that_is_needed() -> None:
    """The dice come after the turn on the wire; they are said together."""
    desk = playing()
    assert (
        desk.lines[-6:]
        == [
            "Round 1, 10 dice. You open.",
            "It is your turn.",
            "There is no bid yet.",
            "Your dice: 1, 2, 2, 4, 6.",
            "Least bids: 1 two, 1 three, 1 four, 1 five, 1 six.",
            "You may doubt: type dudo.",
            "You may call it exactly right: type spot on.",
            "30 seconds left.",
        ][-6:]
    )
    assert desk.lines.count("It is your turn.") == 1


def test_dice_are_said_when_another_opens() -> None:
    desk = seated()
    desk.told(v.Started(1, 5), v.Dealt(1, 1, False), turn(1))
    assert desk.hear(m.OwnHand(round=1, dice=(3, 3))) == ["Your dice: 3, 3."]


def test_bids_and_turns_are_said() -> None:
    desk = playing()
    lines = desk.told(v.BidPlaced(0, Bid(2, 4)), turn(1), v.BidPlaced(1, Bid(3, 1)), turn(0))
    assert lines[:4] == [
        "You bid 2 fours.",
        "Bo bids 3 aces.",
        "It is your turn.",
        "The bid of 3 aces by Bo stands.",
    ]


def test_the_reveal_is_said_cup_by_cup() -> None:
    desk = playing()
    desk.told(v.BidPlaced(0, Bid(2, 4)), turn(1))
    cups = ((1, 2, 2, 4, 6), (3, 3, 3, 5, 5))
    called = v.Called(1, Call.DUDO, 2, False, cups)
    assert desk.told(called, v.DieLost(1), v.NextSet(1, False, 9)) == [
        "Bo doubted 2 fours: there were 2.",
        "You had 1, 2, 2, 4, 6.",
        "Bo had 3, 3, 3, 5, 5.",
        "Bo loses a die.",
        "Bo opens the next round.",
        "Press Enter to go on.",
    ]
    assert desk.asked("") == m.SetReady(id=1, game=1, round=1)
    assert desk.told(v.Ready(0, True), v.Ready(1, True)) == []


def test_the_end_is_said_with_places() -> None:
    desk = playing()
    lines = desk.told(v.WentOut(1, 2), v.Won(0, (v.Tally(9, 2, 1, 4, 3), v.Tally(8, 3, 2, 2, 1))))
    assert lines[:3] == [
        "Bo is out of the game: place 2.",
        "You win the game.",
        "Place 1: Ana.",
    ]
    assert lines[-1] == "Type rematch for another game, or leave."


def test_a_refusal_is_worded() -> None:
    desk = playing()
    desk.told(
        v.BidPlaced(0, Bid(2, 4)), turn(1), v.BidPlaced(1, Bid(5, 4)), turn(0, (3, 6, 6, 6, 5, 5))
    )
    desk.type("5 4")
    (request,) = desk.sent
    assert isinstance(request, m.PlaceBid)
    assert (request.number, request.quantity, request.face) == (2, 5, 4)
    assert desk.hear(m.Refused(re=request.id, reason="not_higher")) == [
        "That is not higher: the least bid on fours is 6."
    ]


def test_chat_and_people_are_said() -> None:
    desk = seated()
    assert desk.hear(m.Said(person=BO, name="Bo", text="[b]hi[/b]")) == ["Bo: [b]hi[/b]"]
    assert desk.hear(m.Said(person=BO, name="Bo", phrase="oops")) == ["Bo: Oops."]
    people = v.People(ME, LOBBY.seats[:1], ())
    assert desk.told(people) == ["Bo has left."]


# What is typed -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("say hello there", m.Say(id=1, text="hello there")),
        ("phrase nice bluff", m.Say(id=1, phrase="nice_bluff")),
        ("phrase nonsense", m.Say(id=1, phrase="nonsense")),
        ("ready", m.SetReady(id=1, game=0, round=0)),
        ("unready", m.SetReady(id=1, game=0, round=0, ready=False)),
        ("start", m.Start(id=1)),
        ("rematch", m.Rematch(id=1)),
        ("bot", m.AddBot(id=1)),
        ("unbot 2", m.RemoveBot(id=1, seat=1)),
        ("kick bo", m.Kick(id=1, person=BO)),
        ("host Bo", m.HandOver(id=1, person=BO)),
        ("leave", m.Leave(id=1)),
        ("dudo", m.Dudo(id=1, game=0, round=0, number=0)),
        ("spot on", m.SpotOn(id=1, game=0, round=0, number=0)),
        ("join 7", m.Join(id=1, table=7)),
        ("join Aces High", m.Join(id=1, table=2)),
        ("watch 3", m.Watch(id=1, table=3)),
        ("make", m.Make(id=1, name="Table 4")),
        ("make My table", m.Make(id=1, name="My table")),
        ("make My table club", m.Make(id=1, name="My table", preset="club")),
        (
            "make T spot_on=off turn_seconds=0 palifico=once",
            m.Make(
                id=1, name="T", options={"spot_on": False, "turn_seconds": 0, "palifico": "once"}
            ),
        ),
        ("make T spot_on=perhaps", m.Make(id=1, name="T", options={"spot_on": "perhaps"})),
    ],
)
def test_commands_ask_the_server(line: str, asked: m.ClientMessage) -> None:
    assert seated().asked(line) == asked


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("help", "5 4: bid five fours. Also 5x4 or 5 fours."),
        ("rules", "The usual game, with spot-on and palifico."),
        ("dice", "Your dice: 1, 2, 2, 4, 6."),
        ("table", "Seat 2: Bo (5 dice)."),
        ("time", "30 seconds left."),
        ("odds", "There is no bid yet."),
        ("bids", "There is no bid yet."),
        ("tables", "Table 2, Aces high: cacho rules, 1 of 4 seats taken."),
        ("phrases", "phrase oops: Oops."),
        ("kick Zed", "Nobody at this table is called 'Zed'."),
        ("unbot", "Which bot? Type unbot and its name, or the number of its seat."),
        ("join", "Which table? Type join and the table's number."),
        ("5 9", "A die shows 1 to 6, not 9. Type a bid as in 5 4, for five fours."),
        ("abracadabra", "'abracadabra' is no bid and no command. Type a bid as in 5 4, or help."),
    ],
)
def test_questions_are_answered_here(line: str, says: str) -> None:
    desk = playing()
    assert says in desk.type(line)
    assert desk.sent == []


def test_an_option_that_does_not_exist_is_said() -> None:
    desk = greeted()
    (line,) = desk.type("make T gravity=off")
    assert "'gravity'" in line
    assert "start_dice" in line
    assert desk.sent == []


def test_the_odds_of_the_standing_bid_are_said() -> None:
    desk = playing()
    desk.told(v.BidPlaced(0, Bid(2, 4)), turn(1), v.BidPlaced(1, Bid(3, 4)), turn(0))
    assert desk.type("odds", "bids") == [
        "3 fours: true with a chance of 87 percent, exact with 33 percent.",
        "1. Ana: 2 fours.",
        "2. Bo: 3 fours.",
    ]


@pytest.mark.parametrize("line", ["5 4", "dudo", "spot on", "say hi", "ready", "dice", "start"])
def test_at_no_table_one_is_told_how_to_come_to_one(line: str) -> None:
    desk = greeted()
    assert desk.type(line) == ["You are at no table. Type tables, then join and a number."]
    assert desk.sent == []


def test_lines_wait_until_the_one_before_was_answered() -> None:
    desk = Desk()
    desk.type("make T", "bot", "dice")
    assert desk.sent == []
    desk.hear(WELCOME)
    assert [type(message) for message in desk.sent] == [m.Make]
    desk.hear(m.View(view=LOBBY))
    assert len(desk.sent) == 1
    desk.hear(m.Done(re=1))
    assert [type(message) for message in desk.sent] == [m.Make, m.AddBot]
    assert desk.taken == 2
    assert "You have no dice under your cup." not in desk.lines
    desk.hear(m.Refused(re=2, reason="table_full"))
    assert "You have no dice under your cup." in desk.lines
    assert desk.taken == 3


def test_wait_holds_a_script_until_ones_turn() -> None:
    desk = playing()
    desk.type("wait", "1 2")
    assert len(desk.sent) == 1
    desk.hear(m.Done(re=1))
    desk.told(v.BidPlaced(0, Bid(1, 2)), turn(1))
    desk.type("wait", "dudo")
    assert len(desk.sent) == 1
    desk.told(v.BidPlaced(1, Bid(2, 2)), turn(0))
    assert isinstance(desk.sent[-1], m.Dudo)


def test_wait_ends_with_the_game_and_with_the_table() -> None:
    desk = playing()
    desk.told(v.BidPlaced(0, Bid(1, 2)), turn(1))
    desk.type("wait", "dice")
    desk.told(v.Won(0, ()))
    assert desk.lines[-1].startswith("Your dice") or desk.lines[-1].startswith("You have no dice")
    away = seated()
    away.told(v.Started(1, 5), v.Dealt(1, 1, False), turn(1))
    away.type("wait", "dice")
    away.hear(m.Away(reason="closed"))
    assert away.lines[-1].startswith("You are at no table.")


# The end -----------------------------------------------------------------------------------------


def test_the_end_of_input_leaves_the_table_and_ends_well() -> None:
    desk = playing()
    desk.plain.input_ended()
    assert isinstance(desk.sent[-1], m.Leave)
    assert desk.closed
    assert desk.code == OK
    assert desk.complaints == []


def test_the_end_of_input_waits_for_the_lines_before_it() -> None:
    desk = Desk()
    desk.type("make T")
    desk.plain.input_ended()
    assert not desk.closed
    desk.hear(WELCOME)
    assert not desk.closed
    desk.hear(m.View(view=LOBBY), m.Done(re=1))
    assert [type(message) for message in desk.sent] == [m.Make, m.Leave]
    assert desk.code == OK


def test_quit_ends_well() -> None:
    desk = greeted()
    desk.type("quit")
    assert desk.sent == []
    assert desk.code == OK


def test_a_server_that_goes_is_said_in_one_sentence() -> None:
    desk = playing()
    desk.plain.lost(Closed.GONE)
    assert desk.complaints == ["The connection to the server is lost. You can connect again."]
    assert desk.code == UNAVAILABLE


def test_a_goodbye_is_said_once() -> None:
    desk = playing()
    desk.hear(m.Bye(reason="shutdown"))
    desk.plain.lost(Closed.TOLD)
    assert desk.complaints == ["The server stops. Goodbye."]
    assert desk.code == UNAVAILABLE


def test_another_version_has_its_own_exit_code() -> None:
    desk = Desk()
    desk.hear(m.Error(error="version", detail="", versions=(9,)))
    desk.plain.lost(Closed.TOLD)
    assert len(desk.complaints) == 1
    assert "version 1 " in desk.complaints[0]
    assert "9" in desk.complaints[0]
    assert desk.code == PROTOCOL


def test_no_server_of_ours_has_that_exit_code_too() -> None:
    desk = Desk()
    desk.plain.lost(Closed.NONSENSE)
    assert len(desk.complaints) == 1
    assert desk.code == PROTOCOL


def test_nothing_is_sent_after_the_end() -> None:
    desk = playing()
    desk.type("quit")
    sent = len(desk.sent)
    desk.type("dudo", "quit")
    desk.plain.leave(OK)
    assert len(desk.sent) == sent
