"""`webclean phone`: a page for a phone, in parts where it is long, with its images where wanted."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from webclean.cli.clean import write_file
from webclean.cli.extras import require
from webclean.cli.pages import add_page, add_page_options, build_cleaner, choose_page, clean_page
from webclean.errors import InputError
from webclean.outputs.phone import PhoneOptions
from webclean.page import CleanPage
from webclean.web.inline_images import render_offline

_EXAMPLES = """examples:
  webclean phone page.html > phone.html                        one document
  webclean phone https://example.org/story -o story/           story/index.html, story/2.html, ... if it is long
  webclean phone https://example.org/story --inline-images -o story/      to read without a network

exit codes: 0 done, 1 the page could not be cleaned, 2 wrong usage or rules, or an input that is no page
"""
FIRST: Final = "index.html"


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "phone",
        help="a page for a phone, in parts where it is long",
        description="Write a page for a small screen: one document to standard output, or one for each part of a long "
        "page into a folder, with links from part to part. Pages load nothing but their images.",
        epilog=_EXAMPLES,
    )
    add_page(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="where the parts are written")
    parser.add_argument(
        "--part-bytes", type=int, metavar="N", help="bytes of text of one part, about (default: as the rules say)"
    )
    parser.add_argument("--no-images", action="store_true", help="no images")
    parser.add_argument(
        "--inline-images", action="store_true", help="fetch the images and write them into the pages (extra images)"
    )
    add_page_options(parser)
    parser.set_defaults(run=run, parser_of_command=parser)


def run(args: argparse.Namespace) -> int:
    """Write the phone page of one page."""
    check_usage(args)
    page = clean_page(choose_page(args), build_cleaner(args), args)
    if args.output is None:
        options = PhoneOptions(images=not args.no_images)
        sys.stdout.write(render(page, options, args)[0])
        return 0
    size = args.part_bytes or page.analysis.rules.phone.part_bytes
    options = PhoneOptions(images=not args.no_images, part_bytes=size, name_part=name_file)
    for number, part in enumerate(render(page, options, args), start=1):
        write_file(args.output / name_file(number), part)
    return 0


def check_usage(args: argparse.Namespace) -> None:
    """Exit with code 2 if the arguments contradict each other; `InputError` where a package is missing."""
    error = args.parser_of_command.error
    if args.part_bytes is not None and args.output is None:
        error("--part-bytes needs -o FOLDER for the parts")
    if args.part_bytes is not None and args.part_bytes < 1:
        error("--part-bytes is a number of bytes, 1 and more")
    if args.inline_images and args.no_images:
        error("--inline-images and --no-images exclude each other")
    if args.inline_images:
        require("writing images into pages", "PIL")
    if args.output is not None and args.output.is_file():
        raise InputError(f"{args.output} is a file; say a folder for the parts")


def render(page: CleanPage, options: PhoneOptions, args: argparse.Namespace) -> tuple[str, ...]:
    """The documents, one for each part if the options give the length of one."""
    if args.inline_images:
        return render_offline(page, options=options, allow_private=args.allow_private)
    if options.part_bytes:
        return page.to_mobile_parts(options=options)
    return (page.to_mobile_html(options=options),)


def name_file(number: int) -> str:
    """The file of a part."""
    return FIRST if number == 1 else f"{number}.html"
