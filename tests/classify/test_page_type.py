"""What type a page gets, who may overrule it, and whether the reasons add up."""

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

import webclean
from tests import write_file
from webclean.classify import CardResult, Classification, apply_card, classify_page
from webclean.classify.classification import (
    CHANNELS,
    PAGE_FEATURES,
    PageView,
    classify_other,
    compile_vocabulary,
    list_channel_words,
    measure_page,
    sample_short,
)
from webclean.errors import InputError, RuleError
from webclean.model import PageType
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.rules.card_schema import Bins, Card, TreeNode

TEXT = "The river rises in the hills, and it takes a long and winding way down to the sea past eleven old towns. "
ARTICLE = f"""<!doctype html><html><head><title>How the river shaped eleven towns</title>
<meta property="og:type" content="article"><meta property="article:published_time" content="2024-03-02"></head><body>
<nav><a href="/">Home</a> <a href="/news/">News</a></nav><article><h1>How the river shaped eleven towns</h1>
<p class="byline">By Ada Quill, 2 March 2024</p>{"".join(f"<p>{TEXT * 3}</p>" for _ in range(8))}</article>
<footer>© 2024</footer></body></html>"""
SHOP = """<!doctype html><title>Walking boots | Boots & Co</title><body class="collection template-collection">
<nav><a href="/collections/boots">Boots</a></nav><h1>Walking boots</h1><div class="filters facets"><label>
<input type="checkbox">Size</label></div><div class="product-grid collection-grid">""" + "".join(
    f'<div class="product-card grid-item"><a href="/products/boot-{i}"><img src="{i}.jpg"></a><h3>'
    f'<a href="/products/boot-{i}">Boot {i}</a></h3><span class="price">${60 + i}.00</span>'
    "<button>Add to cart</button></div>"
    for i in range(24)
)
FORUM = """<!doctype html><title>Router keeps dropping | Net Forum</title><meta name="generator" content="vBulletin">
<body id="forum-thread"><h1>Router keeps dropping</h1>""" + "".join(
    f'<div class="post message"><div class="post-author user">member{i}</div><div class="post-date">Mar {i}, 2024</div>'
    f'<div class="post-body message-body">I had the same problem with my router. Did you try to change it? {TEXT}</div>'
    f'<a class="reply" href="#r{i}">Reply</a> <a class="quote" href="#q{i}">Quote</a> <a href="#p{i}">#{i}</a></div>'
    for i in range(1, 12)
)
FRONT = "<!doctype html><title>The River Post</title><body><h1>The River Post</h1>" + "".join(
    f"<section><h2><a href='/{part}'>{part}</a></h2><ul>"
    + "".join(f"<li><a href='/{part}/{i}'>Council votes on item {i} of the {part} plan</a></li>" for i in range(9))
    + "</ul></section>"
    for part in ("news", "sport", "weather", "opinion")
)
SHELL = '<!doctype html><title>App</title><body><div id="root"></div><script src="/app.js"></script>'


def classify(html: str, url: str | None = None, *rules: Path, **given: str) -> Classification:
    return classify_page(build_columns(parse_page(html, url=url)), load_rules(*rules), **given)


def judge(card: Card, html: str) -> CardResult:
    return apply_card(PageView(build_columns(parse_page(html)), replace(load_rules().page_type, card=card)))


def view(html: str, url: str | None = None, **changed: int) -> PageView:
    return PageView(build_columns(parse_page(html, url=url), load_rules()), replace(load_rules().page_type, **changed))


def write_rules(tmp_path: Path, text: str) -> Path:
    return write_file(tmp_path / "mine.yaml", text)


@pytest.mark.parametrize(
    ("html", "url", "subtype", "kind"),
    [
        (ARTICLE, "https://news.example/2024/03/how-the-river-shaped-eleven-towns", "article", "content"),
        (ARTICLE, None, "article", "content"),
        (SHOP, "https://shop.example/collections/walking-boots", "collection", "index"),
        (SHOP, None, "collection", "index"),
        (FORUM, "https://net.example/forum/showthread.php?t=1234", "forum", "content"),
        (FORUM, None, "forum", "content"),
    ],
)
def test_plain_pages_get_their_type_with_and_without_an_address(
    html: str, url: str | None, subtype: str, kind: str
) -> None:
    found = classify(html, url)
    assert (found.page_subtype.value, found.page_type.value) == (subtype, kind)


