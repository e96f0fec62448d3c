"""`perudo-client --verify FILE ...`: checks saved games without a server.

Each file is gone through with the very checker that the live game uses. Files of one game are
compared with each other: a server that told two stories is found out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perudo_protocol.errors import BadMessage
from perudo_protocol.messages import Entropy, Promise, Update, View
from perudo_protocol.story import AnyEvent, with_hand
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase

from .checking import Checker, Finding
from .faults import Fault, proves
from .folding import fold_steps
from .game_file import LONGEST_FILE, Damaged, Entry, OwnHand, read
from .guard import checked, cleaned
from .i18n import _
from .own_files import is_file, no_file
from .proof_words import round_line
from .proving import Slept

OK, WRONG, UNREADABLE = 0, 1, 66
"""Exit codes: all right; a fault or damage; a file that cannot be read."""

Story = dict[int, dict[str, object]]
"""What everybody was told of each round's dice, by what it is."""


@dataclass
class Report:
    """What came of one file."""

    lines: list[str] = field(default_factory=list)
    """A sentence a round, and what else is to know."""
    problem: str = ""
    """What is wrong; empty where all is right."""
    game: str = ""
    """The game's id in all hashes."""
    story: Story = field(default_factory=dict)


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
        tell(_("{path}: {verdict}").format(path=path, verdict=report.problem or _("all right")))
        reports.append((path, report))
    wrong_ones = [report for _path, report in reports if report.problem]
    if _compare(reports, tell) or wrong_ones:
        code = code or WRONG
    return code


def _load(path: Path) -> bytes:
    if not is_file(path):  # a pipe would be waited for
        raise no_file(path)
    with path.open("rb") as file:
        return file.read(LONGEST_FILE + 1)


def examine(data: bytes) -> Report:
    """Check one saved game; never raises, whatever the bytes are."""
    report = Report()
    if len(data) > LONGEST_FILE:
        report.problem = _("this is longer than any game")
        return report
    try:
        _Replay(report).go_through(data)
    except Damaged as wrong:
        text = _("line {line}: {problem}")
        report.problem = text.format(line=wrong.line, problem=wrong.sentence)
    return report


class _Replay:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._checker = Checker()
        self._view: TableView
        self._asleep = False

    def go_through(self, data: bytes) -> None:
        header, entries = read(data)
        self._view = _sensible(header.view, 1)
        findings: list[Finding] = []
        if header.view.phase not in (Phase.LOBBY, Phase.OVER):
            findings = self._checker.view(self._view)
        number = 1
        self._note(number, findings)
        for number, entry in entries:
            if self._report.problem:
                continue  # the lines after a fault still have to be whole
            try:
                self._note(number, self._enter(entry, number))
            except BadMessage:
                raise Damaged(number, _("this cannot follow what stands before it")) from None
        self._report.game = self._checker.game
        self._close()

    def _enter(self, entry: Entry, number: int) -> list[Finding]:
        asleep, self._asleep = self._asleep, False
        match entry:
            case TableView():
                self._view = _sensible(entry, number)
                return self._checker.view(self._view)
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
                return self._event(entry, asleep)

    def _event(self, event: AnyEvent, asleep: bool) -> list[Finding]:
        update = cleaned(Update(rev=0, events=(event,)))
        assert isinstance(update, Update)
        before = self._view
        (step,) = fold_steps(before, update.events)
        self._view = step.after
        return self._checker.event(before, step.event, asleep)

    def _note(self, number: int, findings: list[Finding]) -> None:
        for finding in findings:
            line = round_line(self._view, finding)
            if isinstance(finding, Fault):
                text = _("line {line}: {problem}")
                problem = f"{line} {proves(finding.kind)}"
                self._report.problem = text.format(line=number, problem=problem)
            else:
                self._report.lines.append(line)
        if self._checker.game:
            _remember(self._report.story, self._view)

    def _close(self) -> None:
        if self._report.problem:
            return
        if not self._checker.game:
            self._report.problem = _("the server offered no proof: nothing can be checked")
        elif self._view.phase is not Phase.OVER:
            self._report.lines.append(_("The file ends before the game does."))


def _sensible(view: TableView, number: int) -> TableView:
    try:
        message = cleaned(View(view=checked(view)))
    except BadMessage:
        raise Damaged(number, _("the line makes no sense")) from None
    assert isinstance(message, View)
    return message.view


def _remember(story: Story, view: TableView) -> None:
    """Keep what everybody was told of the draw that is shown."""
    proof = view.proof
    if not proof.round:
        return
    facts = story.setdefault(proof.round, {})
    facts[f"commitment {proof.attempt}"] = (proof.commitments, proof.promises, proof.left_out)
    if proof.entropies:
        facts["entropies"] = proof.entropies
    if proof.round == view.round and view.phase in (Phase.REVEAL, Phase.OVER):
        facts["chain"] = proof.chain
        if view.reveal is not None:
            facts["cups"] = view.reveal.cups, view.reveal.seeds


def _compare(reports: Sequence[tuple[Path, Report]], tell: Callable[[str], None]) -> bool:
    """Compare every two files of one game; says whether some tell different stories."""
    differ, alike = False, 0
    for later, (path, report) in enumerate(reports):
        for other_path, other in reports[:later]:
            if not report.game or report.game != other.game:
                continue
            number = _first_difference(report.story, other.story)
            alike += not number
            if number:
                differ = True
                text = _("{first} and {second}: different stories from round {round} on")
                tell(text.format(first=other_path, second=path, round=number))
    if alike and not differ:
        tell(_("Files of the same game tell the same story."))
    return differ


def _first_difference(one: Story, other: Story) -> int:
    for number in sorted(set(one) & set(other)):
        facts, others = one[number], other[number]
        if any(facts[what] != others[what] for what in set(facts) & set(others)):
            return number
    return 0
