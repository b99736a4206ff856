"""Several authors of one page: the lists of names that it shows or states, and the addresses of those who are named.

Names count as a list where nothing stands between them but what joins names. A list has the names of its authors
(`Candidate.names`), so that two spellings of it are one, and its shape is that of its first name.

    By <a>Ruth Ames</a>, <a>Tomas Weil</a> and <a>Cy Moss</a>, CQN    ->  Ruth Ames, Tomas Weil and Cy Moss
    <li><a>Ruth Ames</a><sup>1,2</sup> <li><a>Tomas Weil</a>*        ->  Ruth Ames, Tomas Weil
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final

from webclean.fields.candidates import Candidate, fold_text
from webclean.fields.scan import compile_finder
from webclean.fields.statements import PageStatements
from webclean.model import Author
from webclean.parse.columns import find_texts, read_attribute
from webclean.parse.controls import clean_line

MARKS: Final = r"(?:[\d⁰¹²³⁴-⁹*†‡§¶‖⁎∗✉#]|[,;](?=[\d⁰¹²³⁴-⁹*†‡§¶‖⁎∗✉#]))"
"""A sign of a footnote behind a name, or what stands between two of them."""
_MARKS: Final = re.compile(rf"\s*{MARKS}+(?=\s|,|$)")
_MAX_BETWEEN: Final = 12
"""Elements between two names of a list: a picture, a footnote and the next item of the list."""
_MAX_NAMES: Final = 60
"""Papers of experiments in physics list thousands of authors."""
_MAX_LINKS: Final = 300
_LEAST_SPACES: Final = 3
"""In a list of two names of two words each."""
# two to five words with a capital each: without a byline, a class or a link, nothing else says that it is a name; more
# Chinese characters in a row than names have are a headline
PLAIN_NAME: Final = re.compile(
    r"(?!.*[\u3040-\u30ff\u3400-\u9fff]{7})(?:[^\W\d_a-z][\w.'’-]* ){1,3}[^\W\d_a-z][\w'’-]+"
)
# the length of names in Chinese and Japanese characters, `·` in those of foreigners, and of names in Hangul
UNSPACED_NAME: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff·]{2,6}|[가-힣]{2,4}")
_PARTICLES: Final = re.compile(r"\b(?:van|von|de[rnls]?|da|do|di|du|la|le|el|al|bin|ter|ten|zu|af)\b ", re.IGNORECASE)


def is_whole_name(text: str) -> bool:
    """Whether a text has the shape of one person's name: `Ludwig van der Rohe`, `张三`, `J. R. Moss`."""
    if UNSPACED_NAME.fullmatch(text):
        return True
    return PLAIN_NAME.fullmatch(_PARTICLES.sub("", text)) is not None and not re.search(r"[\u3040-\u9fff]", text)


def list_runs(
    statements: PageStatements, rows: Iterable[int], read: Callable[[str], str], joiners: str
) -> Iterator[tuple[int, list[str], str]]:
    """(row of the first, names, the names as they stand) of each list of names.

    rows: of elements that may hold a name each. read: text -> the name that it holds, or ''.
    """
    end = statements.document.end
    joiner = compile_finder(joiners).exact
    run: list[tuple[int, str]] = []
    shown = ""
    for row in sorted(set(rows)):
        if run and row < end[run[-1][0]]:
            # of a list with one class around all of it the elements inside; of a link the link, not what is in it
            if read(statements.read_text(row)) in ("", run[-1][1]) or len(run) > 1:
                continue
            run = []
        text = statements.read_text(row)
        name = _MARKS.sub("", read(text))
        # `Edited by Bo Ek` behind `By Ann Lee` names no second author
        if not is_whole_name(name) or (run and not text.startswith(name)):
            continue
        between = _read_between(statements, run[-1][0], row, joiner) if run and len(run) < _MAX_NAMES else None
        if between is None:
            if len(run) > 1:
                yield run[0][0], [one for _, one in run], shown
            run, shown = [], name
        else:
            shown += f"{between}{name}"
        run.append((row, name))
    if len(run) > 1:
        yield run[0][0], [one for _, one in run], shown


def _read_between(statements: PageStatements, one: int, other: int, joiner: re.Pattern[str]) -> str | None:
    """What joins two names, None where more stands between their elements."""
    document, start = statements.document, int(statements.document.end[one])
    if other - start > _MAX_BETWEEN:
        return None
    nodes = [i for i in find_texts(document, one, other) if not one <= document.text_owner[i] < start]
    text = _MARKS.sub("", " ".join(" ".join(document.text[i] for i in nodes).split())).strip()
    if text and text in ",;":
        return ", "
    around = int(document.parent[other])
    # each post of a thread begins with its writer: what is around an item of a list holds little else
    if around > one and len(statements.read_text(around)) > 2 * len(statements.read_text(other)):
        return None
    if not text:  # items of one list look alike; a name and the role or the link beside it do not
        looks = [(document.names[row], read_attribute(document, row, "class")) for row in (one, other)]
        # two or three characters of Chinese may be any word: only two links are surely two names
        is_spaced = " " in statements.read_text(other) or min(document.link[one], document.link[other]) >= 0
        return ", " if looks[0] == looks[1] and is_spaced else None
    if not joiner.fullmatch(text):
        return None
    return f"{text} " if text[0] in ",;" else f" {text} "


