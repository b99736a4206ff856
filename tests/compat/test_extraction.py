"""trafilatura's functions by webclean: arguments, formats, filters."""

import csv
import io
import json
import logging
import types
from configparser import ConfigParser
from pathlib import Path

import pytest
from lxml import etree
from lxml import html as lxml_html

from tests import Patch
from tests.web_sites import publish
from webclean import compat
from webclean.compat import (
    bare_extraction,
    baseline,
    extract,
    extract_metadata,
    extract_with_metadata,
    fetch_url,
    html2txt,
    load_html,
)
from webclean.web.fetch import FetchLimits

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
NEWS = (FIXTURES / "content" / "news-en-harbour" / "input.html").read_bytes()
COMMENTS = (FIXTURES / "content" / "blog-comments" / "input.html").read_bytes()
TABLES = (FIXTURES / "content" / "docs-code-tables" / "input.html").read_bytes()
EMPTY = (FIXTURES / "no_feature" / "spa-shell" / "input.html").read_bytes()
TEI = "{http://www.tei-c.org/ns/1.0}"

PAGE = """<html lang="en"><head><title>Tides of the bay - The Gazette</title></head><body><article>
<h1>Tides of the bay</h1>
<p>The tide rises <b>twice</b> a day, and <i>the moon</i> is the cause of it, as <a href="/moon">sailors</a> knew.</p>
<h2>Heights</h2>
<ul><li>Spring tides are the highest of the month, near the full moon.</li><li>Neap tides are the lowest.</li></ul>
<table><tr><th>Place</th><th>Height in metres</th></tr><tr><td>North quay of the harbour</td><td>4.2</td></tr></table>
<pre>height(t)
  = a * cos(t)</pre>
<blockquote><p>Time and tide wait for no man, says the proverb that everyone on the coast knows.</p></blockquote>
<dl><dt>Ebb</dt><dd>The water runs out to sea.</dd></dl>
<p><img src="/tide.png" alt="A tide gauge"> The gauge at the quay has been read every hour since the year 1904.</p>
</article></body></html>"""


@pytest.mark.parametrize(
    "named", ["div id=comments class=comments-area", "ol class=commentlist", "ul class=comment-list"]
)
@pytest.mark.parametrize("options", [{}, {"favor_recall": True}, {"favor_precision": True}])
def test_comments_are_left_out_where_that_is_asked_also_below_a_short_text(
    named: str, options: dict[str, bool]
) -> None:
    replies = "".join(
        f"<div>Reader comment {n}, long enough to be taken for the text of the page.</div>" for n in range(9)
    )
    page = f"<article><p>A short intro of the ferry stands here.</p></article><{named}>{replies}</{named[:3].strip()}>"
    text = extract(f"<body class='comments-open'>{page}", include_comments=False, **options) or ""
    assert "Reader comment" not in text
    assert "short intro" in text or "favor_precision" in options


def test_sizes_of_settings_are_heeded(tmp_path: Path) -> None:
    page = "<article><p>A short intro of the ferry stands here.</p></article>"
    for name, least in (("MIN_OUTPUT_SIZE", 1_000), ("MAX_TREE_SIZE", 1), ("MAX_FILE_SIZE", 20)):
        config = ConfigParser()
        config["DEFAULT"][name] = str(least)
        given = page if name != "MAX_TREE_SIZE" else page.replace("</p>", "</p><p>Another one is here.</p>")
        assert extract(given) is not None
        assert extract(given, config=config) is None, name
        with (tmp_path / "own.cfg").open("w") as file:
            config.write(file)
        assert extract(given, settingsfile=str(tmp_path / "own.cfg")) is None
    config["DEFAULT"] = {"MIN_OUTPUT_SIZE": "0", "MIN_EXTRACTED_SIZE": "0"}
    assert extract("<p>a", config=config, prune_xpath="//p") == ""
    with pytest.raises(FileNotFoundError):
        extract(page, settingsfile=str(tmp_path / "none.cfg"))


