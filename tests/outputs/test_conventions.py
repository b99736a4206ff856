"""The names that tools give the parts of what they write can be set in rules; what is code without a `pre`, and what is
no code within it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outputs.test_flow import write_markdown as write
from webclean.outputs.flow.tools import find_conventions
from webclean.pipeline import Cleaner
from webclean.rules import load_rules

PROSE = "<p>The ferry leaves the harbour at nine, and everyone waits for it there until it is full.</p>" * 3


def write_by_rules(markup: str, tmp_path: Path, rules: str) -> str:
    file = tmp_path / "tools.yaml"
    file.write_text(f"tools:\n  {rules}\n", encoding="utf-8")
    page = f"<title>Ferries</title><h1>Ferries</h1>{PROSE}{markup}{PROSE}"
    texts = [Cleaner(rules=given).clean(page, page_type="content").to_markdown() for given in ((), (file,))]
    assert texts[0] != texts[1]
    return texts[1]


@pytest.mark.parametrize(
    ("rules", "markup", "written"),
    [
        ("callouts: [note-box]", "<div class='x note-box'>Mind the gap, it is wide today.</div>", "> Mind the gap"),
        ("callout_kinds: [peril]", "<div class='callout peril'>Mind the gap, it is wide.</div>", "> [!peril]\n> Mind"),
        ("callout_attributes: [kind]", "<div class=callout kind=tip>Mind the gap today.</div>", "> [!tip]\n> Mind"),
        (
            "callout_titles: [head]",
            "<div class='callout tip'><p class=head>The gap</p><p>It is wide today.</p></div>",
            "> [!tip] The gap\n> It is wide",
        ),
        ("text_extras: [pen]", "<h2>Gaps <a class=pen href=/edit>write</a></h2>", "## Gaps\n"),
        (
            "line_numbers: [row-nr]",
            "<pre><code><i class=row-nr>1</i>a = 1\n<i class=row-nr>2</i>b = 2</code></pre>",
            "```\na = 1\nb = 2\n```",
        ),
        ("language_classes: [code-]", "<pre class=code-ruby>puts 'the ferry'</pre>", "```ruby\nputs"),
        ("language_attributes: [data-code]", "<pre data-code=ruby>puts 'the ferry'</pre>", "```ruby\nputs"),
        ("no_languages: [ruby]", "<pre class=language-ruby>puts 'the ferry'</pre>", "```\nputs"),
        ("code_lines: [row]", "<pre class=row>a = 1</pre><pre class=row>b = 2</pre>", "```\na = 1\nb = 2\n```"),
        ("code_labels: [zap]", "<div><b>zap</b><pre>a = 1</pre></div>", "it is full.\n\n```\na = 1\n```"),
        ("note_references: [to]", "<p>Said<button to=n1>1</button>.</p><div id=n1>So it is.</div>", "[^1]: So it is."),
        ("note_texts: [said]", "<p>Said<sup said='So it is.'>1</sup>.</p>", "[^1]: So it is."),
        ("code_extras: [label]", "<pre><i class=label>zap</i>a = 1</pre>", "```\na = 1\n```"),
        ("code_blocks: [listing]", "<div class=listing>a = 1</div>", "```\na = 1\n```"),
        ("code_elements: [x-box]", "<x-box>a = 1</x-box>", "```\na = 1\n```"),
        ("code_displays: [whole]", "<div><code class=whole>a = 1</code></div>", "```\na = 1\n```"),
        ("formula_attributes: [data-sum]", "<p>It is <span data-sum='a^2'>a 2</span> here.</p>", "It is $a^2$ here."),
        ("formula_texts: [data-sum]", "<p>It is <span data-sum=x>a^2</span> here.</p>", "It is $a^2$ here."),
        (
            "formula_entries: [data-sum]",
            "<p>It is <span data-sum='a^2'><math><mi>a</mi><mn>2</mn></math></span> here.</p>",
            "It is $a^2$ here.",
        ),
        ("formula_elements: [sums]", "<p class=sums>It is $a^2$ or $b^2$ here.</p>", "It is $a^2$ or $b^2$ here."),
        ("formula_images: [sum-*]", "<p>It is <img class=sum-1 src=i.png alt='a^2'> here.</p>", "It is $a^2$ here."),
        ("formula_sources: [/sum/]", "<p>It is <img src='/sum/1' alt='a^2'> here.</p>", "It is $a^2$ here."),
        ("formula_parameters: [q]", "<p>It is <img src='/latex.php?q=a%5E2'> here.</p>", "It is $a^2$ here."),
        (
            "drawn_formulas: [sum*]",
            "<p>It is <i class=sum-1>a2</i><script type='math/tex'>a^2</script> here.</p>",
            "It is $a^2$ here.",
        ),
        ("display_formulas: [big]", "<p>It is <span class=big data-tex='a^2'>a2</span> here.</p>", "$$\na^2\n$$"),
    ],
)
def test_names_come_from_rules(rules: str, markup: str, written: str, tmp_path: Path) -> None:
    assert written in write_by_rules(markup, tmp_path, rules)


@pytest.mark.parametrize(
    ("value", "language"),
    [
        ("language-js", "js"),
        ("hljs language-js", "js"),
        ("hljs js", "js"),
        ("hljsjs", None),
        ("highlight-source-shell x", "shell"),
        ("brush: php; gutter: false", "php"),
        ("x-language-js", None),
    ],
)
def test_languages_of_classes(value: str, language: str | None) -> None:
    found = find_conventions(None).language.search(value)
    assert (found[1] if found else None) == language


@pytest.mark.parametrize(
    ("value", "is_number"),
    [("LineNumbers", True), ("x line-number", True), ("td_lnt", True), ("lines", False), ("online-numbers", False)],
)
def test_classes_are_found_between_signs_that_separate_names(value: str, is_number: bool) -> None:
    assert (find_conventions(None).line_number.search(value) is not None) == is_number


def test_no_names_match_nothing() -> None:
    tools = load_rules().tools
    empty = type(tools)(**dict.fromkeys(tools.__struct_fields__, ()))
    found = find_conventions(empty)
    for pattern in (found.language, found.code_line, found.formula_script):
        assert pattern.search("language-js line mathjax ") is None
    assert find_conventions(empty) is found


def fence(code: str) -> str:
    return f"```\n{code}\n```"


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<div><code>a\nb</code></div>", fence("a\nb")),
        ("<p><code>a<br>b</code></p>", fence("a\nb")),
        ("<div><code class=block>a</code></div>", fence("a")),
        ("<div><code style='white-space: pre'>a</code></div>", fence("a")),
        ("<div><code class=block>a</code> <code class=block>b</code></div>", f"{fence('a')}\n\n{fence('b')}"),
        ("<div><code-block>a\n  b</code-block></div>", fence("a\n  b")),
        ("<div class=cm-content><div>a</div><div><br></div><div>b</div></div>", fence("a\n\nb")),
        (
            "<table><tr><td class=lineno>1<td>a\n<tr>\n<td class=lineno>2<td>\n<tr><td class=lineno>3<td>  b</table>",
            fence("a\n\n  b"),
        ),
        # a paragraph shows no newlines, and code in a sentence or in one line of its own is inline
        ("<p><code>a\nb</code></p>", "`a b`"),
        ("<div>See <code class=block>a</code></div>", "See `a`"),
        ("<div><code>a</code></div>", "`a`"),
        ("<div>See <code>a\nb</code></div>", "See `a b`"),
        ("<table><tr><td class=lineno>1<td>a<tr><td>2<td>b</table>", "|  |  |\n| --- | --- |\n| 1 | a |\n| 2 | b |"),
    ],
)
def test_code_without_a_preformatted_element(markup: str, written: str) -> None:
    assert write(markup) == written


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ("<div class=code-header>zap</div><div>a</div>", "a"),
        ("<span style='user-select: none'>$ </span>a", "a"),
        ("<div class=select-none>zap</div>a", "a"),
        ("<span role=tooltip>number</span>a", "a"),
        ("<div>a</div><div class=code-header>zap</div><div>b</div>", "a\nb"),
        ("<span style='user-select: none'>all of it</span>", "all of it"),
    ],
)
def test_what_is_no_code_within_code(inner: str, code: str) -> None:
    assert write(f"<pre>{inner}</pre>") == fence(code)


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ("<div>a</div><div></div><div>b</div>", "a\n\nb"),
        ("<div>a<br></div><div><br></div><div>b</div>", "a\n\nb"),
        ("<div>a\n</div><div>\n</div><div>b</div>", "a\n\nb"),
        ("<div>a<br></div><div>b</div>", "a\nb"),
        ("a<br><br>b", "a\n\nb"),
        ("<div>a</div><div><button>Copy</button></div><div>b</div>", "a\nb"),
        ("<p><i class=gutter>1</i><a>a</a></p><p><i class=gutter>2</i><a>b</a></p>", "a\nb"),
        ("<li><i class=gutter><div>1</div></i><p>a</p></li><li><i class=gutter><div>2</div></i><p>b</p></li>", "a\nb"),
        ("<p><i class=lineno>1</i>a</p><p><i class=lineno>2</i></p><p><i class=lineno>3</i>b</p>", "a\n\nb"),
    ],
)
def test_lines_are_kept_whatever_each_is_set_into(inner: str, code: str) -> None:
    assert write(f"<pre>{inner}</pre>") == fence(code)


@pytest.mark.parametrize(
    ("markup", "code"),
    [
        (
            "<pre><div><span>TypeScript</span><button>Copier</button></div><code>a\n\tb</code></pre>",
            "```typescript\na\n\tb\n```",
        ),
        (
            "<div><div><span>ts</span><span>12 lines</span><i>Try</i></div><pre><code>a\nb</code></pre></div>",
            "```ts\na\nb\n```",
        ),
        ("<div><p>行数</p><pre><code>a\nb</code></pre></div>", "行数\n\n```\na\nb\n```"),
        ("<pre><span>$ </span><code>ls -l</code></pre>", "```\n$ ls -l\n```"),
        ("<rapid-code-block>a\n  b</rapid-code-block>", "```\na\n  b\n```"),
    ],
)
def test_a_bar_above_code_names_its_language_and_is_no_line(markup: str, code: str) -> None:
    assert write(markup) == code


@pytest.mark.parametrize(
    "markup",
    [
        "<div style='white-space: pre-wrap'>Eins zwei\n drei <b>vier</b>\n\nfünf</div>",
        "<p class='x whitespace-pre-line'><span>Eins zwei\ndrei <b>vier</b></span>\n\nfünf</p>",
        "<style>.post{white-space:break-spaces}</style><div class=post>Eins zwei\ndrei <b>vier</b>\n\nfünf</div>",
        "<style>@media (x){.a, .b.c > p{color:red;white-space : pre-line}}</style>"
        "<div class='b c'><p>Eins zwei\ndrei <b>vier</b>\n\nfünf</p></div>",
        "<p class='md:whitespace-pre-line!'>Eins zwei\ndrei <b>vier</b>\n\nfünf</p>",
        "<p style='white-space-collapse: preserve-breaks'>Eins zwei\ndrei <b>vier</b>\n\nfünf</p>",
        "<div style='white-space: pre'>Eins zwei\ndrei <b>vier</b>\n\nfünf</div>",
    ],
)
def test_lines_of_white_space_that_is_kept(markup: str) -> None:
    assert write(markup) == "Eins zwei\\\ndrei **vier**\\\n\\\nfünf"


@pytest.mark.parametrize("rule", [".c{white-space:nowrap}", ".c code{white-space:pre}", ".c.d{white-space:pre}"])
def test_lines_of_other_white_space_are_none(rule: str) -> None:
    assert write(f"<style>{rule}</style><p class=c>Eins\nzwei</p>") == "Eins zwei"
