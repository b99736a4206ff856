"""`webclean rules import-ftr`: site files of ftr-site-config -> site rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from webclean.checks import find_unusable
from webclean.errors import InputError
from webclean.parse.url import find_registered_domain_of_host
from webclean.rules.files import write_yaml
from webclean.rules.sharing import Conversion, convert_site_config

_HEADER: Final = "Converted from ftr-site-config (CC0)."
_DESCRIPTION = """Convert site files of ftr-site-config (host.txt, lines of `key: value`) into site rules,
DIR/sites/SITE.yaml. Files of an earlier import are written anew, files of your own are left as they are. With -v every
line that could not be converted is named with the reason."""

_EXAMPLES = """examples:
  webclean rules import-ftr ftr-site-config/ -o my/
  webclean clean PAGE --url URL --rules my/
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "import-ftr",
        help="convert site files of ftr-site-config (host.txt)",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
    )
    parser.add_argument("source", type=Path, help="a file, or a folder of files")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a rules folder to write into")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every line that could not be converted")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write one site file a site and report what could not be converted."""
    files = sorted(args.source.glob("*.txt")) if args.source.is_dir() else [args.source]
    sites: dict[str, dict[str, Any]] = {}
    pages: dict[str, list[str]] = {}
    n_rules = n_left_out = 0
    for path in files:
        try:
            made = convert_site_config(path.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from error
        drop_faulty_rules(made)
        host = path.stem.lstrip(".")
        site = find_registered_domain_of_host(host)
        sites.setdefault(site, {}).update(name_rules(host, made))
        pages.setdefault(site, []).extend(made.test_urls)
        n_rules += len(made.rules)
        n_left_out += len(made.left_out)
        if args.verbose:
            for line, text, why in made.left_out:
                print(f"{path}:{line}: {text}: {why}")
    folder = args.output / "sites"
    folder.mkdir(parents=True, exist_ok=True)
    for site, rules in sites.items():
        path = folder / f"{site}.yaml"
        if rules and path.exists() and not path.read_text(encoding="utf-8").startswith(f"# {_HEADER}"):
            print(f"{path}: left as it is, for it is no imported file")
        elif rules:
            header = "\n".join((_HEADER, *(f"A page to try it on: {url}" for url in pages[site])))
            path.write_text(write_yaml({"rules": rules}, header=header), encoding="utf-8")
    print(f"{len(files)} files, {len(sites)} sites, {n_rules} rules; {n_left_out} lines could not be converted")
    return 0


def drop_faulty_rules(made: Conversion) -> None:
    """Take out rules whose XPath is refused here, and report them."""
    for (_, name, *_), message in list(find_unusable({"rules": made.rules})):
        if isinstance(name, str) and made.rules.pop(name, None) is not None:
            made.left_out.append((0, name, message))


def name_rules(host: str, made: Conversion) -> dict[str, Any]:
    """Rule ids with the host in front, and bound to it when the file is for a part of a site."""
    named = {}
    for name, rule in made.rules.items():
        if host != find_registered_domain_of_host(host):
            pattern = rf"^[a-z]+://([^/]*\.)?{host.replace('.', '[.]')}(/|$)"
            rule["when"] = {"url": pattern, **rule.get("when", {})}
        named[f"{host}/{name}"] = {**rule, "because": f"{host}.txt of ftr-site-config says so"}
    return named
