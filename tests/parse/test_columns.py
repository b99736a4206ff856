"""What is read from the columns of a small page, the same from every engine; trees as arrays, where each function gives
what walking up from every node gives; and images that nobody sees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean import LimitExceeded, Limits
from webclean.model import Document
from webclean.parse import (
    ENGINES,
    find_attribute,
    find_texts,
    parse_page,
    read_attribute,
    read_attributes,
    read_raw,
)
from webclean.parse.columns import (
    find_hiding,
    find_nearest,
    list_values,
    mark_slices,
    read_formula_scripts,
)
from webclean.parse.inputs import convert_source

PAGE = """<title>t</title><p class=" a  b " id=x>one<b>two</b></p><input disabled class="">three<p class=c>four</p>"""


@pytest.fixture(params=sorted(ENGINES))
def page(request: pytest.FixtureRequest) -> Document:
    return parse_page(PAGE, engine=request.param)


def test_attributes_are_strings_and_absent_ones_nothing(page: Document) -> None:
    first, field, last = (row for row, name in enumerate(page.names) if name in ("p", "input"))
    assert [read_attribute(page, row, "class") for row in (first, field, last)] == ["a b", "", "c"]
    assert read_attribute(page, field, "disabled") == ""
    assert read_attribute(page, first, "disabled") is None
    assert read_attributes(page, [last, 0, first, field], "class") == ["c", "", "a b", ""]
    assert list(find_attribute(page, "class")) == [first, field, last]
    assert list(find_attribute(page, "style")) == []
    assert list_values(page, "class") == ["a b", "", "c"]
    assert read_attributes(page, range(len(page)), "id") == ["x" if row == first else "" for row in range(len(page))]


def test_text_nodes_between_two_rows(page: Document) -> None:
    """Those that stand after the start of the first and before the start of the other."""
    for first in range(len(page)):
        for end in range(first, len(page) + 1):
            inside = [at for at, after in enumerate(page.text_next.tolist()) if first < after <= end]
            assert list(find_texts(page, first, end)) == inside


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_raw_texts_are_told_apart(engine: str) -> None:
    scripts = (
        "<script>1</script><script type=math/tex>x^2</script><script type='application/ld+json'>{}</script>"
        "<style>p{}</style><noscript><i>n</i></noscript><script type='math/mml'>m</script><svg><style>q</style></svg>"
    )
    document = parse_page(f"<body>{scripts}", engine=engine)
    rows = [row for row, name in enumerate(document.names) if name == "script"]
    assert read_formula_scripts(document) == {rows[1]: "x^2", rows[3]: "m"}
    assert read_raw(document, "script") == ["{}"]
    assert read_raw(document, "style")[0] == "p{}"
    assert dict(document.fallback) == {document.names.index("noscript"): "<i>n</i>"}


FOUR = "<p a=1 b=2><p><p c=3><p d=4 e=5>"
"""Seven elements with html, head and body."""


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize(("limit", "n"), [("max_elements", 7), ("max_attributes", 5)])
def test_a_page_of_just_the_limit_is_whole(engine: str, limit: str, n: int) -> None:
    assert len(parse_page(FOUR, engine=engine, limits=Limits(**{limit: n}))) == 7
    with pytest.raises(LimitExceeded, match=f"{limit}: {n} is over the limit of {n - 1}"):
        parse_page(FOUR, engine=engine, limits=Limits(**{limit: n - 1}))


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize(("n", "left"), [(5, 7), (4, 6), (3, 6), (2, 5), (1, 3), (0, 3)])
def test_a_page_is_cut_before_the_element_with_too_many_attributes(engine: str, n: int, left: int) -> None:
    document = parse_page(FOUR, engine=engine, limits=Limits(max_attributes=n), on_limit="truncate")
    assert len(document) == left
    assert (document.end <= left).all()


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_texts_go_with_the_elements_that_are_cut(engine: str) -> None:
    markup = "<p>one</p>two<p>three</p>four"
    document = parse_page(markup, engine=engine, limits=Limits(max_elements=4), on_limit="truncate")
    assert (document.names, document.text) == (["html", "head", "body", "p"], ["one", "two"])
    assert (document.text_owner.tolist(), document.text_next.tolist()) == ([3, 2], [4, 4])
    assert document.end.tolist() == [4, 2, 4, 4]


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_elements_at_the_deepest_level_that_is_allowed_stay_nested(engine: str) -> None:
    markup = "<div><div><i><b>x</b>y</i>z</div></div>"
    assert parse_page(markup, engine=engine, limits=Limits(max_depth=5)).depth.tolist() == [0, 1, 1, 2, 3, 4, 5]
    with pytest.raises(LimitExceeded, match="max_depth: 5 is over the limit of 4"):
        parse_page(markup, limits=Limits(max_depth=4))
    document = parse_page(markup, limits=Limits(max_depth=3), on_limit="truncate")
    assert document.names == ["html", "head", "body", "div", "div", "i", "b"]
    assert document.depth.tolist() == [0, 1, 1, 2, 3, 3, 3]
    assert document.parent.tolist() == [-1, 0, 0, 2, 3, 3, 3]
    assert document.end.tolist() == [7, 2, 7, 7, 5, 6, 7]


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_links_and_blocks_around_each_element(engine: str) -> None:
    document = parse_page("<div><a>n</a><a href=x><i>k</i></a></div><i href=y>l</i>", engine=engine)
    assert document.names == ["html", "head", "body", "div", "a", "a", "i", "i"]
    assert document.link.tolist() == [-1, -1, -1, -1, -1, 5, 5, -1]
    assert document.block.tolist() == [0, 0, 2, 3, 3, 3, 3, 2]


def test_the_anchor_of_what_is_no_markup_is_the_body() -> None:
    assert parse_page("<p>x").anchor == ""
    assert parse_page("just a line").anchor == "/html/body"
    assert convert_source(parse_page("<p>x").source).kind == "html"


def test_what_is_inside_a_template_or_a_foreign_style_gets_no_rows() -> None:
    markup = "<body><template><p>a<b>b</b></template><p>c</p><svg><style><g>e<h>f</h></g></style></svg><i>d</i>"
    document = parse_page(markup)
    assert document.names == ["html", "head", "body", "template", "p", "svg", "style", "i"]
    assert document.text == ["c", "d"]
    assert document.text_owner.tolist() == [4, 7]
    assert document.text_next.tolist() == [5, 8]


TREES = st.lists(st.integers(1, 6), max_size=30)
"""How many levels up from the node before the parent of each further node is; more than there are: under the root."""


def make_tree(steps: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """(parent, end) of a tree in document order."""
    parent, path = [-1], [0]
    for row, up in enumerate(steps, start=1):
        path = path[: max(1, len(path) - up + 1)]
        parent.append(path[-1])
        path.append(row)
    n = len(parent)
    end = [max(other for other in range(n) if row in list_above(parent, other)) + 1 for row in range(n)]
    return np.array(parent), np.array(end)


def list_above(parent: list[int], row: int) -> list[int]:
    """A node and its ancestors."""
    found = []
    while row >= 0:
        found.append(row)
        row = parent[row]
    return found


@given(TREES, st.sets(st.integers(0, 30)))
def test_nearest_is_the_first_on_the_way_up(steps: list[int], chosen: set[int]) -> None:
    parent, _ = make_tree(steps)
    wanted = np.array([row in chosen for row in range(len(parent))])
    ways = [list_above(parent.tolist(), row) for row in range(len(parent))]
    assert find_nearest(parent, wanted).tolist() == [next((at for at in way if wanted[at]), -1) for way in ways]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_slices_cover_the_rows_inside_them(pairs: list[tuple[int, int]]) -> None:
    slices = [(min(pair), max(pair)) for pair in pairs]
    starts, ends = (np.array([pair[at] for pair in slices], dtype=np.intp) for at in (0, 1))
    covered = mark_slices(starts, ends, 9)
    assert covered.tolist() == [any(first <= row < last for first, last in slices) for row in range(9)]


@pytest.mark.parametrize(
    ("markup", "unseen"),
    [
        ("<div><p><img></p></div>", False),
        ("<div><p><img width=1></p></div>", True),
        ("<div><p hidden><img></p></div>", True),
        ("<div><p width=1><img></p></div>", False),
        ("<div hidden><p><img></p></div>", False),
    ],
)
def test_elements_around_an_image_hide_it_below_a_given_one(markup: str, *, unseen: bool) -> None:
    document = parse_page(markup)
    assert (find_hiding(document, document.names.index("img")) > document.names.index("div")) is unseen
