// The tree of blocks and, below each, its text blocks; moved in by arrow keys (WAI-ARIA tree view).

import { ROLE_COLOURS, make } from "./elements.js";

export class Tree {
  // onChoose(kind, number): `block` or `text` was chosen by click or Enter.
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    this.items = new Map();
    this.opened = new Set();
    this.known = new Set();
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("keydown", (event) => this.#press(event));
  }

  show(found) {
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const chosen = this.chosen;
    this.items.clear();
    const children = new Map();
    for (const block of found.blocks) {
      const inside = children.get(block.parent) ?? [];
      inside.push(block);
      children.set(block.parent, inside);
    }
    const texts = new Map();
    for (const text of found.text_blocks) {
      const inside = texts.get(text.block) ?? [];
      inside.push(text);
      texts.set(text.block, inside);
    }
    this.root.replaceChildren(...(children.get(null) ?? []).map((block) => this.#block(block, children, texts, 1)));
    const first = this.root.querySelector("[role=treeitem]");
    const kept = this.items.get(chosen);
    if (kept) this.select(chosen);
    else if (first) first.tabIndex = 0;
    if (focused && this.items.has(focused)) this.items.get(focused).focus();
  }

  // Mark an item as chosen and open what it stands in. key: `block 3`, `text 17`.
  select(key) {
    const item = this.items.get(key);
    if (!item) return;
    for (const old of this.root.querySelectorAll("[aria-selected=true]")) old.setAttribute("aria-selected", "false");
    for (let above = item.parentElement.closest("[role=treeitem]"); above; above = above.parentElement.closest("[role=treeitem]")) {
      this.#turn(above, true);
    }
    item.setAttribute("aria-selected", "true");
    this.chosen = key;
    this.#aim(item);
    item.querySelector(".line").scrollIntoView({ block: "nearest" });
  }

  // Show the items whose text has the words, and what they stand in; all of them without words. Gives their number.
  search(words) {
    const wanted = words.trim().toLowerCase();
    const has = (item) => item.querySelector(".line").textContent.toLowerCase().includes(wanted);
    const found = [...this.items.values()].filter((item) => !wanted || has(item));
    for (const item of this.items.values()) item.hidden = true;
    for (const item of found) {
      item.hidden = false;
      for (let at = item.parentElement.closest("[role=treeitem]"); at; at = at.parentElement.closest("[role=treeitem]")) {
        at.hidden = false;
        if (wanted) this.#turn(at, true);
      }
    }
    const first = [...this.items.values()].find((item) => !item.hidden);
    if (first && this.root.querySelector("[role=treeitem][tabindex='0']")?.hidden) this.#aim(first);
    return found.length;
  }

  #block(block, children, texts, level) {
    const inside = [
      ...(children.get(block.number) ?? []).map((child) => this.#block(child, children, texts, level + 1)),
      ...(texts.get(block.number) ?? []).map((text) => this.#text(text, level + 1)),
    ];
    const key = `block ${block.number}`;
    if (children.has(block.number) && !this.known.has(key)) this.opened.add(key);
    this.known.add(key);
    const entries = block.n_records ? `${block.n_records} entries, ` : "";
    const counts = `${entries}${block.kept_words}/${block.words} words`;
    const line = this.#line(block.kept, block.role, [...block.opens.map((title) => `§ ${title}`), block.label].join(" "), counts);
    return this.#item(key, line, block.kept, level, inside, ROLE_COLOURS[block.role] ?? ROLE_COLOURS.other);
  }

  #text(text, level) {
    const line = this.#line(text.kept, "", text.text, text.score.toFixed(1));
    return this.#item(`text ${text.number}`, line, text.kept, level, [], null);
  }

  #line(kept, name, label, count) {
    return make(
      "div", { class: "line" },
      make("span", { class: "turn", "aria-hidden": "true" }),
      make("span", { class: kept ? "sign good" : "sign bad" },
        make("span", { "aria-hidden": "true" }, kept ? "+" : "−"),
        make("span", { class: "unseen" }, kept ? "kept " : "dropped ")),
      name ? make("span", { class: "name" }, name) : null,
      make("span", { class: "label" }, label),
      make("span", { class: "count" }, count),
    );
  }

  #item(key, line, kept, level, inside, colour) {
    const item = make("li", {
      role: "treeitem", "data-key": key, "aria-level": level, "aria-selected": "false", tabindex: "-1",
      class: kept ? "" : "left", "aria-expanded": inside.length ? String(this.opened.has(key)) : null,
    }, line);
    if (colour) line.style.setProperty("--role", colour);
    if (inside.length) item.append(make("ul", { role: "group" }, ...inside));
    this.items.set(key, item);
    return item;
  }

  #turn(item, open) {
    if (!item.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", String(open));
    if (open) this.opened.add(item.dataset.key);
    else this.opened.delete(item.dataset.key);
  }

  #aim(item) {
    for (const old of this.root.querySelectorAll("[role=treeitem][tabindex='0']")) old.tabIndex = -1;
    item.tabIndex = 0;
  }

  #choose(item) {
    this.select(item.dataset.key);
    const [kind, number] = item.dataset.key.split(" ");
    this.onChoose(kind, Number(number));
  }

  #click(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    if (event.target.closest(".turn")) this.#turn(item, item.getAttribute("aria-expanded") !== "true");
    else this.#choose(item);
    this.#aim(item);
    item.focus({ preventScroll: true });
  }

  #press(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const shown = [...this.root.querySelectorAll("[role=treeitem]")].filter((one) => one.offsetParent !== null);
    const at = shown.indexOf(item);
    const open = item.getAttribute("aria-expanded");
    const above = item.parentElement.closest("[role=treeitem]");
    let next = null;
    if (event.key === "ArrowDown") next = shown[at + 1];
    else if (event.key === "ArrowUp") next = shown[at - 1];
    else if (event.key === "Home") next = shown[0];
    else if (event.key === "End") next = shown.at(-1);
    else if (event.key === "ArrowRight" && open === "false") this.#turn(item, true);
    else if (event.key === "ArrowRight" && open === "true") next = item.querySelector("[role=treeitem]");
    else if (event.key === "ArrowLeft" && open === "true") this.#turn(item, false);
    else if (event.key === "ArrowLeft") next = above;
    else if (event.key === "Enter" || event.key === " ") this.#choose(item);
    else return;
    event.preventDefault();
    if (next) {
      this.#aim(next);
      next.focus();
    }
  }
}
