"""The form of a rule file: kinds, bounds and defaults of all settings; sections are frozen and made by name."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import msgspec
import pytest

import webclean.rules
from tests.rules.settings import KEPT, list_settings

SECTIONS = sorted(
    {
        struct
        for module in pkgutil.iter_modules(webclean.rules.__path__, "webclean.rules.")
        for _, struct in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(struct, msgspec.Struct) and struct.__module__.startswith("webclean.")
    },
    key=lambda struct: struct.__qualname__,
)


def test_settings_are_those_that_are_kept() -> None:
    assert list(list_settings()) == KEPT.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__qualname__)
def test_sections_are_frozen(section: type[msgspec.Struct]) -> None:
    assert section.__struct_config__.frozen


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__qualname__)
def test_sections_are_made_by_name(section: type[msgspec.Struct]) -> None:
    kinds = {parameter.kind for parameter in inspect.signature(section).parameters.values()}
    assert kinds <= {inspect.Parameter.KEYWORD_ONLY}
