// A list of any length: only the rows that are in sight are elements.
import { make } from "/dom.js";

export class VirtualList {
  /**
   * @param label Names the list for screen readers.
   * @param height The height of a row.
   * @param make Makes the element of a row by its number, or null if it is not known yet.
   * @param choose Called with the number of a row that is chosen.
   */
  constructor({ label, role = "listbox", height, row, choose, moved = () => {} }) {
    Object.assign(this, { height, row, choose, moved, count: 0, active: 0, kept: new Map() });
    this.sizer = make("div", { class: "sizer", role: "presentation" });
    this.element = make("div", { class: "virtual", role, tabindex: "0", "aria-label": label }, this.sizer);
    this.element.addEventListener("scroll", () => this.draw());
    this.element.addEventListener("click", (event) => {
      const found = event.target.closest("[data-row]");
      if (!found) return;
      this.move(Number(found.dataset.row));
      this.choose(this.active, event);
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** There are other rows now. */
  set(count, active = Math.min(this.active, Math.max(0, count - 1))) {
    this.count = count;
    this.active = active;
    this.size();
    this.refresh();
  }

  /** There are more rows, after those that there were. */
  grow(count) {
    this.count = count;
    this.size();
    this.draw();
  }

  size() {
    // Browsers have a greatest height. Above it the rows are scrolled in proportion.
    this.whole = Math.min(this.count * this.height, 8_000_000);
    this.sizer.style.setProperty("height", `${this.whole}px`);
  }

  refresh() {
    this.kept.clear();
    this.sizer.replaceChildren();
    this.draw();
  }

  get first() {
    const room = Math.max(1, this.whole - this.element.clientHeight);
    const all = Math.max(0, this.count * this.height - this.element.clientHeight);
    return Math.floor(this.element.scrollTop / room * all / this.height);
  }

  draw() {
    const seen = Math.ceil(this.element.clientHeight / this.height) + 2;
    const isDirect = this.whole === this.count * this.height;
    const first = isDirect ? Math.floor(this.element.scrollTop / this.height) : this.first;
    const from = Math.max(0, first - 4);
    const to = Math.min(this.count, first + seen + 4);
    for (const [number, element] of this.kept) {
      if (number < from || number >= to) {
        element.remove();
        this.kept.delete(number);
      }
    }
    this.moved(from, to);
    for (let number = from; number < to; number += 1) {
      let element = this.kept.get(number);
      if (!element) {
        element = this.row(number);
        if (!element) continue;
        element.dataset.row = number;
        element.id = `${this.element.getAttribute("aria-label").replace(/\W+/gu, "-")}-${number}`;
        element.setAttribute("aria-posinset", number + 1);
        this.kept.set(number, element);
        this.sizer.append(element);
      }
      const top = isDirect ? number * this.height : this.element.scrollTop + (number - first) * this.height;
      element.style.setProperty("top", `${top}px`);
      element.setAttribute("aria-setsize", this.count);
      element.setAttribute("aria-selected", String(number === this.active));
      if (number === this.active) this.element.setAttribute("aria-activedescendant", element.id);
    }
    if (!this.kept.has(this.active)) this.element.removeAttribute("aria-activedescendant");
  }

  /** Makes a row the active one, and brings it in sight. */
  move(number) {
    if (this.count === 0) return;
    this.active = Math.max(0, Math.min(this.count - 1, number));
    const { scrollTop, clientHeight } = this.element;
    const room = this.whole / (this.count * this.height);
    const top = this.active * this.height * room;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
    this.draw();
  }

  key(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const to = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page,
      PageUp: this.active - page, Home: 0, End: this.count - 1,
    }[event.key];
    if (to !== undefined) this.move(to);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.active, event);
    else return;
    event.preventDefault();
  }
}
