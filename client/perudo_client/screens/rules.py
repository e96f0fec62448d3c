"""The rules, worded from the options of the table that we are at."""

from __future__ import annotations

from perudo_client.i18n import _
from perudo_client.option_words import rules_name
from perudo_client.rules_text import rules_text
from perudo_client.widgets.page import Paragraph

from .reading import ReadingScreen


class RulesScreen(ReadingScreen):
    """The rules page."""

    LEAD = 2

    def heading(self) -> tuple[str, str]:
        """Say which rules these are."""
        return _("Rules"), rules_name(self.model.rules)

    def paragraphs(self) -> list[Paragraph]:
        """Give the rules, part by part."""
        page: list[Paragraph] = []
        for section in rules_text(self.model.rules):
            page.append(Paragraph(section.title, "head", gap=True))
            page += [Paragraph(sentence, lead="·") for sentence in section.sentences]
        return page
