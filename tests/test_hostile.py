"""What pages of strangers may not do: raise errors that are not ours, grow, run, track, or reach the terminal."""

import contextlib
import json
import re
from pathlib import Path

import pytest

import webclean
from tests.counting import count_calls
from webclean import CleanPage, InputError, LimitExceeded
from webclean.parse import find_canonical_link, parse_page

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

PROSE = "<p>The ferry leaves the harbour at nine, and whoever wants a seat by the window comes half an hour early.</p>"
BAD_URLS = ("http://[::1", "http://]/", "http://e.org:x/", "//[", "http://\ud800/", "http://e.org:99999/")
CONTROLS = [
    *map(chr, (*range(1, 9), *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
]


def render_all(page: CleanPage) -> dict[str, str]:
    """Every rendering of a page."""
    return {
        "text": page.to_text(include_title=True, include_metadata=True),
        "markdown": page.to_markdown(include_metadata=True),
        "html": page.to_html(include_metadata=True),
        "mobile": page.to_mobile_html(),
        "dict": json.dumps(page.to_dict(include_reasons=True), ensure_ascii=False),
    }


@pytest.mark.parametrize("target", ["//[", "http://[::1", "http://]/"])
@pytest.mark.parametrize("url", [None, "https://example.org/"])
def test_targets_that_are_no_urls_are_harmless(target: str, url: str | None) -> None:
    entries = "".join(
        f'<li><a href="/n/{at}">The ferry of day {at} is late again</a><img src="{target}"><a href="{target}">more</a>'
        f"<p>Whoever wants a seat by the window comes early on day {at}.</p></li>"
        for at in range(9)
    )
    media = f'<iframe src="{target}"></iframe><video poster="{target}" src="{target}"></video>'
    head = f'<base href="{target}"><link rel=next href="{target}"><link rel=canonical href="{target}">'
    page = webclean.clean(f"<head>{head}<body><h1>News</h1><ul>{entries}</ul>{PROSE}{media}{PROSE}", url=url)
    assert "seat by the window" in render_all(page)["dict"]


@pytest.mark.parametrize("url", BAD_URLS)
def test_an_address_that_is_no_url_is_an_input_error(url: str) -> None:
    with pytest.raises(InputError, match="not the URL of a page"):
        webclean.clean(PROSE, url=url)


@pytest.mark.parametrize(
    "url",
    ["javascript:1", "http://[v1.x]/", "http://xn--/", "page.html", "", "file:///tmp/x.html", "http://", "mailto:a@b"],
)
def test_an_odd_address_is_taken_as_it_is(url: str) -> None:
    page = webclean.clean(f'<h1>Ferries</h1>{PROSE}<p><a href="next">on</a>{PROSE}', url=url)
    assert page.url == url
    assert 'href="javascript:' not in page.to_html() + page.to_mobile_html()


def test_a_long_base_is_not_written_into_every_link() -> None:
    base = f"<base href='https://example.org/{'a' * 200_000}/'>"
    links = "".join(
        f"<p>The ferry of day {at} is <a href=l{at}>late again</a>, says the harbour.</p>" for at in range(200)
    )
    page = webclean.clean(f"<head>{base}<body><h1>Ferries</h1>{links}", url="https://example.org/x")
    assert 'href="https://example.org/l199"' in page.to_html()
    for name, written in render_all(page).items():
        assert len(written) < 6 * len(links), name


def test_blocks_and_records_know_the_base() -> None:
    entries = "".join(
        f"<li><a href=n{at}>The ferry of day {at} is late</a><p>Early on day {at}.</p></li>" for at in range(9)
    )
    page = webclean.clean(f"<base href=/news/><h1>News</h1><ul>{entries}</ul>", url="https://example.org/")
    urls = {link.url for block in page.blocks for link in block.links}
    urls |= {str(record.url) for block in page.blocks for record in block.records}
    assert urls == {f"https://example.org/news/n{at}" for at in range(9)}


def test_control_characters_reach_no_output() -> None:
    signs = "".join(CONTROLS)
    entities = "".join(f"&#{ord(sign)};" for sign in CONTROLS)
    ld = json.dumps({"@type": "Article", "headline": f"Fer{signs}ries", "author": {"name": f"A{signs}nn Bo"}})
    page = webclean.clean(
        f"<title>Fer{signs}ries</title><meta name=description content='a{signs}b{entities}'>"
        f'<script type="application/ld+json">{ld}</script>'
        f"<h1>Fer{entities}ries</h1><p>The fer{signs}ry{entities} leaves <a href='/x{signs}{entities}'>at nine</a>.</p>"
        f"<p>It is <abbr title='a{signs}b'>late</abbr> <img alt='i{entities}j' src='/i{signs}.png' width=90>.</p>"
        f"<pre><code>a{entities}b\n\tc</code></pre>{PROSE * 3}"
        f"<ul><li><a href='/1{entities}'>One of them{signs}</a><li><a href='/2'>Two of them</a></ul>",
        url="https://example.org/",
    )  # fmt: skip
    for name, written in render_all(page).items():
        assert not set(CONTROLS) & set(written), name
        assert "\\u001b" not in written, name
    assert "at nine" in page.text
    assert "\tc" in page.text


SIGNS = "\x1b\u202e\u2066"


def infect(markup: str) -> str:
    """The markup with controls in every value of an attribute, as they are and as references."""
    references = "".join(f"&#{ord(sign)};" for sign in SIGNS)
    return re.sub(r'(\s[\w:-]+=")([^"]*)"', rf'\1\2{SIGNS}{references}"', markup)


PAGES_WITH_ATTRIBUTES = [*(FIXTURES / "structure").rglob("*.html"), *(FIXTURES / "content").rglob("input.html")]


@pytest.mark.parametrize("path", PAGES_WITH_ATTRIBUTES[::6], ids=lambda path: path.parent.name)
def test_controls_of_attributes_reach_no_output(path: Path) -> None:
    page = webclean.clean(
        infect(path.read_text(encoding="utf-8", errors="replace")), url=f"https://example.org/{SIGNS}"
    )
    written = render_all(page) | {
        "rows": json.dumps([*page.block_rows(), *page.record_rows()], ensure_ascii=False),
        "passages": json.dumps(list(page.passages()), ensure_ascii=False),
        "notebook": page._repr_html_(),
    }
    for name, text in written.items():
        assert not set(CONTROLS) & set(text), name
        assert "\\u001b" not in text, name


def test_controls_of_formulas_reach_no_output() -> None:
    formula = f'<math><mi mathvariant="a{SIGNS}" type="&#x1b;&#x202e;">x</mi><mo fence="{SIGNS}">(</mo></math>'
    page = webclean.clean(f"<h1>Ferries</h1>{PROSE}<p>It is {formula} late.</p>{PROSE}")
    assert "<mi" in page.to_html()
    for name, written in render_all(page).items():
        assert not set(CONTROLS) & set(written), name


def test_controls_reach_no_url_of_a_page_whoever_gives_it() -> None:
    url = f"https://example.org/a{SIGNS}b"
    page = webclean.clean(f"<h1>Ferries</h1>{PROSE}", url=url)
    assert page.url == "https://example.org/a%1B%E2%80%AE%E2%81%A6b"
    assert page.block_rows()[0]["url"] == page.url
    link = f'<link rel=canonical href="https://example.org/a{"".join(f"&#{ord(sign)};" for sign in SIGNS)}b">'
    assert find_canonical_link(link.encode()) == page.url
    found = webclean.clean(f"{link}<h1>Ferries</h1>{PROSE}", url=url).fields
    assert not set(CONTROLS) & set(str(found))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Afghanistan\x92s", "Afghanistan\u2019s"),
        ("\x93so\x94 he said", "\u201cso\u201d he said"),
        ("1939\x961945", "1939\u20131945"),
        ("cost \x80 5", "cost \u20ac 5"),
        ("no\x81ne of th\x9dem", "none of them"),
        ("caf\xe9\x92s of Stra\xdfe", "caf\xe9\u2019s of Stra\xdfe"),
    ],
)
def test_quotes_and_dashes_of_windows_in_utf_8_are_read_as_browsers_read_references(written: str, read: str) -> None:
    for markup in (f"<p>{written} it is</p>", "<p>" + "".join(f"&#{ord(sign)};" for sign in written) + " it is</p>"):
        assert read in webclean.clean(f"<meta charset=utf-8>{markup}{PROSE}".encode()).text.replace("\x81", "")


