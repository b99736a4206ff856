"""Records of small lists: which of an entry's texts is what."""

import pytest

import webclean
from tests.segments.made_lists import RULES, SUMMARY, URL
from webclean.model import Count, Document, Record
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.segments.entry import Named
from webclean.segments.listing import leave_copies
from webclean.segments.records import read_record
from webclean.segments.units import EntryColumns, Unit


def read(
    entry: str, *author_tags: str, title_tags: tuple[str, ...] = (), url: str = URL, at: str = ""
) -> Record | None:
    """The record of one `div`, with attributes `at`; elements of `author_tags` are named for an author, those of
    `title_tags` for a title."""
    document = parse_page(f"<body><div {at}>{entry}</div>", url=url)
    row = document.names.index("div")
    authors, titles = (
        {i for i, name in enumerate(document.names) if name in tags} for tags in (author_tags, title_tags)
    )
    return read_record(find_columns(document), Unit(row, int(document.end[row])), Named(authors, titles))


def find_columns(document: Document) -> EntryColumns:
    return EntryColumns(document, RULES, build_columns(document, load_rules()).prices_dates)


@pytest.mark.parametrize(
    ("entry", "record"),
    [
        ("<a href=/a>Two cranes</a>", Record("Two cranes", "https://x.net/a")),
        (f"<h3>Cranes</h3><p><a href=/a>more</a></p><p>{SUMMARY}</p>", Record("Cranes", "https://x.net/a", SUMMARY)),
        (f"<h3><a href=/a>Cranes</a></h3><p>{SUMMARY}</p>", Record("Cranes", "https://x.net/a", SUMMARY)),
        # of two headings the longer one
        ("<h2>New</h2><h3><a href=/a>Two cranes</a></h3>", Record("Two cranes", "https://x.net/a")),
        # the link named most often, then the longest
        (
            "<p><a href=/b>A longer text of a link</a></p><p><a href=/a>Cranes</a></p><p><a href=/a>more</a></p>",
            Record("Cranes", "https://x.net/a"),
        ),
        ("<p><a href=/b>Short</a></p><p><a href=/a>Longer one</a></p>", Record("Longer one", "https://x.net/a")),
        # links amid longer text are no titles: the first text is
        (
            "<p>Kite</p><p>It flies high above all of us in the wind, see <a href=/a>here</a> how.</p>",
            Record("Kite", None, "It flies high above all of us in the wind, see here how."),
        ),
        # a link to a person elsewhere makes no person of a text without a link
        (
            "<p>Kite</p><p>It flies high above all of us in the wind, as <a href=/user/tom>he</a> says.</p>",
            Record("Kite", None, "It flies high above all of us in the wind, as he says."),
        ),
        (
            "<p><a href=/a>Kettle</a></p><p>19.90 EUR</p><p>12 May 2023</p>",
            Record("Kettle", "https://x.net/a", date="12 May 2023", price="19.90 EUR"),
        ),
        (
            "<p><a href=/a>Kettle</a></p><time datetime=' 2023-05-12 '>last week</time>",
            Record("Kettle", "https://x.net/a", date="2023-05-12"),
        ),
        ("<p><a href=/a>K</a></p><img src='data:x' data-src=/k.png>", Record("K", "https://x.net/a", image="https://x.net/k.png")),
        ("<p><a href=/a>K</a></p><img src='data:x'><img src=/l.png>", Record("K", "https://x.net/a", image="https://x.net/l.png")),
        ("<p><a href=/a>K</a></p><script>Hidden words that are quite long.</script>", Record("K", "https://x.net/a")),
        ("<img src=/k.png>", None),
        # a link to the page itself that says nothing
        ("<p><a href=/list>Red</a></p><p>(12)</p>", None),
    ],
)  # fmt: skip
def test_which_text_is_what(entry: str, record: Record | None) -> None:
    assert read(entry) == record


