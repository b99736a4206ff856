"""Which story of a front page leads: none of goods, none of what is dropped; and what is dropped leads nothing."""

import pytest

import webclean

NAMES = {
    "en": ["Oak bench with a back", "Linen shade for the yard", "Tin kettle for two", "Wool rug in grey", "Ash stool"],
    "fr": [
        "Banc en chêne massif",
        "Voile de lin écru",
        "Bouilloire en étain",
        "Tapis de laine grise",
        "Tabouret frêne",
    ],
    "zh": ["带靠背的橡木长椅子", "院子里用的亚麻遮阳布", "两人用的锡制水壶", "灰色羊毛编织地毯", "白蜡木矮凳子一把"],
}
SAID = {
    "en": "The ferry is back on the crossing after a long winter in the yard, and it leaves at eight, as before.",
    "fr": "Le bac traverse de nouveau la rivière après un long hiver au chantier, et il part à huit heures.",
    "zh": "渡轮在船厂里度过漫长的冬天之后重新开航，每天早上八点出发，票价和以前一样，船上还有热茶。",
}
PRICE = {"en": "$129.00", "fr": "129,00 €", "zh": "¥129.00"}
CARDS = [
    "<div class=card><img src=/{0}.jpg width=600><h3><a href=/s/2024-{0}>{1}</a></h3><p>{2}</p><p>{3}</p></div>",
    "<li><a href=/s/2024-{0}><img src=/{0}.jpg></a><h2><a href=/s/2024-{0}>{1}</a></h2><span>{3}</span> <div>{2}</div>",
]


def find_leads(markup: str) -> list[webclean.Block]:
    page = webclean.clean(f"<body><h1>Post</h1>{markup}", url="https://post.example/", page_type="index")
    return [block for block in page.blocks if any(reason.rule == "lead" for reason in block.reasons)]


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("card", CARDS)
def test_no_goods_lead_and_stories_do(language: str, card: str) -> None:
    told = list(enumerate(NAMES[language]))
    goods = "".join(card.format(n, name, SAID[language], PRICE[language]) for n, name in told)
    stories = "".join(card.format(n, name, SAID[language], "") for n, name in told)
    assert not find_leads(f"<div>{goods}</div>")
    assert len(find_leads(f"<div>{stories}</div>")) == 1


NOTICES = [
    "<div style='display: none'><img src=/n.jpg><h2><a href=/letter/2024-77>{0}</a></h2><p>{1}</p></div>",
    "<section hidden class=top-story><h2><a href=/letter/2024-77>{0}</a></h2><p>{1}</p></section>",
]


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("notice", NOTICES)
def test_what_is_dropped_neither_leads_nor_is_as_important_as_what_is_kept(language: str, notice: str) -> None:
    name, *names = NAMES[language]
    stories = "".join(CARDS[0].format(n, title, SAID[language], "") for n, title in enumerate(names))
    markup = f"<body><h1>Post</h1>{notice.format(name, SAID[language])}<div>{stories}</div>"
    page = webclean.clean(markup, url="https://post.example/", page_type="index")
    assert not any(block.kept for block in page.blocks if name in block.text)
    best = max(block.importance for block in page.blocks if block.kept)
    assert all(block.importance < best for block in page.blocks if not block.kept)
    assert not any(name in block.text for block in page.blocks for why in block.reasons if why.rule == "lead")


@pytest.mark.parametrize("language", NAMES)
def test_the_only_headline_of_its_rank_is_kept_though_it_stands_alone(language: str) -> None:
    name, *names = NAMES[language]
    head = f"<div><h2><a href=/s/2024-9>{name}</a></h2></div>"
    stories = "".join(CARDS[0].format(n, title, SAID[language], "") for n, title in enumerate(names))
    (lead,) = find_leads(f"{head}<div>{stories}</div>")
    assert name in lead.text and lead.kept


MORE = {"en": "Read more", "fr": "Lire la suite", "zh": "查看全文"}


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize(
    "way", ["<p>{said} <a href=/about>{name}</a></p>", "<p>{said}</p><p><a href=/join>{name}</a></p>"]
)
def test_what_a_site_says_of_itself_is_no_lead(language: str, way: str) -> None:
    name, *names = NAMES[language]
    path = "<p><a href=/about>{0}</a> &gt; {0}</p>"
    hero = f"<div class=hero>{path}<h1>{{0}}</h1>{way}</div>".format(name, said=SAID[language], name=name)
    stories = "".join(CARDS[0].format(n, title, SAID[language], "") for n, title in enumerate(names))
    (lead,) = find_leads(f"{hero}<div>{stories}</div>")
    assert names[0] in lead.text


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize(
    "way", ["<p>{0}</p><a href=/s/2024-9>{1}</a>", "<a href=/s/2024-9><img src=/9.jpg></a><p>{0}</p>"]
)
def test_a_story_leads_though_its_headline_is_no_link(language: str, way: str) -> None:
    name, *names = NAMES[language]
    story = f"<div class=hero><h2>{name}</h2>{way.format(SAID[language], MORE[language])}</div>"
    stories = "".join(CARDS[0].format(n, title, SAID[language], "") for n, title in enumerate(names))
    (lead,) = find_leads(f"{story}<div>{stories}</div>")
    assert name in lead.text


def test_a_word_of_a_headline_that_its_label_repeats_names_no_lead() -> None:
    names = [*NAMES["en"][:3], "Bread with hot honey", "A feature in grey"]
    card = "<article aria-label='{1}'><h2><a href=/s/2024-{0}>{1}</a></h2><p>{2}</p></article>"
    (lead,) = find_leads("<div>" + "".join(card.format(n, name, SAID["en"]) for n, name in enumerate(names)) + "</div>")
    assert names[0] in lead.text


@pytest.mark.parametrize("language", NAMES)
def test_what_follows_a_menu_is_at_the_top(language: str) -> None:
    """The place of the first story is not that behind the links of the menu, but behind no story."""
    menu = "".join(f"<li><a href=/d{n}>{name}</a></li>" for n, name in enumerate(NAMES[language] * 3))
    stories = "".join(CARDS[0].format(n, name, SAID[language], "") for n, name in enumerate(NAMES[language]))
    (lead,) = find_leads(f"<nav>{menu}</nav><div>{stories}</div>")
    assert any("at the top" in why.evidence for why in lead.reasons)
