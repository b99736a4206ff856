"""`webclean learn`: each target on a few generated pages, with what it prints and writes."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.laboratory.learnt import find_changes
from webclean.cli import main
from webclean.rules import RuleSet, load_rules

pytest.importorskip("scipy")
pytest.importorskip("sklearn")
pytest.importorskip("rapidfuzz")

from tests import Capture, Patch, write_file, write_labelled
from tests.laboratory.test_marked_pages import MARK, WORDS, make_page
from webclean.laboratory.block_cards import CARDS
from webclean.laboratory.commands import TARGETS
from webclean.laboratory.fitting import AdditiveOptions

NAMES = ("Ada Quill", "Jane Doe", "John Roe", "Mia Lund", "Tom Berg", "Eva Holm")


def make_article(number: int) -> tuple[str, dict[str, object]]:
    title, day, author = f"Harbour number {number}", f"2024-03-{number + 10}", NAMES[number % 6]
    text = f"The harbour has grown since the year {1900 + number}, and ships come in by day and by night."
    html = f"""<title>{title} | Port</title><meta name="author" content="{author}">
    <div class="menu"><a href=/>Home</a> <a href=/news>News</a></div><h1>{title}</h1>
    <p>By {author}, <time datetime="{day}">{day}</time></p><div class="story"><p>{text}</p><p>{text} Twice.</p></div>
    <div class="foot">Copyright Port {number}</div>"""
    truth = {"main_content": f"{title} {text} {text} Twice.", "title": title, "publish_date": day, "author": author}
    truth["main_content"] += " lost" * number  # words that no block has, so that the scores of pages differ
    return html, {**truth, "with": ["ships come in"], "without": ["Copyright"]}


def make_listing(number: int) -> tuple[str, dict[str, object]]:
    items = "".join(f"<li><a href=/i/{number}{i}>Kettle number {number}{i}</a> <b>{i}9 EUR</b></li>" for i in range(12))
    html = f'<title>Kettles {number}</title><div class="menu"><a href=/>Home</a></div><ul class="items">{items}</ul>'
    text = " ".join(f"Kettle number {number}{i} {i}9 EUR" for i in range(12))
    return html, {"main_content": text, "title": f"Kettles {number}"}


def make_product(number: int) -> tuple[str, dict[str, object]]:
    name, text = f"Lamp model {number}", f"A lamp of {number} watts that stands on three legs."
    html = f"""<title>{name}</title><div class="menu"><a href=/>Home</a></div><h1>{name}</h1><div class="buy">
    <p>{text}</p><form><button>Add to cart</button></form></div><div class="foot">Copyright Lamps {number}</div>"""
    return html, {"main_content": f"{name} {text}", "title": name}


MAKERS = {"article": make_article, "listing": make_listing, "product": make_product}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight pages of each of three types, each of a site of its own."""
    folder = tmp_path_factory.mktemp("labelled")
    write_pages(folder, tuple(MAKERS), 24)
    return folder


def write_pages(folder: Path, kinds: tuple[str, ...], n: int) -> None:
    """Pages of the kinds in turn."""
    for number in range(n):
        kind = kinds[number % len(kinds)]
        html, truth = MAKERS[kind](number)
        label = {
            "url": f"https://site{number}.com/a",
            "_internal": {"page_type": {"primary": kind}},
            "ground_truth": truth,
        }
        write_labelled(folder, f"{number:02d}", html, label)


def learn(capsys: Capture, target: str, data: Path, made: Path, *more: str) -> str:
    """What a target prints of a folder, from which it writes `made`."""
    assert main(["learn", target, "--data", str(data), "-o", str(made), *more]) == 0
    return capsys.readouterr().out


def learn_as_kept(capsys: Capture, target: str, data: Path, folder: Path, *more: str) -> RuleSet:
    """The rules that a target writes of a folder; what it prints and writes is as kept."""
    name = target.replace("-", "_")
    made = folder / f"{name}.yaml"
    out = learn(capsys, target, data, made, *more)
    assert find_changes(f"{name}.txt", out + made.read_text(), data, folder) == []
    return load_rules(made)


