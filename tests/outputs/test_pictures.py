"""Pictures: which elements show one, which of two is the one that is shown, and what Markdown says of one that is
written into the page."""

import pytest

from tests.outputs.test_flow import SHIPPED, write_html, write_markdown

SITE = "https://example.org"
DATA = "data:image/webp;base64," + "UklGR" * 300


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("<amp-img src=/roof.jpg width=6 height=4 layout=responsive></amp-img>", "/roof.jpg"),
        ("<amp-anim src=/wave.gif><amp-img placeholder src=/still.jpg></amp-img></amp-anim>", "/wave.gif"),
        ("<amp-img src='/resize?id=5'><noscript><img src=/roof.jpg></noscript></amp-img>", "/resize?id=5"),
        ("<bild-x data-src=/dach.jpeg></bild-x>", "/dach.jpeg"),
        ("<noscript>&lt;img src='/roof.jpg' alt=''&gt;</noscript>", "/roof.jpg"),
        ("<img data-src=/640?fmt=jpeg style='visibility: hidden !important'>", "/640?fmt=jpeg"),
        ("<img class=lazy data-src=/roof.jpg style='display:none'>", "/roof.jpg"),
        ("<figure data-src=/roof.jpg></figure>", "/roof.jpg"),
        ("<span class=pic data-original=/roof.png></span>", "/roof.png"),
        ("<img src=/i/spacer.gif data-srcset='/s.jpg 320w, /l.jpg 1200w'>", "/l.jpg"),
        ("<img srcset='/t/w_300,c_fill/a.jpg 300w, /t/w_900,c_fill/a.jpg 900w'>", "/t/w_900,c_fill/a.jpg"),
        ("<img src=/s.jpg srcset='/s.jpg 320w, /l.jpg 960w'>", "/l.jpg"),
        ("<img src=/milk-bottle.svg alt='Icon of a milk bottle'>", "/milk-bottle.svg"),
        ("<img src=/russian-icons.svg alt='The Virgin of Vladimir'>", "/russian-icons.svg"),
        ("<img src=/arrow.jpg>", "/arrow.jpg"),
        ("<img src=/other.jpg srcset='/s.jpg 320w, /l.jpg 960w'>", "/other.jpg"),
        ("<a href=/gross.jpg title=gross.jpg><img src=/klein.jpg><div>gross.jpg 214 KB</div></a>", None),
    ],
)
def test_any_element_that_shows_a_picture(markup: str, source: str | None) -> None:
    written = write_html(f"<p>before</p><div>{markup}</div><p>after</p>", "214 KB", options=SHIPPED)
    assert written.count("<img") == 1
    assert f'src="{SITE}{source or "/klein.jpg"}"' in written


@pytest.mark.parametrize(
    "markup",
    [
        "<img src=/pixel.gif width=1 height=1>",
        "<img data-src=/pixel.gif width=1 height=1>",
        "<noscript><img src='/count.gif?id=7'></noscript>",
        "<x-player src=/talk.mp4></x-player>",
        "<div hidden><img data-src=/roof.jpg></div>",
        "<x-card data-src=/roof.jpg>words</x-card>",
        "<img src=/chemie.svg alt=icon>",
        "<img src=/go.png alt='Icono flecha'>",
        "<img src=/i/6387_arrow-right.svg alt=''>",
        "<img src='/i/%E5%9B%BE%E6%A0%87-1.svg'>",
        "<img src=/icon-caret-down.svg alt='Caret Down Light'>",
    ],
)
def test_what_is_no_picture_of_the_text(markup: str) -> None:
    assert "<img" not in write_html(f"<p>before</p><div>{markup}</div><p>after</p>", options=SHIPPED)


@pytest.mark.parametrize(
    "markup",
    [
        "<img src=/max/30/tor.jpg><noscript><img src=/max/1600/tor.jpg></noscript>",
        "<img src=/max/30/tor.jpg><img data-src=/max/1600/tor.jpg><noscript><img src=/x.jpg></noscript>",
        "<noscript><img src=/max/1600/tor.jpg></noscript><img src=/max/60/tor.jpg>",
        "<img class=blur-up src=/tiny.jpg><img src=/max/1600/tor.jpg>",
        f"<span><img src='{DATA}'><img src=/max/1600/tor.jpg></span>",
        "<img src=/max/1600/tor.jpg><img src=/max/1600/tor.jpg>",
        "<div><div><img src=/max/1600/tor.jpg></div></div><div><div><img src=/max/1600/tor.jpg?w=800></div></div>",
        "<p><i><img src=/max/900/tor.jpg alt=Tor></i></p><p><i><img src=/max/1600/tor.jpg alt=Tor></i></p>",
    ],
)
def test_of_two_sizes_the_large_one_is_shown_once(markup: str) -> None:
    written = write_html(f"<p>before</p><figure>{markup}</figure><p>after</p>", options=SHIPPED)
    assert written.count("<img") == 1
    assert f"{SITE}/max/1600/tor.jpg" in written


