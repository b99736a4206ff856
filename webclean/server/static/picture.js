// The original page in its frame. No script runs in it; what is clicked there is seen from here, for it has our origin.

const STYLE = `
  [data-wc-left]:not(:has([data-wc-text])) { opacity: .45 !important; }
  [data-wc], [data-wc-text] { cursor: pointer !important; }
  .wc-chosen.wc-chosen.wc-chosen.wc-chosen { outline: 4px solid #d4006a !important; outline-offset: 1px !important; opacity: 1 !important;
    visibility: visible !important; }
`;

export class Picture {
  // onChoose(kind, id): a text block (by number) or a block (by id) was clicked.
  constructor(frame, onChoose) {
    this.frame = frame;
    this.onChoose = onChoose;
    this.chosen = null;
    this.scroll = [0, 0];
    frame.addEventListener("load", () => this.#prepare());
  }

  show(address) {
    const view = this.frame.contentWindow;
    try {
      this.scroll = [view.scrollX, view.scrollY];
    } catch {
      this.scroll = [0, 0];
    }
    this.frame.src = address;
  }

  // selector: of the elements to mark.
  select(selector, scroll = true) {
    this.chosen = selector;
    this.#mark(scroll);
  }

  #prepare() {
    const page = this.frame.contentDocument;
    if (!page?.body || page.URL === "about:blank") return;
    const style = page.createElement("style");
    style.textContent = STYLE;
    page.head.append(style);
    page.addEventListener("click", (event) => this.#click(event), true);
    for (const kind of ["auxclick", "submit", "dragstart"]) {
      page.addEventListener(kind, (event) => event.preventDefault(), true);
    }
    for (const link of page.querySelectorAll("a[href], area[href]")) link.removeAttribute("href");
    this.frame.contentWindow.scrollTo(...this.scroll);
    this.#mark(false);
    this.frame.dataset.ready = this.frame.src;
  }

  #click(event) {
    event.preventDefault();
    const text = event.target.closest("[data-wc-text]");
    const block = event.target.closest("[data-wc]");
    if (text && (!block || block.contains(text))) this.onChoose("text", Number(text.dataset.wcText));
    else if (block) this.onChoose("block", block.dataset.wc);
  }

  #mark(scroll) {
    const page = this.frame.contentDocument;
    if (!page) return;
    for (const old of page.querySelectorAll(".wc-chosen")) old.classList.remove("wc-chosen");
    const found = this.chosen ? [...page.querySelectorAll(this.chosen)] : [];
    for (const element of found) element.classList.add("wc-chosen");
    if (found.length && scroll) found[0].scrollIntoView({ block: "center" });
  }
}
