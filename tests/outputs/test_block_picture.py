"""The picture of a page's blocks: what is drawn, and what is taken out."""

import re
from pathlib import Path

import html5lib
import pytest

from tests.browser.script_vectors import list_vectors
from tests.counting import count_calls
from tests.outputs.kept import make_blocks
from webclean import clean
from webclean.model import Reason, Record, Role
from webclean.outputs.block_views import (
    ATTRIBUTES,
    COLOURS,
    HTML,
    NAMESPACES,
    SVG,
    describe_block,
    render_picture,
)
from webclean.outputs.flow.mathml import PRESENTATION

FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGE = "<title>t</title><body><p>one<p style='color:red'>two<ul><li>three</ul><svg><g><text>four</text></g></svg>"


def draw(markup: str, *blocks: dict[str, object]) -> str:
    return render_picture(markup, make_blocks(*blocks))


def test_each_element_of_a_block_is_marked() -> None:
    html = draw(
        PAGE,
        {"role": Role.CONTENT, "xpaths": ("/html/body[1]/p[2]",)},
        {"role": Role.FOOTER, "xpaths": ("/html/body[1]/ul[1]", "/html/body[1]/p[9]/b[1]"), "kept": False},
        {"role": Role.MEDIA, "xpaths": ("/html/body[1]/*[local-name()='svg'][1]",)},
    )
    label = '<span class="wc-label">b0 content</span>two</p>'
    style = f'style="color:red; --wc:{COLOURS["content"]}"'
    assert f'<p {style} data-wc="b0" title="b0 content kept importance 0.00">{label}' in html
    footer = (
        f'data-wc="b1" style="--wc:{COLOURS["footer"]}" title="b1 footer dropped importance 0.00" data-wc-dropped=""'
    )
    assert f"<ul {footer}><li>three" in html  # a list may hold no label
    assert '<svg data-wc="b2"' in html
    assert html.count('data-wc="') == 3
    assert "<p>one</p>" in html


def test_the_legend_has_the_roles_of_the_page() -> None:
    html = draw(PAGE, {"role": Role.FOOTER}, {"role": Role.CONTENT})
    legend = html.partition('<div id="wc-legend">')[2]
    assert legend.startswith(
        f'<div><b style="background:{COLOURS["content"]}"></b>content</div>'
        f'<div><b style="background:{COLOURS["footer"]}"></b>footer</div><div>dashed: dropped</div>'
    )
    assert html.startswith(
        '<!doctype html>\n<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"'
    )


@pytest.mark.parametrize(
    ("markup", "gone", "left"),
    [
        ("<p>a<script>x()</script>b</p>", "x()", "<p>ab</p>"),
        ("<p><i>a</i><iframe src=x></iframe>b</p>", "iframe", "<p><i>a</i>b</p>"),
        ("<p onclick=x()>a</p>", "onclick", "<p>a</p>"),
        ("<a href=' JavaScript:x()'>a</a>", "avaScript", "<a>a</a>"),
        ("<img srcset=x alt=b>", "srcset", '<img alt="b">'),
        ("<p ping=x background=y>a</p>", "ping", "<p>a</p>"),
        ("<p a=b>a<!-- note --></p>", "note", "<p>a</p>"),
        ("<meta http-equiv=refresh content=0><p>a</p>", "refresh", "<p>a</p>"),
        ("<p>a\x01b</p>", "\x01", "<p>ab</p>"),
        ("<noscript><p>a</p></noscript>", "noscript", "<body>"),
    ],
)
def test_what_could_run_or_load_is_taken_out(markup: str, gone: str, left: str) -> None:
    html = draw(f"<body>{markup}")
    assert gone not in html
    assert left in html


def test_a_block_in_noscript_is_shown() -> None:
    html = draw("<body><noscript><p>a</p></noscript>", {"xpaths": ("/html/body[1]/noscript[1]",)})
    assert '<div data-wc="b0"' in html


def test_a_block_is_described_by_its_reasons_and_first_entry() -> None:
    reasons = (Reason("role", "rule", "many links", 1.25), Reason("cut", "rule-2"))
    (block,) = make_blocks(
        {"role": Role.INDEX, "importance": 0.456, "reasons": reasons, "records": (Record("One"), Record("Two"))}
    )
    assert describe_block(block).split("\n") == [
        "b0 index kept importance 0.46",
        "role +1.25: many links",
        "cut: rule-2",
        "2 records, first: One",
    ]


def test_text_blocks_are_marked_by_their_first_number_and_left_texts_say_so() -> None:
    marks = [
        (4, True, "/html/body[1]/p[1]"),
        (5, False, "/html/body[1]/p[1]"),
        (6, False, "/html/body[1]/p[2]"),
        (7, True, "/html/body[1]/p[9]"),
    ]
    html = render_picture(PAGE, make_blocks({"role": Role.CONTENT}), marks, legend=False)
    assert '<p data-wc-text="4">one' in html
    assert 'data-wc-text="6" data-wc-left="">two' in html
    assert html.count("data-wc-text=") == 2
    assert 'id="wc-legend"' not in html


