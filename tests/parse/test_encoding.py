"""Bytes of all encodings of the standard: declared, undeclared, wrongly declared, and told by letters of a language."""

import codecs
from itertools import product
from typing import Final

import encodings_matrix as matrix
import pytest
import webencodings

from webclean.parse import read_source
from webclean.parse.encoding import MIN_LETTERS, PRESCAN_BYTES, decode_bytes, detect_despite_faults, find_by_alphabet
from webclean.parse.limits import Budget

NAMES = ("gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "windows-1251", "koi8-r", "windows-1252")
TEXTS = {name: matrix.write_text(matrix.TEXTS[matrix.LANGUAGES[name][0]], name) for name in NAMES}
# that of the matrix, with lone lead bytes in it, is taken for Russian
TEXTS["shift_jis"] = "川は丘に源を発し、長く曲がりくねった道を経て海に至る。途中で十一の町を通り過ぎる。"


def make_page(name: str, declaration: str = "", paragraphs: int = 3) -> bytes:
    body = f"<p class=story>{TEXTS[name]}</p>" * paragraphs
    page = f"<!doctype html><html><head>{declaration}<title>.</title></head><body>{body}</body></html>"
    return page.encode(matrix.CODECS.get(name, name))


LATIN, GERMAN_DECLARED = b"<meta charset=iso-8859-1><p>", b"<meta charset=windows-1252><p>"
NAMES_IN_GERMAN = "Der Fluss heißt Møøse, die Brücke Çelik, die Häuser Señor und Über größeren Straßen läuft er. " * 3
SIGNS = "<p>Ferries: £8.40, or £30 the “family” way</p>"
ENCODED = [
    ("<html><p>Rivers 河流 run to the sea</p></html>".encode("utf-16-le"), "utf-16le"),
    ("<html><p>Rivers 河流 run to the sea</p></html>".encode("utf-16-be"), "utf-16be"),
    # every other byte of UTF-16 is zero, of nearly all of its head
    (b"a\0b\0", "utf-16le"),
    (b"\0a\0b", "utf-16be"),
    (b"a\0b", "utf-8"),
    (b"\0\0\0\0", "utf-8"),
    (b"a\0" * 61 + b"ab" * 39, "utf-16le"),
    (b"a\0" * 60 + b"ab" * 40, "utf-8"),
    (b"a\0" * 90 + b"\0a" * 9, "utf-16le"),
    (b"a\0" * 90 + b"\0a" * 10, "utf-8"),
    (b"ab" * 512 + b"a\0" * 2000, "utf-8"),
    (b"<p>" + b"a\0bc" * 300, "utf-8"),
    (b"<p>" + b"\0abc" * 300, "utf-8"),
    # escapes tell Japanese
    (b"\x1b$Babc", "iso-2022-jp"),
    (b"\x1b$@abc", "iso-2022-jp"),
    (b"\x1b$Cabc", "utf-8"),
    (b"\xc3\xa9\x1b$B", "utf-8"),
    # signs without letters are Western, and so is a text with a few faults
    (SIGNS.encode("windows-1252"), "windows-1252"),
    ("<p>Our dearest rooms: ££££</p>".encode("windows-1252"), "windows-1252"),
    ("<p>Größe über Maß: ein Übermut, sagte Jörg.</p>".encode("windows-1252") * 30 + b"\x81\x8d", "windows-1252"),
    (GERMAN_DECLARED + NAMES_IN_GERMAN.encode("windows-1252"), "windows-1252"),
    # it is not where more than half of the letters stand in runs of four or more
    *((LATIN + text.encode("cp1251"), "windows-1252") for text in ("Рек", "Река вв йй")),
    *((LATIN + text.encode("cp1251"), "windows-1251") for text in ("Река", "Река в й")),
    # bytes are UTF-8 unless more than a fifth of those beyond ASCII cannot be read
    ("éééé".encode() + b" \xff" * 2, "utf-8"),
    # what only looks like a declaration
    (make_page("windows-1251", "<!-- <meta charset=gbk> -->"), "windows-1251"),
    (make_page("windows-1251", "<script>'<meta charset=gbk>'</script>"), "windows-1251"),
    (make_page("windows-1251", "<meta charset=no-such-encoding>"), "windows-1251"),
    (make_page("windows-1251", "<meta name=x content='text/html; charset=gbk'>"), "windows-1251"),
    (make_page("windows-1251", "<meta charset=utf-16>"), "windows-1251"),
]


@pytest.mark.parametrize(("data", "encoding"), ENCODED)
def test_the_encoding_of_bytes(data: bytes, encoding: str) -> None:
    assert decode_bytes(data).encoding == encoding


def test_bytes_of_which_more_than_a_fifth_cannot_be_read_are_not_utf8() -> None:
    assert decode_bytes("éééé".encode() + b" \xff" * 3).encoding != "utf-8"


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("form", ["charset", "http-equiv", "late", "http"])
def test_declared(name: str, form: str) -> None:
    label = "gb2312" if name == "gbk" else name
    equiv = f'<meta http-equiv="Content-Type" content="text/html; charset={label}">'
    declaration = {
        "charset": f"<meta charset={label}>",
        "http-equiv": equiv,
        "late": "<script>" + "/" * 3000 + "</script>" + equiv,
        "http": "<meta charset=utf-8>",
    }[form]
    source = decode_bytes(make_page(name, declaration, 1), label if form == "http" else None)
    assert TEXTS[name] in source.markup
    assert source.encoding_from == ("http" if form == "http" else "meta")
    assert source.declared == ""


@pytest.mark.parametrize("name", ["gbk", "windows-1251", "euc-jp"])
def test_it_is_said_where_an_encoding_comes_from_and_which_was_declared_wrongly(name: str) -> None:
    """The texts are read whatever is declared: see the matrix of all encodings."""
    for declaration, declared in (
        ("", ""),
        ("<meta charset=utf-8>", "utf-8"),
        ("<meta charset=latin1>", "windows-1252"),
    ):
        source = decode_bytes(make_page(name, declaration), declared or None)
        assert TEXTS[name] in source.markup
        assert (source.encoding_from, source.declared) == ("detected", declared)


@pytest.mark.parametrize("label", ["gbk", "iso-8859-1", "shift_jis", "windows-1251", "euc-kr"])
@pytest.mark.parametrize("name", ["gbk", "windows-1251", "windows-1252"])
def test_utf8_wins_over_a_wrong_declaration(name: str, label: str) -> None:
    page = make_page(name, f"<meta charset={label}>").decode(name).encode()
    source = decode_bytes(page)
    assert TEXTS[name] in source.markup
    assert source.encoding == "utf-8"


@pytest.mark.parametrize(
    ("mark", "codec", "name"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16le"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16be"),
    ],
)
def test_a_byte_order_mark_wins(mark: bytes, codec: str, name: str) -> None:
    source = decode_bytes(mark + "<meta charset=gbk><p>河流</p>".encode(codec), "big5")
    assert source.markup == "<meta charset=gbk><p>河流</p>"
    assert (source.encoding, source.encoding_from) == (name, "bom")


