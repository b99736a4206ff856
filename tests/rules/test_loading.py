"""Loading rules: errors that say where and what is allowed, bounded files, layers, expressions that are refused."""

import os
from pathlib import Path

import pytest
import yaml

import webclean
import webclean.rules
from tests import write_file
from webclean.errors import RuleError
from webclean.pipeline import Cleaner
from webclean.rules import LayerKey, RuleBook, load_rules
from webclean.rules.card_schema import Bins
from webclean.rules.files import read_rule_text
from webclean.rules.layers import find_origin
from webclean.rules.python_expressions import find_expression_fault
from webclean.rules.validate import suggest
from webclean.workbench.rule_checks import list_faults, list_rule_files

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{below}'] * 10)}]\n" for below, name in zip("abcdefgh", "bcdefghi", strict=True)
)

BROKEN = {
    "no such subtype": ("page_type:\n  card:\n    bias: {novel: 1}\n", 3, "bias.novel", "unknown page type 'novel'"),
    "an item of a list": (
        "score_card:\n  lines:\n    n_words:\n      below:\n      - 4\n      - many\n      points: [1, 2, 3]\n",
        6,
        "below[1]",
        "a number",
    ),
    "no such class": ("roles:\n  lines:\n    rank: {points: {novel: [1, 2]}}\n", 3, "rank", "no class 'novel'"),
    "no such part of a card": ("score_card:\n  words: {url: {a: 1}}\n", 2, "words", "no 'words' here"),
    "not a mapping": ("- a\n- b\n", 1, "", "mapping of sections"),
    "python tag": ("score_card: !!python/object/apply:os.system ['true']\n", 1, "score_card", "not allowed"),
    "python scalar tag": ("version: !!python/name:os.system\n", 1, "", "python/name"),
    "no date": ("version: 1\nx: 2026-13-45\n", 2, "x", "a text stands in quotes"),
    "no offset": ("version: 1\nx: 2001-12-14t21:59:43-99:00\n", 2, "x", "a text stands in quotes"),
    "many digits": (f"version: {'9' * 4_301}\n", 1, "version", "at most 60 digits"),
    "base of sixty": (f"version: 1{':1' * 99_999}\n", 1, "version", "at most 60 digits"),
    "twice": ("version: 1\nversion: 2\n", 2, "version", "twice"),
    "billion laughs": (LAUGHS, 0, "", "once aliases are expanded"),
    "alias of itself": ("a: &a\n  b: *a\n", 2, "a.b", "of its own parent"),
    "alias of nothing": ("a: 1\nb: *c\n", 2, "b", "of nothing above it"),
    "two documents": ("version: 1\n---\nversion: 1\n", 2, "", "one document"),
    "deep": (f"a: {'[' * 80}{']' * 80}\n", 1, "a[0][0]", "deeper than 60"),
    "list as a key": ("[a, b]: 1\n", 1, "", "plain word"),
    "tagged list": ("version: !!set [a]\n", 1, "version", "not allowed"),
    "null key": ("~: 1\n", 1, "", "plain word"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_gives_file_line_key_and_cause(name: str, tmp_path: Path) -> None:
    text, line, key, message = BROKEN[name]
    path = write_file(tmp_path / "broken.yaml", text)
    with pytest.raises(RuleError) as caught:
        load_rules(path)
    assert caught.value.file == str(path)
    assert message in str(caught.value)
    assert key in caught.value.key
    if line:
        assert caught.value.line == line


def test_scalars_are_what_the_safe_loader_of_yaml_makes_of_them() -> None:
    written = ["1", "-7", "+3", "007", "0x1F", "1_000", "1.5", "-0.25", ".5", "1e3", "1.0e+3", ".inf", "~", "", "yes"]
    written += [
        "Off",
        "null",
        "NULL",
        "2024-05-01",
        "1:30",
        "=",
        "<<",
        "a: b",
        "'12'",
        '"yes"',
        "|\n  x",
        "é",
        "-",
        "- ",
    ]
    for item in written:
        text = f"a: {item}\n"
        try:
            expected = yaml.safe_load(text)
        except yaml.YAMLError:
            with pytest.raises(RuleError):
                read_rule_text(text, Path("x.yaml"))
            continue
        found = read_rule_text(text, Path("x.yaml")).values
        assert (found, type(found["a"])) == (expected, type(expected["a"])), item


def test_an_alias_is_the_value_of_its_anchor() -> None:
    text = read_rule_text("a: &x {b: [1, 2]}\nc:\n  - *x\nd: &y late\ne: *y\n", Path("x.yaml"))
    assert text.values == {"a": {"b": [1, 2]}, "c": [{"b": [1, 2]}], "d": "late", "e": "late"}
    assert text.find_line(("c", 0, "b", 1)) == 3


def test_layers_win_in_order_and_tell_their_origin(tmp_path: Path) -> None:
    for name, bias in (("types/forum", 2.0), ("languages/zh", 3.0), ("sites/example.org", 4.0)):
        file = tmp_path / f"{name}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"score_card:\n  bias: {bias}\n")
    call = tmp_path / "call" / "mine.yaml"
    call.parent.mkdir()
    call.write_text("score_card:\n  bias: 5.0\n")
    keys = [
        (LayerKey(page_subtype="forum"), 2.0),
        (LayerKey(page_subtype="forum", language="zh"), 3.0),
        (LayerKey(page_subtype="forum", language="zh", sites=("example.org",)), 4.0),
    ]
    book = RuleBook(folders=[tmp_path])
    assert [book.for_page(key).score_card.bias for key, _ in keys] == [bias for _, bias in keys]
    origin = find_origin(book.layers(keys[2][0]), ("score_card", "bias"))
    assert origin is not None
    assert (origin.layer, origin.line) == ("site", 2)
    assert RuleBook(folders=[tmp_path], files=[call]).for_page(keys[2][0]).score_card.bias == 5.0
    assert len({book.for_page(key).hash for key, _ in keys}) == 3


def test_a_file_may_put_a_section_in_place_of_that_below(tmp_path: Path) -> None:
    added, instead = tmp_path / "added.yaml", tmp_path / "instead.yaml"
    card = "score_card:\n  lines: {n_words: {points: [1]}}\n"
    added.write_text(card)
    instead.write_text(f"replaces: [score_card, plain_card.by_type]\n{card}")
    shipped = load_rules()
    assert load_rules(added).score_card.lines.keys() == shipped.score_card.lines.keys() | {"n_words"}
    found = load_rules(instead)
    assert (found.score_card.bias, list(found.score_card.lines)) == (0.0, ["n_words"])
    assert (found.plain_card.by_type, found.plain_card.lines) == ({}, shipped.plain_card.lines)


def test_a_line_of_a_card_is_replaced_whole_or_silenced(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("roles:\n  lines: {rank: {below: [0.5], points: {form: [0, 1]}}, n_links: 0}\n")
    lines = load_rules(mine).roles.lines
    assert lines["rank"] == Bins(below=(0.5,), points={"form": (0, 1)})
    assert lines["n_links"] == 0
    assert lines["n_chars"] == load_rules().roles.lines["n_chars"]


def test_pages_without_layers_of_their_own_share_one_rule_set() -> None:
    book = RuleBook()
    assert book.for_page(LayerKey(sites=("a.example",))) is book.for_page(LayerKey(sites=("b.example",)))


def test_an_unknown_profile_names_the_ones_that_exist() -> None:
    with pytest.raises(RuleError, match="balanced"):
        load_rules(profile="precison")


def test_rules_of_a_language_apply_to_pages_in_it(tmp_path: Path) -> None:
    write_file(tmp_path / "languages" / "de.yaml", "rules: {alle: {when: {selector: p}, action: keep}}\n")
    german = "<html lang=de-AT><p>Kurz.</p>"
    assert webclean.clean(german, rules=tmp_path).text == "Kurz."
    assert "alle" not in webclean.clean("<html lang=en><p>Short.</p>", rules=tmp_path).analysis.rules.rules


def test_conflicts_and_site_rules_that_miss_are_told(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "example.org").with_suffix(".org.yaml").write_text(
        "rules:\n  wanted: {when: {selector: p}, action: keep}\n  unwanted: {when: {text: the}, action: drop}\n"
    )
    url = "https://www.example.org/1"
    page = webclean.clean("<p>In the end.</p>", url=url, rules=tmp_path)
    assert page.text == "In the end."
    assert page.warnings[1:] == ("rule 'wanted' keeps 1 block that rule 'unwanted' drops; keep wins",)
    missed = webclean.clean("<div>Nothing here.</div>", url=url, rules=tmp_path)
    assert missed.warnings[1:] == ("none of the 2 rules of this site matches: cleaned automatically",)
    assert missed.rules_hash == page.rules_hash != webclean.clean("<p>x").rules_hash


@pytest.mark.parametrize(
    ("url", "ids"),
    [
        ("https://intranet.example/1", {"above"}),
        ("https://news.intranet.example/1", {"above", "news"}),
        ("http://a.news.intranet.example:8080/1", {"above", "news"}),
        ("https://other.example/1", set()),
        ("https://www.shop.co.uk/1", {"above"}),
        ("https://news.shop.co.uk/1", {"above", "news"}),
        ("https://co.uk/1", set()),
    ],
)
def test_the_file_of_a_host_applies_to_hosts_below_it_and_the_nearer_wins(
    url: str, ids: set[str], tmp_path: Path
) -> None:
    (tmp_path / "sites").mkdir()
    for site in ("intranet.example", "shop.co.uk"):
        (tmp_path / "sites" / f"{site}.yaml").write_text(
            "statistics: {min_chars: 7}\nrules: {above: {when: {text: Above}, action: keep}}\n"
        )
        news = tmp_path / "sites" / f"news.{site}.yaml"
        news.write_text("statistics: {min_chars: 8}\nrules: {news: {when: {text: News}, action: keep}}\n")
    rules = webclean.clean("<p>Above.<p>News.", url=url, rules=tmp_path).analysis.rules
    assert set(rules.rules) - set(load_rules().rules) == ids
    assert rules.statistics.min_chars == (8 if "news" in ids else 7 if ids else load_rules().statistics.min_chars)


def test_an_edited_file_counts_for_the_next_cleaner_and_not_for_the_one_before(tmp_path: Path) -> None:
    html = "<h1>One</h1><h2>Second</h2><p>A walk through the forest takes an hour and leads back to the old mill.</p>"
    file = write_file(tmp_path / "rules.yaml", "rules: {title: {when: {}, action: {title: h1}}}")
    before = Cleaner(rules=file)
    assert before.clean(html).title == "One"
    changed = file.stat().st_mtime_ns
    file.write_text("rules: {title: {when: {}, action: {title: h2}}}")
    os.utime(file, ns=(changed + 1_000_000_000, changed + 1_000_000_000))
    assert Cleaner(rules=file).clean(html).title == "Second"
    assert before.clean(html).title == "One"
    assert webclean.clean(html, rules=file).title == "Second"


def test_an_edited_site_file_of_a_folder_counts_for_the_next_cleaner(tmp_path: Path) -> None:
    html, url = "<h1>One</h1><h2>Second</h2><p>A walk through the forest takes an hour.</p>", "https://example.org/a"
    file = tmp_path / "sites" / "example.org.yaml"
    file.parent.mkdir()
    file.write_text("rules: {title: {when: {}, action: {title: h1}}}")
    assert Cleaner(rules=tmp_path).clean(html, url=url).title == "One"
    file.write_text("rules: {title: {when: {}, action: {title: 'h2, h3'}}}")
    assert Cleaner(rules=tmp_path).clean(html, url=url).title == "Second"


REFUSED = ["(a+)+$", "(?:a*b?)*c", "(a|ab)*$", "(?:(?:ab){2,})+", "(?:x+ ?){3,}", "(ab|cd){50}", r"(a)\1"]
ACCEPTED = ["", "a+b*", "(?:ab)+", "(?:by|von) [A-Z]+", r"(?:\d{1,2}[.]){2}", r"[(+|*)]+", r"\(+\|+", "(?:a+b|c+)?"]


TOO_MUCH = ["(" * 990 + "a" + ")" * 990, "a{9999999999}"]  # for the parser of Python


@pytest.mark.parametrize("pattern", [*REFUSED, "(?P<x>a)(?P=x)", "(?=(a+)+)", "(", *TOO_MUCH])
def test_expressions_that_may_take_for_ever_are_refused(pattern: str) -> None:
    assert find_expression_fault(pattern)


@pytest.mark.parametrize("pattern", [*ACCEPTED, "(?:a|b){2}", "(?:a|b)+", "x{,5}", "a{b}+"])
def test_others_are_accepted(pattern: str) -> None:
    assert find_expression_fault(pattern) == ""


def test_up_to_forty_names_are_listed_and_of_more_the_closest() -> None:
    names = [f"n_words_{i:02d}" for i in range(40)]
    found = suggest("n_word_07", names)
    assert found == f"unknown key 'n_word_07'; did you mean 'n_words_07'? allowed: {', '.join(names)}"
    more = suggest("n_word_07", [*names, "other"], "feature")
    start = "unknown feature 'n_word_07'; did you mean 'n_words_07'? allowed: 41 names, the closest are n_words_07, "
    assert more.startswith(start)
    assert len(more.partition("closest are ")[2].split(", ")) == 8
    assert suggest("zzz", ["b", "a"]) == "unknown key 'zzz'; allowed: a, b"


@pytest.mark.parametrize(
    "name",
    [
        "Mill.example.org.yaml",
        "*.example.org.yaml",
        "mill.example.org.yml",
        "a.YAML",
        "co.uk.yaml",
        ".a.org.yaml",
        "a b.yaml",
    ],
)
def test_a_site_file_that_no_page_uses_is_a_fault(tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "sites" / name, "rules: {}\n")
    book = RuleBook(folders=[tmp_path])
    assert "is never used" in str(next(iter(list_faults(book, list_rule_files(book)))))


def test_a_file_of_a_call_switches_off_a_rule_of_a_site(tmp_path: Path) -> None:
    write_file(tmp_path / "sites" / "a.example.yaml", "rules: {d: {action: drop}}\n")
    (tmp_path / "call.yaml").write_text("rules: {d: {enabled: false}}\n", encoding="utf-8")
    book = RuleBook(folders=[tmp_path], files=[tmp_path / "call.yaml"])
    assert not book.for_page(LayerKey(sites=("a.example",))).rules["d"].enabled
    assert "d" not in book.for_page().rules