@pytest.mark.parametrize(
    ("markup", "kept"),
    [
        ("<img src='https://t.example/a.png' alt=x>", '<img alt="x">'),
        ("<img src='data:image/png;base64,AA=='>", '<img src="data:image/png;base64,AA==">'),
        ("<a href='https://t.example/'>y</a><a href='#z'>z</a>", '<a>y</a><a href="#z">z</a>'),
        ("<a href=' java&#9;script:alert(1)'>y</a>", "<a>y</a>"),
        ("<video poster=/p.png src=/v.mp4></video>", "<video></video>"),
        ("<svg><use href='/s.svg#a'></use><use href='#b'></use></svg>", '<svg><use></use><use href="#b"></use></svg>'),
        ("<i style='background:URL( /x.png );color:red'>z</i>", '<i style="color:red">z</i>'),
        ("<i style='background:url(data:image/png,a)'>z</i>", '<i style="background:url(data:image/png,a)">z</i>'),
        ("<style>@import '/x.css';p{color:red}</style>", "<style>p{color:red;}</style>"),
        ("<input autofocus value=v>", '<input value="v">'),
    ],
)
def test_nothing_is_loaded_or_run(markup: str, kept: str) -> None:
    assert f"<p>one</p>{kept}" in draw(f"<body><p>one</p>{markup}")


def _runs(url: str) -> bool:
    """Whether a browser runs an address that is followed (WHATWG URL, 4.4)."""
    read = url.lstrip("".join(map(chr, range(0x21)))).translate({9: None, 10: None, 13: None})
    return read.lower().startswith(("javascript:", "vbscript:", "data:"))


def list_active(written: str) -> list[str]:
    """Elements and attributes that are on none of the lists, as a browser finds them that reads what was written."""
    root = html5lib.parse(written, treebuilder="etree", namespaceHTMLElements=False)
    found = []
    for element in root.iter():
        namespace, _, name = str(element.tag).rpartition("}")
        lists = {"{http://www.w3.org/1998/Math/MathML": PRESENTATION, "{http://www.w3.org/2000/svg": SVG}
        if name not in lists.get(namespace, HTML | {"meta"}):
            found.append(str(element.tag))
        found += [
            f"{name} {key}"
            for key in element.attrib
            if key not in ATTRIBUTES and not key.startswith(NAMESPACES) and name != "meta"
        ]
        found += [f"{name} {key}={value}" for key, value in element.items() if key == "href" and _runs(value)]
    return found


def test_no_way_to_run_a_script_is_left_when_the_picture_is_read_again() -> None:
    """Without its policy: a browser that heeds none must not run what is written either."""
    vectors = [
        *list_vectors(),
        "<svg><style>&lt;/style>&lt;script>alert(1)&lt;/script></style></svg>",
        "<math><mtext><style><img title='</style><img src=x onerror=alert(1)>'></style></mtext></math>",
        "<svg><desc><script>alert(1)</script></desc></svg>",
        "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
        "<svg><set attributeName=href to=javascript:alert(1) />",
        "<svg><animate attributeName=href values=javascript:alert(1) />",
    ]
    found = {vector: list_active(draw(f"<body><p>one</p>{vector}<p>two</p>")) for vector in vectors}
    assert {vector: active for vector, active in found.items() if active} == {}


def test_styles_load_nothing_whatever_they_are_written_with() -> None:
    for style in (
        r"background:u\72l(//t.example/a)",
        "background:image-set('//t.example/a' 1x)",
        "fill:url(//t.example/a)",
    ):
        assert "t.example" not in draw(f'<body><i style="{style}">z</i><svg><path fill="{style[5:]}"></svg>')


def test_what_is_no_element_of_html_is_shown_as_text() -> None:
    markup = (
        "<body><x-card data-kind=a kind=b><p>one</p></x-card><marquee>two</marquee><math><mi>x</mi><mn>2</mn></math>"
    )
    written = '<span data-kind="a"><p>one</p></span><span>two</span><math><mi>x</mi><mn>2</mn></math>'
    assert written in draw(f"<body>{markup}")


def test_controls_reach_no_picture() -> None:
    html = draw("<body><p title='a\u202e&#x1b;b' class='\x9b&#x2066;'>on&#x202e;e</p>")
    assert '<p title="ab" class="">one</p>' in html.replace("\u203a", "")
    assert html5lib.parse(html) is not None


def test_a_picture_of_many_comments_takes_time_as_pages_grow() -> None:
    few, many = (count_calls(lambda n=n: draw("<body><p>one</p>" + "<i>a</i><!-- b -->" * n)) for n in (500, 4_000))
    assert many < 10 * few


def test_labels_name_sections_roles_entries_and_importance() -> None:
    page = clean((FIXTURES / "index" / "portal-en-front" / "input.html").read_bytes())
    picture = render_picture(page.source.markup, page.blocks, sections=page.sections)
    labels = re.findall(r'class="wc-label"[^>]*>([^<]*)<', picture)
    assert "§ Council votes 5 to 4 to raise the east levee  b2 content  1 entry  ▮▮▮▮" in labels
    assert "b9 index  3 entries  ▮▮" in labels
    assert "b13 footer" in labels
