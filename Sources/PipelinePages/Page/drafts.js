// The texts that are edited in the page.
import { call } from "/rpc.js";

/** Texts that were edited and not saved, by path, for as long as the page is open. */
export const drafts = new Map();

/** A text with the ends of lines that browsers have. */
export const plain = (text) => text.replaceAll("\r\n", "\n");

export function isEdited(path) {
  const draft = drafts.get(path);
  return draft !== undefined && draft.text !== draft.base;
}

/** The text of a file as it is edited, for other views. */
export const edited = {
  async get(path) {
    if (!drafts.has(path)) {
      const read = await call("file/read", { path });
      drafts.set(path, { base: plain(read.text), text: plain(read.text), digest: read.digest });
    }
    return drafts.get(path).text;
  },
  /** @param caret Where the caret goes when the text is shown. */
  set(path, text, caret) { Object.assign(drafts.get(path), { next: text, text, caret }); },
};

addEventListener("beforeunload", (event) => {
  for (const draft of drafts.values()) if (draft.text !== draft.base) event.preventDefault();
});
