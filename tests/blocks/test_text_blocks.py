"""Every column of the text blocks and the sums over subtrees against a slow, obvious implementation; the kinds of
characters against Python's own idea of them; and what is counted of a text in every script, counted by hand."""

import re
import sys
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import webclean
from tests.blocks.markup import EITHER, list_ancestors
from webclean.blocks.text_blocks import (
    PUNCTUATION,
    SPACE,
    find_lines,
    find_text_blocks,
    list_kinds,
    sum_subtrees,
)
from webclean.features import measure
from webclean.model import Document, TextBlocks
from webclean.parse import find_attribute, parse_page, read_attribute
from webclean.parse.tags import BLOCK, CODE, INVISIBLE
from webclean.pipeline import build_columns


def is_block(document: Document, row: int) -> bool:
    return row == 0 or bool(BLOCK[CODE.get(document.names[row], 0)])


def is_shown(document: Document, row: int) -> bool:
    return not any(INVISIBLE[CODE.get(document.names[up], 0)] for up in list_ancestors(document, row))


def find_link(document: Document, row: int) -> int:
    links = [up for up in list_ancestors(document, row) if document.names[up] == "a" and "href" in document.attrs[up]]
    return links[0] if links else -1


def find_block(document: Document, row: int) -> int:
    return next(up for up in list_ancestors(document, row) if is_block(document, up))


def is_hidden(document: Document, row: int, within: int = 0) -> bool:
    return any(
        read_attribute(document, up, "hidden") is not None
        or re.search(r"display\s*:\s*none|visibility\s*:\s*hidden", read_attribute(document, up, "style") or "", re.I)
        for up in list_ancestors(document, row)
        if up >= within
    )


NAMING = ("h1", "h2", "h3", "h4", "h5", "h6", "dt", "caption", "figcaption", "legend", "summary")


def has_words(document: Document, wanted: str, row: int) -> bool:
    """Whether displayed text with this link or block (as `wanted` says) has a letter or digit."""
    find = find_link if wanted == "link" else find_block
    return any(
        find(document, owner) == row and is_shown(document, owner) and any(map(str.isalnum, text))
        for text, owner in zip(document.text, document.text_owner.tolist(), strict=True)
    )


def is_permalink(document: Document, owner: int) -> bool:
    """A link that is but a sign, in a heading or its like that has words."""
    link, block = find_link(document, owner), find_block(document, owner)
    if link < 0 or document.names[block] not in NAMING:
        return False
    return not has_words(document, "link", link) and has_words(document, "block", block)


def list_shown(document: Document) -> list[int]:
    """The text nodes that are shown, without hidden parts of blocks that show other text: all of headings, short ones
    of others."""
    owner = document.text_owner.tolist()
    nodes = [
        node
        for node, text in enumerate(document.text)
        if text.split() and is_shown(document, owner[node]) and not is_permalink(document, owner[node])
    ]
    found: list[int] = []
    for block, run in groupby(nodes, key=lambda node: find_block(document, owner[node])):
        own = list(run)
        open_ones = [node for node in own if not is_hidden(document, owner[node], within=block)]
        has_words = any(map(str.isalnum, "".join(document.text[node] for node in open_ones)))
        hidden_ones = sorted(set(own).difference(open_ones))
        is_label = sum(len(document.text[node]) for node in hidden_ones) <= 40 and not any(
            document.text[node][-1] in ".!?…。！？．｡۔؟।॥։።፧။" for node in hidden_ones
        )
        found += open_ones if has_words and (document.names[block] in NAMING or is_label) else own
    return found


def group_texts(document: Document) -> list[list[int]]:
    """Text nodes of each block: a new one at every block boundary and at two line breaks in a row."""
    groups: list[list[int]] = []
    for node in list_shown(document):
        owner = int(document.text_owner[node])
        if groups:
            before = groups[-1][-1]
            between = range(int(document.text_next[before]), int(document.text_next[node]))
            n_breaks = sum(document.names[row] == "br" for row in between)
            crossed = any(is_block(document, row) for row in between)
            same = find_block(document, int(document.text_owner[before])) == find_block(document, owner)
            if same and not crossed and n_breaks < 2:
                groups[-1].append(node)
                continue
        groups.append([node])
    return groups


