"""Front pages: parts by their names, and what is no entry: labels, tabs, copies, templates, menus of many columns."""

import pytest

import webclean

HEADLINES = {
    "en": ["The ferry is back on the crossing", "Two bakeries share one oven", "The museum shows letters at last"],
    "de": ["Die Fähre fährt wieder über den Fluss", "Zwei Bäcker teilen einen Ofen", "Das Museum zeigt alte Briefe"],
    "zh": ["渡轮在漫长的冬天之后重新开航", "两家面包店共用一个烤炉已有三年", "博物馆首次展出渔船队的旧信件"],
    "ru": ["Паром снова ходит через реку", "Две пекарни делят одну печь", "Музей показывает старые письма"],
}
SAID = "<p>The ferry is back on the crossing after a long winter in the yard, and it leaves at eight, as before.</p>"


def list_links(language: str, desk: str = "n") -> str:
    items = "".join(f"<li><a href=/{desk}/2024-{i}>{title}</a>" for i, title in enumerate(HEADLINES[language]))
    return f"<ul>{items}</ul>"


def name_parts(page: webclean.CleanPage) -> list[str]:
    sections = [section.title for top in page.sections for section in top.walk()]
    return [*sections, *(block.heading for block in page.blocks if block.kept)]


def list_titles(markup: str) -> list[str]:
    page = webclean.clean(f"<body>{markup}", url="https://post.example/")
    return [record.title for block in page.blocks for record in block.records]


@pytest.mark.parametrize(
    ("language", "name", "label"),
    [
        ("en", "U.S.", "<div class=kicker><a href=/section/12>{}</a></div>"),
        ("en", "Sport", "<h3><a href=/rubric-7/>{}</a></h3>"),
        ("de", "Wirtschaft", "<p><strong><a href=/ressort/2024>{}</a></strong></p>"),
        ("zh", "财经", "<h2><a href=/channel/5021>{}</a></h2>"),
        ("ru", "Культура", "<span class=rubric><a href=/rubrics/33/>{}</a></span>"),
    ],
)
def test_a_short_link_to_a_section_names_the_list_below_it(language: str, name: str, label: str) -> None:
    desks = "".join(
        f"<section>{label.format(called)}{list_links(tongue, tongue)}</section>"
        for tongue, called in ((language, name), *((other, "Zwei") for other in HEADLINES if other != language))
    )
    page = webclean.clean(f"<body><h1>Post</h1>{SAID}<div>{desks}</div>", url="https://post.example/")
    assert name in name_parts(page)
    assert name not in [record.title for block in page.blocks for record in block.records]


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "<h2><a href=/picks>Editor's choice</a></h2>"),
        ("de", "<h3>Meinung</h3>"),
        ("zh", "<h3><a href=/exclusive/>独家</a></h3>"),
        ("ru", "<h2><a href=/opinion>Мнение</a></h2>"),
    ],
)
def test_the_only_heading_of_a_box_is_a_label_where_a_longer_link_is_the_headline(language: str, label: str) -> None:
    boxes = "".join(
        f"<div class=box>{label}<a href=/s/{i}><img src=/i/{i}.jpg></a><div><a href=/s/{i}>{title}</a></div></div>"
        for i, title in enumerate(HEADLINES[language])
    )
    assert list_titles(f"<div>{boxes}</div>{SAID}") == HEADLINES[language]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "tabs",
    [
        "<ul class=nav-tabs><li><a href=/hot>{0}</a><li><a href=/new>{1}</a><li><a href=/old>{2}</a></ul>",
        "<div role=tablist><a href=/hot>{0}</a> <a href=/new>{1}</a> <a href=/old>{2}</a></div>",
        "<ul><li class=selected><a href=/hot>{0}</a><li><a href=/new>{1}</a><li><a href=/old>{2}</a></ul>",
    ],
)
def test_tabs_above_a_list_are_no_entries(language: str, tabs: str) -> None:
    names = {"en": ("Popular", "Latest", "Shared"), "zh": ("热门", "最新", "分享")}[language]
    found = list_titles(f"<h1>Post</h1><div>{tabs.format(*names)}{list_links(language)}</div>{SAID}")
    assert found == HEADLINES[language]


