r"""How often a formula is torn from its sentence: formulas are set between kept sentences of real articles.

usage: python benchmarks/torn_formulas.py DIR [--every N]

DIR holds labelled pages in a layout of `quality.py`. After one kept paragraph of each article or page of documentation
comes "The sum is then", a formula in the markup of each tool in turn, and "where ... is". A formula is torn if both
sentences are in the Markdown and its TeX is not. `(not kept)`: pages where a sentence was dropped itself.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from typing import Final

import checkout  # noqa: F401  webclean of this clone

import webclean
from webclean.compare.dataset import read_pages

TEX: Final = r"E = \sum_{n=1}^{N} a_n x^n"
MATHML: Final = (
    "<math display=block><mi>E</mi><mo>=</mo><munderover><mo>∑</mo><mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow>"
    "<mi>N</mi></munderover><msub><mi>a</mi><mi>n</mi></msub><msup><mi>x</mi><mi>n</mi></msup></math>"
)
MARKUP: Final = {
    "TeX in a paragraph": f"<p>$${TEX}$$</p>",
    "TeX in a div": rf"<div class=arithmatex>\[{TEX}\]</div>",
    "MathML": f"<div class=equation>{MATHML}</div>",
    "KaTeX": f"<p><span class=katex-display><span class=katex><span class=katex-mathml><math><semantics><mi>E</mi>"
    f"<annotation encoding=application/x-tex>{TEX}</annotation></semantics></math></span><span class=katex-html "
    "aria-hidden=true><i>E</i><i>=</i><i>∑</i><i>a</i><i>n</i><i>x</i><i>n</i></span></span></span></p>",
    "MathJax 2": "<div class=MathJax_Display><span class=MathJax>E=∑anxn</span></div>"
    f"<script type='math/tex; mode=display'>{TEX}</script>",
    "MathJax 3": "<p><mjx-container class=MathJax display=true><mjx-math aria-hidden=true><mjx-mi>E</mjx-mi></mjx-math>"
    f"<mjx-assistive-mml display=block>{MATHML}</mjx-assistive-mml></mjx-container></p>",
    "Wikipedia": f"<dl><dd><span class=mwe-math-element><span style='display: none'><math alttext='{{{TEX}}}'>"
    f"<mi>E</mi></math></span><img src=/math/render/svg/a aria-hidden=true alt='{{{TEX}}}'></span></dd></dl>",
    "picture": f"<p><img src='https://latex.codecogs.com/gif.latex?x' alt='{TEX}'></p>",
}
BEFORE: Final = "The sum qqbeforeqq is then"
AFTER: Final = "where qqafterqq is what was said before, for all numbers."
_PARAGRAPH: Final = re.compile(r"<p\b[^>]*>(?:(?!</?p\b|<div|<table|<ul).){80,900}?\.\s*(?=</p>)", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]+>")
_LEAST: Final = 5
"""Kept paragraphs of an article, at least; the formula stands behind one that is neither the first nor the last."""


def find_places(html: str) -> list[int]:
    """The ends of the kept paragraphs, without their end tags."""
    text = webclean.clean(html).text
    found = []
    for paragraph in _PARAGRAPH.finditer(html):
        words = " ".join(_TAG.sub("", paragraph[0]).split())
        if words[:30] in text:
            found.append(paragraph.end())
    return found


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--every", type=int, default=9, metavar="N", help="every N-th page (default: 9)")
    args = parser.parse_args()
    rng, torn, whole, lost, n_pages = random.Random(5), Counter[str](), Counter[str](), Counter[str](), 0
    for page in list(read_pages(args.folder))[:: args.every]:
        html = page.html.decode("utf-8", "replace")
        places = find_places(html) if page.page_type in ("article", "documentation") else []
        if len(places) < _LEAST:
            continue
        n_pages, at = n_pages + 1, rng.choice(places[1:-1])
        for name, markup in MARKUP.items():
            made = f"{html[:at]} {BEFORE}</p>{markup}<p>{AFTER}{html[at:]}"
            written = webclean.clean(made).to_markdown()
            if "qqbeforeqq" not in written or "qqafterqq" not in written:
                lost[name] += 1
            else:
                (whole if r"\sum" in written else torn)[name] += 1
    print(f"{n_pages} pages\n\n| formula | whole | torn | (not kept) |\n|---|---|---|---|")
    for name in MARKUP:
        print(f"| {name} | {whole[name]} | {torn[name]} | {lost[name]} |")


if __name__ == "__main__":
    main()
