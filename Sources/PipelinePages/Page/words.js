// What the language server knows of the words of a text: what they mean, and their other places.
import { button, closePopup, make, popup, toast } from "/dom.js";
import { applied, offsetAt } from "/text.js";

export class Words {
  /**
   * @param ask Asks the language server about the text.
   * @param places Gives the offsets at which lines begin, and the position of an offset.
   * @param take Makes the edits of a change, which may concern other files, too.
   */
  constructor(editor, ask, places, take) {
    Object.assign(this, { editor, ask, places, take, resting: 0, isGone: false });
    editor.area.addEventListener("mousemove", (event) => {
      clearTimeout(this.resting);
      const at = editor.offset(event.clientX, event.clientY);
      if (at !== null) this.resting = setTimeout(() => this.hover(at).catch(() => {}), 450);
    });
    editor.area.addEventListener("mouseleave", () => clearTimeout(this.resting));
  }

  leave() {
    this.isGone = true;
    clearTimeout(this.resting);
  }

  /** Tells what is at a place of the text. */
  async hover(at, isAsked = false) {
    const { editor } = this;
    const found = await this.ask("textDocument/hover", { position: this.places.position(at) });
    if (this.isGone) return;
    if (!found) {
      if (isAsked) toast("There is nothing with a meaning of its own at the caret.");
      return;
    }
    const { x, y } = editor.place(offsetAt(editor.text, this.places.starts(), found.range.start));
    popup(make("div", { class: "pop hover", role: "note", tabindex: "-1" },
      found.contents.value.split("\n").map((text) => make("p", {}, text))), x, y + 4, editor.area);
  }

  async format() {
    try {
      this.editor.become(applied(this.editor.text, await this.ask("textDocument/formatting", {})));
    } catch (error) {
      toast(error.message);
    }
  }

  /** Asks for another name of what is at the caret. */
  async rename() {
    const { editor } = this;
    const position = this.places.position(editor.area.selectionStart);
    try {
      const found = await this.ask("textDocument/prepareRename", { position });
      const from = offsetAt(editor.text, this.places.starts(), found.range.start);
      const box = make("input", { type: "text", id: "rename", value: found.placeholder, spellcheck: "false" });
      const form = make("form", {
        class: "pop", "aria-label": "Rename", onsubmit: (event) => {
          event.preventDefault();
          closePopup(true);
          this.ask("textDocument/rename", { position, newName: box.value }).then(this.take)
            .catch((error) => toast(error.message));
        },
      }, make("label", { for: "rename" }, `Rename ${found.placeholder} everywhere to`), box,
      make("div", { class: "actions" }, make("button", { class: "button primary small" }, "Rename"),
        button("Cancel", () => closePopup(true), { class: "small quiet" })));
      const { x, y } = editor.place(from);
      popup(form, x, y + 4, editor.area);
      box.select();
    } catch (error) {
      toast(error.message);
    }
  }
}
