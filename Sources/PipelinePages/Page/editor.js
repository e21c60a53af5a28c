// The editor of a text: a text area over a coloured copy of it, so that selection, undo, input
// methods and screen readers are the browser's own.
import { closePopup, make } from "/dom.js";
import { indentation, lineStarts, pieces, splice } from "/text.js";

/** Above this length a text has no colours, so that typing stays fast. */
const mostColoured = 300_000;
const line = 20;

export class Editor {
  /**
   * @param label Names the text for screen readers.
   * @param changed Called after each change.
   * @param moved Called when the caret is elsewhere.
   */
  constructor(label, { changed, moved, keys }) {
    this.findings = [];
    this.changed = changed;
    this.area = make("textarea", {
      spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      "aria-label": label, "aria-describedby": "editor-keys", "aria-autocomplete": "list",
    });
    this.copy = make("pre", { "aria-hidden": "true" });
    this.gutter = make("div", { class: "gutter" });
    this.sheet = make("div", { class: "writing" }, this.copy, this.area);
    this.element = make("div", { class: "code" }, this.gutter, this.sheet);
    this.area.addEventListener("input", () => {
      this.paint();
      this.changed();
    });
    this.area.addEventListener("keydown", (event) => {
      if (keys(event)) {
        event.preventDefault();
      } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.altKey
        && !event.isComposing) {
        event.preventDefault();
        const { selectionStart: from, selectionEnd: to } = this.area;
        this.write(from, to, `\n${indentation(this.text, from)}`);
      }
    });
    for (const kind of ["keyup", "pointerup"]) this.area.addEventListener(kind, () => moved());
    // The box around it scrolls, so that text and colours stay together.
    this.area.addEventListener("scroll", () => { this.area.scrollTop = this.area.scrollLeft = 0; });
  }

  get text() { return this.area.value; }

  /** Shows another text. It cannot be undone. */
  load(text) {
    this.area.value = text;
    this.paint();
  }

  /** Replaces a part as if it were typed, so that the browser can undo it. */
  write(from, to, text) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, to);
    // The only way into the browser's undo. Where it is missing, the text is set without one.
    const isDone = text === "" && from === to
      || document.execCommand(text === "" ? "delete" : "insertText", false, text);
    if (!isDone) {
      this.area.setRangeText(text, from, to, "end");
      this.area.dispatchEvent(new Event("input"));
    }
  }

  /** Makes another text of this one, changing no more than what differs. */
  become(text) {
    const change = splice(this.text, text);
    if (change) this.write(change.from, change.to, change.text);
  }

  select(from, to = from) {
    closePopup();
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, to);
    this.reveal(from);
  }

  reveal(offset) {
    const row = this.text.slice(0, offset).split("\n").length - 1;
    const top = row * line;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + line || top > scrollTop + clientHeight - 4 * line) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 3);
    }
  }

  /** @param findings With `from`, `to`, `level` and `message`. */
  show(findings, explain) {
    this.findings = findings;
    this.explain = explain;
    this.paint();
  }

  /** Where a place of the text is in the viewport. */
  place(offset) {
    let rest = offset;
    const walker = document.createTreeWalker(this.copy, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (rest <= node.length) {
        const range = document.createRange();
        range.setStart(node, rest);
        range.setEnd(node, Math.min(rest + 1, node.length));
        const boxes = range.getClientRects();
        const box = boxes[boxes.length - 1] ?? range.getBoundingClientRect();
        if (box.height) return { x: box.left, y: box.bottom };
      }
      rest -= Math.min(rest, node.length);
    }
    const box = this.copy.getBoundingClientRect();
    return { x: box.left + 12, y: box.top + 10 + line };
  }

  /** The offset under a place of the viewport; null: there is no text. */
  offset(x, y) {
    const box = this.copy.getBoundingClientRect();
    const row = Math.floor((y - box.top - 10) / line);
    const starts = lineStarts(this.text);
    if (row < 0 || row >= starts.length) return null;
    this.width ??= this.measure();
    const column = Math.floor((x - box.left - 12) / this.width);
    const end = row + 1 < starts.length ? starts[row + 1] - 1 : this.text.length;
    return column >= 0 && starts[row] + column < end ? starts[row] + column : null;
  }

  measure() {
    const probe = make("span", { class: "measure", "aria-hidden": "true" }, "0".repeat(100));
    this.sheet.append(probe);
    const width = probe.getBoundingClientRect().width / 100;
    probe.remove();
    return width || 7.5;
  }

  paint() {
    const { text } = this;
    const starts = lineStarts(text);
    const out = [];
    const put = (from, to, kind) => {
      let at = from;
      // Findings are in order of their places; a piece is cut where one begins or ends.
      for (const finding of this.findings) {
        if (finding.to <= at || finding.from >= to) continue;
        if (finding.from > at) out.push(span(text.slice(at, finding.from), kind));
        const start = Math.max(at, finding.from);
        const end = Math.min(to, finding.to);
        out.push(span(text.slice(start, end), `${kind} squiggle ${finding.level}`));
        at = end;
      }
      if (at < to) out.push(span(text.slice(at, to), kind));
    };
    let end = 0;
    for (const piece of text.length > mostColoured ? [] : pieces(text)) {
      if (end < piece.from) put(end, piece.from, "");
      put(piece.from, piece.to, piece.kind);
      end = piece.to;
    }
    put(end, text.length, "");
    this.copy.replaceChildren(...out, "\n");
    const marks = new Map();
    for (const finding of this.findings) {
      if (!marks.has(finding.line)) marks.set(finding.line, finding);
    }
    const rows = [];
    for (let row = 0; row < starts.length; row += 1) {
      const finding = marks.get(row);
      rows.push(finding
        ? make("button", {
          type: "button", class: finding.level, "aria-label": `Line ${row + 1}: ${finding.message}`,
          onclick: () => this.explain(finding),
        }, row + 1)
        : make("span", {}, row + 1));
    }
    this.gutter.replaceChildren(...rows);
  }
}

function span(text, kind) {
  if (kind === "") return document.createTextNode(text);
  const element = document.createElement("span");
  element.className = kind;
  // Not made visible: it lies under the same characters of the text area.
  element.textContent = text;
  return element;
}