SYLLABIC = ((0x0E01, 0x0E4E), (0x0E81, 0x0ECD), (0x1000, 0x1049), (0x1780, 0x17D3))
UNSPACED = (
    *((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF)),
    *((0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
)
"""Unicode blocks of the scripts written without spaces: radicals, ideographs, kana."""


def count_words(text: str) -> int:
    """Words between spaces; each character of a script without spaces is one, of Thai and its like every fourth."""
    n, inside, n_signs = 0, False, 0
    for char in text:
        if any(first <= ord(char) <= last for first, last in SYLLABIC):
            n, inside, n_signs = n + (n_signs % 4 == 0), True, n_signs + 1
            continue
        n_signs = 0
        if any(first <= ord(char) <= last for first, last in UNSPACED):
            n, inside = n + 1, False
        elif char.isspace():
            inside = False
        elif not inside:
            n, inside = n + 1, True
    return n


def test_words_of_thai_are_counted_by_signs() -> None:
    for markup in ("<p>0ก", "<p>กขคงจฉ", "<p>กข abc กขคง", "<p>漢กขคงจ字"):
        document, blocks = parse(markup)
        assert blocks.n_words.tolist() == [count_words(document.text[0])], markup


def count_chars(text: str) -> int:
    return sum(not char.isspace() for char in text)


def parse(markup: str) -> tuple[Document, TextBlocks]:
    document = parse_page(f"<body>{markup}")
    return document, find_text_blocks(document)


@given(EITHER)
def test_spans_nest(markup: str) -> None:
    document = parse_page(markup)
    for row, above in enumerate(document.parent.tolist()):
        assert row < document.end[row] <= len(document)
        if above >= 0:
            assert above < row
            assert document.end[row] <= document.end[above]
            assert document.depth[row] == document.depth[above] + 1
    assert (np.diff(document.text_next) >= 0).all()
    assert (document.text_owner < document.text_next).all()
    owner_ends = document.end[document.text_owner] if document.text else document.text_next
    assert (document.text_next <= owner_ends).all()


@given(EITHER)
def test_element_columns(markup: str) -> None:
    document = parse_page(f"<body>{markup}")
    rows = range(len(document))
    assert document.tag.tolist() == [CODE.get(name, 0) for name in document.names]
    assert document.link.tolist() == [find_link(document, row) for row in rows]
    assert document.block.tolist() == [find_block(document, row) for row in rows]
    assert document.displayed.tolist() == [is_shown(document, row) for row in rows]


@given(EITHER)
def test_blocks_are_cut_at_every_boundary(markup: str) -> None:
    document, blocks = parse(markup)
    groups = group_texts(document)
    assert len(blocks) == len(groups)
    assert blocks.row.tolist() == [find_block(document, int(document.text_owner[group[0]])) for group in groups]
    assert [(int(a), int(b)) for a, b in zip(blocks.first, blocks.last, strict=True)] == [
        (group[0], group[-1] + 1) for group in groups
    ]
    expected = {node: at for at, group in enumerate(groups) for node in group}
    assert blocks.block_of.tolist() == [expected.get(node, -1) for node in range(len(document.text))]


@given(EITHER)
def test_counts_of_blocks(markup: str) -> None:
    document, blocks = parse(markup)
    for at, group in enumerate(group_texts(document)):
        texts = [document.text[node] for node in group]
        linked = [find_link(document, int(document.text_owner[node])) >= 0 for node in group]
        assert blocks.n_chars[at] == sum(map(count_chars, texts))
        assert blocks.n_words[at] == sum(map(count_words, texts))
        assert blocks.n_link_chars[at] == sum(count_chars(t) for t, link in zip(texts, linked, strict=True) if link)
        assert blocks.n_link_words[at] == sum(count_words(t) for t, link in zip(texts, linked, strict=True) if link)
        assert "".join(blocks.text[at].split()) == "".join("".join(texts).split())
        assert blocks.text[at] == " ".join(blocks.text[at].split())
        assert blocks.visible[at] == any(not is_hidden(document, int(document.text_owner[node])) for node in group)


@given(EITHER, st.data())
def test_subtree_sums(markup: str, data: st.DataObject) -> None:
    document = parse_page(markup)
    rows = data.draw(st.lists(st.integers(0, len(document) - 1), max_size=20))
    values = data.draw(st.lists(st.integers(0, 1000), min_size=len(rows), max_size=len(rows)))
    found = sum_subtrees(document, np.array(rows, dtype=np.int32), np.array(values, dtype=np.int32))
    for row in range(len(document)):
        assert found[row] == sum(v for r, v in zip(rows, values, strict=True) if row <= r < document.end[row])


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<h2>Usage<a class=headerlink href="#usage" title="Permalink">¶</a></h2>', ["Usage"]),
        ('<h3><a href="#x"># </a>Install <code>pip</code></h3>', ["Install pip"]),
        ('<dl><dt>open()<a href="#open">\u200b</a><dd>Opens <a href="#2">†</a>', ["open()", "Opens †"]),
        ('<h2>Chapter <a href="#two">2</a></h2>', ["Chapter 2"]),
        ('<h2><a href="/stars">***</a></h2>', ["***"]),
        ('<h2>One<a href="#x"> </a>two</h2>', ["One two"]),
        ('<h2><a href="#x"><b>¶</b> x</a> Title</h2>', ["¶ x Title"]),
    ],
)
def test_signs_that_link_a_heading_to_itself_are_no_text(markup: str, expected: list[str]) -> None:
    page = webclean.clean(markup)
    assert page.analysis.columns.blocks.text == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h1>Rates <span hidden><b>Save</b> this page</span></h1>", ["Rates"]),
        ("<h3>Leave a reply <small><a style='display:none'>Cancel</a></small></h3>", ["Leave a reply"]),
        ("<h1><span hidden>Rates</span></h1>", ["Rates"]),
        ("<h1>*<span hidden>Rates</span></h1>", ["*Rates"]),
        # hidden text of a paragraph is often what `read more` shows
        (f"<p>It rains<b style='display:none'> {'on most days ' * 4}.</b></p>", [f"It rains {'on most days ' * 4}."]),
        ("<p>It rains. <a style='display:none'>Less</a></p>", ["It rains."]),
        ("<p>It rains.<sup>1<b hidden>On most <i>days</i>.</b></sup></p>", ["It rains.1On most days."]),
        ("<p>It rains</p><p hidden>on most days.</p>", ["It rains", "on most days."]),
    ],
)
def test_hidden_parts_are_no_text(markup: str, expected: list[str]) -> None:
    assert find_text_blocks(parse_page(markup)).text == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<b><i aria-hidden=true>$<u>24</u></i><i class=sr-only>$24</i></b>", ["$24"]),
        (
            "<h1><i aria-hidden=true><u>A new</u> <u>rate</u> <u>A new rate</u></i> <i>A new rate</i></h1>",
            ["A new rate"],
        ),
        ("<a href=/x><i aria-hidden=true>R a t e s</i> <i>Rates</i></a>", ["Rates"]),
        ("<li><i aria-hidden=true>価格</i><i>価格</i></li>", ["価格"]),
        # it says something else, or nothing else says it
        ("<b><i aria-hidden=true>$24</i> for two</b>", ["$24 for two"]),
        ("<p><i aria-hidden=true>1</i> in 21 cases</p>", ["1 in 21 cases"]),
        ("<h1><i aria-hidden=true>Rates</i></h1>", ["Rates"]),
    ],
)
def test_what_screen_readers_are_told_apart_is_said_once(markup: str, expected: list[str]) -> None:
    assert find_text_blocks(parse_page(markup)).text == expected