@pytest.mark.parametrize("copy", ["class='slide is-clone' aria-hidden=true", "class='slide slide-duplicate'"])
def test_copies_of_slides_are_shown_and_listed_once(copy: str) -> None:
    slides = [f"<h3><a href=/n/{i}>{title}</a></h3><p>{title}, 2024.</p>" for i, title in enumerate(HEADLINES["en"])]
    shown = "".join(f"<div class=slide>{slide}</div>" for slide in slides)
    track = f"<div class=track><div {copy}>{slides[-1]}</div>{shown}<div {copy}>{slides[0]}</div></div>"
    page = webclean.clean(
        f"<body><main>{track}</main>{list_links('de')}", url="https://post.example/", page_type="index"
    )
    titles = [record.title for block in page.blocks if block.kept for record in block.records]
    for title in HEADLINES["en"]:
        assert page.text.count(f"{title}\n") <= 1
        assert titles.count(title) == 1


def test_variables_of_templates_name_no_part() -> None:
    tpl = "<div class=card><h3>{{ titel }}</h3><p>von {{autor}}</p></div><div><h2>{* name *}</h2><p>${ort}</p></div>"
    page = webclean.clean(f"<body><h1>Post</h1>{SAID}{tpl}<div>{list_links('de')}</div>", url="https://post.example/")
    assert not [name for name in name_parts(page) if "{" in name]
    assert "{" not in page.text


def test_an_entry_that_is_a_picture_is_called_as_the_picture_is() -> None:
    pictures = "".join(
        f"<li><span><a href=/film/{i}><img src=/p/{i}.jpg alt='{title}'></a></span>"
        for i, title in enumerate(HEADLINES["ru"])
    )
    logos = "".join(
        f"<a href=https://{name}.example><img src=/{name}.png alt={name}></a>" for name in ("Visa", "Amex", "Giro")
    )
    assert list_titles(f"<h1>Post</h1>{SAID}<ul>{pictures}</ul><div>{logos}</div>") == HEADLINES["ru"]


def test_columns_of_names_beside_lists_that_say_more_are_a_menu() -> None:
    columns = "".join(
        f"<td><b>Halle {at}</b>{''.join(f'<div><a href=/h/{at}/{i}>Gasse {at}{i}</a></div>' for i in range(9))}</td>"
        for at in range(5)
    )
    stories = "".join(
        f"<div class=t><a href=/n/{i}>{title}</a>{SAID}</div>" for i, title in enumerate(HEADLINES["de"] * 2)
    )
    page = webclean.clean(f"<body><table><tr>{columns}</table><div>{stories}</div>", url="https://post.example/")
    menu = [block for block in page.blocks if "Gasse 11" in block.text]
    assert [(str(block.role), block.kept, block.records) for block in menu] == [("navigation", False, ())]
    # alone they are what the page has to say
    alone = webclean.clean(f"<body><h1>Hallen</h1><table><tr>{columns}</table>", url="https://post.example/")
    assert any("Gasse 11" in block.text and block.kept for block in alone.blocks)


@pytest.mark.parametrize(
    "by", ["by <a href=/u/{0}>{0}</a>", "von <a href='/mitglied?id=7'>{0}</a>", "作者：<a href=/space/7>{0}</a>"]
)
def test_the_author_of_a_row_is_the_member_and_not_the_topic(by: str) -> None:
    rows = "".join(
        f"<tr class=r{i % 2}><td><a href=/t/{i}>{title}</a><br><small>{by.format(name)}</small><td>{3 * i}"
        for i, (title, name) in enumerate(zip(HEADLINES["en"], ("oarlock", "ines_v", "tarfitter"), strict=True))
    )
    page = webclean.clean(
        f"<body><h1>Board</h1><table><tr><th>Topic<th>Replies{rows}</table>", url="https://b.example/w"
    )
    found = [(record.title, record.author) for block in page.blocks for record in block.records]
    assert found == list(zip(HEADLINES["en"], ("oarlock", "ines_v", "tarfitter"), strict=True))


DESKS = {"en": "Business", "de": "Wirtschaft", "zh": "财经", "ru": "Культура"}


