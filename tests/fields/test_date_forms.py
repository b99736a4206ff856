"""How dates are written in many languages, and which of the days of a page is that of its publication."""

from __future__ import annotations

import pytest

from tests.fields.pages import read_fields, write_json_ld
from webclean.fields.date_text import prepare_reader, read_dates
from webclean.rules import load_rules

READER = prepare_reader(load_rules().fields.date, load_rules().dates)
FORMS = """\
af | 5 Maart 2024 | 2024-03-05
ar | 5 آذار 2024 | 2024-03-05
ar | 5 جانفي 2024 | 2024-01-05
ar | 5 كانون الثاني 2024 | 2024-01-05
ar | 5 يناير/كانون الثاني 2024 | 2024-01-05
ar | الثلاثاء 5 مارس، 2024 | 2024-03-05
ar | الثلاثاء ٥ مارس ٢٠٢٤ - ١٤:٣٠ | 2024-03-05T14:30:00
ar | ٠٥ مارس ٢٠٢٤ | 2024-03-05
ar | ٢٠٢٤/٣/٥ | 2024-03-05
ar | ٥ مارس ٢٠٢٤ | 2024-03-05
az | 5 mart 2024 | 2024-03-05
az | 5 yanvar 2024 | 2024-01-05
be | 5 сакавіка 2024 | 2024-03-05
be | 5 студзеня 2024 г. | 2024-01-05
bg | 05 март 2024, 14:30 ч. | 2024-03-05T14:30:00
bg | 5 март 2024 г. | 2024-03-05
bn | মঙ্গলবার, ৫ মার্চ ২০২৪ | 2024-03-05
bn | ১২ এপ্রিল ২০২৪, ১০:৩০ | 2024-04-12T10:30:00
bn | ৫ জানুয়ারি ২০২৪ | 2024-01-05
bn | ৫ মার্চ ২০২৪ | 2024-03-05
bs | 5. mart 2024. | 2024-03-05
ca | 5 d'abril de 2024 | 2024-04-05
ca | 5 de gener de 2024 | 2024-01-05
ca | 5 de març del 2024 | 2024-03-05
cs | 5. 3. 2024 14:30 | 2024-03-05T14:30:00
cs | 5. března 2024 | 2024-03-05
cs | úterý 5. března 2024 v 14:30 | 2024-03-05T14:30:00
cy | 5 Mawrth 2024 | 2024-03-05
da | 5. marts 2024 kl. 14.30 | 2024-03-05T14:30:00
da | 5. marts 2024 | 2024-03-05
de | 05. Mrz. 2024 | 2024-03-05
de | 05.03.2024 | 2024-03-05
de | 05.03.24 | 2024-03-05
de | 05/03/2024 | 2024-03-05
de | 5. Jänner 2024 | 2024-01-05
de | 5. Mär 2024 | 2024-03-05
de | 5.3.24 | 2024-03-05
de | Di., 5.3.2024, 14.30 Uhr | 2024-03-05T14:30:00
de | Dienstag, 5. März 2024, 14:30 Uhr | 2024-03-05T14:30:00
el | 5 Ιαν 2024 | 2024-01-05
el | 5 Μαρτίου 2024 | 2024-03-05
el | 5/3/2024 | 2024-03-05
el | Τρίτη, 5 Μαρτίου 2024 14:30 | 2024-03-05T14:30:00
en | 05 Mar 2024 14:30 UTC | 2024-03-05T14:30:00Z
en | 05/MAR/2024 | 2024-03-05
en | 05MAR2024 | 2024-03-05
en | 11.03.17 | 2017-11-03
en | 14:30 GMT, 5 March 2024 | 2024-03-05
en | 14:30, 5 March 2024 | 2024-03-05
en | 2024 Mar 5 | 2024-03-05
en | 2024, March 5 | 2024-03-05
en | 2024-03-05T14:30:00.000Z | 2024-03-05T14:30:00Z
en | 2:30 PM, March 5, 2024 | 2024-03-05
en | 3.5.2024 | 2024-05-03
en | 3/5/24 | 2024-03-05
en | 5-Mar-2024 | 2024-03-05
en | 5.Mar.2024 | 2024-03-05
en | 5th March, 2024 | 2024-03-05
en | Mar 5 2024 | 2024-03-05
en | Mar. 5, 2024 2:30 p.m. ET | 2024-03-05T14:30:00
en | March 5th, 2024 | 2024-03-05
en | Sept 5, 2024 | 2024-09-05
en | Tue 5 Mar 2024 | 2024-03-05
en | Tue Mar  5 14:30:00 2024 | 2024-03-05
en | Tue Mar 05 14:30:00 UTC 2024 | 2024-03-05
en | Tue, 05 Mar 2024 14:30:00 +0100 | 2024-03-05T14:30:00+01:00
en | Tuesday, March 5, 2024 at 2:30 PM EST | 2024-03-05T14:30:00-05:00
en | the 5th of March 2024 | 2024-03-05
en-GB | 11.03.17 | 2017-03-11
eo | 5-a de marto 2024 | 2024-03-05
es | 05-03-2024 | 2024-03-05
es | 1º de marzo de 2024 | 2024-03-01
es | 5 de marzo del 2024 | 2024-03-05
es | 5 ene 2024 | 2024-01-05
es | 5 mar. 2024 - 14:30 CET | 2024-03-05T14:30:00+01:00
es | 5 marzo, 2024 | 2024-03-05
es | 8 de enero de 2008 | 2008-01-08
es | martes, 5 de marzo de 2024 | 2024-03-05
es | marzo 5, 2024 | 2024-03-05
et | 05. märts 2024 kell 14:30 | 2024-03-05T14:30:00
et | 5. märts 2024 | 2024-03-05
eu | 2024(e)ko martxoaren 5a | 2024-03-05
eu | 2024ko martxoaren 5a | 2024-03-05
fa | سه‌شنبه ۱۵ اسفند ۱۴۰۲ | 2024-03-05
fa | ۱۴۰۲/۱۲/۱۵ | 2024-03-05
fa | ۱۵ اسفند ۱۴۰۲ | 2024-03-05
fa | ۲۰۲۴/۰۳/۰۵ | 2024-03-05
fa | ۵ مارس ۲۰۲۴ | 2024-03-05
fi | 5. maaliskuuta 2024 | 2024-03-05
fi | 5.3.2024 klo 14.30 | 2024-03-05T14:30:00
fi | tiistai 5. maaliskuuta 2024 | 2024-03-05
fr | 05/03/2024 à 14h30 | 2024-03-05T14:30:00
fr | 1er août 2024 | 2024-08-01
fr | 1er février 2024 | 2024-02-01
fr | 5 août 2024 | 2024-08-05
fr | 5 janv. 2024 | 2024-01-05
fr | le 8 février 2008 | 2008-02-08
fr | mardi 5 mars 2024 à 14:30 | 2024-03-05T14:30:00
fr | mardi 5 mars 2024, 14 h 30 | 2024-03-05T14:30:00
ga | 5 Márta 2024 | 2024-03-05
gl | 5 de xaneiro de 2024 | 2024-01-05
gu | 5 માર્ચ 2024 | 2024-03-05
he | 05/03/2024 14:30 | 2024-03-05T14:30:00
he | 5 במרץ 2024 | 2024-03-05
he | ה-5 בינואר 2024 | 2024-01-05
hi | 05 मार्च 2024, 02:30 PM | 2024-03-05T14:30:00
hi | 5 जनवरी 2024 | 2024-01-05
hi | 5 मार्च 2024 | 2024-03-05
hi | ५ फ़रवरी २०२४ | 2024-02-05
hr | 5. 3. 2024. | 2024-03-05
hr | 5. ožujka 2024. | 2024-03-05
hr | 5. svibnja 2024. u 14:30 | 2024-05-05T14:30:00
hu | 2024. 03. 05. | 2024-03-05
hu | 2024. január 5., péntek | 2024-01-05
hu | 2024. márc. 5. 14:30 | 2024-03-05T14:30:00
hu | 2024. március 5. | 2024-03-05
hu | 2024.03.05. 14:30 | 2024-03-05T14:30:00
hy | 5 մարտի 2024 | 2024-03-05
id | 05 Mar 2024 | 2024-03-05
id | 5 Agustus 2024 | 2024-08-05
id | 5 Maret 2024 | 2024-03-05
id | Selasa, 5 Maret 2024 14:30 WIB | 2024-03-05T14:30:00+07:00
is | 5. janúar 2024 | 2024-01-05
is | 5. mars 2024 kl. 14:30 | 2024-03-05T14:30:00
it | 1° marzo 2024 | 2024-03-01
it | 5 gen 2024 | 2024-01-05
it | 5 gennaio 2024 alle 14:30 | 2024-01-05T14:30:00
it | 5 marzo 2024 | 2024-03-05
it | martedì 5 marzo 2024, ore 14.30 | 2024-03-05T14:30:00
ja | 2024.03.05 | 2024-03-05
ja | 2024/03/05 14:30 | 2024-03-05T14:30:00
ja | 2024年3月5日 午後2時30分 | 2024-03-05T14:30:00
ja | 2024年3月5日(火) 14時30分 | 2024-03-05T14:30:00
ja | 令和6年3月5日 | 2024-03-05
ja | 令和６年３月５日 | 2024-03-05
ja | 平成31年4月30日 | 2019-04-30
ja | ２０２４年３月５日 | 2024-03-05
ka | 5 მარტი 2024 | 2024-03-05
ka | 5 მარტი, 2024 | 2024-03-05
kk | 2024 жылғы 5 наурыз | 2024-03-05
kk | 5 наурыз 2024 | 2024-03-05
km | 5 មីនា 2024 | 2024-03-05
kn | 5 ಮಾರ್ಚ್ 2024 | 2024-03-05
ko | 2021. 2. 3. | 2021-02-03
ko | 2021. 2. 3. 오후 2:05 | 2021-02-03T14:05:00
ko | 2021년 2월 3일 | 2021-02-03
ko | 2024-03-05 14:30 | 2024-03-05T14:30:00
ko | 2024.03.05 14:30 | 2024-03-05T14:30:00
ko | 2024.03.05. 오전 9:05 | 2024-03-05T09:05:00
ko | 2024년 3월 5일 오후 2시 30분 | 2024-03-05T14:30:00
lb | 5. Mäerz 2024 | 2024-03-05
lo | 5 ມີນາ 2024 | 2024-03-05
lt | 2024 m. kovo 5 d. | 2024-03-05
lt | 2024 m. sausio 5 d. | 2024-01-05
lt | 2024-03-05 14:30 | 2024-03-05T14:30:00
lv | 2024. gada 5. janvārī | 2024-01-05
lv | 2024. gada 5. marts | 2024-03-05
lv | 5. marts, 2024 | 2024-03-05
mk | 5 март 2024 | 2024-03-05
ml | 2024 മാർച്ച് 5 | 2024-03-05
ml | 5 മാർച്ച് 2024 | 2024-03-05
mn | 2024 оны 3 сарын 5 | 2024-03-05
mr | 5 जानेवारी 2024 | 2024-01-05
mr | ५ मार्च २०२४ | 2024-03-05
ms | 5 Mac 2024 | 2024-03-05
ms | 5 Ogos 2024 | 2024-08-05
my | 5 မတ် 2024 | 2024-03-05
nb | 5. mars 2024 kl. 14:30 | 2024-03-05T14:30:00
nb | 5. mars 2024 | 2024-03-05
ne | ५ मार्च २०२४ | 2024-03-05
nl | 05-03-2024 14:30 | 2024-03-05T14:30:00
nl | 5 mei 2024 om 14:30 | 2024-05-05T14:30:00
nl | 5 mrt. 2024 | 2024-03-05
nl | dinsdag 5 maart 2024 | 2024-03-05
pa | 5 ਮਾਰਚ 2024 | 2024-03-05
pl | 05 mar 2024 | 2024-03-05
pl | 5 marca 2024 r. | 2024-03-05
pl | 5 paź 2024 | 2024-10-05
pl | 5 stycznia 2024, 14:30 | 2024-01-05T14:30:00
pl | wtorek, 5 marca 2024 | 2024-03-05
ps | ۵ مارچ ۲۰۲۴ | 2024-03-05
pt | 05/03/2024 14h30 | 2024-03-05T14:30:00
pt | 05/03/2024 às 14:30 | 2024-03-05T14:30:00
pt | 5 de Janeiro, 2024 | 2024-01-05
pt | 5 de março de 2024 | 2024-03-05
pt | 5 fev 2024 | 2024-02-05
pt | 5.mar.2024 às 14h30 | 2024-03-05T14:30:00
ro | 5 ian. 2024 | 2024-01-05
ro | 5 martie 2024 | 2024-03-05
ro | marți, 5 martie 2024, 14:30 | 2024-03-05T14:30:00
ru | 5 мар. 2024, 14:30 | 2024-03-05T14:30:00
ru | 5 марта 2024 г. | 2024-03-05
ru | вторник, 5 марта 2024 года в 14:30 | 2024-03-05T14:30:00
si | 2024 මාර්තු 5 | 2024-03-05
sk | 5. marca 2024 o 14:30 | 2024-03-05T14:30:00
sk | 5. októbra 2024 | 2024-10-05
sl | 5. avgusta 2024 | 2024-08-05
sl | 5. marec 2024 ob 14.30 | 2024-03-05T14:30:00
sq | 5 mars 2024 | 2024-03-05
sq | 5 shkurt 2024 | 2024-02-05
sr | 05.03.2024. | 2024-03-05
sr | 5. mart 2024. | 2024-03-05
sr | 5. октобар 2024 | 2024-10-05
sv | 5 mars 2024 kl. 14.30 | 2024-03-05T14:30:00
sv | 5 mars 2024 | 2024-03-05
sw | 5 Januari 2024 | 2024-01-05
sw | 5 Machi 2024 | 2024-03-05
ta | 5 ஜனவரி 2024 | 2024-01-05
ta | 5 மார்ச் 2024 | 2024-03-05
te | 5 మార్చి 2024 | 2024-03-05
th | 05/03/2567 | 2024-03-05
th | 5 มี.ค. 2567 14:30 น. | 2024-03-05T14:30:00
th | 5 มี.ค. 67 | 2024-03-05
th | 5 มีนาคม 2567 | 2024-03-05
th | 5 มีนาคม พ.ศ. 2567 | 2024-03-05
th | วันที่ 5 มีนาคม 2567 เวลา 14:30 น. | 2024-03-05T14:30:00
th | ๕ มี.ค. ๒๕๖๗ | 2024-03-05
tl | Enero 5, 2024 | 2024-01-05
tl | Marso 5, 2024 | 2024-03-05
tr | 05 Mart 2024 Salı 14:30 | 2024-03-05T14:30:00
tr | 5 Ağu 2024 | 2024-08-05
tr | 5.3.2024 - 14:30 | 2024-03-05T14:30:00
uk | 05 бер. 2024 | 2024-03-05
uk | 5 березня 2024 року | 2024-03-05
uk | 5 лютого 2024, 14:30 | 2024-02-05T14:30:00
ur | 5 جنوری 2024 | 2024-01-05
ur | 5 مارچ 2024 | 2024-03-05
ur | ۵ مارچ ۲۰۲۴ | 2024-03-05
uz | 5 mart 2024 | 2024-03-05
vi | 05-03-2024 - 14:30 | 2024-03-05T14:30:00
vi | 5 tháng 3, 2024 | 2024-03-05
vi | Thứ Ba, 05/03/2024, 14:30 (GMT+7) | 2024-03-05T14:30:00+07:00
vi | Thứ ba, 5/3/2024 | 14:30 | 2024-03-05T14:30:00
vi | ngày 5 tháng 3 năm 2024 | 2024-03-05
zh | 2024 年 3 月 5 日 | 2024-03-05
zh | 2024-3-5 | 2024-03-05
zh | 2024/3/5 14:30:05 | 2024-03-05T14:30:05
zh | 2024年03月05日14:30 | 2024-03-05T14:30:00
zh | 2024年3月5日 下午2:30 | 2024-03-05T14:30:00
zh-TW | 113年3月5日 | 2024-03-05
zh-TW | 中華民國113年3月5日 | 2024-03-05
zh-TW | 民國113年03月05日 | 2024-03-05
zh-TW | 民國113年3月5日 | 2024-03-05
zh-TW | 發布日期：113-03-05 | 2024-03-05
"""


