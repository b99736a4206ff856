"""Points of all blocks -> what each page's cut keeps, its scores, and tables of them.

By type, by language, snippets, where F1 is lost, the worst pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.compare.dataset import LabelledPage
from webclean.decide.score import cut_by_expected_f
from webclean.fields.language import detect_language
from webclean.learn.labels import WordTable, choose_best_subset
from webclean.learn.material import Material
from webclean.model import Floats, Mask
from webclean.rules.decide_schema import Cut

CAUSES: Final = (
    "extra text before the main content",
    "extra text among it",
    "extra text after it",
    "main content dropped",
    "no subset of the blocks matches the truth",
    "pages whose truth is empty",
)


@dataclass(frozen=True, slots=True, eq=False)
class PageScores:
    """float64 [n_pages]: word precision, recall, F1, and the F1 that was expected; kept: bool [n_blocks]."""

    precision: Floats
    recall: Floats
    f1: Floats
    expected: Floats
    kept: Mask

    def average(self, pages: Mask) -> tuple[float, float, float]:
        """Mean precision, recall and F1 of some pages: bool [n_pages]."""
        return float(self.precision[pages].mean()), float(self.recall[pages].mean()), float(self.f1[pages].mean())


def score_pages(material: Material, points: Floats, cut: Cut) -> PageScores:
    """Cut every page and score what is kept."""
    rows, kept = [], np.zeros(len(points), dtype=bool)
    for page, words in enumerate(material.words):
        own = material.rows_of(page)
        found = cut_by_expected_f(points[own], material.columns[page].blocks.n_words, cut)
        kept[own] = found.mask
        rows.append((*words.measure_prf(found.mask), found.expected))
    precision, recall, f1, expected = np.array(rows).T
    return PageScores(precision, recall, f1, expected, kept)


def format_scores(material: Material, scores: PageScores, name: str) -> str:
    """One line: overall P, R and F1, then F1 by page type."""
    kinds = np.array([page.page_type for page in material.pages])
    order = sorted(set(kinds.tolist()), key=lambda kind: (-int(np.sum(kinds == kind)), kind))
    by_type = "  ".join(f"{kind} {scores.f1[kinds == kind].mean():.3f}" for kind in order)
    f1, p, r = scores.f1.mean(), scores.precision.mean(), scores.recall.mean()
    return f"{name:22s} F1 {f1:.4f}  P {p:.3f}  R {r:.3f}  {by_type}"


def format_corpora(material: Material, by_site: PageScores, left_out: PageScores) -> str:
    """Corpus by corpus, and language by language where a truth names it: sites held out, and the corpus left out."""
    languages = [page.language for page in material.pages]
    lines = [f"{'corpora:':22s} pages   sites held out P R F1    corpus left out P R F1"]
    for number, corpus in enumerate(material.corpora):
        own = material.corpus == number
        named = sorted({language for language, is_own in zip(languages, own, strict=True) if is_own and language})
        rows = [(corpus, own)]
        if len(named) > 1:
            rows += [(f"  {name}", own & (np.array(languages) == name)) for name in named]
        for name, chosen in rows:
            sides = [f"{name:22s} {chosen.sum():5d}"]
            told = (by_site, left_out) if number else (by_site,)
            sides += ["  ".join(f"{mean:.3f}" for mean in scores.average(chosen)) for scores in told]
            lines.append("     ".join(sides))
    return "\n".join(lines)


def format_halves(material: Material, scores: PageScores) -> str:
    """F1 of the pages with and without scripts and styles."""
    stripped = np.array([page.stripped for page in material.pages])
    halves = (("whole", ~stripped), ("stripped", stripped))
    return "  ".join(f"{name} {scores.f1[half].mean():.4f} ({half.sum()})" for name, half in halves if half.any())


def format_snippets(material: Material, scores: PageScores) -> str:
    """The share of the snippets of main content that are found in the kept text, and of boilerplate."""
    wanted, unwanted = [], []
    for number, (page, columns) in enumerate(zip(material.pages, material.columns, strict=True)):
        kept = scores.kept[material.rows_of(number)].tolist()
        text = "\n\n".join(text for text, is_kept in zip(columns.blocks.text, kept, strict=True) if is_kept).lower()
        wanted += _share_found(page.kept_snippets, text)
        unwanted += _share_found(page.dropped_snippets, text)
    means = [float(np.mean(shares)) if shares else 0.0 for shares in (wanted, unwanted)]
    return f"snippets: main content found {means[0]:.3f}, boilerplate found {means[1]:.3f}"


def _share_found(snippets: Sequence[str], text: str) -> list[float]:
    return [sum(snippet.lower() in text for snippet in snippets) / len(snippets)] if snippets else []


def format_languages(material: Material, scores: PageScores) -> str:
    """P, R and F1 by the page's language, the most frequent first."""
    found = [detect_language(columns.document, columns.blocks).value or "?" for columns in material.columns]
    language = np.array([value.partition("-")[0].lower() for value in found])
    names, sizes = np.unique(language, return_counts=True)
    lines = ["by language:  pages  P     R     F1"]
    for name, size in sorted(zip(names.tolist(), sizes.tolist(), strict=True), key=lambda row: -row[1]):
        own = language == name
        p, r, f1 = scores.average(own)
        lines.append(f"  {name:10s} {size:6d}  {p:.3f} {r:.3f} {f1:.3f}")
    return "\n".join(lines)


