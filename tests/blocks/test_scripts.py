"""What is counted of a text holds in every script: the numbers are counted by hand."""

from __future__ import annotations

import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import measure
from webclean.parse import parse_page
from webclean.pipeline import build_columns

COUNTS = {
    # text: characters but white space, words, punctuation marks, sentence ends
    "«Мост закрыт», — сказал он. Когда откроют?": (36, 7, 6, 2),
    "Πότε ανοίγει η γέφυρα; Αύριο· ίσως.": (30, 6, 3, 2),
    "„Die Brücke ist zu.“ Das sagte er; niemand widersprach.": (47, 9, 5, 2),
    "« Le pont est ouvert. » Enfin !": (24, 8, 4, 2),
    "¿Cuándo abre el puente? Mañana.": (27, 5, 3, 2),
    "橋が開通した。町は喜んだ！": (13, 13, 2, 2),
    "大桥今天通车，居民说：“等了十年。”": (18, 16, 5, 1),
    "다리가 열렸다. 주민들은 기뻐했다!": (16, 4, 2, 2),
    "فُتح الجسر اليوم، فهل يعود التجار؟ نعم.": (33, 7, 3, 2),
    "पुल खुल गया। लोग खुश हैं।": (20, 6, 2, 2),
    "Կամուրջը բաց է։": (13, 3, 1, 1),
    "สะพานเปิดแล้ว ชาวบ้านดีใจ": (24, 7, 0, 0),
    "ស្ពានបើកហើយ។": (12, 3, 1, 1),
}


@pytest.mark.parametrize("text", COUNTS)
def test_counts_hold_in_every_script(text: str) -> None:
    blocks = find_text_blocks(parse_page(f"<p>{text}</p>"))
    counted = (blocks.n_chars, blocks.n_words, blocks.n_punctuation, blocks.n_sentences)
    assert tuple(int(count[0]) for count in counted) == COUNTS[text]


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Πότε ανοίγει;", 2),
        ("when; if;", 0),
        ("Die Brücke ist zu.“", 2),
        ("橋が開通した。」", 2),
        ("即时新闻", 0),
        ("نعم۔", 2),
        ("Мост закрыт…", 1),
    ],
)
def test_sentences_end_in_every_script(text: str, ending: int) -> None:
    assert measure(build_columns(parse_page(f"<p>{text}</p>")), "ending").tolist() == [ending]


@pytest.mark.parametrize(
    ("text", "is_prose"),
    [
        ("Η γέφυρα άνοιξε μετά από δέκα χρόνια έργων στο λιμάνι.", True),
        ("Η γέφυρα άνοιξε.", False),
        ("橋は十年の工事を終えて、きのう町の人たちに開放された。", True),
        ("橋が開通した。", False),
        ("طريق السوق القديم مفتوح أمام المشاة منذ صباح يوم الأحد.", True),
    ],
)
def test_running_text_is_longer_than_a_label_in_every_script(text: str, is_prose: bool) -> None:
    assert build_columns(parse_page(f"<p>{text}</p>")).is_prose.tolist() == [is_prose]