@pytest.mark.parametrize("row", FORMS.splitlines())
def test_a_day_is_read_as_its_language_writes_it(row: str) -> None:
    lang, _, written = row.partition(" | ")
    text, _, iso = written.rpartition(" | ")
    found = next(read_dates(text, READER, month_first=lang == "en"), None)
    assert found is not None
    assert found.iso == iso


STORY = "<p>The old mill turned for the last time long ago, and for years nobody thought of it as more than a ruin.</p>"
STATED = {
    "meta": '<meta property="article:published_time" content="2015-09-17T16:57:43+01:00">',
    "json-ld": write_json_ld({"@type": "NewsArticle", "datePublished": "2015-09-17"}),
    "itemprop": '<meta itemprop="datePublished" content="2015-09-17">',
    "dc": '<meta name="dc.date" content="2015-09-17">',
    "seconds": '<meta property="article:published_time" content="1442505463">',
    "rdfa": '<link rel=x><body vocab="https://schema.org/"><b property="datePublished" content="2015-09-17"></b>',
    "drupal": '<link rel=x><body><b property="dc:date dc:created" content="2015-09-17T16:57:43+01:00"></b>',
    "prefixed": write_json_ld({"@type": "schema:NewsArticle", "schema:datePublished": "2015-09-17"}),
    "video": write_json_ld({"@type": "VideoObject", "uploadDate": "2015-09-17"}),
    "online": '<meta name="citation_online_date" content="2015/09/17">',
    "milliseconds": write_json_ld({"@type": "Article", "datePublished": 1442505463000}),
}
SENTENCES = """\
ar | اجتمع المجلس في 21 مارس 2011 للحديث عن البوابة، ولم يتوقع أحد ذلك.
cs | Rada se sešla 21. března 2011 a mluvila o stavidle.
de | Am 21. März 2011 tagte der Rat über das Wehr.
el | Το συμβούλιο συνεδρίασε στις 21 Μαρτίου 2011 για τη θυρίδα.
en | The council met on 21 March 2011 to talk about the sluice, and nobody expected that all would agree.
en | On March 21, 2011 it rained.
es | El consejo se reunió el 21 de marzo de 2011 para hablar de la compuerta.
fa | شورا در ۲۱ مارس ۲۰۱۱ درباره دریچه گفتگو کرد.
fr | Le conseil s’est réuni le 21 mars 2011 pour parler de l’écluse.
hi | परिषद की बैठक 21 मार्च 2011 को हुई थी और सबने हाँ कहा।
it | Il consiglio si riunì il 21 marzo 2011 per parlare della chiusa.
ja | 2011年3月21日、町議会は水門について話し合った。
ko | 2011년 3월 21일 의회가 수문에 대해 논의했다.
nl | De raad kwam op 21 maart 2011 bijeen over de sluis.
pl | Rada zebrała się 21 marca 2011 roku i mówiła o śluzie.
pt | O conselho reuniu-se a 21 de março de 2011 para falar da comporta.
ru | Совет собрался 21 марта 2011 года, чтобы поговорить о шлюзе.
sv | Rådet möttes den 21 mars 2011 och talade om slussen.
tr | Meclis 21 Mart 2011 tarihinde kapak hakkında konuştu.
vi | Hội đồng họp ngày 21 tháng 3 năm 2011 để bàn về cửa cống.
zh | 2011年3月21日，议会讨论了水闸的问题。
"""


