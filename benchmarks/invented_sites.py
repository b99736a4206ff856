"""Pages of invented sites, whose true text is known.

generate_site   templates with noise, short articles and long comments (source D's failure case)
generate_host   a host with three layouts: products, articles under comments, and lists of both. What a page is about
                and what stands around it is known, so learning templates is scored by facts (author, price, sentences)
                and furniture. Class names say nothing; the cards have to go without. What real hosts do to learning is
                here too: the body names the page, parts are missing on some pages, descriptions are short or long,
                promotions take turns.
generate_shop   products of a shop whose furniture repeats in part: a line of tabs, a button that says how many are
                left, hours until shipping, deals of the day, help, reviews by the same members, labels without value.
                Three shops: one of nested boxes, one of tables, one of custom elements and definition lists, in kana.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import checkout  # noqa: F401  webclean of this clone
from jinja2 import Template

from webclean.workbench.labelled_pages import LabelledPage

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


_PRODUCT, _ARTICLE, _LIST = "product", "article", "list"
_LAYOUTS = (_PRODUCT, _ARTICLE, _LIST)
_OFTEN = 0.85
"""Share of the pages that have a part that may be missing."""

Part = tuple[str, list[str], list[str]]
"""Markup between the frame, facts, furniture."""


def generate_host(n_pages: int, *, seed: int = 1, layouts: tuple[str, ...] = _LAYOUTS) -> Iterator[LabelledPage]:
    """Labelled pages that alternate between the layouts."""
    rng = random.Random(seed)
    menu = [write_words(rng, 2) for _ in range(8)]
    legal, offers = write_sentences(rng, 3), [write_sentences(rng, 2) for _ in range(3)]
    goods = [write_words(rng, 3).title() for _ in range(60)]
    makers = [write_words(rng, 2).title() for _ in range(20)]
    write: dict[str, Callable[[], Part]] = {
        _PRODUCT: partial(_write_product, rng, goods, makers),
        _ARTICLE: partial(_write_article, rng, makers),
        _LIST: partial(_write_list, rng),
    }
    for number in range(n_pages):
        layout = layouts[number % len(layouts)]
        body, facts, furniture = write[layout]()
        offer = rng.choice(offers)
        links = "".join(f"<li><a href=/{k}>{name}</a></li>" for k, name in enumerate(menu))
        html = (
            f'<html><head><title>{facts[0]}</title></head><body class="x{layout[0]} id-{number}">'
            f"<div class=a1><ul>{links}</ul></div><div class=a2><p>{offer}</p></div>"
            f"{body}<div class=a9><p>{legal}</p></div></body></html>"
        )
        yield LabelledPage(
            id=f"{layout}-{number}",
            url=f"https://host.example/{layout}/{number}",
            html=html.encode(),
            text="",
            page_type="",
            title=None,
            date=None,
            author=None,
            kept_snippets=tuple(facts),
            dropped_snippets=(*furniture, offer, legal, menu[0]),
        )


def _write_product(rng: random.Random, goods: list[str], makers: list[str]) -> Part:
    name, maker, price = rng.choice(goods), rng.choice(makers), f"{rng.randint(3, 90)}.{rng.randint(0, 9)}0"
    number, weight = f"No. {rng.randint(10**6, 10**7)}", f"Weight: {rng.randint(1, 40)} units"
    about = write_sentences(rng, rng.choice((1, 2, 8)))
    has_weight = rng.random() < _OFTEN
    related = rng.sample([good for good in goods if good != name], 8)
    cells = "".join(
        f"<div class=b7><a href=/product/{k}>{other}</a><p>only {k + 3}.20 today</p></div>"
        for k, other in enumerate(related)
    )
    body = (
        f"<div class=b1><h2>{name} {number}</h2><div class=b2>by {maker}</div><div class=b3>Put it in the basket</div>"
        f"<ul class=b4><li>Price: {price}</li>{f'<li>{weight}</li>' * has_weight}</ul><p>{about}</p></div>"
        f"<div class=b6><h4>Others looked at these</h4>{cells}</div>"
    )
    facts = [f"{name} {number}", f"by {maker}", f"Price: {price}", about, *([weight] if has_weight else [])]
    return body, facts, ["Put it in the basket", "Others looked at these", *related[:3]]


def _write_article(rng: random.Random, makers: list[str]) -> Part:
    head, author, day = (
        write_words(rng, 6).capitalize(),
        rng.choice(makers),
        f"{rng.randint(1, 28)} May 20{rng.randint(10, 26)}",
    )
    text = [write_sentences(rng, rng.randint(2, 4)) for _ in range(rng.choice((1, 2, 6)))]
    replies = [write_sentences(rng, rng.randint(1, 4)) for _ in range(rng.choice((0, 1, 9)))]
    body = (
        f"<div class=c1><div class=c2><h1>{head}</h1><div class=c3>{author}, {day}</div>"
        + "".join(f"<p>{paragraph}</p>" for paragraph in text)
        + "</div><div class=c4>Tell a friend about this story</div><div class=c5>"
        + "".join(f"<div class=c6><p>{reply}</p></div>" for reply in replies)
        + "</div></div>"
    )
    return body, [head, f"{author}, {day}", *text], ["Tell a friend about this story", *replies[:2]]


def _write_list(rng: random.Random) -> Part:
    head = write_words(rng, 3).title()
    heads = [write_words(rng, 6).capitalize() for _ in range(rng.randint(6, 14))]
    teasers = [write_sentences(rng, 1) for _ in heads]
    entries = "".join(
        f"<div class=d4><a href=/article/{rng.randint(1, 999)}>{one}</a><p>{teaser}</p></div>"
        for one, teaser in zip(heads, teasers, strict=True)
    )
    body = f"<div class=d1><h2>{head}</h2><div class=d2>Sort these by date</div><div class=d3>{entries}</div></div>"
    return body, [head, *heads[:3], *teasers[:2]], ["Sort these by date"]


SHOPS: Final = {
    "boxes": Template("""<html><head><title>{{ name }}</title></head><body>
