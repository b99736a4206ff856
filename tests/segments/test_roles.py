"""What a block says and holds tells its role and whether it is kept; rules have the last word."""

from pathlib import Path

import pytest

import webclean
from tests import write_file
from webclean.model import Block
from webclean.segments.semantic_page import segment_page

FIXTURES = Path(__file__).parents[2] / "fixtures"
STORY = "<p>" + " ".join(f"The {n}th crane came by ship to the yard, and stood there for years." for n in range(30))


def find_block(html: str, text: str, rules: Path | None = None) -> Block:
    """The smallest block that has a text."""
    blocks = webclean.clean(html, url="https://x.net/a/story-1.html", rules=rules).blocks
    return min((block for block in blocks if text in block.text), key=lambda block: len(block.text))


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("We and our partners use cookies to measure the audience. Accept all cookies", "dialog"),
        ("Wir verwenden auf dieser Seite Cookies. Alle Cookies akzeptieren", "dialog"),
        ("Nous utilisons des cookies sur ce site. Accepter les cookies", "dialog"),
        ("Utilizamos cookies propias. Aceptar todas las cookies", "dialog"),
        ("Home › Garden › Tools › Spades", "navigation"),
        ("Startseite > Garten > Geräte > Spaten", "navigation"),
        ("首页 > 新闻 > 国内 > 正文", "navigation"),
        ("1 2 3 4 5 Next", "navigation"),
        ("Seite 2 von 14", "navigation"),
        ("上一页 1 2 3 下一页", "navigation"),
        ("次へ", "navigation"),
        ("Jump to content", "navigation"),
        ("You're currently reading page 1", "navigation"),
        ("Items 1-24 of 123", "navigation"),
        ("48 Artikel", "navigation"),
        ("Return to the Top of the Page", "navigation"),
        ("Haut de page", "navigation"),
        ("Terug naar boven", "navigation"),
        ("Loading...", "navigation"),
        ("Chargement en cours…", "navigation"),
        ("Choose your language: English Deutsch Français (Canada) 日本語", "navigation"),
        ("Русский | Українська | English", "navigation"),
        ("Skip to product list", "navigation"),
        ("位置：首页 > 新闻动态", "navigation"),
        ("Your bag is empty, but you still look good.", "form"),
        ("Ihr Warenkorb ist leer", "form"),
        ("购物车是空的", "form"),
        ("请自觉遵守互联网相关的政策法规，共同营造友善的跟评互动环境。", "form"),
        ("Share on Facebook, Twitter, WhatsApp", "navigation"),
        ("分享到 微信 微博", "navigation"),
        ("Spring sale: 30% off all seeds until Sunday", "advertisement"),
        ("Main navigation (3rd level)", "navigation"),
        ("Menü schließen", "navigation"),
        ("Menus de navigation :", "navigation"),
        ("关闭 菜单", "navigation"),
        ("Search our recipes", "form"),
        ("Inschrijven nieuwsbrief", "form"),
        ("Erweiterte Suche", "form"),
        ("サイト内検索", "form"),
        ("Gesponsert", "advertisement"),
        ("На правах рекламы", "advertisement"),
    ],
)
def test_short_parts_are_what_they_say(said: str, role: str) -> None:
    block = find_block(f"<body><div class=k1>{STORY}</div><div class=k2><p>{said}</p></div>", said)
    assert (str(block.role), block.kept) == (role, False), block.reasons


@pytest.mark.parametrize(
    "said",
    [
        "The council > the mayor, said a reader > is what the town pays for, and what it gets is another matter.",
        "Nine cookies later the children were asleep, and the yard was quiet for the first time since June.",
        "Page after page the report says the same: the levee was built by hand, and by hand it must be mended.",
        "Search parties went out for three weeks, and menus of the ship were all that they found on the shore.",
        "Sign in sheets from 1912 hang in the hall beside the names of those who built the harbour with their hands.",
    ],
)
def test_sentences_that_hold_such_words_stay_content(said: str) -> None:
    block = find_block(f"<body><div class=k1>{STORY}</div><div class=k2><p>{said}</p><p>{said}</p></div>", said)
    assert str(block.role) == "content", block.reasons


