"""What users may build on, as the code has it: `python -m tests.public_surface` writes it to `public_surface.yaml`.

Names of the package with what they have, commands with their options, sections of rule files, columns of tables and
keys of the page as JSON. What may change between two versions is in docs/versions.md.
"""

import argparse
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

import webclean
from webclean.batch.tables import find_schema
from webclean.cli import build_parser
from webclean.page.formats import describe_page_schema
from webclean.rules.rule_schema import Action, PostParts, Rule, RuleTest, When
from webclean.rules.schema import RuleSet

RECORD: Final = Path(__file__).with_suffix(".yaml")


def describe_name(name: str) -> Any:
    """Of a function the parameters; of a class those of its maker and the public names of it and of our classes above;
    of an enumeration its values."""
    found = getattr(webclean, name)
    if not callable(found):
        return type(found).__name__
    if hasattr(found, "__members__"):
        return " ".join(found)
    makes_itself = isinstance(found, type) and issubclass(found, Exception) and "__init__" not in vars(found)
    parameters = "" if makes_itself else " ".join(inspect.signature(found).parameters)
    if not isinstance(found, type):
        return parameters
    ours = [one for one in found.__mro__ if one.__module__.startswith("webclean")]
    members = {member for one in ours for member in {*vars(one), *vars(one).get("__annotations__", {})}}
    if issubclass(found, webclean.CleanPage):  # nobody makes one, and other modules of the package use more of it
        parameters, members = (
            "",
            members & {*find_members("webclean.CleanPage"), *vars(found).get("__annotations__", {})},
        )
    return {"takes": parameters, "has": " ".join(sorted(member for member in members if member[:1] != "_"))}


def find_members(name: str) -> list[str]:
    """The members of a class that docs/reference.md lists."""
    text = (Path(__file__).parents[1] / "docs" / "reference.md").read_text(encoding="utf-8")
    options = text.split(f"::: {name}\n", 1)[1].split("\n\n", 1)[0]
    return list(yaml.safe_load(options)["options"]["members"])


def list_commands(parser: argparse.ArgumentParser, name: str = "webclean") -> Iterator[tuple[str, str]]:
    """(command, its arguments and options), with those below it."""
    options = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below, its_parser in action.choices.items():
                yield from list_commands(its_parser, f"{name} {below}")
        else:
            options.append(",".join(action.option_strings) or action.dest.upper())
    yield name, " ".join(sorted(options))


def describe_surface() -> dict[str, Any]:
    """All that is public, as `RECORD` holds it."""
    return {
        "names": {name: describe_name(name) for name in sorted(webclean.__all__)},
        "commands": dict(sorted(list_commands(build_parser()))),
        "sections of rule files": " ".join(sorted(RuleSet.__struct_fields__)),
        "a rule": {
            part.__name__: " ".join(part.__struct_fields__) for part in (Rule, When, Action, PostParts, RuleTest)
        },
        "columns": {kind: " ".join(find_schema(kind).names) for kind in ("pages", "blocks", "records")},
        "page as JSON": {
            name: " ".join(sorted(part["properties"]))
            for name, part in describe_page_schema()["$defs"].items()
            if "properties" in part
        },
    }


if __name__ == "__main__":
    RECORD.write_text(yaml.safe_dump(describe_surface(), sort_keys=False, width=118, allow_unicode=True))
