const view = document.getElementById("view"), svg = view.querySelector("svg");
const details = document.getElementById("details"), found = document.getElementById("found");
const edges = [...svg.querySelectorAll(".edge")];
const steps = [...svg.querySelectorAll("[data-step]")];
const named = new Map(steps.map((item) => [item.dataset.step, item]));
const leaving = new Map(), arriving = new Map();
const add = (map, key, edge) => map.set(key, [...(map.get(key) ?? []), edge]);
for (const edge of edges) {
  add(leaving, edge.dataset.from, edge);
  add(arriving, edge.dataset.to, edge);
}
function reach(start, map, end) {
  const found = new Set([start]);
  for (const step of found) for (const edge of map.get(step) ?? []) found.add(edge.dataset[end]);
  return found;
}
function trace(step) {
  const before = reach(step, arriving, "from"), after = reach(step, leaving, "to");
  const all = new Set([...before, ...after]);
  const around = (name) => name.split(".").map((_, n, parts) => parts.slice(0, n + 1).join("."));
  const outer = new Set([...all].flatMap(around));
  for (const item of steps) {
    const name = item.dataset.step;
    item.classList.toggle("on", outer.has(name) || around(name).some((other) => all.has(other)));
  }
  for (const edge of edges) {
    const { from, to } = edge.dataset;
    edge.classList.toggle(
      "on", (before.has(from) && before.has(to)) || (after.has(from) && after.has(to)));
  }
  svg.classList.add("traced");
}

// Details

let chosen = null;
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
function list(heading, map, step, end) {
  const items = map.get(step) ?? [];
  if (items.length === 0) return;
  details.append(element("h3", heading));
  const list = element("ul", "");
  for (const edge of items) {
    const line = element("li", "");
    const button = element("button", edge.dataset[end]);
    button.type = "button";
    button.addEventListener("click", () => choose(edge.dataset[end], true));
    const reasons = edge.querySelector("title").textContent.split(": ").slice(1).join(": ");
    line.append(button, " " + reasons);
    list.append(line);
  }
  details.append(list);
}
function choose(step, moves) {
  const item = named.get(step);
  if (!item) return;
  chosen?.classList.remove("chosen");
  chosen = item;
  item.classList.add("chosen");
  const [, ...lines] = item.querySelector("title").textContent.split("\n");
  details.replaceChildren(element("h2", step), ...lines.map((line) => element("p", line)));
  list("Waits for", arriving, step, "from");
  list("Waited for by", leaving, step, "to");
  details.hidden = false;
  trace(step);
  if (moves) {
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "center", inline: "center" });
  }
}
function close() {
  chosen?.classList.remove("chosen");
  chosen = null;
  details.hidden = true;
  svg.classList.remove("traced");
}

// The mouse and the keyboard

function nearest(item, key) {
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const [x, y] = middle(item.getBoundingClientRect());
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = null, least = Infinity;
  for (const other of steps) {
    if (other === item || other.contains(item)) continue;
    const [u, v] = middle(other.getBoundingClientRect());
    const ahead = sign * (sideways ? u - x : v - y), aside = Math.abs(sideways ? v - y : u - x);
    if (ahead > 4 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
  }
  return best;
}
for (const item of steps) {
  item.addEventListener("mouseover", (event) => {
    event.stopPropagation();
    if (!chosen) trace(item.dataset.step);
  });
  item.addEventListener("mouseleave", () => { if (!chosen) svg.classList.remove("traced"); });
  item.addEventListener("focus", () => { if (!chosen) trace(item.dataset.step); });
  item.addEventListener("blur", () => { if (!chosen) svg.classList.remove("traced"); });
  item.addEventListener("click", (event) => {
    event.stopPropagation();
    choose(item.dataset.step);
  });
  item.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") choose(item.dataset.step);
    else if (event.key.startsWith("Arrow")) {
      const next = nearest(item, event.key);
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else return;
    event.preventDefault();
  });
}
svg.addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  if (event.target.matches?.("input") || event.ctrlKey || event.metaKey) return;
  if (event.key === "+") zoom(scale * 1.25);
  if (event.key === "-") zoom(scale / 1.25);
  if (event.key === "0") fit();
  if (event.key === "/") {
    event.preventDefault();
    document.getElementById("search").focus();
  }
});

// Zoom

const natural = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
let scale = 1, isFitted = true;
function draw(value) {
  scale = Math.min(Math.max(value, 0.02), 8);
  view.classList.add("zoomed");
  svg.style.width = natural.width * scale + "px";
  svg.style.height = natural.height * scale + "px";
}
function zoom(value) { isFitted = false; draw(value); }
function fit() {
  isFitted = true;
  draw(Math.min(view.clientWidth / natural.width, view.clientHeight / natural.height, 1));
}
// Texts stay readable at first: a large drawing is scrolled.
function begin() {
  const whole = Math.min(view.clientWidth / natural.width, view.clientHeight / natural.height, 1);
  draw(whole >= 0.6 ? whole : Math.max(Math.min(view.clientWidth / natural.width, 1), 0.6));
}
begin();
new ResizeObserver(() => { if (isFitted) begin(); }).observe(view);
document.getElementById("in").addEventListener("click", () => zoom(scale * 1.25));
document.getElementById("out").addEventListener("click", () => zoom(scale / 1.25));
document.getElementById("full").addEventListener("click", () => zoom(1));
document.getElementById("fit").addEventListener("click", fit);

// Search

const search = document.getElementById("search");
search.addEventListener("input", () => {
  const text = search.value.trim().toLowerCase();
  const hits = text === "" ? [] : [...named.keys()].filter((name) => name.toLowerCase().includes(text));
  const exact = hits.find((name) => name.toLowerCase() === text) ?? hits[0];
  found.textContent = text === "" ? "" : `${hits.length} found`;
  if (!exact) return close();
  choose(exact);
  named.get(exact).scrollIntoView({ block: "center", inline: "center" });
});
search.form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (chosen) chosen.focus();
});
