"""Candidates for the title with their features; what names a site, a slug, an end of a title."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fields.candidates import collect
from webclean.fields.candidates import fold_words
from webclean.fields.site_names import names_site, split_title
from webclean.fields.title import count_title_words, find_slug, is_end, share_in_slug
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

RULES = load_rules()
MEASURED = ("title_similarity", "part_similarity", "og_similarity", "n_words", "n_chars", "slug_share", "h1_slug_share")


def list_all(markup: str, url: str | None = None) -> dict[str, dict[str, float]]:
    columns = build_columns(parse_page(markup, url=url), RULES)
    return {found.value: found.features for found in dict(collect(columns))["title"]}


def list_titles(markup: str, url: str | None = None) -> dict[str, set[str]]:
    """Title -> the names of its features but those that are measured."""
    return {title: features.keys() - MEASURED for title, features in list_all(markup, url).items()}


def test_parts_of_a_title_are_candidates_from_both_ends() -> None:
    markup = "<title>Old mill | News | Example</title>"
    assert list_titles(markup, "https://www.example.com/old-mill.html") == {
        "Old mill | News | Example": {"title_whole", "inside_title", "holds_separator"},
        "Old mill": {"title_start", "title_first_part", "inside_title"},
        "News | Example": {"title_end", "inside_title", "names_site", "holds_separator"},
        "Old mill | News": {"title_start", "title_without_site", "inside_title", "holds_separator"},
        "Example": {"title_end", "inside_title", "names_site"},
        "News": {"title_middle", "inside_title"},
    }
    assert list_titles("<title>Old mill</title>") == {
        "Old mill": {"title_whole", "title_without_site", "title_first_part", "inside_title"}
    }


def test_headings_say_their_place_and_whether_they_are_alone() -> None:
    markup = "<h1>One</h1><nav><h1>Two</h1></nav><h2>Three</h2><p hidden><h2 hidden>Four</h2>"
    assert list_titles(markup) == {
        "One": {"h1", "h1_first"},
        "Two": {"h1", "h1_in_landmark"},
        "Three": {"h2", "h2_first"},
        "Four": {"h2"},
    }
    assert list_titles("<h1>One</h1>") == {"One": {"h1", "h1_first", "h1_only"}}
    assert len(list_titles("".join(f"<h1>Number {at}</h1>" for at in range(14)))) == 12
    n = RULES.fields.title.n_subheadings
    assert len(list_titles("".join(f"<h2>Number {at}</h2>" for at in range(14)))) == n


def test_a_masthead_is_a_title_on_the_front_page_alone() -> None:
    markup = "<h1>Example</h1><h2>Old mill</h2>"
    assert list(list_titles(markup, "https://example.com/a")) == ["Old mill"]
    assert list_titles(markup, "https://example.com/")["Example"] == {
        "h1", "h1_first", "h1_only", "h1_on_front", "names_site", "names_site_on_front"
    }  # fmt: skip


def test_texts_that_are_in_the_title_are_candidates() -> None:
    markup = "<title>The old mill - Example</title><div>{}</div>"
    assert "text" in list_titles(markup.format("The old mill"))["The old mill"]
    for other in ("The new mill", "<a href=x>The old mill</a>", "Th"):
        assert not any("text" in features for features in list_titles(markup.format(other)).values())


def test_measures_of_a_candidate() -> None:
    url = "https://x.net/a/the-old-mill.html"
    found = list_all("<title>The old mill | X</title><h1>The old mill</h1>", url)["The old mill"]
    assert found["title_similarity"] == pytest.approx(1 - 4 / (12 + 16))
    assert (found["part_similarity"], found["og_similarity"]) == (1, 0)
    assert (found["n_words"], found["n_chars"], found["slug_share"], found["h1_slug_share"]) == (3, 12, 1, 1)


@pytest.mark.parametrize(
    ("url", "slug"),
    [
        ("https://x.net/a/old-mill.html", "old-mill"),
        ("https://x.net/old-mill/2024/12", "old-mill"),
        ("https://x.net/old-mill/abc", "old-mill"),
        ("https://x.net/old-mill/abcd", "abcd"),
        ("https://x.net/old.mill.long-end", "old.mill.long-end"),
        ("https://x.net/a?old-mill#old-mill", ""),
        ("https://old-mill.net", ""),
        ("/old-mill", ""),
        ("", ""),
    ],
)
def test_the_slug_is_the_last_part_with_more_than_three_letters(url: str, slug: str) -> None:
    assert find_slug(url) == slug


@pytest.mark.parametrize(
    ("text", "share"), [("The old mill", 1), ("The new mill", 2 / 3), ("An ox", 0), ("of it", 0), ("Mill", 1), ("", 0)]
)
def test_the_share_of_words_in_the_slug(text: str, share: float) -> None:
    assert share_in_slug(fold_words(text), "theoldmill") == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "n"),
    [("one two", 2), ("é two", 2), ("树", 1), ("树木", 1), ("树木在", 2), ("树木在，冬天", 3), ("树 a b", 3), ("", 0)],
)
def test_words_of_a_title(text: str, n: int) -> None:
    assert count_title_words(text) == n


@pytest.mark.parametrize(
    ("text", "title", "is_at_end"),
    [
        ("old", "old mill", True),
        ("old", "older mill", False),
        ("mill", "old mill", True),
        ("mill", "oldmill", False),
        ("old mill", "old mill", True),
        ("mi", "old mill", False),
        ("old", "old", True),
    ],
)
def test_a_title_ends_at_a_word(text: str, title: str, *, is_at_end: bool) -> None:
    assert is_end(text, title) is is_at_end


@pytest.mark.parametrize(
    ("part", "sites", "is_site"),
    [
        ("Example", ("example",), True),
        ("...", ("example",), True),
        ("Exam", ("example",), True),
        ("Exa", ("example",), False),
        ("Exam", ("example12345",), False),
        ("Example of it", ("example",), True),
        ("Example of a long day", ("example",), True),
        ("An example of a very long day", ("example",), False),
        ("World Trade Place", ("wtp",), True),
        ("World Trade", ("wt",), False),
        ("World - Trade Place", ("wtp",), True),
        ("World", ("w",), False),
        ("Old mill", (), False),
    ],
)
def test_what_names_a_site(part: str, sites: tuple[str, ...], *, is_site: bool) -> None:
    assert names_site(part, sites) is is_site


HOME = "https://www.example.com/blog/2024/old-mill.html"


@pytest.mark.parametrize(
    ("shown", "is_site"),
    [
        ("<a href=/>The Daily Miller</a>", True),
        ("<a href=https://www.example.com/><img alt='The Daily Miller'></a>", True),
        ("<h1><a href=/blog/>The Daily Miller</a></h1>", True),
        ("<a href='/?p=1'>The Daily Miller</a>", False),
        ("<a href=/news/>The Daily Miller</a>", False),
        ("<h1><a href=/blog/2024/old-mill.html>The Daily Miller</a></h1>", False),
        ("<a href=https://elsewhere.net/>The Daily Miller</a>", False),
    ],
)
def test_a_logo_and_a_banner_name_the_site(shown: str, *, is_site: bool) -> None:
    found = list_titles(f"<title>The Daily Miller - Old mill</title>{shown}", HOME)
    assert ("names_site" in found["The Daily Miller"]) is is_site


NEWS = "<title>The Daily Miller : Old mill</title>"


@pytest.mark.parametrize(
    ("markup", "marked"),
    [
        (f"{NEWS}<b>Old mill burns down</b><div class=title4>Old mill</div>", {"Old mill"}),
        (f"{NEWS}<table><td class=pn-title><a href=/b>Old mill</a></table>", {"Old mill"}),
        (f"{NEWS}<h2>Old mill</h2><p>Old</p>", {"Old mill"}),
        (f"{NEWS}<h1>Old mill</h1><b>The Daily Miller</b>", set()),
        (f"<meta property=og:title content='Old mill'>{NEWS}<b>Old mill</b>", set()),
        (f"{NEWS}<nav><b class=title>Old wheel</b></nav>", set()),
    ],
)
def test_what_is_shown_of_the_title_without_a_heading(markup: str, marked: set[str]) -> None:
    assert {title for title, features in list_titles(markup).items() if "shown_unheaded" in features} == marked


@given(st.lists(st.sampled_from(["Old mill", "x", " | ", " - ", "|", " "]), max_size=12).map("".join))
def test_spans_of_a_title_do_not_overlap_and_leave_out_separators_alone(title: str) -> None:
    spans = split_title(title, (r"\s+[-|]\s+", r"\s*\|\s*"))
    assert len(spans) <= 6
    places = [place for span in spans for place in span]
    assert places == sorted(places)
    assert all(title[first:last] for first, last in spans)
    if len(spans) < 6:
        left = "".join(title[first:last] for first, last in spans)
        assert left.replace(" ", "").replace("-", "") == title.replace(" ", "").replace("-", "").replace("|", "")


@pytest.mark.parametrize(
    ("heading", "leads"),
    [
        ("<h1><a href=/walks/mill>Old mill</a></h1>", False),
        ("<h1><a href=/walks/mill/#top>Old mill</a></h1>", False),
        ("<h1><a href=/walks/other>Old mill</a></h1>", True),
        ("<a href=/walks/other><h1>Old mill</h1>A walk</a>", True),
        ("<h1>Old mill, by <a href=/ann>Ann</a></h1>", False),
        ("<h1>Old mill</h1><a href=/walks/other>Old mill</a>", False),
    ],
)
def test_a_heading_that_is_a_link_to_another_page_leads_away(heading: str, *, leads: bool) -> None:
    (found,) = list_titles(heading, "https://example.com/walks/mill").values()
    assert ("leads_away" in found) == leads
    # nothing says which page this is
    (found,) = list_titles(heading).values()
    assert "leads_away" not in found


def test_a_colon_behind_the_name_of_the_site_parts_a_title() -> None:
    url = "https://www.millnews.com/a"
    assert "title_without_site" in list_titles("<title>Mill News: Old mill</title>", url)["Old mill"]
    assert set(list_titles("<title>Walks: Old mill</title>", url)) == {"Walks: Old mill"}
    assert set(list_titles("<title>Mill News: </title>", url)) == {"Mill News:"}


def test_a_site_is_cut_off_at_one_end() -> None:
    markup = "<title>Old mills of Example – Where? - Example</title>"
    found = list_titles(markup, "https://example.com/a")
    assert "title_without_site" in found["Old mills of Example – Where?"]


def test_what_was_cut_off_for_a_card_is_no_title_beside_the_whole() -> None:
    card = "<meta name=twitter:title content='Old mill of...'>"
    assert "Old mill of..." in list_titles(card)
    assert set(list_titles(f"{card}<meta property=og:title content='Old mill of Holm'>")) == {"Old mill of Holm"}
    # what is shown ends as its writer wrote it
    assert "Old mill of..." in list_titles(f"{card}<h1>Old mill of...</h1><h2>Old mill of Holm</h2>")


def test_a_title_has_no_soft_hyphens() -> None:
    assert set(list_titles("<h1>Home Repair Assis\u00adtance</h1>")) == {"Home Repair Assistance"}


def test_a_title_is_compared_with_what_the_page_states() -> None:
    head = "<title>Old mill | X</title><meta property=og:title content=Mill>"
    assert (
        list_all(f"{head}<h2>Old mill</h2>", "https://x.net/the-old-mill")["Old mill"].items()
        >= {
            "title_similarity": pytest.approx(0.8),
            "part_similarity": 1.0,
            "og_similarity": pytest.approx(2 / 3),
            "n_words": 2.0,
            "n_chars": 8.0,
            "slug_share": 1.0,
            "inside_title": 1.0,
        }.items()
    )
