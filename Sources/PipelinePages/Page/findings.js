// What is found in a text: the list under it, and what is done about each.
import { button, closePopup, icon, make, popup, tag, twin } from "/dom.js";
import { counting } from "/files.js";
import { offsetAt } from "/text.js";

const levels = { 1: "bad", 2: "warn", 3: "idle" };
const words = { 1: "error", 2: "warning", 3: "note" };

/** The findings of the language server with their places in a text, and the fixes of each. */
export function placed(items, fixes, text, starts) {
  return items.map((item) => {
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
}

export class Findings {
  /**
   * @param isFixed Whether the text cannot be edited.
   * @param take Makes the edits of a fix.
   */
  constructor(editor, isFixed, take) {
    Object.assign(this, { editor, isFixed, take, all: [] });
    this.element = make("div", { class: "problems" });
  }

  show(findings) {
    this.all = findings;
    this.editor.show(findings, (finding) => this.explain(finding));
    this.element.replaceChildren(
      make("h2", {}, findings.length ? counting(findings.length, "finding") : "No findings"),
      make("ul", {}, findings.map((finding) => make("li", { class: "problem" },
        make("button", { type: "button", class: "line", onclick: () => this.editor.select(finding.from, finding.to) },
          icon(finding.level), make("span", {}, finding.message),
          make("span", { class: "soft" }, `${finding.severity} · line ${finding.line + 1}`)),
        !this.isFixed && finding.fixes.length > 0 && button("Fix", () => this.fix(finding.fixes[0]),
          { class: "small", "aria-label": `Fix: ${finding.fixes[0].title}`, title: finding.fixes[0].title })))));
  }

  /** Tells of the finding at the caret, or of the first one. */
  explainNearest() {
    const at = this.editor.area.selectionStart;
    const found = this.all.find((item) => item.from <= at && at <= item.to) ?? this.all[0];
    if (found) this.explain(found);
  }

  explain(finding) {
    const { x, y } = this.editor.place(finding.from);
    const box = make("div", { class: "pop", role: "dialog", "aria-label": "Finding" },
      make("p", { class: "bar" }, tag(finding.level, finding.severity), make("code", { class: "soft" }, finding.code)),
      make("p", {}, finding.message),
      make("div", { class: "actions" },
        !this.isFixed && finding.fixes.map((item, number) => button(item.title, () => this.fix(item),
          { class: number === 0 && item.isPreferred ? "primary small" : "small" })),
        button("Close", () => closePopup(true), { class: "small quiet" })),
      twin(`pipeline explain ${finding.code}`));
    popup(box, x, y + 4, this.editor.area);
    box.querySelector("button").focus();
  }

  fix(action) {
    closePopup();
    this.take(action.edit);
  }
}
