"""`webclean learn roles`: the role card of semantic blocks from marked pages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.errors import InputError
from webclean.rules import load_rules

_DESCRIPTION = """Learn the points that give a semantic block its role and write them as YAML (section roles). DIR holds
pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type. Prints the scores of
cross-validation by page."""


def add_parser(targets: Any) -> None:
    """Add this target."""
    parser = targets.add_parser("roles", help="the role card of semantic blocks", description=_DESCRIPTION)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the marked pages")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the card here")
    parser.add_argument("--bins", type=int, default=3, metavar="N", help="bins of each measure")
    parser.add_argument("--strength", type=float, default=0.1, metavar="X", help="inverse of the L2 penalty")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    try:
        import sklearn  # noqa: F401, PLC0415  named here so that the message can say what to install
    except ImportError as error:
        raise InputError("learning needs scikit-learn: pip install 'webclean[learn]'") from error
    from webclean.learn import roles  # noqa: PLC0415  an extra, like the above

    rules = load_rules()
    pages = list(roles.read_marked_pages(args.data, rules))
    settings = roles.RoleSettings(n_bins=args.bins, strength=args.strength)
    scores = roles.score_roles(pages, roles.predict_unseen(pages, settings))
    for mark, (share, n_pages) in scores.items():
        print(f"{mark:14s} {share:.3f}  {n_pages} pages")
    mean = sum(share for share, _ in scores.values()) / max(1, len(scores))
    print(f"mean over types {mean:.3f}, {len(pages)} pages")
    if args.output:
        note = (
            f"Learnt by `webclean learn roles` from {len(pages)} marked pages: {mean:.3f} of each type on unseen pages."
        )
        model = roles.fit_roles(pages, settings)
        text = roles.format_roles(model, roles.learnt_measures(rules), settings, note)
        args.output.write_text(text, encoding="utf-8")
        print(f"wrote {args.output}")
    return 0
