"""`perudo-client --verify FILE ...`: checks saved games without a server.

Each file is gone through with the very checker that the live game uses, and by itself for what only
a file can be wrong in. Files of one game are compared: a server that told two stories is found out.
What comes of it counts for a file as a client wrote it: whoever changes one can seal it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perudo_protocol.errors import BadMessage
from perudo_protocol.messages import Entropy, Promise, Update, View
from perudo_protocol.story import AnyEvent, DieLost, Started, Won, with_hand
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase

from .checking import Checker
from .comparing import Story, compare, span
from .faults import Fault, proves
from .findings import Checked, Finding, Without
from .folding import fold_steps
from .game_file import LONGEST_FILE, CutOff, Damaged, Entry, OwnHand, read
from .guard import checked, cleaned
from .i18n import _, ngettext
from .own_files import is_file, no_file
from .proof_words import round_line
from .proving import Slept

OK, WRONG, UNREADABLE = 0, 1, 66
"""Exit codes: all that was asked for was checked and agrees; not so; a file cannot be read."""


@dataclass
class Report:
    """What came of one file."""

    lines: list[str] = field(default_factory=list)
    """A sentence a round, and what else is to know."""
    problem: str = ""
    """What is wrong; empty where all is right."""
    game: str = ""
    """The game's id in all hashes."""
    checked: int = 0
    """How many rounds were shown and found right."""
    story: Story = field(default_factory=Story)
    data: bytes = field(default=b"", repr=False)


def verify(paths: Sequence[Path], tell: Callable[[str], None]) -> int:
    """Check files and compare those of one game; gives the exit code."""
    code = OK
    reports: list[tuple[Path, Report]] = []
    for path in paths:
        try:
            data = _load(path)
        except OSError as wrong:
            text = _("{path}: cannot be read: {problem}")
            tell(text.format(path=path, problem=wrong.strerror or wrong))
            code = UNREADABLE
            continue
        report = examine(data)
        for line in report.lines:
            tell(line)
        tell(_("{path}: {verdict}").format(path=path, verdict=_verdict(report)))
        reports.append((path, report))
    wrong_ones = [report for _path, report in reports if report.problem]
    if not _compare(reports, tell) or wrong_ones:
        code = code or WRONG
    return code


def _verdict(report: Report) -> str:
    if report.problem:
        return report.problem
    text = ngettext(
        "all right, {count} round checked, if this file is as your client wrote it",
        "all right, {count} rounds checked, if this file is as your client wrote it",
        report.checked,
    )
    return text.format(count=report.checked)


def _load(path: Path) -> bytes:
    if not is_file(path):  # a pipe would be waited for
        raise no_file(path)
    with path.open("rb") as file:
        return file.read(LONGEST_FILE + 1)


def examine(data: bytes) -> Report:
    """Check one saved game; never raises, whatever the bytes are."""
    report = Report(data=data)
    if len(data) > LONGEST_FILE:
        report.problem = _("this is longer than any game")
        return report
    replay = _Replay(report)
    try:
        replay.go_through(data)
    except CutOff as wrong:
        replay.cut_off(wrong)
    except Damaged as wrong:
        text = _("line {line}: {problem}") if wrong.line else "{problem}"
        report.problem = text.format(line=wrong.line, problem=wrong.sentence)
    return report