def test_text_that_was_encoded_twice_is_read() -> None:
    page = webclean.clean(f"<meta charset=utf-8><p>You\xe2\x80\x99re late for 5 \xe2\x82\xac it is</p>{PROSE}".encode())
    assert page.text.startswith("You’re late for 5 € it is")


@pytest.mark.parametrize(
    ("written", "n_told"),
    [
        ("You\xe2\x80\x99re late", 1),
        ("Youâ€™re late, for 5 â‚¬", 1),
        ("ÐŸÐ¾Ñ€Ñ‚, 5 â‚¬", 1),
        ("You’re late", 0),
        ("5 € for the château", 0),
        ("\x80 5 for the ferry", 0),
    ],
)
def test_a_page_says_that_its_text_was_encoded_twice_and_is_repaired(written: str, n_told: int) -> None:
    markup = f"<meta charset=utf-8><p>{written}, it is</p>{PROSE}"
    for given in (markup, markup.encode()):
        page = webclean.clean(given)
        assert [warning.split(":")[1] for warning in page.warnings] == [" its text is repaired"] * n_told
        assert page.source.is_repaired == bool(n_told)


@pytest.mark.parametrize("sign", ["+", "×", "›"])
def test_a_title_of_a_sign_is_a_title(sign: str) -> None:
    page = webclean.clean(f"<title>{sign}</title><h1>{sign}</h1>{PROSE}")
    assert f"<h1>{sign}</h1>" in page.to_mobile_html()


