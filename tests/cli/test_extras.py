"""What a command says where a package that it needs is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean
from webclean.cli.commands import name_extra, require
from webclean.errors import InputError


def test_an_extra_that_holds_all_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["httpx<1", 'pyarrow>=15; extra == "batch"', 'fastwarc; extra == "batch"', 'pyarrow; extra == "all"']
    monkeypatch.setattr("importlib.metadata.requires", lambda _: lines)
    monkeypatch.chdir(Path(webclean.__file__).parents[1])
    assert name_extra(["pyarrow", "fastwarc"]) == '".[batch]"'
    assert name_extra(["pyarrow"]) == '".[all]"'
    assert name_extra(["pyarrow", "numpy"]) == "pyarrow numpy"


def test_what_is_missing_is_named_with_what_to_install() -> None:
    require("learning", "scipy", "sklearn")
    with pytest.raises(InputError) as told:
        require("learning", "scipy", "no_such_module", "nor_this")
    assert str(told.value) == "learning needs no_such_module and nor_this: pip install no_such_module nor_this"