def split_loss(table: WordTable, kept: Mask, best: Mask) -> Floats:
    """float64 [n_causes]: what a page's F1 lacks to 1, by cause; best: the blocks that give the highest F1.

    What no subset of blocks can reach goes first; the rest is shared by the words that are kept and should not be, and
    those that should be and are not, as far as one of each moves F1.
    """
    loss, f1 = np.zeros(len(CAUSES)), table.measure_f1(kept)
    if not len(table.truth):
        loss[-1] = 1 - f1
        return loss
    # what no choice of blocks can reach is no fault of the cards
    loss[-2] = min(1 - f1, 1 - table.measure_f1(best))
    words = np.bincount(table.block, minlength=table.n_blocks)
    wanted = np.flatnonzero(best)
    place = np.ones(table.n_blocks, dtype=np.intp)
    if len(wanted):
        # before, among and after the main content: these are different faults
        place[: wanted[0]], place[wanted[-1] + 1 :] = 0, 2
    extra = np.bincount(place, words * (kept & ~best), 3)
    weight = np.append(extra * f1, (2 - f1) * np.sum(words[best & ~kept]))
    if weight.any():
        loss[:4] = (1 - f1 - loss[-2]) * weight / weight.sum()
    return loss


def measure_losses(material: Material, scores: PageScores) -> Floats:
    """float64 [n_pages, n_causes]."""
    rows = []
    for number, table in enumerate(material.words):
        own = material.rows_of(number)
        best = choose_best_subset(table, material.label[own] >= 0.5)
        rows.append(split_loss(table, scores.kept[own], best))
    return np.array(rows).reshape(-1, len(CAUSES))


def format_losses(losses: Floats) -> str:
    """The share of each cause in the loss of all pages."""
    share = losses.sum(axis=0) / max(1e-9, float(losses.sum()))
    lines = [f"  {100 * part:5.1f} %  {cause}" for cause, part in zip(CAUSES, share.tolist(), strict=True)]
    return "\n".join(["where F1 is lost:", *lines])


def format_worst(pages: Sequence[LabelledPage], scores: PageScores, losses: Floats, n: int) -> str:
    """The pages with the lowest F1 and the main cause of each."""
    lines = ["worst pages:  F1    P    R  main cause"]
    for i in np.argsort(scores.f1, kind="stable")[:n].tolist():
        cause = CAUSES[int(np.argmax(losses[i]))]
        about = f"{scores.f1[i]:.2f} {scores.precision[i]:.2f} {scores.recall[i]:.2f}  {cause}"
        lines.append(f"  {pages[i].id} {pages[i].page_type:13s} {about}; {pages[i].url[:90]}")
    return "\n".join(lines)


def format_gains(names: Sequence[str], gain: Floats) -> str:
    """What each feature adds, the most first."""
    head = "what each feature adds to the first pass (soft F1 lost, out of fold, when it is silent):"
    return "\n".join([head, *(f"  {names[i]:28s} {gain[i]:+.4f}" for i in np.argsort(-gain, kind="stable").tolist())])