@pytest.mark.parametrize("page", ["<title>%s", "<img alt='%s'><p>ok", "<script>say('%s')</script><p>ok", "<p %s"])
def test_letters_are_looked_for_in_texts_then_in_the_whole_page(page: str) -> None:
    text = "Новости города и области сегодня утром"
    assert text in decode_bytes((page % text).encode("cp1251")).markup


@pytest.mark.parametrize("text", ["it’s “ok” – 20 °C, naïve café", "Привет мир, как дела"])
@pytest.mark.parametrize("codec", ["latin-1", "whatwg-windows-1252"])
def test_a_text_that_was_encoded_twice_is_decoded_twice(text: str, codec: str) -> None:
    doubled = f"<p>{text.encode().decode(codec)}</p>"
    assert decode_bytes(doubled.encode()).markup == f"<p>{text}</p>"
    assert read_source(doubled, Budget()).markup == f"<p>{text}</p>"


@pytest.mark.parametrize("text", ["5 € für ‘Château’", "Â £5 Ã — ± “São”", "FÃ©e", "â\x80"])
def test_a_sound_text_and_a_broken_rest_stay(text: str) -> None:
    assert decode_bytes(text.encode()).markup == text


def test_a_few_broken_bytes_do_not_change_the_encoding() -> None:
    page = make_page("gbk", "<meta charset=utf-8>").decode("gbk").encode()
    for broken in (page[:-20] + b"\xff" + page[-20:], page.replace("城".encode(), "城".encode()[:2], 1)):
        assert decode_bytes(broken).encoding == "utf-8"
        assert decode_bytes(broken.replace(b"<meta charset=utf-8>", b"")).encoding == "utf-8"