def test_who_wrote_an_entry() -> None:
    post = f"<b>Tom</b><p>{SUMMARY}</p>"
    assert read(post, "b") == Record("", None, SUMMARY, author="Tom")
    byline = f"<h3><a href=/a>Cranes</a></h3><p>By Ada Quill</p><p>{SUMMARY}</p>"
    assert read(byline) == Record("Cranes", "https://x.net/a", SUMMARY, author="Ada Quill")
    person = f"<p><a href=/user/tom>Tom</a></p><p>{SUMMARY}</p>"
    assert read(person) == Record("", None, SUMMARY, author="Tom")


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("<li><a href=/p/2>2</a></li>", None),
        ("<li><a href=/p/2>»</a></li>", None),
        ("<li><a href=/p/2>< 1 / 9 ></a></li>", None),
        ("<li><a href=/p/2>第二页</a></li>", "第二页"),
        ("<li><a href=/b/1984>1984</a> <b>$9.50</b></li>", "1984"),
        ("<li><a href=/b/1984><img src=/c.jpg width=90 height=90>1984</a></li>", "1984"),
        ("<li><a href=/b/1984>1984</a><p>The year in which it all came to an end for him.</p></li>", "1984"),
        ("<li><a href=/b/x>X</a></li>", "X"),
        # what leads on, a date and a name
        *((f"<a href=/a>{text}</a>", None) for text in ("Next", "more", "下一页", "12 May 2023", "7")),
        ("<a href=/user/tom>Tom</a>", None),
    ],
)
def test_what_says_too_little_is_no_entry(entry: str, title: str | None) -> None:
    record = read(entry)
    assert (None if record is None else record.title) == title


def read_title(entry: str, *author_tags: str, title_tags: tuple[str, ...] = (), url: str = URL) -> str | None:
    record = read(entry, *author_tags, title_tags=title_tags, url=url)
    return None if record is None else record.title


RATED = "<p class=rating><span>9.3</span> <i class={}>(3.2M)</i> <button>Rate</button></p>"


