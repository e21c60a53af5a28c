// The list of a step's answers. The server filters it, and searches it a part at a time.
import { button, make, icon, put } from "/dom.js";
import { counting } from "/files.js";
import { countText } from "/live.js";
import { call } from "/rpc.js";
import { VirtualList } from "/virtual.js";

const page = 200;

export class Items {
  /**
   * @param names The parameters of calls that name the recording.
   * @param step The step, with the count of its answers.
   * @param choose Called with the number of an answer in the list, or null if there is none.
   */
  constructor({ names, step, onlyBad, choose, say }) {
    Object.assign(this, { names, step, onlyBad, choose, say, text: "", total: 0 });
    this.rows = new Map();
    this.asked = new Set();
    /** The numbers of the rows that a search has found, or null while nothing is searched for. */
    this.found = null;
    /** Changes when other answers are wanted: what is under way then is of no use. */
    this.turn = 0;
    this.list = new VirtualList({
      label: "Answers", height: 34, choose: (number) => choose(number),
      moved: (from, to) => this.fetch(from, to), row: (number) => rowOf(this.rows.get(number)),
    });
    this.count = make("span", { class: "soft num", role: "status" });
    this.progress = make("progress", { "aria-label": "Searched", max: "1" });
    this.searching = make("p", { class: "bar", hidden: true }, this.progress,
      button("Stop", () => this.stop(), { class: "small" }));
    const search = make("input", {
      type: "search", class: "find", placeholder: "Search in targets and bodies", "aria-label": "Search the answers",
      oninput: (event) => this.typed(event.target.value),
    });
    this.element = make("section", { class: "card items", "aria-label": "List" },
      make("div", { class: "bar" }, this.filter(), this.count), search, this.searching, this.list.element);
  }

  filter() {
    const buttons = [["All", false], ["Failed", true]].map(([label, onlyBad]) => make("button", {
      type: "button", "aria-pressed": String(this.onlyBad === onlyBad), onclick: () => {
        this.onlyBad = onlyBad;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other.textContent === label));
        this.reload().catch(this.say);
      },
    }, label));
    return make("div", { class: "seg", role: "group", "aria-label": "Which answers" }, buttons);
  }

  typed(text) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.text = text;
      this.reload().catch(this.say);
    }, 250);
  }

  /** Reads the list again, after another filter or search, and chooses a row of the recording. */
  async reload(row = this.row) {
    const turn = this.begin();
    if (this.text !== "") {
      await this.search(turn);
      return;
    }
    const first = await this.part({ offset: 0, limit: page, place: row });
    if (turn !== this.turn) return;
    first.rows.forEach((item, number) => this.rows.set(number, item));
    this.total = first.total;
    this.tell();
    this.list.set(first.total, first.place ?? 0);
    this.list.move(first.place ?? 0);
    this.choose(first.total > 0 ? first.place ?? 0 : null);
  }

  begin() {
    this.searching.hidden = true;
    this.rows = new Map();
    this.asked = new Set();
    this.found = null;
    this.turn += 1;
    return this.turn;
  }

  /** Shows what is found as it is found, until all is searched or somebody stops it. */
  async search(turn) {
    this.found = [];
    this.total = 0;
    this.list.set(0, 0);
    this.searching.hidden = false;
    const { step: { step, count } } = this;
    for (let from = 0; from !== null;) {
      this.progress.value = count > 0 ? from / count : 1;
      const { rows, next } = await call("answers/search", { ...this.names, step, onlyBad: this.onlyBad, text: this.text, from });
      if (turn !== this.turn) return;
      from = next;
      if (rows.length === 0) continue;
      this.found.push(...rows);
      const isFirst = this.total === 0;
      this.total = this.found.length;
      this.tell();
      this.list.grow(this.total);
      if (isFirst) this.choose(0);
    }
    this.searching.hidden = true;
    this.tell();
    if (this.total === 0) this.choose(null);
  }

  /** What was found until now stays. */
  stop() {
    this.turn += 1;
    this.searching.hidden = true;
    put(this.count, `${counted(this.total)}, then stopped`);
    this.list.element.focus({ preventScroll: true });
  }

  tell() { put(this.count, counted(this.total)); }

  part(more) {
    return call("answers/rows", { ...this.names, step: this.step.step, onlyBad: this.onlyBad, ...more });
  }

  /** The rows that are in sight are fetched in pages. */
  fetch(from, to) {
    for (let at = Math.floor(from / page); at * page < Math.min(to, this.total); at += 1) {
      const last = Math.min(to, this.total, (at + 1) * page);
      let number = Math.max(from, at * page);
      while (number < last && this.rows.has(number)) number += 1;
      if (number < last && !this.asked.has(at)) this.load(at).catch(this.say);
    }
  }

  async load(at) {
    const { asked, found } = this;
    asked.add(at);
    const { rows } = await this.part(found
      ? { rows: found.slice(at * page, (at + 1) * page) } : { offset: at * page, limit: page });
    if (asked !== this.asked) return;
    // A page that a search has not filled yet is fetched again.
    asked.delete(at);
    rows.forEach((item, number) => this.rows.set(at * page + number, item));
    this.list.draw();
  }

  /** The row of a number, once it is known. */
  async at(number) {
    if (!this.rows.has(number)) await this.load(Math.floor(number / page));
    return this.rows.get(number);
  }

  /** Moves to the answer before or after. */
  move(by) {
    this.list.move(this.list.active + by);
    this.choose(this.list.active);
  }

  leave() {
    this.turn += 1;
    clearTimeout(this.waiting);
  }
}

function rowOf(row) {
  if (!row) return null;
  const isBad = row.status === null || row.status >= 400;
  return make("div", { class: "item", role: "option" }, icon(isBad ? "bad" : "ok"),
    make("span", { class: "num" }, nameOf(row)), make("code", {}, `${row.method} ${targetOf(row.url)}`),
    make("span", { class: "num" }, row.status ?? "none"));
}

function counted(count) { return counting(count, "answer").replace(/^\d+/u, countText(count)); }

/** The item of a row, as messages name it: `[3]`. */
export function nameOf(row) {
  return [...row.path, ...(row.item === null ? [] : [row.item])].map((place) => `[${place}]`).join("");
}

function targetOf(url) {
  const at = url.indexOf("/", url.indexOf("://") + 3);
  return at < 0 ? "/" : url.slice(at);
}
