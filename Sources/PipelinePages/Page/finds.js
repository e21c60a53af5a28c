// What the extractors of a step find in the newest answers of it, and a run of this step only.
import { button, make, tag, toast } from "/dom.js";
import { call, listen } from "/rpc.js";
import { sourceNames, sourceWords } from "/sources.js";

export class Finds {
  /**
   * @param save Writes the text to the disk, and says whether it is there now.
   * @param text Gives the text as it is edited now.
   */
  constructor(file, { link, go, isReadOnly, save, text }) {
    Object.assign(this, { file, link, go, isReadOnly, save, text, step: null, source: null, asked: 0 });
    this.table = make("div", { class: "finds" });
    this.state = make("span", { class: "soft", role: "status" });
    this.begin = button("Run this step", () => this.run().catch((error) => this.end(error.message)), {
      class: "small", title: "Sends its requests, and those of the steps that it needs",
    });
    this.open = make("span", {});
    this.element = make("div", { class: "finds" }, this.table,
      make("p", { class: "actions" }, !isReadOnly && this.begin, this.open, this.state));
  }

  /** @param text As it is edited now. */
  async show(step, text) {
    if (this.file.kind !== "workflow") {
      this.element.replaceChildren();
      return;
    }
    if (step !== this.step && this.source === null) this.state.replaceChildren();
    this.step = step;
    const number = ++this.asked;
    const source = await call("answers/pinned", { path: this.file.path, step });
    if (number !== this.asked) return;
    if (!source) {
      this.table.replaceChildren(make("p", { class: "soft" }, "No answer of this step is kept yet."));
      this.open.replaceChildren();
      return;
    }
    const names = sourceNames(source);
    const found = await call("answers/extractors", { path: this.file.path, ...names, step, text });
    if (number !== this.asked) return;
    const answers = { file: this.file.path, view: "answers", ...names, step };
    this.open.replaceChildren(this.link(answers, { class: "button small" }, "Open its answers"));
    this.table.replaceChildren(
      make("p", { class: "pinned" }, "Answers of ", this.link(answers, {}, sourceWords(source)), ". ",
        make("span", { class: "soft" }, "Queries are tried on them; nothing is sent.")),
      found.length === 0
        ? make("p", { class: "soft" }, "The step extracts nothing. Open its answer and click a value.")
        : make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Extractors" }, table(found)));
  }

  /** Runs the step and those that it needs, of the text as it is. */
  async run() {
    const { file } = this;
    const only = this.step.split(".")[0];
    if (this.source || !await this.save()) return;
    const form = await call("run/form", { path: file.path });
    const isLacking = (input) => input.isRequired && !input.isSet;
    if (form.inputs.some(isLacking)) {
      this.go({ file: file.path, view: "run", only });
      toast("The step needs inputs. Fill them in, and run it.");
      return;
    }
    this.begin.disabled = true;
    this.state.replaceChildren("running…");
    const { run } = await call("run/start", { path: file.path, inputs: {}, environment: "", only });
    const view = { file: file.path, view: "run", run, only };
    this.source = listen(run, (news) => {
      if (news.isRunning) return;
      this.end(tag(news.exit === 0 ? "ok" : "bad", news.exit === 0 ? "succeeded" : "failed"), " ",
        this.link(view, {}, "See the run"));
      this.show(this.step, this.text()).catch(() => {});
    }, (text) => this.end(text));
  }

  end(...words) {
    this.source?.close();
    this.source = null;
    this.begin.disabled = false;
    this.state.replaceChildren(...words);
  }

  /** The run goes on without the view. */
  leave() { this.source?.close(); }
}

function table(found) {
  return make("table", {},
    make("thead", {}, make("tr", {}, ["Name", "Query", "Finds"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, found.map(({ name, query, finds: { count, sample, error } }) => make("tr", {},
      make("th", { scope: "row" }, make("code", {}, name)), make("td", {}, make("code", {}, query)),
      make("td", {}, error ?? (count === 0 ? tag("warn", "nothing")
        : [make("code", {}, sample.slice(0, 3).join(", ")), count > 1 ? ` (${count})` : ""]))))));
}
