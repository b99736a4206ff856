"""Posts of boards that no rule knows: made-up boards in several markups and languages."""

import pytest

import webclean
from webclean.model import Post

SAID = (
    "The old winch slips when the rope is wet, and I have tried wax, resin and strong words on it.",
    "Resin never worked for me either. A strip of leather on the drum did, glued for two days.",
    "Leather is right, but put the rough side out, or you will be back here within the month.",
    "We cut grooves into the drum with a file. It took a morning, and it holds since the flood.",
)
NAMES = ("oarlock", "ines_v", "Tar Fitter", "brassbell")
DAYS = ("3 May 2022", "4 May 2022", "5 May 2022", "6 May 2022")
BOARDS = {
    "by-line above": "<div class=post id=p{n}><a class=username href=/u/{n}>{name}</a> <i>Guru</i>"
    "<time>{day}</time><div class=body><p>{said}</p></div><a href=#q>Quote</a></div>",
    "by-line below": "<div class=entry id=p{n}><div class=txt>{said}</div>"
    "<div class=foot>Posted by <b>{name}</b> on {day}</div></div>",
    "German": "<article><p class=kopf>von <b>{name}</b> am {day}</p><div class=inhalt><p>{said}</p></div></article>",
    "rows of a table": "<tr><td class=head>{name}</td><td class=when>{day}</td></tr>"
    "<tr><td class=txt colspan=2><p>{said}</p></td></tr>",
    "custom elements": "<x-reply class=c{n}><b itemprop=author>{name}</b> <u>{day}</u><p>{said}</p></x-reply>",
    "members": "<section class='item odd'><header><a href='profile.php?uid={n}'>{name}</a> 7 votes · {day}</header>"
    "<div class=words>{said}</div></section>",
}


def find(markup: str, page_subtype: str = "forum") -> tuple[Post, ...]:
    page = webclean.clean(f"<body><h1>Winch slips</h1>{markup}", page_subtype=page_subtype)
    return page.analysis.columns.posts


def write(board: str) -> str:
    rows = zip(NAMES, DAYS, SAID, strict=True)
    posts = "".join(
        BOARDS[board].format(n=n, name=name, day=day, said=said) for n, (name, day, said) in enumerate(rows)
    )
    return f"<table>{posts}</table>" if posts.startswith("<tr") else f"<div class=list>{posts}</div>"


@pytest.mark.parametrize("board", BOARDS)
def test_posts_of_a_board_that_no_rule_knows_have_writer_date_and_text(board: str) -> None:
    posts = find(write(board))
    assert [post.author for post in posts] == list(NAMES)
    assert [post.date for post in posts] == list(DAYS)
    assert all(said in (post.text or said) for said, post in zip(SAID, posts, strict=True))


def test_a_post_is_where_its_element_or_the_link_of_its_date_says() -> None:
    assert [post.url for post in find(write("by-line above"))] == ["#p0", "#p1", "#p2", "#p3"]
    linked = write("by-line above").replace("<time>", "<a href=/t/7#42><time>").replace("</time>", "</time></a>")
    assert {post.url for post in find(linked)} == {"/t/7#42"}


def test_a_reply_inside_of_a_post_is_a_post_of_its_own() -> None:
    reply = "<li class=comment><b class=author>{name}</b> <i>{day}</i><div class=said><p>{said}</p></div>{inner}</li>"
    made = ""
    for name, day, said in reversed(list(zip(NAMES, DAYS, SAID, strict=True))):
        made = f"<ul>{reply.format(name=name, day=day, said=said, inner=made)}</ul>"
    posts = find(made)
    assert [post.author for post in posts] == list(NAMES)
    assert [post.text for post in posts] == list(SAID)


def test_posts_in_chinese_are_found_too() -> None:
    said = (
        "绳子一湿，老绞盘就打滑，蜡和松香我都试过了。",
        "我用一条皮子粘在鼓上，两天以后就好了。",
        "皮子的毛面要朝外，不然下个月又来问。",
    )
    rows = zip(("老船长", "海风", "木匠"), said, strict=True)
    floor = "<div class=lou><span class=zuozhe>{}</span><em>2022-05-0{} 10:00</em><div class=nr>{}</div></div>"
    posts = find("".join(floor.format(name, n + 1, text) for n, (name, text) in enumerate(rows)))
    assert [post.author for post in posts] == ["老船长", "海风", "木匠"]
    assert [post.text for post in posts] == list(said)


STORY = (
    "<div class=card><h3><a href=/n/{n}>{said}</a></h3><span class=author>{name}</span>"
    "<time>{day}</time><p>{said}</p></div>"
)


@pytest.mark.parametrize(
    "unit",
    [
        STORY,
        "<li><a href=/t/{n}>{said}</a> <b class=author>{name}</b> {day}</li>",
        # the headline of a topic before the unit with its first text, its writer and the last answer
        "<li><div class=row><a href=/t/{n}>Topic {n} of the harbour</a></div><div class=detail><div>{said}</div>"
        "<a class=author href=/u/{n}>{name}</a> {day}</div></li>",
        "<dt><a href=/t/{n}>Topic {n} of the harbour</a></dt><dd>{said} <b class=author>{name}</b> {day}</dd>",
        "<p>{said}</p>",
    ],
    ids=["stories", "topics", "topics with a text", "topics as terms", "paragraphs"],
)
def test_stories_topics_and_paragraphs_are_no_posts(unit: str) -> None:
    rows = enumerate(zip(NAMES, DAYS, SAID, strict=True))
    assert not find("".join(unit.format(n=n, name=name, day=day, said=said) for n, (name, day, said) in rows))


def test_a_page_that_is_no_thread_has_no_posts() -> None:
    assert not find(write("by-line above"), "article")


def test_a_label_that_all_posts_have_is_no_name() -> None:
    unit = "<div class=post><span class=author>Member</span><b class=author>{name}</b> {day}<p>{said}</p></div>"
    rows = zip(NAMES, DAYS, SAID, strict=True)
    posts = find("".join(unit.format(name=name, day=day, said=said) for name, day, said in rows))
    assert [post.author for post in posts] == list(NAMES)


def test_what_posts_say_is_kept_however_short_it_is() -> None:
    short = (
        "Ask them for the bark as well, it burns greener.",
        "We split the load between the three of us and a cart.",
        "Yes, do that.",
    )
    unit = "<div class=answer><div class=said><p>{}</p></div><div class=meta>answered by {}</div></div>"
    text = f"<div class=question><h1>Wood?</h1>{''.join(f'<p>{said}</p>' for said in SAID * 2)}</div>"
    markup = text + "".join(map(unit.format, short, NAMES))
    page = webclean.clean(f"<body>{markup}", page_subtype="forum")
    assert all(said in page.text for said in short)
