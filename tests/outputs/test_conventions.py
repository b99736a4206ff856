"""The names that tools give the parts of what they write can be set in rules; what is code without a `pre`, and what is
no code within it."""

from pathlib import Path

import pytest

from tests import write_file
from webclean.outputs.flow.tools import find_conventions
from webclean.pipeline import Cleaner
from webclean.rules import load_rules

PROSE = "<p>The ferry leaves the harbour at nine, and everyone waits for it there until it is full.</p>" * 3


def write_by_rules(markup: str, tmp_path: Path, rules: str) -> str:
    file = write_file(tmp_path / "tools.yaml", f"tools:\n  {rules}\n")
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
    assert (find_conventions(None).patterns["line_numbers"].search(value) is not None) == is_number


def test_no_names_match_nothing() -> None:
    tools = load_rules().tools
    empty = type(tools)(**dict.fromkeys(tools.__struct_fields__, ()))
    found = find_conventions(empty)
    for pattern in (found.language, *found.patterns.values()):
        assert pattern.search("language-js line mathjax ") is None
    assert find_conventions(empty) is found
