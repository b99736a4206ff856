"""The cards of fields, learnt from labelled pages into one rule file."""

from __future__ import annotations

from pathlib import Path

import pytest

from webclean.corpora.dataset import LabelledPage
from webclean.rules import load_rules

pytest.importorskip("scipy")
pytest.importorskip("rapidfuzz")

from webclean.learn.field_report import report_fields

NAMES = ("Ada Quill", "Jane Doe", "John Roe", "Mia Lund", "Tom Berg", "Eva Holm")


def make_page(number: int) -> LabelledPage:
    title, day, author = f"Harbour number {number}", f"2024-03-{number + 10}", NAMES[number % len(NAMES)]
    html = f"""<title>{title} | Port</title><meta name="author" content="{author}"><h1>{title}</h1>
    <p>By {author}, <time datetime="{day}">{day}</time></p><p>The harbour has grown.</p><h2>More</h2>"""
    url = f"https://site{number}.example.com/a"
    return LabelledPage(str(number), url, html.encode(), "", "article", title, day, author, False)


def test_the_cards_of_all_fields_are_one_rule_file(tmp_path: Path) -> None:
    report, text = report_fields(("title", "date", "author"), [make_page(i) for i in range(12)], load_rules().fields)
    assert [f"{field}: 1.000 of 12" in report for field in ("title", "date", "author")] == [True] * 3
    file = tmp_path / "cards.yaml"
    file.write_text(text, encoding="utf-8")
    learnt, given = load_rules(file), load_rules()
    assert learnt.fields.title.card != given.fields.title.card
    assert learnt.fields.author.card.lines["signature"] == given.fields.author.card.lines["signature"]
