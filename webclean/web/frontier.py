"""Topic-focused crawling: the links of a page that promise more on a topic, best first (patent A8).

A topic is words, example texts or example pages. Blocks on the topic are found by BM25. The score of a link is the sum
of how well its anchor, its record, its block's heading, its block and its URL match the topic, compared with the other
links of the page; the best link has as score the share of the topic that is said of it, so that links of several pages
can be compared. Links in blocks with a noise role have a lower score, but never zero. Words are compared by their stems
in the language of the page (Snowball: Porter, "Snowball: a language for stemming algorithms", 2001).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final
from urllib.parse import unquote

import numpy as np
import snowballstemmer
from numpy.typing import NDArray

from webclean.errors import InputError
from webclean.model import Block, Floats, Reason
from webclean.page import CleanPage
from webclean.rules.segments_schema import Frontier
from webclean.segments.urls import is_page_url

_WORD: Final = re.compile(r"[^\W\d_]+|\d{4,}")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")

_ON_TOPIC: Final = ("anchor", "neighbours", "record", "block", "heading", "url")
"""Parts of a score that the topic decides."""

Topic = str | CleanPage | Sequence[str | CleanPage]


@dataclass(frozen=True, slots=True)
class RankedLink:
    """A link that could be followed, and its score. record: title and summary of its record. block: index in
    `page.blocks`. score: 0 to 1, 1 where all the topic is said of it."""

    url: str
    text: str
    record: str
    block: int
    score: float = 0.0
    reasons: tuple[Reason, ...] = ()


def rank_links(page: CleanPage, topic: Topic) -> tuple[RankedLink, ...]:
    """The page's links to other pages by how well they match the topic; equal ones in reading order.

    On a page that says nothing of the topic all scores are 0. Raises `InputError` for a topic without words.
    """
    rules = page.analysis.rules.segments.frontier
    language = (page.language or "en")[:2]
    query = find_terms(topic, rules.topic_terms, language)
    if not query:
        raise InputError("a topic needs at least one word")
    links = list_candidates(page.blocks)
    if not links:
        return ()
    parts = score_signals(page.blocks, links, query, rules, language)
    # importance alone would rank links of a page that says nothing of the topic
    total = np.sum(list(parts.values()), axis=0) * any(parts[name].any() for name in _ON_TOPIC)
    order = np.argsort(-total, kind="stable").tolist()
    best = max(float(total.max()), 1e-9)
    first = links[order[0]]
    block = page.blocks[first.block]
    # what its block says may be about another of its links
    near, around = f"{first.text} {first.record} {block.heading} {unquote(first.url)}", block.text
    said = (set(split_words(near, language)), set(split_words(around, language)))
    asked = set(query)
    covered = (len(asked & said[0]) + 0.5 * len(asked & (said[1] - said[0]))) / len(asked)
    return tuple(
        replace(
            links[at],
            score=round(max(0.0, float(total[at]) / best) * covered, 4),
            reasons=tuple(
                Reason("frontier", name, points=round(float(points[at]), 3))
                for name, points in parts.items()
                if abs(points[at]) >= 0.001
            ),
        )
        for at in order
    )


def list_candidates(blocks: Sequence[Block]) -> list[RankedLink]:
    """Each URL once, with its longest anchor text and the text of its record."""
    found: dict[str, RankedLink] = {}
    for number, block in enumerate(blocks):
        summary = {record.url: f"{record.title} {record.summary}" for record in block.records if record.url}
        for link in block.links:
            known = found.get(link.url)
            # of the links to one page (image, headline, `more`) the headline says most
            if is_page_url(link.url) and (known is None or len(link.text) > len(known.text)):
                at = number if known is None else known.block
                found[link.url] = RankedLink(link.url, link.text, summary.get(link.url, ""), at)
    return list(found.values())


def score_signals(
    blocks: Sequence[Block], links: Sequence[RankedLink], query: Sequence[str], rules: Frontier, language: str = ""
) -> dict[str, Floats]:
    """The parts of the score by name, each float64 [n_links]."""
    where = np.array([link.block for link in links])
    texts = score_texts([block.text for block in blocks], query, language)
    headings = score_texts([block.heading for block in blocks], query, language)
    noise = np.array([str(block.role) in rules.noise for block in blocks], dtype=np.float64)
    anchors = score_texts([link.text for link in links], query, language)
    parts = {
        "anchor": rules.anchor * anchors,
        "neighbours": rules.neighbours * average_neighbours(anchors, where, rules.window),
        "record": rules.record * score_texts([link.record for link in links], query, language),
        "block": rules.block * texts[where],
        "heading": rules.heading * headings[where],
        "url": rules.url * score_texts([unquote(link.url) for link in links], query, language),
    }
    on_topic = np.sum(list(parts.values()), axis=0)
    importance = np.array([block.importance for block in blocks])[where]
    return {
        **parts,
        "noise role": -rules.noise_share * on_topic * noise[where],
        "importance": rules.importance * importance,
    }


def average_neighbours(scores: Floats, where: NDArray[np.int64], window: int) -> Floats:
    """float64 [n_links]: mean score of the links up to `window` before and after in the same block, without its own."""
    total, count = np.zeros(len(scores)), np.zeros(len(scores))
    for step in range(1, min(window, len(scores) - 1) + 1):
        same = where[step:] == where[:-step]
        for to, by in ((slice(step, None), slice(None, -step)), (slice(None, -step), slice(step, None))):
            total[to] += scores[by] * same
            count[to] += same
    return np.asarray(total / np.maximum(1, count), dtype=np.float64)


def score_texts(texts: Sequence[str], query: Sequence[str], language: str = "") -> Floats:
    """float64 [n_texts]: BM25 of each text for the query, the best text 1, texts without any term 0."""
    words = [split_words(text, language) for text in texts]
    if not any(words):
        return np.zeros(len(texts))
    counts = np.array([[part.count(term) for term in query] for part in words], dtype=np.float64)
    hit = counts.any(axis=1)
    # BM25+ gives every text a floor for each term of the collection: a text without any term is set to nothing.
    scores = np.where(hit, score_bm25(counts, np.array([len(part) for part in words])), 0.0)
    floor = float(scores[hit].min()) * 0.5 if hit.any() else 0.0
    scores = np.where(hit, scores - floor, 0.0)
    return np.asarray(scores / max(float(scores.max()), 1e-9), dtype=np.float64)


def score_bm25(counts: Floats, n_words: NDArray[np.int64]) -> Floats:
    """float64 [n_texts]: BM25+ of texts, with the usual parameters (Lv & Zhai, "Lower-bounding term frequency
    normalization", CIKM 2011). counts: float64 [n_texts, n_terms], how often a text has each term of the query."""
    k1, b, delta = 1.5, 0.75, 1.0
    n_with = np.count_nonzero(counts, axis=0)
    # a term that no text has weighs nothing
    weights = np.log((len(counts) + 1) / np.maximum(1, n_with)) * (n_with > 0)
    lengths = k1 * (1 - b + b * n_words / n_words.mean())
    return np.asarray((delta + counts * (k1 + 1) / (lengths[:, None] + counts)) @ weights, dtype=np.float64)


_STEMMED: Final = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nl": "dutch", "no": "norwegian", "nb": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
"""Language -> its algorithm of Snowball."""


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    name = _STEMMED.get(language)
    return str(_load_stemmer(name).stemWord(word)) if name else word


_load_stemmer: Final = cache(snowballstemmer.stemmer)


def split_words(text: str, language: str = "") -> list[str]:
    """Stems of words in lower case; runs of Chinese, Japanese and Korean text as overlapping pairs of characters.
    language: of two letters; '' for words as they are."""
    made = []
    for word in _WORD.findall(text.lower()):
        if _UNSPACED.search(word):
            made += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        else:
            made.append(_stem(word, language))
    return made


def find_terms(topic: Topic, n_terms: int, language: str = "") -> list[str]:
    """The stems of a topic; of example texts and pages the `n_terms` most frequent ones."""
    examples: Iterable[str | CleanPage] = (topic,) if isinstance(topic, str | CleanPage) else topic
    counts: Counter[str] = Counter()
    for example in examples:
        counts.update(split_words(example if isinstance(example, str) else f"{example.title or ''} {example.text}"))
    # `of`, `to`: unless the topic has no more than a few words, or two characters are a word, as in Chinese
    long = [(word, n) for word, n in counts.most_common() if len(word) > 2 or _UNSPACED.search(word) or len(counts) < 4]
    return list(dict.fromkeys(_stem(word, language) for word, _ in long[:n_terms]))
