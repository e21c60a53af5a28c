// The view of the runs of a workflow: what happened, what is left to do, and two of them compared.
import { button, icon, make, tag, toast, twin } from "/dom.js";
import { counting } from "/files.js";
import { runState, stateOf, timeText, waitsOf, causes, countText } from "/live.js";
import { call } from "/rpc.js";
import { testButton } from "/newtest.js";
import { inputForm } from "/form.js";
import { lines, quoted } from "/shell.js";

export async function showHistory(main, file, { view, link, go, isReadOnly, changed }) {
  const runs = await call("runs/list", { path: file.path });
  const head = make("div", { class: "viewhead" }, make("h1", {}, "History"), make("p", { class: "soft" }, file.path));
  if (runs.length === 0) {
    main.replaceChildren(head, make("div", { class: "empty" }, make("h2", {}, "It was not run yet"),
      make("p", {}, "Runs are kept for 14 days."), link({ file: file.path, view: "run" }, { class: "button primary" }, "Run")));
    return { leave() {} };
  }
  const chosen = runs.find((run) => run.id === view.run) ?? runs[0];
  const other = runs.find((run) => run.id === view.other);
  const picked = new Set([chosen.id, ...(other ? [other.id] : [])]);
  const compare = button("Compare", () => {
    const [a, b] = runs.filter((run) => picked.has(run.id)).map((run) => run.id);
    go({ file: file.path, view: "history", run: a, other: b });
  }, { class: "small", disabled: true });
  const note = make("span", { class: "soft" });
  const tell = () => {
    compare.disabled = picked.size !== 2;
    note.textContent = picked.size === 2 ? "" : "Tick two runs to compare them.";
  };
  tell();
  const list = make("section", { class: "card list", "aria-label": "Runs" }, make("div", { class: "bar pickbar" }, compare, note),
    make("ul", { class: "rows runs" }, runs.map((run) => {
      const { level, word } = runState({ ...run, isRunning: run.status === "running" });
      return make("li", { class: run === chosen && !other ? "current" : null },
        make("input", {
          type: "checkbox", checked: picked.has(run.id), "aria-label": `Compare run ${run.id}`, onchange: (event) => {
            if (event.target.checked) picked.add(run.id);
            else picked.delete(run.id);
            tell();
          },
        }),
        link({ file: file.path, view: "history", run: run.id }, { "aria-current": run === chosen && !other ? "true" : null },
          make("span", { class: "bar" }, icon(level), make("code", {}, run.id), make("span", { class: "grow" }), make("span", { class: "soft" }, run.age)),
          make("span", { class: "soft" }, `${word}, ${run.duration === null ? "" : `${timeText(run.duration)}, `}${counting(run.requests, "request")}${run.failed ? `, ${run.failed} failed` : ""}`)));
    })));
  const place = make("div", { class: "livecol" });
  main.replaceChildren(head, make("div", { class: "historysplit" }, list, place));
  if (other) await showComparison();
  else await showOne();
  return { leave() {} };

  // ---- One run

  async function showOne() {
    const isRunning = chosen.status === "running";
    const { level, word } = runState({ ...chosen, isRunning });
    // A journal may be large: what its summary knows is shown before it is read.
    const rest = make("div", { class: "livecol" }, make("p", { class: "soft" }, "Reading the journal…"));
    place.replaceChildren(
      make("section", { class: "card" }, make("div", { class: "bar" }, make("h2", {}, "Run ", make("code", {}, chosen.id)), tag(level, word), make("span", { class: "grow" }),
        link({ file: file.path, view: "run", run: chosen.id }, { class: "button small" }, "Time line"),
        chosen.hasAnswers && link({ file: file.path, view: "answers", run: chosen.id }, { class: "button small" }, "Answers"),
        chosen.hasAnswers && !isRunning && !isReadOnly && testButton(file, { run: chosen.id }, { link, changed }),
        !isRunning && make("a", { class: "button small", href: `/report?run=${chosen.id}`, download: `run-${chosen.id}.html` }, "Report"),
        !isRunning && !isReadOnly && button("Delete", remove, { class: "small danger" })),
      make("p", { class: "soft" }, [`Started ${chosen.started}`, chosen.duration === null ? null : `Took ${timeText(chosen.duration)}`,
        counting(chosen.requests, "request")].filter(Boolean).join(" · ")),
      rest, twin(`pipeline runs show ${chosen.id}`)));
    const result = await call("runs/show", { run: chosen.id });
    let known = null;
    try { known = JSON.parse(result.output); } catch { /* What was written says why. */ }
    const doubts = known?.inDoubt ?? [];
    rest.replaceChildren(...[
      known?.processes > 1 && make("p", { class: "soft" }, `${known.processes} processes carried it out.`),
      result.status !== 0 && make("pre", { class: "wrap", tabindex: "0" }, lines(result.error)),
      known && steps(known), known?.failures?.length > 0 && failures(known.failures)].filter(Boolean));
    if ((!isRunning && chosen.status !== "succeeded") || doubts.length) place.append(await resumeCard(doubts, known?.questions ?? []));
  }

  async function remove() {
    const result = await call("runs/delete", { run: chosen.id }).catch((error) => ({ status: 1, error: error.message }));
    if (result.status !== 0) {
      toast(result.error);
      return;
    }
    await changed();
    toast(`Run ${chosen.id} is deleted.`);
    go({ file: file.path, view: "history" });
  }

  function steps(known) {
    if (!known.steps?.length) return make("p", { class: "soft" }, "It sent nothing.");
    return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Steps" }, make("table", {},
      make("thead", {}, make("tr", {}, ["Step", "Done", "Failed", "Half took up to", "95 % up to", "Slowest"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, known.steps.map((step) => make("tr", {}, make("th", { scope: "row" }, make("code", {}, step.step)),
        make("td", { class: "num" }, countText(step.done)), make("td", { class: "num" }, step.failed ? countText(step.failed) : ""),
        ...["p50Milliseconds", "p95Milliseconds", "maxMilliseconds"].map((name) => make("td", { class: "num" }, step[name] === undefined ? "" : timeText(step[name] * 1000))))))));
  }

  function failures(found) {
    return make("div", {}, make("h3", {}, counting(found.length, "failure")), make("ul", { class: "failures" },
      found.slice(0, 20).map((failure) => make("li", {}, icon("bad"), make("span", {}, make("b", {}, failure.unit), ` ${failure.message}`)))));
  }

  // ---- Going on

  async function resumeCard(doubts, questions) {
    if (isReadOnly) return make("section", { class: "card" }, make("h2", {}, "Going on"), twin(`pipeline resume ${chosen.id}`));
    let form = null;
    try { form = await call("run/form", { path: file.path }); } catch { /* The text has errors: resume says which. */ }
    const fields = form ? inputForm(form, { secretsOnly: true }) : null;
    const ways = new Map();
    const answers = new Map();
    const secrets = new Set(questions.flatMap((question) => question.answers
      .filter((answer) => answer.secret).map((answer) => `${question.name}.${answer.name}`)));
    const begin = make("button", { class: "button primary" }, "Resume");
    const state = make("span", { class: "soft", role: "status" });
    const command = twin("");
    const show = () => {
      begin.disabled = ways.size < doubts.length;
      state.textContent = doubts.length ? `${ways.size} of ${doubts.length} decided` : "";
      command.textContent = [`pipeline resume ${chosen.id}`, ...[...ways].map(([unit, way]) => `--settle ${quoted(`${unit}=${way}`)}`),
        ...[...answers].map(([name, text]) => `--answer ${quoted(`${name}=${secrets.has(name) ? "•••" : text}`)}`)].join(" ");
    };
    const asked = questions.map((question) => make("li", {}, make("p", {}, question.text),
      make("p", { class: "soft" }, `Step ${question.step} asks. It takes an answer until ${new Date(question.expiresAt * 1000).toLocaleString()}.`),
      question.answers.map((answer) => answerField(`${question.name}.${answer.name}`, answer, (name, text) => {
        if (text) answers.set(name, text); else answers.delete(name);
        show();
      }))));
    const rows = doubts.map((doubt, number) => {
      const values = make("input", { type: "text", placeholder: "{ } what it extracts, as JSON", "aria-label": `What ${doubt.unit} extracts`, hidden: true, spellcheck: "false", oninput: () => take("done") });
      const take = (way) => {
        values.hidden = way !== "done";
        ways.set(doubt.unit, way === "done" && values.value.trim() ? values.value.trim() : way);
        show();
      };
      return make("li", {}, make("div", { class: "bar" }, icon("doubt"), make("b", {}, doubt.unit), make("code", {}, `${doubt.method} ${doubt.url}`)),
        make("p", { class: "soft" }, `Sent ${doubt.time}; no answer came.`, doubt.item ? ` Item: ${doubt.item}` : ""),
        doubt.body && make("pre", { tabindex: "0", class: "wrap" }, lines(doubt.body)),
        make("fieldset", { class: "actions" }, make("legend", { class: "sr" }, `What became of ${doubt.unit}`),
          [["again", "Send it again"], ["done", "It was carried out"], ["skip", "Leave it out"]].map(([way, label]) => make("label", { class: "choice" },
            make("input", { type: "radio", name: `doubt-${number}`, onchange: () => take(way) }), label))),
        values);
    });
    show();
    return make("form", {
      class: "card form", "aria-label": "Go on", onsubmit: async (event) => {
        event.preventDefault();
        begin.disabled = true;
        try {
          await call("run/resume", { run: chosen.id, inputs: fields?.values() ?? {}, settle: Object.fromEntries(ways), answers: Object.fromEntries(answers) });
          fields?.forget();
          go({ file: file.path, view: "run", run: chosen.id });
        } catch (error) {
          toast(error.message);
          begin.disabled = false;
        }
      },
    }, make("h2", {}, questions.length ? "It waits for an answer" : doubts.length ? counting(doubts.length, "request") + " in doubt" : "Go on"),
    make("p", {}, doubts.length
      ? "These requests must not be sent twice, and may have arrived. Nothing is sent before each is decided."
      : "What was carried out is not sent again, also after you have edited the text."),
    doubts.length > 0 && make("ul", { class: "doubts" }, rows),
    asked.length > 0 && make("ul", { class: "doubts" }, asked), fields?.rows,
    make("div", { class: "actions" }, begin, state), command);
  }

  /** A field for one answer: a choice where few values are allowed, else a text. */
  function answerField(name, answer, change) {
    const allowed = answer.enum ?? (answer.type === "boolean" ? [true, false] : null);
    const words = (value) => (value === true ? "Yes" : value === false ? "No" : String(value));
    const take = (event) => change(name, event.target.value);
    const field = allowed
      ? make("select", { onchange: take }, make("option", { value: "" }, ""),
        allowed.map((value) => make("option", { value: String(value) }, words(value))))
      : make("input", { type: answer.secret ? "password" : "text", spellcheck: "false", oninput: take });
    const note = answer.default !== undefined ? `Left empty: ${words(answer.default)}.` : answer.optional ? "May be left empty." : "";
    return make("label", { class: "field" }, make("span", {}, make("b", {}, answer.name), ` ${answer.secret ? "secret" : answer.type}`,
      answer.description && ` · ${answer.description}`), field, note && make("span", { class: "note" }, note));
  }

  // ---- Two runs

  async function showComparison() {
    const [a, b] = [chosen, other];
    const both = await call("runs/compare", { run: a.id, other: b.id });
    const ignored = view.ignored;
    const isIgnored = (item) => ignored.some((path) => `${item.step}${item.path.slice(1)}`.startsWith(path));
    const values = both.values.filter((item) => !isIgnored(item));
    const named = (run, letter) => make("p", {}, make("b", {}, letter), " ", link({ file: file.path, view: "history", run: run.id }, {}, run.id),
      ` ${run.age}, ${run.status}, ${run.duration === null ? "" : timeText(run.duration)}, ${counting(run.requests, "request")}`);
    const ids = [...new Set([...(both.a?.steps ?? []), ...(both.b?.steps ?? [])].map((step) => step.id))];
    const cell = (trace, id) => {
      const step = trace?.steps.find((item) => item.id === id);
      if (!step) return ["", "", ""];
      const [most] = waitsOf(step);
      return [stateOf(step, false).word, step.start === undefined || step.end === undefined ? "" : timeText(step.end - step.start), most ? causes[most[0]] : ""];
    };
    place.replaceChildren(make("section", { class: "card" }, make("h2", {}, "Two runs"), named(a, "A"), named(b, "B"),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Steps of both" }, make("table", {},
        make("thead", {}, make("tr", {}, ["Step", "A", "Time", "B", "Time", "Mostly"].map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ids.map((id) => {
          const [x, y] = [cell(both.a, id), cell(both.b, id)];
          return make("tr", {}, make("th", { scope: "row" }, make("code", {}, id)), make("td", {}, x[0]), make("td", { class: "num" }, x[1]),
            make("td", { class: x[0] === y[0] ? null : "differs" }, y[0]), make("td", { class: "num" }, y[1]), make("td", {}, x[2] === y[2] ? x[2] : `${x[2]} → ${y[2]}`));
        }))))),
    make("section", { class: "card" }, make("h2", {}, values.length ? counting(values.length, "value") + (values.length === 1 ? " differs" : " differ") : "No value differs"),
      make("p", { class: "soft" }, "The values that each step extracted last. Secrets are not compared."),
      values.length > 0 && make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values" }, make("table", {},
        make("thead", {}, make("tr", {}, ["Value", "A", "B", "Ignore"].map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, values.map((item) => make("tr", {}, make("th", { scope: "row" }, make("code", {}, `${item.step}${item.path.slice(1)}`)),
          make("td", {}, make("code", {}, item.a ?? "–")), make("td", {}, make("code", {}, item.b ?? "–")),
          make("td", {}, button("Ignore", () => go({ ...view, file: file.path, view: "history", run: a.id, other: b.id, ignored: [...ignored, `${item.step}${item.path.slice(1)}`] }),
            { class: "small", "aria-label": `Ignore ${item.step}${item.path.slice(1)}` }))))))),
      ignored.length > 0 && make("p", { class: "bar" }, "Ignored: ", ignored.map((path) => make("span", { class: "chip" }, make("code", {}, path),
        button("×", () => go({ ...view, file: file.path, view: "history", run: a.id, other: b.id, ignored: ignored.filter((item) => item !== path) }), { class: "small quiet", "aria-label": `Compare ${path} again` }))))));
  }
}