@pytest.mark.parametrize(
    "said",
    [
        "<b>Harbour Board</b> <a href=/p>Privacy Policy</a> <a href=/u>Usage</a>",
        "<b>Hafenamt</b> <a href=/d>Datenschutz</a> <a href=/k>Kontakt</a>",
        "<b>港务局</b> <a href=/d>联系我们</a> <a href=/u>码头</a>",
    ],
)
def test_such_words_are_a_footer_where_they_end_the_page(said: str) -> None:
    first, last = f"<div class=k1>{STORY}</div>", f"<div class=k2>{STORY}</div>"
    words = said[3 : said.index("</b>")]
    assert str(find_block(f"<body>{first}{last}<div class=k3><p>{said}</p></div>", words).role) == "footer"
    assert str(find_block(f"<body>{first}<div class=k3><p>{said}</p></div>{last}", words).role) == "content"


@pytest.mark.parametrize(("tag", "role"), [("li", "navigation"), ("span", "header")])
def test_a_list_of_links_in_a_header_is_its_menu_and_a_line_of_them_is_not(tag: str, role: str) -> None:
    links = "".join(f"<{tag}><a href=/{name}/>{name}</a></{tag}> " for name in ("Ferry", "Harbour", "Market", "Bells"))
    html = f"<body><div class=top-bar>{links}</div><div class=k1>{STORY}</div><div class=k2>{STORY}</div>"
    assert str(find_block(html, "Harbour").role) == role


@pytest.mark.parametrize("last", ["Next", "Suivant", "下一页"])
def test_pages_to_turn_to_that_are_a_line_each_are_navigation(last: str) -> None:
    pages = "".join(f"<li><a href='?page={page}'>{page}</a></li>" for page in (1, 2, 3))
    pager = f"<ul class=k3>{pages}<li><a href='?page=2'>{last}</a></li></ul>"
    assert str(find_block(f"<body><main><div class=k1>{STORY}</div>{pager}</main>", last).role) == "navigation"


@pytest.mark.parametrize(
    ("names", "inside", "role"),
    [
        (("Harbour", "Market", "Bells", "Council"), "<li><a href=/{0}/>{0}</a></li>", "navigation"),
        (("Häfen", "Märkte", "Glocken"), "<td><a href=/{0}/>{0}</a></td>", "navigation"),
        (("港口", "市场", "钟楼", "议会"), "<p><a href=/{0}/>{0}</a></p>", "navigation"),
        # to choose from, with pictures
        (("Harbour", "Market", "Bells", "Council"), "<li><a href=/{0}/><img src=/{0}.jpg>{0}</a></li>", "index"),
        # headlines of stories, which a menu shows too
        (
            ("A harbour", "A market", "A bell"),
            "<li><a href=/{0}/>{0} that the town has built for three years opens on Sunday</a></li>",
            "index",
        ),
    ],
)
def test_links_of_a_menu_that_stand_once_more_are_a_menu(names: tuple[str, ...], inside: str, role: str) -> None:
    menu = "".join(map(inside.format, names))
    html = f"<body><nav>{menu}</nav><div class=k1>{STORY}</div><div class=k2>{menu}</div>"
    block = [block for block in webclean.clean(html, url="https://x.net/a/story-1.html").blocks if len(block.links) > 2]
    assert str(block[-1].role) == role, block[-1].reasons


def test_few_words_and_many_controls_are_a_form() -> None:
    form = "<form><p>Keyword <input name=kw> Where <input name=at> <button>Find</button></p></form>"
    assert str(find_block(f"<body><div class=k1>{STORY}</div>{form}", "Keyword").role) == "form"


def test_teasers_that_are_a_block_each_are_one_list() -> None:
    teasers = "".join(
        f"<div class=card><h3><a href=/story/{n}.html>Crane number {n} leaves the harbour today</a></h3>"
        f"<p>{'It was sold to a yard in the north, where it will be of use again. ' * 3}</p></div>"
        for n in range(6)
    )
    blocks = webclean.clean(f"<body><h1>Cranes</h1><div>{teasers}</div>", url="https://x.net/").blocks
    cards = [block for block in blocks if "leaves the harbour" in block.text]
    assert {str(block.role) for block in cards} == {"index"}


