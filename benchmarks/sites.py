"""Measure what learning the templates of a site is worth, and what it costs.

usage: python benchmarks/sites.py --data DIR [--json F]               leave-one-out on labelled pages
       python benchmarks/sites.py --facts DIR|NAME [--learn N,N] [--json F]    learn pages of one site, score others
       python benchmarks/sites.py --readings DIR [--json F]         what each departure from the source is worth
       python benchmarks/sites.py --synthetic N                              learn N invented pages, clean N others
       python benchmarks/sites.py --grow 100,1000,10000                      seconds and memory of learning

Leave-one-out: for each page of a site with at least five pages the site is learnt from its other pages, without their
labels, and what was learnt is applied to the page. Word F1 with and without.

Facts: pages of one site, labelled with short texts (snippets) that belong to their content, such as author and price,
and others that do not. Ten times pages are drawn at random, N of them learnt and those beyond the largest N scored.
NAME is an invented site: `invented` is a host with three layouts, `boxes` and `tables` are shops (`invented_sites.py`).
"""

from __future__ import annotations

import random
import resource
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from harness import format_by_system, format_table, make_parser, write_figures
from invented_sites import SHOPS, generate_host, generate_shop, generate_site
from msgspec import structs
from page_folders import read_folder

from webclean.page import Analysis, CleanPage
from webclean.parse.url import find_registered_domain
from webclean.pipeline import Cleaner
from webclean.rules.files import write_yaml
from webclean.rules.schema import Sites
from webclean.sites.profiles import profile_page
from webclean.sites.site_pages import Clustering
from webclean.sites.site_rules import SiteTrial, learn_site, write_site_rules
from webclean.workbench.labelled_pages import LabelledPage, score_words

INVENTED = "invented"
MIN_PAGES = 5
"""Of a site whose pages are left out one by one."""
N_DRAWS = 10
READ_PAGES = 30
"""Pages that each reading learns from: few enough that it matters."""
READ_SITE = 120
"""Pages of the shop, and of the host, that are learnt or scored for each reading."""
READINGS: dict[str, dict[str, Any]] = {
    "as shipped": {},
    "what varies counts on however few pages it is": {"core_share": 0.0},
    "no support asked for the largest total": {"min_agreement": 0.0},
    "the first votes count": {"early_pages": 0},
    "nothing taken from what is outside": {"outside_points": 0.0},
    "no points for what varies": {"places": {"varied_points": 0.0}},
    "no trial": {"trial_pages": 0},
}
"""Name -> what is changed of the settings in `sites`."""
RIGHT = 0.9
"""F1 over which a page counts as right."""


@dataclass(frozen=True, slots=True)
class Row:
    """One page: F1 with automatic cleaning alone, and with what its site's other pages taught."""

    site: str
    id: str
    without: float
    templates: float
    n_rules: int


def open_learnt(pages: Iterable[tuple[str, Analysis]], settings: Sites, folder: Path) -> tuple[Cleaner, int]:
    """A cleaner with the rules learnt from pages, and how many they are."""
    trial = SiteTrial(settings)
    rules = trial.leave_out_harmful(write_site_rules(learn_site(pages, settings, trial=trial), settings))
    file = folder / f"site-{time.monotonic_ns()}.yaml"
    file.write_text(write_yaml({"rules": rules}), encoding="utf-8")
    return Cleaner(rules=[file]), len(rules)


def group_by_site(pages: Iterable[LabelledPage]) -> dict[str, list[LabelledPage]]:
    """Registered domain -> its pages; domains with fewer pages are left out."""
    sites: defaultdict[str, list[LabelledPage]] = defaultdict(list)
    for page in pages:
        if page.url:
            sites[find_registered_domain(page.url)].append(page)
    return {site: own for site, own in sorted(sites.items()) if site and len(own) >= MIN_PAGES}


def leave_one_out(site: str, pages: Sequence[LabelledPage], cleaner: Cleaner) -> Iterator[Row]:
    """Learn from the other pages, apply to the page, for each page of a site."""
    settings = cleaner.rules.sites
    cleaned: list[CleanPage] = [cleaner.clean(page.html, url=page.url) for page in pages]
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            others = [(pages[k].id, one.analysis) for k, one in enumerate(cleaned) if k != number]
            learnt, n_rules = open_learnt(others, settings, Path(folder))
            before = score_words(cleaned[number].text, page.text).f1
            after = score_words(learnt.clean(page.html, url=page.url).text, page.text).f1
            yield Row(site, page.id, before, after, n_rules)