@pytest.mark.parametrize("html", [SHELL, "", "<p>", "<title>x</title>", "<noscript>Enable JavaScript</noscript>"])
def test_an_empty_page_or_application_shell_has_no_feature(html: str) -> None:
    found = classify(html)
    assert found.page_type.value == "no_feature"
    assert found.reasons[0].rule in ("no_feature_words", "kind")


def test_probabilities_sum_to_one_and_rank_the_runner_up() -> None:
    found = classify(FORUM)
    assert sum(found.probabilities.values()) == pytest.approx(1)
    assert found.ranking[0][0] == found.page_subtype.value
    assert found.page_subtype.confidence == found.ranking[0][1]
    assert found.page_subtype.confidence <= found.page_type.confidence <= 1


@pytest.mark.parametrize("html", [ARTICLE, SHOP, FORUM, SHELL])
def test_the_points_told_add_up_to_the_margin(html: str) -> None:
    found = classify(html)
    outcome, *points = [r for r in found.reasons if r.rule != "no_feature_words"]
    assert outcome.rule == "card"
    assert outcome.points is not None
    assert sum(reason.points or 0 for reason in points) == pytest.approx(outcome.points)
    first = found.page_subtype.value
    second = next(name for name, _ in found.ranking if name != first)
    assert first in outcome.evidence
    assert second in outcome.evidence
    ratio = found.probabilities[first] / found.probabilities[second]
    assert np.log(ratio) == pytest.approx(outcome.points)


def test_a_type_may_win_by_the_sum_of_its_subtypes_and_says_so() -> None:
    # shares are e, e and e^1.5 of their sum, 9.918: both subtypes of content together are ahead of the one of index
    card = Card(bias={"article": 1.0, "forum": 1.0, "listing": 1.5})
    rules = load_rules()
    rules = replace(rules, page_type=replace(rules.page_type, card=card))
    found = classify_page(build_columns(parse_page(ARTICLE)), rules)
    assert (found.page_type.value, found.page_subtype.value) == ("content", "article")
    outcome = found.reasons[0]
    assert outcome.points == -0.5
    told = "article 0.27, 0.50 points behind listing, but content 0.55 is ahead of index 0.45"
    assert outcome.evidence == told


def list_answers(node: TreeNode) -> set[str]:
    below = [part for part in (node.then, node.otherwise) if part is not None]
    return set().union(*map(list_answers, below)) if below else {str(node.answer)}


def test_the_shipped_tree_can_give_each_of_the_four_types() -> None:
    assert list_answers(load_rules().page_type.patent.tree) == set(PageType)


def test_the_patents_tree_can_be_chosen_and_tells_its_path(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, "page_type: {method: patent}")
    found = classify(ARTICLE, None, rules)
    assert found.page_type.value == "content"
    assert found.page_subtype.value is None
    outcome, *path = found.reasons
    assert outcome.rule == "patent tree"
    told = re.match(r"content ([.\d]+), then multi_block ([.\d]+): ahead by ([.\d]+)\b", outcome.evidence)
    assert told
    first, second, margin = (float(number.rstrip(".")) for number in told.groups())
    assert first == pytest.approx(found.page_type.confidence, abs=0.01)
    assert margin == pytest.approx(first - second, abs=0.011)
    assert path
    assert all(": yes (" in step.evidence or ": no (" in step.evidence for step in path)
    assert sum(found.probabilities.values()) == pytest.approx(1)


def test_a_hand_written_tree_replaces_the_learnt_one(tmp_path: Path) -> None:
    tree = "{if: has_full_stop, then: {is: multi_block, because: it says so}, else: {is: index}}"
    files = load_rules().page_type
    changed = msgspec.structs.replace(
        files,
        method="patent",
        patent=msgspec.structs.replace(
            files.patent, tree=msgspec.convert(msgspec.yaml.decode(tree), type(files.patent.tree))
        ),
    )
    rules = msgspec.structs.replace(load_rules(), page_type=changed)
    found = classify_page(build_columns(parse_page(ARTICLE)), rules)
    assert found.page_type.value == "multi_block"
    assert "it says so" in found.reasons[0].evidence


