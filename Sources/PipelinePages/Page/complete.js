// The list of what can be written at the caret.
import { make } from "/dom.js";
import { offsetAt } from "/text.js";

export class Completion {
  /**
   * @param ask Asks the language server about the text.
   * @param places Gives the offsets at which lines begin, and the position of an offset.
   */
  constructor(editor, ask, places) {
    Object.assign(this, { editor, ask, places, offered: null, asking: 0 });
    this.list = make("ul", {
      class: "complete", role: "listbox", id: "complete", "aria-label": "Completions", hidden: true,
    });
    editor.sheet.append(this.list);
    editor.area.addEventListener("blur", () => this.close());
  }

  /** Shows what fits, if there is anything; unasked only after a character that begins something. */
  async suggest(isAsked = false) {
    const { editor } = this;
    const at = editor.area.selectionStart;
    const before = editor.text[at - 1] ?? "";
    if (!isAsked && !/[\w"{.$@]/u.test(before)) {
      this.close();
      return;
    }
    this.asking += 1;
    const number = this.asking;
    const items = await this.ask("textDocument/completion", { position: this.places.position(at) });
    if (number !== this.asking || editor.area.selectionStart !== at) return;
    const starts = this.places.starts();
    const starting = ({ item, typed }) => item.filterText.toLowerCase().startsWith(typed);
    const shown = items.map((item) => {
      const from = offsetAt(editor.text, starts, item.textEdit.range.start);
      const to = offsetAt(editor.text, starts, item.textEdit.range.end);
      return { item, from, to, typed: editor.text.slice(from, at).toLowerCase() };
    }).filter(({ item, typed }) => item.filterText.toLowerCase().includes(typed.replace(/^"/u, ""))
      && item.textEdit.newText !== typed)
      .sort((a, b) => Number(starting(b)) - Number(starting(a))).slice(0, 50);
    const isBare = shown[0]?.typed === "" && before !== "{" && before !== ".";
    if (shown.length === 0 || (!isAsked && isBare)) this.close();
    else this.show(shown);
  }

  show(shown) {
    const { editor, list } = this;
    this.offered = { shown, chosen: 0 };
    list.replaceChildren(...shown.map(({ item }, row) => make("li", {
      role: "option", id: `complete-${row}`, onpointerdown: (event) => {
        event.preventDefault();
        this.offered.chosen = row;
        this.accept();
      },
    }, make("code", {}, item.label), make("span", { class: "soft" }, item.detail))));
    list.hidden = false;
    const { x, y } = editor.place(shown[0].from);
    const sheet = editor.sheet.getBoundingClientRect();
    const view = editor.element.getBoundingClientRect();
    const left = Math.min(x, view.right - list.offsetWidth - 16) - sheet.left;
    const isAbove = y + list.offsetHeight > view.bottom && y - 24 - list.offsetHeight > view.top;
    list.style.setProperty("left", `${Math.max(0, left)}px`);
    list.style.setProperty("top", `${(isAbove ? y - 22 - list.offsetHeight : y) - sheet.top}px`);
    this.choose(0);
  }

  choose(row) {
    const { offered, list } = this;
    offered.chosen = (row + offered.shown.length) % offered.shown.length;
    [...list.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === offered.chosen)));
    list.children[offered.chosen].scrollIntoView({ block: "nearest" });
    this.editor.area.setAttribute("aria-activedescendant", `complete-${offered.chosen}`);
  }

  close() {
    this.asking += 1;
    this.offered = null;
    this.list.hidden = true;
    this.editor.area.removeAttribute("aria-activedescendant");
  }

  accept() {
    const { item, from, to } = this.offered.shown[this.offered.chosen];
    this.close();
    this.editor.write(from, Math.max(to, this.editor.area.selectionStart), item.textEdit.newText);
    this.close();
  }

  /** Whether a key was for the list. */
  key({ key }) {
    if (!this.offered) return false;
    if (key === "ArrowDown") this.choose(this.offered.chosen + 1);
    else if (key === "ArrowUp") this.choose(this.offered.chosen - 1);
    else if (key === "Enter" || key === "Tab") this.accept();
    else if (key === "Escape") this.close();
    else return false;
    return true;
  }
}
