"""Small pages for tests of fields."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from tests import read_columns, read_table
from webclean.fields import PageFields, extract_fields
from webclean.rules import RuleSet, load_rules


def read_fields(
    body: str,
    *,
    head: str = "",
    lang: str = "en",
    url: str | None = "https://www.example.com/a/page",
    reference: datetime | None = None,
    rules: RuleSet | None = None,
) -> PageFields:
    """Fields of a page made from a head and a body."""
    columns = read_columns(f'<html lang="{lang}"><head>{head}</head><body>{body}</body></html>', url=url)
    return extract_fields(columns, None, rules or load_rules(), reference=reference)


def write_json_ld(*things: Any) -> str:
    """A script with the things, in a list if there are several."""
    return f'<script type="application/ld+json">{json.dumps(things[0] if len(things) == 1 else things)}</script>'


def read_forms(name: str) -> tuple[list[str], list[list[str]]]:
    """A table in `forms`."""
    return read_table(Path(__file__).parent / "forms" / f"{name}.tsv")