def test_the_country_of_the_host_helps() -> None:
    page = "<p>Žluťoučký kůň</p>".encode("cp1250")
    assert decode_bytes(page, url="https://www.example.cz/a").markup == "<p>Žluťoučký kůň</p>"


@pytest.mark.parametrize("part", ["<script", "<meta charset", "<!--", "<meta '", "\x1b$", "é"])
def test_decoding_is_linear(part: str) -> None:
    data = (part * 200_000).encode("latin-1")
    assert decode_bytes(data).n_bytes == len(data)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", [b"\xff", b"\x81", b"\xb0"])
@pytest.mark.parametrize("declaration", ["", "<meta charset=iso-8859-1>"])
def test_a_few_faulty_bytes_do_not_hide_an_encoding(name: str, fault: bytes, declaration: str) -> None:
    page = make_page(name, declaration, 30).replace(b"</p>", fault + b"</p>", 2)
    assert decode_bytes(page).markup.count(TEXTS[name]) >= 28


@pytest.mark.parametrize(
    ("codec", "lead", "found"),
    [
        ("gbk", 0xAF, None),
        ("gbk", 0xD7, "gbk"),
        ("gbk", 0xD8, None),
        ("big5", 0xA3, None),
        ("big5", 0xA4, "big5"),
    ],
)
def test_common_characters_are_told_by_their_first_byte(codec: str, lead: int, found: str | None) -> None:
    row = b"".join(bytes((lead, trail)) for trail in range(0xA1, 0xFF))
    text = row.decode(codec, "ignore").encode(codec)
    assert detect_despite_faults(b"<p>" + text * 4 + b"\xff</p>") == found


@pytest.mark.parametrize(("n", "encoding"), [(1, "windows-1252"), (5, "windows-1252"), (6, "utf-8"), (7, "utf-8")])
def test_six_sequences_of_utf8_are_no_chance(n: int, encoding: str) -> None:
    """A capital or sharp s with a sign behind it is a letter of two bytes."""
    for signs in ("É®", "ß’", "Ø©"):
        text = f"<meta charset=windows-1252>{'STRAUẞ '.replace('ẞ', signs) * n}"
        assert decode_bytes(text.encode("windows-1252")).encoding == encoding


_OF_THREE: Final = ["It’s “fine”", "5 € now", "a – b", "你好"]


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        *product(("windows-1252", "iso-8859-2", "windows-1251"), ["é", "дом", "Αθήνα", "a\u00a0b", *_OF_THREE]),
        # characters of two bytes may be common ones of these
        *product(("shift_jis", "gbk", "big5"), _OF_THREE),
    ],
)
def test_a_few_characters_of_utf8_are_read_whatever_is_declared(text: str, declared: str) -> None:
    for page in (f"<p>{text}</p>", f"<meta charset={declared}><p>{text}</p>"):
        assert decode_bytes(page.encode(), charset=declared if "meta" not in page else None).markup == page