def test_a_block_of_hidden_texts_is_hidden() -> None:
    blocks = find_text_blocks(
        parse_page("<p><a hidden>Cancel</a> <b hidden>reply</b></p><p>Write <b hidden>us</b></p>")
    )
    assert blocks.visible.tolist() == [False, True]


@given(EITHER)
def test_text_comes_from_the_page_only(markup: str) -> None:
    document, blocks = parse(markup)
    shown = "".join(document.text[node] for node in list_shown(document))
    assert "".join("".join(blocks.text).split()) == "".join(shown.split())


@pytest.mark.parametrize(
    ("markup", "texts"), [("\x1b", []), ("<p>a<b>\x1b</b>b", ["a b"]), ("<p>\x1b<p>tea\x07", ["tea"])]
)
def test_text_of_nothing_but_controls_is_blank(markup: str, texts: list[str]) -> None:
    document = parse_page(markup)
    assert "" not in document.text
    assert find_text_blocks(document).text == texts


@pytest.mark.parametrize(
    "markup",
    [
        *(f"<div style='display:{kind}'><span>2025</span><span>Town</span></div>" for kind in ("flex", "inline-grid")),
        *(f"<div class='{name}'><span>2025</span><span>Town</span></div>" for name in ("flex gap-2", "d-flex", "grid")),
        *(
            f"<p><span style='{style}'>2025</span><span>Town</span>"
            for style in ("margin-right: 8px", "padding:0 .5em")
        ),
        *(f"<p><span style='display: {kind}'>2025</span><span>Town</span>" for kind in ("block", "inline-block")),
        "<div style='display:flex'><b><span>2025</span></b><i><span>Town</span></i></div>",
    ],
)
def test_what_is_laid_out_apart_is_two_words(markup: str) -> None:
    assert find_text_blocks(parse_page(markup)).text == ["2025 Town"]


