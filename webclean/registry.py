"""Features: the numbers that cards, trees and rules ask for by name, in one registry for each subject.

A feature is a function of its subject (a text block, a page, a semantic block, a candidate of a field) with a name, a
unit and a meaning:

    @feature("words", "words of the block; a CJK character is a word")
    def n_words(columns: PageColumns) -> Floats: ...

`webclean.checks` lists the registries of all subjects; `webclean rules features` prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from webclean.errors import RuleError
from webclean.rules.validate import suggest

_Subject = TypeVar("_Subject")
_Value = TypeVar("_Value")
_Function = TypeVar("_Function", bound=Callable[..., Any])


_MOST_BUILT: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class Feature(Generic[_Subject, _Value]):
    """A named value of a subject. learn: the cards that `webclean learn` may use it in; group: its table or file.

    A family of features whose names end in a word of the rules (`token.` stands for `token.GROUP` with each group of
    them) is a value of that word, which is the function that computes the feature; its name is what all begin with.
    """

    name: str
    unit: str
    meaning: str
    learn: tuple[str, ...]
    compute: Callable[[_Subject], _Value]
    group: str = ""


class FeatureRegistry(dict[str, Feature[_Subject, _Value]]):
    """The features of one subject by name, in the order in which they were registered."""

    def __init__(self, subject: str, *sections: str, cards: tuple[str, ...] | None = None) -> None:
        """subject: what the features measure, as documents and errors say it.

        sections: of the rule set, where their names stand; cards: those of them that are learnt (default: all).
        """
        super().__init__()
        self.subject, self.sections = subject, sections
        self.cards = sections if cards is None else cards
        self.numbers: dict[str, int] = {}
        self.needs: dict[str, tuple[str, ...]] = {}
        self.families: dict[str, Feature[str, Callable[[_Subject], _Value]]] = {}
        self._built: dict[str, Feature[_Subject, _Value]] = {}

    def feature(
        self, unit: str, meaning: str, *, name: str = "", learn: tuple[str, ...] | None = None
    ) -> Callable[[_Function], _Function]:
        """Register the decorated function.

        Args:
            unit: what is counted or measured, "share", or the range of a code.
            meaning: one line that explains a value to whoever reads a card.
            name: instead of the function's own.
            learn: the cards that may learn the feature; all of the subject's unless given, none for ().
        """

        def register(compute: _Function) -> _Function:
            known = name or compute.__name__
            group = compute.__module__.rpartition(".")[2]
            self[known] = Feature(known, unit, meaning, self.cards if learn is None else learn, compute, group)
            return compute

        return register

    def add_tables(
        self,
        tables: Mapping[str, Sequence[tuple[str, ...]]],
        make: Callable[[str], Callable[[_Subject], _Value]],
        needs: Sequence[tuple[str, ...]] = (),
    ) -> None:
        """Register the features of the tables of an axis of the core; then `numbers` has their numbers in the core and
        `needs` what each must have been given.

        Args:
            tables: title -> lines of name, unit, meaning, expression and, if not all cards may learn the feature, the
                names of those that may.
            make: name -> what computes the feature.
            needs: of the lines of all tables; nothing by default.
        """
        for title, lines in tables.items():
            for name, unit, meaning, _, *learn in lines:
                cards = tuple(learn[0].split()) if learn else self.cards
                self.numbers[name] = number = len(self.numbers)
                self.needs[name] = needs[number] if needs else ()
                self[name] = Feature(name, unit, meaning, cards, make(name), title)

    def family(
        self, prefix: str, unit: str, meaning: str, *, learn: tuple[str, ...] | None = None
    ) -> Callable[[_Function], _Function]:
        """Register all features that begin with a prefix; the decorated function takes the rest of the name."""

        def register(build: _Function) -> _Function:
            self.families[prefix] = Feature(prefix, unit, meaning, self.cards if learn is None else learn, build)
            return build

        return register

    def find(self, name: str, key: str = "") -> Feature[_Subject, _Value]:
        """The feature of a name. Raises `RuleError`, with the name that is meant if one is close.

        key: the place in the rules where the name stands, for the error.
        """
        found = self.get(name) or self._built.get(name)
        if found is not None:
            return found
        for prefix, family in self.families.items():
            if name.startswith(prefix) and len(name) > len(prefix):
                # a card asks for the same ones of each page
                if len(self._built) >= _MOST_BUILT:
                    self._built.clear()
                compute = family.compute(name.removeprefix(prefix))
                made = self._built[name] = Feature(name, family.unit, family.meaning, family.learn, compute)
                return made
        known = [*self, *(f"{prefix}NAME" for prefix in self.families)]
        raise RuleError(suggest(name, known, f"{self.subject} feature"), key=key)

    def list_learnt(self, card: str) -> tuple[str, ...]:
        """The names, without families, that a card may learn."""
        return tuple(name for name, feature in self.items() if card in feature.learn)
