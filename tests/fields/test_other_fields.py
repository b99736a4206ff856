from __future__ import annotations

import pytest

from tests.fields.pages import read_fields
from webclean.fields.statements import parse_script, read_things
from webclean.model import Alternate


def test_head_of_a_page() -> None:
    head = """
      <meta property="og:site_name" content="Example Garden"><meta name="description" content="About  trees.">
      <link rel="canonical" href="/trees"><meta property="article:section" content="Advice">
      <meta name="keywords" content="trees, winter"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/">
      <link rel="alternate" hreflang="de" href="/de/trees"><link rel="alternate" type="application/rss+xml"
      href="/feed"> <meta property="og:image" content="/tree.jpg"><link rel="next" href="?page=2">
    """
    found = read_fields("<h1>Trees</h1>", head=head)
    assert found.site_name.value == "Example Garden"
    assert found.description.value == "About trees."
    assert found.canonical.value == "https://www.example.com/trees"
    assert found.section.value == "Advice"
    assert found.keywords.values == ("trees", "winter")
    assert found.licence.value == "https://creativecommons.org/licenses/by/4.0/"
    assert found.next_page.value == "https://www.example.com/a/page?page=2"
    assert found.image.value == "https://www.example.com/tree.jpg"
    assert found.alternates == (
        Alternate("https://www.example.com/de/trees", "de"),
        Alternate("https://www.example.com/feed", "", "application/rss+xml"),
    )


def test_image_in_the_text_with_its_caption() -> None:
    body = (
        '<h1>Trees</h1><figure><img src="t.jpg" alt="A tree" width="640"><figcaption>An old tree</figcaption></figure>'
    )
    (image,) = read_fields(body).images
    assert (image.url, image.alt, image.caption, image.width) == (
        "https://www.example.com/a/t.jpg",
        "A tree",
        "An old tree",
        640,
    )


def test_lazy_image_and_icon() -> None:
    body = '<img src="data:image/gif;base64,AA" data-src="/real.jpg"><img src="/icon.png" width="16">'
    assert [image.url for image in read_fields(body).images] == ["https://www.example.com/real.jpg"]


@pytest.mark.parametrize("text", ["下一页", "Next page", "Nächste Seite", "次へ", "Suivant »"])
def test_next_page_by_the_text_of_a_link(text: str) -> None:
    assert read_fields(f'<p>Text</p><a href="/p2">{text}</a>').next_page.value == "https://www.example.com/p2"


def test_the_text_of_a_link_to_the_next_page_has_sixty_characters_at_most() -> None:
    for n_arrows, url in ((55, "https://www.example.com/p2"), (56, None)):
        assert read_fields(f'<p>Text</p><a href="/p2">Next {"»" * n_arrows}</a>').next_page.value == url


def test_next_page_is_on_the_same_host() -> None:
    assert read_fields('<a href="https://other.org/2">Next</a>').next_page.value is None


def test_declared_language_is_normalised_and_detected_without() -> None:
    assert read_fields("<p>x</p>", lang="EN_us").language.value == "en-US"
    german = "<p>Der alte Baum steht seit vielen Jahren im Garten und trägt noch immer jedes Jahr sehr viele Äpfel.</p>"
    found = read_fields(german, lang="").language
    assert (found.value, found.source) == ("de", "text")


def test_a_declared_language_of_the_script_of_the_text_is_taken_as_said() -> None:
    for text in (
        "The old tree stands in the garden for many years now.",
        "Über Bäume, Äpfel und Gärten: für jeden etwas.",
    ):
        assert read_fields(f"<p>{text}</p>", lang="fr").language.confidence == 0.95


def test_declared_language_in_the_wrong_script_loses() -> None:
    chinese = "<p>" + "北京发布新的城市规划方案，这里是正文的内容。" * 5 + "</p>"
    assert read_fields(chinese, lang="en").language.value == "zh"


@pytest.mark.parametrize(
    "script",
    ['{"a": 1,}', '<!-- {"a": 1} -->', '{"a": 1};', '//<![CDATA[\n{"a": 1}\n//]]>'],
)
def test_common_faults_of_json_ld_are_mended(script: str) -> None:
    assert list(parse_script(script)) == [{"a": 1}]


@pytest.mark.parametrize(
    "script", ["", "{", "null", "[" * 100_000, '{"@type": 3}', '{"@type": ["A", null], "name": [[[]]]}']
)
def test_broken_json_ld_never_raises(script: str) -> None:
    for thing in read_things([script]):
        assert thing.texts("name") == []


def test_a_site_may_have_a_name_of_one_letter() -> None:
    found = read_fields("<p>Text</p>", head='<meta property="og:site_name" content="X">').site_name
    assert (found.value, found.source) == ("X", "meta og:site_name")
