"""Clean elements of a page -> its head: the title first, then one line of author, date and site, and the rest.

    p     Home of news                      h1    Two cranes
    h1    Two cranes                  ->    .meta By Ada Lind, 6 May 2024 · example.org
    p     By Ada Lind, 6 May 2024           p     Home of news
    p     The harbour ...                   p     The harbour ...

What the page writes of author and date is moved, not repeated: a line that it has of its own stands for what is known.

The page of a product has its pictures and price before its description. Pictures without a caption at the beginning and
the end of the text are one strip; a line with the price among the first is set below the title. Where the text has no
price, rating or availability, what the page states of it stands there.
"""

from __future__ import annotations

from typing import Final

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import HEADINGS, Head, fold, read_text
from webclean.outputs.flow.urls import IMAGE_SCHEMES, sanitise_url
from webclean.outputs.phone.adapt import list_only_images, make_strip, read_source
from webclean.outputs.phone.pieces import (
    AMOUNT,
    CURRENCY,
    PhonePage,
    is_price,
    leave_out_images,
    read_digits,
    says_date,
    says_names,
    write_date,
)
from webclean.parse.url import split_url
from webclean.rules.outputs_schema import Phone


def split_top(head: Head, nodes: list[Node], rules: Phone) -> tuple[Node | None, list[Node], list[Node]]:
    """The title, h1 or None, the lines below it, and what follows."""
    at = find_title(nodes, head.title, rules.title_nodes)
    title = Node("h1", {}, [" ".join(head.title.split())]) if head.title.strip() else None
    if at >= 0:  # that of the page, with what it holds
        title = Node("h1", nodes[at].attributes, _drop_label(nodes[at].children, head.title))
    # by-lines stand above titles too; further down a date is one of the text
    around = range(max(0, at - rules.byline_nodes), min(len(nodes), max(at, 0) + rules.byline_nodes + 1))
    lines = [number for number in around if number != at and is_byline(nodes[number], head, rules)]
    written = " ".join(read_text(nodes[number]) for number in lines)
    taken = {at, *lines}
    # icons and portraits are as large as the screen in a line of their own
    meta = [_as_meta(leave_out_images(nodes[number].children)) for number in lines]
    author = "" if says_names(written, head.author) else head.author
    date = "" if says_date(written, head.date) else write_date(head.date[:10])
    # each part is isolated from the direction of the others
    parts = [Node("bdi", {}, [value]) for value in (author, date) if value]
    if host := split_url(head.url).hostname if sanitise_url(head.url, None, IMAGE_SCHEMES) else None:
        parts.append(Node("bdi", {}, [Node("a", {"href": head.url}, [host])]))
    meta += [join_parts(parts)] if parts else []
    return title, meta, [node for number, node in enumerate(nodes) if number not in taken]


_CUT_CHARS: Final = 20
"""Of a title that ends with dots, at least, to be taken for the beginning of a longer one."""


def find_title(nodes: list[Node], title: str, n_nodes: int) -> int:
    """Place of the title among the first nodes: of a heading, else of a line that says just that; -1 if it is not
    there."""
    wanted = fold(title)
    whole = wanted.rstrip(".…").rstrip()
    # a line of text only where no heading says it: leads repeat the title
    for names in (HEADINGS, ("p",)) if wanted else ():
        for number, node in enumerate(nodes[:n_nodes]):
            if node.name in names and _is_labelled(fold(read_text(node)), wanted):
                return number
    # what is known of the title may be cut off
    if len(whole) >= _CUT_CHARS and whole != wanted:
        heads = (number for number, node in enumerate(nodes[:n_nodes]) if node.name in HEADINGS)
        return next((number for number in heads if whole in fold(read_text(nodes[number]))), -1)
    return -1


def _is_labelled(text: str, title: str) -> bool:
    """Whether a text is the title, with `Title:` before it or not. Both folded."""
    return text.endswith(title) and (text == title or text.removesuffix(title).rstrip().endswith((":", "：")))