@pytest.mark.parametrize("row", SENTENCES.splitlines())
@pytest.mark.parametrize("kind", STATED)
def test_a_stated_day_outweighs_one_that_a_sentence_tells_of(kind: str, row: str) -> None:
    lang, sentence = row.split(" | ")
    fields = read_fields(f"<h1>Mill</h1><p>{sentence}</p>{STORY}", head=STATED[kind], lang=lang)
    assert (fields.date.value or "")[:10] == "2015-09-17"


LABELS = """\
ar | نشر: 5/3/2020 | آخر تحديث: 9/3/2020
cs | Publikováno: 5. 3. 2020 | Aktualizováno: 9. 3. 2020
de | Veröffentlicht: 05.03.2020 | Zuletzt aktualisiert: 09.03.2020
el | Δημοσιεύτηκε: 5 Μαρτίου 2020 | Ενημερώθηκε: 9 Μαρτίου 2020
en-GB | Posted: 05/03/2020 | Last comment: 09/03/2020
en-GB | Published 5 March 2020 | Last updated 9 March 2020
es | Publicado: 5 de marzo de 2020 | Actualizado: 9 de marzo de 2020
fr | Publié le 5 mars 2020 | Mis à jour le 9 mars 2020
it | Pubblicato il 5 marzo 2020 | Aggiornato il 9 marzo 2020
ja | 2020年3月5日 公開 | 2020年3月9日 更新
ko | 입력 2020. 3. 5. | 수정 2020. 3. 9.
nl | Gepubliceerd: 5 maart 2020 | Bijgewerkt: 9 maart 2020
pl | Opublikowano: 5 marca 2020 | Aktualizacja: 9 marca 2020
pt | Publicado em 5 de março de 2020 | Atualizado em 9 de março de 2020
ru | Опубликовано: 5 марта 2020 | Обновлено: 9 марта 2020
sv | Publicerad 5 mars 2020 | Uppdaterad 9 mars 2020
tr | Yayınlanma: 5 Mart 2020 | Güncelleme: 9 Mart 2020
vi | Đăng ngày 5 tháng 3, 2020 | Cập nhật 9 tháng 3, 2020
zh | 发布：2020年3月5日 | 更新：2020年3月9日
cs | Vydáno: 5. března 2020 | Poslední aktualizace: 9. března 2020
cs | Vytvořeno 5. 3. 2020 | upraveno 9. 3. 2020
da | Oprettet 5. marts 2020 | Sidst ændret 9. marts 2020
de | Artikel vom 05.03.2020 | Letztes Update: 09.03.2020
en-GB | Posted 5 March 2020 | Retrieved 9 March 2020
en-GB | Posted 5 March 2020 | Closing date: 9 March 2020
en-GB | Posted 5 March 2020 | Next meeting: 9 March 2020
de | Veröffentlicht: 05.03.2020 | Abgerufen am 09.03.2020
es | Creado 05/03/2020 | Última modificación 09/03/2020
fa | تاریخ انتشار: ۵ مارس ۲۰۲۰ | آخرین به‌روزرسانی: ۹ مارس ۲۰۲۰
fi | Luotu 5.3.2020 | Muokattu 9.3.2020
fr | Mis en ligne le 5 mars 2020 | Dernière modification le 9 mars 2020
fr | Publié le 5 mars 2020 | Date de l'événement : 9 mars 2020
he | פורסם 05.03.2020 | עודכן לאחרונה 09.03.2020
hi | प्रकाशित: 5 मार्च 2020 | अंतिम अपडेट: 9 मार्च 2020
hu | Megjelent: 2020. március 5. | Frissítve: 2020. március 9.
id | Dipublikasikan 5 Maret 2020 | Terakhir diperbarui 9 Maret 2020
it | Data di pubblicazione: 5 marzo 2020 | Ultima modifica: 9 marzo 2020
it | Inserito il 5 marzo 2020 | Ultimo aggiornamento: 9 marzo 2020
pl | Utworzono: 05.03.2020 | Ostatnio zmodyfikowano 09.03.2020
pt | Criado em 05/03/2020 | última modificação 09/03/2020
ru | Дата публикации: 5 марта 2020 | Последнее изменение: 9 марта 2020
sv | Skapad 5 mars 2020 | Ändrad 9 mars 2020
th | เผยแพร่ 5 มีนาคม 2563 | แก้ไขล่าสุด 9 มีนาคม 2563
vi | Xuất bản 05/03/2020 | sửa đổi 09/03/2020
en-GB | 5 March 2020 | Last updated 9 March 2020
de | 05.03.2020 | Letzte Änderung: 09.03.2020
"""


