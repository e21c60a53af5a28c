// Saving a text, and merging what another program has done to its file in between. Nothing is
// overwritten.
import { button, icon, make, toast } from "/dom.js";
import { plain } from "/drafts.js";
import { call } from "/rpc.js";
import { merged } from "/text.js";

export class Saving {
  /**
   * @param end How the lines of the file end.
   * @param isFixed Whether the text cannot be edited.
   * @param changed Called when another text is shown.
   */
  constructor(file, draft, editor, { end, isFixed, changed }) {
    Object.assign(this, { file, draft, editor, end, isFixed, changed });
    this.state = make("span", { class: "soft", role: "status" });
    this.notice = make("div", {});
  }

  /** Says whether the text has been edited. */
  tell() { this.state.textContent = this.draft.text === this.draft.base ? "" : "edited"; }

  /** Writes the text, and says whether it is on the disk now. */
  async save() {
    const { draft, editor, file } = this;
    if (this.isFixed) return true;
    const text = editor.text;
    try {
      const written = await call("file/write", {
        path: file.path, text: text.replaceAll("\n", this.end), digest: draft.digest,
      });
      if (written.changed === undefined) {
        Object.assign(draft, { base: text, digest: written.digest });
        this.notice.replaceChildren();
        this.state.textContent = draft.text === text ? "saved" : "edited";
        return true;
      }
      this.conflict(plain(written.changed), written.digest);
    } catch (error) {
      toast(error.message);
    }
    return false;
  }

  /** Somebody else has changed the file. A person takes one of the ways. */
  conflict(theirs, digest) {
    const { draft, editor, file, notice } = this;
    const mine = editor.text;
    const both = merged(draft.base, mine, theirs);
    const adopt = (text, words) => {
      Object.assign(draft, { base: theirs, digest });
      notice.replaceChildren();
      editor.become(text);
      this.changed();
      toast(words);
    };
    notice.replaceChildren(make("div", { class: "notice", role: "alert" }, icon("warn"),
      make("span", {}, `${file.path} has changed on the disk since it was read. Nothing was written. `,
        both === null ? "You and somebody else have changed the same lines."
          : "Your changes and the others are of different lines."),
      both !== null && button("Merge", () => adopt(both, "Merged, and not saved yet. Undo brings your text back."),
        { class: "small primary" }),
      button("Keep mine", () => adopt(mine, "Your text is kept. Save writes it over what is on the disk."),
        { class: "small" }),
      button("Take the disk's", () => adopt(theirs, "Undo brings your text back."), { class: "small" }),
      make("details", {}, make("summary", {}, "See the disk's text"),
        make("pre", { tabindex: "0" }, theirs.split("\n").map((row) => [row, make("br", {})])))));
  }

  /** The window has the focus again: the file may be another. */
  async look() {
    const { draft, editor, file } = this;
    const now = await call("file/read", { path: file.path });
    if (now.digest === draft.digest) return;
    const theirs = plain(now.text);
    if (draft.text === draft.base) {
      Object.assign(draft, { base: theirs, digest: now.digest });
      editor.become(theirs);
      toast(`${file.path} has changed on the disk, and was read again.`);
    } else {
      this.conflict(theirs, now.digest);
    }
  }
}