def format_sites(rows: Sequence[Row]) -> str:
    """A Markdown table: a line for each site, then all pages."""
    sites = {site: [row for row in rows if row.site == site] for site in dict.fromkeys(row.site for row in rows)}
    lines = []
    for site, own in [*sites.items(), ("all", rows)]:
        found = summarise_rows(own)
        without, templates = found["without"], found["templates"]
        cells = (f"{without:.3f}", f"{templates:.3f}", f"{templates - without:+.4f}", found["better"], found["worse"])
        lines.append([site, len(own), *cells])
    return format_table(("site", "pages", "without", "templates", "difference", "better", "worse"), lines)


def summarise_rows(rows: Sequence[Row]) -> dict[str, float]:
    """Means over all pages, and how many changed by more than .01."""
    return {
        "without": sum(row.without for row in rows) / len(rows),
        "templates": sum(row.templates for row in rows) / len(rows),
        "better": sum(row.templates > row.without + 0.01 for row in rows),
        "worse": sum(row.templates < row.without - 0.01 for row in rows),
        "sites": len({row.site for row in rows}),
    }


Draw = tuple[tuple[float, float], tuple[float, float]]
"""Of one draw of pages to learn from: precision and recall of snippets on those held out, without and with rules."""


def measure_facts(
    pages: Sequence[LabelledPage], sizes: Sequence[int], changes: Mapping[str, Any] | None = None
) -> dict[str, dict[str, float]]:
    """Number of pages learnt from -> figures of the draws. A draw holds out the same pages at every size.

    changes: of the settings in `sites` that learning uses.
    """
    cleaner = Cleaner()
    settings = change_settings(cleaner.rules.sites, changes or {})
    cleaned = [cleaner.clean(page.html, url=page.url) for page in pages]
    orders = [random.Random(seed).sample(range(len(pages)), len(pages)) for seed in range(N_DRAWS)]

    def draw(order: Sequence[int], size: int) -> Draw:
        picked = [(pages[number].id, cleaned[number].analysis) for number in order[:size]]
        held = order[max(sizes) :]
        own = [pages[number] for number in held]
        with tempfile.TemporaryDirectory() as folder:
            learnt, _ = open_learnt(picked, settings, Path(folder))
            texts = [learnt.clean(page.html, url=page.url).text for page in own]
        return score_snippets(own, [cleaned[number].text for number in held]), score_snippets(own, texts)

    return {f"{size} pages": summarise_draws([draw(order, size) for order in orders]) for size in sizes}


def change_settings(settings: Sites, changes: Mapping[str, Any]) -> Sites:
    """Settings with some of them, or of their `places`, changed."""
    own = {name: value for name, value in changes.items() if name != "places"}
    places = structs.replace(settings.places, **changes.get("places", {}))
    return structs.replace(settings, places=places, **own)


def measure_readings(folder: str) -> dict[str, dict[str, float]]:
    """Reading -> F1, mean and worst of ten draws, of the pages of a folder and of the invented host."""
    shop, host = read_site(folder, READ_PAGES), list(generate_host(READ_SITE))
    found = {}
    for name, changes in READINGS.items():
        (one,) = measure_facts(shop[:READ_SITE], [READ_PAGES], changes).values()
        (other,) = measure_facts(host, [READ_PAGES], changes).values()
        found[name] = {"shop": one["f1"], "shop worst": one["worst"]}
        found[name] |= {"host": other["f1"], "host worst": other["worst"]}
    return found


def summarise_draws(draws: Sequence[Draw]) -> dict[str, float]:
    """Means over the draws, the scatter of F and its worst, and of how many draws F is lower than without rules."""
    before, f1 = ([2 * p * r / (p + r) if p + r else 0.0 for p, r in side] for side in zip(*draws, strict=True))
    return {
        "f1 without": statistics.fmean(before),
        "precision": statistics.fmean(precision for _, (precision, _) in draws),
        "recall": statistics.fmean(recall for _, (_, recall) in draws),
        "f1": statistics.fmean(f1),
        "deviation": statistics.pstdev(f1),
        "worst": min(f1),
        # a snippet more or less of several hundred is no loss
        "lower": sum(with_rules < without - 0.005 for with_rules, without in zip(f1, before, strict=True)),
        "draws": len(draws),
    }


