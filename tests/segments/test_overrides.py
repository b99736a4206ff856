"""Rules have the last word on semantic blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean

PAGE = """<main><h1>Soup</h1><p>Cut the leeks and wash them well, since sand hides between the leaves of every leek.</p>
<p>Sweat them in butter for ten minutes, and cook them in a litre of broth until they are soft.</p></main>
<aside class=tips><p>Salt late.</p></aside><footer>Imprint and contact</footer>"""


def test_a_rule_names_the_role_and_keeps_the_block(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "rules:\n  tips: {when: {selector: .tips}, action: {role: comments, decide: keep}, because: cooks talk here}\n"
    )
    block = next(block for block in webclean.clean(PAGE, rules=rules).blocks if "Salt late." in block.text)
    assert (block.role, block.kept) == ("comments", True)
    assert block.reasons[0].rule == "tips"
    assert block.reasons[0].source == f"{rules}:2"
    assert block.reasons[0].evidence == "cooks talk here"
    rules.write_text("rules:\n  tips: {when: {selector: .tips}, action: keep}\n")
    block = next(block for block in webclean.clean(PAGE, rules=rules).blocks if "Salt late." in block.text)
    assert block.reasons[0].evidence == "the rule says so"


def test_keep_beats_drop_on_blocks(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    for keep, drop in (("a", "b"), ("b", "a")):
        rules = tmp_path / f"{keep}.yaml"
        rules.write_text(
            f"rules:\n  {keep}: {{when: {{selector: footer}}, action: keep}}\n"
            f"  {drop}: {{when: {{selector: footer}}, action: drop}}\n"
        )
        page = webclean.clean(PAGE, rules=rules)
        assert next(block for block in page.blocks if "Imprint" in block.text).kept
        assert "Imprint" in page.text


def test_an_unknown_role_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules:\n  tips: {when: {selector: .tips}, action: {role: advert}}\n")
    with pytest.raises(webclean.RuleError, match="advert"):
        webclean.clean(PAGE, rules=rules)


@pytest.mark.parametrize("profile", ["balanced", "precision", "recall", "mobile", "index"])
def test_every_profile_cleans(profile: str) -> None:
    assert "Cut the leeks" in webclean.clean(PAGE, profile=profile).text


def test_a_scrap_is_no_document_of_a_corpus() -> None:
    long = PAGE.replace("</main>", f"<p>{'Then stir, taste, and serve the soup hot. ' * 9}</p></main>")
    assert webclean.clean(PAGE, profile="corpus").text == ""
    assert "Cut the leeks" in webclean.clean(long, profile="corpus").text
