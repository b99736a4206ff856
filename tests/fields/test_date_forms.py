"""How dates are written in many languages, and which of the days of a page is that of its publication."""

import pytest

from tests.fields.pages import read_fields, read_forms, write_json_ld
from webclean.fields.date_text import prepare_reader, read_dates
from webclean.rules import load_rules

READER = prepare_reader(load_rules().fields.date, load_rules().dates)


@pytest.mark.parametrize(*read_forms("dates"))
def test_a_day_is_read_as_its_language_writes_it(language: str, text: str, day: str) -> None:
    found = next(read_dates(text, READER, month_first=lambda: language == "en"), None)
    assert found is not None
    assert found.iso == day


STORY = "<p>The old mill turned for the last time long ago, and for years nobody thought of it as more than a ruin.</p>"
STATED = {
    "meta": '<meta property="article:published_time" content="2015-09-17T16:57:43+01:00">',
    "json-ld": write_json_ld({"@type": "NewsArticle", "datePublished": "2015-09-17"}),
    "itemprop": '<meta itemprop="datePublished" content="2015-09-17">',
    "dc": '<meta name="dc.date" content="2015-09-17">',
    "seconds": '<meta property="article:published_time" content="1442505463">',
    "rdfa": '<link rel=x><body vocab="https://schema.org/"><b property="datePublished" content="2015-09-17"></b>',
    "drupal": '<link rel=x><body><b property="dc:date dc:created" content="2015-09-17T16:57:43+01:00"></b>',
    "prefixed": write_json_ld({"@type": "schema:NewsArticle", "schema:datePublished": "2015-09-17"}),
    "video": write_json_ld({"@type": "VideoObject", "uploadDate": "2015-09-17"}),
    "online": '<meta name="citation_online_date" content="2015/09/17">',
    "milliseconds": write_json_ld({"@type": "Article", "datePublished": 1442505463000}),
}


@pytest.mark.parametrize(*read_forms("sentences"))
@pytest.mark.parametrize("kind", STATED)
def test_a_stated_day_outweighs_one_that_a_sentence_tells_of(kind: str, language: str, sentence: str) -> None:
    fields = read_fields(f"<h1>Mill</h1><p>{sentence}</p>{STORY}", head=STATED[kind], lang=language)
    assert (fields.date.value or "")[:10] == "2015-09-17"


@pytest.mark.parametrize(*read_forms("labels"))
@pytest.mark.parametrize("form", ["<p>{0} · {1}</p>", "<p>{1}, {0}</p>", "<ul><li>{1}</li><li>{0}</li></ul>"])
def test_labels_tell_publication_from_modification(form: str, language: str, published: str, changed: str) -> None:
    fields = read_fields(f"<h1>Mill</h1>{form.format(published, changed)}{STORY}", lang=language)
    assert fields.date.value == "2020-03-05"


@pytest.mark.parametrize(
    "label",
    [
        "Judgment of 12 November 2019, case 4 U 118/18",
        "Urteil vom 12. November 2019",
        "Arrêt du 12 novembre 2019",
        "Sentencia de 12 de noviembre de 2019",
        "Wyrok z dnia 12 listopada 2019",
        "2019年11月12日判決",
    ],
)
def test_the_day_of_a_judgment_is_none_of_the_page(label: str) -> None:
    fields = read_fields(f"<h1>Stairs</h1><p>{label}</p>{STORY}<p>Published on 9 December 2020 by Ruth Ames</p>")
    assert fields.date.value == "2020-12-09"


@pytest.mark.parametrize("said", ["11.03.17", "11.03.17 in Boats", "11/03/17"])
def test_a_stated_day_tells_the_order_of_a_short_one(said: str) -> None:
    head = '<meta name="date" content="2017-11-03">'
    assert read_fields(f"<h1>Mill</h1><p>{said}</p>{STORY}", head=head, lang="de").date.value == "2017-11-03"


@pytest.mark.parametrize("label", ["Last updated: January 7, 2025", "Zuletzt aktualisiert: 7. Januar 2025"])
def test_the_last_change_of_a_page_is_neither_its_date_nor_its_author(label: str) -> None:
    head = write_json_ld(
        {"@type": "WebPage", "datePublished": "2020-07-10T14:15:42Z", "dateModified": "2025-01-07T09:08:22+01:00"}
    )
    fields = read_fields(f'<h1>Mill</h1><div class="author-details">{label}</div>{STORY}', head=head)
    assert fields.date.value == "2020-07-10T14:15:42Z"
    assert fields.modified.value == "2025-01-07T09:08:22+01:00"
    assert fields.author.value is None


@pytest.mark.parametrize(*read_forms("changes"))
def test_the_last_change_has_the_time_and_the_zone_that_the_page_states(language: str, line: str, day: str) -> None:
    assert read_fields(f"<h1>Mill</h1><div>{line}</div>{STORY}", lang=language).modified.value == day


@pytest.mark.parametrize("label", ["Updated", "Aktualisiert am", "Mis à jour le", "Обновлено"])
@pytest.mark.parametrize("name", ["article:published_time", "ms.date"])
def test_a_labelled_change_is_no_day_of_publication(label: str, name: str) -> None:
    head = f'<meta name="{name}" content="2024-03-06"><meta property="article:modified_time" content="2025-03-25">'
    shown = f"<h1>Mill</h1><p>{label} <time datetime=2025-03-25>25.03.2025</time></p>{STORY}"
    assert read_fields(shown, head=head).date.value == "2024-03-06"


def test_the_day_of_another_article_is_not_that_of_the_page() -> None:
    head = '<meta itemprop="datePublished" content="2017-04-10">'
    teasers = "<p>The wheel</p>" * 70 + "<p><time class=date datetime=2024-06-11>June 11, 2024</time></p>"
    assert read_fields(f"<h1>Mill</h1>{STORY}{teasers}", head=head).date.value == "2017-04-10"


def test_a_labelled_day_beats_one_that_running_text_tells() -> None:
    told = "<p>For the season of this year all mills have to open by April 15, 2025, as the law wants it.</p>"
    changed = f"{STORY}<p>Page last modified <time datetime=2025-01-17>Jan. 17, 2025</time></p>"
    assert read_fields(f"<h1>Mill</h1>{told}{changed}").date.value == "2025-01-17"


def test_dates_are_sought_beside_the_title_where_no_heading_shows_it() -> None:
    title = "<title>The old mill runs again : coast</title>"
    shown = "<p>News The old mill runs again (example.com)</p><p><time datetime=2024-03-05>5 March 2024</time></p>"
    rules = "<h1>Submission rules</h1><p><time datetime=2006-10-18>18 October 2006</time></p>"
    assert read_fields(shown + STORY * 3 + rules, head=title).date.value == "2024-03-05"
