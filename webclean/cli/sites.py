"""`webclean sites`: learn the templates of a site, and check whether what was learnt still fits."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from webclean.batch.readers import read_rows
from webclean.batch.sources import URLS_HELP, Position, Reading, list_sources, read_url_list
from webclean.cli import AllowPrivate, Family, Option, Rules, command
from webclean.cli.clean import open_output
from webclean.cli.terminal import Progress
from webclean.errors import InputError, WebcleanError
from webclean.page import Analysis
from webclean.pipeline import Cleaner
from webclean.rules import RuleBook
from webclean.rules.files import write_yaml
from webclean.sites.site_rules import SiteTrial, check_site, learn_site, write_site_rules

_EXAMPLES = """examples:
  webclean sites learn pages/ -o my/sites/news.example.yaml
  webclean sites learn urls.txt -o my/sites/news.example.yaml                        fetch them, one a second
  webclean clean page.html --url https://news.example/a/1 --rules my/               use what was learnt
  webclean sites check my/sites/news.example.yaml newer-pages/                       exit code 1: a rule drifted
"""
_FILES: Final = 1_000
"""Files that are read as one source."""


@dataclass(frozen=True, slots=True)
class SitePages:
    """Pages of a site, with what becomes of them."""

    pages: Annotated[
        tuple[str, ...],
        Option("files, folders, archives, lists of URLs: all that webclean batch reads", "PAGES", nargs="+"),
    ]
    urls: Annotated[Path | None, URLS_HELP, "FILE"] = None
    pause: Annotated[float, "seconds between pages fetched", "S"] = 1.0
    allow_private: AllowPrivate = False
    rules: Rules = ()

    def analyse(self, cleaner: Cleaner, failures: list[str]) -> Iterator[tuple[str, Analysis]]:
        """Read and clean the pages one by one; those that fail are left out, and named at the end."""
        reading = Reading(
            urls=read_url_list(self.urls), folders=self.pages, allow_private=self.allow_private, pause=self.pause
        )
        sources, n_before = list_sources(self.pages, _FILES).found, 0
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
    site: SitePages,
    output: Annotated[Path | None, "the rule file (default: standard output)", "FILE", "-o,--output"] = None,
) -> int:
    """Learn, report what was learnt, and write the rules."""
    cleaner = Cleaner(rules=site.rules)
    settings, failures = cleaner.rules.sites, list[str]()
    trial = SiteTrial(settings)
    clustering = learn_site(site.analyse(cleaner, failures), settings, trial)
    rules = trial.leave_out_harmful(write_site_rules(clustering, settings))
    header = f"Learnt from {clustering.site.n_pages} pages by `webclean sites learn`."
    text = write_yaml({"rules": rules}, header=header)
    with open_output(output) as file:
        file.write(text)
    large = sum(len(cluster.pages) >= settings.min_pages for cluster in clustering.clusters)
    print(
        f"{clustering.site.n_pages} pages, {len(clustering.clusters)} clusters, "
        f"{large} of at least {settings.min_pages} pages; {len(rules)} rules",
        file=sys.stderr,
    )
    if not any(rule.get("template") for rule in rules.values()):
        what = "no content block" if rules else "nothing"
        print(
            f"{what} was learnt: the pages share no template, are too few, or are cleaned worse by it", file=sys.stderr
        )
    return int(bool(failures))


@command("try a site rule file on pages: how many each template fits, and drift")
def check(*, file: Annotated[Path, Option("the rule file", "FILE", nargs="")], site: SitePages) -> int:
    """Print on how many pages the element of each template is found; exit code 1 when the site has drifted."""
    cleaner, failures = Cleaner(rules=site.rules), list[str]()
    rules = RuleBook(files=[file]).for_page().rules
    pages = (analysis for _, analysis in site.analyse(cleaner, failures))
    report = check_site(pages, rules, cleaner.rules.sites)
    for name, n_pages in report.fits.items():
        print(f"{name}: fits {n_pages} of {report.n_pages} pages{'' if n_pages else '  DRIFT'}")
    told = f"a template fits {report.covered:.0%} of the pages, {report.expected:.0%} when it was learnt"
    print(f"DRIFT: {told}: learn again" if report.drifted else told)
    # either is a reason for code 1: a rule that drifted, a page that failed
    return int(report.drifted or bool(failures))


sites: Final = Family("sites", "WHAT", (learn, check), _EXAMPLES)