def _drop_label(children: list[Node | str], title: str) -> list[Node | str]:
    """A heading without `Title:` before the title, which is for those who hear the page."""
    first = children[0] if children else ""
    text = first if isinstance(first, str) else read_text(first)
    at = text.find(title[:_CUT_CHARS])
    if text.rstrip().endswith((":", "：")) and len(children) > 1:
        return children[1:]
    is_labelled = isinstance(first, str) and at > 0 and text[:at].rstrip().endswith((":", "："))
    return [text[at:], *children[1:]] if is_labelled else children


def is_byline(node: Node, head: Head, rules: Phone) -> bool:
    """Whether a node is a short line that names the author or says the date, and little else."""
    if node.name != "p":
        return False
    text = read_text(node).strip()
    if not text or len(text) > rules.byline_chars:
        return False
    # `By Ada Lind, our correspondent in Riga` is one; a sentence that names her is none
    more = rules.byline_chars // 2
    if head.author and says_names(text, head.author) and len(text) <= len(head.author) + more:
        return True
    return says_date(text, head.date) and len(text) <= more


def join_parts(parts: list[Node]) -> Node:
    """Parts of one line with a dot between them; what is said of a name and a colon follows it without."""
    children: list[Node | str] = []
    is_named = False
    for part in parts:
        children += [" " if is_named else " · ", part] if children else [part]
        is_named = read_text(part).rstrip().endswith((":", "：", "︰"))
    return _as_meta(children)


def _as_meta(children: list[Node | str]) -> Node:
    return Node("p", {"class": "meta"}, list(children))


def set_product(nodes: list[Node], page: PhonePage) -> tuple[list[Node], list[Node]]:
    """Price and pictures, and the nodes that follow."""
    images = [list_only_images(node) for node in nodes]
    texts = [at for at, found in enumerate(images) if not found]
    # pictures alone before the first text and after the last one
    first, last = (texts[0], texts[-1] + 1) if texts else (len(nodes), len(nodes))
    rest = nodes[first:last]
    pictures = [image for found in (*images[:first], *images[last:]) for image in found]
    main = sanitise_url(page.image, None, IMAGE_SCHEMES) if page.image else None
    # shops show one picture in many sizes, told apart by the query of its address
    if main and not any(_name_file(read_source(image)) == _name_file(main) for image in pictures):
        pictures.insert(0, Node("img", {"src": main, "alt": page.head.title}))
    amount = AMOUNT.search(page.price)
    wanted = amount[0] if amount else ""
    # the first short line that holds it; of a page that states none, none
    lines = [(node, read_text(node)) for node in rest[: page.rules.title_nodes] if wanted and node.name == "p"]
    price = next(
        (
            node
            for node, text in lines
            if (len(text) <= page.rules.label_chars and wanted in text) or is_price(text, page.price)
        ),
        None,
    )
    # lines that say the title or the price once more, as in the bar that stays in sight
    said = {fold(page.head.title), fold(read_text(price)) if price else ""} - {""}
    rest = [
        node
        for node in rest
        if node is not price
        and not is_price(text := read_text(node), page.price)
        and not (node.name == "p" and fold(text) in said)
    ]
    rest = _join_labels(list(map(_say_once, _drop_repeats(rest))), page.rules.label_chars)
    top = [Node("p", {"class": "price"}, _say_amount_once(price.children))] if price else []
    if not top and page.price:
        top = [Node("p", {"class": "price"}, [page.price])]
    # rating and availability, where the text does not say them
    rating, availability = page.head.rating, page.head.availability
    texts_of = [read_text(node).casefold() for node in rest] if rating or availability else []
    signs = {fact: sign for fact, sign in ((rating, rating.partition("/")[0]), (availability, availability)) if fact}
    facts = [fact for fact, sign in signs.items() if not any(sign.casefold() in text for text in texts_of)]
    top += [Node("p", {}, [" · ".join(facts)])] if facts else []
    if page.options.images and pictures:
        strip = make_strip(pictures, page.labels.photos)
        top.append(strip if len(strip.children) > 1 else Node("p", {}, strip.children))
    return top, rest


