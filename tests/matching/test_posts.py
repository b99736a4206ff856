"""Posts that rules name: which element is whose part, and the records they give."""

import webclean
from tests import write_file

RULES = """
rules:
  posts:
    action:
      posts: {each: .post, author: [.name, '[itemprop=name]'], date: .when, url: [.at, '.post[id]'], text: .said}
    because: a thread of a test
"""
POST = """<div class="post" id="p{number}"><a class="badge" href="/badges">Founder of the board</a>
<span class="name">{name}</span> <b class="when" {stamp}>{age}</b> <a href="/users/{name}">profile</a>
<div class="said"><blockquote>What somebody else said before, and at some length.</blockquote>{text}</div>
{inner}</div>"""
FIRST = "The mill stands still since the beam broke, and nobody in the valley carves beams of that length any more."
SECOND = "There is one man left beyond the pass who does it, if you bring him the oak."


def read_posts(markup, rules, tmp_path):
    path = write_file(tmp_path / "thread.yaml", rules)
    page = webclean.clean(f"<body><h1>The beam</h1>{markup}", rules=path, url="https://board.example/t/7")
    return [record for block in page.blocks for record in block.records]


def write_post(name, text, number=1, stamp="", age="2 hours ago", inner=""):
    return POST.format(name=name, text=f"<p>{text}</p>", number=number, stamp=stamp, age=age, inner=inner)


def test_a_post_has_what_its_parts_say(tmp_path):
    markup = write_post("Ann", FIRST, 1, 'datetime="2024-05-02T10:00Z"') + write_post("Bob", SECOND, 2)
    first, second = read_posts(markup, RULES, tmp_path)
    assert (first.title, first.author, first.date) == ("", "Ann", "2024-05-02T10:00Z")
    assert first.url == "https://board.example/t/7#p1"
    assert first.summary == FIRST  # without what it quotes
    assert (second.author, second.date, second.url) == ("Bob", "2 hours ago", "https://board.example/t/7#p2")


def test_what_a_post_does_not_say_its_record_does_not_have(tmp_path):
    rules = RULES.replace(", url: [.at, '.post[id]']", "")
    (first,) = read_posts(write_post("", FIRST, age=""), rules, tmp_path)
    assert (first.author, first.date, first.url) == (None, None, None)


def test_a_reply_inside_a_post_is_a_post_of_its_own(tmp_path):
    reply = write_post("Bob", SECOND, 2)
    first, second = read_posts(write_post("Ann", FIRST, 1, inner=reply), RULES, tmp_path)
    assert (first.author, first.summary) == ("Ann", FIRST)
    assert (second.author, second.summary) == ("Bob", SECOND)


def test_the_first_selector_that_finds_something_in_the_post_counts(tmp_path):
    microdata = (
        f'<div class="post" id="x"><meta itemprop="name" content="Cy"><div class="said"><p>{SECOND}</p></div></div>'
    )
    first, second = read_posts(write_post("Ann", FIRST) + microdata, RULES, tmp_path)
    assert (first.author, second.author) == ("Ann", "Cy")


def test_a_date_is_cut_out_of_the_text_around_it_and_no_control_characters_reach_records(tmp_path):
    (first,) = read_posts(write_post("Ann", FIRST, age="by Ann » 2 May 2024, edited by nobody"), RULES, tmp_path)
    assert first.date == "2 May 2024"
    (first,) = read_posts(write_post("A\u202enn\x1b", FIRST, 1, 'title="2024-05\x1b-02"'), RULES, tmp_path)
    assert (first.author, first.date) == ("Ann", "2024-05-02")


def test_pages_without_such_posts_are_read_as_ever(tmp_path):
    markup = "".join(f"<li><a href='/n/{at}'>Story number {at} of the day</a> <p>{FIRST}</p></li>" for at in range(4))
    assert len(read_posts(f"<ul>{markup}</ul>", RULES, tmp_path)) == 4


def write_thread(markup, parts, tmp_path):
    path = tmp_path / "thread.yaml"
    words = "  words: {when: {selector: .said}, action: keep, because: what posts say}\n"
    path.write_text(RULES.replace("text: .said", f"text: .said{parts}") + words, encoding="utf-8")
    markup = f"<title>The beam</title><body>{markup}"
    return webclean.clean(markup, rules=path, url="https://board.example/t/7")


STAMP = 'datetime="2024-05-02T10:00Z"'
HEAD_OF_ANN = "**Ann** · [2024-05-02](https://board.example/t/7#p1)"
HEAD_OF_BOB = "**Bob** · [2 hours ago](https://board.example/t/7#p2)"


def test_markdown_says_who_wrote_a_post_and_when_in_one_line(tmp_path):
    page = write_thread(write_post("Ann", FIRST, 1, STAMP) + write_post("Bob", SECOND, 2), "", tmp_path)
    lines = page.to_markdown().split("\n\n")
    assert lines.index(HEAD_OF_ANN) < lines.index(FIRST) < lines.index(HEAD_OF_BOB) < lines.index(SECOND)
    assert "badge" not in page.to_markdown()
    assert "<strong>Bob</strong> · " in page.to_html()
    assert "·" not in page.text


def test_replies_are_quotations_within_what_they_answer(tmp_path):
    inner = write_post("Bob", SECOND, 2)
    page = write_thread(write_post("Ann", FIRST, 1, STAMP, inner=inner), ", replies: '.post .post'", tmp_path)
    assert f"> {HEAD_OF_BOB}\n" in page.to_markdown()
    assert f"\n{HEAD_OF_ANN}\n" in page.to_markdown()