@pytest.mark.parametrize(("picture", "n"), [("<img src=/roof.jpg>", 1), ("<table><td>", 0)])
def test_a_picture_has_its_caption_and_credit_though_the_text_has_not(picture: str, n: int) -> None:
    caption = "<figcaption>The roof <i>Photo: Ann Hale</i></figcaption>"
    deep = f"{'<div>' * 9}{picture}{'</div>' * 9}"
    for page in (
        f"<figure>{picture}{caption}</figure>",
        f"<figure>{deep}{caption}</figure>",
        f"<div>{deep}{caption}</div>",
    ):
        for write in (write_html, write_markdown):
            written = write(f"<p>before</p>{page}<p>after</p>", "Ann Hale", options=SHIPPED)
            assert written.count("The roof") == n


def test_a_picture_for_those_without_scripts_behind_a_text_is_one_of_its_own() -> None:
    markup = "<div><p>before</p><amp-img src=/roof.jpg></amp-img><p>then</p>{}<p>after</p></div>"
    for image in ("<noscript><img src=/fire.jpg></noscript>", "<noscript>&lt;img src=/fire.jpg&gt;</noscript>"):
        assert write_html(markup.format(image), options=SHIPPED).count("<img") == 2


@pytest.mark.parametrize(
    ("sources", "n"),
    [
        (("/roof-640x480.jpg", "/roof-1024x768.jpg"), 1),
        (("/2024/roof.jpg?w=640", "/2024/roof.jpg?w=1024"), 1),
        (("/2024/05/image.png", "/2024/06/image.png"), 2),
        (("/picture?id=5", "/picture?id=6"), 2),
    ],
)
def test_files_of_one_name_are_one_picture_in_one_folder_alone(sources: tuple[str, str], n: int) -> None:
    pictures = "".join(f"<p><i><img src={source}></i></p>" for source in sources)
    written = write_html(f"<p>before</p>{pictures}<p>after</p>", options=SHIPPED)
    assert written.count("<img") == n
    assert sources[1] in written


def test_a_picture_has_the_words_of_its_smaller_copy() -> None:
    pictures = "<i><img src=/roof.jpg?w=1024></i><i><img src=/roof.jpg?w=320 alt='The roof'></i>"
    assert f'"{SITE}/roof.jpg?w=1024" alt="The roof"' in write_html(f"<p>before {pictures} after", options=SHIPPED)


@pytest.mark.parametrize("between", ["", "<figcaption>The gate</figcaption>"])
def test_pictures_of_a_gallery_all_stay(between: str) -> None:
    markup = f"<figure><img src=/1/bild.jpg>{between}</figure><figure><img src=/2/bild.jpg></figure>"
    assert write_html(f"<p>before</p>{markup}<p>after</p>", options=SHIPPED).count("<img") == 2


def test_a_picture_written_into_the_page_is_named_in_markdown_and_kept_in_html() -> None:
    markup = f"<p>before <img src='{DATA}' alt='Chart of tides'> after</p>"
    named = '![Chart of tides](data:image/webp;base64, "1.5 kB left out")'
    assert write_markdown(markup) == f"before {named} after"
    assert DATA in write_html(markup)


def test_a_frame_is_named_by_its_site_and_not_by_its_file() -> None:
    written = write_html("<p>before</p><iframe src=/f/a81f.html title=a81f.html></iframe><p>after</p>")
    assert f'<a href="{SITE}/f/a81f.html">example.org</a>' in written


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("talk.mp4", "talk.mp4"),
        ("clips%2Ftalk.mp4", "talk.mp4"),
        ("2024-05-06-doorbell_cut.mp4", "2024-05-06-doorbell_cut.mp4"),
        ("201985123456_30643.mp4", "201985123456_30643.mp4"),
        ("8620d3f1e840b329f6453ac2_video.mp4", "example.org"),
        ("9Wn8NNzHueOGVTwyik6HqwZzkZ0.mp4", "example.org"),
        ("likebox.php%3Fid=232.html", "example.org"),
    ],
)
def test_a_film_is_called_by_the_name_of_its_file_only_if_people_gave_it(name: str, title: str) -> None:
    assert f">{title}</a>" in write_html(f"<p>before</p><video src=/f/{name}></video><p>after</p>")
