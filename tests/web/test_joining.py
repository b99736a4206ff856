"""Joining the pages of one text, with a fetcher that serves from a mapping."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import webclean
from tests import write_file
from tests.web_sites import Handler, run_site
from webclean.cli import main
from webclean.errors import FetchError
from webclean.model import Limits
from webclean.parse.limits import spend_output
from webclean.web.fetch import Fetched
from webclean.web.joining import JoinedPage, is_numbered_part, join_pages

SENTENCES = [
    "The ferry left the quay at seven, with forty passengers and a van full of letters for the islands.",
    "By noon the wind had turned to the north, and the captain ordered everybody below the deck.",
    "Nobody on the mainland knew that the engine had stopped until the lighthouse keeper saw the flare.",
    "Two fishing boats went out at dusk and towed the ferry back, slowly, against the tide all night.",
    "The mayor thanked the crews on Sunday and promised them a new engine for the winter season.",
    "A report of the harbour office will say in spring why the old pump had not been checked in time.",
]
BIO = "Ida Brandt has written about boats and the people on them for this paper since the year 1998."


def write_part(number: int, *, link: str = "", title: str = "A night at sea", extra: str = "") -> str:
    body = "".join(f"<p>{text}</p>" for text in SENTENCES[2 * number - 2 : 2 * number])
    return (
        f"<html><head><title>{title}</title></head><body><nav><a href=/>Home</a> <a href=/news>News</a></nav>"
        f"<main><h1>{title}</h1>{body}{extra}<p>{BIO}</p></main>{link}<footer>Copyright 2024</footer></body></html>"
    )


def next_link(url: str) -> str:
    return f'<p class="pager"><a href="{url}">Next page</a></p>'


class FakeWeb:
    """Pages by URL; what was asked for, in order."""

    def __init__(self, **pages: str | Fetched) -> None:
        self.pages = {f"https://www.example.org/{name.replace('__', '/')}": page for name, page in pages.items()}
        self.asked: list[str] = []

    def __call__(self, url: str) -> str | Fetched:
        self.asked.append(url)
        if url not in self.pages:
            raise FetchError(f"{url}: HTTP 404 Not Found")
        return self.pages[url]


def join(
    first: str, web: FakeWeb, *, url: str = "https://www.example.org/story", rules: Path | None = None
) -> JoinedPage:
    cleaner = webclean.Cleaner(rules=rules)
    return join_pages(cleaner.clean(first, url=url), cleaner=cleaner, fetch=web)


def test_parts_are_read_in_order_and_what_they_share_stands_once() -> None:
    web = FakeWeb(story__2=write_part(2, link=next_link("/story/3")), story__3=write_part(3))
    page = join(write_part(1, link=next_link("/story/2")), web)
    assert page.text == "\n\n".join(["A night at sea", *SENTENCES, BIO])
    assert web.asked == ["https://www.example.org/story/2", "https://www.example.org/story/3"]
    assert [step.evidence.split("; ")[1] for step in page.steps] == ["its URL counts on"] * 2
    assert page.title == "A night at sea"


def test_every_rendering_shows_the_whole_text() -> None:
    page = join(write_part(1, link=next_link("/story/2")), FakeWeb(story__2=write_part(2)))
    for rendered in (page.to_markdown(), page.to_html(), page.to_mobile_html(), page.to_text(include_tables=False)):
        for text in (*SENTENCES[:4], BIO):
            assert rendered.count(text) == 1
        assert "Next page" not in rendered
    described = page.to_dict()
    assert described["text"] == page.text
    assert described["pages"] == ["https://www.example.org/story", "https://www.example.org/story/2"]
    assert len({block["id"] for block in described["blocks"]}) == len(described["blocks"])
    assert described["joined"][0]["rule"] == "next_page"


def test_limits_are_those_of_the_pages_and_count_all_parts() -> None:
    given = Limits(max_output_ratio=19.0)
    cleaner = webclean.Cleaner(limits=given, on_limit="truncate")
    first = cleaner.clean(write_part(1, link=next_link("/story/2")), url="https://www.example.org/story")
    web = FakeWeb(story__2=write_part(2, extra="<!-- -->" * 20_000))
    page = join_pages(first, cleaner=cleaner, fetch=web)
    assert len(page.parts) == 2
    assert page.limits == given
    assert page.on_limit == "truncate"
    assert [part.limits for part in page.parts] == [given] * 2
    with page._limit():
        assert spend_output(19 * 160_000)
        assert not spend_output(19 * 10_000)
    assert page.to_html().endswith("</html>\n")


def test_short_lines_may_repeat_inside_a_text() -> None:
    refrain = "<p>Row on, row on.</p>"
    second = (
        write_part(2)
        .replace("<p>By", f"{refrain}<p>By")
        .replace(f"<p>{BIO}", f"{refrain}<p>The end is near.</p><p>{BIO}")
    )
    page = join(
        write_part(1, extra=f"{refrain}<p>{SENTENCES[5]}</p>", link=next_link("/story/2")), FakeWeb(story__2=second)
    )
    assert page.text.count("Row on, row on.") == 2


def test_a_single_page_that_holds_it_all_is_read_instead(tmp_path: Path) -> None:
    whole = write_part(1).replace(f"<p>{BIO}", "".join(f"<p>{text}</p>" for text in SENTENCES[2:]) + f"<p>{BIO}")
    web = FakeWeb(story__all=whole, story__2=write_part(2))
    page = join(write_part(1, link=next_link("/story/2") + '<a href="/story/all">View as single page</a>'), web)
    assert page.text == "\n\n".join(["A night at sea", *SENTENCES, BIO])
    assert web.asked == ["https://www.example.org/story/all"]
    rules = tmp_path / "rules.yaml"
    for most, text in ((2, page.text), (1, webclean.clean(write_part(1)).text)):
        rules.write_text(f"joining: {{max_pages: {most}}}")
        given = write_part(1, link='<a href="/story/all">View as single page</a>')
        assert join(given, web, rules=rules).text == text


def test_a_single_page_that_does_not_hold_it_is_left_for_the_next_pages() -> None:
    web = FakeWeb(
        story__all="<p>Subscribe to read this story, it costs only two coins a week.</p>", story__2=write_part(2)
    )
    page = join(write_part(1, link=next_link("/story/2") + '<a href="/story/all">View as single page</a>'), web)
    assert SENTENCES[3] in page.text
    assert "Subscribe" not in page.text
    assert "not joined: holds 0%" in page.steps[0].evidence


@pytest.mark.parametrize(
    ("link", "served", "why"),
    [
        ("/story/2", None, "HTTP 404"),
        ("https://www.example.org/story#more", None, "read already"),
        ("/other", write_part(2, title="Bakers of the old town"), "another text: 'Bakers of the old town'"),
        ("/story/2", write_part(1), "has no new text"),
        ("/story/2", Fetched("https://ads.example.com/", b"<p>x", "text/html", None), "not on example.org"),
    ],
)
def test_what_is_no_part_of_the_text_is_not_joined(link: str, served: str | Fetched | None, why: str) -> None:
    web = FakeWeb()
    if served is not None:
        web.pages[f"https://www.example.org{link}"] = served
    rel = f'<link rel="next" href="{link}">'
    page = join(write_part(1).replace("</head>", f"{rel}</head>"), web)
    alone = webclean.clean(write_part(1), url="https://www.example.org/story")
    assert page.text == alone.text
    assert page.parts[0].url == alone.url
    if page.steps:
        assert why in page.steps[0].evidence
    else:
        assert why == "read already"  # a link to the page itself is no next page


def test_a_circle_ends(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "rules: {parts: {action: {next_page: 'a.on'}, because: parts}}")
    on = '<a class="on" href="{}">on</a>'
    web = FakeWeb(b=write_part(2, link=on.format("/c")), c=write_part(3, link=on.format("/story")))
    page = join(write_part(1, link=on.format("/b")), web, rules=rules)
    assert page.text == "\n\n".join(["A night at sea", *SENTENCES, BIO])
    assert page.steps[-1].evidence.endswith("/story is read already")
    assert len(web.asked) == 2


def test_a_rule_may_lead_to_any_page_of_the_site_but_not_off_it(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules: {parts: {action: {next_page: '//a[@class=\"on\"]/@href'}, because: parts}}")
    web = FakeWeb(x=write_part(2, title="Something else", link='<a class="on" href="https://example.com/">on</a>'))
    page = join(write_part(1, link='<a class="on" href="/x">on</a>'), web, rules=rules)
    assert SENTENCES[3] in page.text
    assert page.steps[0].evidence.split("; ")[:2] == ["https://www.example.org/x: rule parts", "as the rules say"]
    assert page.steps[1].evidence.endswith("not joined: https://example.com/ is not on example.org")


@pytest.mark.parametrize(
    ("limit", "n_pages", "why"),
    [
        ("max_pages: 2", 2, "the most of"),
        ("max_bytes: 100", 1, "max_bytes"),
        ("max_seconds: 0.0000001", 1, "max_seconds"),
    ],
)
def test_pages_bytes_and_seconds_are_bounded(limit: str, n_pages: int, why: str, tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", f"joining: {{{limit}}}")
    web = FakeWeb(story__2=write_part(2, link=next_link("/story/3")), story__3=write_part(3))
    page = join(write_part(1, link=next_link("/story/2")), web, rules=rules)
    assert len(page.parts) == n_pages
    assert why in page.steps[-1].evidence


def test_nothing_is_fetched_when_bytes_or_seconds_are_used_up(tmp_path: Path) -> None:
    rules, second = tmp_path / "rules.yaml", write_part(2, link=next_link("/story/3"))
    for limit, asked in (("max_bytes", ["https://www.example.org/story/2"]), ("max_seconds", [])):
        rules.write_text(
            f"joining: {{max_bytes: {len(second.encode())}, max_seconds: {'9' if asked else '0.0000001'}}}"
        )
        web = FakeWeb(story__2=second, story__3=write_part(3))
        page = join(write_part(1, link=next_link("/story/2")), web, rules=rules)
        assert web.asked == asked
        assert page.steps[-1].evidence.endswith(f"`joining.{limit}` is used up")


def test_without_an_address_nothing_is_fetched() -> None:
    web = FakeWeb()
    page = join_pages(webclean.clean(write_part(1, link=next_link("https://www.example.org/2"))), fetch=web)
    assert web.asked == []
    assert "address of the first page is not known" in page.steps[0].evidence


@pytest.mark.parametrize(
    ("first", "url", "number"),
    [
        ("https://a.org/story", "https://a.org/story/2", 2),
        ("https://a.org/story/", "https://a.org/story/page/3/", 3),
        ("https://a.org/2024/05/c_123.htm", "https://a.org/2024/05/c_123_2.htm", 2),
        ("https://a.org/story?id=7", "https://a.org/story?id=7&page=2", 2),
        ("https://a.org/story?id=7", "https://a.org/story?page=2&id=7", 2),
        ("https://a.org/story.html", "https://a.org/story-02.html", 2),
        ("https://a.org/story.html", "https://a.org/story/2", 2),
    ],
)
def test_urls_that_count_on(first: str, url: str, number: int) -> None:
    assert is_numbered_part(first, url, number)
    assert not is_numbered_part(first, url, number + 1)


@pytest.mark.parametrize(
    ("first", "url"),
    [
        ("https://a.org/news/1", "https://a.org/news/2"),
        ("https://a.org/news/121", "https://a.org/news/122"),
        ("https://a.org/news/12", "https://a.org/news/122"),
        ("https://a.org/one", "https://a.org/two-2"),
        ("https://a.org/one", "https://a.org/ones-2"),
        ("https://a.org/2024/05/01/x", "https://a.org/2024/05/02/x"),
    ],
)
def test_urls_that_only_count(first: str, url: str) -> None:
    assert not is_numbered_part(first, url, 2)


@pytest.fixture
def server() -> Iterator[str]:
    pages = {"/story": write_part(1, link=next_link("/story/2")), "/story/2": write_part(2)}

    class Site(Handler):
        def respond(self) -> None:
            body = pages.get(self.path, "").encode()
            self.answer(200 if body else 404, {"Content-Type": "text/html; charset=utf-8"}, body)

    with run_site(Site) as url:
        yield url


def test_on_the_command_line_joining_is_asked_for(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", f"{server}/story", "--allow-private"]) == 0
    assert SENTENCES[3] not in capsys.readouterr().out
    assert main(["clean", f"{server}/story", "--allow-private", "--join"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "\n\n".join(["A night at sea", *SENTENCES[:4], BIO]) + "\n"
    assert "next_page" in captured.err


def test_private_addresses_are_refused_while_joining(server: str) -> None:
    page = join_pages(webclean.clean(write_part(1, link=next_link("/story/2")), url=f"{server}/story"))
    assert "not a public address" in page.steps[0].evidence
    assert len(page.parts) == 1