def test_fields_are_learnt_scored_and_written_into_one_file_from_every_second_page(
    data: Path, tmp_path: Path, capsys: Capture
) -> None:
    learnt = learn_as_kept(capsys, "fields", data, tmp_path, "--limit", "12").fields
    given = load_rules().fields
    assert learnt.title.card != given.title.card
    assert learnt.author.card.lines["signature"] == given.author.card.lines["signature"]  # by hand


def list_accuracies(out: str) -> list[tuple[str, float]]:
    scores = [line.strip().partition(": accuracy ") for line in out.splitlines() if "accuracy" in line]
    return [(name, float(rest.partition(",")[0])) for name, _, rest in scores]


def test_page_types_are_learnt_scored_and_written(data: Path, tmp_path: Path, capsys: Capture) -> None:
    assert set(learn_as_kept(capsys, "page-type", data, tmp_path).page_type.card.bias) == set(MAKERS)


def test_page_types_are_learnt_from_further_corpora_and_marked_home_pages(
    data: Path, tmp_path: Path, capsys: Capture
) -> None:
    news, homes, made = tmp_path / "news", tmp_path / "homes", tmp_path / "page_type.yaml"
    write_pages(news, ("article",), 5)
    links = " ".join(f"<a href=/{i}>Part number {i} of the page</a>" for i in range(40))
    for number in range(3):
        write_file(homes / f"home{number}.com.html", f"<body>{MARK.format(kind='LinkList', text=links)}")
    more = ["--data", str(news), "--marked", str(homes)]
    scores = list_accuracies(learn(capsys, "page-type", data, made, *more))
    assert scores[0] == ("subtypes by the card", 1.0)  # of the first corpus alone: 24 pages
    assert [name for name, _ in scores[2:]] == [
        f"subtypes of {name}, left out of learning" for name in ("news", "homes")
    ]
    assert scores[2][1] == 1.0
    assert "listing" in load_rules(made).page_type.card.bias


def test_the_patents_tree_is_learnt_scored_and_written(data: Path, tmp_path: Path, capsys: Capture) -> None:
    learnt = learn_as_kept(capsys, "page-type-tree", data, tmp_path)
    tree = yaml.safe_load((tmp_path / "page_type_tree.yaml").read_text())["page_type"]["patent"]["tree"]
    assert learnt.page_type.patent.tree.test == tree["if"]


def test_the_tree_of_titles_is_learnt_scored_and_written(data: Path, tmp_path: Path, capsys: Capture) -> None:
    learnt = learn_as_kept(capsys, "title-tree", data, tmp_path).fields.title
    assert learnt.tree != load_rules().fields.title.tree
    assert learnt.method == "card"


def test_roles_are_learnt_scored_and_written(tmp_path: Path, capsys: Capture) -> None:
    for number in range(8):
        (tmp_path / f"{number}.html").write_bytes(make_page(number))
    learn_as_kept(capsys, "roles", tmp_path, tmp_path, "--shuffles", "2")


def test_splits_are_learnt_scored_and_written(tmp_path: Path, capsys: Capture) -> None:
    for number in range(10):
        story = "".join(f"<div><h2>Lock {number}.{i}</h2><p>{WORDS}</p></div>" for i in range(4))
        cells = "".join(MARK.format(kind="Article", text=f"<p>{WORDS}</p><p>Keeper {i}</p>") for i in range(4))
        page = f"<body>{MARK.format(kind='Content', text=story)}<div>{cells}</div>"
        write_file(tmp_path / f"site{number}.com.html", page)
    card = learn_as_kept(capsys, "splits", tmp_path, tmp_path, "--shuffles", "2").splits
    assert card.given == load_rules().splits.given
    assert "headed_parts" in card.lines


