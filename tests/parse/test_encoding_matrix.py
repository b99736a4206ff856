"""All encodings of the standard, each declared, wrongly declared and not declared."""

from __future__ import annotations

import encodings_matrix
import pytest
import webencodings

from webclean.parse.encoding import decode_bytes, find_by_alphabet

DECLARED = ("declared", "http")
NOT_TOLD_APART = {
    "x-mac-cyrillic": "nearly all letters are where windows-1251 has them",
    "iso-8859-16": "read as windows-1250, with a cedilla for the comma below",
    "iso-8859-3 Maltese": "the language is not recognised",
    "iso-8859-10": "the language is not recognised",
    "iso-8859-14": "the language is not recognised",
}
CASES = [(name, language) for name, languages in encodings_matrix.LANGUAGES.items() for language in languages]


def test_every_encoding_of_the_standard_is_in_the_matrix() -> None:
    assert {*encodings_matrix.LANGUAGES, "replacement", "x-user-defined"} == set(webencodings.LABELS.values())


@pytest.mark.parametrize(("encoding", "language"), CASES)
def test_a_text_is_read_however_its_encoding_is_declared(encoding: str, language: str) -> None:
    wrong = {way for way in encodings_matrix.WAYS if not encodings_matrix.read_way(encoding, language, way).is_right}
    if encoding in NOT_TOLD_APART or f"{encoding} {language}" in NOT_TOLD_APART:
        assert wrong == set(encodings_matrix.WAYS) - set(DECLARED)
    elif encoding == "windows-1258":
        assert wrong == {"as windows-1252"}
    else:
        assert not wrong


def test_user_defined_bytes_are_private_characters() -> None:
    assert decode_bytes(b"<p>a\x80\xff", "x-user-defined").markup == "<p>a\uf780\uf7ff"


def test_a_letter_or_two_do_not_change_an_encoding() -> None:
    text = "A folyo a dombok kozott ered, es hosszan kanyarog, mielott a tengerbe omlik. \u0151"
    data = f"<meta charset=iso-8859-1><p>{text}".encode("windows-1250")
    assert decode_bytes(data).encoding == "windows-1252"
    assert find_by_alphabet(data, data.decode("cp1252"), "windows-1252") is None


def test_names_of_other_languages_do_not_change_an_encoding() -> None:
    text = "Der Fluss heißt Møøse, die Brücke Çelik, die Häuser Señor und Über größeren Straßen läuft er. " * 3
    data = f"<meta charset=windows-1252><p>{text}".encode("windows-1252")
    assert decode_bytes(data).encoding == "windows-1252"


def test_a_handful_of_errors_does_not_hide_chinese() -> None:
    text = encodings_matrix.TEXTS["Chinese"]
    data = f"<p>{text}</p>".encode("gb18030") * 6
    for n_errors in (1, 3):
        broken = data
        for at in range(n_errors):
            broken = broken[: 60 + 150 * at] + b"\xff" + broken[60 + 150 * at :]
        found = decode_bytes(broken)
        assert found.encoding in ("gbk", "gb18030")
        assert found.markup.count(text) >= 6 - n_errors