@pytest.mark.parametrize(
    "markup",
    [
        *(
            f"<p><span style='{style}'>light</span><b>house</b>"
            for style in ("margin:0", "color:red", "margin:1px 2px")
        ),
        "<div class='flexible'><span>light</span><span>house</span></div>",
        "<p>" + "".join(f"<span class=c>{letter}</span>" for letter in "lighthouse"),
        "<div style='display:flex'>light<b>house</b></div>",
    ],
)
def test_parts_of_a_word_are_one(markup: str) -> None:
    assert find_text_blocks(parse_page(markup)).text == ["lighthouse"]


MARK = re.compile(
    "[!-#%-*,-/:;?@\\[-\\]_{}¡§«¶·»¿\u037e\u0387։،؛؟۔।॥၊။።-፧។-៖‐-‧‰-⁞、-〃〈-】〔-〟・！-＃％-＊，-／：；？＠［-］＿｛｝｡-･]"
)
SENTENCE_END = re.compile(
    "(?:[.!?…]|(?<=[\u0370-\u03ff\u1f00-\u1fff])[;\u037e])(?=[\\s\"'”’“‘»«›)\\]]|$)|[。！？．｡](?![。！？．｡])|[۔؟।॥։።፧။។]"
)
SIGNS = st.text(st.sampled_from(list("ab .!?…。！？｡۔।\"'”’“»;ως)]<b>\u3000\n\u00a0中")), max_size=30)


@pytest.mark.parametrize(("wanted", "is_one"), [(SPACE, str.isspace), (PUNCTUATION, MARK.match)])
def test_white_space_is_what_python_takes_for_it_and_every_mark_is_punctuation(wanted: int, is_one: Any) -> None:
    everything = [chr(code) for code in range(sys.maxunicode + 1)]
    found = [char for char, kind in zip(everything, list_kinds(), strict=True) if kind & wanted]
    assert found == list(filter(is_one, everything))


def check_marks(markup: str) -> None:
    blocks = find_text_blocks(parse_page(f"<body>{markup}"))
    assert blocks.n_punctuation.tolist() == [len(MARK.findall(text)) for text in blocks.text]
    assert blocks.n_sentences.tolist() == [len(SENTENCE_END.findall(text)) for text in blocks.text]
    assert np.array_equal(blocks.n_chars, [sum(not char.isspace() for char in text) for text in blocks.text])


@given(EITHER)
def test_marks_of_blocks(markup: str) -> None:
    check_marks(markup)


@given(st.lists(st.tuples(st.sampled_from(["", "b", "i", "a href=x", "p", "br", "button"]), SIGNS), max_size=8))
def test_marks_between_elements(parts: list[tuple[str, str]]) -> None:
    check_marks("".join(f"<{tag}>{text}</{tag}>" if tag else text for tag, text in parts))


COUNTS = {
    # text: characters but white space, words, punctuation marks, sentence ends
    "«Мост закрыт», — сказал он. Когда откроют?": (36, 7, 6, 2),
    "Πότε ανοίγει η γέφυρα; Αύριο· ίσως.": (30, 6, 3, 2),
    "„Die Brücke ist zu.“ Das sagte er; niemand widersprach.": (47, 9, 5, 2),
    "« Le pont est ouvert. » Enfin !": (24, 8, 4, 2),
    "¿Cuándo abre el puente? Mañana.": (27, 5, 3, 2),
    "橋が開通した。町は喜んだ！": (13, 13, 2, 2),
    "大桥今天通车，居民说：“等了十年。”": (18, 16, 5, 1),
    "다리가 열렸다. 주민들은 기뻐했다!": (16, 4, 2, 2),
    "فُتح الجسر اليوم، فهل يعود التجار؟ نعم.": (33, 7, 3, 2),
    "पुल खुल गया। लोग खुश हैं।": (20, 6, 2, 2),
    "Կամուրջը բաց է։": (13, 3, 1, 1),
    "สะพานเปิดแล้ว ชาวบ้านดีใจ": (24, 7, 0, 0),
    "ស្ពានបើកហើយ។": (12, 3, 1, 1),
    "The river rises": (13, 3, 0, 0),
    "河流发源于山中": (7, 7, 0, 0),
    "东京の天気": (5, 5, 0, 0),
    "한국어 단어": (5, 2, 0, 0),
    "iPhone手机 16GB": (12, 4, 0, 0),
    "don't stop-now": (13, 2, 2, 0),
    "«so» … yes": (8, 3, 3, 1),
    "𠀀𠀁 x": (3, 3, 0, 0),
    "One. Two? Three!": (14, 3, 3, 3),
    "版本。好的！是吗？": (9, 9, 3, 3),
    "a, b; c: d": (7, 4, 3, 0),
    "3.5 and v1.2": (10, 3, 2, 0),
    "She said “yes.”": (13, 3, 3, 1),
    "no marks": (7, 2, 0, 0),
    "हिन्दी वाक्य। दूसरा": (17, 3, 1, 1),
}


