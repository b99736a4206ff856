"""Whether repeated units make a block an index."""

from __future__ import annotations

import msgspec
import pytest

from webclean.rules import load_rules
from webclean.segments.listing import Listing, reads_as_index
from webclean.segments.units import Unit

RULES = msgspec.structs.replace(
    load_rules().segments.records,
    index_units=3,
    index_link_density=0.5,
    teaser_units=5,
    teaser_coverage=0.75,
    teaser_chars=100,
)


@pytest.mark.parametrize(
    ("n_units", "n_chars", "in_all", "link_density", "expected"),
    [
        (2, 20, 20, 1.0, False),
        (3, 20, 90, 0.5, True),
        (3, 20, 20, 0.49, False),
        (5, 300, 400, 0.0, True),
        (5, 300, 401, 0.0, False),
        (4, 300, 400, 0.0, False),
        (5, 500, 500, 0.0, True),
        (5, 501, 501, 0.0, False),
    ],
)
def test_an_index_is_of_links_or_of_short_teasers(
    n_units: int, n_chars: int, in_all: int, link_density: float, expected: bool
) -> None:
    listing = Listing((Unit(1, 2),) * n_units, n_chars)
    assert reads_as_index(listing, in_all, link_density, RULES) is expected