_Test = Callable[[str], object]


def join_lists(found: dict[str, Candidate], joiners: str, is_other: _Test, is_person: _Test) -> None:
    """What states the first of several co-authors alone speaks for the list of all of them, too: machines are told one
    name, readers all.

    found: folded name -> candidate; of two spellings of a list the first stays. is_other: whether a name is that of the
    site, which is no co-author. is_person: whether it is neither a group nor a role.
    """
    # separators of a list of names: no joiner begins or ends inside a word
    splitter = compile_finder(rf"(?:(?<!\w)|(?=\W))(?:{joiners})(?!\w)").exact
    lists: dict[str, Candidate] = {}
    for key, candidate in list(found.items()):
        names = candidate.names or _split(candidate, found, splitter, is_person)
        if len(names) < 2 or not all(map(is_whole_name, names)) or any(map(is_other, names)):
            candidate.names = ()
            continue
        candidate.names = names
        same = lists.setdefault("".join(map(fold_text, names)), candidate)
        if same is not candidate:
            same.features = {**candidate.features, **same.features}
            del found[key]
    for candidate in lists.values():
        own = [found[key] for key in map(fold_text, candidate.names) if key in found]
        is_shown = {name for name in candidate.features if name.endswith("_all")} == {"link_all"}
        if is_shown and not _is_first(candidate, *own) and any(map(_is_first, found.values())):
            # behind an author stands who else had a part in the text: contributors, editors, reviewers
            candidate.names = ()
            del found[fold_text(candidate.value)]
            continue
        candidate.features["lists_authors"] = 1.0
        if head := found.get(fold_text(candidate.names[0])):
            # the list takes over what speaks for its first name, so that it does not lose against it
            candidate.features = {**head.features, **candidate.features}


def _is_first(*candidates: Candidate) -> bool:
    """Whether one of some candidates is the first of its kind on the page: the first by-line, the first link."""
    return any(name.endswith("_first") for candidate in candidates for name in candidate.features)


def _split(candidate: Candidate, found: Container[str], splitter: re.Pattern[str], is_person: _Test) -> tuple[str, ...]:
    """The names of a text that lists several."""
    if candidate.value.count(" ") < _LEAST_SPACES:
        return ()
    value = _MARKS.sub("", candidate.value)
    names = tuple(name.strip() for name in splitter.split(value) if name.strip())
    # behind commas alone may stand roles and employers: `Ann Lee, Staff Writer, Example News`
    joined = any(joiner[0].strip(" ,;、，；") for joiner in splitter.finditer(value))
    in_head = not {"meta", "json_ld"}.isdisjoint(candidate.features)
    stated = in_head and all(is_whole_name(name) and is_person(name) for name in names)
    if not (joined or stated or all(fold_text(name) in found and is_person(name) for name in names)):
        return ()
    candidate.value = value if all(map(is_whole_name, names)) else candidate.value
    return names


def turn_name(text: str) -> str:
    """`Ames, Ruth` as `Ruth Ames`, for meta elements of libraries; other texts as they are."""
    family, comma, given = text.partition(",")
    given = given.strip()
    # `Ruth Ames, MD` is in order
    is_turned = comma and "," not in given and 0 < len(given.split()) <= 3 and not re.fullmatch(r"[A-Z]{2,}", given)
    return f"{given} {family.strip()}" if is_turned else text


def find_addresses(statements: PageStatements, names: Iterable[str], near: range) -> list[Author]:
    """The authors with the addresses of their pages: those that JSON-LD states, else of a link near the title whose
    text is the name."""
    stated: dict[str, str] = {}
    for thing in statements.things:
        for name in thing.texts("name")[:1] if "Person" in thing.types else ():
            urls = filter(None, map(statements.absolute, [*thing.texts("url"), *thing.texts("sameAs")]))
            stated.setdefault(fold_text(name), next(urls, ""))
    for row, target in statements.list_links(near)[:_MAX_LINKS]:
        text = clean_line(statements.read_text(row))
        # `Ruth Ames*` is Ruth Ames, and `luizjr4` the whole name of a user
        for key in {fold_text(text), fold_text(_MARKS.sub("", text))}:
            if not stated.get(key):
                stated[key] = statements.absolute(target)
    return [Author(name, stated.get(fold_text(name), "")) for name in names]
