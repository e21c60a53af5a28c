internal import PipelineByteText
internal import PipelineSourceText

/// A workflow's drawing as one page that needs nothing else: no network, no other file.
struct GraphHTML: Sendable {
  let picture: GraphPicture
  let title: String
  let description: String?
  let stepCount: Int

  var text: String {
    let name = GraphSVG.escaped(title)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(name)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header>
      <h1>\(name)</h1><p>\(GraphSVG.escaped(description ?? ""))</p>
      <span>\(stepCount.counting("step"))</span>
      <form role="search"><input type="search" id="search" placeholder="Find a step" \
      aria-label="Find a step" autocomplete="off" list="names"><datalist id="names">\(names)</datalist>
      <output id="found" aria-live="polite"></output></form>
      <div role="group" aria-label="Zoom"><button type="button" id="out" \
      aria-label="Zoom out">−</button><button type="button" id="fit">Fit</button><button \
      type="button" id="full">100 %</button><button type="button" id="in" \
      aria-label="Zoom in">+</button></div>
      </header>
      <main>
      <div id="view">
      \(GraphSVG(picture: picture, title: title, isInteractive: true).text)</div>
      <aside id="details" aria-live="polite" aria-label="Details of a step" hidden></aside>
      </main>
      <footer>Stacked: runs for each item of a collection. Dashed: runs only if its condition holds. \
      Faint: an order that other edges imply. Italic: finally. Tab or the arrow keys reach every \
      step; Enter or a click shows what it waits for and what waits for it; Esc closes.</footer>
      <script>
      \(Self.script)
      </script>
      </body>
      </html>

      """
  }

  /// What the page may load and run: its own style and script, and nothing else.
  private static let policy: String = {
    // The hash is of all that is between the tags.
    let hash = Base64.encode(SHA256.hash(Array("\n\(script)\n".utf8)))
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)';"
      + " base-uri 'none'; form-action 'none'"
  }()

  /// The steps' names for the search field.
  private var names: String {
    picture.boxes.map { "<option value=\"\(GraphSVG.escaped($0.node.path))\">" }.joined()
  }

  private static let style = """
    :root { color-scheme: light dark; --back: #ffffff; --text: #1f2328; --soft: #59636e;
      --border: #d1d9e0; }
    @media (prefers-color-scheme: dark) {
      :root { --back: #0d1117; --text: #f0f6fc; --soft: #9198a1; --border: #3d444d; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: var(--back);
      color: var(--text); display: flex; flex-direction: column; height: 100vh; }
    header { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: center;
      padding: 0.6rem 1rem; border-bottom: 1px solid var(--border); }
    h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
    header p { margin: 0; color: var(--soft); flex: 1 1 12rem; }
    header p:empty { flex-basis: 0; }
    header span, footer, output { color: var(--soft); }
    button, input { font: inherit; color: inherit; background: none;
      border: 1px solid var(--border); border-radius: 6px; padding: 0.1rem 0.7rem; }
    button { cursor: pointer; }
    input { width: 11rem; }
    [role=group][aria-label=Zoom] { display: flex; gap: 0.3rem; }
    main { flex: 1; min-height: 0; display: flex; }
    #view { flex: 1; overflow: auto; display: flex; min-width: 0; }
    #view svg { margin: auto; flex: none; max-width: 100%; height: auto; }
    #view.zoomed svg { max-width: none; }
    aside { width: 20rem; max-width: 45%; overflow: auto; padding: 0.8rem 1rem;
      border-left: 1px solid var(--border); }
    aside h2 { font-size: 1rem; margin: 0 0 0.4rem; overflow-wrap: anywhere; }
    aside h3 { font-size: 0.85rem; margin: 0.9rem 0 0.2rem; color: var(--soft); }
    aside p { margin: 0.1rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
    aside ul { margin: 0; padding: 0; list-style: none; }
    aside li { margin: 0.25rem 0; overflow-wrap: anywhere; }
    footer { padding: 0.4rem 1rem; border-top: 1px solid var(--border); font-size: 12px; }
    @media (max-width: 700px) {
      header p { flex-basis: 100%; order: 1; }
      main { flex-direction: column; }
      aside { width: auto; max-width: none; max-height: 45%; border-left: 0;
        border-top: 1px solid var(--border); }
      footer { display: none; }
    }
    @media print {
      body { height: auto; }
      form, [role=group], aside { display: none; }
    }
    :focus-visible { outline: 2px solid #0969da; outline-offset: 2px; }
    [data-step] { cursor: pointer; }
    [data-step]:focus { outline: none; }
    [data-step]:focus > .box, [data-step]:focus > .frame, [data-step].chosen > .box,
    [data-step].chosen > .frame { stroke: var(--other); stroke-width: 2.5; }
    .step, .group, .edge { transition: opacity 0.1s; }
    .traced .step:not(.on), .traced .edge:not(.on) { opacity: 0.15; }
    .traced .edge.on { opacity: 1; stroke: var(--other); stroke-width: 2; }
    """

  /// Shows all that comes before and after the chosen step. Zooms and finds.
  private static let script = """
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
      const [, ...lines] = item.querySelector("title").textContent.split("\\n");
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
    """
}
