"""Every encoding of the WHATWG standard, declared, wrongly declared and not declared: is the text read?

usage: python benchmarks/encodings_matrix.py [--docs]

A page of some sentences in a language that the encoding is used for is written in it, and read as in `declared`
(`meta`), `http` (the server says it), `as utf-8` and `as windows-1252` (a wrong `meta`), `undeclared`, `country` (not
declared, at an address of the language's country) and `damaged` (not declared, half a character cut out; in UTF-16 a
whole one). A cell has the encoding that was found if the text came out wrong.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import checkout  # noqa: F401  webclean of this clone

from webclean.parse.encoding import decode_bytes

DOCS = Path(__file__).resolve().parents[1] / "docs" / "conformance.md"
CODECS: Final = {
    "windows-874": "cp874", "iso-8859-8-i": "iso-8859-8", "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman",
    "utf-16be": "utf-16-be", "utf-16le": "utf-16-le", "shift_jis": "cp932", "euc-kr": "cp949",
}  # fmt: skip
"""WHATWG name -> name in Python where that is another."""

TEXTS: Final = {
    "Arabic": "ينبع النهر من التلال ويسلك طريقا طويلا متعرجا حتى يصل إلى البحر. ويمر في طريقه بإحدى عشرة مدينة لكل منها جسر.",
    "Chinese": "河流发源于山中，沿途经过十一个城镇，每个城镇都修建了自己的桥梁。人们常在傍晚到河边散步，看船只慢慢驶过。",
    "Chinese (traditional)": "河流發源於山中，沿途經過十一個城鎮，每個城鎮都修建了自己的橋樑。人們常在傍晚到河邊散步，看船隻慢慢駛過。",
    "Croatian": "Rijeka izvire u brdima i dugo vijuga prije nego što stigne do mora. Svako mjesto ima vlastiti most, a šetači uživaju.",
    "Czech": "Řeka pramení v kopcích a dlouho se klikatí, než dorazí k moři. Každé město má vlastní most a žáci se tu učí veslovat.",
    "Esperanto": "La rivero fontas en la montetoj kaj longe serpentumas ĝis la maro. Ĉiu urbo konstruis sian ponton, kaj oni ŝatas ĝin. Ĵaŭde homoj kuniĝas ĉe la bordo.",
    "Estonian": "Jõgi saab alguse küngastelt ja looklaeb kaua, enne kui jõuab mereni. Igal linnal on oma sild, mida köidavad väikesed žürii šaakalid.",
    "Finnish": "Joki saa alkunsa kukkuloilta ja mutkittelee pitkään ennen kuin päätyy mereen. Jokaisella kylällä on oma siltansa.",
    "French": "La rivière naît dans les collines et serpente longuement jusqu’à la mer. Chaque ville a bâti son pont, où l’on s’arrête à l’été.",
    "German": "Der Fluss entspringt in den Hügeln und schlängelt sich lange, bevor er das Meer erreicht. Jede größere Stadt hat ihre Brücke.",
    "Greek": "Ο ποταμός πηγάζει από τους λόφους και ακολουθεί μακρύ και ελικοειδή δρόμο μέχρι τη θάλασσα. Κάθε πόλη έχει τη γέφυρά της.",
    "Hebrew": "הנהר נובע בגבעות ומתפתל לאורך דרך ארוכה עד הים. בדרכו הוא עובר אחת עשרה עיירות, ולכל אחת מהן גשר משלה.",
    "Hungarian": "A folyó a dombok között ered, és hosszan kanyarog, mielőtt a tengerbe ömlik. Minden városnak saját hídja van, és őrzik a gyűjtők.",
    "Icelandic": "Áin á upptök sín í hæðunum og bugðast lengi áður en hún nær til sjávar. Hver bær hefur sína eigin brú, þar sem fólk stansar.",
    "Irish": "Éiríonn an abhainn sna cnoic agus lúbann sí ar feadh i bhfad sula sroicheann sí an fharraige. Tá a droichead féin ag gach baile. Ḃí an ċathair ṁór ann.",
    "Japanese": "川は丘に源を発し、長く曲がりくねった道を経て海に至る。途中で十一の町を通り過ぎ、それぞれの町には橋がある。",
    "Korean": "강은 언덕에서 발원하여 길고 구불구불한 길을 따라 바다로 흘러간다. 도중에 열한 개의 마을을 지나며 마을마다 다리가 있다.",
    "Latvian": "Upe sākas kalnos un ilgi līkumo, pirms sasniedz jūru. Katrai pilsētai ir savs tilts, un cilvēki šeit mēdz pastaigāties ļoti bieži.",
    "Lithuanian": "Upė prasideda kalvose ir ilgai vingiuoja, kol pasiekia jūrą. Kiekvienas miestas turi savo tiltą, žmonės čia mėgsta vaikščioti.",
    "Maltese": "Ix-xmara tibda fl-għoljiet u ddur fit-tul qabel ma tasal sal-baħar. Kull belt bniet il-pont tagħha, u n-nies jieħdu gost ħafna ħdejha. Iż-żgħażagħ joqogħdu.",
    "Northern Sami": "Johka álgá čohkain ja mohkohallá guhká ovdal go joavdá merrii. Juohke gávpogis lea iežas šaldi, ja olbmot ráhkistit dan. Áđđá ŋjálmmis.",
    "Polish": "Rzeka wypływa ze wzgórz i długo się wije, zanim dotrze do morza. Każde miasto ma własny most, a ludzie chętnie tu spacerują.",
    "Romanian": "Râul izvorăște din dealuri și șerpuiește mult până la mare. Fiecare oraș are podul său, iar oamenii se plimbă aici cu plăcere.",
    "Russian": "Река берёт начало в холмах и долго петляет, прежде чем впасть в море. У каждого города есть свой мост, и люди любят там гулять.",
    "Spanish": "El río nace en las colinas y serpentea mucho tiempo hasta el mar. Cada población construyó su puente, y allí pasea la gente mañana.",
    "Thai": "แม่น้ำไหลมาจากเนินเขาและคดเคี้ยวเป็นระยะทางไกลลงสู่ทะเล ระหว่างทางไหลผ่านสิบเอ็ดเมือง แต่ละเมืองมีสะพานของตัวเอง",
    "Turkish": "Nehir tepelerden doğar ve denize ulaşana kadar uzun, kıvrımlı bir yol izler. Her şehrin kendi köprüsü vardır, insanlar çok sever.",
    "Ukrainian": "Річка бере початок у пагорбах і довго петляє, перш ніж досягти моря. Кожне місто має свій міст, і люди люблять там гуляти. Її ґрунт.",
    "Vietnamese": "Con sông bắt nguồn từ những ngọn đồi và uốn khúc rất dài trước khi ra đến biển. Mỗi thị trấn đều có cây cầu của riêng mình.",
    "Welsh": "Mae’r afon yn codi yn y bryniau ac yn troelli’n hir cyn cyrraedd y môr. Mae gan bob tref ei phont ei hun, a’r dŵr yn glir. Mae’r tŷ gŵyr yma.",
}  # fmt: skip
_COUNTRY: Final = {
    "Arabic": "eg", "Chinese": "cn", "Chinese (traditional)": "tw", "Croatian": "hr", "Czech": "cz", "Estonian": "ee",
    "Finnish": "fi", "French": "fr", "German": "de", "Greek": "gr", "Hebrew": "il", "Hungarian": "hu", "Icelandic": "is",
    "Irish": "ie", "Japanese": "jp", "Korean": "kr", "Latvian": "lv", "Lithuanian": "lt", "Maltese": "mt",
    "Northern Sami": "no", "Polish": "pl", "Romanian": "ro", "Russian": "ru", "Spanish": "es", "Thai": "th",
    "Turkish": "tr", "Ukrainian": "ua", "Vietnamese": "vn",
}  # fmt: skip
LANGUAGES: Final = {
    "utf-8": ("German", "Russian", "Chinese"), "utf-16le": ("German", "Russian", "Chinese"),
    "utf-16be": ("German", "Russian", "Chinese"), "gbk": ("Chinese",), "gb18030": ("Chinese",),
    "big5": ("Chinese (traditional)",), "euc-jp": ("Japanese",), "shift_jis": ("Japanese",), "iso-2022-jp": ("Japanese",),
    "euc-kr": ("Korean",), "ibm866": ("Russian",), "koi8-r": ("Russian",), "koi8-u": ("Ukrainian",),
    "iso-8859-5": ("Russian",), "windows-1251": ("Russian", "Ukrainian"), "x-mac-cyrillic": ("Russian",),
    "iso-8859-2": ("Czech", "Hungarian", "Polish", "Croatian"), "windows-1250": ("Czech", "Hungarian", "Polish", "Croatian"),
    "iso-8859-16": ("Romanian",), "iso-8859-3": ("Esperanto", "Maltese"), "iso-8859-4": ("Latvian",),
    "iso-8859-10": ("Northern Sami",), "iso-8859-13": ("Lithuanian",), "windows-1257": ("Latvian", "Lithuanian"),
    "iso-8859-14": ("Irish",), "iso-8859-15": ("Finnish",), "windows-1252": ("French", "German", "Spanish", "Icelandic"),
    "macintosh": ("French", "German"), "windows-1254": ("Turkish",), "iso-8859-6": ("Arabic",), "windows-1256": ("Arabic",),
    "iso-8859-7": ("Greek",), "windows-1253": ("Greek",), "iso-8859-8": ("Hebrew",), "iso-8859-8-i": ("Hebrew",),
    "windows-1255": ("Hebrew",), "windows-874": ("Thai",), "windows-1258": ("Vietnamese",),
}  # fmt: skip
"""WHATWG name -> languages. Without `replacement`, which stands for encodings that are refused, and `x-user-defined`,
which has no letters."""
WAYS: Final = ("declared", "http", "as utf-8", "as windows-1252", "undeclared", "country", "damaged")


@dataclass(frozen=True, slots=True)
class Answer:
    """encoding: what was found. is_right: whether the text came out as written."""

    encoding: str
    is_right: bool


def write_text(text: str, encoding: str) -> str:
    """The text in the form in which an encoding has its letters, without what it has not at all."""
    text = text.replace("ș", "ş").replace("ț", "ţ") if encoding != "iso-8859-16" else text
    if encoding not in ("utf-8", "utf-16le", "utf-16be", "macintosh") and not encoding.startswith("windows"):
        text = text.replace("’", "'")
    if encoding == "windows-1258":  # tones are combining marks there
        text = "".join(_split_tone(letter) for letter in text)
    return text


def _split_tone(letter: str) -> str:
    marks = [mark for mark in unicodedata.normalize("NFD", letter)[1:] if mark in "\u0300\u0301\u0303\u0309\u0323"]
    if not marks:
        return letter
    rest = "".join(mark for mark in unicodedata.normalize("NFD", letter) if mark not in marks)
    return unicodedata.normalize("NFC", rest) + "".join(marks)


def write_page(text: str, encoding: str, declared: str = "") -> bytes:
    """A page of three paragraphs in an encoding."""
    meta = f"<meta charset={declared}>" if declared else ""
    page = f"<!doctype html><html><head>{meta}<title>.</title></head><body>{f'<p class=story>{text}</p>' * 3}</body></html>"
    return page.encode(CODECS.get(encoding, encoding))


def read_way(encoding: str, language: str, way: str) -> Answer:
    """How a page is read."""
    text = write_text(TEXTS[language], encoding)
    declared = {"declared": encoding, "as utf-8": "utf-8", "as windows-1252": "windows-1252"}.get(way, "")
    data = write_page(text, encoding, declared)
    if way == "damaged":
        half = len(data) // 4 * 2
        is_wide = encoding.startswith("utf-16")
        place = half if is_wide else next((at for at in range(half, len(data)) if data[at] > 0x7F), half)
        data = data[:place] + data[place + 1 + is_wide :]
    country = _COUNTRY.get(language, "com") if way == "country" else "com"
    source = decode_bytes(data, encoding if way == "http" else None, f"https://example.{country}/")
    n_right = unicodedata.normalize("NFC", source.markup).count(unicodedata.normalize("NFC", text))
    return Answer(source.encoding, n_right >= (1 if way == "damaged" else 3))


def list_rows() -> list[str]:
    """The table."""
    rows = [f"| encoding | language | {' | '.join(WAYS)} |", "|---|---|" + "---|" * len(WAYS)]
    n_right = dict.fromkeys(WAYS, 0)
    n_all = 0
    for encoding, languages in LANGUAGES.items():
        for language in languages:
            answers = {way: read_way(encoding, language, way) for way in WAYS}
            n_all += 1
            for way, answer in answers.items():
                n_right[way] += answer.is_right
            cells = ("✓" if answer.is_right else answer.encoding for answer in answers.values())
            rows.append(f"| {encoding} | {language} | {' | '.join(cells)} |")
    rows.append(f"| **right** | of {n_all} | {' | '.join(str(n_right[way]) for way in WAYS)} |")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", action="store_true", help="write the table into docs/conformance.md")
    options = parser.parse_args(arguments)
    rows = list_rows()
    print("\n".join(rows))
    if options.docs:
        text = DOCS.read_text(encoding="utf-8")
        before, _, rest = text.partition("<!-- encodings -->\n")
        after = rest.partition("<!-- end of figures -->")[2]
        written = "\n".join(rows)
        DOCS.write_text(f"{before}<!-- encodings -->\n\n{written}\n\n<!-- end of figures -->{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
