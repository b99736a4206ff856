"""The letters of a language decide between encodings of Latin letters."""

from __future__ import annotations

import pytest

from webclean.parse.encoding import MIN_LETTERS, find_by_alphabet

CZECH = "Řeka pramení v kopcích a dlouho se klikatí, než dorazí k moři, a každé město má vlastní most přes řeku."
GERMAN = "Größe über Maß: ein Übermut, sagte Jörg, und die Bäume hören ihn für jetzt natürlich überhaupt nicht."


def find(text: str, codec: str, taken_for: str) -> str | None:
    data = text.encode(codec)
    return find_by_alphabet(data, data.decode(taken_for, "replace"), taken_for.replace("cp", "windows-"))


def test_the_encoding_with_the_letters_of_the_language_is_taken() -> None:
    assert find(CZECH, "cp1250", "cp1252") == "windows-1250"
    assert find(GERMAN, "mac-roman", "cp1252") == "macintosh"


def test_an_encoding_that_is_as_good_is_left() -> None:
    assert find(CZECH, "cp1250", "cp1250") is None
    assert find(GERMAN, "cp1252", "cp1252") is None


@pytest.mark.parametrize(("n", "is_found"), [(MIN_LETTERS, True), (MIN_LETTERS - 1, False)])
def test_some_letters_are_needed(n: int, *, is_found: bool) -> None:
    data = ("x" + "ř" * n).encode("cp1250")
    assert (find_by_alphabet(data, CZECH, "windows-1252") == "windows-1250") is is_found
