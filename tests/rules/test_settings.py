"""The structs of the sections of a rule file."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import msgspec
import pytest

import webclean.rules

SECTIONS = sorted(
    {
        struct
        for module in pkgutil.iter_modules(webclean.rules.__path__, "webclean.rules.")
        for _, struct in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(struct, msgspec.Struct) and struct.__module__.startswith("webclean.")
    },
    key=lambda struct: struct.__qualname__,
)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__qualname__)
def test_sections_are_frozen(section: type[msgspec.Struct]) -> None:
    assert section.__struct_config__.frozen


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__qualname__)
def test_sections_are_made_by_name(section: type[msgspec.Struct]) -> None:
    kinds = {parameter.kind for parameter in inspect.signature(section).parameters.values()}
    assert kinds <= {inspect.Parameter.KEYWORD_ONLY}
