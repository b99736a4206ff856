"""`webclean learn roles`: the role card of semantic blocks from marked pages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.cli.extras import require
from webclean.rules import load_rules

_DESCRIPTION = """Learn the points that give a semantic block its role and write them as YAML (section roles). DIR holds
pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type. Prints how the blocks agree
with the marks, by cross-validation by site: BCubed F1, roles by type of mark and their mean, what is rightly kept."""


def add_parser(targets: Any) -> None:
    """Add this target."""
    parser = targets.add_parser("roles", help="the role card of semantic blocks", description=_DESCRIPTION)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the marked pages")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the card here")
    parser.add_argument("--bins", type=int, default=3, metavar="N", help="bins of each measure")
    parser.add_argument("--strength", type=float, default=0.03, metavar="X", help="inverse of the L2 penalty")
    parser.add_argument("--balance", type=float, default=0.5, metavar="X", help="0: marks by their text, 1: all alike")
    parser.add_argument("--shuffles", type=int, default=3, metavar="N", help="cross-validations, each shuffled anew")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    require("learning", "sklearn")
    from webclean.learn import roles  # noqa: PLC0415  an extra, like the above
    from webclean.learn.marked_pages import measure_agreement, read_marked_pages  # noqa: PLC0415

    rules = load_rules()
    pages = list(read_marked_pages(args.data, rules))
    settings = roles.RoleSettings(n_bins=args.bins, strength=args.strength, balance=args.balance)
    shipped = measure_agreement([(page, roles.read_blocks(page, rules.roles)) for page in pages])
    print(f"{len(pages)} pages  BCubed F1 {shipped.bcubed:.4f}")
    print(f"card of the rules      role {shipped.role:.4f}  kept {shipped.kept:.4f}")
    unseen = [roles.score_unseen(pages, rules, settings, seed) for seed in range(args.shuffles)]
    for found in unseen:
        print(f"unseen pages           role {found.role:.4f}  kept {found.kept:.4f}")
    role, kept = (sum(values) / len(unseen) for values in zip(*((one.role, one.kept) for one in unseen), strict=True))
    print(f"unseen pages, mean     role {role:.4f}  kept {kept:.4f}")
    for kind in unseen[0].by_type:
        share = sum(found.by_type[kind] for found in unseen) / len(unseen)
        print(f"  {kind:14s} {share:.3f}")
    if args.output:
        names = roles.list_learnt_features(rules)
        card = roles.fit_roles([roles.list_cases(page, names) for page in pages], names, rules.roles, settings)
        note = (
            f"From {len(pages)} marked pages; on unseen ones roles agree on {role:.3f} of each type of mark, and "
            f"{kept:.3f} is rightly kept or dropped."
        )
        args.output.write_text(roles.format_roles(card, note), encoding="utf-8")
        print(f"wrote {args.output}")
    return 0