@pytest.mark.parametrize(("text", "encoding"), [("模", "gbk"), ("模模模", "gbk"), ("KSIĘŻYC", "iso-8859-2")])
def test_a_few_characters_of_another_encoding_stay(text: str, encoding: str) -> None:
    data = f"<p>{text}</p>".encode(encoding)
    data.decode()  # valid by chance
    assert text in decode_bytes(data, charset=encoding).markup


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("before", ["", "\n", " <!-- x -->"])
def test_utf_32_is_told_by_its_zeros(encoding: str, before: str) -> None:
    page = f"{before}<p>Wasserturm am Rand der Stadt</p>"
    assert decode_bytes(page.encode(encoding)).markup == page


def test_ascii_is_read_in_the_encoding_that_is_declared() -> None:
    source = decode_bytes(b"<meta charset=shift_jis>plain")
    assert (source.encoding, source.encoding_from, source.declared) == ("shift_jis", "meta", "")
    assert decode_bytes(b"plain").encoding == "utf-8"


@pytest.mark.parametrize(("n_faults", "is_used"), [(2, True), (3, False)])
def test_a_declaration_is_wrong_where_more_than_a_fifth_cannot_be_read(n_faults: int, *, is_used: bool) -> None:
    """Eight bytes of Japanese, beside bytes that are in no character."""
    source = decode_bytes(b"<meta charset=shift_jis>" + "川川川川".encode("shift_jis") + b" \xff" * n_faults)
    assert (source.encoding == "shift_jis") is is_used
    assert (source.encoding_from, source.declared) == (("meta", "") if is_used else ("detected", "shift_jis"))


@pytest.mark.parametrize(("shift", "is_seen"), [(0, True), (1, False)])
def test_the_xml_declaration_is_looked_for_at_the_start(shift: int, *, is_seen: bool) -> None:
    start, encoding = b"<?xml version='1.0' ", b"encoding='windows-1251"
    page = start + b" " * (PRESCAN_BYTES - len(start + encoding) + shift) + encoding + b"'?><p>" + "Да".encode("cp1251")
    source = decode_bytes(page)
    assert (source.encoding == "windows-1251" and source.encoding_from == "meta") is is_seen


def test_the_country_is_the_last_label_of_the_host() -> None:
    page = "<p>Şehir</p>".encode("cp1254")
    assert decode_bytes(page, url="https://www.example.tr/a.com").encoding == "windows-1254"
    for other in ("https://tr.example.com/", "https://192.0.2.1/", "https://例え.例/", "/tr", "", None):
        assert decode_bytes(page, url=other).encoding == "windows-1252"


@pytest.mark.parametrize(
    ("n_kana", "n_other", "is_japanese"), [(1, 4, True), (1, 5, False), (2, 8, True), (2, 9, False), (1, 0, True)]
)
def test_a_fifth_of_japanese_is_hiragana(n_kana: int, n_other: int, *, is_japanese: bool) -> None:
    for kana in "ぁんあ":
        for codec in ("shift_jis", "euc-jp"):
            found = detect_despite_faults((kana * n_kana + "川" * n_other).encode(codec))
            assert (found == codec) is is_japanese


@pytest.mark.parametrize(("n", "m", "is_korean"), [(9, 1, True), (8, 1, False), (1, 0, True)])
def test_nearly_all_of_korean_is_hangul(n: int, m: int, *, is_korean: bool) -> None:
    for sign in "가힝":
        assert (detect_despite_faults((sign * n + "漢" * m).encode("euc-kr")) == "euc-kr") is is_korean


@pytest.mark.parametrize(("common", "rare", "found"), [(4, 1, "big5"), (5, 2, None)])
def test_most_of_chinese_is_common(common: int, rare: int, found: str | None) -> None:
    big5 = b"\xa5\x40" * common + b"\xc9\x40" * rare
    assert detect_despite_faults(big5) == found
    gbk = "国" * (15 * common) + "\u4e02" * (20 * rare)
    assert detect_despite_faults(gbk.encode("gbk")) == (None if common > 4 else "gbk")