<div class=q0><div class=q1>{% for one in menu %}<a href=/c/{{ loop.index }}>{{ one }}</a>{% endfor %}</div></div>
<div class=q2><span>{{ deal }}</span> <b>{{ old }}</b> <a href=/deal>{{ deal_word }}</a></div>
<div class=q3><div class=q4><div class=q5><h2>{{ name }}</h2><div>{{ maker }}</div><div class=q6>{{ price }}</div>
<div class=q7>{{ tabs }}</div><div class=q8>{{ button }} {{ left }}</div></div>
<div class=q9><div>{{ ship }} {{ hours }}</div><p>{{ help }}</p></div>
<div class=q10>{% for label, value in facts %}<div><span>{{ label }}:</span> <span>{{ value }}</span></div>{% endfor %}
</div><div class=q11>{% for text in about %}<p>{{ text }}</p>{% endfor %}</div>
<div class=q12>{% for who, text in said %}<div><i>{{ who }}</i><p>{{ text }}</p></div>{% endfor %}</div></div></div>
<div class=q13><div>{{ also }}</div>{% for one in goods %}<div><a href=/p/{{ loop.index }}>{{ one }}</a></div>
{% endfor %}</div><div class=q14><p>{{ letter }}</p><p>{{ legal }}</p></div></body></html>"""),
    "tables": Template("""<html><head><title>{{ name }}</title></head><body><table width=100%><tr><td colspan=3 class=n>
{{ menu | join(" | ") }}<tr><td valign=top class=l><table>{% for one in goods %}<tr><td><a href=/p/{{ loop.index }}>
{{ one }}</a><tr><td class=old>{{ old }}{% endfor %}</table><p class=s>{{ help }}</p><td valign=top class=m><table>
<tr><td class=big>{{ name }}<tr><td class=s>{{ maker }}<tr><td class=pay><b>{{ price }}</b><tr><td class=bar>{{ tabs }}
<tr><td class=buy>{{ button }} {{ left }}</table><table class=f>{% for label, value in facts %}
<tr><th>{{ label }}<td>{{ value }}{% endfor %}</table>{% for text in about %}<p>{{ text }}</p>{% endfor %}<hr>
{% for who, text in said %}<table class=say><tr><td>{{ who }}<td>{{ text }}</table>{% endfor %}
<td valign=top class=r><table><tr><td class=s>{{ deal }} {{ old }}<tr><td class=s>{{ deal_word }}
<tr><td class=s>{{ ship }} {{ hours }}</table><tr><td colspan=3 class=n>{{ also }} {{ letter }}<br>{{ legal }}</table>
</body></html>"""),
    "elements": Template("""<html lang=ja><head><title>{{ name }}</title></head><body><shop-bar><ul>
{% for one in menu %}<li><a href=/c/{{ loop.index }}>{{ one }}</a></li>{% endfor %}</ul>
<shop-deal>{{ deal }} {{ old }} {{ deal_word }}
</shop-deal></shop-bar><main><shop-item><header><h1>{{ name }}</h1><p>{{ maker }}</p></header>
<shop-buy><p>{{ price }}</p><p>{{ button }} {{ left }}</p><p>{{ ship }} {{ hours }}</p></shop-buy><p>{{ tabs }}</p>
<dl>{% for label, value in facts %}<dt>{{ label }}</dt><dd>{{ value }}</dd>{% endfor %}</dl>
<section>{% for text in about %}<p>{{ text }}</p>{% endfor %}</section><shop-voices>{% for who, text in said %}
<shop-voice><blockquote>{{ text }}</blockquote><p><cite>{{ who }}</cite></p></shop-voice>{% endfor %}</shop-voices>
<details><summary>{{ also }}</summary><p>{{ help }}</p></details></shop-item></main><aside><ul>{% for one in goods %}
<li><a href=/p/{{ loop.index }}>{{ one }}</a></li>{% endfor %}</ul></aside><footer><p>{{ letter }}</p><p>{{ legal }}</p>
</footer></body></html>"""),
}
"""Name -> a page of a product."""

_KANA: Final = dict(zip(_SYLLABLES, "はせでふがらめにぽるさてびをざ", strict=True))
_SYLLABLE: Final = re.compile("|".join(_SYLLABLES), re.IGNORECASE)


def write_kana(text: str) -> str:
    """The words in another script, without spaces between them."""
    kana = _SYLLABLE.sub(lambda found: _KANA[found[0].lower()], text)
    return re.sub(r"(?<=[ぁ-ん。]) (?=[ぁ-ん])", "", kana.replace(".", "。"))


def generate_shop(n_pages: int, shop: str, *, seed: int = 1) -> Iterator[LabelledPage]:
    """Labelled pages of one of `SHOPS`."""
    rng = random.Random(f"{shop} {seed}")
    write = write_kana if shop == "elements" else str
    fixed = {one: write(write_words(rng, 4).title()) for one in ("button", "ship", "also", "deal_word")}
    fixed |= {one: write(write_sentences(rng, 3)) for one in ("help", "letter", "legal")}
    fixed["tabs"] = " | ".join(write(write_words(rng, 2).title()) for _ in range(4))
    menu, labels = (
        [write(write_words(rng, 2)) for _ in range(9)],
        [write(write_words(rng, 1).title()) for _ in range(5)],
    )
    catalogue = [write(write_words(rng, 3).title()) for _ in range(2 * n_pages)]
    makers, members = ([write(write_words(rng, 2).title()) for _ in range(15)] for _ in range(2))
    for number in range(n_pages):
        name, price = catalogue[number], f"{rng.randint(3, 90)}.{rng.randint(0, 9)}9"
        values = [(label, write(write_words(rng, 2)) if rng.random() < _OFTEN else "") for label in labels]
        about = [write(write_sentences(rng, rng.choice((1, 3)))) for _ in range(rng.choice((1, 2, 5)))]
        said = [(rng.choice(members), write(write_sentences(rng, 2))) for _ in range(rng.choice((0, 0, 2, 5)))]
        varied: dict[str, Any] = {
            "left": f"({rng.randint(1, 40)})",
            "hours": f"{rng.randint(1, 23)} h {rng.randint(1, 59)} min",
            "deal": rng.choice(catalogue[n_pages:]),
            "old": f"{rng.randint(91, 200)}.00",
            "goods": rng.sample(catalogue[n_pages:], 6),
        }
        known = {"name": name, "maker": rng.choice(makers), "price": price}
        lists = {"menu": menu, "facts": values, "about": about, "said": said}
        html = SHOPS[shop].render(fixed | varied | known | lists)
        furniture = (*fixed.values(), menu[0], varied["deal"], *varied["goods"][:2], *(text for _, text in said[:2]))
        yield LabelledPage(
            id=f"{shop}-{number}",
            url=f"https://{shop}.example/p/{number}",
            html=html.encode(),
            kept_snippets=(*known.values(), *(value for _, value in values if value), *about),
            dropped_snippets=furniture,
        )
