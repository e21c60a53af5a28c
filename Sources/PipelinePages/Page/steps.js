// The steps of a text as a drawing beside it, and what is known of the one at the caret.
import { make, tag, twin } from "/dom.js";
import { showDrawing, stepIn, stepsIn } from "/drawn.js";
import { levelOf, resultOf } from "/files.js";
import { offsetAt, positionAt } from "/text.js";

export class Steps {
  /**
   * @param finds What the extractors of a step find, and how the step is tried.
   * @param starts Gives the offsets at which lines begin.
   * @param shown Called when a step was chosen in the drawing.
   */
  constructor(file, editor, finds, { starts, shown }) {
    Object.assign(this, { file, editor, finds, starts, shown, steps: [], chosen: null });
    this.graph = make("div", { class: "graphbox" });
    this.facts = make("div", { class: "facts" });
  }

  /** @param svg The drawing, or null: while the text has errors, the last drawing rests. */
  show(steps, svg) {
    this.steps = steps;
    if (svg) {
      showDrawing(this.graph, svg, (node) => {
        const step = this.around(node.dataset.step);
        if (!step) return;
        this.shown();
        this.editor.select(offsetAt(this.editor.text, this.starts(), step.name.start));
        this.moved();
      });
    }
    this.graph.classList.toggle("resting", !svg);
    this.moved();
  }

  /** The step of a path, or the nearest around it: a branch has no name in the text. */
  around(path) {
    const parts = path.split(".");
    for (let length = parts.length; length > 0; length -= 1) {
      const name = parts.slice(0, length).join(".");
      const found = this.steps.find((step) => step.path === name);
      if (found) return found;
    }
    return null;
  }

  /** The caret chooses the step. */
  moved() {
    const at = positionAt(this.starts(), this.editor.area.selectionStart);
    const isAfter = (a, b) => a.line > b.line || (a.line === b.line && a.character >= b.character);
    const around = this.steps.filter((step) => isAfter(at, step.range.start) && isAfter(step.range.end, at));
    this.chosen = around.at(-1)?.path ?? null;
    for (const node of stepsIn(this.graph)) {
      node.classList.toggle("chosen", node.dataset.step === this.chosen);
      node.setAttribute("aria-pressed", String(node.dataset.step === this.chosen));
    }
    this.showFacts();
  }

  showFacts() {
    const { chosen, graph } = this;
    const node = stepIn(graph, chosen);
    const [, ...lines] = node?.querySelector("title").textContent.split("\n") ?? [];
    const edges = [...graph.querySelectorAll(".edge")].filter((edge) => edge.dataset.to === chosen);
    this.facts.replaceChildren(
      ...(node ? [make("h2", {}, "Step ", make("code", {}, chosen)),
        ...lines.map((text) => make("p", {}, text)),
        make("p", { class: "soft" }, edges.length
          ? edges.map((edge, number) => [number ? ", " : "Waits for ", make("b", {}, edge.dataset.from),
            ` (${edge.querySelector("title").textContent.split(": ").slice(1).join(": ")})`])
          : "Waits for nothing: it starts at once."), this.finds.element]
        : [make("p", { class: "soft" }, this.steps.length
          ? this.graph.childElementCount ? "Click a step, or put the caret into one."
            : "The steps are drawn once the text has no errors." : "There are no steps yet.")]),
      ...this.lastRun());
    if (node) this.finds.show(chosen, this.editor.text).catch(() => this.finds.element.replaceChildren());
  }

  lastRun() {
    const { file } = this;
    if (file.kind !== "workflow") return [];
    if (!file.run) return [make("p", { class: "soft" }, "It was not run yet.")];
    return [make("h2", {}, "Last run"),
      make("p", {}, tag(levelOf(file.run), resultOf(file.run)), ` ${file.run.age}`),
      twin(`pipeline runs show ${file.run.id}`)];
  }
}
