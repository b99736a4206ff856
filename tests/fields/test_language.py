"""The language of a page; by-lines, names, dates and names of sites in other languages than English."""

import pytest

import webclean
from webclean.blocks.text_blocks import find_text_blocks
from webclean.fields.candidates import fold_text
from webclean.fields.language import (
    SAMPLE_CHARS,
    detect_language,
    detect_text,
    find_declared,
    may_not_be_latin,
    normalise_tag,
    sample_text,
)
from webclean.model import FieldValue
from webclean.parse import parse_page

ENGLISH = "The old tree has stood in the garden for many years, and it still bears apples in the autumn."
GERMAN = "Der alte Baum steht seit vielen Jahren im Garten und trägt noch immer Äpfel."
CHINESE = "北京发布新的城市规划方案，这里是正文的内容。"


def detect(markup: str) -> FieldValue:
    document = parse_page(markup)
    return detect_language(document, find_text_blocks(document))


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("EN_us", "en-US"),
        ("de", "de"),
        ("zh-hans-CN", "zh-Hans"),
        ("en-x-klingon", "en"),
        ("es-419", "es"),
        ("en, de", "en"),
        (" fr ", "fr"),
        ("english", ""),
        ("und", ""),
        ("UTF-8", ""),
        ("e", ""),
        ("", ""),
    ],
)
def test_tags_are_written_as_the_standard_does(written: str, tag: str) -> None:
    assert normalise_tag(written) == tag


@pytest.mark.parametrize(
    ("markup", "declared"),
    [
        ("<html lang=de><body lang=fr>", ("de", "html lang")),
        ("<html lang=x><body lang=fr>", ("fr", "body lang")),
        ("<html xml:lang=de>", ("de", "html xml:lang")),
        ("<meta http-equiv=content-language content=de><html lang=''>", ("de", "meta content-language")),
        ("<meta property=og:locale content=de_AT><meta name=language content=fr>", ("fr", "meta language")),
        ("<meta property=og:locale content=de_AT><meta name=language content=french>", ("de-AT", "meta og:locale")),
        ("<meta name=language content=de><meta name=language content=fr>", ("de", "meta language")),
        ("<p lang=de>", ("", "")),
    ],
)
def test_the_surest_declaration_counts(markup: str, declared: tuple[str, str]) -> None:
    assert find_declared(parse_page(markup)) == declared


def test_a_text_is_asked_where_nothing_is_declared_or_in_another_script() -> None:
    found = detect(f"<p>{GERMAN}")
    assert (found.value, found.source, found.alternatives) == ("de", "text", ())
    assert detect(f"<html lang=fr><p>{GERMAN}") == FieldValue("fr", "html lang", 0.95)
    found = detect(f"<html lang=fr><p>{CHINESE * 3}")
    assert (found.value, found.alternatives) == ("zh", (("fr", "html lang"),))
    assert detect(f"<html lang=zh><p>{CHINESE * 3}").confidence == 0.95
    assert detect("<html lang=fr><p>Über Bäume, Äpfel und Gärten: für jeden etwas.").confidence == 0.95
    assert detect("<p>x") == FieldValue(None)
    assert detect(f"<p>{CHINESE}").value == "zh"
    assert detect(f"<html lang=fr><p>{CHINESE[:12]}") == FieldValue("fr", "html lang", 0.7)


@pytest.mark.parametrize(("n_other", "is_mostly_other"), [(20, False), (21, True)])
def test_a_fifth_of_the_text_may_be_in_another_script(n_other: int, *, is_mostly_other: bool) -> None:
    text = "ж" * n_other + "x" * (100 - n_other)
    assert (detect(f"<html lang=en><p>{text}").confidence != 0.95) is is_mostly_other


def test_forty_characters_are_enough_to_tell() -> None:
    assert detect_text(GERMAN[:40])[0] == "de"
    assert detect_text(GERMAN[:39]) == ("", 0.0, "")