def test_the_tree_of_the_caller_stays_as_it_is() -> None:
    tree = lxml_html.document_fromstring(PAGE)
    before = lxml_html.tostring(tree)
    extract(tree, prune_xpath="//p")
    assert lxml_html.tostring(tree) == before


def test_text_is_the_default() -> None:
    text = extract(NEWS)
    assert text is not None
    assert "£4.2m repair of Skerry Bay's harbour wall" in text
    assert "Skip to main content" not in text


def test_a_page_without_text_is_none_with_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert extract(EMPTY, url="https://example.org/shell") is None
        assert bare_extraction("") is None
    assert next(record.getMessage() for record in caplog.records) == (
        "discarding data: https://example.org/shell: no text"
    )


def test_xml_has_the_elements_of_trafilatura() -> None:
    made = extract(
        PAGE, url="https://example.org/a", output_format="xml", include_formatting=True, include_links=True,
        include_images=True,
    )  # fmt: skip
    root = etree.fromstring(made or "")
    assert root.tag == "doc"
    assert [child.tag for child in root] == ["main", "comments"]
    main = root[0]
    assert [(hi.get("rend"), hi.text) for hi in main.iter("hi")] == [("#b", "twice"), ("#i", "the moon")]
    assert [(ref.get("target"), ref.text) for ref in main.iter("ref")] == [("https://example.org/moon", "sailors")]
    assert [(head.get("rend"), head.text) for head in main.iter("head")][-1] == ("h2", "Heights")
    lists = [(one.get("rend"), [(item.get("rend"), item.text) for item in one]) for one in main.iter("list")]
    assert lists[1] == ("dl", [("dt-1", "Ebb"), ("dd-1", "The water runs out to sea.")])
    assert lists[0][0] == "ul"
    assert lists[0][1][1] == (None, "Neap tides are the lowest.")
    assert [[(cell.get("role"), cell.text) for cell in row] for row in main.iter("row")] == [
        [("head", "Place"), ("head", "Height in metres")],
        [(None, "North quay of the harbour"), (None, "4.2")],
    ]
    assert [code.text for code in main.iter("code")] == ["height(t)\n  = a * cos(t)"]
    assert [quote[0].text for quote in main.iter("quote")] == [
        "Time and tide wait for no man, says the proverb that everyone on the coast knows."
    ]
    assert [dict(image.attrib) for image in main.iter("graphic")] == [
        {"src": "https://example.org/tide.png", "alt": "A tide gauge"}
    ]
    assert "since the year 1904." in (main.find(".//graphic").tail or "")


def test_xml_without_formatting_has_text_alone() -> None:
    root = etree.fromstring(extract(PAGE, output_format="xml") or "")
    assert {element.tag for element in root.iter()}.isdisjoint({"hi", "ref", "graphic"})
    assert "The tide rises twice a day, and the moon is the cause of it, as sailors knew." in root.itertext()
    assert "table" not in {element.tag for element in etree.fromstring(
        extract(PAGE, output_format="xml", include_tables=False) or ""
    ).iter()}  # fmt: skip


def test_xml_has_the_fields_as_attributes_where_they_are_asked_for() -> None:
    plain = etree.fromstring(extract(NEWS, output_format="xml") or "")
    assert set(plain.attrib) == {"fingerprint"}
    root = etree.fromstring(extract(NEWS, output_format="xml", with_metadata=True, record_id="n7") or "")
    assert root.get("title") == "Harbour wall repairs pushed back to spring after second survey"
    assert root.get("date") == "2023-11-14"
    assert root.get("hostname") == "saltmarshherald.example"
    assert root.get("id") == "n7"