def test_score_cards_are_learnt_scored_and_written(
    data: Path, tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    quick = AdditiveOptions(n_bins=4, f1_share=0.9, max_rounds=20)
    cards = {name: replace(card, options=quick) for name, card in CARDS.items()}
    monkeypatch.setattr("webclean.laboratory.block_cards.CARDS", cards)
    made = tmp_path / "rules"
    monkeypatch.setattr("webclean.laboratory.block_material.MIN_SITES", 3)
    assert main(["learn", "scorecard", "--data", str(data), "-o", str(made), "--limit", "12"]) == 0
    captured = capsys.readouterr()
    scores, _, _ = captured.out.partition("wrote")
    assert find_changes("score_cards.txt", scores, data, tmp_path) == []
    lines = captured.out.splitlines()
    names = ["article_card", "confidence", "plain_card", "score_card", "second_card", "word_points"]
    assert sorted(path.stem for path in made.iterdir()) == names
    assert [line.rpartition("/")[2] for line in lines if line.startswith("wrote")] == [
        f"{name}.yaml"
        for name in ("score_card", "article_card", "second_card", "plain_card", "word_points", "confidence")
    ]
    assert "12 pages parsed" in captured.err
    rules = load_rules(made)
    assert rules.score_card.bias != load_rules().score_card.bias
    assert "menu" in " ".join(group.words for group in rules.word_points.names if group.points < 0).split()


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six articles of another corpus, whose truth has the headline and readers' comments apart."""
    folder = tmp_path_factory.mktemp("news")
    for number in range(6):
        html, truth = make_article(number + 10)
        said = f"Reader {number} says that the harbour is too small for the ships that come in."
        html += f'<div class="comments"><p>{said}</p></div>'
        label = {"text": truth["main_content"], "comments": said, "domain": f"news{number}.com", "language": "en"}
        write_labelled(folder, str(number), html, label, "truth")
    return folder


def test_cards_of_several_corpora_are_scored_with_each_one_left_out(
    data: Path, news: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["learn", "scorecard", "--data", str(data), "--data", str(news), "-o", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "share of the blocks of articles that are main content, by the truth:"
    assert lines[1].startswith(f"  headline: {data.name} ")
    table = next(i for i, line in enumerate(lines) if line.startswith("corpora:"))
    first, second = (line.split() for line in lines[table + 1 : table + 3])
    assert first[:2] == [data.name, "24"]
    assert len(first) == 5
    assert second[:2] == [news.name, "6"]
    assert len(second) == 8
    assert float(second[-1]) > 0.6
    assert load_rules(tmp_path).article_card.lines


def test_cards_are_written_without_scores(data: Path, news: Path, tmp_path: Path) -> None:
    command = ["learn", "scorecard", "--data", str(data), "--data", str(news), "--no-scores"]
    assert main([*command, "-o", str(tmp_path)]) == 0
    assert not (tmp_path / "confidence.yaml").exists()
    assert (tmp_path / "article_card.yaml").is_file()


@pytest.mark.parametrize("target", [target.name for target in TARGETS])
def test_a_folder_of_another_layout_is_an_error(target: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["learn", target, "--data", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_page_types_are_not_learnt_from_one_type_alone(tmp_path: Path, capsys: Capture) -> None:
    write_pages(tmp_path, ("article",), 6)
    assert main(["learn", "page-type", "--data", str(tmp_path)]) == 2
    assert "two types at least, each on several sites: all are article" in capsys.readouterr().err


def test_sections_are_learnt_scored_and_written(tmp_path: Path, capsys: Capture) -> None:
    for number in range(10):
        story = "".join(f"<p>{WORDS} {number}.{i}</p>" for i in range(4))
        desk = f'<div class="desk" data-block="1" data-block-type="Article"><h2>Lock {number}</h2>{story}</div>'
        plain = f'<div class="plain"><div>{story}</div><div>{story}</div></div>'
        write_file(tmp_path / f"site{number}.com.html", f"<body>{desk}{desk}{plain}{plain}</body>")
    learnt = learn_as_kept(capsys, "sections", tmp_path, tmp_path, "--shuffles", "1").sections
    assert learnt.lines != load_rules().sections.lines
