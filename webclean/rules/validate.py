"""Merged values -> frozen `RuleSet` or `Platform`, with errors that say file, line, key and what is allowed.

msgspec converts the values. Only if it fails does this module walk the struct types to find every faulty place.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from functools import lru_cache, reduce
from itertools import pairwise
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeGuard, Union, get_args, get_origin, get_type_hints

import msgspec

from webclean.errors import RuleError
from webclean.model import Role
from webclean.rules.card_schema import Bins, Card, Line, Points
from webclean.rules.files import MESSAGES, Path_, RuleText, format_path
from webclean.rules.layers import Origin, merge_values
from webclean.rules.page_schema import FourTypes, Platform
from webclean.rules.rule_schema import OneOrMore, as_tuple
from webclean.rules.schema import RuleSet

Fault = tuple[Path_, str]
"""(path, message) of a fault."""
_BIAS: Final = ("page_type", "card", "bias")


def convert_rules(values: Mapping[str, Any], find_origin: Callable[[Path_], Origin | None]) -> RuleSet:
    """Check and freeze. Raises `RuleError` for the first wrong value, in the order of the sections."""
    try:
        rules = msgspec.convert(values, RuleSet)
    except (msgspec.ValidationError, ValueError) as error:
        # msgspec stops at the first fault and names it by type: the walk finds where it is and says it plainly
        path, message = next(find_faults(values, RuleSet), ((), str(error)))
        raise locate(path, message, find_origin) from error
    for fault in (*find_unknown_types(values), *find_faulty_cards(rules)):
        raise locate(*fault, find_origin)
    return rules


def locate(path: Path_, message: str, find_origin: Callable[[Path_], Origin | None]) -> RuleError:
    """A fault with the file and line of the value."""
    origin = find_origin(path)
    file, line = (str(origin.file), origin.line) if origin else ("", 0)
    return RuleError(message, file=file, line=line, key=format_path(path))


def find_unknown_types(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Every name of a page type, subtype or label that is not in `page_type.types`.

    Values of the wrong form are ignored here; `find_faults` reports them.
    """
    subtypes = list(_find_mapping(values, "page_type", "types"))
    names = [*get_args(FourTypes), *subtypes]
    given: list[tuple[Path_, OneOrMore | None, list[str]]] = []
    for rule_id, rule in _find_mapping(values, "rules").items():
        given += [
            (("rules", rule_id, part, "page_type"), _find_mapping(rule, part).get("page_type"), names)
            for part in ("when", "action")
        ]
    for label, refinement in _find_mapping(values, "page_type", "refinements").items():
        given.append((("page_type", "refinements", label), label, subtypes))
        given.append((("page_type", "refinements", label, "of"), _find_mapping(refinement).get("of"), subtypes))
    given += [(("page_type", "card", "bias", name), name, subtypes) for name in _find_mapping(values, *_BIAS)]
    for path, written, known in given:
        for name in as_tuple(written) if isinstance(written, str | list) else ():
            if isinstance(name, str) and name not in known:
                yield path, suggest(name, known, "page type")


def _find_mapping(values: Any, *path: str) -> Mapping[str, Any]:
    """The mapping at a path, an empty one where there is none."""
    for step in path:
        values = values.get(step) if isinstance(values, Mapping) else None
    return values if isinstance(values, Mapping) else {}


CARDS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("score_card",): ("by_type",),
    ("second_card",): ("by_type",),
    ("article_card",): ("by_type",),
    ("plain_card",): ("by_type",),
    ("page_type", "card"): ("words",),
    ("roles",): ("given",),
    ("splits",): ("given",),
    ("sections",): ("given",),
    ("fields", "title", "card"): (),
    ("fields", "date", "card"): (),
    ("fields", "date", "modified_card"): (),
    ("fields", "author", "card"): (),
}
"""Path of each card -> the keys that it may have beside `bias` and `lines`."""
_EMPTY: Final = Card()


def find_card_faults(card: Card, path: Path_ = ()) -> Iterator[Fault]:
    """Faults of a card: limits that do not rise, points that do not fit their bins, classes that the bias has not."""
    for part, lines in list_lines(card):
        for name, line in lines.items():
            yield from _find_line_faults(line, card.classes, (*path, *part, name))
    for kind, added in card.by_type.items():
        yield from _find_class_faults(added.bias, card.classes, (*path, "by_type", kind, "bias"))
    for channel, words in card.words.items():
        for word, points in words.items():
            yield from _find_class_faults(points, card.classes, (*path, "words", channel, word))


