"""`webclean learn` says what it wants before it reads a page."""

from __future__ import annotations

import pytest

from webclean.cli import main


def test_a_weight_is_of_a_known_type(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["learn", "page-type", "--data", "nowhere", "--weight", "novel=2"])
    assert caught.value.code == 2
    assert "no type 'novel': one of content" in capsys.readouterr().err