def test_tei_keeps_headings_tables_and_code_in_elements_of_its_core() -> None:
    root = etree.fromstring(extract(PAGE, output_format="xmltei", include_formatting=True, include_images=True) or "")
    assert root.tag == f"{TEI}TEI"
    body = root.find(f"{TEI}text/{TEI}body")
    assert [(part.tag, part.get("type")) for part in body] == [(f"{TEI}div", "entry"), (f"{TEI}div", "comments")]
    blocks = [(one.get("type"), one.get("rend"), one.text) for one in body.iter(f"{TEI}ab")]
    assert ("header", "h2", "Heights") in blocks
    assert ("code", None, "height(t)\n  = a * cos(t)") in blocks
    table = next(one for one in body.iter(f"{TEI}list") if one.get("rend") == "table")
    assert [[(cell.get("rend"), cell.text) for cell in row[0]] for row in table] == [
        [("head", "Place"), ("head", "Height in metres")],
        [("cell", "North quay of the harbour"), ("cell", "4.2")],
    ]
    assert [image.get("url") for image in body.iter(f"{TEI}graphic")] == ["/tide.png"]


def test_tei_says_title_author_date_and_address_in_its_header() -> None:
    root = etree.fromstring(extract(NEWS, output_format="xmltei", record_id="n7") or "")
    header = root[0]
    file = header.find(f"{TEI}fileDesc")
    assert file.find(f"{TEI}titleStmt/{TEI}title").text.startswith("Harbour wall repairs")
    assert file.find(f"{TEI}titleStmt/{TEI}author").text == "Imogen Tarrant"
    assert {one.text for one in root.iter(f"{TEI}publisher")} == {"The Saltmarsh Herald"}
    notes = {note.get("type"): note.text for note in file.iter(f"{TEI}note")}
    assert notes["id"] == "n7"
    assert len(notes["fingerprint"]) == 16
    assert [(ptr.get("type"), ptr.get("target")) for ptr in file.iter(f"{TEI}ptr")] == [
        ("URL", "https://www.saltmarshherald.example/local/2023/11/14/harbour-wall-repairs-delayed-again/")
    ]
    assert [bibl.text for bibl in file.iter(f"{TEI}bibl")][1] == "The Saltmarsh Herald, 2023-11-14"
    application = next(header.iter(f"{TEI}application"))
    assert application.get("ident") == "webclean"


def test_tei_names_the_host_where_no_site_is_named() -> None:
    page = f"<h1>Slow tides</h1><p>{'The sea comes in, and it goes out again. ' * 9}</p>"
    root = etree.fromstring(extract(page, output_format="xmltei", url="https://tides.example/a/b") or "")
    assert {one.text for one in root.iter(f"{TEI}publisher")} == {"tides.example"}


def test_json_and_csv_have_text_and_comments_apart() -> None:
    plain = json.loads(extract(COMMENTS, output_format="json") or "")
    assert set(plain) == {"text", "comments"}
    assert plain["comments"]
    assert plain["comments"] not in plain["text"]
    assert plain["text"].replace("- ", "").split() == bare_extraction(COMMENTS).raw_text.replace("- ", "").split()
    without = json.loads(extract(COMMENTS, output_format="json", include_comments=False) or "")
    assert without == {"text": plain["text"], "comments": ""}
    one, same, other = (bare_extraction(page).fingerprint for page in (NEWS, NEWS + b" ", COMMENTS))
    assert one == same != other
    (row,) = csv.reader(io.StringIO(extract(COMMENTS, output_format="csv") or ""), delimiter="\t")
    assert len(row) == 11
    assert (row[0], row[7], row[8]) == ("null", plain["text"], plain["comments"])


def test_json_with_metadata_renames_as_trafilatura_does() -> None:
    made = json.loads(extract(NEWS, output_format="json", with_metadata=True) or "")
    assert made["source"].startswith("https://www.saltmarshherald.example/")
    assert made["source-hostname"] == "The Saltmarsh Herald"
    assert made["excerpt"].startswith("Engineers found voids")
    assert {"url", "sitename", "description", "body"}.isdisjoint(made)
    assert isinstance(made["tags"], str)


