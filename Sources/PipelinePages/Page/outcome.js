// What became of a run so far: its loops, failures, outputs and messages. Each has an element that
// stays while news come, so that a click never meets one that has just gone.
import { draw, icon, keep, make, put } from "/dom.js";
import { counting } from "/files.js";
import { countText, failuresOf, loopsOf } from "/live.js";
import { lines } from "/shell.js";

/** The most kinds of failures that are listed. */
const most = 12;

/** The bars of a run's loops. */
export function loopCards({ file, id, link }) {
  const element = make("div", { class: "livecol" });
  const shown = keep(element, (loop) => loopCard(loop, { file, id, link }));
  return {
    element,
    show(news) { shown(loopsOf(news.trace).map((loop) => [loop.id, { loop, news }])); },
  };
}

function loopCard({ loop: { id: step } }, { file, id, link }) {
  const total = make("span", { class: "soft" });
  const counts = make("div", { class: "counts" });
  const failed = link({ file: file.path, view: "answers", run: id, step, filter: "failed" },
    { class: "button small", hidden: true }, "Failed items");
  const meter = draw("svg", { class: "meter", viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" });
  const strip = draw("svg", { class: "strip", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img" });
  const element = make("section", { class: "card loop", "aria-label": `Loop ${step}` },
    make("div", { class: "bar" }, make("h2", {}, step, " ", total), counts, failed), meter, strip);
  return {
    element,
    show({ loop, news }) {
      put(total, counting(loop.total, "item").replace(/^\d+/u, countText(loop.total)));
      put(counts, countsOf(loop, news));
      failed.hidden = loop.bad === 0 || !news.hasAnswers;
      put(meter, partsOf(loop));
      strip.toggleAttribute("hidden", loop.bad === 0);
      showStrip(strip, loop.strip);
    },
  };
}

function countsOf(loop, { isRunning }) {
  return [
    make("span", {}, icon("ok"), make("b", {}, countText(loop.good)), " done"),
    loop.bad > 0 && make("span", {}, icon("bad"), make("b", {}, countText(loop.bad)), " failed"),
    loop.left > 0 && make("span", {}, icon(isRunning ? "run" : "idle"), make("b", {}, countText(loop.left)),
      isRunning ? " under way or to come" : " not done"),
    loop.retries > 0 && make("span", {}, countText(loop.retries), " retries"),
  ];
}

function partsOf(loop) {
  const share = (count) => (loop.total > 0 ? count / loop.total * 100 : 0).toFixed(2);
  return [
    draw("rect", { class: "ok", x: 0, y: 0, width: share(loop.good), height: 14 }),
    draw("rect", { class: "bad", x: share(loop.good), y: 0, width: share(loop.bad), height: 14 }),
  ];
}

function showStrip(strip, values) {
  const width = values.length ? 100 / values.length : 0;
  strip.setAttribute("aria-label",
    `When items failed: ${values.filter((value) => value > 0).length} of ${values.length} parts of the time have failures`);
  put(strip, values.map((value, number) => draw("rect", {
    class: value < 0 ? "none" : value === 0 ? "h0" : value < 0.1 ? "h1" : value < 0.5 ? "h2" : "h3",
    x: (number * width).toFixed(2), y: 0, width: width.toFixed(2), height: 10,
  })));
}

/** The failures of a run, what it gave, and what it said. */
export function outcomeCards({ file, id, link }) {
  const heading = make("h2", {});
  const list = make("ul", { class: "failures" });
  const failures = make("section", { class: "card", hidden: true }, heading, list);
  const outputs = textCard("Outputs", "");
  const messages = textCard("Messages", "wrap");
  const shown = keep(list, (failure) => failureRow(failure, { file, id, link }));
  return {
    element: make("div", { class: "livecol" }, failures, outputs.element, messages.element),
    show(news) {
      const groups = news.trace ? failuresOf(news.trace) : [];
      failures.hidden = groups.length === 0;
      put(heading, counting(news.trace?.failureCount || groups.length, "failure"));
      shown(groups.slice(0, most).map((group) => [group.key, { group, news }]));
      outputs.show(news.outputs);
      messages.show(news.exit !== 0 || !news.trace ? news.messages : "");
    },
  };
}

function failureRow({ group }, { file, id, link }) {
  const facts = make("span", {});
  const state = make("span", { class: "contents" });
  const toText = group.line && link(
    { file: file.path, place: { line: group.line - 1, character: (group.column ?? 1) - 1 } }, { class: "button small" }, "To the text");
  const toAnswer = link({ file: file.path, view: "answers", run: id, step: group.step, filter: "failed" },
    { class: "button small", hidden: true }, "Its answer");
  return {
    element: make("li", {}, state, facts, make("span", { class: "actions" }, toText, toAnswer)),
    show({ group: { isRecovered, step, message, count, method, url, status }, news }) {
      put(state, icon(isRecovered ? "warn" : "bad"));
      put(facts, make("b", {}, step), ` ${message}`, count > 1 && ` (${count} times)`,
        url && make("code", { class: "block soft" }, `${method} ${url}${status ? ` → ${status}` : ""}`));
      toAnswer.hidden = !news.hasAnswers;
    },
  };
}

function textCard(title, kind) {
  const text = make("pre", { tabindex: "0", class: kind });
  const element = make("section", { class: "card", hidden: true }, make("h2", {}, title), text);
  let shown = "";
  return {
    element,
    show(next) {
      element.hidden = !next;
      if (next === shown) return;
      shown = next;
      put(text, lines(next ?? ""));
    },
  };
}
