"""What a buyer may choose on a page of goods: sizes, colours and the like, and which of them is chosen; its pictures.

Choices are read from form controls (`select`, radio buttons), from elements that act as controls (ARIA `radio` and
`option`) or hold a value for a script (`data-value`), and from the variants that JSON in the page states:

    <label>Size</label> <select> <option>38 <option selected>40       Size: 38, 40 (chosen)
    {"variants": [{"color": "Tar"}, {"color": "Rope"}]}                color: Tar, Rope
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import Any, Final

import numpy as np

from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.matching.expressions import compile_pattern
from webclean.model import Document, Mask
from webclean.outputs.flow import TreeOptions, fold
from webclean.outputs.flow.addresses import find_pictures, name_file
from webclean.outputs.phone.pieces import Choice
from webclean.parse.columns import climb, find_attribute, find_texts, read_attribute, read_data_scripts
from webclean.parse.tags import CODE, HEADING
from webclean.parse.url import find_base, join_url
from webclean.rules import RuleSet
from webclean.rules.segments_schema import PhoneChoices

_ROLES: Final = ("radio", "option")
_NAMES: Final = ("aria-label", "title")
_VALUES: Final = ("data-value", "data-option-value", "value")
"""Attributes that say what a control without a text offers."""
_STATES: Final = ("selected", "checked", "aria-checked", "aria-selected")
_AROUND: Final = 3
"""The element that holds all controls of a group is at most so many levels above each of them."""
_BACK: Final = 3
"""The name of a group is one of so many texts before its first control; others repeat what is chosen."""
_FEW_BUTTONS: Final = 2
_NUMBER: Final = re.compile(r"[+(]?\d[\d ()./+–-]{4,22}\d")
"""Of a telephone: digits, and what is written between them."""
_NAME_WORDS: Final = re.compile(r"[^\W\d_]+")


def find_choices(columns: PageColumns, rules: PhoneChoices) -> list[Choice]:
    """The first choices below the headline of a page of goods, each name once."""
    never = compile_pattern(rules.never).search
    found: dict[str, Choice] = {}
    for name, offered, chosen in chain(_list_controls(columns, rules), _list_variants(columns.document, rules)):
        if len(found) == rules.most:
            break
        values = tuple(dict.fromkeys(value for value in offered if 0 < len(value) <= rules.value_chars))
        if 1 < len(values) <= rules.most_values and not never(name):
            found.setdefault(fold(name), Choice(name, values, chosen))
    return list(found.values())


def find_gallery(columns: PageColumns, kept: Mask, rules: RuleSet, stated: list[str], image: str) -> list[str]:
    """The addresses of the pictures of goods: of several that are stated, else of all in the largest element around the
    main one in which there is neither kept text nor a heading, and hardly any other text. kept: bool [n_blocks]."""
    document, name = columns.document, name_file(image)
    if len(stated) > 1 or not name:
        return [joined for url in stated if (joined := join_url(find_base(document), url))]
    options = TreeOptions(image_attributes=rules.fields.images.attributes, tools=rules.tools)
    found = find_pictures(document, np.ones_like(kept), options)
    top = next((row for row, one in found.items() if name_file(one["src"]) == name), -1)
    if top < 0:
        return []
    is_text = HEADING[document.tag] & document.displayed
    is_text[columns.row[kept]] = True
    for row in climb(document, top):
        nodes = find_texts(document, row, end := document.end.item(row))
        n_shown = sum(len(document.text[at].strip()) for at in nodes if document.displayed[document.text_owner[at]])
        if is_text[row:end].any() or n_shown > rules.phone.gallery_chars:
            break
        top = row
    return [one["src"] for row, one in found.items() if top <= row < document.end[top]]


def find_telephone(columns: PageColumns) -> tuple[str, str]:
    """The number that the page shows as a link to call it, and the address of that; empty for none. Of several the one
    nearest to the headline: the head of a site has that of its switchboard."""
    document, headline = columns.document, find_headline(columns)
    found: list[tuple[int, str, str]] = []
    for row in find_attribute(document, "href"):
        call = (read_attribute(document, row, "href") or "").strip()
        is_call = call.lower().startswith("tel:") and document.displayed[row]
        if is_call and _NUMBER.fullmatch(text := _read_text(document, row)):
            found.append((abs(row - int(columns.row[headline])) if headline >= 0 else row, text, call))
    return min(found, default=(0, "", ""))[1:]


def _list_controls(columns: PageColumns, rules: PhoneChoices) -> Iterator[tuple[str, list[str], str]]:
    """Name, values and the chosen value of each group of controls."""
    document, headline, read = columns.document, find_headline(columns), partial(read_attribute, columns.document)
    # the headline is often a repetition further down that is nearer to `<title>`: the first h1 counts too
    heads = (HEADING[document.tag] & document.displayed).nonzero()[0]
    first = min([*heads[document.tag[heads] == CODE["h1"]][:1], *columns.row[headline : headline + 1]], default=0)
    kinds = {name: set((document.tag == CODE[name]).nonzero()[0].tolist()) for name in ("option", "button")}
    kinds["radio"] = {row for row in find_attribute(document, "type") if read(row, "type") == "radio"}
    kinds["part"] = {row for name in rules.attributes for row in find_attribute(document, name)}
    kinds["part"] |= {row for row in find_attribute(document, "role") if read(row, "role") in _ROLES}
    groups: dict[tuple[str, int | str], list[int]] = {}
    for kind, found in kinds.items():
        known = np.array(sorted(found), dtype=np.int64)
        for row in known[known >= first].tolist():
            # the innermost element around the control that holds another control of this kind
            above = islice(climb(document, row), 1, _AROUND + 1)
            around = next((at for at in above if np.diff(known.searchsorted((at, document.end[at])))[0] > 1), row)
            groups.setdefault((kind, (kind == "radio" and read(row, "name")) or around), []).append(row)
    labels = {read(row, "for"): row for row in reversed(find_attribute(document, "for"))}
    heads, keys, never = heads[heads > first], [key.lower() for key in rules.keys], compile_pattern(rules.never).search
    for (kind, _), rows in sorted(groups.items(), key=lambda group: group[1][0]):
        # without `Choose a size`, an option whose value is empty
        values = {row: _read_value(document, row, labels, rules) for row in rows if read(row, "value") != ""}
        # one or two buttons lead back and on
        if not values or (kind == "button" and len(values) <= _FEW_BUTTONS):
            continue
        begin = next(iter(values))
        name = _read_name(document, begin, set(values.values()), rules)
        before = heads[: heads.searchsorted(begin)].tolist()
        # controls below the heading of another part, such as the reviews, are no choices; below `Size` they are
        is_named = not before or (name and name in _read_text(document, before[-1]))
        is_choice = any(key in name.lower() for key in keys) or (kind != "button" and is_named)
        if never(name) or not is_choice:
            continue
        states = [row for row in values if any(read(row, state) not in (None, "false") for state in _STATES)]
        yield name, list(values.values()), values[states[0]] if len(states) == 1 else ""


def _read_value(document: Document, row: int, labels: Mapping[str | None, int], rules: PhoneChoices) -> str:
    """What a control offers: its text, that of its label, or what an attribute says. labels: id -> its first label."""
    places = [row, labels.get(read_attribute(document, row, "id") or "", row)]
    places += [at for at in (document.parent.item(row),) if document.tag[at] == CODE["label"]]
    texts = (_read_text(document, at) for at in places)
    # a swatch is named by its own attributes, else by those of what stands in its label
    inside = (at for place in places[1:] for at in range(place, document.end.item(place)))
    stated = chain(
        (read_attribute(document, row, key) for key in _NAMES),
        (read_attribute(document, at, key) for at in inside for key in (*_NAMES, "alt")),
        (read_attribute(document, row, key) for key in _VALUES),
    )
    return next(filter(None, chain(texts, stated)), "").strip()


def _read_text(document: Document, row: int) -> str:
    """The text of an element; parts of it stand below each other, as in `<b>M</b><i>US 6-9</i>`."""
    texts = (document.text[at] for at in find_texts(document, row, document.end.item(row)))
    return " ".join(" ".join(texts).split())


def _read_name(document: Document, row: int, values: set[str], rules: PhoneChoices) -> str:
    """What is chosen: the short text before the first control, else the words of its name; '' for none."""
    holder = document.parent.item(row) if document.tag[row] == CODE["option"] else row
    texts = (document.text[at].strip(" \t\n\r:：*") for at in reversed(find_texts(document, 0, holder)))
    # what stands in brackets is a remark on the name: `Size (required)`
    before = list(islice((text for text in texts if text and text not in values and text[0] not in "(（"), _BACK))
    for text in before:
        # `Size: M`, where the value is `M US 6-9`
        is_value = any(value.startswith(text) for value in values)
        if len(text) <= rules.name_chars and any(map(str.isalpha, text)) and not is_value:
            return text.partition(":")[0]
    return " ".join(_NAME_WORDS.findall(read_attribute(document, holder, "name") or ""))


def _list_variants(document: Document, rules: PhoneChoices) -> Iterator[tuple[str, list[str], str]]:
    """Name and values of each property in which the variants in the JSON of a page differ."""
    named = {key.lower() for key in rules.keys}
    for script in read_data_scripts(document).values():
        found: dict[str, list[str]] = {}
        with suppress(ValueError, RecursionError):
            has_any = any(map(script.__contains__, rules.variants))
            variants = _find_variants(json.loads(script), rules) if has_any else ()
            for key, value in chain.from_iterable(variant.items() for variant in variants):
                if key.lower() in named and isinstance(value, str):
                    found.setdefault(key, []).append(value.strip())
        yield from ((key, values, "") for key, values in found.items())


def _find_variants(stated: Any, rules: PhoneChoices) -> Iterator[dict[str, Any]]:
    """The objects in the lists of variants, at any depth."""
    named = stated.items() if isinstance(stated, dict) else enumerate(stated) if isinstance(stated, list) else ()
    for key, value in named:
        if key in rules.variants and isinstance(value, list):
            yield from (variant for variant in value if isinstance(variant, dict))
        yield from _find_variants(value, rules)
