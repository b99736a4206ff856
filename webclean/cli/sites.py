"""`webclean sites`: learn the templates of a site."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

from webclean.batch.readers import read_rows
from webclean.batch.sources import URLS_HELP, Position, Reading, list_sources, read_url_list
from webclean.cli import AllowPrivate, Family, Option, Rules, command
from webclean.cli.clean import write_file
from webclean.cli.terminal import Progress
from webclean.errors import InputError, WebcleanError
from webclean.page import Analysis
from webclean.pipeline import Cleaner
from webclean.rules.files import write_yaml
from webclean.sites.site_rules import SiteTrial, learn_site, write_site_rules

_EXAMPLES = """examples:
  webclean sites learn pages/ -o my/sites/news.example.yaml
  webclean sites learn urls.txt -o my/sites/news.example.yaml                        fetch them, one a second
  webclean clean page.html --url https://news.example/a/1 --rules my/               use what was learnt
"""
_FILES: Final = 1_000
"""Files that are read as one source."""


def _analyse(
    reading: Reading, pages: tuple[str, ...], cleaner: Cleaner, failures: list[str]
) -> Iterator[tuple[str, Analysis]]:
    """Read and clean the pages one by one; those that fail are left out, and named at the end."""
    sources, n_before = list_sources(pages, _FILES).found, 0
    progress = Progress(sum(source.n_bytes for source in sources))
    for source in sources:
        position = Position()
        for row in read_rows(source, reading, position):
            name = row["url"] if source.kind == "urls" else row["source"]
            try:
                if row["html"] is None:
                    raise InputError(row["problem"])
                yield name, cleaner.clean(row["html"], url=row["url"], charset=row.get("charset")).analysis
            except WebcleanError as error:
                # errors of what is fetched name the address already
                failures.append(f"{name}: {str(error).removeprefix(f'{name}: ')}")
            progress.count(done=n_before + position.n_bytes)
        n_before += source.n_bytes
    progress.finish()
    for failure in failures:
        print(f"webclean: {failure}", file=sys.stderr)


@command("pages of one site in, a readable site rule file out")
def learn(
    *,
    pages: Annotated[
        tuple[str, ...],
        Option("files, folders, archives, lists of URLs: all that webclean batch reads", "PAGES", nargs="+"),
    ],
    urls: Annotated[Path | None, URLS_HELP, "FILE"] = None,
    pause: Annotated[float, "seconds between pages fetched", "S"] = 1.0,
    allow_private: AllowPrivate = False,
    rules: Rules = (),
    output: Annotated[Path | None, "the rule file (default: standard output)", "FILE", "-o,--output"] = None,
) -> int:
    """Learn, report what was learnt, and write the rules."""
    reading = Reading(urls=read_url_list(urls), folders=pages, allow_private=allow_private, pause=pause)
    cleaner = Cleaner(rules=rules)
    settings, failures = cleaner.rules.sites, list[str]()
    trial = SiteTrial(settings)
    clustering = learn_site(_analyse(reading, pages, cleaner, failures), settings, trial)
    learnt = trial.leave_out_harmful(write_site_rules(clustering, settings))
    header = f"Learnt from {clustering.site.n_pages} pages by `webclean sites learn`."
    write_file(output, write_yaml({"rules": learnt}, header=header))
    large = sum(len(cluster.pages) >= settings.min_pages for cluster in clustering.clusters)
    print(
        f"{clustering.site.n_pages} pages, {len(clustering.clusters)} clusters, "
        f"{large} of at least {settings.min_pages} pages; {len(learnt)} rules",
        file=sys.stderr,
    )
    if not any(rule.get("template") for rule in learnt.values()):
        what = "no content block" if learnt else "nothing"
        print(
            f"{what} was learnt: the pages share no template, are too few, or are cleaned worse by it", file=sys.stderr
        )
    return int(bool(failures))


sites: Final = Family("sites", "WHAT", (learn,), _EXAMPLES)