@pytest.mark.parametrize(
    ("n_letters", "n_faults", "found"),
    [(450, 9, "shift_jis"), (449, 9, None), (5, 8, "shift_jis"), (5, 9, None), (0, 1, None)],
)
def test_one_in_fifty_may_be_invalid_or_a_handful(n_letters: int, n_faults: int, found: str | None) -> None:
    assert detect_despite_faults("あ".encode("shift_jis") * n_letters + b"\xff " * n_faults) == found


def test_bytes_without_letters_tell_nothing() -> None:
    for data in (b"", b"abc", b"\xff", b"abc\xff"):
        assert detect_despite_faults(data) is None


CZECH = "Řeka pramení v kopcích a dlouho se klikatí, než dorazí k moři, a každé město má vlastní most přes řeku."
GERMAN = "Größe über Maß: ein Übermut, sagte Jörg, und die Bäume hören ihn für jetzt natürlich überhaupt nicht."


def read_wrongly(text: str, codec: str, taken_for: str) -> str | None:
    data = text.encode(codec)
    return find_by_alphabet(data, data.decode(taken_for, "replace"), taken_for.replace("cp", "windows-"))


def test_the_encoding_with_the_letters_of_the_language_is_taken_unless_this_one_is_as_good() -> None:
    assert read_wrongly(CZECH, "cp1250", "cp1252") == "windows-1250"
    assert read_wrongly(GERMAN, "mac-roman", "cp1252") == "macintosh"
    assert read_wrongly(CZECH, "cp1250", "cp1250") is None
    assert read_wrongly(GERMAN, "cp1252", "cp1252") is None


@pytest.mark.parametrize(("n", "is_found"), [(MIN_LETTERS, True), (MIN_LETTERS - 1, False)])
def test_some_letters_are_needed(n: int, *, is_found: bool) -> None:
    data = ("x" + "ř" * n).encode("cp1250")
    assert (find_by_alphabet(data, CZECH, "windows-1252") == "windows-1250") is is_found


DECLARED = ("declared", "http")
NOT_TOLD_APART = {
    "x-mac-cyrillic": "nearly all letters are where windows-1251 has them",
    "iso-8859-16": "read as windows-1250, with a cedilla for the comma below",
    "iso-8859-3 Maltese": "the language is not recognised",
    "iso-8859-10": "the language is not recognised",
    "iso-8859-14": "the language is not recognised",
}
CASES = [(name, language) for name, languages in matrix.LANGUAGES.items() for language in languages]


def test_every_encoding_of_the_standard_is_in_the_matrix() -> None:
    assert {*matrix.LANGUAGES, "replacement", "x-user-defined"} == set(webencodings.LABELS.values())


@pytest.mark.parametrize(("encoding", "language"), CASES)
def test_a_text_is_read_however_its_encoding_is_declared(encoding: str, language: str) -> None:
    wrong = {way for way in matrix.WAYS if matrix.read_way(encoding, language, way) != matrix.RIGHT}
    if encoding in NOT_TOLD_APART or f"{encoding} {language}" in NOT_TOLD_APART:
        assert wrong == set(matrix.WAYS) - set(DECLARED)
    elif encoding == "windows-1258":
        assert wrong == {"as windows-1252"}
    else:
        assert not wrong


def test_user_defined_bytes_are_private_characters() -> None:
    assert decode_bytes(b"<p>a\x80\xff", "x-user-defined").markup == "<p>a\uf780\uf7ff"


def test_a_page_that_says_utf_8_and_is_outweighs_the_header() -> None:
    page = '<meta charset="utf-8"><p>It was “nobody’s fault”, they said.'.encode()
    assert decode_bytes(page, "iso-8859-1").encoding == "utf-8"
    assert (
        decode_bytes(page.replace("“nobody’s fault”".encode(), "CAFÉ®".encode("latin-1")), "iso-8859-1").encoding
        == "utf-8"
    )
