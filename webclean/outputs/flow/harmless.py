"""The elements and attributes that a written page may have: what is not named here is written nowhere.

The clean tree of text, Markdown, HTML and the phone page is built of few of them. The picture of the blocks shows the
page itself, and is taken apart by these lists. They are lists of what is harmless, not of what is active: standards and
browsers add active elements, and whoever forgets one of a list of those lets it pass.
"""

from __future__ import annotations

from typing import Final

from webclean.outputs.flow.mathml import CONTENT, PRESENTATION

HTML: Final = frozenset(
    """
    html head title style body
    article aside section nav header footer main search hgroup address h1 h2 h3 h4 h5 h6
    p div span br hr wbr pre blockquote figure figcaption center
    ul ol li dl dt dd menu dir details summary dialog
    a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rb rp rt rtc ruby s samp small strike strong
    sub sup time tt u var
    table caption colgroup col thead tbody tfoot tr td th
    img picture source video audio track canvas map area
    form fieldset legend label input button select optgroup option textarea datalist output progress meter
    """.split()  # noqa: SIM905  a table of words reads better
)
"""Elements of HTML, without those that load a document or a program, or change how the rest of the page is read."""
SVG: Final = frozenset(
    """
    svg g defs symbol use path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop
    clipPath mask pattern marker
    """.split()  # noqa: SIM905
)
"""What SVG draws with. Not `foreignObject`, `title` and `desc`, in which HTML begins anew, nor animations, which set
attributes of others."""
MATHML: Final = PRESENTATION | CONTENT

ATTRIBUTES: Final = frozenset(
    """
    id class style title dir lang hidden role align valign
    width height border cellpadding cellspacing nowrap colspan rowspan span scope headers summary rules frame
    bgcolor color face size clear type start value reversed compact
    src alt loading href cite datetime open media
    name placeholder checked disabled selected multiple readonly rows cols wrap min max step label for
    viewBox preserveAspectRatio d x y r cx cy rx ry x1 y1 x2 y2 dx dy points transform fill stroke fill-rule
    fill-opacity stroke-width stroke-linecap stroke-linejoin stroke-opacity opacity offset stop-color stop-opacity
    text-anchor font-size font-family font-weight gradientUnits gradientTransform patternUnits clip-path
    display alttext mathvariant displaystyle stretchy fence separator accent accentunder linethickness close
    separators notation columnalign columnspan base
    """.split()  # noqa: SIM905
)
"""Attributes that say how an element looks or what it is. Those with a URL (`src`, `href`, `cite`) are looked at
further; and any may hold `url(...)`, as styles do."""
NAMESPACES: Final = ("data-", "aria-")
"""Beginnings of attributes that only scripts, style sheets and screen readers read."""


def is_harmless_attribute(name: str) -> bool:
    """Whether an attribute by its name does nothing."""
    return name in ATTRIBUTES or name.startswith(NAMESPACES)