def test_text_formats_begin_with_front_matter_where_metadata_is_asked_for() -> None:
    made = extract(NEWS, output_format="markdown", with_metadata=True) or ""
    assert made.startswith('---\ntitle: "Harbour wall repairs pushed back to spring after second survey"\n')
    assert "\n## What the radar found\n" in made
    assert not (extract(NEWS, output_format="markdown") or "").startswith("---")
    assert "## What" not in (extract(NEWS) or "")
    assert "[sailors](https://example.org/moon)" in (
        extract(PAGE, url="https://example.org/", include_links=True) or ""
    )


def test_html_is_a_document_with_text_and_comments() -> None:
    made = extract(COMMENTS, output_format="html", with_metadata=True) or ""
    assert made.startswith("<!doctype html>")
    assert len(made) > len(extract(COMMENTS, output_format="html", with_metadata=True, include_comments=False) or "")


def test_filters_discard_pages() -> None:
    assert extract(NEWS, target_language="de") is None
    assert extract(NEWS, target_language="en") is not None
    assert extract(NEWS, url="https://a.example/", url_blacklist={"https://a.example/"}) is None
    assert extract(PAGE, url="https://a.example/", only_with_metadata=True) is None
    assert extract(NEWS, only_with_metadata=True) is not None
    assert extract(NEWS, max_tree_size=3) is None
    assert extract(NEWS, max_tree_size=3000) is not None


def test_an_author_can_be_unwanted() -> None:
    found = bare_extraction(NEWS, author_blacklist={"Imogen Tarrant"})
    assert found is not None
    assert found.author is None
    assert bare_extraction(NEWS, author_blacklist={"Someone Else"}).author == "Imogen Tarrant"


def test_elements_can_be_pruned() -> None:
    pruned = extract(PAGE, prune_xpath="//blockquote")
    assert pruned is not None
    assert "proverb" not in pruned
    assert "Neap" in pruned
    both = extract(PAGE.encode(), prune_xpath=["//blockquote", "//ul"])
    assert "Neap" not in (both or "Neap")
    assert extract(" ", prune_xpath="//p") is None


def test_precision_keeps_less_than_recall() -> None:
    page = (FIXTURES / "content" / "short-article-long-comments" / "input.html").read_bytes()
    lengths = [len(extract(page, **{f"favor_{name}": True}) or "") for name in ("precision", "recall")]
    assert lengths[0] < lengths[1]
    assert extract(page, favor_precision=True, favor_recall=True) == extract(page, favor_recall=True)


def test_bare_extraction_gives_names_texts_and_trees() -> None:
    found = bare_extraction(NEWS, with_metadata=True)
    assert found.title == "Harbour wall repairs pushed back to spring after second survey"
    assert found.body.tag == "body"
    assert found.text == extract(NEWS)
    assert "Rosalind Peake" in "".join(found.body.itertext())
    assert bare_extraction(NEWS).title is None
    described = bare_extraction(NEWS, as_dict=True)
    assert list(described)[:3] == ["title", "author", "url"]
    assert described["raw_text"] == " ".join(found.text.split())


def test_an_extractor_wins_over_other_arguments() -> None:
    extractor = types.SimpleNamespace(
        focus="balanced", format="json", links=False, images=False, tables=True, comments=False, formatting=False,
        lang=None, url=None, with_metadata=False, only_with_metadata=False, max_tree_size=None,
        url_blacklist=set(), author_blacklist=set(),
    )  # fmt: skip
    assert json.loads(extract(COMMENTS, options=extractor) or "")["comments"] == ""
    extractor.lang = "de"
    assert extract(COMMENTS, options=extractor) is None


def test_what_is_none_is_as_if_it_were_not_given() -> None:
    names = ("include_comments", "include_tables", "include_images", "include_links", "with_metadata", "url_blacklist")
    for kind in ("txt", "markdown", "xml"):
        given = extract(PAGE, url="https://example.org/a", output_format=kind, **dict.fromkeys(names))
        assert given == extract(PAGE, url="https://example.org/a", output_format=kind)