def test_the_sample_is_of_text_that_is_no_link_where_there_is_enough() -> None:
    def sample(markup: str) -> str:
        return sample_text(find_text_blocks(parse_page(markup)))

    least = SAMPLE_CHARS // 10
    link, half = "<p><a href=x>menu</a></p>", "<p>abcd<a href=x>menu</a></p>"
    assert sample(link + f"<p>{'x' * least}") == "x" * least
    assert sample(link + f"<p>{'x' * (least - 1)}") == "menu " + "x" * (least - 1)
    assert sample(half + f"<p>{'x' * least}").startswith("abcd")
    many = "".join(f"<p>{'y' * 999}</p>" for _ in range(4))
    assert sample(many) == " ".join(["y" * 999] * 3)[:SAMPLE_CHARS]


TEXT = {
    "el": "Η γέφυρα άνοιξε μετά από δέκα χρόνια έργων, και οι κάτοικοι γιόρτασαν στο λιμάνι ως το πρωί. " * 3,
    "ar": "طريق السوق القديم مفتوح أمام المشاة منذ صباح يوم الأحد، وقد عاد التجار إلى دكاكينهم بعد عشر سنين. " * 3,
    "tr": "Köprü on yıl süren çalışmalardan sonra açıldı, kasaba halkı limanda sabaha kadar eğlendi. " * 3,
    "pl": "Most otwarto po dziesięciu latach prac, a mieszkańcy bawili się w porcie do białego rana. " * 3,
}


TITLES = {"el": "Η γέφυρα άνοιξε", "ar": "عودة التجار إلى السوق", "tr": "Köprü açıldı", "pl": "Most otwarty"}


def clean(language: str, line: str) -> webclean.CleanPage:
    title = f"<title>{TITLES[language]}</title><body><h1>{TITLES[language]}</h1>"
    markup = f"<html lang={language}>{title}<div>{line}</div><p>{TEXT[language]}</p>"
    return webclean.clean(markup, url=f"https://paper.example/news/{language}")


@pytest.mark.parametrize(
    ("language", "line", "author"),
    [
        ("el", "Γράφει η Μυρτώ Καλογιάννη", "Μυρτώ Καλογιάννη"),
        ("el", "Συντάκτης: Στάθης Βουλγαρίδης", "Στάθης Βουλγαρίδης"),
        ("ar", "بقلم: ليلى الحمداني", "ليلى الحمداني"),
        ("ar", "كتبت: ليلى الحمداني", "ليلى الحمداني"),
        ("tr", "Yazan: Ayşe Yıldırım", "Ayşe Yıldırım"),
        ("pl", "Tekst: Marcin Oleśniewicz", "Marcin Oleśniewicz"),
    ],
)
def test_by_lines(language: str, line: str, author: str) -> None:
    assert clean(language, line).author == author


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Kurier Nadwarciański", "kuriernadwarcianski"),
        ("Łódź", "lodz"),
        ("Übersicht", "ubersicht"),
        ("Πόλη", "πολη"),
        ("Ёлка", "елка"),
        ("ガイド 안내", "ガイド안내"),
    ],
)
def test_accents_do_not_keep_spellings_apart(text: str, plain: str) -> None:
    assert fold_text(text) == plain


@pytest.mark.parametrize(
    ("markup", "may_be_signed"),
    [
        (f"<p>{ENGLISH}", False),
        (f"<p>{GERMAN}", False),
        (f"<p>{CHINESE * 3}", True),
        (f"<html lang=ja><p>{ENGLISH}", True),
    ],
)
def test_a_page_in_latin_letters_is_not_asked_for_a_signature(markup: str, may_be_signed: bool) -> None:
    document = parse_page(markup)
    assert may_not_be_latin(document, find_text_blocks(document)) is may_be_signed


@pytest.mark.parametrize(("date", "is_asked"), [("3/4/2024", True), ("3 April 2024", False), ("3.4.2024", False)])
def test_only_dates_that_are_written_either_way_depend_on_the_language(date: str, is_asked: bool) -> None:
    fields = webclean.clean(f"<title>Trees</title><h1>Trees</h1><p class=date>{date}</p><p>{ENGLISH}</p>").fields
    assert fields.date.value
    assert fields.author is not None
    assert ("language" in vars(fields)) is is_asked
