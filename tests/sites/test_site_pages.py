"""The pages of a site, and lists of links to other pages, which stand beside the facts in a shop."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import webclean
from tests import write_file
from webclean.pipeline import Cleaner
from webclean.rules import load_rules
from webclean.rules.files import write_yaml
from webclean.sites.profiles import mark_lists
from webclean.sites.site_rules import learn_site, write_site_rules

SEGMENTS = load_rules().segments


def find_listed(body: str) -> list[str]:
    columns = webclean.clean(f"<body>{body}</body>").analysis.columns
    listed = mark_lists(columns, SEGMENTS)
    return [text for text, is_listed in zip(columns.blocks.text, listed, strict=True) if is_listed]


@pytest.mark.parametrize(
    ("body", "listed"),
    [
        (
            "<h1>Tea pot</h1><dl><dt><a href=/p/1>Cup</a></dt><dd>9 dollars</dd><dt><a href=/p/2>Mug</a></dt>"
            "<dd>8 dollars</dd><dt><a href=/p/3>Jar</a></dt><dd>7 dollars</dd></dl>",
            ["Cup", "9 dollars", "Mug", "8 dollars", "Jar", "7 dollars"],
        ),
        ("<ul><li>Made of clay<li>Holds one litre<li>Weighs two pounds</ul>", []),
        (
            "".join(f"<div><a href=/t/{i}>Thread {i}</a><p>{'A long answer to it. ' * 40}</p></div>" for i in range(4)),
            [],
        ),
    ],
)
def test_lists_are_repeated_links_with_little_text(body: str, listed: list[str]) -> None:
    assert find_listed(body) == listed


WORDS = ("clay", "glaze", "kiln", "wheel", "handle", "spout", "lid", "rim", "foot", "brush", "slip", "fire", "hand")


def describe(number: int) -> str:
    """Three sentences of words, others for each number."""
    chosen = [WORDS[(number * 7 + k * (number % 5 + 1)) % len(WORDS)] for k in range(36)]
    return " ".join(f"The {' '.join(chosen[k : k + 12])} were made with great care." for k in (0, 12, 24))


def make_shop(n_pages: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """Markup, facts and furniture of pages of a shop, of which the cards know no name."""
    for i in range(n_pages):
        facts = [
            f"Pot number {i}",
            f"Maker {WORDS[i % 7]} and sons",
            f"Glaze: colour {i * 5 % 17}",
            f"Price: ${i % 11}.50",
            describe(i),
        ]
        others = [(i * 3 + k * 5) % 40 for k in range(12)]
        related = "".join(
            f"<div class=q5><a href=/p/{k}>Cup of kind {k}</a><p>Club price ${k}.20</p></div>" for k in others
        )
        body = (
            "<div class=q1><a href=/>Home</a> <a href=/all>All our pots</a></div><div class=q2>"
            f"<h3>{facts[0]}</h3><div class=q3>by {facts[1]}</div><div class=q4>Put this pot in the basket</div>"
            f"<ul><li>{facts[2]}<li>{facts[3]}</ul><p>{facts[4]}</p></div>"
            f"<div class=q6><h4>Others looked at these</h4>{related}</div>"
            "<div class=q7>Made by hand since 1908 in our own kiln</div>"
        )
        furniture = ["Put this pot in the basket", "Others looked at these", *(f"Cup of kind {k}" for k in others)]
        yield f"<body>{body}</body>", facts, [*furniture, "Club price", "our own kiln"]


def test_what_varies_is_kept_and_lists_and_furniture_are_dropped(tmp_path: Path) -> None:
    plain, pages = Cleaner(), make_shop(70)
    learnt = learn_site(
        ((str(i), plain.clean(html).analysis) for i, (html, _, _) in enumerate(islice(pages, 30))), plain.rules.sites
    )
    rules = write_site_rules(learnt, plain.rules.sites)
    file = write_file(tmp_path / "shop.yaml", write_yaml({"rules": rules}))
    cleaner = Cleaner(rules=[file])
    for html, facts, furniture in pages:
        text = cleaner.clean(html).text
        assert [fact for fact in facts if fact not in text] == []
        assert [words for words in furniture if words in text] == []
    kinds = {name.split("-")[-1] for name in rules if name.startswith("template-1-")}
    assert "varied" in kinds