@pytest.mark.parametrize(
    ("field", "said", "value"),
    [
        ("counts", "<p>12 replies · 1.4k views</p>", (Count("replies", 12), Count("views", 1400))),
        ("counts", "<p>76 Comments</p>", (Count("comments", 76),)),
        ("counts", "<p>Comments: 1,076</p>", (Count("comments", 1076),)),
        ("counts", "<p>回复 12 查看 3万</p>", (Count("replies", 12), Count("views", 30000))),
        ("counts", "<p class=comment-bubble><i>23</i></p>", (Count("comments", 23),)),
        ("counts", "<p><i title=Replies>143</i></p>", (Count("replies", 143),)),
        ("counts", "<p><a href=/a#reviews>(112)</a></p>", (Count("reviews", 112),)),
        ("counts", "<p class=votes>7</p><p>9 points</p>", (Count("votes", 7),)),  # the first of two
        # a number inside a line is named by its own element
        ("counts", RATED.format("rating--vote-count"), (Count("votes", 3_200_000),)),
        ("counts", RATED.format("big"), ()),
        # what is no count: days, shares, numbers of posts, marks with a fraction, numbers without a word
        ("counts", "<p>3 days, no comment</p>", ()),
        ("counts", "<p class=comments>40%</p>", ()),
        ("counts", "<p class=comment>#514</p>", ()),
        ("counts", "<p class=review-score>4.5</p>", ()),
        ("counts", "<p>112</p>", ()),
        ("counts", "<p class=views-row>1</p>", ()),
        ("price", "<p>$50</p>", "$50"),
        ("price", "<p>from $50.20 on</p>", "$50.20"),
        # an amount with a letter behind it, or a word for a larger one
        ("price", "<p>$50k Bond</p>", None),
        ("price", "<p>C$90k - 110k</p>", None),
        ("price", "<p>It was for $457 million</p>", None),
        ("price", "<p>It was for 12 万元</p>", None),
        # an amount that a sentence speaks of, in any language
        ("price", "<p>Last week the owners of the mill said that it took them $500,000 to turn it again.</p>", None),
        ("price", "<p>Der Müller und seine Frau haben für das neue Rad im letzten Jahr 9.000 € bezahlt.</p>", None),
        ("price", "<p>Hand-made bell of bronze with a long clapper, tuned in G, sent by post: $50.20</p>", "$50.20"),
        # a date in a sentence is not that of the entry; that before it, behind it or in a by-line may be
        ("date", "<p>All who want to fly south with them should write by 9 March and say how many they are.</p>", None),
        ("date", "<p>9 March 2024 • All who want to fly south with them should write and say it.</p>", "9 March 2024"),
        ("date", "<p>Posted by Ada Quill of the harbour on 9 March 2024 in Birds, with 3 comments</p>", "9 March 2024"),
        ("date", "<p>7 March 12:46 PM EST</p>", "7 March 12:46 PM"),
        ("date", "<p>March 7, 2024</p>", "March 7, 2024"),
        ("date", "<p>Tomorrow at 12:00 PM</p>", "Tomorrow at 12:00 PM"),
        ("date", "<p>Wednesday, 16:00</p>", "Wednesday, 16:00"),
        ("date", "<p>vor 3 Stunden</p>", "vor 3 Stunden"),
        # a stamp has no control characters
        ("date", "<p>7 March 2024</p><time datetime='2024-&#27;03-07 '></time>", "2024-03-07"),
        ("date", "<p>7 March 2024</p><time datetime='&#27;'></time>", "7 March 2024"),
        # ages and times of day, where there is no other date
        ("date", "<p>18d</p>", "18d"),
        ("date", "<p>3 h</p>", "3 h"),
        ("date", "<p>18d of it</p>", None),
        ("date", "<p>18d</p><p>12 May 2023</p>", "12 May 2023"),
        ("date", "<p>11:51</p>", None),
        ("date", "<p class=post-date>11:51</p>", "11:51"),
        ("date", "<p class=reply-date><span>11:51</span></p>", "11:51"),
        ("date", "<p class=candidate>11:51</p>", None),
        ("date", "<p class=created>11:51 or so</p>", None),
        ("date", "<p><relative-time datetime=2023-05-12>Friday</relative-time></p>", "2023-05-12"),
        ("date", "<p><other-thing datetime=2023-05-12>Friday</other-thing></p>", None),
        # names of buttons and ratings are no summary
        ("summary", f"<p>Save this wonderful event: Two cranes</p><p>{SUMMARY}</p>", SUMMARY),
        ("summary", "<p>Add Two cranes of paper to your list</p>", ""),
        ("summary", f"<p>{SUMMARY} <a href=/a>Read more</a></p>", SUMMARY),
        ("summary", f"<p>{SUMMARY} <span>In stock</span> <a href=/a>查看详情</a></p>", f"{SUMMARY} In stock"),
        ("summary", f"<p>{SUMMARY} <a href=/a>Read more</a> of it.</p>", f"{SUMMARY} Read more of it."),
        # who, when and how many answers
        (
            "summary",
            f"<p>{SUMMARY}</p><div><b>Ada Quill</b> – <time>3/7/2026</time> | <a href=/a#c>15</a></div>",
            SUMMARY,
        ),
        ("summary", f"<p>{SUMMARY}</p><p>Культура и общество, 12 мая 2024</p>", SUMMARY),
        (
            "summary",
            f"<p>{SUMMARY}</p><p>渡轮在漫长的冬天之后重新开航。2024年5月12日</p>",
            f"{SUMMARY} 渡轮在漫长的冬天之后重新开航。2024年5月12日",
        ),
        ("summary", "<p>(133) 133 reviews with an average rating of 4.6 out of 5 stars</p>", ""),
    ],
)
def test_what_an_entry_says_is_in_its_field(field: str, said: str, value: object) -> None:
    record = read(f"<h3><a href=/a>Two cranes</a></h3>{said}")
    assert getattr(record, field) == value


@pytest.mark.parametrize(
    ("entry", "at", "is_advertisement"),
    [
        ("<p>Promoted</p>", "", True),
        ("<p>Ad by a seller</p>", "", True),
        ("<p>广告</p>", "", True),
        ("<p>Promoted to head of the yard</p>", "", False),
        ("<p>12 May 2023</p>", "class='feature feature--ad'", True),
        ("<p>12 May 2023</p>", "class=sponsored", True),
        ("<p>12 May 2023</p>", "class='badge add'", False),
    ],
)
def test_advertisements_are_marked(entry: str, at: str, is_advertisement: bool) -> None:
    record = read(f"<h3><a href=/a>Cranes</a></h3>{entry}", at=at)
    assert record is not None
    assert record.is_advertisement is is_advertisement