def test_controls_that_separate_words_become_spaces_and_marks_of_direction_stay() -> None:
    page = webclean.clean(f"<p>one\x1ctwo\x85three \u200fשלום\u200f עולם\u202e four</p>{PROSE}")
    assert page.text.startswith("one two three \u200fשלום\u200f עולם four")


PIXEL = "https://t.example.org/1.gif"


@pytest.mark.parametrize(
    "image",
    [
        f'<img src="{PIXEL}" style="display:none">',
        f'<img src="{PIXEL}" style="color:red;DISPLAY : none">',
        f'<img src="{PIXEL}" style="visibility:hidden">',
        f'<img src="{PIXEL}" style="width:1px;height:1px">',
        f'<img src="{PIXEL}" style="height: 0">',
        f'<img src="{PIXEL}" hidden>',
        f'<img src="{PIXEL}" width="1px">',
        f'<img src="{PIXEL}" width=90 height=0>',
        f'<img src="{PIXEL}" width=3>',
        f'<img src="{PIXEL}" height=" 2.9px ">',
        f'<img src="{PIXEL}" style="width:3px">',
        f'<img src="{PIXEL}" style="max-height: 1.5px;">',
        f'<img src="{PIXEL}" style="height:2px !important">',
        f'<div style="display:none"><span><img src="{PIXEL}"></span></div>',
        f'<noscript><img src="{PIXEL}" style="display:none"></noscript>',
    ],
)
def test_images_that_nobody_sees_are_not_shown(image: str) -> None:
    article = webclean.clean(f"<h1>Ferries</h1>{PROSE}{image}{PROSE}<p>And more {image} of it.</p>{PROSE}")
    entries = "".join(
        f'<li>{image}<a href="/n/{at}">The ferry of day {at} is late again</a><p>Early on day {at}.</p></li>'
        for at in range(9)
    )
    index = webclean.clean(f"<h1>News</h1><ul>{entries}</ul>", page_type="index", url="https://example.org/")
    for page in (article, index):
        assert not [name for name in ("markdown", "html", "mobile") if PIXEL in render_all(page)[name]]
    assert not [record for block in index.blocks for record in block.records if record.image]