def list_lines(card: Card) -> Iterator[tuple[tuple[str, ...], Mapping[str, Line]]]:
    """The lines of all parts of a card, with their paths in it."""
    yield ("lines",), card.lines
    yield ("given",), card.given
    for kind, added in card.by_type.items():
        yield ("by_type", kind, "lines"), added.lines


def _find_line_faults(line: Line, classes: tuple[str, ...], path: Path_) -> Iterator[Fault]:
    if not isinstance(line, Bins):
        yield from _find_class_faults(line, classes, path)
        return
    if not all(low < high for low, high in pairwise(line.below)):
        yield (*path, "below"), "the limits of `below` must rise"
    has_classes = isinstance(line.points, dict)
    by_class = line.points if isinstance(line.points, dict) else {"points": line.points}
    yield from _find_class_faults(dict.fromkeys(by_class, 1.0) if has_classes else 1.0, classes, path)
    for name, points in by_class.items():
        if len(points) != len(line.below) + 1:
            yield (*path, "points"), f"{name}: {len(points)} points for {len(line.below) + 1} bins"


def _find_class_faults(points: Points, classes: tuple[str, ...], path: Path_) -> Iterator[Fault]:
    known = f"one of {', '.join(classes)} (the keys of `bias`)" if classes else "the bias of the card names none"
    if isinstance(points, dict):
        for name in points:
            if name not in classes:
                yield path, f"no class {name!r}: {known}"
    elif classes and points:
        yield path, f"points of this card need a class: {known}"


def find_faulty_cards(rules: RuleSet) -> Iterator[Fault]:
    """Everything in the cards that cannot be used."""
    sections: Any = rules
    for path, allowed in CARDS.items():
        card: Card = reduce(getattr, path, sections)
        for key in ("given", "by_type", "words"):
            # it would have no effect at this place
            if key not in allowed and getattr(card, key) != getattr(_EMPTY, key):
                yield (*path, key), f"a card has no {key!r} here"
        yield from find_card_faults(card, path)
    for role in rules.roles.classes:
        if role not in list(Role):
            yield ("roles", "bias", role), suggest(role, [*map(str, Role)], "role")


class Part(NamedTuple):
    """A value inside another one. step: its key or number, which is a part of its own where the keys of a mapping have
    a type. kind: the type it must have. section: the section of which it is a member, if it is one."""

    step: str | int
    value: Any
    kind: Any
    section: type[msgspec.Struct] | None = None


def list_options(kind: Any) -> Iterator[Any]:
    """The types of which a value may have one."""
    if get_origin(kind) in (Union, UnionType):
        for option in get_args(kind):
            yield from list_options(option)
    else:
        yield kind


@lru_cache(maxsize=256)
def read_hints(section: type[msgspec.Struct]) -> dict[str, Any]:
    """Key as written in YAML -> type, of a section."""
    hints = get_type_hints(section, include_extras=True)
    return {field.encode_name: hints[field.name] for field in msgspec.structs.fields(section)}