def test_replies_that_are_only_indented_are_within_what_they_answer(tmp_path):
    markup = "".join(
        write_post(name, f"{SECOND} So said {name}.", number, inner=f"<i class=ind indent={depth}></i>")
        for number, (name, depth) in enumerate((("Ann", 0), ("Bob", 1), ("Cy", 2), ("Di", 1), ("Ed", 0)), 1)
    )
    page = write_thread(f"<p>{FIRST}</p>{markup}", ", replies: .post, depth: .ind", tmp_path)
    marks = [line.rpartition("> ")[0] + ">" for line in page.to_markdown().splitlines() if "**" in line]
    assert marks == [">", "> >", "> > >", "> >", ">"]


def test_a_name_in_a_list_of_posts_stands_in_its_item(tmp_path):
    items = "".join(f"<li>{write_post(name, FIRST + name, 3)}</li>" for name in ("Ann", "Bob"))
    page = write_thread(f"<ul>{items}</ul>", "", tmp_path)
    assert "- **Ann** · " in page.to_markdown()
    assert "- **Bob** · " in page.to_markdown()


def test_a_line_that_says_who_and_what_is_no_line_above_a_post(tmp_path):
    lines = "".join(f"<p class=post><b class=name>{who}</b> <i class=said>so do I</i></p>" for who in ("Ann", "Bob"))
    markdown = write_thread(f"<p>{FIRST}</p>{lines}", "", tmp_path).to_markdown()
    assert markdown.count("so do I") == 2


def test_posts_are_no_items_and_what_they_say_is_no_quotation(tmp_path):
    items = "".join(
        f"<li class=post><b class=name>{name}</b><blockquote class=said><p>{FIRST}{name}</p></blockquote></li>"
        for name in ("Ann", "Bob")
    )
    page = write_thread(f"<ol>{items}</ol>", "", tmp_path)
    assert page.to_markdown().endswith(f"**Ann**\n\n{FIRST}Ann\n\n**Bob**\n\n{FIRST}Bob")


def read_dates(dates, tmp_path, start="<body>"):
    posts = "".join(write_post("Ann", FIRST, n, age=date) for n, date in enumerate(dates))
    path = write_file(tmp_path / "thread.yaml", RULES)
    page = webclean.clean(f"{start}<h1>The beam</h1>{posts}", rules=path)
    return [record.date for block in page.blocks for record in block.records]


def test_a_date_of_the_thread_that_can_be_read_in_one_way_tells_how_to_read_the_others(tmp_path):
    assert read_dates(["03/04/2024", "13/04/2024"], tmp_path) == ["2024-04-03", "2024-04-13"]
    assert read_dates(["03/04/2024", "03/14/2024"], tmp_path) == ["2024-03-04", "2024-03-14"]


def test_where_no_date_decides_the_language_does_if_all_of_it_write_alike(tmp_path):
    ambiguous = ["03/04/2024", "04/04/2024"]
    assert read_dates(ambiguous, tmp_path) == ambiguous
    assert read_dates(ambiguous, tmp_path, "<html lang=en><body>") == ambiguous
    assert read_dates(ambiguous, tmp_path, "<html lang=en-US><body>") == ["2024-03-04", "2024-04-04"]
    assert read_dates(ambiguous, tmp_path, "<html lang=en-GB><body>") == ["2024-04-03", "2024-04-04"]
    assert read_dates(ambiguous, tmp_path, "<html lang=fr><body>") == ["2024-04-03", "2024-04-04"]
    assert read_dates(["03.04.2024"], tmp_path) == ["2024-04-03"]


def test_elements_that_are_a_post_say_it_in_their_attributes(tmp_path):
    rules = RULES.replace(".name, '[itemprop=name]'", "'.post[author]'").replace(
        "date: .when", "date: '.post[created-timestamp]'"
    )
    rules = rules.replace("url: [.at, '.post[id]']", "url: '.post[permalink]'")
    post = write_post("", FIRST).replace(
        'class="post"', 'class="post" author=Ann created-timestamp=2024-01-05T08:00Z permalink=/t/7/1'
    )
    (first,) = read_posts(post, rules, tmp_path)
    assert (first.author, first.date, first.url) == ("Ann", "2024-01-05T08:00Z", "https://board.example/t/7/1")


BOARD = "<body><h1>The beam</h1><p>Two answers so far.</p>{}"
DATED = (
    '<div class="{kind}"><p>Reply {number}</p><b class="x1">{name}</b><i class="x2">28/11/2025 at 7:{number} pm</i>'
    "<p>{text}</p></div>"
)
PEOPLE = ("Judith C", "Otterlie B", "Indi I", "Georgina B")


def read_board(texts, page_subtype="forum"):
    """The records of a thread in markup that no rule names."""
    posts = [
        DATED.format(kind=f"k{number}", number=number + 10, name=name, text=text)
        for number, (name, text) in enumerate(zip(PEOPLE, texts, strict=True))
    ]
    page = webclean.clean(BOARD.format("".join(posts)), page_subtype=page_subtype)
    return [record for block in page.blocks for record in block.records]


def test_posts_that_no_rule_names_are_found_by_their_dates():
    records = read_board([FIRST, SECOND, FIRST, SECOND])
    assert [record.author for record in records] == list(PEOPLE)
    assert {record.date for record in records} == {"2025-11-28"}
    assert SECOND in records[1].summary


def test_what_has_a_date_and_no_text_is_no_post():
    links = [f"<a href=/{name}>{FIRST}</a>" for name in "abcd"]
    assert not any(record.author == PEOPLE[1] for record in read_board(links))


def test_dated_texts_of_a_page_that_is_no_thread_are_no_posts():
    assert not any(record.author == PEOPLE[1] for record in read_board([FIRST, SECOND] * 2, "article"))
