"""The candidates for title, date and author on three pages with their features, and all other fields of these pages.

`python -m tests.fields.candidates` writes `candidates.yaml` anew after a change that is meant; the diff is what a
reviewer reads. Cards have no part in it: it holds what they are learnt from.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import yaml

from webclean.features import PageColumns
from webclean.fields import FIELD_NAMES, extract_fields
from webclean.fields.candidates import Candidate
from webclean.fields.declared import list_page_kinds
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

HERE = Path(__file__).parent
TABLE = HERE / "candidates.yaml"
PAGES = {
    "report.html": "https://courier.example.co.uk/news/2023/05/weir.html",
    "thread.html": "http://bbs.river.cn/t/5.html",
    "blog.html": "https://lumen.example.com/blog/2022/04/03/a-lamp-from-old-tins/",
}
NOW = datetime(2023, 5, 20, 12, tzinfo=UTC)
ENTITIES = ("product", "recipe", "event", "job_posting", "discussion")
BY_CARD = ("title", "date", "author", "modified")


def read_page(name: str, url: str) -> dict[str, list[Any]]:
    """Field -> its candidates as [value, source, row, features]; or its value, as it is."""
    columns = build_columns(parse_page((HERE / "markup" / name).read_bytes(), url=url), load_rules())
    fields = extract_fields(columns, None, load_rules(), reference=NOW)
    statements, rules = PageStatements(columns), load_rules().fields
    kinds = list_page_kinds(statements, rules.page_kinds, rules.page_paths)
    found: dict[str, list[Any]] = {"page": [kinds]}
    found |= {name: [[c.value, c.source, c.row, c.features] for c in own] for name, own in collect(columns)}
    found |= {
        name: [msgspec.to_builtins(getattr(fields, name))] for name in FIELD_NAMES if name not in (*BY_CARD, *ENTITIES)
    }
    return dict(json.loads(json.dumps(found), parse_float=lambda text: float(f"{float(text):.4g}")))


def collect(columns: PageColumns) -> Iterator[tuple[str, list[Candidate]]]:
    """The candidates of each field that has a card, with the first h1 as the title's place."""
    language = columns.document.attrs[0].get("lang") or "en"
    fields = extract_fields(columns, None, load_rules(), reference=NOW).replace(language=FieldValue(str(language)))
    statements = PageStatements(columns)
    anchor = next(iter([*statements.rows_of("h1"), *statements.rows_of("h2")]), -1)
    for name in ("title", "author", "date"):
        yield name, fields.collect(name, anchor)[0]


def read_table() -> dict[str, dict[str, list[Any]]]:
    """What stands in the file."""
    return dict(yaml.safe_load(TABLE.read_text(encoding="utf-8")))


def write_table() -> None:
    """A candidate a line."""
    lines = ["# Candidates of fields; see candidates.py."]
    for page, url in PAGES.items():
        lines.append(f"{page}:")
        for name, values in read_page(page, url).items():
            lines.append(f"  {name}:")
            lines += [f"  - {json.dumps(value, ensure_ascii=False)}" for value in values]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_table()
