"""The JSON Schema (2020-12) of a rule file: the rule set's sections, none of them required in one file."""

from __future__ import annotations

from typing import Any

import msgspec

from webclean.rules.schema import RuleSet


def describe_schema() -> dict[str, Any]:
    """Schema that editors complete and check rule files with. Descriptions are the docstrings of the sections."""
    schema = msgspec.json.schema(RuleSet)
    for definition in schema["$defs"].values():
        if "description" in definition:
            definition["description"] = " ".join(definition["description"].split())
    top = schema["$defs"]["RuleSet"]
    top.pop("required", None)
    top["properties"].pop("hash", None)
    schema["$defs"]["Rule"]["properties"].pop("origin", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "webclean rule file", **schema}