def is_section(kind: Any) -> TypeGuard[type[msgspec.Struct]]:
    """Whether a type is a section."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def list_parts(value: Any, kind: Any) -> Iterator[Part]:
    """What stands one step inside a plain value that has the form of `kind`, as far as it has."""
    for option in list_options(kind):
        plain = get_args(option)[0] if get_origin(option) is Annotated else option
        origin, arguments = get_origin(plain), get_args(plain)
        if origin is dict and isinstance(value, Mapping):
            for key, item in value.items():
                yield Part(key, key, arguments[0])
                yield Part(key, item, arguments[1])
        elif origin in (tuple, list) and isinstance(value, list):
            open_ended = Ellipsis in arguments or len(arguments) != len(value)
            kinds = arguments[:1] * len(value) if open_ended else arguments
            yield from (Part(number, *pair) for number, pair in enumerate(zip(value, kinds, strict=True)))
        elif is_section(plain) and isinstance(value, Mapping):
            yield from (Part(key, value[key], inner, plain) for key, inner in read_hints(plain).items() if key in value)


def walk_values(value: Any, kind: Any = RuleSet, path: Path_ = ()) -> Iterator[tuple[Path_, Part]]:
    """(path, part) of everything inside a plain value that has the form of `kind`."""
    for part in list_parts(value, kind):
        yield (*path, part.step), part
        yield from walk_values(part.value, part.kind, (*path, part.step))


def find_faults(value: Any, kind: Any, path: Path_ = ()) -> Iterator[Fault]:
    """(path, message) of every reason why `value` is not a `kind`; the path is as deep as possible."""
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError) as error:
        # the deepest place says most; where there is none, the value itself is wrong
        deeper = list(_find_inside(value, kind, path))
        yield from deeper or [(path, explain_value(value, kind, str(error)))]


def _find_inside(value: Any, kind: Any, path: Path_) -> Iterator[Fault]:
    sections = [option for option in list_options(kind) if is_section(option) and isinstance(value, Mapping)]
    for section in sections:
        known = list(read_hints(section))
        yield from (((*path, key), suggest(str(key), known)) for key in value if key not in known)
    for part in list_parts(value, kind):
        yield from find_faults(part.value, part.kind, (*path, part.step))
    for section in sections:
        for field in msgspec.structs.fields(section):
            if field.required and field.encode_name not in value:
                yield path, f"{field.encode_name!r} is missing"


_AT: Final = re.compile(r" - at `[^`]*`$")
_EXPECTED: Final = re.compile(r"Expected `([a-z| ]+)`(?:, got `(\w+)`| (.*))$")
_N_SHOWN: Final = 40
"""Known names that a message lists; where there are more, as of features, it lists the closest ones."""
_N_CLOSE: Final = 8


def explain_value(value: Any, kind: Any, problem: str) -> str:
    """The message for one wrong value. problem: msgspec's message."""
    allowed = list(_list_names(kind))
    if isinstance(value, str) and "Invalid enum value" in problem and allowed:
        # the short form of an action is a word, the long one a mapping
        has_mapping = any(hasattr(option, "__struct_fields__") for option in get_args(kind))
        rest = ", or a mapping" if has_mapping else ""
        return suggest(value, allowed, "value") + rest
    problem = _AT.sub("", problem)
    # mappings by id, such as the rules
    if isinstance(value, list) and get_origin(kind) is dict and hasattr(get_args(kind)[1], "__struct_fields__"):
        return "a mapping is expected, not a list: each entry has a name; write `name:` in place of `- `"
    found = _EXPECTED.match(problem)
    if found is None:
        return problem
    types, _, bound = found.groups()
    shown = _show(value)
    if bound:
        sign, _, number = bound.rpartition(" ")
        least, what = MESSAGES["bounds"].get(sign.split()[-1], sign), "characters" if "length" in sign else ""
        return f"{least} {number} {what}".rstrip() + f" is allowed, not {shown}"
    names = [name for name in types.split(" | ") if name != "null"]
    wanted = " or ".join(MESSAGES["types"].get(name, name) for name in names)
    hint = ""
    # the classic of YAML: `language: no` is no Norwegian
    if "str" in names and isinstance(value, bool):
        hint = "; a text that reads yes, no, on, off, true or false stands in quotes: 'no'"
    elif "str" in names and isinstance(value, int | float | date):
        hint = f"; a text that looks like a number or a day stands in quotes: '{value}'"
    return f"{wanted} is expected, not {shown}{hint}"


def suggest(name: str, allowed: list[str], what: str = "key") -> str:
    """The message for an unknown name, with a similar known name and all known ones (if they are many, the closest)."""
    # a low bar for the list of what is near, the usual one for `did you mean`
    close = difflib.get_close_matches(name, allowed, n=_N_CLOSE, cutoff=0.3)
    hint = f"did you mean {close[0]!r}? " if close and difflib.get_close_matches(name, close[:1]) else ""
    if len(allowed) > _N_SHOWN:
        return f"unknown {what} {name!r}; {hint}allowed: {len(allowed)} names, the closest are {', '.join(close)}"
    return f"unknown {what} {name!r}; {hint}allowed: {', '.join(sorted(allowed))}"


def _show(value: Any) -> str:
    """A value in the words of an author of rules."""
    if isinstance(value, str):
        return f"the text {value[:60]!r}"
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "nothing"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else str(value)


def _list_names(kind: Any) -> Iterator[str]:
    """The allowed names of a value of this kind; none if any text is allowed."""
    for option in list_options(kind):
        if get_origin(option) is Literal:
            yield from map(str, get_args(option))
        elif isinstance(option, type) and issubclass(option, Enum):
            yield from (str(member.value) for member in option)


def read_platform(texts: Sequence[RuleText]) -> Platform:
    """The platform that the files of one name are about, one of each folder, the last of which wins. Raises
    `RuleError`."""
    for text in texts:
        if not isinstance(text.values.get("platform", {}), dict):
            raise RuleError("`platform` is a mapping", file=str(text.file), line=text.find_line(("platform",)))
    merged = merge_values(text.values.get("platform", {}) for text in texts)
    try:
        return msgspec.convert(merged, Platform)
    except (msgspec.ValidationError, ValueError) as error:
        path, message = next(find_faults(merged, Platform, ("platform",)), (("platform",), str(error)))
        last = texts[-1]
        raise RuleError(message, file=str(last.file), line=last.find_line(path), key=format_path(path)) from error
