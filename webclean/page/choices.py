"""What may be chosen of the goods that a page sells: sizes, colours and the like, and which of them is chosen.

Choices are read off form controls (`select`, radio buttons), elements that act as such (ARIA `radio` and `option`) or
carry the value of a script (`data-value`), and where there are none, off the variants that JSON in the page states:

    <label>Size</label> <select> <option>38 <option selected>40       Size: 38, 40 (chosen)
    {"variants": [{"color": "Tar"}, {"color": "Rope"}]}                color: Tar, Rope
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, Final

from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.matching.expressions import compile_pattern
from webclean.model import Document
from webclean.outputs.flow import fold
from webclean.outputs.phone.pieces import Choice
from webclean.parse import find_attribute, read_attribute, read_raw
from webclean.parse.columns import find_texts
from webclean.parse.tags import CODE, HEADING
from webclean.rules.segments_schema import PhoneChoices

_ROLES: Final = ("radio", "option")
_SHOWN: Final = ("aria-label", "title", "data-value", "data-option-value", "value")
"""Attributes that say what a control without a text is, the clearest first."""
_STATES: Final = ("selected", "checked", "aria-checked", "aria-selected")
_AROUND: Final = 3
"""Elements from a control up to the one that holds all of its group."""
_BACK: Final = 3
"""Texts before the first control, of which one may be the name of its group: others repeat what is chosen."""
_FEW_BUTTONS: Final = 2
_COUNT: Final = re.compile(r"\d+ ?\+?")
_NAME_WORDS: Final = re.compile(r"[^\W\d_]+")


def find_choices(columns: PageColumns, rules: PhoneChoices) -> list[Choice]:
    """The first choices below the headline of a page of goods, each name once."""
    never, found = compile_pattern(rules.never).search, dict[str, Choice]()
    for name, offered, chosen in chain(_list_controls(columns, rules), _list_variants(columns.document, rules)):
        if len(found) == rules.most:
            break
        values = tuple(dict.fromkeys(value for value in offered if 0 < len(value) <= rules.value_chars))
        # `1`, `2`, `10 +`; numbers of a script, which show nothing
        is_count = all(map(_COUNT.fullmatch, values)) and (
            values[:2] == ("1", "2") or all(len(value) > 2 for value in values)
        )
        known = {fold(value) for one in found.values() for value in one.values}
        is_said = known.issuperset(map(fold, values))
        if 1 < len(values) <= rules.most_values and not (is_count or is_said or never(name)):
            found.setdefault(fold(name), Choice(name, values, chosen))
    return list(found.values())


def _list_controls(columns: PageColumns, rules: PhoneChoices) -> Iterator[tuple[str, list[str], str]]:
    """Name, values and the chosen value of each group of controls."""
    document, headline = columns.document, find_headline(columns)
    # the name of the goods may be said once more further down, nearer to `<title>`
    heads = (HEADING[document.tag] & document.displayed).nonzero()[0]
    named = [*heads[document.tag[heads] == CODE["h1"]].tolist()[:1], *(columns.row[headline : headline + 1].tolist())]
    first = min(named, default=0)
    groups: dict[tuple[str, int | str], list[int]] = {}
    for row in (document.tag == CODE["option"]).nonzero()[0].tolist():
        groups.setdefault(("option", document.parent.item(row)), []).append(row)
    for row in find_attribute(document, "type"):
        if read_attribute(document, row, "type") == "radio":
            groups.setdefault(("radio", read_attribute(document, row, "name") or ""), []).append(row)
    acting = [row for row in find_attribute(document, "role") if read_attribute(document, row, "role") in _ROLES]
    carrying = [row for name in rules.attributes for row in find_attribute(document, name)]
    controls, parts = {row for rows in groups.values() for row in rows}, sorted({*acting, *carrying})
    for row in parts:
        if row not in controls:
            groups.setdefault(("part", _find_group(document, row, parts)), []).append(row)
    labels: dict[str, list[int]] = {}
    for row in find_attribute(document, "for"):
        labels.setdefault(read_attribute(document, row, "for") or "", []).append(row)
    for row in (document.tag == CODE["button"]).nonzero()[0].tolist():
        if row not in parts:
            groups.setdefault(("button", document.parent.item(row)), []).append(row)
    heads, keys = heads[heads > first], {key.lower() for key in rules.keys}
    never, forms = compile_pattern(rules.never).search, (document.tag == CODE["form"]).nonzero()[0]
    own: int | None = None  # the form of the first group, -1 for none: other forms are of other goods
    for (kind, _), rows in sorted(groups.items(), key=lambda group: group[1][0]):
        # `Choose a size` has no value
        rows = [row for row in rows if read_attribute(document, row, "value") != ""]  # noqa: PLW2901
        # two buttons are `back` and `on`
        if not rows or rows[0] < first or (kind == "button" and len(rows) <= _FEW_BUTTONS):
            continue
        values = {row: _read_value(document, row, labels) for row in rows}
        name = _read_name(document, rows[0], set(values.values()), rules)
        before = heads[: heads.searchsorted(rows[0])]
        # controls below a heading of another part, such as the reviews, are no choices; those below a size are
        headed = _read_text(document, before.item(-1)) if len(before) else ""
        is_known = any(key in name.lower() for key in keys)
        is_headed = name and (name in headed or columns.prices_dates.prices.search(headed))
        if never(name) or (len(before) and not is_known and not is_headed) or (kind == "button" and not is_known):
            continue
        around = forms[(forms < rows[0]) & (document.end[forms] > rows[0])]
        form = around.item(-1) if len(around) else -1
        own = form if own is None else own
        if form != own:
            continue
        read = partial(read_attribute, document)
        states = [row for row in rows if any(read(row, state) not in (None, "false") for state in _STATES)]
        chosen = values[states[0]] if len(states) == 1 else ""
        yield name, list(values.values()), chosen


def _find_group(document: Document, row: int, parts: list[int]) -> int:
    """The innermost element around a part that holds another one. parts: all of the page, rising."""
    for _ in range(_AROUND):
        row = document.parent.item(row)
        if bisect_left(parts, document.end.item(row)) - bisect_right(parts, row) > 1:
            break
    return row


def _read_value(document: Document, row: int, labels: Mapping[str, Sequence[int]]) -> str:
    """What a control offers: its text, that of its label, or what an attribute says. labels: id -> its labels."""
    text = _read_text(document, row)
    name = read_attribute(document, row, "id")
    for label in labels.get(name, ()) if name and not text else ():
        text = text or _read_text(document, label)
    parent = document.parent.item(row)
    if not text and document.tag[parent] == CODE["label"]:
        text = _read_text(document, parent)
    return text or next((value for key in _SHOWN if (value := read_attribute(document, row, key))), "").strip()


def _read_text(document: Document, row: int) -> str:
    return " ".join("".join(document.text[i] for i in find_texts(document, row, document.end.item(row))).split())


def _read_name(document: Document, row: int, values: set[str], rules: PhoneChoices) -> str:
    """What is chosen: the short text before the first control, else the words of its name; '' for none."""
    holder = document.parent.item(row) if document.tag[row] == CODE["option"] else row
    texts = (document.text[at].strip(" \t\n\r:：*") for at in reversed(find_texts(document, 0, holder)))
    # what stands in brackets is a remark on the name: `Size (required)`
    before = list(islice((text for text in texts if text and text not in values and text[0] not in "(（"), _BACK))
    for text in before:
        if len(text) <= rules.name_chars and any(map(str.isalpha, text)):
            return text.partition(":")[0]
    return " ".join(_NAME_WORDS.findall(read_attribute(document, holder, "name") or ""))


def _list_variants(document: Document, rules: PhoneChoices) -> Iterator[tuple[str, list[str], str]]:
    """Name and values of what the variants in the JSON of a page differ by."""
    named = {key.lower() for key in rules.keys}
    for script in read_raw(document, "script"):
        # most scripts are no JSON, and are told by their first sign
        if script.lstrip()[:1] not in ("{", "[") or not any(key in script for key in rules.variants):
            continue
        try:
            stated = json.loads(script)
        except (ValueError, RecursionError):
            continue
        found: dict[str, list[str]] = {}
        for variant in _find_variants(stated, rules):
            for key, value in variant.items():
                if key.lower() in named and isinstance(value, str):
                    found.setdefault(key, []).append(value.strip())
        yield from ((key, values, "") for key, values in found.items())


def _find_variants(stated: Any, rules: PhoneChoices) -> Iterator[dict[str, Any]]:
    """The objects in the lists of variants, at any depth."""
    left = [stated]
    while left:
        one = left.pop()
        listed = [("", value) for value in one] if isinstance(one, list) else []
        for key, value in one.items() if isinstance(one, dict) else listed:
            left.append(value)
            if key in rules.variants and isinstance(value, list):
                yield from (variant for variant in value if isinstance(variant, dict))