@pytest.mark.parametrize("language", DESKS)
@pytest.mark.parametrize(
    "box",
    [
        # a label and links alone
        "<div class=box><p><a href=/desk>{0}</a></p><ul>{1}</ul></div>",
        # a heading, and cards with headings of a lower rank, each with its desk below it
        "<div class=box><h2><a href=/desk>{0}</a></h2>{2}</div>",
    ],
)
def test_a_label_above_several_headlines_is_no_entry_and_each_headline_is_one(language: str, box: str) -> None:
    numbered = list(enumerate(HEADLINES[language]))
    lines = "".join(f"<li><a href=/s/2024-{i}>{title}</a>" for i, title in numbered)
    cards = "".join(
        f"<div><h3><a href=/s/2024-{i}>{title}</a></h3><h5><a href=/n>{DESKS[language]}</a></h5></div>"
        for i, title in numbered
    )
    boxes = box.format(DESKS[language], lines, cards)
    assert list_titles(f"<h1>Post</h1>{SAID}<div>{boxes}</div>") == HEADLINES[language]


FRONT = """<body><div class=notice><p>{said}</p></div><h2><a href=/desk>{desk}</a></h2>
<div class=top-story><a href=/s/2024-9><img src=/9.jpg width=900></a><h3><a href=/s/2024-9>{lead}</a></h3>
<p>{said}</p></div><div>{rows}</div>"""


@pytest.mark.parametrize(
    ("language", "lead"),
    [
        ("en", "How the neighbours saved the old mill by the river"),
        ("de", "Wie die Nachbarn die alte Mühle am Fluss retteten"),
        ("zh", "邻居们如何在一个夏天里救下河边的老磨坊"),
        ("ru", "Как соседи спасли старую мельницу у реки"),
    ],
)
def test_the_lead_is_first_in_the_text_its_sections_and_the_outline_and_says_so(language: str, lead: str) -> None:
    rows = "".join(
        f"<article><h3><a href=/s/2024-{i}>{title}</a></h3><p>{title}, 2024.</p></article>"
        for i, title in enumerate(HEADLINES[language] * 4)
    )
    markup = FRONT.format(said=SAID, desk=DESKS[language], lead=lead, rows=rows)
    page = webclean.clean(markup, url="https://post.example/", page_type="index")
    (first,) = (block for block in page.blocks if any(reason.rule == "lead" for reason in block.reasons))
    assert lead in first.text
    assert first.kept and first.importance == max(block.importance for block in page.blocks)
    assert page.text.startswith(lead)
    tops = [top for top in page.sections if first in [block for one in top.walk() for block in one.blocks]]
    assert tops == list(page.sections[:1])
    assert sum(reason.rule == "lead" for top in tops for one in top.walk() for reason in one.reasons) == len(tops)
    titles = [line.strip(" -") for line in page.outline().splitlines()]
    assert titles.index(lead) == 0


@pytest.mark.parametrize("language", DESKS)
def test_a_menu_without_nav_whose_columns_are_of_several_kinds_is_navigation(language: str) -> None:
    desk, first = DESKS[language], HEADLINES[language][0].split()[0][:4]
    lists = "".join(
        f"<div><b>{first}</b><ul>{''.join(f'<li><a href=/d{at}/{i}>{desk[:5]} {i}</a>' for i in range(9))}</ul></div>"
        f"<div><i>{first}</i><p>{' '.join(f'<a href=/e{at}/{i}>{desk[:4]} {i}</a>' for i in range(6))}</p></div>"
        for at in range(4)
    )
    rows = "".join(
        f"<article><h3><a href=/s/2024-{i}>{title}, {i}</a></h3><p>{title}, {title}.</p></article>"
        for i, title in enumerate(HEADLINES[language] * 4)
    )
    page = webclean.clean(f"<body><div>{lists}</div><div>{rows}</div>", url="https://post.example/", page_type="index")
    assert f"{desk[:5]} 8" not in page.text
    assert all(title in page.text for title in HEADLINES[language])


MENUS = {
    "en": ["About us", "History"],
    "de": ["Über uns", "Geschichte"],
    "zh": ["关于我们", "历史沿革"],
    "ru": ["О нас", "История"],
}


def list_sections(markup: str, chars: int = 0) -> list[tuple[str, str]]:
    page = webclean.clean(f"<body>{markup}", url="https://post.example/", page_type="index")
    return [(one.title, one.text) for top in page.sections for one in top.walk() if len(one.text) >= chars]


