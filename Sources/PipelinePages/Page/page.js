import { icon, make, tag } from "/dom.js";
import { edited, isEdited } from "/drafts.js";
import {
  addressOf, counting, findingsOf, levelOf, matching, needing, resultOf, viewOf, visible,
} from "/files.js";
import { listen } from "/rpc.js";

const main = document.getElementById("main");
const status = document.getElementById("status");
let listing = null;

/** A link to a view of this page. */
function link(view, attributes, ...children) {
  const address = addressOf(view);
  return make("a", {
    href: address, ...attributes,
    onclick: (event) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(view);
    },
  }, ...children);
}

/** Shows a view of this page. */
function go(view) {
  history.pushState(null, "", addressOf(view));
  show();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function findingsTag(file) {
  const { level, text } = findingsOf(file);
  return level === "ok" ? make("span", { class: "soft" }, text) : tag(level, text);
}

function runCell(file) {
  if (file.kind !== "workflow") return make("span", { class: "cell" });
  if (!file.run) return make("span", { class: "cell soft" }, "not run yet");
  return link({ file: file.path, view: "history", run: file.run.id }, { class: "cell quiet" },
    tag(levelOf(file.run), resultOf(file.run)), make("span", { class: "soft" }, file.run.age));
}

function row(file) {
  const about = file.kind === "tests"
    ? counting(file.tests, "test") : file.kind === "base" ? "settings for others" : file.description;
  return make("li", {},
    link({ file: file.path }, { class: "main" },
      make("b", {}, file.path), make("span", { class: "soft" }, about)),
    make("span", { class: "cell" }, findingsTag(file)), runCell(file));
}

// ---- Files

function showFiles(text) {
  document.title = "Files · pipeline";
  const list = make("ul", { class: "rows filelist", "aria-label": "Files" });
  const fill = (words) => {
    const found = matching(listing.files, words);
    list.replaceChildren(...found.map(row));
    if (found.length === 0) {
      list.append(make("li", { class: "none" }, `No file contains “${words}”. `,
        make("button", {
          type: "button", class: "button",
          onclick: () => {
            box.value = "";
            search("");
            box.focus();
          },
        }, "Clear")));
    }
    return found.length;
  };
  const search = (words) => {
    history.replaceState(null, "", addressOf({ text: words }));
    status.textContent = counting(fill(words), "file");
  };
  const box = make("input", {
    type: "search", class: "search", placeholder: "Filter by path, name or description",
    "aria-label": "Filter the files", value: text, oninput: (event) => search(event.target.value),
  });
  const workflows = listing.files.filter((file) => file.kind === "workflow").length;
  const tests = listing.files.filter((file) => file.kind === "tests").length;
  const head = [
    make("h1", {}, "Files"),
    make("p", { class: "soft" },
      `${listing.folder} · ${counting(workflows, "workflow")}, ${counting(tests, "test file")}`),
    ...listing.problems.map((problem) => make("p", { class: "notice" }, problem)),
  ];
  if (listing.files.length === 0) {
    main.replaceChildren(...head, make("div", { class: "empty" },
      make("h2", {}, "No workflow is in this folder"),
      make("p", {}, "'pipeline init' makes one, 'pipeline new --curl' makes one of a curl command, "
        + "and 'pipeline import' reads the files of other tools.")));
    return;
  }
  const needs = needing(listing.files);
  main.replaceChildren(...head,
    needs.length ? make("section", { class: "needs", "aria-label": "Needs you" },
      make("h2", {}, "Needs you"), make("ul", { class: "rows" }, needs.map(need))) : "",
    box,
    make("div", { class: "labels", "aria-hidden": "true" },
      make("span", {}, "File"), make("span", {}, "Findings"), make("span", {}, "Last run")),
    list);
  fill(text);
}

function need(file) {
  const found = findingsOf(file);
  const words = [];
  if (found.level === "bad") words.push(found.text);
  if (file.run && levelOf(file.run) !== "ok" && file.run.status !== "running") {
    words.push(`last run: ${resultOf(file.run)}, ${file.run.age}`);
  }
  const level = found.level === "bad" ? "bad" : levelOf(file.run);
  const isOfRun = found.level !== "bad";
  return make("li", {}, link(isOfRun ? { file: file.path, view: "history", run: file.run.id } : { file: file.path }, { class: `need ${level}` },
    icon(level),
    make("b", {}, file.path), make("span", {}, words.join("; "))));
}

// ---- A file

async function showFile(place, view) {
  const file = listing.files.find((other) => other.path === view.file);
  document.title = `${visible(view.file)} · pipeline`;
  if (!file) {
    place.replaceChildren(make("p", {}, link({ text: "" }, {}, "All files")), make("h1", {}, view.file),
      make("p", {}, "There is no workflow or test file of this path in the folder."));
    return null;
  }
  const isWorkflow = file.kind === "workflow";
  const { isReadOnly } = listing;
  // The code of a view comes when it is shown first, so that the list of files waits for none.
  if (isWorkflow && view.view === "run") {
    const { showRun } = await import("/run.js");
    return showRun(place, file, { ...view, isReadOnly, link, go, listen, isEdited: () => isEdited(file.path), changed: load });
  }
  if (isWorkflow && view.view === "answers") {
    const text = { get: () => edited.get(file.path), set: (next, caret) => edited.set(file.path, next, caret) };
    const { showAnswers } = await import("/answers.js");
    return showAnswers(place, file, { view, link, go, text, isReadOnly, changed: load });
  }
  if (isWorkflow && view.view === "history") {
    const { showHistory } = await import("/history.js");
    return showHistory(place, file, { view, link, go, isReadOnly, changed: load });
  }
  if (view.view === "tests" && file.kind !== "base") {
    const files = file.kind === "tests" ? [file] : listing.files.filter((other) => other.of === file.path);
    const { showTests } = await import("/tests.js");
    return showTests(place, file, files, { link, isReadOnly, folder: listing.folder, changed: load });
  }
  const { showWrite } = await import("/write.js");
  return showWrite(place, file, {
    place: view.place, link, go, isReadOnly, run: isWorkflow ? { file: file.path, view: "run" } : null,
  });
}

// ---- The page

/** What the view is told when it is left, or when the window has the focus again. */
let current = null;
let shown = 0;

async function show() {
  const view = viewOf(location.search);
  current?.leave?.();
  current = null;
  main.className = view.file === null ? "files" : view.view;
  showNavigation(view);
  const number = ++shown;
  if (view.file === null) {
    showFiles(view.text);
    return;
  }
  // What comes after the view was left is not shown.
  const place = { replaceChildren: (...nodes) => { if (number === shown) main.replaceChildren(...nodes); } };
  try {
    const next = await showFile(place, view);
    if (number === shown) current = next;
    else next?.leave?.();
  } catch (error) {
    if (number === shown) say("This cannot be shown", error.message);
  }
}

const views = {
  workflow: [["write", "Write"], ["run", "Run"], ["answers", "Answers"], ["history", "History"], ["tests", "Tests"]],
  tests: [["write", "Write"], ["tests", "Tests"]], base: [["write", "Write"]],
};

function showNavigation(view) {
  const nav = document.getElementById("nav");
  const file = listing.files.find((other) => other.path === view.file);
  const items = [["Files", { text: "" }, view.file === null]];
  if (file) {
    for (const [name, label] of views[file.kind]) {
      items.push([label, { file: view.file, view: name }, view.view === name]);
    }
  }
  nav.replaceChildren(...items.map(([label, to, isHere]) => link(to, { "aria-current": isHere ? "page" : null }, label)));
}

function say(title, text) {
  main.replaceChildren(make("div", { class: "empty" }, make("h1", {}, title), make("p", {}, text)));
}

async function load() {
  let response;
  try {
    response = await fetch("/files.json", { cache: "no-store" });
  } catch {
    say("pipeline does not answer", "It was stopped. Start 'pipeline ui' again.");
    return;
  }
  if (response.status === 401) {
    say("This browser is not signed in",
      "Open the link that 'pipeline ui' printed last. Each link is good for one browser.");
    return;
  }
  if (!response.ok) {
    say("The folder could not be read", await response.text());
    return;
  }
  const text = await response.text();
  const next = JSON.parse(text);
  if (listing && text === listing.text) return;
  const isSearching = document.activeElement?.classList.contains("search");
  const isFirst = listing === null;
  listing = { ...next, text };
  document.getElementById("where").textContent = `${visible(listing.name)}${listing.isReadOnly ? " · read-only" : ""}`;
  // A text that is edited stays as it is.
  if (!isFirst && viewOf(location.search).file !== null) return;
  show();
  if (isSearching) {
    const box = document.querySelector(".search");
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }
}

/** Exchanges the token of the address for a cookie that no script can read. */
async function signIn() {
  const token = location.hash.slice(1);
  if (!/^[0-9a-f]{64}$/u.test(token)) return;
  history.replaceState(null, "", location.pathname + location.search);
  await fetch("/session", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
}

addEventListener("popstate", () => { if (listing) show(); });
addEventListener("focus", () => {
  load();
  current?.look?.();
});
await signIn().catch(() => {});
await load();
