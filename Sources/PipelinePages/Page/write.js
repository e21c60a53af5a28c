// The view of one file: its text, what is found in it, and its steps as a drawing.
import { Completion } from "/complete.js";
import { button, closePopup, icon, make, popup, tag, toast, twin } from "/dom.js";
import { drafts, plain } from "/drafts.js";
import { Editor } from "/editor.js";
import { counting, levelOf, resultOf } from "/files.js";
import { Finds } from "/finds.js";
import { call, drawing } from "/rpc.js";
import { applied, lineStarts, merged, offsetAt, positionAt, stepsOf } from "/text.js";

const levels = { 1: "bad", 2: "warn", 3: "idle" };
const words = { 1: "error", 2: "warning", 3: "note" };

/**
 * @param file What the listing knows of it.
 * @param place Where the caret goes: `line` and `character`, or null.
 * @returns What is called when the view is left, and when the window gets the focus.
 */
export async function showWrite(main, file, { place, isReadOnly, link, run }) {
  const read = await call("file/read", { path: file.path });
  const isMixed = /\r(?!\n)|[^\r]\n[^]*\r\n|\r\n[^]*[^\r]\n/u.test(read.text);
  const end = read.text.includes("\r\n") ? "\r\n" : "\n";
  const draft = drafts.get(file.path) ?? { base: plain(read.text), text: plain(read.text), digest: read.digest };
  drafts.set(file.path, draft);
  const isFixed = isReadOnly || isMixed;

  let findings = [];
  let steps = [];
  let starts = [];
  let chosen = null;
  let isGone = false;

  // ---- What is shown

  const state = make("span", { class: "soft", role: "status" });
  const notice = make("div", {});
  const problems = make("div", { class: "problems" });
  const graph = make("div", { class: "graphbox" });
  const facts = make("div", { class: "facts" });
  const editor = new Editor(`Text of ${file.path}`, { changed, moved, keys });
  const finds = new Finds(file, link);
  const completion = new Completion(editor, ask, { starts: () => starts, position: positionOf });
  editor.area.readOnly = isFixed;

  const grid = make("div", { class: "split", "data-pane": "text" },
    make("section", { class: "card editor", "aria-label": "Text" },
      make("div", { class: "bar" }, make("h1", {}, file.path), state, make("span", { class: "grow" }),
        !isFixed && button("Format", format, { class: "quiet", title: "Shift Alt F" }),
        !isFixed && button("Rename", rename, { class: "quiet", title: "F2: the name at the caret" }),
        !isFixed && button("Save", save, { class: "quiet", title: "Ctrl S" }),
        run && link(run, { class: "button primary", title: "Ctrl Enter" }, "Run")),
      notice, editor.element, problems,
      make("p", { class: "sr", id: "editor-keys" },
        "Tab leaves the editor. Control Space completes. Control full stop shows the fix at the "
        + "caret. F2 renames. Control I tells what is at the caret.")),
    make("section", { class: "card side", "aria-label": "Steps" }, graph, facts));
  const panes = make("div", { class: "seg panes", role: "group", "aria-label": "Show" });
  for (const [pane, label] of [["text", "Text"], ["side", "Steps"]]) {
    panes.append(make("button", {
      type: "button", "aria-pressed": String(pane === "text"), onclick: (event) => {
        grid.dataset.pane = pane;
        for (const other of panes.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
      },
    }, label));
  }
  main.replaceChildren(panes, grid);

  // ---- The server's answers

  function ask(method, more) {
    return call(method, { path: file.path, text: editor.text, more });
  }

  function positionOf(offset) { return positionAt(starts, offset); }

  let waiting = 0;
  function changed() {
    draft.text = editor.text;
    starts = lineStarts(draft.text);
    closePopup();
    state.textContent = draft.text === draft.base ? "" : "edited";
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
        range: { start: { line: 0, character: 0 }, end: positionOf(text.length) },
      }),
    ]);
    if (isGone || number !== asked || text !== editor.text) return;
    findings = found.items.map((item) => {
      const from = offsetAt(text, starts, item.range.start);
      const same = (other) => JSON.stringify(other) === JSON.stringify(item);
      return {
        from, to: Math.max(from + 1, offsetAt(text, starts, item.range.end)),
        line: item.range.start.line, column: item.range.start.character,
        level: levels[item.severity], severity: words[item.severity], code: item.code,
        message: item.message,
        fixes: fixes.filter((fix) => fix.diagnostics.some(same))
          .sort((a, b) => Number(b.isPreferred) - Number(a.isPreferred)),
      };
    });
    editor.show(findings, explain);
    steps = stepsOf(symbols);
    state.textContent = text === draft.base ? "" : "edited";
    showProblems();
    // While the text has errors, the last drawing rests.
    if (svg) showGraph(svg);
    graph.classList.toggle("resting", !svg);
    moved();
  }

  function say(error) { toast(error.message); }

  // ---- Findings

  function showProblems() {
    problems.replaceChildren(
      make("h2", {}, findings.length ? counting(findings.length, "finding") : "No findings"),
      make("ul", {}, findings.map((finding) => make("li", { class: "problem" },
        make("button", { type: "button", class: "line", onclick: () => editor.select(finding.from, finding.to) },
          icon(finding.level), make("span", {}, finding.message),
          make("span", { class: "soft" }, `${finding.severity} · line ${finding.line + 1}`)),
        !isFixed && finding.fixes.length > 0 && button("Fix", () => fix(finding.fixes[0]),
          { class: "small", "aria-label": `Fix: ${finding.fixes[0].title}`, title: finding.fixes[0].title })))));
  }

  function explain(finding) {
    const { x, y } = editor.place(finding.from);
    const box = make("div", { class: "pop", role: "dialog", "aria-label": "Finding" },
      make("p", { class: "bar" }, tag(finding.level, finding.severity), make("code", { class: "soft" }, finding.code)),
      make("p", {}, finding.message),
      make("div", { class: "actions" },
        !isFixed && finding.fixes.map((item, number) => button(item.title, () => fix(item),
          { class: number === 0 && item.isPreferred ? "primary small" : "small" })),
        button("Close", () => closePopup(true), { class: "small quiet" })),
      twin(`pipeline explain ${finding.code}`));
    popup(box, x, y + 4, editor.area);
    box.querySelector("button").focus();
  }

  function fix(action) {
    closePopup();
    take(action.edit).catch(say);
  }

  /** Makes the edits of a change, which may concern other files, too. */
  async function take(edit) {
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

  function keys(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const { key } = event;
    if (!isCommand && completion.key(event)) return true;
    if (isCommand && key === " ") {
      if (!isFixed) completion.suggest(true).catch(say);
    }
    else if (isCommand && key === ".") {
      const at = editor.area.selectionStart;
      const found = findings.find((item) => item.from <= at && at <= item.to) ?? findings[0];
      if (found) explain(found);
    } else if (isCommand && key.toLowerCase() === "s") save();
    else if (isCommand && key === "Enter" && run) grid.querySelector(".bar a.primary")?.click();
    else if (isCommand && key.toLowerCase() === "i") hover(editor.area.selectionStart, true).catch(say);
    else if (key === "F2") rename();
    else if (event.shiftKey && event.altKey && key.toLowerCase() === "f") format();
    else return false;
    return true;
  }

  // ---- Hover

  let resting = 0;
  editor.area.addEventListener("mousemove", (event) => {
    clearTimeout(resting);
    const at = editor.offset(event.clientX, event.clientY);
    if (at !== null) resting = setTimeout(() => hover(at).catch(() => {}), 450);
  });
  editor.area.addEventListener("mouseleave", () => clearTimeout(resting));

  async function hover(at, isAsked = false) {
    const found = await ask("textDocument/hover", { position: positionOf(at) });
    if (isGone) return;
    if (!found) {
      if (isAsked) toast("There is nothing with a meaning of its own at the caret.");
      return;
    }
    const { x, y } = editor.place(offsetAt(editor.text, starts, found.range.start));
    popup(make("div", { class: "pop hover", role: "note", tabindex: "-1" },
      found.contents.value.split("\n").map((text) => make("p", {}, text))), x, y + 4, editor.area);
  }

  // ---- Format and rename

  async function format() {
    if (isFixed) return;
    try {
      const edits = await ask("textDocument/formatting", {});
      editor.become(applied(editor.text, edits));
    } catch (error) {
      say(error);
    }
  }

  async function rename() {
    if (isFixed) return;
    const position = positionOf(editor.area.selectionStart);
    try {
      const found = await ask("textDocument/prepareRename", { position });
      const from = offsetAt(editor.text, starts, found.range.start);
      const box = make("input", { type: "text", id: "rename", value: found.placeholder, spellcheck: "false" });
      const form = make("form", {
        class: "pop", "aria-label": "Rename", onsubmit: (event) => {
          event.preventDefault();
          closePopup(true);
          ask("textDocument/rename", { position, newName: box.value }).then(take).catch(say);
        },
      }, make("label", { for: "rename" }, `Rename ${found.placeholder} everywhere to`), box,
      make("div", { class: "actions" }, make("button", { class: "button primary small" }, "Rename"),
        button("Cancel", () => closePopup(true), { class: "small quiet" })));
      const { x, y } = editor.place(from);
      popup(form, x, y + 4, editor.area);
      box.select();
    } catch (error) {
      say(error);
    }
  }

  // ---- Saving

  async function save() {
    if (isFixed) return true;
    const text = editor.text;
    try {
      const written = await call("file/write", {
        path: file.path, text: text.replaceAll("\n", end), digest: draft.digest,
      });
      if (written.changed === undefined) {
        saved(text, written.digest);
        return true;
      }
      conflict(plain(written.changed), written.digest);
    } catch (error) {
      say(error);
    }
    return false;
  }

  function saved(text, digest) {
    Object.assign(draft, { base: text, digest });
    notice.replaceChildren();
    state.textContent = draft.text === text ? "saved" : "edited";
  }

  /** Somebody else has changed the file. Nothing is overwritten: a person takes one of the ways. */
  function conflict(theirs, digest) {
    const mine = editor.text;
    const both = merged(draft.base, mine, theirs);
    const adopt = (text) => {
      Object.assign(draft, { base: theirs, digest });
      notice.replaceChildren();
      editor.become(text);
      changed();
    };
    notice.replaceChildren(make("div", { class: "notice", role: "alert" }, icon("warn"),
      make("span", {}, `${file.path} has changed on the disk since it was read. Nothing was written. `,
        both === null ? "You and somebody else have changed the same lines."
          : "Your changes and the others are of different lines."),
      both !== null && button("Merge", () => {
        adopt(both);
        toast("Merged, and not saved yet. Undo brings your text back.");
      }, { class: "small primary" }),
      button("Keep mine", () => {
        adopt(mine);
        toast("Your text is kept. Save writes it over what is on the disk.");
      }, { class: "small" }),
      button("Take the disk's", () => {
        adopt(theirs);
        toast("Undo brings your text back.");
      }, { class: "small" }),
      make("details", {}, make("summary", {}, "See the disk's text"), make("pre", { tabindex: "0" }, theirs.split("\n").map((row) => [row, make("br", {})])))));
  }

  /** The window has the focus again: the file may be another. */
  async function look() {
    const now = await call("file/read", { path: file.path });
    if (isGone || now.digest === draft.digest) return;
    const theirs = plain(now.text);
    if (draft.text === draft.base) {
      Object.assign(draft, { base: theirs, digest: now.digest });
      editor.become(theirs);
      toast(`${file.path} has changed on the disk, and was read again.`);
    } else {
      conflict(theirs, now.digest);
    }
  }

  // ---- The drawing

  function showGraph(svg) {
    const view = document.importNode(svg, true);
    view.setAttribute("class", "graph");
    const nodes = [...view.querySelectorAll("[data-step]")];
    const pick = (node) => {
      const step = stepAt(node.dataset.step);
      if (!step) return;
      grid.dataset.pane = "text";
      panes.children[0]?.setAttribute("aria-pressed", "true");
      panes.children[1]?.setAttribute("aria-pressed", "false");
      editor.select(offsetAt(editor.text, starts, step.name.start));
      moved();
    };
    nodes.forEach((node, number) => {
      node.addEventListener("click", (event) => {
        event.stopPropagation();
        pick(node);
      });
      node.addEventListener("keydown", (event) => {
        const to = { ArrowDown: number + 1, ArrowRight: number + 1, ArrowUp: number - 1, ArrowLeft: number - 1 }[event.key];
        if (event.key === "Enter" || event.key === " ") pick(node);
        else if (to !== undefined) nodes[to]?.focus();
        else return;
        event.preventDefault();
      });
    });
    graph.replaceChildren(view);
  }

  /** The step of a path, or the nearest around it: a branch has no name in the text. */
  function stepAt(path) {
    const parts = path.split(".");
    for (let length = parts.length; length > 0; length -= 1) {
      const name = parts.slice(0, length).join(".");
      const found = steps.find((step) => step.path === name);
      if (found) return found;
    }
    return null;
  }

  /** The caret chooses the step. */
  function moved() {
    const at = positionOf(editor.area.selectionStart);
    const isAfter = (a, b) => a.line > b.line || (a.line === b.line && a.character >= b.character);
    const around = steps.filter((step) => isAfter(at, step.range.start) && isAfter(step.range.end, at));
    chosen = around.at(-1)?.path ?? null;
    for (const node of graph.querySelectorAll("[data-step]")) {
      node.classList.toggle("chosen", node.dataset.step === chosen);
      node.setAttribute("aria-pressed", String(node.dataset.step === chosen));
    }
    showFacts();
  }

  function showFacts() {
    const node = [...graph.querySelectorAll("[data-step]")].find((item) => item.dataset.step === chosen);
    const [, ...lines] = node?.querySelector("title").textContent.split("\n") ?? [];
    const edges = [...graph.querySelectorAll(".edge")].filter((edge) => edge.dataset.to === chosen);
    facts.replaceChildren(
      ...(node ? [make("h2", {}, "Step ", make("code", {}, chosen)),
        ...lines.map((text) => make("p", {}, text)),
        make("p", { class: "soft" }, edges.length
          ? edges.map((edge, number) => [number ? ", " : "Waits for ", make("b", {}, edge.dataset.from),
            ` (${edge.querySelector("title").textContent.split(": ").slice(1).join(": ")})`])
          : "Waits for nothing: it starts at once.")]
        : [make("p", { class: "soft" }, steps.length
          ? "Click a step, or put the caret into one." : "There are no steps yet.")]),
      ...(node ? [finds.element] : []), ...lastRun());
    if (node) finds.show(chosen, editor.text).catch(() => finds.element.replaceChildren());
  }

  function lastRun() {
    if (file.kind !== "workflow") return [];
    if (!file.run) return [make("p", { class: "soft" }, "It was not run yet.")];
    return [make("h2", {}, "Last run"),
      make("p", {}, tag(levelOf(file.run), resultOf(file.run)), ` ${file.run.age}`),
      twin(`pipeline runs show ${file.run.id}`)];
  }

  // What another view wrote is an edit like any other: it can be undone.
  editor.load(draft.next === undefined ? draft.text : draft.shown ?? draft.base);
  if (draft.next !== undefined) {
    editor.become(draft.next);
    draft.next = undefined;
  }
  draft.shown = undefined;
  if (isMixed) {
    notice.replaceChildren(make("p", { class: "notice" },
      "The lines of this file end in different ways, which a browser would change. It is shown and not edited; 'pipeline format' makes them the same."));
  }
  starts = lineStarts(draft.text);
  if (draft.caret !== undefined) editor.select(draft.caret);
  else if (place) editor.select(offsetAt(draft.text, starts, place));
  draft.caret = undefined;
  await check();

  return {
    look: () => look().catch(say),
    leave() {
      isGone = true;
      draft.shown = draft.text;
      clearTimeout(waiting);
      clearTimeout(resting);
      closePopup();
    },
    save,
  };
}