def test_formats_are_checked() -> None:
    with pytest.raises(AttributeError, match="must be one of: csv, html, json"):
        extract(NEWS, output_format="pdf")
    with pytest.raises(ValueError, match="only usable in bare_extraction"):
        extract(NEWS, output_format="python")
    with pytest.raises(ValueError, match="only usable in bare_extraction"):
        extract_with_metadata(NEWS, output_format="python")


def test_characters_that_xml_does_not_allow_are_left_out() -> None:
    page = PAGE.replace("Heights", "Hei\ufffeghts of&#xFFFF; tides")
    root = etree.fromstring(extract(page, output_format="xml") or "")
    assert [head.text for head in root.iter("head")][-1] == "Heights of tides"


@pytest.mark.parametrize("page", [NEWS, TABLES, COMMENTS, PAGE])
@pytest.mark.parametrize(("kind", "path"), [("xml", "main"), ("xmltei", "*[2]/*/*[1]")])
def test_xml_has_the_words_of_the_text_in_their_order(page: bytes | str, kind: str, path: str) -> None:
    text = extract(page, include_comments=False) or ""
    words = "".join(line.strip().removeprefix("- ").strip("|-") for line in text.splitlines()).replace(" | ", "")
    root = etree.fromstring(extract(page, output_format=kind, include_comments=False) or "")
    found = "".join("".join(part.itertext()) for part in root.xpath(path))
    assert "".join(found.split()) == "".join(words.split())


LISTED = """<article><h2>Tides of the bay</h2><p>The moon is the <b>cause</b> of them,<br>as sailors knew.</p>
<ul><li>Spring tides are high<ol><li>in May, of the moon<li>in June, of the sun</ol>and more of them</li>
<li><p>Neap tides are</p> low, as the moon is half<pre>height = tide(hour)\n  + wind(hour)</pre></li></ul>
<blockquote><p>Time and tide wait for no man.</p></blockquote></article>"""


def test_plain_text_has_a_line_a_block() -> None:
    assert extract(LISTED) == (
        "Tides of the bay\nThe moon is the cause of them,\nas sailors knew.\n- Spring tides are high\n"
        "  - in May, of the moon\n  - in June, of the sun\nand more of them\n"
        "- Neap tides are low, as the moon is half\nheight = tide(hour)\n  + wind(hour)\nTime and tide wait for no man."
    )


def test_markdown_has_tight_lists_and_no_signs_of_quotations() -> None:
    assert extract(LISTED, output_format="markdown") == (
        "## Tides of the bay\n\nThe moon is the **cause** of them,\n\nas sailors knew.\n\n- Spring tides are high\n"
        "  1. in May, of the moon\n  2. in June, of the sun\n\n  and more of them\n"
        "- Neap tides are low, as the moon is half\n```\nheight = tide(hour)\n  + wind(hour)\n```\n\n"
        "Time and tide wait for no man."
    )


@pytest.mark.parametrize("marks", [False, True])
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("<tr><td>a<td>b", "| a | b |"),
        ("<tr><th>a<th>b<tr><td>c|d<td>", "| a | b | \n|---|---|\n| c\\|d |  |"),
        ("<tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e", "| a |  | b | \n| c | d | e |"),
        ("<tr><td rowspan=2>a<td>b<tr><td>c", "| a | b | \n|  | c |"),
        ("<caption>Tides<tr><td>a<td><p>b<p>c", "| Tides |  | \n|---|---|\n| a | b c |"),
        ("<tr><td><h3>a</h3>b<td><ul><li>c<li>d</ul>", "| a b | c d |"),
    ],
)
def test_tables_have_rows_between_bars(table: str, rows: str, marks: bool) -> None:
    page = f"<article><p>Heights of the tides at the quay, in metres.</p><table>{table}</table></article>"
    assert (extract(page, include_formatting=marks) or "").partition(".")[2].strip() == rows
    without = extract(page, include_formatting=marks, include_tables=False)
    assert without == "Heights of the tides at the quay, in metres."