class _Replay:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._checker = Checker()
        self._view: TableView
        self._asleep = False
        self._began = False
        """A game is on, or was."""
        self._over = False

    def go_through(self, data: bytes) -> None:
        header, entries = read(data)
        self._view = _sensible(header.view, 1)
        findings: list[Finding] = []
        if header.view.phase not in (Phase.LOBBY, Phase.OVER):
            self._began = True
            findings = self._checker.view(self._view)
            self._report.story.picture(self._view)
            if header.view.round:
                text = _("The file begins in round {round}: what came before is taken on trust.")
                self._report.lines.append(text.format(round=header.view.round))
        number = 1
        self._note(number, findings)
        for number, entry in entries:
            if self._report.problem:
                continue  # the lines after a fault still have to be whole
            if self._over:
                raise Damaged(number, _("the game was over before this line"))
            try:
                self._note(number, self._enter(entry, number))
            except BadMessage:
                raise Damaged(number, _("this cannot follow what stands before it")) from None
        self._close()
        if not self._report.problem and self._view.phase is not Phase.OVER:
            self._report.lines.append(_("The file ends before the game does."))

    def cut_off(self, wrong: CutOff) -> None:
        """Take it that the last line is not whole."""
        if wrong.line == 1:
            self._report.problem = _("the file is cut off in its first line: nothing is left of it")
            return
        self._close()
        self._report.lines.append(_("The last line is cut off; what stands before it was checked."))

    def _enter(self, entry: Entry, number: int) -> list[Finding]:
        asleep, self._asleep = self._asleep, False
        match entry:
            case TableView():
                self._view = _sensible(entry, number)
                self._report.story.picture(self._view)
                return self._checker.view(self._view, asleep)
            case Slept():
                self._asleep = True
                return []
            case Promise() | Entropy():
                self._checker.own(entry)
                return []
            case OwnHand(told, dice, seed):
                if told != self._view.round:
                    raise BadMessage("dice of another round")
                self._view = with_hand(self._view, dice, seed)
                return self._checker.hand(self._view)
            case _:
                return self._event(entry, asleep, number)

    def _event(self, event: AnyEvent, asleep: bool, number: int) -> list[Finding]:
        update = cleaned(Update(rev=0, events=(event,)))
        assert isinstance(update, Update)
        before = self._view
        (step,) = fold_steps(before, update.events)
        self._view = step.after
        self._began = self._began or isinstance(event, Started)
        self._over = isinstance(event, Won)
        findings = self._checker.event(before, step.event, asleep)
        self._report.story.event(step.event, step.after)
        if self._checker.fault is None and (problem := _dice_lost(before, step.event)):
            raise Damaged(number, problem)
        return findings

    def _note(self, number: int, findings: list[Finding]) -> None:
        for finding in findings:
            line = round_line(self._view, finding)
            if isinstance(finding, Fault):
                text = _("line {line}: {problem} If this file is as your client wrote it: {proof}")
                proof = proves(finding.kind)
                self._report.problem = text.format(line=number, problem=line, proof=proof)
            elif not isinstance(finding, Without):  # the line of the round says it
                self._report.lines.append(line)
            self._report.checked += isinstance(finding, Checked)

    def _close(self) -> None:
        """Say what was not checked."""
        report = self._report
        report.game = self._checker.rounds.game
        if report.problem:
            return
        if not self._began:
            report.problem = _("no round was checked: no game begins in this file")
        elif not report.game:
            report.problem = _("no round was checked: the server offered no proof")
        elif not report.checked:
            report.problem = _("no round was checked: no dice were shown before the file ends")


def _dice_lost(before: TableView, event: AnyEvent) -> str:
    """Say what is wrong with the numbers of dice, which need no rules to be looked at."""
    dice = [seat.dice for seat in before.seats]
    match event:
        case DieLost(seat) if not dice[seat]:
            return _("a seat without dice loses one")
        case Won(winner) if [seat for seat, count in enumerate(dice) if count] != [winner]:
            return _("the winner is not the only one with dice")
        case _:
            return ""


def _sensible(view: TableView, number: int) -> TableView:
    try:
        message = cleaned(View(view=checked(view)))
    except BadMessage:
        raise Damaged(number, _("the line makes no sense")) from None
    assert isinstance(message, View)
    return message.view


def _compare(reports: Sequence[tuple[Path, Report]], tell: Callable[[str], None]) -> bool:
    """Compare all files of one game; says whether each could be compared, and all agree."""
    games: dict[str, list[tuple[Path, Report]]] = {}
    for path, report in reports:
        if report.game:
            games.setdefault(report.game, []).append((path, report))
    if len(games) > 1 and all(len(files) == 1 for files in games.values()):
        tell(_("These are files of different games: there is nothing to compare."))
        return False
    fine = True
    for files in games.values():
        if len(files) > 1:
            fine = _compare_game(files, tell) and fine
        elif len(games) > 1:
            fine = False
            tell(_("{path}: of no other file's game, not compared").format(path=files[0][0]))
    return fine


def _compare_game(files: Sequence[tuple[Path, Report]], tell: Callable[[str], None]) -> bool:
    fine, rounds = True, set[int]()
    for later, (path, report) in enumerate(files):
        for other_path, other in files[:later]:
            compared = compare(report.story, other.story)
            rounds |= set(compared.rounds)
            if report.data == other.data:
                text = _("{first} and {second}: one and the same file, not compared")
            elif compared.differs:
                text = _("{first} and {second}: different stories from round {round} on")
            elif compared.differs is not None:
                text = _("{first} and {second}: different stories from the start of the game on")
            elif not compared.rounds:
                text = _("{first} and {second}: no round is in both, not compared")
            else:
                continue
            fine = False
            tell(text.format(first=other_path, second=path, round=compared.differs))
    if fine:
        text = _("Files of the same game tell the same story: rounds {rounds} were compared.")
        tell(text.format(rounds=span(tuple(sorted(rounds)))))
    return fine