STYLES = ("opacity:0", "max-width:100%;height:auto", "width:30px", "border-width:0", "width:4px", "width:1em")
SIZES = ("4", "30", "1%", "1em", "-1", "1234567")


@pytest.mark.parametrize(
    "attribute", [*(f"style='{style}'" for style in (*STYLES, "min-width:1px")), *(f"width='{size}'" for size in SIZES)]
)
def test_images_that_load_late_or_fit_their_column_are_shown(attribute: str) -> None:
    page = webclean.clean(f'<h1>Ferries</h1>{PROSE}<p><img src="{PIXEL}" {attribute}></p>{PROSE}')
    assert PIXEL in page.to_markdown()


def test_documents_allow_images_and_nothing_else() -> None:
    page = webclean.clean(f"<h1>Ferries</h1>{PROSE * 3}")
    for document in (page.to_html(), page.to_mobile_html()):
        policy = document.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
        assert policy.startswith("default-src 'none'; img-src http: https: data:;")
        assert "base-uri 'none'; form-action 'none'" in policy
        assert document.index("Content-Security-Policy") < document.index("<title>")
    assert "Content-Security-Policy" not in page.to_html(fragment=True)


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize("markup", ["<t>&#7", "<p>one<b>&#7;</b>two", "<i>5 ><p>, ><p><v>\x1b", "\x1b<p>\x01</p>\x02"])
def test_texts_of_nothing_but_controls_are_none(markup: str, parser: str) -> None:
    document = parse_page(markup, engine=parser)
    assert "" not in document.text
    assert len(document.text) == len(document.text_owner) == len(document.text_next)
    assert not set(CONTROLS) & set("".join(render_all(webclean.clean(markup, parser=parser)).values()))


def _ask_for_all(markup: str) -> None:
    page = webclean.clean(markup, url="https://example.org/a")
    assert page.text
    assert [(block.role, block.text, block.xpaths, block.links, block.reasons) for block in page.blocks]
    asked = page.sections, page.title, page.date, page.author, page.to_markdown(), page.to_html(), page.to_mobile_html()
    assert len(asked) == 7
    with contextlib.suppress(LimitExceeded):  # which bounds what is written, not the work
        page.to_dict()


@pytest.mark.parametrize("unit", ["<h1>x", "<p id=a>x<a href=#a>y", "<h2>Part</h2><p>Some text here."], ids=repr)
def test_work_on_all_parts_grows_with_the_page(unit: str) -> None:
    """Headings without text between them, and links to one place: a page eight times as long is no twelve times the
    work."""
    n_short, n_long = (count_calls(lambda n=n: _ask_for_all("<article>" + unit * n)) for n in (100, 800))
    assert n_long < 12 * n_short


ASKED = f"{PROSE}<p>It is said so<sup><a href='#n' id=r>1</a></sup>, and nobody knows why it is said.</p>"
COMMENT = (
    "<tr class='athing comtr'><td class=ind indent=1><td><a class=hnuser>ann</a> "
    "<a href=item?id=7 class=age>1 hour ago</a><div class=commtext>It is said here that this was said before.</div>"
)


@pytest.mark.parametrize(
    ("before", "unit", "after"),
    [
        (f"{ASKED}<ol><li id=n><i>^ ", "<a href=#r>a</a> ", "</i> The note.</ol>"),
        (f"{ASKED}<ol><li id=n><i>^ ", "<a href=#r>a</a> ", "see</i> The note.</ol>"),
        (f"{ASKED}<blockquote>{'<b> </b>' * 3_000}", "<cite>Ann</cite>", " says so.</blockquote>"),
        ("<table id=hnmain>", COMMENT, "</table>"),
    ],
    ids=["links back", "links back and a word", "names in a quotation", "comments"],
)
def test_work_on_markdown_grows_with_the_page(before: str, unit: str, after: str) -> None:
    counts = []
    for n in (200, 1_600):  # of more links a note is none
        page = webclean.clean(before + n * unit + after, url="https://example.org/a")
        assert page.text
        counts.append(count_calls(page.to_markdown))
    assert counts[1] < 12 * counts[0]