def list_roles(name: str) -> list[tuple[str, str]]:
    """(role, beginning of the text) of each block of a fixture."""
    html = (FIXTURES / name / "input.html").read_bytes()
    page = webclean.clean(html, url="https://www.example.org/x/")
    return [(str(block.role), block.text) for block in page.blocks]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "index/portal-en-front",
            {
                "By using this site": "dialog",
                "Thursday, June 6": "header",
                "Council votes": "content",
                "Paid post": "advertisement",
                "Sports": "index",
                "Opinion": "index",
                "Most read": "index",
                "Play today's crossword": "advertisement",
                "81°": "sidebar",
                "Contact": "footer",
                "© 2019": "footer",
            },
        ),
        (
            "content/forum-thread-en",
            {
                "> Kettle Creek": "navigation",
                "Register": "navigation",
                "SpokeShed winter sale": "advertisement",
                "Page 1 of 1": "navigation",
                "Creaking bottom bracket": "content",
                "01-19-2014, 08:40": "content",
                "chainsuck": "content",
                "Old Sprocket": "content",
                "Similar Threads": "related",
                "All times are": "footer",
                "Powered by": "footer",
            },
        ),
        (
            "index/shop-category-lamps",
            {
                "My basket": "header",
                "Pendants": "navigation",
                "Home": "navigation",
                "Table lamps": "content",
                "Pebble lamp": "index",
                "1\n2": "navigation",
                "Shop By": "sidebar",
                "Delivery and returns": "footer",
            },
        ),
        (
            "content/product-teapot",
            {
                "Free delivery": "advertisement",
                "Burr & Kiln\nBasket": "header",
                "Home / Teaware": "navigation",
                "Hobnail": "content",
                "Beech trivet": "related",
                "Bamboo tea scoop": "related",
                "Help": "footer",
            },
        ),
    ],
)
def test_roles_are_those_that_a_reader_would_give(name: str, expected: dict[str, str]) -> None:
    roles = list_roles(name)
    found = {start: [role for role, text in roles if text.startswith(start)] for start in expected}
    assert {start: set(given) for start, given in found.items()} == {start: {role} for start, role in expected.items()}


def test_the_lead_story_is_the_most_important() -> None:
    html = (FIXTURES / "index/portal-en-front/input.html").read_bytes()
    page = webclean.clean(html, url="https://www.example.org/")
    ranked = sorted(page.blocks, key=lambda block: -block.importance)
    story = ("Council votes", "After eleven hours", "Map: which blocks")
    assert all(block.text.startswith(story) for block in ranked[:3])
    assert any(reason.rule == "lead" for reason in ranked[0].reasons)
    phone = page.render("mobile")
    assert phone.index("Council votes 5 to 4") < phone.index("Hospital to reopen")


def test_where_many_headings_have_the_highest_rank_none_leads() -> None:
    stories = "".join(f"<div><h2><a href=/s/{n}.html>Crane {n} leaves</a></h2><p>{STORY}</p></div>" for n in range(4))
    blocks = webclean.clean(f"<body>{stories}", url="https://x.net/").blocks
    assert not any(reason.rule == "lead" and reason.points for block in blocks for reason in block.reasons)


def find_beside(page: str, text: str, rules: Path | None = None) -> Block:
    """The smallest block beside a story that has a text."""
    return find_block(f"<body><main>{STORY}</main>{page}", text, rules)


ASK = "<p>Would you hear from us each week about what goes on in the yard?</p><p>Never mind, close it.</p>"


@pytest.mark.parametrize("markup", ["div role=dialog", "dialog", "div class='modal fade'", "div id=cookie-banner"])
def test_dialogs_are_not_kept(markup: str) -> None:
    block = find_beside(f"<{markup}>{ASK}</{markup.partition(' ')[0]}>", "each week")
    assert (str(block.role), block.kept) == ("dialog", False)


