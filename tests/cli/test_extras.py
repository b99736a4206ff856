"""What a command says where a package that it needs is missing."""

from __future__ import annotations

import pytest

from webclean.cli.commands import require
from webclean.errors import InputError


def test_what_is_missing_is_named_with_what_to_install() -> None:
    require("learning", "scipy", "sklearn")
    with pytest.raises(InputError) as told:
        require("learning", "scipy", "no_such_module", "nor_this")
    assert str(told.value) == "learning needs no_such_module and nor_this: pip install no_such_module nor_this"
