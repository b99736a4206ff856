"""Site name: declared by metas or JSON-LD, else the end of `<title>` that names the host."""

from __future__ import annotations

from webclean.fields.candidates import MAX_ALTERNATIVES
from webclean.fields.statements import PageStatements
from webclean.fields.title import fold_text, split_title
from webclean.model import FieldValue
from webclean.parse.url import find_registered_domain_of_host
from webclean.rules.fields_schema import FieldRules


def find_site_name(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """The name of the site, as it is written for readers."""
    found = [(text.lstrip("@"), f"meta {name}") for name, text in statements.read_meta(rules.site_name.metas)]
    for thing in statements.things:
        if thing.role in rules.site_name.json_ld_roles or (thing.depth < 3 and "WebSite" in thing.types):
            found += [(name, f"json-ld {thing.role or 'WebSite'}") for name in thing.texts("name")[:1]]
    domain = find_registered_domain_of_host(statements.host) if statements.host else ""
    label = fold_text(domain.partition(".")[0])
    title = statements.title
    for start, end in reversed(split_title(title, rules.title.separators)):
        part = title[start:end].strip()
        folded = fold_text(part)
        if label and folded and (folded in label or label in folded) and len(part) <= rules.site_name.max_chars:
            found.append((part, "title"))
    if domain:
        found.append((domain, "url"))
    found = [(value, source) for value, source in found if 0 < len(value) <= rules.site_name.max_chars]
    if not found:
        return FieldValue(None)
    name, source = found[0]
    others: dict[str, str] = {}
    for value, where in found:
        if value != name:
            others.setdefault(value, where)
    confidence = {"title": 0.7, "url": 0.4}.get(source, 0.95)
    return FieldValue(name, source, confidence, tuple(others.items())[:MAX_ALTERNATIVES])
