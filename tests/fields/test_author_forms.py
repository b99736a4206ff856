"""Who wrote a page, in the forms in which pages name one or several authors, and what names nobody."""

import pytest

from tests.fields.pages import read_fields, read_forms, write_json_ld
from webclean.model import Author

STORY = "<p>The old mill turned for the last time long ago, and for years nobody thought of it as more than a ruin.</p>"
SIDE = "<aside><h3>Most read</h3><ul><li><a href=/n/1>Rowing club looks for a coach</a></li></ul></aside>"


def read_authors(line: str, *, head: str = "", lang: str = "en") -> tuple[str | None, list[str]]:
    fields = read_fields(f"<h1>The tide mill</h1>{line}{STORY}{STORY}{SIDE}", head=head, lang=lang)
    return fields.author.value, [author.name for author in fields.authors]


def link(name: str, more: str = "") -> str:
    return f'<a href="/profiles/{name.split(maxsplit=1)[0].lower()}" {more}>{name}</a>'


RUTH, TOMAS, CY = map(link, ("Ruth Ames", "Tomas Weil", "Cy Moss"))
THREE = ["Ruth Ames", "Tomas Weil", "Cy Moss"]


@pytest.mark.parametrize(
    "line",
    [
        f"<div class=byline>By {RUTH}, {TOMAS} and {CY}, CQN</div>",
        f"<p class=byline>By {RUTH}, {TOMAS}, and {CY}</p>",
        f"<p class=author>{RUTH}; {TOMAS}; {CY}</p>",
        f"<p class=author>Von {RUTH}, {TOMAS} und {CY}</p>",
        f"<p class=author>Por {RUTH}, {TOMAS} y {CY}</p>",
        f"<p class=author>Par {RUTH}, {TOMAS} et {CY}</p>",
        f"<p class=author>Di {RUTH}, {TOMAS} e {CY}</p>",
        f"<p class=author>Авторы: {RUTH}, {TOMAS} и {CY}</p>",
        f"<p class=author>{RUTH} &amp; {TOMAS} &amp; {CY}</p>",
        f"<ul class=author-list><li>{RUTH}</li><li>{TOMAS}</li><li>{CY}</li></ul>",
        f"<ul class=authors><li>{RUTH}<sup>1</sup>,</li><li>{TOMAS}<sup>1,2</sup>,</li><li>{CY}<sup>*</sup></li></ul>",
        f"<div class=authors>{RUTH}<sup>1,2</sup>, {TOMAS}<sup>†</sup>, {CY}<sup>*</sup></div>",
        "<div class=byline><span class=byline__name>Ruth Ames</span>, <span class=byline__name>Tomas Weil</span> and "
        "<span class=byline__name>Cy Moss</span></div>",
        "<p><span itemprop=author>Ruth Ames</span>, <span itemprop=author>Tomas Weil</span>, "
        "<span itemprop=author>Cy Moss</span></p>",
        "<p><span itemprop=author itemscope><b itemprop=name>Ruth Ames</b></span>, <span itemprop=author itemscope>"
        "<b itemprop=name>Tomas Weil</b></span> and <i itemprop=author itemscope><b itemprop=name>Cy Moss</b></i>",
        '<div class="ltx_authors"><span class="ltx_creator ltx_role_author"><span class="ltx_personname">Ruth Ames'
        '</span></span><span class="ltx_creator ltx_role_author"><span class="ltx_personname">Tomas Weil</span></span>'
        '<span class="ltx_creator ltx_role_author"><span class="ltx_personname">Cy Moss</span></span></div>',
        ", ".join(link(name, "rel=author") for name in ("Ruth Ames", "Tomas Weil", "Cy Moss")),
    ],
)
def test_all_authors_of_a_line_are_named(line: str) -> None:
    value, names = read_authors(line)
    assert names == THREE
    assert value is not None
    assert all(name in value for name in THREE)
    assert "CQN" not in value


@pytest.mark.parametrize(
    "head",
    [
        *(
            "".join(f'<meta name="{name}" content="{text}">' for text in ("Ames, Ruth", "Weil, Tomas", "Moss, Cy"))
            for name in ("citation_author", "dc.creator", "dcterms.creator")
        ),
        '<meta name="citation_author" content="Ames, Ruth; Weil, Tomas; Moss, Cy">',
        "".join(f'<meta name="citation_author" content="{text}">' for text in THREE),
        write_json_ld({"@type": "Article", "author": [{"@type": "Person", "name": name} for name in THREE]}),
        write_json_ld({"@type": "Article", "author": THREE}),
        write_json_ld({"@type": "schema:Article", "schema:author": THREE}),
        write_json_ld({"@type": "Article", "author": ", ".join(THREE)}),
        f'<meta name=author content="{", ".join(THREE)}">',
        write_json_ld(
            {
                "@type": "Article",
                "author": [dict(zip(("givenName", "familyName"), name.split(), strict=True)) for name in THREE],
            }
        ),
    ],
)
def test_all_authors_that_the_head_states_are_named(head: str) -> None:
    assert read_authors("", head=head)[1] == THREE