@pytest.mark.parametrize(("source", "n_images"), [("/icon.png", 0), ("/{}.png", 12)])
def test_a_picture_that_most_entries_have_is_an_icon(source: str, n_images: int) -> None:
    entry = (
        "<li><a href=/s/{0}>The mill of {0} turns again</a> <img src={1}> and was mended in spring by two people</li>"
    )
    entries = "".join(entry.format(n, source.format(n)) for n in range(12))
    page = webclean.clean(f"<h1>Mills</h1><ul>{entries}</ul>", url="https://x.net/", page_type="index")
    assert sum(bool(record.image) for block in page.blocks for record in block.records) == n_images


def test_what_sets_a_text_apart_from_its_title_is_none_of_it() -> None:
    found = read(f"<a href=/a>Locks</a>, {SUMMARY}")
    assert found is not None and found.summary == SUMMARY


def test_a_title_is_in_an_element_named_for_it() -> None:
    entry = "<p><a href=/abs/1>abs:1</a> <a href=/pdf/1>pdf</a></p><p><b>Title: Of cranes</b></p>"
    assert read_title(entry) == "abs:1"
    assert read_title(entry, title_tags=("b",)) == "Of cranes"
    # a link is preferred to a longer text
    two = "<p><b>What is new today</b></p><p><b><a href=/a>Cranes</a></b></p>"
    assert read_title(two, title_tags=("b",)) == "Cranes"
    # a label is no title
    assert read_title("<p><b>Tom said:</b></p><p><a href=/a>Cranes</a></p>", title_tags=("b",)) == "Cranes"


def test_a_description_is_no_title_beside_an_address() -> None:
    described = "Enjoy the new roof of the house and of the sheds. " * 5
    for wrong in (f"<p>{described}</p>", f"<p><b>{described}</b></p>", f"<b><p>Houses</p><p>{described}</p></b>"):
        entry = f"<a href=/a><p>$ 500,000</p>{wrong}<p>12 Pah Rah Dr</p></a>"
        assert read_title(entry, title_tags=("b",)) == "12 Pah Rah Dr"
    assert read_title(f"<a href=/a><p>{described}</p></a>") == described.strip()


def test_posts_have_no_title() -> None:
    post = f"<p><i>Tom</i></p><p><b>Old hand</b></p><p><a href={{0}}>12 May 2023</a></p><p>{SUMMARY}</p>"
    # the date links to the page or below it
    assert read_title(post.format("/list/p7"), "i", title_tags=("b",)) == ""
    assert read_title(post.format("/list#p7"), "i", title_tags=("b",)) == ""
    assert read_title(post.format("/cranes"), "i", title_tags=("b",)) == "Old hand"
    # nor where all leads to the page or to people
    rank = f"<p><i>Tom</i></p><p><b>Old hand</b></p><p>{SUMMARY}</p><p><a href={{0}}>like</a></p>"
    assert read_title(rank.format("/list/p7/like"), "i", title_tags=("b",)) == ""
    assert read_title(rank.format("/user/tom"), "i", title_tags=("b",)) == ""
    assert read_title(rank.format("/lists/7"), "i", title_tags=("b",)) == "Old hand"


@pytest.mark.parametrize(
    ("entry", "author"),
    [
        ("<p>Posted by Ada Quill on Monday, 3 May 2021</p>", "Ada Quill"),
        ("<p>By Ada Quill | 3 May 2021</p>", "Ada Quill"),
        ("<p>By the light of the moon, they flew south again</p>", None),  # no name
        ("<p><a href=/user/ada>Ada Quill</a> 3 May 2021</p>", "Ada Quill"),
        ("<p><a href=/writers/ada>Ada Quill</a> 3 May 2021</p>", None),
        ("<p><a href=/space-uid-12.html>Ada Quill</a></p>", "Ada Quill"),
        # words in the title of a page are none of an address of somebody
        ("<p><a href=/tags/first-person>First person</a></p>", None),
        ("<p><a href=/tags/third%20person>Third person</a></p>", None),
    ],
)
def test_who_wrote_an_entry_with_a_title(entry: str, author: str | None) -> None:
    record = read(f"<p><a href=/a>All about two cranes</a></p>{entry}")
    assert record is not None
    assert (record.title, record.author) == ("All about two cranes", author)


