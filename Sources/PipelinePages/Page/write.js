// The view of one file: its text, what is found in it, and its steps as a drawing.
import { Completion } from "/complete.js";
import { button, closePopup, make, toast } from "/dom.js";
import { drafts, plain } from "/drafts.js";
import { Editor } from "/editor.js";
import { Findings, placed } from "/findings.js";
import { Finds } from "/finds.js";
import { call, drawing } from "/rpc.js";
import { Saving } from "/saving.js";
import { Steps } from "/steps.js";
import { applied, lineStarts, offsetAt, positionAt, stepsOf } from "/text.js";
import { Words } from "/words.js";

/**
 * @param file What the listing knows of it.
 * @param place Where the caret goes: `line` and `character`, or null.
 * @param run The view that runs it, or null.
 * @returns What is called when the view is left, and when the window gets the focus.
 */
export async function showWrite(main, file, { place, isReadOnly, link, go, run }) {
  const read = await call("file/read", { path: file.path });
  const isMixed = /\r(?!\n)|[^\r]\n[^]*\r\n|\r\n[^]*[^\r]\n/u.test(read.text);
  const draft = drafts.get(file.path) ?? { base: plain(read.text), text: plain(read.text), digest: read.digest };
  drafts.set(file.path, draft);
  const isFixed = isReadOnly || isMixed;
  let starts = [];
  let isGone = false;

  const say = (error) => toast(error.message);
  const places = { starts: () => starts, position: (offset) => positionAt(starts, offset) };
  const ask = (method, more) => call(method, { path: file.path, text: editor.text, more });
  const editor = new Editor(`Text of ${file.path}`, { changed, moved: () => steps.moved(), keys });
  const saving = new Saving(file, draft, editor, {
    end: read.text.includes("\r\n") ? "\r\n" : "\n", isFixed, changed,
  });
  const take = (edit) => changeAll(edit).catch(say);
  const findings = new Findings(editor, isFixed, take);
  const words = new Words(editor, ask, places, take);
  const completion = new Completion(editor, ask, places);
  const finds = new Finds(file, { link, go, isReadOnly, save: () => saving.save(), text: () => editor.text });
  const steps = new Steps(file, editor, finds, { starts: places.starts, shown: () => showPane("text") });
  editor.area.readOnly = isFixed;

  // ---- What is shown

  const grid = make("div", { class: "split" },
    make("section", { class: "card editor", "aria-label": "Text" },
      make("div", { class: "bar" }, make("h1", {}, file.path), saving.state, make("span", { class: "grow" }),
        !isFixed && button("Format", () => words.format(), { class: "quiet", title: "Shift Alt F" }),
        !isFixed && button("Rename", () => words.rename(), { class: "quiet", title: "F2: the name at the caret" }),
        !isFixed && button("Save", () => saving.save(), { class: "quiet", title: "Ctrl S" }),
        run && link(run, { class: "button primary", title: "Ctrl Enter" }, "Run")),
      saving.notice, editor.element, findings.element,
      make("p", { class: "sr", id: "editor-keys" },
        "Tab leaves the editor. Control Space completes. Control full stop shows the fix at the "
        + "caret. F2 renames. Control I tells what is at the caret.")),
    make("section", { class: "card side", "aria-label": "Steps" }, steps.graph, steps.facts));
  const panes = make("div", { class: "seg panes", role: "group", "aria-label": "Show" },
    [["text", "Text"], ["side", "Steps"]].map(([pane, label]) =>
      make("button", { type: "button", "data-shows": pane, onclick: () => showPane(pane) }, label)));

  function showPane(pane) {
    grid.dataset.pane = pane;
    for (const other of panes.children) other.setAttribute("aria-pressed", String(other.dataset.shows === pane));
  }

  showPane("text");
  main.replaceChildren(panes, grid);

  // ---- Changes

  let waiting = 0;
  function changed() {
    draft.text = editor.text;
    starts = lineStarts(draft.text);
    closePopup();
    saving.tell();
    clearTimeout(waiting);
    waiting = setTimeout(() => check().catch(say), 150);
    if (!isFixed) completion.suggest().catch(say);
  }

  let asked = 0;
  async function check() {
    const number = ++asked;
    const text = editor.text;
    const [found, symbols, svg, fixes] = await Promise.all([
      ask("textDocument/diagnostic", {}), ask("textDocument/documentSymbol", {}),
      drawing(file.path, text),
      ask("textDocument/codeAction", {
        context: { diagnostics: [], only: ["quickfix"] },
        range: { start: { line: 0, character: 0 }, end: places.position(text.length) },
      }),
    ]);
    if (isGone || number !== asked || text !== editor.text) return;
    findings.show(placed(found.items, fixes, text, starts));
    if (text !== draft.base) saving.tell();
    steps.show(stepsOf(symbols), svg);
  }

  /** Makes the edits of a change, which may concern other files, too. */
  async function changeAll(edit) {
    const others = [];
    for (const [uri, edits] of Object.entries(edit?.changes ?? {})) {
      const path = pathOf(uri);
      if (path === file.path) editor.become(applied(editor.text, edits));
      else others.push({ path, edits });
    }
    for (const { path, edits } of others) {
      const other = await call("file/read", { path });
      const written = await call("file/write", { path, text: applied(other.text, edits), digest: other.digest });
      if (written.changed !== undefined) throw new Error(`${path} was changed meanwhile; it is left as it is`);
    }
    if (others.length) toast(`Also changed: ${others.map((other) => other.path).join(", ")}`);
  }

  function pathOf(uri) {
    const whole = decodeURIComponent(uri.replace(/^file:\/\//u, ""));
    const root = read.root === "/" ? "/" : `${read.root}/`;
    return whole.startsWith(root) ? whole.slice(root.length) : whole;
  }

  // ---- Keys

  /** Whether a key was for the view and not for the text. */
  function keys(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (!isCommand && completion.key(event)) return true;
    if (isCommand && key === " ") { if (!isFixed) completion.suggest(true).catch(say); }
    else if (isCommand && key === ".") findings.explainNearest();
    else if (isCommand && key === "s") saving.save();
    else if (isCommand && key === "enter" && run) grid.querySelector(".bar a.primary")?.click();
    else if (isCommand && key === "i") words.hover(editor.area.selectionStart, true).catch(say);
    else if (key === "f2") { if (!isFixed) words.rename(); }
    else if (event.shiftKey && event.altKey && key === "f") { if (!isFixed) words.format(); }
    else return false;
    return true;
  }

  // ---- The beginning

  // What another view wrote is an edit like any other: it can be undone.
  editor.load(draft.next === undefined ? draft.text : draft.shown ?? draft.base);
  if (draft.next !== undefined) {
    editor.become(draft.next);
    draft.next = undefined;
  }
  draft.shown = undefined;
  if (isMixed) {
    saving.notice.replaceChildren(make("p", { class: "notice" },
      "The lines of this file end in different ways, which a browser would change. It is shown and not edited; 'pipeline format' makes them the same."));
  }
  starts = lineStarts(draft.text);
  saving.tell();
  if (draft.caret !== undefined) editor.select(draft.caret);
  else if (place) editor.select(offsetAt(draft.text, starts, place));
  draft.caret = undefined;
  await check();

  return {
    look: () => (isGone ? null : saving.look().catch(say)),
    leave() {
      isGone = true;
      draft.shown = draft.text;
      clearTimeout(waiting);
      words.leave();
      finds.leave();
      closePopup();
    },
  };
}