@pytest.mark.parametrize(
    "stated",
    [
        {"givenName": "Ruth", "familyName": "Ames"},
        {"@type": "Person", "alternateName": "Ruth Ames"},
        {"name": "", "givenName": "Ruth", "familyName": "Ames"},
        {"name": "Ruth Ames", "alternateName": "ra"},
    ],
)
def test_structured_data_name_a_person_in_several_ways(stated: dict[str, str]) -> None:
    head = write_json_ld({"@type": "BlogPosting", "author": stated})
    assert read_authors("", head=head) == ("Ruth Ames", ["Ruth Ames"])


@pytest.mark.parametrize(*read_forms("by_lines"))
def test_a_by_line_names_its_authors_in_the_words_of_its_language(language: str, line: str, names: str) -> None:
    assert read_authors(f"<p class=author>{line}</p>", lang=language)[1] == names.split(", ")


@pytest.mark.parametrize("agency", ["Associated Press", "AP", "Reuters", "AFP", "dpa", "EFE"])
def test_an_agency_behind_a_comma_is_no_author(agency: str) -> None:
    assert read_authors(f"<p class=byline>By Ruth Ames, {agency}</p>")[0] == "Ruth Ames"


@pytest.mark.parametrize("signed", ["Ruth Ames, MD", "Ruth Ames, PhD"])
def test_what_an_author_signs_with_is_kept(signed: str) -> None:
    assert read_authors(f"<p class=byline>By {signed}</p>")[0] == signed


@pytest.mark.parametrize(*read_forms("no_authors"))
def test_labels_and_accounts_of_programs_are_no_authors(text: str) -> None:
    assert read_authors(f'<div class="author-details">{text}</div>') == (None, [])


def test_authors_have_the_addresses_of_their_pages() -> None:
    person = {"@type": "Person", "name": "Tomas Weil", "url": "https://weil.example/"}
    head = write_json_ld({"@type": "Article", "author": [{"@type": "Person", "name": "Ruth Ames"}, person]})
    fields = read_fields(f"<h1>The tide mill</h1><p class=byline>By {RUTH} and Tomas Weil</p>{STORY}", head=head)
    assert fields.authors == (
        Author("Ruth Ames", "https://www.example.com/profiles/ruth"),
        Author("Tomas Weil", "https://weil.example/"),
    )


@pytest.mark.parametrize(
    ("label", "is_one"),
    [("Written by", True), ("Verfasst von", True), ("Autor", True), ("作者", True), ("Est. reading time", False)],
)
def test_a_labelled_meta_element_names_the_author(label: str, *, is_one: bool) -> None:
    head = f'<meta name="twitter:label1" content="{label}"><meta name="twitter:data1" content="Ruth Ames">'
    article = write_json_ld({"@type": "BlogPosting", "headline": "The tide mill"})
    assert read_authors("", head=head + article)[0] == ("Ruth Ames" if is_one else None)


@pytest.mark.parametrize("label", ["Author", "Authors"])
def test_a_label_in_a_heading_is_followed_by_the_author(label: str) -> None:
    article = write_json_ld({"@type": "BlogPosting", "headline": "The tide mill"})
    assert read_authors(f"<h3>{label}</h3><p>Ruth Ames</p>", head=article)[0] == "Ruth Ames"


@pytest.mark.parametrize(
    "post",
    [
        "<div class=postleft><dl><dt><strong>mill_wright</strong></dt><dd>Member</dd><dd>Posts: 12</dd></dl></div>",
        '<div class="PostUser"><h3 class="PostUser-name">mill_wright</h3></div>',
    ],
)
def test_who_posts_stands_before_what_they_are_on_a_board(post: str) -> None:
    fields = read_fields(f"<h1>The tide mill</h1>{post}{STORY}", url="https://www.example.com/forum/t/12")
    assert fields.author.value == "mill_wright"


@pytest.mark.parametrize(
    "line",
    [
        '<p class="author"><a href="/author/ames">Ruth Ames</a><br>Senior Mills Reporter</p>',
        '<a href="/author/ames"><div>Ruth Ames</div><div>Content Coordinator</div></a><p>Written by Ruth Ames</p>',
        "<p class=author>3 March 2024 · Ruth Ames</p>",
    ],
)
def test_a_name_is_told_without_role_and_date(line: str) -> None:
    article = write_json_ld({"@type": "BlogPosting", "headline": "The tide mill"})
    assert read_authors(line, head=article)[0] == "Ruth Ames"


@pytest.mark.parametrize(
    "line",
    [
        "<p>By grinding the corn with the tide, the mill saved both horses and men for years</p>",
        '<a href="/u/tiktok">TikTok Opens in a new window</a>',
        "<div class=author><b>Author</b></div>",
    ],
)
def test_sentences_and_labels_name_nobody(line: str) -> None:
    assert read_authors(line)[0] is None
