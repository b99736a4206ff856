"""Pages of sites that have templates: what is around the text is the same on all pages of a site."""

from __future__ import annotations

from archives import Sample

WORDS = (
    "river hill stone bridge market winter harvest lantern orchard ferry chapel garden quarry meadow signal harbour",
    "timber copper barley willow falcon anchor kettle ribbon candle hammer saddle marble cotton velvet",
)
LISTED = " ".join(WORDS).split()


def tell_story(number: int, n_words: int) -> str:
    """Sentences that differ from page to page."""
    words = [LISTED[(number * 7 + place * (3 + number % 5)) % len(LISTED)] for place in range(n_words)]
    return " ".join(f"{word}," if place % 9 == 8 else word for place, word in enumerate(words)).capitalize() + "."


def write_page(site: str, number: int) -> Sample:
    """A page of a site: the notice above the text is long, so that it is taken for text unless the site is known."""
    notice = f"Readers of {site} have kept this paper alive for ninety years, and the reading room is open every day."
    paragraphs = "".join(f"<p>{tell_story(number * 10 + part, 40)}</p>" for part in range(4))
    html = (
        f"<!doctype html><title>Story {number} of {site}</title><div id=top><div class=a><p>{notice}</p></div></div>"
        f"<div id=middle><div class=b><h1>Story {number}</h1>{paragraphs}</div>"
        f"<div class=c><p>{notice} Write to the editor of {site} at the old mill.</p></div></div>"
        f"<div id=end><div class=d><p>{site} is printed on the island, by hand, in the house by the quay.</p></div>"
    )
    return Sample(f"{site}-{number}", html.encode(), f"https://www.{site}/stories/{number}")


def write_sites(n_big: int, n_small: int, n_sites: int) -> list[Sample]:
    """One site with many pages among sites with few, mixed."""
    pages = [write_page("big-paper.com", number) for number in range(n_big)]
    for site in range(n_sites):
        pages += [write_page(f"paper-{site}.org", number) for number in range(n_small)]
    return sorted(pages, key=lambda page: hash_name(page.url))


def hash_name(name: str) -> int:
    return sum(ord(letter) * 31**place for place, letter in enumerate(name)) % 10_007