@pytest.mark.parametrize("language", MENUS)
@pytest.mark.parametrize("opens", ["<a href=/a/{at}>{}</a>", "<span>{}</span>", "<button>{}</button>"])
def test_a_part_of_a_menu_is_called_as_the_line_above_its_list(language: str, opens: str) -> None:
    name, child = MENUS[language]
    items = "".join(
        f"<li>{opens.format(f'{name} {at}', at=at)}<ul>"
        f"{''.join(f'<li><a href=/{at}/{i}>{child} {at} {i}</a>' for i in range(9))}</ul></li>"
        for at in range(3)
    )
    found = list_sections(f"<nav><ul>{items}</ul></nav><main><h1>Post</h1>{SAID * 3}</main>")
    parts = [(title, text) for title, text in found if text.startswith(name) and f"{name} 2" not in text[1:]]
    assert all(title == text.partition("\n")[0] for title, text in parts)


@pytest.mark.parametrize("language", HEADLINES)
def test_the_section_of_one_entry_is_called_as_its_headline_and_not_as_its_desk(language: str) -> None:
    rows = "".join(
        f"<article><div class=kicker><a href=/desk>{MENUS[language][1]}</a></div>"
        f"<h3><a href=/s/2024-{i}>{title}</a></h3><p>{title}, {title}, {title}, {title}.</p></article>"
        for i, title in enumerate(HEADLINES[language])
    )
    titles = [title for title, _ in list_sections(f"<h1>Post</h1><div>{rows}</div>")]
    assert MENUS[language][1] not in titles


@pytest.mark.parametrize("style", ["style='display:none'", "hidden"])
def test_parts_of_which_a_reader_sees_nothing_are_no_sections(style: str) -> None:
    links = "".join(f"<li><a href=/m/{i}>Chapter {i} of the menu</a>" for i in range(12))
    markup = (
        f"<div><div {style}><ul>{links}</ul></div><div {style}><ul>{links}</ul></div></div><main>{SAID * 40}</main>"
    )
    assert not [text for _, text in list_sections(markup) if text.startswith("Chapter")]


@pytest.mark.parametrize(
    ("language", "word"),
    [("zh", "更多"), ("zh", "收藏"), ("ru", "купить"), ("ko", "더 보기"), ("ja", "詳細"), ("zh", "广告")],
)
def test_a_headline_with_the_word_of_a_button_in_it_is_a_headline(language: str, word: str) -> None:
    told = HEADLINES.get(language, HEADLINES["zh"])
    rows = "".join(
        f"<li><a href=/s/2024-{i}>{title} {word} {title}</a> <a href=/u/ada-{i}>Ada {i}</a></li>"
        for i, title in enumerate(told)
    )
    page = webclean.clean(f"<body><ul>{rows}</ul>", url="https://post.example/")
    records = [record for block in page.blocks for record in block.records]
    assert len(records) > 1
    assert {record.title for record in records} <= {f"{title} {word} {title}" for title in told}
    assert not any(record.is_advertisement for record in records)


@pytest.mark.parametrize(
    "more",
    [
        "Vai al prodotto >>",
        "Zum Geschäft »",
        "Sehen Sie hier →",
        "Do sklepu ›",
        "Подробнее →",
        "Continue reading “The ferry”",
        "Continuer la lecture de « Le bac »",
        "Weiterlesen „Die Fähre“",
    ],
)
def test_a_link_with_an_arrow_leads_on_and_is_no_title(more: str) -> None:
    rows = "".join(
        f"<div class=slide><p>{title}</p><p>{SAID[3:90]}</p><p><a href=/s/2024-{i}>{more}</a></p></div>"
        for i, title in enumerate(HEADLINES["de"])
    )
    assert list_titles(rows) == HEADLINES["de"]


@pytest.mark.parametrize("author", ["Ada Quill(157)", "by Ada Quill (1,204)"])
def test_an_author_is_a_name_without_what_follows_it(author: str) -> None:
    rows = "".join(
        f"<li><a href=/s/2024-{i}>{title}</a> <span class=author>{author}</span></li>"
        for i, title in enumerate(HEADLINES["en"])
    )
    page = webclean.clean(f"<body><ul>{rows}</ul>", url="https://post.example/")
    assert {record.author for block in page.blocks for record in block.records} == {"Ada Quill"}


def test_the_rest_of_a_sentence_is_no_signature() -> None:
    rest = "by Lund researchers Ada Quill, Bo Ek and Cai Orr says that ferries are late when the river is high."
    rows = "".join(
        f"<li><h3><a href=/s/2024-{i}>{title}</a></h3><p>A new <b>study</b> {rest}</p></li>"
        for i, title in enumerate(HEADLINES["en"])
    )
    page = webclean.clean(f"<body><ul>{rows}</ul>", url="https://post.example/")
    assert {record.author for block in page.blocks for record in block.records} == {None}


