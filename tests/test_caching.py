"""What is computed of a page is computed once, as long as it is asked for in the same way."""

from typing import Any

from webclean.caching import cached_per_page, cached_property
from webclean.features.block_features import find_links


class Page:
    def __init__(self) -> None:
        self.cache: dict[Any, Any] = {}


def test_a_result_is_kept_until_other_arguments_are_given() -> None:
    calls = []

    @cached_per_page
    def compute(page: Page, *given: object, **named: object) -> list[object]:
        """What it does."""
        calls.append((given, named))
        return [*given, *named.values()]

    page, one, two = Page(), [1], [1]
    first = compute(page, one)
    assert compute(page, one) is first
    assert compute(page, one, two) == [one, two]
    assert compute(page, one) is not first
    assert compute(page, two) == compute(page, one)
    assert len(calls) == 5
    named = compute(page, one, key=two)
    assert compute(page, one, key=two) is named
    assert compute(page, one, key=one) is not named
    assert compute(Page(), one, key=two) is not named
    nothing = compute(page)
    assert compute(page) is nothing
    assert compute(page, None) == [None]
    assert (compute.__name__, compute.__doc__) == ("compute", "What it does.")


def test_a_cached_function_keeps_its_name_and_what_is_said_of_it() -> None:
    assert (find_links.__name__, find_links.__module__) == ("find_links", "webclean.features.block_features")
    assert "table of the page's links" in (find_links.__doc__ or "")


def test_a_cached_property_is_computed_once_for_each_object() -> None:
    made: list[object] = []

    class Page:
        @cached_property
        def words(self) -> list[str]:
            """The words."""
            made.append(self)
            return ["tea"]

    one, other = Page(), Page()
    assert one.words is one.words
    assert other.words == ["tea"]
    assert other.words is not one.words
    assert made == [one, other]
    assert vars(one) == {"words": ["tea"]}
    assert Page.words.__doc__ == "The words."
