// The view of tests: run them, under many orders of answers, or against the server; see what failed.
import { button, icon, make, tag, toast, twin } from "/dom.js";
import { counting } from "/files.js";
import { testButton } from "/newtest.js";
import { call } from "/rpc.js";
import { lines, quoted } from "/shell.js";
import { sourceWords } from "/sources.js";

/**
 * @param file A test file, or a workflow.
 * @param files The test files that are run.
 * @param folder The path of the folder from the root.
 */
export async function showTests(main, file, files, { link, isReadOnly, folder, changed }) {
  const orders = make("input", { type: "number", id: "orders", min: "1", max: "1000", value: "20" });
  const place = make("div", { class: "livecol", "aria-live": "polite" });
  const command = twin("");
  const show = () => {
    command.textContent = `pipeline test ${files.map((item) => quoted(item.path)).join(" ")}${Number(orders.value) > 1 ? ` --orders ${orders.value}` : ""}`;
  };
  let isGone = false;
  show();
  const begin = make("button", { class: "button primary" }, "Run the tests");
  const live = button("Compare with the server", () => run(true), {
    title: "pipeline test --live: sends the requests of the tests",
  });
  const head = make("div", { class: "viewhead" }, make("h1", {}, "Tests"), make("p", { class: "soft" }, file.path));
  if (files.length === 0) main.replaceChildren(head, await emptyCard());
  else {
    main.replaceChildren(head, make("form", {
      class: "card form", "aria-label": "Tests", oninput: show, onsubmit: (event) => {
        event.preventDefault();
        run(false);
      },
    }, file.kind === "workflow" && make("ul", {}, files.map((item) => make("li", {},
      link({ file: item.path }, {}, item.path), make("span", { class: "soft" }, ` ${counting(item.tests, "test")}`)))),
    make("p", {}, "Answers come from the test file or from a recording. Nothing is sent, and no time passes."),
    make("div", { class: "field narrow" }, make("label", { for: "orders" }, "Orders of answers"), orders),
    make("div", { class: "actions" }, !isReadOnly && begin, !isReadOnly && live,
      file.kind === "tests" && link({ file: file.path }, { class: "button" }, "To the text"),
      file.kind === "tests" && file.of && link({ file: file.of }, { class: "button" }, "To the workflow")),
    !isReadOnly && make("p", { class: "note" }, "To compare with the server, the requests are sent, and what the answers no longer have, newly have, or have in another type is shown as drift."),
    command), place);
  }
  return { leave() { isGone = true; } };

  /** A workflow without tests: its answers can become one. */
  async function emptyCard() {
    const [source] = await call("answers/sources", { path: file.path })
      .then((all) => all.filter((item) => item.recording || item.status));
    return make("div", { class: "empty" }, make("h2", {}, "It has no tests yet"),
      make("p", {}, source ? `${sourceWords(source)[0].toUpperCase()}${sourceWords(source).slice(1)} can become one.`
        : "Run it, and its answers can become a test."),
      make("p", {}, source && !isReadOnly ? testButton(file, source, { link, changed })
        : link({ file: file.path, view: "run" }, { class: "button primary" }, "Run")));
  }

  async function run(isLive) {
    begin.disabled = live.disabled = true;
    place.replaceChildren(make("p", { class: "soft" }, isLive ? "The requests are sent…" : "The tests run…"));
    try {
      const result = await call("tests/run", { path: file.path, orders: Number(orders.value), isLive });
      if (!isGone) place.replaceChildren(...resultCards(result, isLive));
    } catch (error) {
      place.replaceChildren();
      toast(error.message);
    }
    begin.disabled = live.disabled = false;
  }

  function resultCards({ status, output, error }, isLive) {
    let known = null;
    try { known = JSON.parse(output); } catch { /* What was written says why. */ }
    const broken = known?.files.filter((item) => item.isBroken) ?? [];
    const problem = (!known || broken.length > 0) && make("section", { class: "card" },
      make("div", { class: "bar" }, make("h2", {}, "Not run"), tag("bad", known ? counting(broken.length, "file") : "no result")),
      make("pre", { tabindex: "0", class: "wrap" }, lines(short(error))),
      broken.map((item) => link({ file: pathOf(item.file) }, { class: "button small" }, `To ${pathOf(item.file)}`)));
    if (!known || broken.length === known.files.length) return [problem];
    const tests = known.files.flatMap((item) => item.tests.map((test) => ({ ...test, path: pathOf(item.file) })));
    const drifted = tests.filter(hasDrifted).length;
    const failed = tests.filter((test) => !test.passed).length - drifted;
    const runs = tests.reduce((sum, test) => sum + test.runs, 0);
    const skipped = known.files.flatMap((item) => item.skipped);
    const words = [failed > 0 && `${failed} failed`, drifted > 0 && `${drifted} drifted`].filter(Boolean);
    const word = words.join(", ") || (isLive ? "no drift" : "all pass");
    const level = failed > 0 ? "bad" : drifted > 0 ? "warn" : status === 0 ? "ok" : "bad";
    return [problem, make("section", { class: "card" },
      make("div", { class: "bar" }, make("h2", {}, "Result"), tag(level, word),
        make("span", { class: "soft num" }, `${counting(tests.length, "test")}${isLive ? ", sent" : `, ${counting(runs, "run")}`}`)),
      make("ul", { class: "results" }, tests.map(testRow),
        skipped.map((name) => make("li", {}, icon("skip"), make("div", {}, make("b", {}, name),
          make("p", { class: "soft" }, "It has failures or values of its own, so it is not sent."))))),
      known.notTested.length > 0 && make("div", { class: "coverage" }, make("h3", {}, "Not tested"),
        make("ul", {}, known.notTested.map((row) => make("li", { class: "soft" }, short(row))))))].filter(Boolean);
  }

  function testRow(test) {
    const level = test.passed ? "ok" : hasDrifted(test) ? "warn" : "bad";
    return make("li", {}, icon(level), make("div", {},
      make("b", {}, test.name), test.runs > 1 && make("span", { class: "soft" }, ` ${counting(test.runs, "order")}`),
      test.problems.map((problem) => part(problem, test)),
      test.notes.map((note) => part(note, test, "Note: "))));
  }

  function part(problem, test, kind = "") {
    return make("div", { class: "part" },
      make("p", {}, kind, problem.message, " ",
        link({ file: test.path, place: { line: problem.line - 1, character: problem.column - 1 } }, {}, `line ${problem.line}`)),
      problem.details.length > 0 && make("pre", { tabindex: "0", class: "wrap" }, lines(problem.details.join("\n"))));
  }

  /** Whether the server answers otherwise than the test. What else fails then may follow from it. */
  function hasDrifted(test) { return test.problems.some((problem) => problem.message.startsWith("the server has changed")); }

  function pathOf(place) { return place.startsWith(`${folder}/`) ? place.slice(folder.length + 1) : place; }

  function short(text) { return text.replaceAll(`${folder}/`, ""); }
}
