"""How a text looks, by what the standards say of tags, attributes and CSS."""

import pytest

from webclean.features.looks import Look, Looks, is_bold, measure_size
from webclean.parse import parse_page

CSS = (
    "<style>.head{font:bold 20px/1.3 Arial} p.lead{font-size:150%;color:#333} "
    "#top{background:#eee} a{color:red}</style>"
)


def look_of(markup: str, n_chars: int = 10_000) -> Look:
    """The look of the text of the one element with the attribute `x`."""
    document = parse_page(CSS + markup)
    row = next(row for row, attrs in enumerate(document.attrs) if "x" in attrs)
    return Looks(document, n_chars).find(row)


@pytest.mark.parametrize(
    ("markup", "look"),
    [
        ("<p x>", Look()),
        ("<h1 x>", Look(32.0, True)),
        ("<h3 x>", Look(pytest.approx(18.72), True)),  # type: ignore[arg-type]
        ("<font size=5><b x>", Look(24.0, True)),
        ("<font size=+2 color=Red face='Arial, sans-serif'><b><i x>", Look(24.0, True, "arial", "red")),
        ("<font size=-1 x>", Look(13.0)),
        ("<font size=9 x>", Look(48.0)),
        ("<div style='font-size: 12pt; font-weight: 700'><span x>", Look(16.0, True)),
        ("<div style='font-size: 20px'><span style='font-size: 1.5em'><em x>", Look(30.0)),
        ("<div style='font-size: 20px'><big x>", Look(24.0)),
        ("<b style='font-weight: normal' x>", Look()),
        ("<div class=head><p x>", Look(20.0, True, "arial")),
        ("<p class='lead' x>", Look(24.0, colour="#333")),
        ("<div class='lead' x>", Look()),
        ("<section id=top><p style='background: transparent' x>", Look(background="#eee")),
        ("<table bgcolor=#FFC><tr><td x>", Look(background="#ffc")),
        ("<div style='color: green'><a href=/ x>", Look(colour="green")),
        ("<div style='color: green; color: inherit' x>", Look()),
        ("<div style='font: italic bold 24px Georgia, serif' x>", Look(24.0, True, "georgia")),
        ("<div style='font-size: 300 %; font-size: big' x>", Look()),
        ("<input size=7 x>", Look()),
        ("<div style='font: 12px/20px'><i x>", Look(12.0)),
        ("<div style='font: 700 small Arial'><i x>", Look(13.0, True, "arial")),
        ("<div style='font: larger Georgia'><i x>", Look(19.2, font="georgia")),
        ("<div style='font: 400 20px a'><i x>", Look(20.0, font="a")),
        ("<b style='font: normal 20px a'><i x>", Look(20.0, font="a")),
        ("<div style='color red; : blue; color:; font-size'><i x>", Look()),
        ("<div style='COLOR: Red !important'><i x>", Look(colour="red")),
        ("<div style='color: red'><a x>", Look(colour="red")),
        ("<a style='color: red'><i x>", Look()),
        ("<p style='background: none'><i x>", Look()),
        ("<p style='font-family: inherit; color: inherit'><i x>", Look()),
    ],
)
def test_the_nearest_statement_around_a_text_counts(markup: str, look: Look) -> None:
    assert look_of(markup) == look


def test_a_style_sheet_over_the_limit_is_not_read() -> None:
    assert look_of("<div class=head x>", len(CSS) - 15).bold
    assert look_of("<div class=head x>", len(CSS) - 16) == Look()


@pytest.mark.parametrize(
    ("value", "pixels"),
    [("10px", 10), ("9pt", 12), ("2rem", 32), ("150%", 30), (".5em", 10), ("x-large", 24), ("larger", 24), ("12", 12),
     ("3vw", 20), ("calc(1px)", 20), ("font +1", 18), ("font 0", 10), ("font x", 20), ("1in", 96),
     ("xx-small", 9), ("x-small", 10), ("small", 13), ("medium", 16), ("large", 18), ("xx-large", 32),
     ("xxx-large", 48), ("smaller", 20 / 1.2), ("2ex", 20), ("1pc", 16), ("2.54cm", 96), ("25.4mm", 96), ("3pt", 4),
     ("font 1", 10), ("font 2", 13), ("font 3", 16), ("font 4", 18), ("font 5", 24), ("font 6", 32), ("font 7", 48),
     ("font 8", 48), ("font -1", 13), ("font -9", 10), ("font +0", 16), ("font 12345", 48)],
)  # fmt: skip
def test_sizes_in_pixels(value: str, pixels: float) -> None:
    assert measure_size(value, 20.0) == pytest.approx(pixels)


@pytest.mark.parametrize(
    ("value", "around", "bold"),
    [
        ("bold", False, True),
        ("600", False, True),
        ("500", True, False),
        ("lighter", True, False),
        ("var(--w)", True, True),
    ],
)
def test_weights(value: str, around: bool, bold: bool) -> None:
    assert is_bold(value, around) is bold


def test_the_main_look_is_that_of_most_of_the_text_beside_headings() -> None:
    document = parse_page(
        "<div><h2>A heading of many words</h2>text <b>bold b</b></div><p><b>ab</b><i>cde</i></p><h2>x</h2>"
    )
    looks = Looks(document, 0)
    rows = {name: document.names.index(name) for name in ("div", "p", "h2")}
    assert looks.find_main(rows["div"]) == Look(16.0, True)
    assert looks.find_main(rows["p"]) == Look()
    assert looks.find_main(rows["h2"]) == Look(24.0, True)


def test_changes_are_named() -> None:
    other = Look(16.4, True, "arial", "red", "blue")
    assert Look().list_changes(other) == ("background", "colour", "font", "weight")
    assert Look().list_changes(Look(18.0)) == ("size",)
    assert other.list_changes(other) == ()


def test_rules_for_a_tag_with_a_class_or_id_count_for_both() -> None:
    css = "/* p{color:red} */ i#a{color:blue} i.b{font-size:10px} i .c,b{color:green} @media x{u{color:red}}"
    document = parse_page(f"<style>{css}</style><i id=a class='x b'>1</i><b>2</b><p class=c>3</p><u>4</u>")
    looks = Looks(document, 1000)
    found = [looks.find(document.names.index(name)) for name in ("i", "b", "p")]
    assert found == [Look(10.0, colour="blue"), Look(bold=True, colour="green"), Look()]
