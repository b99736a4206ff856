"""The style sheet of a phone page: readable from 320 px, light and dark, on paper, in any script and direction.

Each page has only the rules for the elements that are in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_BASE: Final = (
    ":root{color-scheme:light dark;--ink:#1c1b1a;--soft:#5d5a56;--line:#d9d5cf;--paper:#fdfcfa;--card:#fff;"
    "--link:#0b57b0}@media (prefers-color-scheme:dark){:root{--ink:#e6e3de;--soft:#a9a59f;--line:#3d3a37;"
    "--paper:#161514;--card:#201e1d;--link:#8ab8f5}}*{box-sizing:border-box}"
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}"
    "body{margin:0 auto;padding:16px;max-width:42rem;background:var(--paper);color:var(--ink);overflow-wrap:anywhere;"
    'font:17px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}'
    "h1{font-size:1.5rem;line-height:1.25;margin:.2em 0 .4em;text-wrap:balance}"
    "p{margin:0 0 1em}a{color:var(--link);text-underline-offset:.15em}"
    ":focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}"
    "header{margin:0 0 1em}header p{margin:0 0 .3em}.meta{color:var(--soft);font-size:.87rem}"
)
_FOR: Final = (
    (
        ("<h2", "<h3", "<h4", "<h5", "<h6"),
        "h2,h3,h4,h5,h6{line-height:1.25;margin:1.4em 0 .5em;text-wrap:balance}h2{font-size:1.25rem}"
        "h3{font-size:1.1rem}h4,h5,h6{font-size:1rem}",
    ),
    (
        ("<li",),
        "ul,ol{margin:0 0 1em;padding-inline-start:1.3em}li{margin:.25em 0}li>p{margin:0 0 .5em}"
        "li>ul,li>ol{margin:.2em 0}li>:first-child{margin-top:0}",
    ),
    (("<input",), "li>input{margin-inline-start:-1.3em}"),
    (
        ("<img",),
        "img{display:block;max-width:100%;height:auto;border-radius:4px}"
        "p img{display:inline-block;vertical-align:middle}p>img:only-child{display:block}"
        "li:has(>img:first-child,>p:first-child>img:first-child,>.strip:first-child){list-style:none}",
    ),
    (('class="in',), ".in1{margin-inline-start:1em}.in2{margin-inline-start:2em}.in3{margin-inline-start:3em}"),
    (("<dl",), "dl{margin:0 0 1em}dt{font-weight:600}dd{margin:0 0 .6em;margin-inline-start:1em}"),
    (
        ("<blockquote",),
        "blockquote{margin:0 0 1em;padding-inline-start:.9em;border-inline-start:3px solid var(--line);"
        "color:var(--soft)}blockquote>:first-child{margin-top:0}",
    ),
    (
        ("<figure",),
        "figure{margin:0 0 1em}figure img{margin:auto}figcaption{color:var(--soft);font-size:.87rem}",
    ),
    (
        ("<pre", "<code", "<kbd"),
        "pre,code,kbd{font:.87em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;direction:ltr;"
        "unicode-bidi:isolate}pre{margin:0 0 1em;overflow-x:auto;padding:.7em;border:1px solid var(--line);"
        "border-radius:6px;background:var(--card)}pre code{overflow-wrap:normal;font-size:1em}"
        ".scroll>pre{margin:0;overflow:visible;width:max-content;min-width:100%}",
    ),
    (
        ("<math",),
        "math{max-width:100%;direction:ltr;unicode-bidi:isolate}"
        "math[display=block]{overflow-x:auto;overflow-y:hidden;margin:0 0 1em}",
    ),
    (('class="scroll"',), ".scroll{overflow-x:auto;margin:0 0 1em}"),
    (
        ("<table",),
        "table{border-collapse:collapse;font-size:.9rem}td,th{border:1px solid var(--line);padding:.35em .55em;"
        "text-align:start;vertical-align:top;overflow-wrap:normal}",
    ),
    (("<hr",), "hr{border:0;border-top:1px solid var(--line);margin:1.5em 0}"),
    (("<details",), "details{margin:0 0 1em}summary{cursor:pointer;padding:6px 0;font-weight:600}"),
    (
        ("<nav",),
        "nav a{display:inline-block;padding:4px 0}nav ol{list-style:none;padding:0;margin:0}"
        "nav ol ol{padding-inline-start:1.1em}nav li{margin:0}"
        ".contents{margin:0 0 1em;border-block:1px solid var(--line)}.contents details{margin:0}",
    ),
    (
        ('class="strip"',),
        ".strip{display:flex;gap:8px;overflow-x:auto;scroll-snap-type:x mandatory;margin:0 0 1em}"
        ".strip img{height:220px;width:auto;max-width:85%;flex:none;object-fit:contain;scroll-snap-align:start;"
        "background:var(--card)}.strip a{flex:none;max-width:85%}.strip a img{max-width:100%}",
    ),
    (('class="more"',), ".more{border-top:1px solid var(--line);padding-top:.5em}"),
    (
        ('class="card"',),
        ".card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px;"
        "margin:0 0 14px;overflow:hidden}.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}",
    ),
    (
        ('class="entries',),
        ".entries{list-style:none;padding:0}.entries>li{padding:9px 0;margin:0;border-top:1px solid var(--line)}"
        '.entries>li::after{content:"";display:block;clear:both}'
        ".entries>li:first-child{border-top:0;padding-top:0}"
        ".entries>li>img{float:right;float:inline-end;max-width:92px;max-height:92px;"
        "margin-inline-start:10px}.entries p{margin:.2em 0 0}"
        ".entries>li>a{display:block;padding:4px 0;font-weight:600}",
    ),
    (
        ('class="entries shelf',),
        ".shelf{display:grid;grid-template-columns:repeat(auto-fill,minmax(126px,1fr));gap:14px}"
        ".shelf>li,.shelf>li:first-child{border:0;padding:0;font-size:.93rem;min-width:0}"
        ".shelf>li>img{float:none;width:100%;max-width:none;height:130px;max-height:none;object-fit:contain;"
        "margin:0 0 4px;background:#fff}"
        ".shelf p:not(.meta){display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}",
    ),
    (
        ('class="post"',),
        ".post{border-top:1px solid var(--line);padding-top:.7em}"
        ".by{color:var(--soft);font-size:.87rem;margin:0 0 .6em}"
        ".by img{display:inline-block;width:1.8em;height:1.8em;object-fit:cover;margin-inline-end:.3em}"
        ".by strong{color:var(--ink);font-size:1rem}",
    ),
    (('class="price"',), ".price{font-size:1.25rem;font-weight:600}"),
    (
        ('class="parts"',),
        ".parts{display:flex;justify-content:space-between;gap:8px;align-items:center;padding:10px 0;"
        "border-top:1px solid var(--line)}.parts a{padding:10px 14px;border:1px solid var(--line);border-radius:8px;"
        "background:var(--card);text-decoration:none}.parts span{color:var(--soft)}",
    ),
)
"""What a rule is for, as it stands in the markup, and the rule."""
_CJK: Final = (
    ":lang(zh),:lang(ja),:lang(ko){line-height:1.75;line-break:strict;text-autospace:normal}"
    "em{font-style:normal;font-weight:600}"
    ':lang(zh){font-family:system-ui,"PingFang SC","Noto Sans CJK SC","Microsoft YaHei",sans-serif}'
    ':lang(ja){font-family:system-ui,"Hiragino Sans","Noto Sans CJK JP","Yu Gothic",sans-serif}'
    ':lang(ko){font-family:system-ui,"Apple SD Gothic Neo","Noto Sans CJK KR","Malgun Gothic",sans-serif;'
    "word-break:keep-all}pre,code,kbd{font-family:ui-monospace,monospace}"
)
_RTL: Final = (
    "[dir=rtl]{line-height:1.8}[dir=rtl] em{font-style:normal;font-weight:600}"
    "[dir=rtl] h1,[dir=rtl] h2,[dir=rtl] h3{line-height:1.5}"
)
_LATIN: Final = "p,li,dd{hyphens:auto;hyphenate-limit-chars:14 5 5}"
_PRINT: Final = (
    ":root{--ink:#000;--soft:#444;--line:#999;--paper:#fff;--card:#fff;--link:#000}"
    "body{max-width:none;padding:0;font-size:11pt}"
)
_PRINT_FOR: Final = (
    (("<nav", 'class="more"'), "nav,.more{display:none}"),
    (("<h2", "<h3", "<h4"), "h1,h2,h3,h4{break-after:avoid}"),
    (("<img",), "img{max-height:12cm;width:auto}"),
    (("<img", "<figure", "<tr", "<pre", 'class="entries'), "figure,img,tr,.entries>li,pre{break-inside:avoid}"),
    (('class="card"',), ".card{border:0;padding:0}"),
    (('class="strip"',), ".strip{flex-wrap:wrap;overflow:visible}.strip img{height:4cm}"),
    (('class="scroll"',), ".scroll{overflow:visible}"),
    (("<pre",), "pre{white-space:pre-wrap}"),
)
"""The same on paper."""
_IDEOGRAPHIC: Final = ("zh", "ja", "ko")


def choose_style(markup: str, language: str, direction: str) -> str:
    """The rules that a page needs. markup: of its body. language: BCP 47 tag; direction: `rtl` or what is not."""
    code = language.lower().partition("-")[0]
    script = _CJK if code in _IDEOGRAPHIC else _RTL if direction == "rtl" else _LATIN if code else ""
    printed = f"@media print{{{_PRINT}{_list_needed(_PRINT_FOR, markup)}}}"
    return "".join([_BASE, _list_needed(_FOR, markup), script, printed])


def _list_needed(choices: Iterable[tuple[tuple[str, ...], str]], markup: str) -> str:
    return "".join(rules for signs, rules in choices if any(sign in markup for sign in signs))
