"""Published extraction methods, each a pure function: page -> mask of the text blocks that it keeps.

Here stand those by densities: punctuation, text and composite text density; text and symbol density; line density.
Parameters: `rules/methods.yaml`. They share counts over the subtree of every element. The patent is in `patent`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.blocks.text_blocks import PUNCTUATION, list_kinds, sum_subtrees
from webclean.features import PageColumns
from webclean.model import Document, Floats, Mask, Rows
from webclean.parse.columns import climb, mark_slices, sum_before
from webclean.parse.tags import CODE
from webclean.rules import RuleSet
from webclean.rules.decide_schema import LineDensityMethod


def select_by_density(columns: PageColumns, measure: Callable[[SubtreeCounts], Floats]) -> Mask:
    """bool [n_blocks]: the content by a density sum. measure: counts -> float64 [n_elements], the density."""
    if not len(columns.blocks):
        return np.zeros(0, dtype=bool)
    counts = count_subtrees(columns)
    return keep_blocks_under(columns, extract_content(columns.document, counts.body, measure(counts)))


def compute_composite_density(counts: SubtreeCounts) -> Floats:
    """float64 [n_elements]: composite text density of CETD; 0 for an element without text."""
    chars, tags = at_least_one(counts.chars), at_least_one(counts.tags)
    links, link_tags = at_least_one(counts.link_chars), at_least_one(counts.link_tags)
    plain = at_least_one(counts.chars - counts.link_chars)
    page = links[counts.body] / chars[counts.body] if len(chars) else 0.0
    base = np.log(chars / plain * links + page * chars + np.e)
    density = chars / tags * np.log(chars / links * (tags / link_tags)) / np.log(base)
    return np.where(counts.chars > 0, density, 0.0)


def extract_content(document: Document, body: int, density: Floats) -> Rows:
    """int32 [n]: rows of the content nodes by density sums. density: float64 [n_elements].

    Sources: Yang & Yang, punctuation density (2015); Sun, Song & Liao, "DOM based content extraction via text density"
    (CETD, SIGIR 2011), whose algorithm all three use with different densities.

    D_i is the density of node i, S_i (the density sum) the sum of D over the children of i. The threshold t is the
    smallest D on the path from body to the node with the largest S. From body down, Extract(R): (1) if D(R) < t, end
    here, whatever is below R; (2) the node with the largest S in the subtree of R (R included) is content; (3) Extract
    each child of R. Text density, C characters and T tags below each node:

        node              C   T   D       S
        body             36   8   4.5    18
          div A          24   2  12      24    largest S, so t = min(12, 4.5) = 4.5
            p, p         12   0  12       0
          div B          12   4   3       6    D < t: the recursion ends
            a, a          3   0   3       0    D < t
            p             6   0   6       0    D > t, but not looked at

    Reached are body, div A and its paragraphs, so the text of div A is the content. The densities are:

        punctuation density       D_i = P_i / N_i                 P punctuation marks, N nodes below i (1 if none)
        text density              D_i = C_i / T_i                 C characters, T tags below i
        composite text density    D_i = (C_i / T_i) * log_b((C_i / LC_i) * (T_i / LT_i))
                                  b = ln((C_i / NLC_i) * LC_i + (LC_body / C_body) * C_i + e)
                                  LC link characters, NLC = C - LC, LT link tags; zeros count as 1

    Reading: the printed condition is D(R) > t; but t is the density of a node on the path itself, so the recursion
    would end before the content: it must be >=. N counts elements, as T does, since neither paper says whether text
    nodes count. Only displayed elements count. The base b is above 1, since the argument of its logarithm is above e.
    """
    parent = document.parent
    # row 0 is the root, which has no parent
    sums = np.bincount(parent[1:], density[1:], minlength=len(parent)).astype(np.float64)
    best = find_subtree_maximum(parent, sums)
    # from the densest node up to body: the threshold is the least density on that path
    threshold = density[list(climb(document, int(best[body]), body - 1))].min()
    rows = slice(body, int(document.end[body]))
    sparse = np.flatnonzero(density[rows] < threshold) + body
    # dense, and below dense elements alone
    reached = ~mark_slices(sparse, document.end[sparse], len(document))[rows]
    return np.unique(best[rows][reached]).astype(np.int32)


def select_by_text_symbol_density(columns: PageColumns) -> Mask:
    """bool [n_blocks]: text blocks inside the node of the largest text and symbol density (Hong et al., 2019).

        TD_i = (T_i - LT_i) / (TG_i - LTG_i)       T, LT characters and link characters; TG, LTG tags and link tags
        SbD_i = (T_i - LT_i) / (Sb_i + 1)          Sb symbols (punctuation)
        score_i = ln(std of TD over the page) * TD_i * log10(P_i + 2) * ln(SbD_i)      P paragraphs

    The node with the largest score is the content. Reading: a denominator or an argument of ln that would be 0 counts
    as 1; only the body and displayed elements below it are compared.
    """
    if not len(columns.blocks):
        return np.zeros(0, dtype=bool)
    counts = count_subtrees(columns)
    plain = counts.chars - counts.link_chars
    density = plain / at_least_one(counts.tags - counts.link_tags)
    per_symbol = at_least_one(plain / (counts.punctuation + 1))
    inside = slice(counts.body, int(columns.document.end[counts.body]))
    spread = np.log(at_least_one(np.asarray(density[inside].std())))
    score = spread * density * np.log10(counts.paragraphs + 2) * np.log(per_symbol)
    # a hidden copy of the article would win with it
    score[~columns.document.displayed] = -np.inf
    winner = counts.body + int(np.argmax(score[inside]))
    return keep_blocks_under(columns, np.array([winner], dtype=np.int32))


def select_by_line_density(columns: PageColumns, options: LineDensityMethod) -> Mask:
    """bool [n_blocks]: text blocks with text on a line selected by line density (Html2Article).

    The page is taken as lines: tags are removed and the line breaks of the markup kept. A page with hardly any line
    break gets one before each text block. A window of `window` lines moves down. Where it has more than `head_chars`
    characters, the content has begun; its first line is found by going back to two empty lines in a row, and is the
    current line where there are none above. It ends where two successive windows have at most `tail_chars` characters.
    With `append`, the search goes on below.
    """
    blocks = columns.blocks
    n_chars, first, last = lay_out_lines(columns, options.forced_break_lines)
    selected = select_lines(n_chars, options)
    running = sum_before(selected)
    touched = running[last + 1] > running[first]
    nodes = np.flatnonzero(blocks.block_of >= 0)
    return np.bincount(blocks.block_of[nodes], touched[nodes], minlength=len(blocks)) > 0


def lay_out_lines(columns: PageColumns, forced_break_lines: int) -> tuple[Rows, Rows, Rows]:
    """Three int32: characters of each line [n_lines], first line and last line of each text node [n_texts]."""
    document, block_of = columns.document, columns.blocks.block_of
    shown = document.displayed[document.text_owner] if len(document.text) else np.zeros(0, dtype=bool)
    n_breaks = sum(text.count("\n") for text, show in zip(document.text, shown, strict=True) if show)
    # minified markup is one line, in which no window can begin or end
    forced = n_breaks < forced_break_lines
    sizes, first, last = [0], [], []
    before = -1
    for text, show, block in zip(document.text, shown.tolist(), block_of.tolist(), strict=True):
        if forced and block >= 0 and block != before:
            sizes.append(0)
            before = block
        first.append(len(sizes) - 1)
        if show:
            head, *rest = [len("".join(line.split())) for line in text.split("\n")]
            sizes[-1] += head
            sizes += rest
        last.append(len(sizes) - 1)
    return np.array(sizes, np.int32), np.array(first, np.int32), np.array(last, np.int32)


def select_lines(n_chars: Rows, options: LineDensityMethod) -> Mask:
    """bool [n_lines]: the lines of the content."""
    n, size = len(n_chars), options.window
    selected = np.zeros(n, dtype=bool)
    # padded, so that windows at the end of the page are shorter and not missing
    running = np.concatenate(([0], np.cumsum(n_chars), np.full(size, n_chars.sum())))
    window = running[size : size + n] - running[:n]
    line = 0
    while line < n:
        if window[line] <= options.head_chars:
            line += 1
            continue
        start = find_start(n_chars, line)
        stop = line + 1
        while stop < n and (window[stop] > options.tail_chars or window[stop - 1] > options.tail_chars):
            stop += 1
        selected[start:stop] = True
        if not options.append:
            break
        line = stop
    return selected


def find_start(n_chars: Rows, line: int) -> int:
    """The line below the nearest two empty lines in a row above `line`; `line` itself if there are none."""
    for start in range(line, 1, -1):
        if not n_chars[start - 1] and not n_chars[start - 2]:
            return start
    return line


@dataclass(frozen=True, slots=True, eq=False)
class SubtreeCounts:
    """Each float64 [n_elements], summed over the subtree of the element.

    chars, link_chars: characters without white space, all and inside links. punctuation: punctuation marks.
    tags, link_tags: elements below the element, all and those that are links or inside one. paragraphs: `p` elements.
    body: row of the body element, or 0.
    """

    chars: Floats
    link_chars: Floats
    punctuation: Floats
    tags: Floats
    link_tags: Floats
    paragraphs: Floats
    body: int


def count_subtrees(columns: PageColumns) -> SubtreeCounts:
    """Count displayed text and displayed elements below every element."""
    document, block_of = columns.document, columns.blocks.block_of
    nodes = np.flatnonzero(block_of >= 0)
    owner = document.text_owner[nodes]
    texts = [document.text[node] for node in nodes.tolist()]
    chars = np.array([len("".join(text.split())) for text in texts], dtype=np.int64)
    is_mark = list_kinds() & PUNCTUATION != 0
    marks = np.array([np.count_nonzero(is_mark[list(map(ord, text))]) for text in texts], dtype=np.int64)
    linked = document.link[owner] >= 0
    rows = np.arange(len(document), dtype=np.int32)
    body = np.flatnonzero(document.tag == CODE["body"])

    def below(wanted: Mask) -> Floats:
        return sum_subtrees(document, rows, wanted.astype(np.float64)) - wanted

    return SubtreeCounts(
        chars=sum_subtrees(document, owner, chars),
        link_chars=sum_subtrees(document, owner, chars * linked),
        punctuation=sum_subtrees(document, owner, marks),
        tags=below(document.displayed),
        link_tags=below((document.link >= 0) & document.displayed),
        paragraphs=below(document.tag == CODE["p"]),
        body=int(body[0]) if len(body) else 0,
    )


def at_least_one(values: Floats) -> Floats:
    """Replace 0 by 1, as the density papers do in denominators."""
    return np.where(values == 0, 1.0, values)


def find_subtree_maximum(parent: Rows, values: Floats) -> Rows:
    """int32 [n_elements]: the row with the largest value in each subtree; the first in document order wins ties."""
    best, where = values.tolist(), list(range(len(values)))
    above = parent.tolist()
    # children before their parents: each passes its maximum up once
    for row in range(len(best) - 1, 0, -1):
        up = above[row]
        if best[row] > best[up] or (best[row] == best[up] and where[up] != up):
            best[up], where[up] = best[row], where[row]
    return np.array(where, dtype=np.int32)


def keep_blocks_under(columns: PageColumns, rows: Rows) -> Mask:
    """bool [n_blocks]: text blocks with a text node in the subtree of one of the rows."""
    document, blocks = columns.document, columns.blocks
    nodes = np.flatnonzero(blocks.block_of >= 0)
    inside = mark_slices(rows, document.end[rows], len(document))[document.text_owner[nodes]]
    return np.bincount(blocks.block_of[nodes], inside, minlength=len(blocks)) > 0


Method = Callable[[PageColumns, RuleSet], Mask]
METHODS: Final[dict[str, Method]] = {
    "punctuation-density": lambda columns, _: select_by_density(
        columns, lambda counts: counts.punctuation / at_least_one(counts.tags)
    ),
    "text-density": lambda columns, _: select_by_density(
        columns, lambda counts: counts.chars / at_least_one(counts.tags)
    ),
    "composite-text-density": lambda columns, _: select_by_density(columns, compute_composite_density),
    "line-density": lambda columns, rules: select_by_line_density(columns, rules.methods.line_density),
    "text-symbol-density": lambda columns, _: select_by_text_symbol_density(columns),
}
"""Name -> method, which returns bool [n_blocks]. `scorecard`, the default of `webclean.clean`, and
`patent`, which makes more than a mask, are not among them."""
