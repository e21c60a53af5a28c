// The view of a run's answers: step → items → request and response, and a value → an extractor.
import { button, closePopup, icon, make, tag, toast } from "/dom.js";
import { counting } from "/files.js";
import { Items, nameOf } from "/items.js";
import { openRows, rowsOf } from "/json.js";
import { countText } from "/live.js";
import { testButton } from "/newtest.js";
import { call } from "/rpc.js";
import { lines } from "/shell.js";
import { isSameSource, sourceNames, sourceWords } from "/sources.js";
import { takeValue } from "/taking.js";
import { stepsOf } from "/text.js";
import { VirtualList } from "/virtual.js";

/** @param text Gives the text of the file as it is edited now, and takes another one. */
export async function showAnswers(main, file, { view, link, go, text, isReadOnly, changed }) {
  const sources = await call("answers/sources", { path: file.path });
  const asked = view.recording || view.run ? { recording: view.recording, run: view.run } : sources[0];
  const head = [make("div", { class: "viewhead" }, make("h1", {}, "Answers"), make("p", { class: "soft" }, file.path))];
  if (!asked) {
    main.replaceChildren(...head, make("div", { class: "empty" }, make("h2", {}, "No answers are kept yet"),
      make("p", {}, "Run the workflow here, and what it receives can be looked at and extracted. A run of the terminal keeps its answers with --keep-answers, and a recording beside the file is shown, too."),
      make("p", {}, link({ file: file.path, view: "run" }, { class: "button primary" }, "Run"))));
    return { leave() {} };
  }
  const source = sources.find((item) => isSameSource(item, asked)) ?? asked;
  const names = { path: file.path, ...sourceNames(source) };
  const place = { file: file.path, view: "answers", ...sourceNames(source) };
  // A recording that has no index yet is read as a whole.
  const reading = setTimeout(() => main.replaceChildren(...head, make("p", { class: "soft" }, "Reading the recording…")), 300);
  const steps = await inOrder(await call("answers/steps", names).finally(() => clearTimeout(reading)));
  const chosen = steps.find((step) => step.step === view.step) ?? steps.find((step) => step.step !== "") ?? steps[0];
  const state = { isGone: false };
  const canTest = !isReadOnly && (source.recording || source.status);
  const banner = make("div", { class: "pinned bar" }, make("span", {}, "Answers of ",
    source.run ? link({ file: file.path, view: "run", run: source.run }, {}, sourceWords(source)) : make("b", {}, sourceWords(source)), ". ",
    make("span", { class: "soft" }, "Queries are tried on them; nothing is sent.")), make("span", { class: "grow" }),
  canTest && testButton(file, source, { link, changed }),
  sources.length > 1 && make("select", {
    "aria-label": "Other answers", onchange: (event) => go({ file: file.path, view: "answers", ...sourceNames(sources[event.target.value]), step: chosen?.step }),
  }, sources.map((item, number) => make("option", { value: number, selected: item === source }, sourceWords(item)))));
  if (!chosen) {
    main.replaceChildren(...head, banner, make("p", {}, "Nothing was sent."));
    return { leave() {} };
  }
  const nav = make("nav", { class: "card steplist", "aria-label": "Steps" }, steps.map((step) => link(
    { ...place, step: step.step },
    { "aria-current": step === chosen ? "true" : null },
    icon(step.failed ? "bad" : "ok"), make("span", {}, make("b", {}, step.step || "no step"),
      make("span", { class: "soft" }, counting(step.count, "answer").replace(/^\d+/u, countText(step.count)),
        step.failed ? `, ${countText(step.failed)} failed` : "")))));
  const items = new Items({
    names, step: chosen, onlyBad: view.filter === "failed", say,
    choose: (number) => open(number).catch(say),
  });
  const detail = make("section", { class: "card detail", "aria-label": "Request and response" });
  const isSingle = chosen.count === 1;
  main.replaceChildren(...head, banner, make("div", { class: isSingle ? "answersplit single" : "answersplit" }, nav,
    !isSingle && items.element, detail));
  await items.reload(view.row);

  /** The steps as the text has them. In a recording they are sorted by their names. */
  async function inOrder(found) {
    try {
      const symbols = await call("textDocument/documentSymbol", { path: file.path, text: await text.get(), more: {} });
      const order = new Map(stepsOf(symbols).map((step, number) => [step.path, number]));
      return found.toSorted((a, b) => (order.get(a.step) ?? order.size) - (order.get(b.step) ?? order.size));
    } catch {
      return found;
    }
  }

  function say(error) { toast(error.message); }

  // ---- One answer

  /** @param number The answer's place in the list; null if the list is empty. */
  async function open(number) {
    if (number === null) {
      detail.replaceChildren(make("p", { class: "soft" }, "No answer matches."));
      return;
    }
    const row = await items.at(number);
    if (!row || state.isGone) return;
    items.row = row.row;
    history.replaceState(null, "", link({ ...place, filter: view.filter, step: chosen.step, row: row.row }, {}).getAttribute("href"));
    const answer = await call("answers/one", { ...names, row: row.row });
    if (state.isGone || items.row !== row.row) return;
    const { response } = answer;
    const isBad = row.status === null || row.status >= 400;
    detail.replaceChildren(
      make("div", { class: "bar" },
        make("h2", { class: "path" }, make("b", {}, chosen.step || "no step"), ` ${nameOf(row)} `, make("code", {}, `${row.method} ${row.url}`)),
        make("span", { class: "grow" }),
        items.total > 1 && button("‹", () => items.move(-1), { class: "small", "aria-label": "The answer before" }),
        items.total > 1 && button("›", () => items.move(1), { class: "small", "aria-label": "The next answer" })),
      make("div", { class: "bar" },
        tag(isBad ? "bad" : "ok", row.status === null ? "no answer" : `${row.status}`),
        response && make("span", { class: "soft num" }, `${countText(response.bytes)} bytes`),
        row.attempt > 1 && make("span", { class: "soft" }, `attempt ${row.attempt}`),
        row.page > 0 && make("span", { class: "soft" }, `page ${row.page + 1}`)),
      make("details", {}, make("summary", {}, "Request, as it was sent"), fields("Header fields of the request", answer.headers),
        answer.body !== null ? make("pre", { tabindex: "0" }, lines(answer.body)) : make("p", { class: "soft" }, "It had no body.")),
      response && make("details", {}, make("summary", {}, "Header fields of the response"), fields("Header fields of the response", response.headers)),
      ...body(answer, row));
  }

  function fields(label, list) {
    return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
      make("table", {}, make("tbody", {}, list.map(({ name, value }) =>
        make("tr", {}, make("th", { scope: "row" }, make("code", {}, name)), make("td", {}, make("code", {}, value)))))));
  }

  function body(answer, row) {
    if (answer.failure) return [make("p", { class: "notice" }, answer.failure)];
    const { response } = answer;
    if (response.text === null) return [make("p", { class: "soft" }, "The body is not text.")];
    if (response.text === "") return [make("p", { class: "soft" }, "The body is empty.")];
    if (!response.isJSON) {
      return [response.isCut && make("p", { class: "notice" }, "The body is longer than what is shown."),
        make("pre", { class: "whole wrap", tabindex: "0", "aria-label": "Body" }, lines(response.text))];
    }
    return tree(response.text, row);
  }

  // ---- The body as a tree

  function tree(source, row) {
    const rows = rowsOf(source);
    const closed = new Set(rows.filter((item) => item.depth > 0 && item.count > 200).map((item) => item.path));
    let marks = new Set();
    let shown = openRows(rows, closed);
    const view = new VirtualList({
      label: "Body", role: "listbox", height: 22,
      row: (number) => {
        const item = rows[shown[number]];
        return make("div", { class: `node d${Math.min(item.depth, 12)} ${marks.has(item.path) ? "found" : ""}`, role: "option" },
          make("span", { class: "fold", "aria-hidden": "true" }, item.count ? (closed.has(item.path) ? "▸" : "▾") : ""),
          item.key !== null && make("span", { class: item.isPosition ? "position" : "key" }, `${item.key}: `),
          value(item), marks.has(item.path) && make("span", { class: "found-mark" }, "← found"));
      },
      choose: (number, event) => {
        const item = rows[shown[number]];
        if (item.count > 0 && (event.target.closest?.(".fold") || isReadOnly)) fold(item);
        else pick(item, row, (paths) => {
          marks = new Set(paths);
          view.refresh();
        }, view);
      },
    });
    function fold(item) {
      if (closed.has(item.path)) closed.delete(item.path);
      else closed.add(item.path);
      shown = openRows(rows, closed);
      view.set(shown.length);
    }
    view.element.classList.add("tree");
    view.element.addEventListener("keydown", (event) => {
      const item = rows[shown[view.active]];
      const isClosed = closed.has(item?.path);
      if (item?.count > 0 && ((event.key === "ArrowLeft" && !isClosed) || (event.key === "ArrowRight" && isClosed))) {
        event.preventDefault();
        fold(item);
      }
    });
    queueMicrotask(() => view.set(shown.length, 0));
    return [!isReadOnly && make("p", { class: "hint soft" }, "Click a value, or press Enter on it, to extract it. Left and right close and open."), view.element];
  }

  function value(item) {
    if (item.kind === "list") return make("span", { class: "soft" }, `[${counting(item.count, "element")}]`);
    if (item.kind === "object") return make("span", { class: "soft" }, `{${counting(item.count, "member")}}`);
    const text = item.value.length > 400 ? `${item.value.slice(0, 400)}…` : item.value;
    return make("span", { class: `value ${item.kind}` }, item.kind === "text" ? `"${text}"` : text);
  }

  /** A value becomes an extractor. */
  async function pick(item, row, mark, view) {
    if (isReadOnly) return;
    const box = view.kept.get(view.active)?.getBoundingClientRect() ?? view.element.getBoundingClientRect();
    try {
      await takeValue({
        file, answer: { ...names, row: row.row }, at: item.path, text, mark, link,
        place: { x: box.left + 320, y: box.bottom + 4, back: view.element },
      });
    } catch (error) {
      say(error);
    }
  }

  return {
    leave() {
      state.isGone = true;
      items.leave();
      closePopup();
    },
  };
}