def test_the_argument_beats_the_rule_and_the_rule_beats_the_card(tmp_path: Path) -> None:
    rules = write_rules(
        tmp_path,
        "rules:\n  our-docs:\n    when: {url: '^https://docs\\.'}\n    action: {page_type: documentation}\n"
        "    because: everything there is documentation\n",
    )
    url = "https://docs.example/river"
    assert classify(ARTICLE, url).page_subtype.value == "article"
    ruled = classify(ARTICLE, url, rules)
    assert (ruled.page_subtype.value, ruled.page_type.value) == ("documentation", "content")
    assert ruled.reasons[0].rule == "our-docs"
    assert "everything there" in ruled.reasons[0].evidence
    assert classify(ARTICLE, "https://www.example/river", rules).page_subtype.value == "article"
    told = classify(ARTICLE, url, rules, page_subtype="listing")
    assert (told.page_subtype.value, told.page_type.value, told.page_subtype.confidence) == ("listing", "index", 1.0)
    assert told.probabilities["listing"] == 1.0


def test_a_given_type_takes_its_most_probable_subtype() -> None:
    found = classify(SHOP, None, page_type="content")
    types = load_rules().page_type.types
    assert found.page_type.value == "content"
    assert types[str(found.page_subtype.value)] == "content"
    assert all(p == 0 or types[name] == "content" for name, p in found.probabilities.items())
    assert sum(found.probabilities.values()) == pytest.approx(1)


def test_clean_takes_the_types_of_its_caller_and_tells_how_sure_it_is() -> None:
    page = webclean.clean(ARTICLE, page_type="index", page_subtype="listing")
    assert (page.page_type, page.page_subtype, page.type_confidence) == ("index", "listing", 1.0)
    assert page.type_reasons[0].rule == "argument"
    assert 0 < webclean.clean(ARTICLE).type_confidence <= 1


@pytest.mark.parametrize("given", [{"page_type": "news"}, {"page_subtype": "news"}])
def test_a_type_that_does_not_exist_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(InputError, match="news"):
        webclean.clean(ARTICLE, **given)  # type: ignore[arg-type]


def test_a_login_page_is_told_as_such_and_an_article_with_a_login_box_is_not() -> None:
    box = '<form action="/login"><label>E-mail</label><input><input type="password"><button>Sign in</button></form>'
    page = classify(f"<title>Sign in</title><body><h1>Sign in</h1>{box}<a href='/forgot'>Forgot your password?</a>")
    assert page.label == "login"
    assert page.page_type.value == "no_feature"
    assert classify(ARTICLE.replace("</nav>", f"</nav>{box}")).page_subtype.value == "article"


def test_an_error_page_is_told_as_such() -> None:
    page = classify("<title>404 Not Found</title><body><h1>Page not found</h1><p>Sorry, it is not here.</p>")
    assert page.label == "error"
    long = ARTICLE.replace("<title>", "<title>404 Not Found: ")
    assert classify(long).label != "error"


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("404 Not Found", "<center><h1>404 Not Found</h1></center><hr><center>nginx/1.24.0</center>"),
        ("500 Internal Server Error", "<h1>Internal Server Error</h1><p>The server encountered an internal error.</p>"),
        ("Page not found – Leek & Potato", "<h1>Oops! That page can't be found.</h1><form><input type=search></form>"),
        ("Just a moment...", "<h1>www.leek.example</h1><p>Checking if the site connection is secure</p>"),
        ("Access Denied", "<h1>Access Denied</h1>You don't have permission to access this page on this server."),
        ("Seite nicht gefunden - Rathaus", "<h1>Seite nicht gefunden</h1><p>Die Seite gibt es nicht mehr.</p>"),
        ("Page introuvable", "<h1>Erreur 404</h1><p>La page demandée est introuvable.</p>"),
        ("页面不存在", "<p>抱歉，您访问的页面不存在或已被删除。</p>"),
        ("ページが見つかりません", "<p>お探しのページは移動または削除された可能性があります。</p>"),
    ],
)
def test_error_pages_of_servers_and_sites_are_told_as_such(title: str, body: str) -> None:
    found = classify(f"<title>{title}</title><body>{body}")
    assert (found.label, found.page_type.value, found.page_type.confidence) == ("error", "no_feature", 1.0)
    assert f"title {title!r}" in found.reasons[0].evidence


