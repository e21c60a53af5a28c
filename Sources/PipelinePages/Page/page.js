import {
  addressOf, counting, findingsOf, levelOf, matching, needing, resultOf, viewOf, visible,
} from "/files.js";

const main = document.getElementById("main");
const status = document.getElementById("status");
let listing = null;

/** Makes an element. Texts become text nodes, and nothing else is ever made of them. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick" || name === "oninput") element[name] = value;
    else if (value !== null) element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child !== null) element.append(child instanceof Node ? child : visible(String(child)));
  }
  return element;
}

const marks = { ok: "✓", bad: "×", warn: "!", run: "…", idle: "–" };

function tag(level, text) {
  return make("span", { class: `tag ${level}` },
    make("span", { class: "mark", "aria-hidden": "true" }, marks[level]), text);
}

/** A link to a view of this page. */
function link(view, attributes, ...children) {
  const address = addressOf(view);
  return make("a", {
    href: address, ...attributes,
    onclick: (event) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      history.pushState(null, "", address);
      show();
      main.focus();
    },
  }, ...children);
}

function findingsTag(file) {
  const { level, text } = findingsOf(file);
  return level === "ok" ? make("span", { class: "soft" }, text) : tag(level, text);
}

function runCell(file) {
  if (file.kind !== "workflow") return make("span", { class: "cell" });
  if (!file.run) return make("span", { class: "cell soft" }, "not run yet");
  return make("span", { class: "cell" },
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
  return make("li", {}, link({ file: file.path }, { class: `need ${level}` },
    make("span", { class: "mark", "aria-hidden": "true" }, marks[level]),
    make("b", {}, file.path), make("span", {}, words.join("; "))));
}

// ---- A file

function showFile(path) {
  const file = listing.files.find((other) => other.path === path);
  document.title = `${visible(path)} · pipeline`;
  const back = link({ text: "" }, {}, "All files");
  if (!file) {
    main.replaceChildren(make("p", {}, back), make("h1", {}, path), make("p", {},
      "There is no workflow or test file of this path in the folder."));
    return;
  }
  const findings = file.findings.map((finding) => make("li", { class: "finding" },
    tag(finding.severity === "error" ? "bad" : finding.severity === "warning" ? "warn" : "idle",
      finding.severity),
    make("span", { class: "message" }, finding.message,
      finding.fix ? make("span", { class: "soft" }, ` Fix: ${finding.fix}`) : null),
    make("code", {}, `${finding.line}:${finding.column}`), make("code", {}, finding.code)));
  main.replaceChildren(make("p", {}, back), make("h1", {}, file.path),
    file.description ? make("p", { class: "soft" }, file.description) : "",
    make("h2", {}, "Findings"),
    findings.length ? make("ul", { class: "rows" }, findings)
      : make("p", { class: "soft" }, "No findings."),
    ...lastRun(file));
}

function lastRun(file) {
  if (file.kind !== "workflow") return [];
  if (!file.run) {
    return [make("h2", {}, "Last run"), make("p", { class: "soft" }, "It was not run yet.")];
  }
  return [make("h2", {}, "Last run"),
    make("p", {}, tag(levelOf(file.run), resultOf(file.run)), ` ${file.run.age}`),
    make("pre", {}, `pipeline runs show ${file.run.id}`)];
}

// ---- The page

function show() {
  const view = viewOf(location.search);
  if (view.file === null) showFiles(view.text);
  else showFile(view.file);
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
  listing = { ...next, text };
  document.getElementById("where").textContent = visible(listing.name);
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
addEventListener("focus", load);
await signIn().catch(() => {});
await load();
