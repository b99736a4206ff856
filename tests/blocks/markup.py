"""Random markup for property tests: nested blocks, links, lists, tables, breaks, scripts, hidden parts, CJK text."""

from hypothesis import strategies as st

from webclean.model import Document

WORDS = st.sampled_from(
    [
        "a",
        "river",
        "rises",
        "in the hills.",
        "Really?",
        "«so»",
        "河流 流经 城市。",
        "東京の天気は晴れ!",
        "한국어 단어",
        " ",
        "\n",
        "© 2024",
        "x" * 30,
    ]
)
TEXT = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
VOID = st.sampled_from(["<br>", "<br><br>", "<hr>", "<img alt=i>", "<!-- c -->", "<script>var x = '<p>';</script>"])
NAMES = st.sampled_from(
    ["div", "p", "section", "ul", "ol", "li", "table", "tr", "td", "span", "b", "h2", "nav", "pre", "svg", "select"]
)
ATTRIBUTES = st.sampled_from(["", "", "", "", " hidden", ' style="display: none"', " class='a b'"])


def _wrap(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    element = st.builds(
        lambda name, attributes, parts: f"<{name}{attributes}>{''.join(parts)}</{name}>",
        NAMES,
        ATTRIBUTES,
        st.lists(inner, max_size=5),
    )
    link = inner.map(lambda part: f'<a href="/x">{part}</a>')
    anchor = inner.map(lambda part: f"<a name=x>{part}</a>")
    return st.one_of(element, element, link, anchor)


PIECES = st.recursive(st.one_of(TEXT, TEXT, VOID), _wrap, max_leaves=40)
MARKUP = st.lists(PIECES, max_size=6).map("".join)
"""Well-nested as written; the parser repairs what HTML does not allow."""

_TAGS = """
    <p> </p> <b> </b> <i> <a href=x> </a> <table> <tr> <td> </table> <div> </div> <li> <ul> </ul> <select> <option> <dd>
    <body a=1> <html b=2> <head> </body> </html> <template> </template> <svg> <math> <mi> <title> <noscript> <style>
    </style> <textarea> <h1> </h2> <form> <input type=hidden> <frameset> <!-- --> <![CDATA[ ]]> <?xml ?> &amp &#0; x
"""
TAGS = st.sampled_from(_TAGS.split())
SOUP = st.lists(st.one_of(TAGS, TEXT, st.text(max_size=8)), max_size=40).map("".join)
"""Tags in any order and any characters."""
EITHER = st.one_of(MARKUP, SOUP)


def list_ancestors(document: Document, row: int) -> list[int]:
    """The row itself and all above it."""
    found = []
    while row >= 0:
        found.append(row)
        row = int(document.parent[row])
    return found