@pytest.mark.parametrize(
    ("html", "url", "subtype", "label"),
    [
        (ARTICLE, "https://news.example/2024/river", "article", "article"),
        (ARTICLE, "https://www.example/blog/river", "article", "blog"),
        (f'{ARTICLE}<script type="application/ld+json">{{"@type": "BlogPosting"}}</script>', None, "article", "blog"),
        (FRONT, "https://www.example/", "listing", "portal"),
        (FRONT, "https://www.example/all/news", "listing", "navigation"),
    ],
)
def test_labels_refine_the_subtype_and_tell_what_they_stand_on(
    html: str, url: str | None, subtype: str, label: str
) -> None:
    page = webclean.clean(html, url=url)
    assert (page.page_subtype, page.page_label, page.to_dict()["page_label"]) == (subtype, label, label)
    assert (page.type_reasons[0].rule == label) is (label != subtype)
    if label != subtype:
        told = page.type_reasons[0].evidence
        assert "=" in told or "words" in told


def test_the_patents_tree_decides_where_the_card_is_unsure(tmp_path: Path) -> None:
    def judge(doubt: str) -> webclean.CleanPage:
        path = tmp_path / "doubt.yaml"
        tree = "patent: {tree: {is: index, because: the test says so}}"
        path.write_text(f"replaces: [page_type.patent.tree]\npage_type: {{doubt: {doubt}, {tree}}}")
        return webclean.clean(ARTICLE, rules=path)

    by_tree = judge("{below: 1, least: 0, answers: [index]}")
    assert by_tree.page_type == "index"
    assert by_tree.page_subtype in {"listing", "collection"}
    told = [(reason.stage, reason.rule) for reason in by_tree.type_reasons]
    assert (
        told.index(("page type", "doubt"))
        < told.index(("page type", "patent tree"))
        < told.index(("page type", "card"))
    )
    # asked only where it is unsure, believed only where the card thinks it possible, and of types that it tells well
    for doubt in (
        "{below: 0.2, least: 0, answers: [index]}",
        "{below: 1, least: 0.9, answers: [index]}",
        "{below: 1, answers: []}",
    ):
        by_card = judge(doubt)
        assert (by_card.page_type, by_card.page_subtype) == ("content", "article")
        assert "doubt" not in {reason.rule for reason in by_card.type_reasons}


def test_a_label_may_be_given_and_stands_for_what_it_refines() -> None:
    page = webclean.clean(SHOP, page_subtype="blog")
    assert (page.page_type, page.page_subtype, page.page_label) == ("content", "article", "blog")
    assert [reason.rule for reason in page.type_reasons[:2]] == ["argument", "card"]
    page = webclean.clean(ARTICLE, page_subtype="login")
    assert (page.page_type, page.page_subtype, page.page_label) == ("no_feature", "login", "login")


def test_what_is_given_is_refined_but_not_replaced() -> None:
    error = "<title>404 Not Found</title><h1>404</h1>"
    assert webclean.clean(error, page_subtype="article").page_label == "article"
    blog = webclean.clean(ARTICLE, url="https://blog.example/river", page_type="content")
    assert (blog.page_subtype, blog.page_label) == ("article", "blog")


def test_rules_and_their_files_may_name_a_label(tmp_path: Path) -> None:
    (tmp_path / "types").mkdir()
    (tmp_path / "types" / "blog.yaml").write_text(
        "rules: {mark: {action: {title: //title}}, by: {when: {page_type: blog}, action: {author: //p/@class}}}"
    )
    page = webclean.clean(ARTICLE, url="https://www.example/blog/river", rules=tmp_path)
    assert (page.fields.title.source, page.author) == ("rule mark", "byline")
    other = webclean.clean(ARTICLE, url="https://www.example/river", rules=tmp_path)
    assert other.fields.title.source != "rule mark"
    assert other.author != "byline"


def test_selectors_of_fields_may_depend_on_the_type(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, "rules: {by: {when: {page_type: content}, action: {author: //p/@class}}}")
    assert webclean.clean(ARTICLE, rules=rules).author == "byline"
    assert webclean.clean(ARTICLE, rules=rules, page_type="index").author != "byline"


