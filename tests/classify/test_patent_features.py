"""The patent's 13 features on pages small enough to count by hand."""

import pytest

from webclean.classify.patent_tree import PATENT_FEATURES, measure_patent_features
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules


def measure(html: str) -> dict[str, float]:
    return measure_patent_features(build_columns(parse_page(html)), load_rules())


def box(n_chars: int, letter: str = "x", inner: str = "") -> str:
    return f"<div>{inner}{letter * n_chars}</div>"


def test_there_are_thirteen_in_the_patents_order() -> None:
    assert len(PATENT_FEATURES) == 13
    numbers = [int(feature.meaning.partition(".")[0]) for feature in PATENT_FEATURES.values()]
    assert numbers == list(range(1, 14))


@pytest.mark.parametrize(
    ("html", "name", "value"),
    [
        (box(151), "largest_is_long", 1),
        (box(150), "largest_is_long", 0),
        (box(129) + box(100), "two_largest_similar", 1),
        (box(130) + box(100), "two_largest_similar", 0),
        (box(130), "two_largest_similar", 0),
        (box(500) + box(401), "second_is_long", 1),
        (box(500) + box(400), "second_is_long", 0),
        (box(99) + "<div>Copyright 2024 by the river society of</div>", "second_is_copyright", 1),
        (box(99) + "<div>The river society of the eleven old towns</div>", "second_is_copyright", 0),
        (f"<section>{box(90)}{box(80)}</section>{box(9)}", "two_largest_related", 1),
        (f"<section>{box(90)}<div>{box(80)}</div></section>{box(9)}", "two_largest_related", 1),
        (f"<section>{box(80)}<div>{box(90)}</div></section>{box(9)}", "two_largest_related", 1),
        (f"<section>{box(90)}</section><div><div>{box(80)}</div></div>", "two_largest_related", 0),
        (box(90) + box(80), "two_largest_related", 0),
        (f"{box(90)}<section>{box(80)}{box(9)}</section>", "two_largest_related", 0),
        (f"<section>{box(90)}{box(80)}</section>", "two_largest_related", 0),
        (f"<main>{box(90)}</main><main>{box(80)}</main>", "two_largest_related", 0),
        (f"<main>{box(90)}</main><article>{box(80)}</article>", "two_largest_related", 0),
        ("<div>It rises in the hills and runs down. So</div>", "has_full_stop", 1),
        ("<div>河流从山上流下来一直流到大海那边去了然后就没有了。</div>", "has_full_stop", 1),
        ("<div>It rises in the hills and runs down to v2.0beta</div>", "has_full_stop", 0),
        (box(99, inner="<b>a</b><i>b</i>"), "tag_count", 2),
        (box(99, inner="<p>a<p>b<br>c"), "paragraph_count", 3),
        (box(99), "paragraph_count", 0),
        ("", "paragraph_count", 0),
        (box(3), "text_outweighs_links", 1),
        (box(2), "text_outweighs_links", 0),
        (f"{box(30)}<a href=x>{'y' * 29}</a>", "text_outweighs_links", 1),
        (f"{box(30)}<a href=x>{'y' * 30}</a>", "text_outweighs_links", 0),
        (f"{box(79)}<a href=x>{'y' * 1000}</a>", "largest_small_beside_links", 1),
        (f"{box(80)}<a href=x>{'y' * 1000}</a>", "largest_small_beside_links", 0),
        (f"{box(76, inner='<p>')}<a href=x>{'y' * 1000}</a>", "paragraph_block_beside_links", 1),
        (f"{box(75, inner='<p>')}<a href=x>{'y' * 1000}</a>", "paragraph_block_beside_links", 0),
        (f"{box(76)}<a href=x>{'y' * 1000}</a>", "paragraph_block_beside_links", 0),
        (f"{box(76, inner='<p>')}<a href=x>{'y' * 2000}</a>", "paragraph_block_beside_links", 0),
        (box(149), "no_clear_blocks", 1),
        (box(150), "no_clear_blocks", 0),
        (box(90) + box(90), "no_clear_blocks", 0),
        ("", "no_blocks", 1),
        (box(5), "no_blocks", 1),
        (box(5) + "<p>x", "no_blocks", 0),
        (box(5) + "<p></p>", "no_blocks", 1),
        (box(99), "no_blocks", 0),
    ],
)
def test_an_attribute_of_a_small_page(html: str, name: str, value: float) -> None:
    assert measure(html)[name] == value