@pytest.mark.parametrize("attribute", ["style='display: none'", "hidden"])
def test_hidden_parts_are_not_kept_whatever_their_role(attribute: str, tmp_path: Path) -> None:
    block = find_beside(f"<div {attribute}>{ASK}</div>", "each week")
    shown = find_beside(f"<div>{ASK}</div>", "each week")
    assert (block.role, block.kept) == (shown.role, False)
    assert str(shown.role) != "dialog" and not any(reason.rule == "hidden" for reason in shown.reasons)
    assert any((reason.stage, reason.rule) == ("keep", "hidden") for reason in block.reasons)
    rules = write_file(tmp_path / "rules.yaml", "segments: {keep: {hidden: true}}\n")
    judged = find_beside(f"<div {attribute}>{ASK}</div>", "each week", rules)
    assert not any(reason.rule == "hidden" for reason in judged.reasons)


def test_what_most_of_the_page_is_in_is_no_dialog_and_not_hidden() -> None:
    for attribute in ("class=modal", "style='display: none'", "role=dialog"):
        blocks = webclean.clean(f"<body><div {attribute}>{STORY}</div><p>A short line at the end.</p>").blocks
        longest = max(blocks, key=lambda block: len(block.text))
        assert str(longest.role) != "dialog" and longest.kept, attribute


PAGE = """<main><h1>Soup</h1><p>Cut the leeks and wash them well, since sand hides between the leaves of every leek.</p>
<p>Sweat them in butter for ten minutes, and cook them in a litre of broth until they are soft.</p></main>
<aside class=tips><p>Salt late.</p></aside><footer>Imprint and contact</footer>"""


def test_a_rule_names_the_role_and_keeps_the_block(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "rules:\n  tips: {when: {selector: .tips}, action: {role: comments, decide: keep}, because: cooks talk here}\n"
    )
    block = next(block for block in webclean.clean(PAGE, rules=rules).blocks if "Salt late." in block.text)
    assert (block.role, block.kept) == ("comments", True)
    assert block.reasons[0].rule == "tips"
    assert block.reasons[0].source == f"{rules}:2"
    assert block.reasons[0].evidence == "cooks talk here"
    rules.write_text("rules:\n  tips: {when: {selector: .tips}, action: keep}\n")
    block = next(block for block in webclean.clean(PAGE, rules=rules).blocks if "Salt late." in block.text)
    assert block.reasons[0].evidence == "the rule says so"


def test_keep_beats_drop_on_blocks(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    for keep, drop in (("a", "b"), ("b", "a")):
        rules = tmp_path / f"{keep}.yaml"
        rules.write_text(
            f"rules:\n  {keep}: {{when: {{selector: footer}}, action: keep}}\n"
            f"  {drop}: {{when: {{selector: footer}}, action: drop}}\n"
        )
        page = webclean.clean(PAGE, rules=rules)
        assert next(block for block in page.blocks if "Imprint" in block.text).kept
        assert "Imprint" in page.text


def test_an_unknown_role_is_refused(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "rules:\n  tips: {when: {selector: .tips}, action: {role: advert}}\n")
    with pytest.raises(webclean.RuleError, match="advert"):
        webclean.clean(PAGE, rules=rules)


@pytest.mark.parametrize("profile", ["balanced", "precision", "recall", "mobile", "index"])
def test_every_profile_cleans(profile: str) -> None:
    assert "Cut the leeks" in webclean.clean(PAGE, profile=profile).text


def test_a_scrap_is_no_document_of_a_corpus() -> None:
    long = PAGE.replace("</main>", f"<p>{'Then stir, taste, and serve the soup hot. ' * 9}</p></main>")
    assert webclean.clean(PAGE, profile="corpus").text == ""
    assert "Cut the leeks" in webclean.clean(long, profile="corpus").text


def test_roles_are_listed_once_a_page_and_not_for_each_block() -> None:
    analysis = webclean.clean(f"<h1>Cranes</h1>{STORY}").analysis
    scores = segment_page(analysis.columns, analysis.rules, analysis.decisions).scores
    assert scores.chosen is scores.chosen