def read_site(folder: str, n_learnt: int) -> list[LabelledPage]:
    """The pages of a folder, or of the invented host, of which a third is held out."""
    if folder in SHOPS:
        return list(generate_shop(3 * n_learnt // 2, folder))
    return list(generate_host(3 * n_learnt // 2) if folder == INVENTED else read_folder(Path(folder)))


def score_snippets(pages: Sequence[LabelledPage], texts: Sequence[str]) -> tuple[float, float]:
    """Precision and recall over the snippets of all pages."""
    right = wrong = wanted = 0
    for page, text in zip(pages, texts, strict=True):
        held = " ".join(text.split())
        right += sum(" ".join(snippet.split()) in held for snippet in page.kept_snippets)
        wrong += sum(" ".join(snippet.split()) in held for snippet in page.dropped_snippets)
        wanted += len(page.kept_snippets)
    return right / max(1, right + wrong), right / max(1, wanted)


def measure_synthetic(n_pages: int, seed: int) -> tuple[list[float], list[float]]:
    """F1 of n fresh pages of an invented site, without templates and with those of n other pages."""
    cleaner = Cleaner()
    stream = generate_site(2 * n_pages, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        seen = ((page.name, cleaner.clean(page.html).analysis) for page in islice(stream, n_pages))
        learnt, _ = open_learnt(seen, cleaner.rules.sites, Path(folder))
        pages = list(stream)
        without, templates = (
            [score_words(one.clean(page.html).text, page.article).f1 for page in pages] for one in (cleaner, learnt)
        )
    return without, templates


def measure_invented(n_pages: int) -> dict[str, dict[str, float]]:
    """Site -> mean F1 and share of pages over `RIGHT`, without templates and with them; five sites."""
    found = {}
    for seed in range(1, 6):
        without, templates = measure_synthetic(n_pages, seed)
        found[f"site {seed}"] = {
            "without": statistics.fmean(without),
            "templates": statistics.fmean(templates),
            "right without": statistics.fmean(value > RIGHT for value in without),
            "right": statistics.fmean(value > RIGHT for value in templates),
        }
    return found


def measure_growth(sizes: Sequence[int]) -> dict[str, dict[str, float]]:
    """Pages -> seconds of cleaning and of learning, apart, and the peak memory so far, in MB."""
    cleaner = Cleaner()
    found = {}
    for size in sizes:
        settings, clustering = cleaner.rules.sites, Clustering(cleaner.rules.sites)
        cleaning = learning = 0.0
        for page in generate_site(size):
            start = time.process_time()
            analysis = cleaner.clean(page.html).analysis
            middle = time.process_time()
            clustering.add(profile_page(page.name, analysis))
            cleaning, learning = cleaning + middle - start, learning + time.process_time() - middle
        start = time.process_time()
        write_site_rules(clustering, settings)
        learning += time.process_time() - start
        found[f"{size} pages"] = {
            "cleaning": cleaning,
            "learning": learning,
            "ms": 1000 * learning / size,
            "clusters": len(clustering.clusters),
            "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("--data", type=Path, metavar="DIR", help="labelled pages")
    parser.add_argument("--facts", metavar="DIR", help="pages of one site, labelled with snippets, or `invented`")
    parser.add_argument("--learn", default="5,10,20,40,60,100,150,250", metavar="N,N", help="pages to learn from")
    parser.add_argument("--readings", metavar="DIR", help="pages of one site, labelled with snippets")
    parser.add_argument("--synthetic", type=int, metavar="N", help="pages to learn, and others to clean, of five sites")
    parser.add_argument("--grow", metavar="N,N", help="numbers of invented pages to learn")
    options = parser.parse_args(arguments)
    found, n_pages = dict[str, dict[str, float]](), 0
    if options.data:
        cleaner, sites = Cleaner(), group_by_site(read_folder(options.data))
        rows = [row for site, pages in sites.items() for row in leave_one_out(site, pages, cleaner)]
        print(format_sites(rows))
        found, n_pages = {"webclean": summarise_rows(rows)}, len(rows)
    if options.facts:
        sizes = sorted(map(int, options.learn.split(",")))
        labelled = read_site(options.facts, max(sizes))
        found, n_pages = measure_facts(labelled, sizes), len(labelled)
    if options.readings:
        found = measure_readings(options.readings)
    if options.synthetic:
        found, n_pages = measure_invented(options.synthetic), 10 * options.synthetic
    if options.grow:
        found = measure_growth([int(size) for size in options.grow.split(",")])
    print(format_by_system(found, 3))
    write_figures(options.json, found, n_pages)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