def test_a_heading_that_another_one_follows_at_once_names_them_all() -> None:
    desks = "".join(f"<div><h2>{name}</h2>{list_links('en', name)}</div>" for name in ("Space", "Biology", "Rivers"))
    assert "Topics" in name_parts(webclean.clean(f"<body><h1>Post</h1>{SAID}<section><h2>Topics</h2>{desks}</section>"))


@pytest.mark.parametrize(
    "pages", ["1 2 3 4 5", "下一页", "Load more", "Skip to content", "Filter", "Sortieren nach", "返回顶部"]
)
def test_what_turns_pages_or_sorts_them_is_navigation_and_never_the_lead(pages: str) -> None:
    links = " ".join(f"<a href=/p/{at}>{word}</a>" for at, word in enumerate(pages.split(" ")))
    rows = "".join(f"<div><a href=/s/2024-{i}>{title}</a></div>" for i, title in enumerate(HEADLINES["en"]))
    page = webclean.clean(f"<body><main><div>{rows}</div><div class=hero><img src=a.png>{links}</div></main>{SAID * 4}")
    (found,) = (block for block in page.blocks if block.text == pages)
    assert found.role is webclean.Role.NAVIGATION
    assert not any(reason.rule == "lead" for reason in found.reasons)


def make_front(lead: str, kind: str = "pad-top") -> str:
    rows = "".join(
        f"<div class='{kind} card'><h3><a href=/2024/05/{i}-{n}>{title} {n}</a></h3><p>{SAID}</p></div>"
        for n in range(3)
        for i, title in enumerate(HEADLINES["en"])
    )
    first = rows[: rows.index("<div", 1)]
    return f"<body><h1>Post</h1><div>{first}</div>{lead}<div>{rows.replace('05/', '04/') * 2}</div>"


LEAD = "<h2><a href=/2024/06/bridge>The bridge opens after nine years</a></h2>"


@pytest.mark.parametrize(
    ("lead", "kind"),
    [
        (f"<div id=js_top_news>{LEAD}<p>{SAID}</p></div>", "pad-top"),
        (f"<div class=hero>{LEAD}<p>{SAID}</p></div>", "margin-top"),
        # once for each width of the screen
        (f"<div class=wide>{LEAD}</div><div class=small>{LEAD}</div>", "margin-top"),
        (
            (
                "<div class='mod hidden'><h2><a href=/2019/01/old>An old story of the old bridge</a></h2></div>"
                f"<div>{LEAD}<p>{SAID}</div>",
                "k",
            ),
            "k",
        ),
        (f"<div><span>Featured</span>{LEAD}<p>{SAID}</p></div>".replace("h2", "h3"), "k"),
    ],
)
def test_a_class_for_a_place_is_no_name_of_the_lead(lead: str, kind: str) -> None:
    page = webclean.clean(make_front(lead, kind), url="https://post.example/", page_type="index")
    [block, *_] = [one for one in page.blocks if any(reason.rule == "lead" for reason in one.reasons)]
    assert "The bridge opens" in block.text


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("最新视频 <a href=/more>查看全部</a>", "最新视频"),
        ("Messages (<a href=/all>View All</a>)", "Messages"),
        ("Latest <a href=/news>News</a>", "Latest News"),
        ("Docs <i class=icons>arrow_drop_down</i>", "Docs"),
        ("Search", ""),
    ],
)
def test_a_title_ends_before_the_link_to_more_and_the_icon(heading: str, title: str) -> None:
    page = webclean.clean(f"<body>{SAID}<div><h2>{heading}</h2>{list_links('en')}</div>", url="https://post.example/")
    [block] = [block for block in page.blocks if "Two bakeries" in block.text]
    assert block.heading == title


def test_a_dialog_does_not_say_what_the_part_around_it_is() -> None:
    said = "".join(f"<tr><td>Choice {n} of the arms, with all that it holds and lifts" for n in range(40))
    html = (
        f"<body>{SAID}<main><h1>Arms for two monitors</h1>{SAID * 3}"
        f"<div role=dialog class=modal><h2>Choose</h2><table>{said}</table></div></main><footer>© 2024 Post</footer>"
    )
    page = webclean.clean(html, url="https://post.example/")
    roles = [str(section.role) for top in page.sections for section in top.walk() if "Arms for" in section.text]
    assert roles == ["content"] * len(roles)


