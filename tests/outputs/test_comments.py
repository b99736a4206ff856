"""Comments are quotations, one in the other."""

from __future__ import annotations

import pytest

from tests.outputs.test_flow import write_html

TEXT = "<p>It was said.</p>"
ANN = "<b class=author>Ann</b><p>Well said.</p>"
BOB = "<b class=author>Bob</b><p>Is it?</p>"
ANN_QUOTED = "<p><strong>Ann</strong></p><p>Well said.</p>"
BOB_QUOTED = "<blockquote><p><strong>Bob</strong></p><p>Is it?</p></blockquote>"


def test_replies_are_quoted_within_comments() -> None:
    written = write_html(f"{TEXT}<div class=comment>{ANN}<div class='x comment'>{BOB}</div></div>")
    assert written == f"{TEXT}<blockquote>{ANN_QUOTED}{BOB_QUOTED}</blockquote>"


def test_a_list_of_comments_is_none() -> None:
    item = f"<li class=comment><div class=comment>{ANN}</div><ul class=children><li class=comment>{BOB}</ul>"
    assert write_html(f"{TEXT}<ol>{item}</ol>") == f"{TEXT}<blockquote>{ANN_QUOTED}{BOB_QUOTED}</blockquote>"
    mixed = write_html(f"{TEXT}<ol><li class=comment>{BOB}<li>More</ol>")
    assert "<blockquote>" not in mixed
    assert "<ol><li>" in mixed


@pytest.mark.parametrize(
    "comment",
    [
        f"<div class=comment>{BOB}</div>",
        f"<div role=comment>{BOB}</div>",
        f"<div itemscope itemtype='https://schema.org/Comment'>{BOB}</div>",
        f"<table><tr class=reply><td>{BOB}</table>",
    ],
)
def test_a_class_a_role_or_a_type_tells_a_comment(comment: str) -> None:
    assert write_html(TEXT + comment) == TEXT + BOB_QUOTED


@pytest.mark.parametrize(
    "markup",
    [
        f"<div class=comment>{ANN}</div>",  # the post that a thread begins with
        f"{TEXT}<div class=comment><p>Well said.</p></div>",  # without a head
        f"{TEXT}<div class=comments>{ANN}</div>",
        f"{TEXT}<table><tr class=comment><td class=author>Ann<td>1<tr class=comment><td class=author>Bob<td>2</table>",
    ],
)
def test_what_is_no_comment_on_a_text_is_not_quoted(markup: str) -> None:
    assert "<blockquote>" not in write_html(markup)