_REPEATED_CHARS: Final = 60
"""Of a text that is there again, at least; shorter ones are labels."""


def _drop_repeats(nodes: list[Node]) -> list[Node]:
    """The nodes without texts that stand above already, as shops write them for several widths of the screen, and
    without headings that nothing is left or has been below: tabs whose text comes by script."""
    said: set[str] = set()
    made: list[Node] = []
    was_said = False  # whether the node before is a heading that is there above
    for node in nodes:
        text = fold(read_text(node)) if node.name in HEADINGS or node.name in _TEXTS else ""
        is_heading = node.name in HEADINGS
        if is_heading or len(text) < _REPEATED_CHARS or text not in said:
            made.append(node)
        elif was_said:
            made.pop()
        was_said = is_heading and text in said
        said.add(text)
    return _drop_bare_headings(made)


def _drop_bare_headings(nodes: list[Node]) -> list[Node]:
    """The nodes without headings that nothing stands below: the next one is as high, or there is none."""
    kept: list[Node] = []
    for node in reversed(nodes):
        after = kept[-1].name if kept else "h1"
        # names of headings sort by their level
        if node.name not in HEADINGS or after not in HEADINGS or after > node.name:
            kept.append(node)
    return kept[::-1]


_TEXTS: Final = frozenset(("p", "ul", "ol", "blockquote", "dl"))
_TWICE_CHARS: Final = 8
"""Of a line that is said twice, at least: `bye bye` is meant."""


def _say_once(node: Node) -> Node:
    """A line without its second half where that repeats the first one, for those who only hear the page."""
    text = node.children[0] if node.name == "p" and len(node.children) == 1 else None
    half = len(text) // 2 if isinstance(text, str) else 0
    if not isinstance(text, str) or half < _TWICE_CHARS or text[:half] != text[-half:] or text[half:-half].strip():
        return node
    return node.copy_with([text[:half].rstrip()])


def _join_labels(nodes: list[Node], n_chars: int) -> list[Node]:
    """The nodes, of which a label with a colon and the only short line below it are one: `Delivery:`, `Varies`."""
    made: list[Node] = []
    texts = [read_text(node).strip() if node.name == "p" else "" for node in nodes]
    short = [0 < len(text) <= n_chars for text in texts]
    labels = [is_short and text.endswith((":", "：")) for is_short, text in zip(short, texts, strict=True)]
    for at, node in enumerate(nodes):
        is_value = at > 0 and labels[at - 1] and short[at] and not labels[at]
        # of several values the label is a heading
        if is_value and (at + 1 == len(nodes) or labels[at + 1] or not short[at + 1]):
            made[-1] = made[-1].copy_with([*made[-1].children, " ", *node.children])
        else:
            made.append(node)
    return made


def _name_file(url: str) -> str:
    """An address without its query, by which shops ask for sizes of one picture."""
    return url.partition("?")[0].rpartition("/")[2]


def _say_amount_once(children: list[Node | str]) -> list[Node | str]:
    """A line up to where it says its only amount a second time, for those who only hear the page: `9,99 €9,99 €`,
    `$ 79.99 Price $ 79.99`; of `20 $20.00`, the number of a script, the second one."""
    text = "".join(child if isinstance(child, str) else read_text(child) for child in children).strip()
    amounts = list(AMOUNT.finditer(text))
    if len(amounts) <= 1 or len({read_digits(found[0]) for found in amounts}) > 1:
        return list(children)
    first, second = amounts[:2]
    if first[0] != second[0] and not text[: first.start()].strip():
        return [text[first.end() :].strip()]
    between = text[first.end() : second.start()].rstrip()
    # a currency behind the amount belongs to it; the one before the second amount does not
    is_sign = len(between.strip()) <= CURRENCY and between.strip() != text[: first.start()].strip()
    return [text[: first.end()] + (between if is_sign else "")]