def test_tables_of_long_cells_are_text() -> None:
    column = "<td>" + "The tide rises twice a day, as sailors of the bay knew. " * 6
    text = extract(f"<article><table><tr>{column}{column}</table></article>") or ""
    assert "|" not in text
    assert len(text.splitlines()) == 2


def test_a_table_is_not_multiplied_by_its_longest_row() -> None:
    table = "<tr>" + "<td>1" * 3_000 + "<tr><td>a<td>b" * 3_000
    page = f"<p>Heights of the tides at the quay, in metres, as they were read.</p><table>{table}</table>"
    assert len(extract(page) or "") < 20 * len(page)


def test_links_and_pictures_stand_in_plain_text_too() -> None:
    page = "<p>The <b>gauge</b> <img src=/t.png alt=old> was <a href=/read>read</a> each hour of the year.</p>"
    text = extract(page, url="https://a.example/", include_links=True, include_images=True)
    assert text == (
        "The gauge ![old](https://a.example/t.png) was [read](https://a.example/read) each hour of the year."
    )


def test_headings_with_nothing_below_are_left_out() -> None:
    page = f"<article><h1>Tides</h1><p>{'The tide rises twice a day, as sailors knew. ' * 5}</p>"
    assert (extract(f"{page}<h2>Read on</h2></article>") or "").endswith("knew.")
    assert extract("<article><h1>Tides</h1></article>") == "Tides"


def test_what_came_often_before_is_left_out_if_that_is_asked_for() -> None:
    often = "This line of the ferry stands below each of its pages, and it is long enough to be told from a heading."
    pages = [f"<article><p>Ferry number {n} leaves the quay at noon.</p><p>{often}</p></article>" for n in range(5)]
    compat.reset_caches()
    texts = [extract(page, deduplicate=True) or "" for page in pages]
    assert [often in text for text in texts] == [True, True, True, False, False]
    assert all("leaves the quay" in text for text in texts)
    assert all(often in (extract(page) or "") for page in pages)
    compat.reset_caches()
    same = [extract(f"<article><p>{often}</p></article>", deduplicate=True) for _ in range(4)]
    assert same == [often, often, often, None]
    compat.reset_caches()


def test_posts_named_as_comments_are_the_text_of_a_thread() -> None:
    state = '{"@context":"https://schema.org","@type":"DiscussionForumPosting","headline":"Which tide?"}'
    posts = "".join(f"<p>Post {n} says at length which tide is the best one to sail on.</p>" for n in range(6))
    body = f"<article><p>{'I wonder which tide to take. ' * 9}</p></article><div class=comments-area>{posts}</div>"
    page = f"<script type=application/ld+json>{state}</script>{body}"
    assert (extract(page, include_comments=False) or "").count("Post ") == 6
    assert (extract(body, include_comments=False) or "").count("Post ") == 0


def test_fields_have_the_form_that_is_expected() -> None:
    found = extract_metadata(
        """<head><meta name=keywords content='tides, ", moon'><meta property=article:tag content=bay>
        <meta property=og:type content=article><meta name=article:publisher content=gazette>
        <link rel=alternate hreflang=x-default href=https://a.example/b></head>
        <p class=entry-categories><a href=/category/sea>Sea</a>, <a href=/all>All</a></p><p>Text of the tides.</p>
        <a rel=license href=https://creativecommons.org/licenses/by-sa/4.0/>terms</a>"""
    )
    assert (found.tags, found.categories) == (["tides, moon", "bay"], ["Sea"])
    assert (found.license, found.pagetype, found.sitename) == ("CC BY-SA 4.0", "article", "Gazette")
    assert (found.url, found.hostname) == ("https://a.example/b", "a.example")
    assert extract_metadata("<p>By <a rel=license href=/l>our terms</a>").license == "our terms"
    assert extract_metadata("<p>Text<footer>Under <a href=/l>CC BY-NC</a></footer>").license == "CC BY-NC"