def test_a_card_with_one_line_and_one_word_sums_as_by_hand() -> None:
    card = Card(
        bias={"a": 0.5, "b": 0.0},
        lines={"word_count": Bins(below=(3,), points={"a": (1.0, 0.0), "b": (0.0, 2.0)})},
        words={"title": {"river": {"b": 0.25}}},
    )
    result = judge(card, "<title>A river</title><p>one two three")
    assert result.totals == {"a": 0.5, "b": 2.25}
    assert list(result.probabilities.values()) == pytest.approx([1 / (1 + np.exp(1.75)), 1 / (1 + np.exp(-1.75))])


def test_a_feature_that_is_missing_adds_nothing() -> None:
    card = Card(
        bias={"a": 0.0, "b": 0.0}, lines={"slug_words": Bins(below=(3,), points={"a": (5.0, 0.0), "b": (0.0, 5.0)})}
    )
    assert judge(card, "<p>one").totals == {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize("html", [ARTICLE, SHOP, FORUM, SHELL, "", "<p>", "x" * 200])
@pytest.mark.parametrize("url", [None, "", "https://e.example", "not a url", "http://[::1", "//x/%zz?a=b&&c", "/a/b"])
def test_every_feature_is_a_number_or_missing_on_any_page(html: str, url: str | None) -> None:
    page = view(html, url).whole
    values = measure_page(page, list(PAGE_FEATURES))
    assert not np.isinf(values).any()
    shares = [name for name, known in PAGE_FEATURES.items() if known.unit == "share"]
    found = measure_page(page, shares)
    assert ((found[~np.isnan(found)] >= 0) & (found[~np.isnan(found)] <= 1)).all()


def test_prices_and_dates_are_looked_for_in_short_texts_spread_over_the_page() -> None:
    def shares(html: str) -> list[float]:
        return measure_page(view(html).whole, ["price_share", "date_share"]).tolist()

    items = "<li>Boot<li>$20.00" * 1000
    assert shares(f"<p>{TEXT} It cost $20.00 on 3 May 2021.</p>") == [0.0, 0.0]
    assert shares("<p>Boot<p>$20.00, was $25.00<p>3 May 2021 at 12:30<p>$9 since 2021<p>Hat") == [0.4, 0.2]
    listed = shares(f"<ul>{'<li>Home' * 1000}</ul><ul>{items}</ul>")
    assert listed == pytest.approx([1 / 3, 0.0], abs=0.02)


def test_words_are_found_where_they_stand() -> None:
    html = """<title>Big Rivers</title><meta property="og:type" content="website">
    <body class="page-home Related-posts_box">
    <div itemprop="Big"><h2>Long ways home again and again</h2><p>Buy now</p><p>Price:
    <p>this is a long paragraph and no label</p></div>
    <script type="application/ld+json">{"@type": "NewsArticle"}</script>"""
    url = "https://docs.example.org/guide/start-here.html?page=2"
    page = view(html, url)
    words = list_channel_words(page, "url")
    assert words == {"host:docs", "host:example", "in:guide", "at:start", "at:here", "query:page"}
    assert list_channel_words(page, "title") == {"big", "rivers"}
    assert {"og:type", "og:type=website", "schema:NewsArticle"} <= list_channel_words(page, "head")
    assert {"page", "home", "related", "posts", "box", "div", "big"} <= list_channel_words(page, "names")
    labels = list_channel_words(page, "label")
    assert {"buy", "now", "price"} <= labels
    assert not {"price:", "paragraph"} & labels


@pytest.mark.parametrize("html", [ARTICLE, SHOP, FORUM, FRONT, SHELL, "<button>Warenkorb</button>", ""])
@pytest.mark.parametrize("url", [None, "https://docs.example/blog/2024/products?page=2"])
def test_the_words_asked_for_are_those_of_the_channels_that_the_rules_know(html: str, url: str | None) -> None:
    page = view(html, url)
    known = compile_vocabulary(page.rules).number
    expected = {
        known[name][word] for name in CHANNELS for word in list_channel_words(page, name) if word in known[name]
    }
    assert {number for number, flag in enumerate(page.flags) if flag} == expected


def test_words_are_found_on_columns_that_were_made_for_other_rules() -> None:
    words = {"names": {"grid": {"b": 1.0}}, "label": {"warenkorb": {"b": 2.0}, "boots": {"b": 4.0}}}
    card = Card(bias={"a": 0.0, "b": 0.0}, words=words)
    assert judge(card, "<div class='boot-grid'><button>Boots</button><p>Hat</div>").totals == {"a": 0.0, "b": 5.0}


def test_labels_are_read_from_the_top_and_up_to_a_number() -> None:
    html = f"<p>{TEXT}</p><ul>{''.join(f'<li>{word}</li>' for word in ('tea', 'cup', 'pot'))}</ul>"
    page = view(html, label_count=2)
    assert list_channel_words(page, "label") == {"tea", "cup"}


def test_a_label_of_another_language_counts_as_its_english_twin(tmp_path: Path) -> None:
    page = view("<button>Warenkorb</button>")
    assert {"warenkorb", "cart"} <= list_channel_words(page, "label")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("word_count: {below: [2, 1], points: {article: [1, 2, 3]}}", "must rise"),
        ("word_count: {below: [1, 2], points: {article: [1, 2]}}", "2 points for 3 bins"),
        ("word_count: {below: [1], points: {novel: [1, 2]}}", "novel"),
        ("no_such_thing: {below: [1], points: {}}", "no_such_thing"),
    ],
)
def test_unknown_features_and_points_that_do_not_fit_are_refused(lines: str, told: str, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, f"page_type: {{card: {{lines: {{{lines}}}}}}}")
    with pytest.raises(RuleError, match=told):
        classify(ARTICLE, None, rules)