@pytest.mark.parametrize("row", LABELS.splitlines())
@pytest.mark.parametrize("form", ["<p>{0} · {1}</p>", "<p>{1}, {0}</p>", "<ul><li>{1}</li><li>{0}</li></ul>"])
def test_labels_tell_publication_from_modification(form: str, row: str) -> None:
    lang, published, changed = row.split(" | ")
    fields = read_fields(f"<h1>Mill</h1>{form.format(published, changed)}{STORY}", lang=lang)
    assert fields.date.value == "2020-03-05"


@pytest.mark.parametrize(
    "label",
    [
        "Judgment of 12 November 2019, case 4 U 118/18",
        "Urteil vom 12. November 2019",
        "Arrêt du 12 novembre 2019",
        "Sentencia de 12 de noviembre de 2019",
        "Wyrok z dnia 12 listopada 2019",
        "2019年11月12日判決",
    ],
)
def test_the_day_of_a_judgment_is_none_of_the_page(label: str) -> None:
    fields = read_fields(f"<h1>Stairs</h1><p>{label}</p>{STORY}<p>Published on 9 December 2020 by Ruth Ames</p>")
    assert fields.date.value == "2020-12-09"


@pytest.mark.parametrize("said", ["11.03.17", "11.03.17 in Boats", "11/03/17"])
def test_a_stated_day_tells_the_order_of_a_short_one(said: str) -> None:
    head = '<meta name="date" content="2017-11-03">'
    assert read_fields(f"<h1>Mill</h1><p>{said}</p>{STORY}", head=head, lang="de").date.value == "2017-11-03"


