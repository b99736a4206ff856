"""Pages of an invented site: templates with noise, short articles and long comments (source D's failure case)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

_SYLLABLES = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "za"]


@dataclass(frozen=True)
class SyntheticPage:
    """One page with its true text."""

    name: str
    html: str
    article: str


def write_words(rng: random.Random, n: int) -> str:
    return " ".join("".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(n))


def write_sentences(rng: random.Random, n: int) -> str:
    return " ".join(write_words(rng, rng.randint(8, 18)).capitalize() + "." for _ in range(n))


def generate_site(n_pages: int, *, n_templates: int = 3, seed: int = 1) -> Iterator[SyntheticPage]:
    """Pages that alternate between templates; every template nests its content differently."""
    rng = random.Random(seed)
    frames = [_make_frame(random.Random(seed * 1000 + k), k) for k in range(n_templates)]
    for number in range(n_pages):
        head, before, content, comments, after = frames[number % n_templates]
        short = rng.random() < 0.4
        article = [
            write_sentences(rng, 1 if short else rng.randint(3, 6)) for _ in range(1 if short else rng.randint(3, 8))
        ]
        threads = [
            write_sentences(rng, rng.randint(2, 5)) for _ in range(rng.randint(4, 12) if short else rng.randint(0, 3))
        ]
        teasers = "".join(
            f"<div class=teaser><p>{write_sentences(rng, 2)}</p></div>" if rng.random() < 0.7 else f"<a href=/{k}>x</a>"
            for k in range(rng.randint(0, 4))
        )
        html = (
            f"<html><head><title>{write_words(rng, 5)}</title></head><body>{head}{before}{content}"
            + "".join(f"<p>{text}</p>" for text in article)
            + "</div>"
            + comments
            + "".join(f"<div class=reply><p>{text}</p></div>" for text in threads)
            + f"</div><div class=more>{teasers}</div>{after}</body></html>"
        )
        yield SyntheticPage(f"page-{number}", html, "\n".join(article))


def _make_frame(rng: random.Random, number: int) -> tuple[str, str, str, str, str]:
    menu = "".join(f"<li><a href=/{k}>{write_words(rng, 2)}</a></li>" for k in range(rng.randint(5, 12)))
    promos = "".join(f"<div class=promo><p>{write_sentences(rng, 2)}</p></div>" for _ in range(rng.randint(1, 4)))
    wrappers = 1 + 3 * (number % 3)
    bars = "<div class=bar></div>" * (number * 5)
    head = f"<div class=top><div><ul>{menu}</ul></div></div>{bars}" + "<div>" * wrappers
    content = ('<div id="story">', '<div class="entry text">', "<div>")[number % 3]
    comments = '<div class="replies">'
    notice = f"<div class=legal><p>{write_sentences(rng, 3)}</p></div>"
    return head, promos, content, comments, "</div>" * wrappers + notice
