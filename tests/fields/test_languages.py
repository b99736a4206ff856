"""By-lines, names, dates and names of sites in other languages than English."""

from __future__ import annotations

import pytest

import webclean
from webclean.fields.candidates import fold_text
from webclean.fields.site_names import names_site

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
    ("language", "line"),
    [
        ("el", "Δημοσιεύτηκε: Παρασκευή 19 Οκτωβρίου 2012"),
        ("ar", "تاريخ النشر: 19 أكتوبر 2012"),
        ("tr", "Yayınlanma: 19 Ekim 2012"),
        ("pl", "Data publikacji: 19 października 2012"),
    ],
)
def test_months(language: str, line: str) -> None:
    assert (clean(language, line).date or "")[:10] == "2012-10-19"


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


def test_a_host_names_a_site_without_accents() -> None:
    assert names_site("Kurier Nadwarciański", ("kuriernadwarcianski",))


def test_a_part_of_a_sites_name_is_two_fifths_of_it_at_least() -> None:
    assert names_site("News", ("newsvalley",))
    assert not names_site("News", ("newsvalleys",))
    assert not names_site("New", ("newsval",))
    assert names_site("Abcd News", ("abcd",))
    assert names_site("Abc News", ("abc",))  # a word of its own may have fewer letters
    assert not names_site("Fabc News", ("abc",))
