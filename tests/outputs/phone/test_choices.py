"""What may be chosen of goods, in the markups and languages of shops."""

import pytest

import webclean
from tests.counting import count_calls
from webclean.page.choices import find_choices
from webclean.page.formats import MobileOptions, describe_phone
from webclean.rules import load_rules

PAGE = (
    "<div class=product-page><h1>Quay boot of oiled leather</h1><div class=price>£ 64.00</div>{}<p>A boot that drains. "
    "The sole was cut from belts of the mill, and it grips wet planks better than all that we have tried.</p></div>"
)
VARIANTS = '<script type="application/ld+json">{"hasVariant": [{"color": "Red"}, {"color": "Blue"}]}</script>'


@pytest.mark.parametrize(
    ("markup", "choices"),
    [
        (
            "<label>Size</label><select><option value=''>Choose<option>38<option selected>40 wide</select>",
            [("Size", ("38", "40 wide"), "40 wide")],
        ),
        (
            "<fieldset><legend>Größe:</legend><input type=radio name=s id=a><label for=a>38</label>"
            "<input type=radio name=s id=b checked><label for=b>40 weit</label></fieldset>",
            [("Größe", ("38", "40 weit"), "40 weit")],
        ),
        (
            "<span>Color: <b>Tar</b></span><label><input type=radio name=c checked><i>Tar</i></label>"
            "<label><input type=radio name=c><i>Rope</i></label>",
            [("Color", ("Tar", "Rope"), "Tar")],
        ),
        (
            "<div role=radiogroup><span>颜色</span><div role=radio aria-checked=true title=黑></div>"
            "<div role=radio aria-checked=false title=白></div></div>",
            [("颜色", ("黑", "白"), "黑")],
        ),
        ("<p>Talla</p><ul><li><a data-value=S>S</a><li><a data-value=M>M</a></ul>", [("Talla", ("S", "M"), "")]),
        (
            "<span>Farbe</span><div><button>Teer</button><button>Tau</button><button>Gischt</button></div>",
            [("Farbe", ("Teer", "Tau", "Gischt"), "")],
        ),
        ("<span>Farbe</span><div><button>Zurück</button><button>Weiter</button></div>", []),
        (
            "<p>サイズ <small>（必須）</small></p><label><input type=radio name=s>26</label>"
            "<label><input type=radio name=s>27 幅広</label>",
            [("サイズ", ("26", "27 幅広"), "")],
        ),
        (VARIANTS, [("color", ("Red", "Blue"), "")]),
        (VARIANTS.replace("}]}", "[[["), []),
        ("<label>Qty</label><select><option>1<option>2<option>3</select>", []),
        ("<label>Country</label><select><option>Chile<option>Peru</select>", []),
        (
            "<p>Größe: <b>M</b></p><label><input type=radio name=s checked><b>M</b><i>38-40</i></label>"
            "<label><input type=radio name=s><b>L</b><i>42-44</i></label>",
            [("Größe", ("M 38-40", "L 42-44"), "M 38-40")],
        ),
        ("<label>Livraison</label><select><option>Chez vous<option>En magasin</select>", []),
        ("<select><option>Only</select><input type=radio name=x value=''>", []),
        ("<select><option value=''>One<option value=''>Two</select>", []),
        (
            "<h6>Plug</h6><div><div data-attr-value=EU><p>EU</p></div><div data-attr-value=UK><p>UK</p></div></div>",
            [("Plug", ("EU", "UK"), "")],
        ),
        (
            "<p>Farbe</p><input type=radio name=f value=41 id=a><label for=a><i title=Teer></i></label>"
            "<input type=radio name=f value=42 id=b><label for=b><img alt=Tau></label>",
            [("Farbe", ("Teer", "Tau"), "")],
        ),
        ("<h2>Reviews</h2><label>Playtime</label><select><option>No minimum<option>Over 1 hour</select>", []),
        ("<h2>お客様の声</h2><label>表示</label><select><option>新しい順<option>古い順</select>", []),
        (
            "<h3>Ausführung</h3><select name=a><option>Leder<option>Filz</select>",
            [("Ausführung", ("Leder", "Filz"), "")],
        ),
        (
            "<h2>Livraison gratuite</h2><label>Pointure</label><select><option>38<option>40</select>",
            [("Pointure", ("38", "40"), "")],
        ),
    ],
)
def test_choices_are_read_off_controls_and_variants(markup: str, choices: list[tuple[str, ...]]) -> None:
    page = webclean.clean(PAGE.replace("{}", markup), url="https://shop.example/boot", page_subtype="product")
    assert list(describe_phone(page, MobileOptions()).choices) == choices


def test_a_service_is_called_by_the_number_that_the_page_shows() -> None:
    text = "<h1>Mill works</h1><p>We mend wheels of mills, and cut the stones anew where they are worn.</p>" * 3
    links = "<a href=tel:+4912345678>Call us</a><a href='tel:+49 123 456 79'>+49 (123) 456-79</a>"
    page = webclean.clean(f"<nav>{links}</nav><main>{text}</main>", page_subtype="service")
    assert '<a href="tel:+49 123 456 79">+49 (123) 456-79</a>' in page.to_mobile_html()
    assert "tel:" not in webclean.clean(f"<nav>{links}</nav>{text}", page_subtype="article").to_mobile_html()
    dated = "<meta property=article:published_time content=2020-01-07><meta name=author content='Ada Lind'>"
    shown = f"{dated}<main>{text}<p>Ada Lind, 7 January 2020</p></main>"
    heads = [
        webclean.clean(shown, page_subtype=kind).to_mobile_html().count('class="meta"')
        for kind in ("service", "article")
    ]
    assert heads == [0, 1]
    near = f"<nav>{links}{'<i>x</i>' * 9}</nav><main><a href=tel:0222333>0222 333</a>{text}</main>"
    assert '<a href="tel:0222333">' in webclean.clean(near, page_subtype="service").to_mobile_html()


def test_the_phone_page_says_what_may_be_chosen_and_what_is() -> None:
    markup = "<label>Size</label><select><option>38<option selected>40</select>"
    html = webclean.clean(
        PAGE.replace("{}", markup), url="https://shop.example/boot", page_subtype="product"
    ).to_mobile_html()
    assert "<bdi>Size:</bdi> <bdi>38</bdi> · <strong>40</strong>" in html


@pytest.mark.parametrize(
    "control",
    [
        "<input type=radio name=a{0} id=r{0}><label for=r{0}>x{0}</label>",
        "<input type=radio name=a id=r{0}><label for=r{0}>x{0}</label>",
        "<label>S{0} size</label><select><option>a{0}<option>b{0}</select>",
        "<b data-value=v{0}></b>",
    ],
    ids=["groups of radio buttons", "radio buttons", "selects", "parts"],
)
def test_work_grows_with_the_controls_and_not_with_their_square(control: str) -> None:
    rules = load_rules().phone.choices

    def count(n: int) -> int:
        markup = "".join(map(control.format, range(n)))
        columns = webclean.clean(PAGE.replace("{}", markup), page_subtype="product").analysis.columns
        return count_calls(lambda: find_choices(columns, rules))

    assert count(800) < 3 * count(400)
