"""Merged values -> frozen `RuleSet` or `Platform`, with errors that say file, line, key and what is allowed.

msgspec converts the values. Only if it fails does this module walk the struct types to find every faulty place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from webclean.errors import RuleError
from webclean.model import Role
from webclean.rules.cards import find_card_faults, find_misplaced, list_cards
from webclean.rules.features_schema import Platform
from webclean.rules.files import Path_, RuleText, format_path
from webclean.rules.layers import Origin, merge_values
from webclean.rules.page_type_schema import FourTypes
from webclean.rules.rule_schema import OneOrMore, as_tuple
from webclean.rules.schema import RuleSet
from webclean.rules.wording import explain_value, suggest

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


def find_faulty_cards(rules: RuleSet) -> Iterator[Fault]:
    """Everything in the cards that cannot be used."""
    for path, card in list_cards(rules):
        yield from find_misplaced(card, path)
        yield from find_card_faults(card, path)
    for role in rules.roles.classes:
        if role not in list(Role):
            yield ("roles", "bias", role), suggest(role, [*map(str, Role)], "role")


def find_faults(value: Any, kind: Any, path: Path_ = ()) -> Iterator[Fault]:
    """(path, message) of every reason why `value` is not a `kind`; the path is as deep as possible."""
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError) as error:
        # the deepest place says most; where there is none, the value itself is wrong
        deeper = list(_find_inside(value, kind, path))
        yield from deeper or [(path, explain_value(value, kind, str(error)))]


def _find_inside(value: Any, kind: Any, path: Path_) -> Iterator[Fault]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _find_inside(value, arguments[0], path)
    elif origin in (Union, UnionType):
        for option in arguments:
            # of a union the option that the author meant: else a mapping with a wrong key is "no text"
            if isinstance(value, Mapping) == _takes_mapping(option):
                yield from _find_inside(value, option, path)
    elif origin is dict and isinstance(value, Mapping):
        for key, item in value.items():
            yield from find_faults(item, arguments[1], (*path, key))
    elif origin in (tuple, list) and isinstance(value, list):
        kinds = arguments if Ellipsis not in arguments and len(arguments) == len(value) else arguments[:1] * len(value)
        for number, (item, inner) in enumerate(zip(value, kinds, strict=True)):
            yield from find_faults(item, inner, (*path, number))
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
        yield from _find_in_struct(value, kind, path)


def _find_in_struct(value: Mapping[str, Any], kind: type[msgspec.Struct], path: Path_) -> Iterator[Fault]:
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            yield (*path, key), suggest(str(key), list(fields))
    for name, field in fields.items():
        if name in value:
            yield from find_faults(value[name], hints[field.name], (*path, name))
        elif field.required:
            yield path, f"{name!r} is missing"


def _takes_mapping(kind: Any) -> bool:
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return get_origin(kind) is dict or (isinstance(kind, type) and issubclass(kind, msgspec.Struct))


_BEFORE_THE_BLOCKS: Final = ("replace", "unwrap", "drop_images")
"""Actions that edit the page before its platform is known."""


def read_platform(texts: Sequence[RuleText]) -> Platform:
    """The platform that the files of one name are about, one of each folder, the last of which wins. Raises
    `RuleError`."""
    for text in texts:
        _check_actions(text)
    merged = merge_values(_read_section(text) for text in texts)
    try:
        return msgspec.convert(merged, Platform)
    except (msgspec.ValidationError, ValueError) as error:
        path, message = next(find_faults(merged, Platform, ("platform",)), (("platform",), str(error)))
        last = texts[-1]
        raise RuleError(message, file=str(last.file), line=last.find_line(path), key=format_path(path)) from error


def _read_section(text: RuleText) -> dict[str, Any]:
    section = text.values.get("platform", {})
    if not isinstance(section, dict):
        raise RuleError("`platform` is a mapping", file=str(text.file), line=text.find_line(("platform",)))
    return section


def _check_actions(text: RuleText) -> None:
    rules = text.values.get("rules")
    for name, rule in rules.items() if isinstance(rules, dict) else ():
        action = rule.get("action") if isinstance(rule, dict) else None
        for edit in _BEFORE_THE_BLOCKS:
            if action == edit or (isinstance(action, dict) and edit in action):
                line = text.find_line(("rules", name, "action"))
                message = f"{edit!r} edits a page before its platform is known: it belongs in the file of a site"
                raise RuleError(message, file=str(text.file), line=line)