@pytest.mark.parametrize("text", COUNTS)
def test_counts_hold_in_every_script(text: str) -> None:
    blocks = find_text_blocks(parse_page(f"<p>{text}</p>"))
    counted = (blocks.n_chars, blocks.n_words, blocks.n_punctuation, blocks.n_sentences)
    assert tuple(int(count[0]) for count in counted) == COUNTS[text]


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Πότε ανοίγει;", 2),
        ("when; if;", 0),
        ("Die Brücke ist zu.“", 2),
        ("橋が開通した。」", 2),
        ("即时新闻", 0),
        ("نعم۔", 2),
        ("Мост закрыт…", 1),
    ],
)
def test_sentences_end_in_every_script(text: str, ending: int) -> None:
    assert measure(build_columns(parse_page(f"<p>{text}</p>")), "ending").tolist() == [ending]


@pytest.mark.parametrize(
    ("text", "is_prose"),
    [
        ("Η γέφυρα άνοιξε μετά από δέκα χρόνια έργων στο λιμάνι.", True),
        ("Η γέφυρα άνοιξε.", False),
        ("橋は十年の工事を終えて、きのう町の人たちに開放された。", True),
        ("橋が開通した。", False),
        ("طريق السوق القديم مفتوح أمام المشاة منذ صباح يوم الأحد.", True),
    ],
)
def test_running_text_is_longer_than_a_label_in_every_script(text: str, is_prose: bool) -> None:
    assert build_columns(parse_page(f"<p>{text}</p>")).is_prose.tolist() == [is_prose]


def list_lines_inside(document: Document, blocks: TextBlocks, row: int) -> list[int]:
    """The text blocks with all their text in an element, one by one."""
    nodes = [[at for at, of in enumerate(blocks.block_of.tolist()) if of == number] for number in range(len(blocks))]
    return [
        number
        for number, own in enumerate(nodes)
        if all(row <= document.text_owner[at] < document.end[row] for at in own)
    ]


@given(EITHER)
def test_the_lines_of_an_element_are_those_with_all_their_text_in_it(markup: str) -> None:
    document = parse_page(markup)
    blocks = find_text_blocks(document)
    found = [list(range(*span)) for span in find_lines(document, blocks, range(len(document))).T.tolist()]
    assert found == [list_lines_inside(document, blocks, row) for row in range(len(document))]


@pytest.mark.parametrize(
    ("markup", "inside"),
    [
        ("<p>before</p><ul id=x><li>a<p>b</p>c<li>d</ul>after", "a b c d"),
        ("<p>before</p><section id=x><div>a</div>b</section>after", "a b"),
        ("<table><tr><td>before<p>more</p>end<td id=x><p>a</p>b<td>after</table>", "a b"),
        ("before<div id=x>a<blockquote>b</blockquote>c<p>d</p>e</div>after<p>end</p>", "a b c d e"),
        ("<div>before<div id=x><p>a</p></div>after</div>", "a"),
        ("<div><a id=x>a</a> and after</div>", ""),
        ("<div><p>before</p><a id=x>a<p>b</p>c</a></div>", "a b c"),
    ],
)
def test_bare_text_behind_an_inner_element_is_of_the_element_that_it_stands_in(markup: str, inside: str) -> None:
    document = parse_page(f"<body>{markup}")
    blocks, row = find_text_blocks(document), find_attribute(document, "id")[0]
    first, end = find_lines(document, blocks, row).tolist()
    assert " ".join(blocks.text[first:end]) == inside
