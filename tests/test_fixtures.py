"""Every page of fixtures/: it is read in the right encoding, nothing is raised, and its text is as good as it ever was.

The floor of each page's F1 is pinned in benchmarks/floors.yaml; `python benchmarks/gate.py --raise` only raises it.
"""

from pathlib import Path

import pytest
import webencodings
from contradictions import KINDS
from gate import read_floors
from page_folders import find_fixtures, read_fixture, read_meta
from quality import score_words_and_characters
from snapshots import find_differences

import webclean
from webclean.parse import ENGINES, parse_page

FIXTURES = find_fixtures()
IDS = [f"{path.parent.name}/{path.name}" for path in FIXTURES]
FLOORS = read_floors()["fixtures"].pages

each_fixture = pytest.mark.parametrize("fixture", FIXTURES, ids=IDS)


@pytest.fixture(scope="module")
def cleaner() -> webclean.Cleaner:
    return webclean.Cleaner()


def test_every_page_has_a_floor() -> None:
    assert set(FLOORS) == set(IDS)


@each_fixture
def test_bytes_are_decoded_right(fixture: Path) -> None:
    html = (fixture / "input.html").read_bytes()
    name = webencodings.lookup(read_meta(fixture)["encoding"]).name
    # of Python's two Big5 tables this one has the standard's symbols (https://encoding.spec.whatwg.org/#index-big5)
    expected = html.decode({"big5": "cp950"}.get(name, name)).removeprefix("\ufeff")
    assert parse_page(html).source.markup.removeprefix("\ufeff") == expected


@each_fixture
def test_text_is_as_good_as_it_was(fixture: Path, cleaner: webclean.Cleaner) -> None:
    page = read_fixture(fixture)
    found = cleaner.clean(page.html, url=page.url)
    f1 = score_words_and_characters(found.text, page.text).f1
    assert f1 >= FLOORS[page.id], "worse than ever: mend it, or lower the floor in benchmarks/floors.yaml by hand"


@each_fixture
def test_every_part_of_the_result_can_be_asked_for(fixture: Path, cleaner: webclean.Cleaner) -> None:
    page = read_fixture(fixture)
    found = cleaner.clean(page.html, url=page.url)
    values = found.to_dict()
    assert values["text"] == found.text
    assert all(block.xpaths for block in found.blocks)


@each_fixture
def test_output_is_what_stands_beside_the_page(fixture: Path, cleaner: webclean.Cleaner) -> None:
    if differences := list(find_differences(fixture, cleaner)):
        shown = "\n".join(differences)
        pytest.fail(f"{shown}\nWhere this is meant: python benchmarks/snapshots.py --write", pytrace=False)


@pytest.mark.parametrize("kind", ["block against its texts", "text of an excluded role"])
@each_fixture
def test_blocks_and_their_texts_agree(fixture: Path, kind: str, cleaner: webclean.Cleaner) -> None:
    page = read_fixture(fixture)
    assert list(KINDS[kind](cleaner.clean(page.html, url=page.url))) == []


@pytest.mark.parametrize("engine", sorted(set(ENGINES) - {"fast"}))
@each_fixture
def test_engines_agree(fixture: Path, engine: str, cleaner: webclean.Cleaner) -> None:
    html = (fixture / "input.html").read_bytes()
    assert webclean.Cleaner(parser=engine).clean(html).text == cleaner.clean(html).text
