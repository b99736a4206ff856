"""A short page of one thing with its price is of goods, whatever else it lists."""

import pytest

import webclean


def make_goods(buy: str, price: str, more: str) -> str:
    """A short page of a thing with its price and the button to buy it, and other goods."""
    links = "".join(
        f"<li><a href=/c{name}>{name}</a>" for name in ["News", "Culture", "Sport", "Business", "Weather", "Contact"]
    )
    return (
        f"<title>Hollow Pine Smoker</title><nav><ul>{links}</ul></nav><div><h1>Hollow Pine Smoker</h1>"
        f"<div>{price}</div><button>{buy}</button><p>A smoker for people who keep bees on roofs: tall, narrow, and "
        f"steady on tar paper.</p></div>{more}"
    )


_OTHERS = "".join(
    f"<li><a href=/p/{n}><img src=/r{n}.jpg><h3>Bee brush {n}</h3></a><span>$ {n}.00</span>" for n in range(2, 6)
)


@pytest.mark.parametrize(
    ("buy", "price"),
    [
        ("Add to cart", "$38.00"),
        ("Add to basket", "£38.00"),
        ("In den Warenkorb", "38,00 €"),
        ("Ajouter au panier", "38,00 €"),
        ("Dodaj do koszyka", "38,00 zł"),
        ("カートに入れる", "￥3,800"),
        ("加入购物车", "￥38.00"),
    ],
)
def test_a_short_page_of_one_thing_is_of_goods(buy: str, price: str) -> None:
    others = f"<h2>You may also like</h2><ul>{_OTHERS}</ul>"
    page = webclean.clean(make_goods(buy, price, others), url="https://shop.example/smoker")
    assert page.page_subtype == "product"


def test_a_short_list_of_goods_is_none() -> None:
    wares = _OTHERS.replace("</span>", "</span><button>Add to cart</button>")
    page = webclean.clean(
        f"<title>Bee things</title><h1>Bee things</h1><ul>{wares}</ul>", url="https://shop.example/bees"
    )
    assert page.page_type == "index"