def test_running_text_that_stands_together_is_told_from_teasers() -> None:
    def share(html: str) -> float:
        return float(measure_page(view(html).whole, ["main_text_share"])[0])

    assert share(f"<div>{f'<p>{TEXT * 2}' * 6}</div>") == 1.0
    assert share(f"<div><p>{TEXT * 2}</div>" * 4) == pytest.approx(0.25)
    assert share("<p>too short") == 0.0


def test_a_script_without_spaces_has_as_many_words_as_a_spaced_one() -> None:
    page = view("<title>长江沿岸的古镇</title><p>河流从山上流下来一直流到大海").whole
    title, words = measure_page(page, ["title_words", "word_count"]).tolist()
    assert title == pytest.approx(7 / 1.7, abs=1)
    assert words == pytest.approx(14 / 1.7, abs=1)


@pytest.mark.parametrize("kind", ["empty", "binary", "json", "xml", "text"])
def test_what_is_no_html_has_no_type_and_says_what_it_is(kind: str) -> None:
    found = classify_other(kind)
    (reason,) = found.reasons
    assert reason.evidence == ("nothing in it" if kind == "empty" else f"{kind} is not HTML")
    assert (found.page_type.value, found.page_subtype.value) == ("no_feature", None)


def test_short_texts_are_sampled_by_the_multiples_of_the_golden_ratio() -> None:
    texts = "".join(f"<p>{'x' * 7}{at:03d}</p>" for at in range(900))
    share = load_rules().page_type.sample_chars / 9000
    assert share < 1
    chosen = [at for at in range(900) if at * (1 + 5**0.5) / 2 % 1 < share]
    assert sample_short(view(texts).columns, load_rules().page_type) == [f"{'x' * 7}{at:03d}" for at in chosen]
    assert len(chosen) == pytest.approx(900 * share, abs=3)


PER_PAGE = (
    "<title>Tea cups and pots</title><h1>Cups</h1><h2><a href=a>Pots</a></h2><p>one two three four? five six</p>"
    "<img><a href=b><img></a><button>Buy</button><input type=password><input><code>x</code><pre>y</pre>"
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("image_rate", 2 / 5), ("button_rate", 1 / 5), ("input_rate", 2 / 5), ("linked_image_rate", 1 / 5),
        ("h2_rate", 1000 / 11), ("code_rate", 2000 / 11), ("heading_rate", 2000 / 11), ("linked_heading_share", 1 / 2),
        ("password_count", 1), ("word_count", 11), ("paragraph_share", 6 / 11), ("link_share", 1 / 11),
        ("title_words", 4), ("question_rate", 1000 / 11), ("long_block_count", 0), ("main_share", 0),
    ],
)  # fmt: skip
def test_features_of_a_page_counted_by_hand(name: str, value: float) -> None:
    assert PAGE_FEATURES.find(name).compute(view(PER_PAGE).whole) == pytest.approx(value)