def test_a_date_of_the_text_alone_is_found_unless_the_settings_say_no() -> None:
    page = "<p>The tides of the bay.</p>" * 9 + "<p>Posted on 1st Dec 2019.</p>"
    off = ConfigParser()
    off["DEFAULT"]["EXTENSIVE_DATE_SEARCH"] = "off"
    assert extract_metadata(page).date == bare_extraction(page, with_metadata=True).date == "2019-12-01"
    assert extract_metadata(page, extensive=False).date is None
    assert bare_extraction(page, with_metadata=True, config=off).date is None
    asked = {"extensive_search": False}
    assert bare_extraction(page, with_metadata=True, date_extraction_params=asked).date is None


@pytest.mark.parametrize("text", ["hello", b"hello", "a < b, and c > d", "", None, 5])
def test_what_is_no_page_has_no_text(text: object, caplog: pytest.LogCaptureFixture) -> None:
    assert extract(text) is extract_with_metadata(text) is None
    assert (html2txt(text), baseline(text)[1:], extract_metadata(text).title) == ("", ("", 0), None)
    assert "discarding data: None: " in caplog.text
    if isinstance(text, str | bytes):
        assert load_html(text) is None
    else:
        with pytest.raises(TypeError):
            load_html(text)


def test_fields_come_alone_and_with_a_text_in_a_format() -> None:
    found = extract_metadata(NEWS, default_url="https://example.org/a", author_blacklist={"Imogen Tarrant"})
    assert (found.title or "").startswith("Harbour wall repairs")
    assert (found.author, found.date, found.text) == (None, "2023-11-14", None)
    both = extract_with_metadata(NEWS, output_format="json", record_id="n7")
    assert both is not None
    assert both.as_dict()["author"] == "Imogen Tarrant"
    assert json.loads(both.text or "") == json.loads(
        extract(NEWS, output_format="json", record_id="n7", with_metadata=True) or ""
    )


def test_the_baseline_and_all_text_are_for_pages_of_any_kind() -> None:
    body, text, length = baseline(PAGE)
    assert (body.tag, len(text)) == ("body", length)
    assert "Neap tides are the lowest." in "".join(body.itertext())
    everything, most = html2txt(NEWS, clean=False), html2txt(NEWS)
    assert "Skip to main content" in everything
    assert len(extract(NEWS) or "") < len(most) < len(everything)
    assert "\n" not in everything


def test_a_page_is_loaded_as_a_tree_in_its_encoding() -> None:
    tree = load_html("<?xml version='1.0' encoding='gbk'?><title>河</title><p>水</p>".encode("gbk"))
    assert tree is not None
    assert (tree.tag, tree.findtext(".//title"), tree.findtext(".//p")) == ("html", "河", "水")
    assert load_html(tree) is tree
    assert load_html(NEWS, max_size=100) is None
    assert extract(tree) == "水"


def test_a_url_is_fetched_and_decoded_or_none(monkeypatch: Patch, caplog: pytest.LogCaptureFixture) -> None:
    with publish() as site:
        site.pages["/"] = ({"content-type": "text/html; charset=gbk"}, "<p>河水</p>".encode("gbk"))
        assert fetch_url(f"{site.base}/") is None  # not a public address
        monkeypatch.setattr(compat, "FetchLimits", lambda: FetchLimits(allow_private=True))
        assert fetch_url(f"{site.base}/") == "<p>河水</p>"
        response = compat.fetch_response(f"{site.base}/")
        assert response is not None
        assert (response.status, response.html, response.url) == (200, None, f"{site.base}/")
        assert extract(response) == "河水"
        assert fetch_url(f"{site.base}/none") is None
    assert "not a public address" in caplog.text