@pytest.mark.parametrize(
    ("url", "target", "is_entry"),
    [
        ("https://x.net/c/shoes.html?ref=1", "/c/shoes.html?color=red", False),
        ("https://x.net/c/shoes", "/c/shoes?color=red", False),
        ("https://x.net/c/shoes", "/c/shoes/red", True),
        ("https://x.net/", "/?p=12", True),
        ("https://x.net/index.html", "/index.html?p=12", True),
        ("https://x.net/show.php?f=3", "/show.php?t=12", True),  # a program shows what its query says
        ("https://x.net/show.php?f=3", "/show.php?f=3&sort=new", False),
        ("https://x.net/show.php?f=3", "/show.php?t=12&f=3", False),
        ("https://x.net/c/shoes", "https://share.net/?u=https%3A%2F%2Fx.net%2Fc%2Fshoes", False),
        ("https://x.net/", "https://share.net/?u=https%3A%2F%2Fx.net%2F", False),
        ("https://x.net/", "https://go.net/?u=https%3A%2F%2Fx.net%2Fcranes", True),
        ("https://x.net/c/shoes", "javascript:open()", False),
        ("https://x.net/c/shoes", "mailto:a@x.net", False),
    ],
)
def test_filters_and_share_buttons_are_no_entries(url: str, target: str, is_entry: bool) -> None:
    assert (read(f"<a href='{target}'>Red ones</a>", url=url) is not None) is is_entry
    # whatever they count or cost
    assert (read(f"<a href='{target}'>Red ones</a> <i class=comments>7</i>", url=url) is None) is (
        not is_entry and target[0] not in "jm"
    )
    # text of its own makes an entry
    assert read(f"<a href='{target}'>Red ones</a><p>{SUMMARY}</p>", url=url) is not None


def test_a_date_in_the_title_yields_to_another() -> None:
    entry = "<p><a href=/a>Plans of 3 May 2021 for the whole of the yard</a></p><p>{0}</p>"
    record = read(entry.format("7 June 2021"))
    assert record is not None and record.date == "7 June 2021"
    record = read(entry.format("a plan"))
    assert record is not None and record.date == "3 May 2021"


ANNA = "<h3><a href=/anna>{}</a> / <a href=/anna/kite>kite</a></h3>"
PROSE = "<h3>Cranes</h3><p>The cranes that <a href=/x>came by ship</a> last year stand in the yard.</p>"
BOLD = "<p><b>Two cranes</b></p><p>{}</p>"
PICTURES = "<a href=/a><img src=/i.png></a>", "<a href=/b><img src=/j.png></a>"


@pytest.mark.parametrize(
    ("entry", "title", "url"),
    [
        # of an owner and a thing the thing, but not for the folder that it is in
        (ANNA.format("anna"), "kite", "/anna/kite"),
        (ANNA.format("the-long-name"), "kite", "/anna/kite"),
        ("<h3><a href=/anna/b>the-long-name</a> / <a href=/anna/kite>kite</a></h3>", "the-long-name", "/anna/b"),
        ("<h3><a href=/>the-long-name</a> / <a href=/kite>kite</a></h3>", "the-long-name", "/"),
        # of linked headings the one of the highest rank; where none is a link, the longest
        ("<h2><a href=/a>Cranes</a></h2><h3><a href=/t>Meeting</a> in <a href=/p>the harbour</a></h3>", "Cranes", "/a"),
        ("<h2>New</h2><h3>Two cranes</h3><p><a href=/a>more</a></p>", "Two cranes", "/a"),
        # the link stands outside of sentences, and has evidence of its own
        (f"{PROSE}<p><a href=/a>Read it</a></p>", "Cranes", "/a"),
        (PROSE, "Cranes", None),
        (BOLD.format("<a href=/a>Read more</a>"), "Two cranes", "/a"),
        (BOLD.format(PICTURES[0]), "Two cranes", "/a"),
        (BOLD.format("<a href=/a>Harbours</a>"), "Two cranes", None),
        (BOLD.format("".join(PICTURES)), "Two cranes", None),
    ],
)  # fmt: skip
def test_which_link_is_that_of_an_entry(entry: str, title: str, url: str | None) -> None:
    record = read(entry, title_tags=("b",))
    assert record is not None and (record.title, record.url) == (title, url and f"https://x.net{url}")


