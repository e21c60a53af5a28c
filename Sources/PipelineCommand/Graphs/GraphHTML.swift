internal import SourceText

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
      <button type="button" id="fit" aria-pressed="false">Fit to window</button>
      </header>
      <main>
      \(GraphSVG(picture: picture, title: title).text)</main>
      <footer>Stacked: runs for each item of a collection. Dashed: runs only where its condition holds. \
      Faint: an order that other edges imply. Italic: finally. Point at a step to see what it waits for and \
      what waits for it.</footer>
      <script>
      \(Self.script)
      </script>
      </body>
      </html>

      """
  }

  private static let style = """
    :root { color-scheme: light dark; --back: #ffffff; --text: #1f2328; --soft: #59636e;
      --border: #d1d9e0; }
    @media (prefers-color-scheme: dark) {
      :root { --back: #0d1117; --text: #f0f6fc; --soft: #9198a1; --border: #3d444d; }
    }
    body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: var(--back);
      color: var(--text); display: flex; flex-direction: column; min-height: 100vh; }
    header { display: flex; gap: 1rem; align-items: baseline; padding: 0.8rem 1.5rem;
      border-bottom: 1px solid var(--border); }
    h1 { font-size: 1.1rem; margin: 0; }
    header p { margin: 0; color: var(--soft); flex: 1; }
    header span, footer { color: var(--soft); }
    button { font: inherit; color: inherit; background: none; border: 1px solid var(--border);
      border-radius: 6px; padding: 0.1rem 0.7rem; cursor: pointer; }
    main { flex: 1; overflow: auto; display: flex; }
    main svg { margin: auto; flex: none; }
    body.fit { height: 100vh; }
    body.fit main { min-height: 0; overflow: hidden; }
    body.fit main svg { width: 100%; height: 100%; margin: 0; }
    footer { padding: 0.6rem 1.5rem; border-top: 1px solid var(--border); font-size: 12px; }
    .step, .group, .edge { transition: opacity 0.1s; }
    .traced .step:not(.on), .traced .edge:not(.on) { opacity: 0.15; }
    .traced .edge.on { opacity: 1; stroke: var(--other); stroke-width: 2; }
    """

  /// Shows, of the step that is pointed at, all that comes before and behind.
  private static let script = """
    const svg = document.querySelector("main svg");
    const edges = [...svg.querySelectorAll(".edge")];
    const steps = [...svg.querySelectorAll("[data-step]")];
    function reach(start, from, to) {
      const found = new Set([start]);
      for (const step of found)
        for (const edge of edges) if (edge.dataset[from] === step) found.add(edge.dataset[to]);
      return found;
    }
    function trace(step) {
      const before = reach(step, "to", "from"), behind = reach(step, "from", "to");
      const isOn = (name) => before.has(name) || behind.has(name);
      for (const item of steps) {
        const name = item.dataset.step;
        item.classList.toggle("on", isOn(name) || [...before, ...behind].some(
          (other) => name.startsWith(other + ".") || other.startsWith(name + ".")));
      }
      for (const edge of edges) {
        const { from, to } = edge.dataset;
        edge.classList.toggle("on", (before.has(from) && before.has(to)) || (behind.has(from) && behind.has(to)));
      }
      svg.classList.add("traced");
    }
    for (const item of steps) {
      item.addEventListener("mouseover", (event) => { event.stopPropagation(); trace(item.dataset.step); });
      item.addEventListener("mouseleave", () => svg.classList.remove("traced"));
    }
    document.getElementById("fit").addEventListener("click", (event) => {
      const isFit = document.body.classList.toggle("fit");
      event.currentTarget.setAttribute("aria-pressed", isFit);
      event.currentTarget.textContent = isFit ? "Full size" : "Fit to window";
    });
    """
}