@pytest.mark.parametrize("label", ["Last updated: January 7, 2025", "Zuletzt aktualisiert: 7. Januar 2025"])
def test_the_last_change_of_a_page_is_neither_its_date_nor_its_author(label: str) -> None:
    head = write_json_ld(
        {"@type": "WebPage", "datePublished": "2020-07-10T14:15:42Z", "dateModified": "2025-01-07T09:08:22+01:00"}
    )
    fields = read_fields(f'<h1>Mill</h1><div class="author-details">{label}</div>{STORY}', head=head)
    assert fields.date.value == "2020-07-10T14:15:42Z"
    assert fields.modified.value == "2025-01-07T09:08:22+01:00"
    assert fields.author.value is None


CHANGES = """\
en | Published 17 September 2015. Last updated 3 May 2019, 14:30 CET | 2019-05-03T14:30:00+01:00
en | 17 September 2015 <time class=updated datetime="2019-05-03T14:30:00Z">May</time> | 2019-05-03T14:30:00Z
en | <time itemprop=dateModified datetime="2019-05-03T14:30+02:00">May</time> | 2019-05-03T14:30:00+02:00
en | <dl><dt>Published</dt><dd>17 September 2015</dd><dt>Updated</dt><dd>3 May 2019</dd></dl> | 2019-05-03
de | Veröffentlicht: 17.09.2015, Aktualisiert: 03.05.2019, 14:30 Uhr | 2019-05-03T14:30:00
fr | Publié le 17 septembre 2015, modifié le 3 mai 2019 à 14h30 | 2019-05-03T14:30:00
ja | 2015年9月17日 公開 2019年5月3日 14時30分 更新 | 2019-05-03T14:30:00
ru | Опубликовано 17.09.2015, обновлено 03.05.2019 в 14:30 | 2019-05-03T14:30:00
vi | Xuất bản 17/09/2015, cập nhật 03/05/2019, 14:30 (GMT+7) | 2019-05-03T14:30:00+07:00
"""


@pytest.mark.parametrize("row", CHANGES.splitlines())
def test_the_last_change_has_the_time_and_the_zone_that_the_page_states(row: str) -> None:
    lang, line, iso = row.split(" | ")
    assert read_fields(f"<h1>Mill</h1><div>{line}</div>{STORY}", lang=lang).modified.value == iso
