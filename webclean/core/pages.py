"""Columns of a page -> the sums that the features of its type are made of, see `classify.features.sums`."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np


def sum_page(
    of_elements: tuple[Any, ...],
    of_blocks: tuple[Any, ...],
    counts: tuple[Any, Any],
    repeated: cython.const[cython.longlong][:],
    records: cython.const[cython.longlong][:],
    image: cython.longlong,
    paragraph: cython.longlong,
    long_words: cython.double,
    link_share: cython.double,
) -> Any:
    """The sums of `PageSums`, in its order.

    Args:
        of_elements: parent, link, tag, and words and link words in each.
        of_blocks: element, words, link words, and whether it is a heading, of each.
        counts: characters and link characters of the blocks, int32 [n_blocks] each.
        repeated: of blocks, the outermost repeated element around each, -1 for none.
        records: the elements that are records.
        image, paragraph: tags.
        long_words, link_share: a block is running text from so many words on, with less than that share in links.
    """
    parent: cython.const[cython.longlong][:]
    link: cython.const[cython.longlong][:]
    tag: cython.const[cython.longlong][:]
    n_words: cython.const[cython.double][:]
    n_link_words: cython.const[cython.double][:]
    rows: cython.const[cython.longlong][:]
    words: cython.const[cython.double][:]
    link_words: cython.const[cython.double][:]
    is_heading: cython.const[cython.uchar][:]
    n_chars: cython.const[cython.int][:]
    n_link_chars: cython.const[cython.int][:]
    parent, link, tag, n_words, n_link_words = of_elements
    rows, words, link_words, is_heading = of_blocks
    n_chars, n_link_chars = counts
    # running text among the children of each element
    own: cython.double[::1] = np.zeros(parent.shape[0], dtype=np.float64)
    is_link_made = np.empty(rows.shape[0], dtype=np.uint8)
    is_link: cython.uchar[::1] = is_link_made
    n_images: cython.Py_ssize_t = 0
    n_headings: cython.Py_ssize_t = 0
    n_linked: cython.Py_ssize_t = 0
    n_long: cython.Py_ssize_t = 0
    all_long: cython.double = 0.0
    main: cython.double = 0.0
    in_paragraphs: cython.double = 0.0
    in_repeated: cython.double = 0.0
    of_records: cython.double = 0.0
    linked_of_records: cython.double = 0.0
    i: cython.Py_ssize_t
    above: cython.Py_ssize_t
    for i in range(tag.shape[0]):
        n_images += tag[i] == image and link[i] >= 0
    for i in range(rows.shape[0]):
        is_link[i] = 2 * n_link_chars[i] > n_chars[i]
        n_headings += is_heading[i]
        n_linked += is_heading[i] and is_link[i]
        if tag[rows[i]] == paragraph:
            in_paragraphs += words[i]
        if repeated[i] >= 0:
            in_repeated += words[i]
        if words[i] >= long_words and link_words[i] < link_share * words[i]:
            n_long += 1
            all_long += words[i]
            above = parent[rows[i]] if parent[rows[i]] > 0 else 0
            own[above] += words[i]
            main = own[above] if own[above] > main else main
    for i in range(records.shape[0]):
        of_records += n_words[records[i]]
        linked_of_records += n_link_words[records[i]]
    return (
        is_link_made.view(np.bool_),
        n_images,
        n_headings,
        n_linked,
        n_long,
        all_long,
        main,
        in_paragraphs,
        in_repeated,
        of_records,
        linked_of_records,
    )
