// The view of a run: the form before it, and its lanes while it goes on.
import { button, draw, icon, make, put, tag, toast, twin } from "/dom.js";
import { counting } from "/files.js";
import { causes, lanesOf, runState, timeText } from "/live.js";
import { showDrawing, stepIn } from "/drawn.js";
import { inputForm } from "/form.js";
import { testButton } from "/newtest.js";
import { loopCards, outcomeCards } from "/outcome.js";
import { call, drawing } from "/rpc.js";
import { lines, quoted } from "/shell.js";

/** The view of a workflow's runs: `run` is followed, or none. */
export async function showRun(main, file, { run, only, isReadOnly, link, go, isEdited, listen, changed }) {
  const state = { source: null, isGone: false, news: null, marks: new Map() };
  const live = make("div", { class: "livecol" });
  const graph = make("section", { class: "card graphbox", "aria-label": "Steps" });
  const side = make("div", {});
  main.replaceChildren(make("div", { class: "viewhead" }, make("h1", {}, "Run "), make("p", { class: "soft" }, file.path)),
    make("div", { class: isReadOnly ? "" : "runsplit" }, side, live));

  if (!isReadOnly) await showForm();
  if (run) follow(run);
  else await showIdle();

  // ---- The form

  async function showForm() {
    let form;
    try {
      form = await call("run/form", { path: file.path });
    } catch (error) {
      side.replaceChildren(make("section", { class: "card" }, make("h2", {}, "It cannot be run yet"),
        make("pre", { tabindex: "0", class: "wrap" }, lines(error.message)),
        link({ file: file.path }, { class: "button" }, "To the text")));
      return;
    }
    const fields = inputForm(form);
    const logins = make("div", {});
    const showLogins = () => {
      put(logins, (form.logins[fields.chosen.value] ?? []).map((text) => {
        const [reason, command] = text.split(/ (?=pipeline login )/u);
        return make("div", { class: "notice" }, reason[0].toUpperCase() + reason.slice(1), command && twin(command));
      }));
    };
    showLogins();
    state.look = async () => {
      form = await call("run/form", { path: file.path });
      showLogins();
    };
    const part = make("select", { id: "part" }, make("option", { value: "" }, "all steps"),
      form.steps.map((id) => make("option", { value: id, selected: id === only }, id)));
    const shown = make("div", {});
    const begin = make("button", { class: "button primary" }, "Run");
    const plan = button("Plan first", async () => {
      plan.disabled = true;
      try {
        const result = await call("run/plan", {
          path: file.path, inputs: fields.values(), environment: fields.chosen.value,
        });
        shown.replaceChildren(make("h2", {}, result.status === 0 ? "What would be sent" : "This cannot be planned"),
          make("pre", { tabindex: "0" }, lines(result.output + result.error)));
        shown.scrollIntoView({ block: "nearest" });
      } catch (error) {
        toast(error.message);
      }
      plan.disabled = false;
    });
    const command = twin("");
    const words = () => {
      command.textContent = ["pipeline run", quoted(file.path), ...fields.words(),
        ...(part.value ? [`--only ${quoted(part.value)}`] : [])].join(" ");
    };
    const element = make("form", {
      class: "card form", "aria-label": "Inputs", oninput: () => {
        words();
        showLogins();
      }, onsubmit: async (event) => {
        event.preventDefault();
        begin.disabled = true;
        try {
          const started = await call("run/start", {
            path: file.path, inputs: fields.values(), environment: fields.chosen.value, only: part.value,
          });
          fields.forget();
          go({ file: file.path, view: "run", run: started.run, only: part.value || null });
        } catch (error) {
          toast(error.message);
          begin.disabled = false;
        }
      },
    }, make("h2", {}, "Inputs"),
    fields.rows.length ? fields.rows : make("p", { class: "soft" }, "The workflow has no inputs."),
    form.environments.length > 0 && make("div", { class: "field" }, make("label", { for: "environment" }, "Environment"), fields.chosen),
    make("div", { class: "field" }, make("label", { for: "part" }, "Run"), part),
    isEdited() && make("p", { class: "notice" }, "The text has changes that are not saved. What is on the disk is run. ",
      link({ file: file.path }, {}, "To the text")),
    logins, make("div", { class: "actions" }, begin, plan), command, shown);
    words();
    side.replaceChildren(element);
  }

  // ---- Without a run

  async function showIdle() {
    const last = file.run;
    live.replaceChildren(make("section", { class: "card" }, make("h2", {}, "Not running"),
      last ? make("p", {}, "The last run: ", link({ file: file.path, view: "run", run: last.id }, {}, last.id),
        ` ${last.status}, ${last.age}.`) : make("p", { class: "soft" }, "It was not run yet.")), graph);
    await showGraph();
  }

  async function showGraph() {
    const { text } = await call("file/read", { path: file.path });
    const svg = await drawing(file.path, text);
    if (state.isGone || !svg) return;
    showDrawing(graph, svg, (node) => {
      if (run) go({ file: file.path, view: "answers", run, step: node.dataset.step });
    });
    if (state.news?.trace) markGraph(state.news);
  }

  function markGraph({ trace, isRunning }) {
    for (const lane of lanesOf(trace, isRunning)) {
      const node = stepIn(graph, lane.id);
      if (!node || state.marks.get(lane.id) === lane.state.level) continue;
      state.marks.set(lane.id, lane.state.level);
      node.querySelector(".icon")?.remove();
      const box = node.querySelector(".box, .frame");
      const mark = icon(lane.state.level);
      mark.setAttribute("x", Number(box.getAttribute("x")) + Number(box.getAttribute("width")) - 20);
      mark.setAttribute("y", Number(box.getAttribute("y")) + 6);
      mark.setAttribute("width", "14");
      mark.setAttribute("height", "14");
      node.append(mark);
      node.setAttribute("aria-label", `${lane.id}, ${lane.state.word}`);
    }
  }

  // ---- A run

  function follow(id) {
    const head = runHead(id);
    const lanes = make("section", { class: "card", "aria-label": "Time line" });
    const loops = loopCards({ file, id, link });
    const outcome = outcomeCards({ file, id, link });
    live.replaceChildren(head.element, lanes, loops.element, graph, outcome.element);
    showGraph().catch(() => {});
    state.source = listen(id, (news) => {
      // The list of files has the run, too, once it has ended.
      if (!news.isRunning && state.news?.isRunning) changed();
      state.news = news;
      head.show(news);
      if (news.trace) {
        showLanes(lanes, news);
        loops.show(news);
        markGraph(news);
      }
      lanes.hidden = !news.trace;
      outcome.show(news);
    }, (text) => head.element.replaceChildren(make("h2", {}, "This run cannot be followed"), make("p", {}, text)));
  }

  /** The head of a run: facts, which change all the time, and buttons, which stay while they are pressed. */
  function runHead(id) {
    const facts = make("span", { class: "contents" });
    const actions = make("span", { class: "contents" });
    const line = make("div", {});
    const element = make("section", { class: "card" },
      make("div", { class: "bar runhead", role: "status" }, facts, make("span", { class: "grow" }), actions), line);
    let shown = "";
    const show = (news) => {
      const { level, word } = runState(news);
      const { trace } = news;
      const isStopping = state.stopping && news.isRunning;
      facts.replaceChildren(tag(level, isStopping ? "stopping" : word),
        ...[trace && make("b", { class: "num" }, timeText(trace.duration)),
          trace && make("span", { class: "soft num" }, counting(trace.counts.requests, "request"))].filter(Boolean),
        make("code", { class: "soft" }, id));
      line.replaceChildren(...[news.headline && make("p", { class: `callout ${level === "bad" ? "bad" : ""}` }, news.headline)].filter(Boolean));
      const wanted = [news.isRunning, news.isOwn, news.status, news.hasAnswers].join();
      if (wanted === shown) return;
      shown = wanted;
      const isOver = !news.isRunning && news.status;
      actions.replaceChildren(...[
        news.isRunning && news.isOwn && !isReadOnly && button("Stop", async () => {
          state.stopping = true;
          await call("run/stop", { run: id }).catch((error) => toast(error.message));
        }, { class: "danger small" }),
        news.hasAnswers && link({ file: file.path, view: "answers", run: id }, { class: "button small" }, "Answers"),
        isOver && news.hasAnswers && !isReadOnly && testButton(file, { run: id }, { link, changed }),
        isOver && (news.status === "waiting" && !isReadOnly
          ? link({ file: file.path, view: "history", run: id }, { class: "button primary small" }, "Answer")
          : link({ file: file.path, view: "history", run: id }, { class: "button small" }, "In History")),
      ].filter(Boolean));
    };
    return { element, show };
  }

  function showLanes(place, news) {
    const lanes = lanesOf(news.trace, news.isRunning);
    const ticks = [0, 1, 2, 3, 4].map((part) => make("span", { class: `tick t${part}` }, timeText(news.trace.duration * part / 4)));
    const used = new Set(lanes.flatMap((lane) => lane.held.map((part) => part.use)));
    place.replaceChildren(make("h2", {}, "Time line"),
      make("div", { class: "lane axis", "aria-hidden": "true" }, make("span", {}), make("div", { class: "ticks" }, ticks), make("span", {})),
      ...lanes.map((lane) => {
        const words = lane.start === null ? (lane.after.length && news.isRunning ? `waits for ${lane.after.join(", ")}` : lane.state.word)
          : `${lane.state.word}${lane.why ? `, mostly ${lane.why}` : ""}`;
        return make("div", { class: "lane" },
          make("div", { class: `who in${Math.min(lane.depth, 4)}` }, icon(lane.state.level), make("b", {}, lane.name), make("small", {}, words)),
          track(lane, words), make("span", { class: "n" }, lane.time));
      }),
      used.size > 0 ? make("ul", { class: "legend" }, [...used].map((use) =>
        make("li", {}, make("i", { class: `key ${use}` }), causes[use]))) : "");
  }

  function track(lane, words) {
    const percent = (part) => (part * 100).toFixed(2);
    const svg = draw("svg", {
      class: "track", role: "img", preserveAspectRatio: "none", viewBox: "0 0 100 20",
      "aria-label": `${lane.id}: ${words}${lane.held.map((part) => `, ${causes[part.use]} ${timeText(part.time)}`).slice(0, 8).join("")}`,
    });
    if (lane.start !== null) {
      svg.append(draw("rect", { class: `work ${lane.state.level}`, x: percent(lane.left), y: 0, width: percent(Math.max(lane.width, 0.004)), height: 12 }));
      for (const part of lane.held) {
        svg.append(draw("rect", { class: part.use, x: percent(part.left), y: 14, width: percent(Math.max(part.width, 0.003)), height: 6 }));
      }
    }
    return svg;
  }

  return {
    /** The window has the focus again: somebody may have logged in. */
    look: () => state.look?.().catch(() => {}),
    leave() {
      state.isGone = true;
      state.source?.close();
    },
  };
}