def test_an_age_beside_a_writer_is_no_title() -> None:
    record = read(f"<p><i>Tom</i></p><p><a href=/a/tom>3y</a></p><p>{SUMMARY}</p>", "i")
    assert record is not None and (record.title, record.author, record.date) == ("", "Tom", "3y")


@pytest.mark.parametrize("said", ["26", "3 comments", "woensdag 22 mei 2013 - 14:05"])
def test_what_is_no_name_is_no_author(said: str) -> None:
    record = read(f"<p><a href=/a>Two cranes</a></p><b>{said}</b><p>{SUMMARY}</p>", "b")
    assert record is not None
    assert (record.title, record.author) == ("Two cranes", None)


def test_an_element_named_for_writers_around_all_of_an_entry_names_none() -> None:
    record = read("<b><a href=/a>Two cranes</a></b>", "b")
    assert record == Record("Two cranes", "https://x.net/a")


@pytest.mark.parametrize(
    "prices",
    [
        "<span><del>€ 90,00</del> <ins>€ 60,00</ins></span>",
        "<s>€ 90,00</s> € 60,00",
        # as WooCommerce writes it
        "<del><span><bdi><span>€</span> 90,00</bdi></span></del> <i>Original price was: € 90,00.</i> "
        "<ins><span><bdi><span>€</span> 60,00</bdi></span></ins> <i>Current price is: € 60,00.</i>",
        "<span class=old-price>€ 90,00</span> <b class=special>€ 60,00</b>",
        "<span class=normalprice>€ 90,00</span> <b class=productSpecialPrice>€ 60,00</b>",
        "<span class=regular-price>€ 60,00</span>",
        "Was € 90,00 Now € 60,00",
        "Statt € 90,00 nur € 60,00",
        "Antes € 90,00 Ahora € 60,00",
        "<i class=save>Save € 30,00</i> <i>€ 60,00</i>",
        # as Shopify writes it, once for what is not reduced, once for what is
        "<p class=price__regular>Regular price <b class=price-item--regular>€ 60,00</b></p><p class=price__sale>"
        "<b class=price-item--sale>€ 60,00</b> <s class=price-item--regular>€ 90,00</s></p>",
        "<b>€ <i>60</i></b><b><i>,</i>00</b>",
        "<i>€ 6,50 / 100 g</i> <i>€ 60,00</i>",
        "<i>Includes free</i> <i>€ 49,00 Value: a lens</i> <i>€ 60,00</i>",
        "<i>€ 5,00 per month</i> <i>€ 60,00</i>",
        "<i>12 × </i><i class=instalment>€ 5,00</i> <i>€ 60,00</i>",
    ],
)
def test_the_price_is_what_is_paid(prices: str) -> None:
    record = read(f"<a href=/a><h2>Boot of felt</h2></a><p>{prices}</p>")
    assert record is not None
    assert record.price == "€ 60,00"


@pytest.mark.parametrize(
    "title", ["Why a $7 loaf has split the village", "Three repairs under $90", "A bell for $1,200 and a man"]
)
@pytest.mark.parametrize("tag", ["h2", "h4"])
def test_an_amount_that_a_headline_speaks_of_is_no_price(tag: str, title: str) -> None:
    record = read(f"<{tag}><a href=/a>{title}</a></{tag}><p>What happened at the quay in the evening.</p>")
    assert record is not None
    assert record.price is None


def test_of_copies_of_an_entry_the_one_that_says_most_is_left() -> None:
    name, more, other = (
        Record(title="Mill", url="/n/1"),
        Record(title="Mill", url="/n/1", summary="It turns again.", price="3 €"),
        Record(title="Tower", url="/n/2"),
    )
    read = [(Unit(at, at + 1), one) for at, one in enumerate((name, other, more, name))]
    assert [one for _, one in leave_copies(read)] == [other, more]
