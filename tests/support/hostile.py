"""Text as somebody malicious would send it, past any server."""

from __future__ import annotations

HOSTILE = (
    "[red]",
    "[/",
    "[/red]",
    "[b]bold[/b]",
    "[@click=app.quit]x[/]",
    "[@click='app.bell']y",
    "[link=http://a.b]z[/link]",
    "\\[escaped]",
    "$name {name} %s",
    "{0.__class__}",
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x1b]52;c;aGk=\x07",
    "\x9b31mC1",
    "\x90q\x9c",
    "a\rb",
    "a\nb\x0bc\x85d",
    "tab\there",
    "nul\x00nul\x7f",
    "\u202eright to left",
    "\u2066isolate\u2069",
    "zero\u200bwidth\u200d\ufeff",
    "z" * 300,
    "漢字漢字漢字漢字漢字",
    "e\u0301\u0301\u0301\u0301\u0301\u0301 marks",
    "\ud800 lone",
    "👩\u200d👩\u200d👧 🇧🇷",
    ":smile: :red_circle:",
)
"""Markup, controls, bidi, zero width, great length, wide signs."""