@pytest.mark.parametrize(
    "more", ["<p><a href=/all/{at}>See all of them</a>", "<ul><li><a href=/x/{at}>One further link</a></ul>"]
)
def test_what_follows_the_list_of_a_column_does_not_take_its_title(more: str) -> None:
    columns = "".join(
        f"<div class=col><p class=up>Courses {at}</p>"
        f"<ul>{''.join(f'<li><a href=/{at}/{i}>Course {at} {i}</a>' for i in range(9))}</ul>{more.format(at=at)}</div>"
        for at in range(6)
    )
    found = list_sections(f"<nav><div>{columns}</div></nav><main><h1>Post</h1>{SAID * 3}</main>")
    assert {f"Courses {at}" for at in range(6)} <= {title for title, _ in found}


@pytest.mark.parametrize(
    ("language", "name", "more"),
    [("en", "Safety", "See more"), ("de", "Wirtschaft", "Mehr"), ("zh", "财经", "更多"), ("ru", "Культура", "Ещё")],
)
def test_the_name_of_a_list_in_a_block_of_its_own_stays_with_the_list_and_is_no_entry(
    language: str, name: str, more: str
) -> None:
    menu = f"<nav><ul><li><a href=/d/{name}>{name}</a><li><a href=/d/2>Zwei</a></ul></nav>"
    teasers = "".join(
        f"<li><article><h3><a href=/{language}/2024-{at}>{title}</a></h3><p>{SAID[3:50]}</p></article></li>"
        for at, title in enumerate(HEADLINES[language] * 2)
    )
    head = f"<div class=head><h2><a href=/d/{name}>{name}</a></h2><a href=/d/{name}>{more}</a></div>"
    page = webclean.clean(
        f"<body><h1>Post</h1>{menu}<main><div class=part>{head}<div class=list><ul>{teasers}</ul></div></div></main>",
        url="https://post.example/",
        page_type="index",
    )
    assert name in page.text.splitlines()
    assert name not in [record.title for block in page.blocks for record in block.records]
    assert {line.strip(" -") for line in page.outline().splitlines()} == {"Post", name}


ROWS = {
    "en": ("Latest stories", "See all"),
    "es": ("Últimas noticias", "Ver todas"),
    "zh": ("最新消息", "更多"),
}


@pytest.mark.parametrize("language", HEADLINES)
@pytest.mark.parametrize("around", ["<div class=wide>{}</div><div class=narrow>{}</div>", "<ul>{}</ul><ul>{}</ul>"])
def test_a_list_that_stands_once_for_each_width_of_the_screen_is_kept_once(language: str, around: str) -> None:
    cards = "".join(
        f"<li><h3><a href=/s/2024-{i}>{title}</a></h3><p>{title}, {SAID[3:-4]}</p></li>"
        for i, title in enumerate(HEADLINES[language])
    )
    markup = f"<body><h1>Post</h1>{SAID}{around.format(cards, cards)}<p>{SAID}</p><footer>Post</footer>"
    page = webclean.clean(markup, url="https://post.example/", page_type="index")
    assert [page.text.count(f"{title}, ") for title in HEADLINES[language]] == [1, 1, 1]
    assert sum(block.kept and f"{HEADLINES[language][0]}, " in block.text for block in page.blocks) == 1


@pytest.mark.parametrize(("language", "more"), [(language, more) for language, (_, more) in ROWS.items()])
@pytest.mark.parametrize(
    "head",
    [
        "<header class=header><h2><a href=/desk>{0}</a></h2><a href=/all>{1}</a></header>",
        "<div class='top header'><header><h3>{0}</h3></header></div>",
    ],
)
def test_the_header_of_a_section_is_none_of_the_page(language: str, more: str, head: str) -> None:
    name, _ = ROWS[language]
    stories = "".join(
        f"<article><h3><a href=/s/2024-{i}>{title}</a></h3>{SAID}</article>" for i, title in enumerate(HEADLINES["en"])
    )
    parts = "".join(f"<section>{head.format(called, more)}<div>{stories}</div></section>" for called in (name, "Sport"))
    page = webclean.clean(f"<body><h1>Post</h1>{parts}", url="https://post.example/", page_type="index")
    named = [block for block in page.blocks if name in block.text]
    assert named and {str(block.role) for block in named} <= {"content", "index"}
    assert not any(why.rule == "in_header" for block in named for why in block.reasons)
