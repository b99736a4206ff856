"""What `webclean serve` refuses before it starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from webclean.cli import main

pytest.importorskip("uvicorn", reason="the extra serve")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_other_machines_are_served_with_a_token_alone(
    host: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEBCLEAN_TOKEN", raising=False)
    assert main(["serve", "--host", host, "--port", "1"]) == 2
    assert f"{host} is open to other machines" in capsys.readouterr().err


def test_a_token_file_that_is_empty_is_no_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "token").write_text("\n")
    assert main(["serve", "--host", "0.0.0.0", "--port", "1", "--token-file", str(tmp_path / "token")]) == 2
    assert "token" in capsys.readouterr().err
