// What the extractors of a step find in the answers of the last run that kept some.
import { make, tag } from "/dom.js";
import { call } from "/rpc.js";

export class Finds {
  constructor(file, link) {
    Object.assign(this, { file, link, step: null, run: null });
    this.element = make("div", { class: "finds" });
  }

  /** @param text As it is edited now. */
  async show(step, text) {
    this.step = step;
    if (this.file.kind !== "workflow") return;
    this.run ??= call("runs/list", { path: this.file.path })
      .then((runs) => runs.find((run) => run.hasAnswers) ?? null);
    const run = await this.run;
    if (!run) {
      this.element.replaceChildren();
      return;
    }
    const found = await call("answers/extractors", { run: run.id, step, text });
    if (step !== this.step) return;
    const answers = { file: this.file.path, view: "answers", run: run.id, step };
    this.element.replaceChildren(
      make("p", { class: "pinned" }, "Answers of run ", this.link(answers, {}, run.id), `, ${run.age}. `,
        make("span", { class: "soft" }, "Queries are tried on them; nothing is sent.")),
      found.length === 0
        ? make("p", { class: "soft" }, "The step extracts nothing. Open its answer and click a value.")
        : make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Extractors" }, table(found)),
      make("p", { class: "actions" }, this.link(answers, { class: "button small" }, "Open its answers")));
  }
}

function table(found) {
  return make("table", {},
    make("thead", {}, make("tr", {}, ["Name", "Query", "Finds"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, found.map(({ name, query, finds: { count, sample, error } }) => make("tr", {},
      make("th", { scope: "row" }, make("code", {}, name)), make("td", {}, make("code", {}, query)),
      make("td", {}, error ?? (count === 0 ? tag("warn", "nothing")
        : [make("code", {}, sample.slice(0, 3).join(", ")), count > 1 ? ` (${count})` : ""]))))));
}
