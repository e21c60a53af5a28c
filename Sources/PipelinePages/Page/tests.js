// The view of a file of tests: run them, under many orders of answers, and see what failed.
import { button, icon, make, tag, toast, twin } from "/dom.js";
import { call } from "/rpc.js";
import { quoted } from "/run.js";

export async function showTests(main, file, { link, isReadOnly }) {
  const orders = make("input", { type: "number", id: "orders", min: "1", max: "1000", value: "20" });
  const place = make("div", { class: "livecol", "aria-live": "polite" });
  const command = twin("");
  const show = () => { command.textContent = `pipeline test ${quoted(file.path)}${Number(orders.value) > 1 ? ` --orders ${orders.value}` : ""}`; };
  const begin = make("button", { class: "button primary" }, "Run the tests");
  let isGone = false;
  show();
  main.replaceChildren(make("div", { class: "head" }, make("h1", {}, "Tests"), make("p", { class: "soft" }, file.path)),
    make("form", {
      class: "card form", "aria-label": "Tests", oninput: show, onsubmit: async (event) => {
        event.preventDefault();
        begin.disabled = true;
        try {
          const result = await call("tests/run", { path: file.path, orders: Number(orders.value) });
          if (!isGone) place.replaceChildren(resultCard(result));
        } catch (error) {
          toast(error.message);
        }
        begin.disabled = false;
      },
    }, make("p", {}, "Answers come from the test file or from a recording. Nothing is sent, and no time passes."),
    make("div", { class: "field narrow" }, make("label", { for: "orders" }, "Orders of answers"), orders),
    make("div", { class: "actions" }, !isReadOnly && begin, link({ file: file.path }, { class: "button" }, "To the text")), command), place);

  function resultCard({ status, output, error }) {
    const rows = `${output}\n${error}`.split("\n").filter((row) => row !== "");
    const marks = { "✓": "ok", "✗": "bad" };
    return make("section", { class: "card" }, make("div", { class: "bar" }, make("h2", {}, "Result"),
      tag(status === 0 ? "ok" : "bad", status === 0 ? "all pass" : status === 1 ? "not all pass" : "not run")),
    make("ul", { class: "results" }, rows.map((row) => {
      const mark = marks[row.trimStart()[0]];
      return make("li", {}, mark ? icon(mark) : make("span", {}), make("code", {}, mark ? row.trimStart().slice(1) : row));
    })));
  }

  return { leave() { isGone = true; } };
}
