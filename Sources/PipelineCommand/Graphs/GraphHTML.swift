internal import PipelineByteText
internal import PipelineDrawings
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
      \(Self.style)</style>
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
      \(GraphSVG(picture: picture, title: title, isInteractive: true, isStyled: false).text)</div>
      <aside id="details" aria-live="polite" aria-label="Details of a step" hidden></aside>
      </main>
      <footer>Stacked: runs for each item of a collection. Dashed: runs only if its condition holds. \
      Faint: an order that other edges imply. Italic: finally. Tab or the arrow keys reach every \
      step; Enter or a click shows what it waits for and what waits for it; Esc closes.</footer>
      <script>
      \(Self.script)</script>
      </body>
      </html>

      """
  }

  /// What the page may load and run: its own style and script, and nothing else.
  private static let policy: String = {
    // The hash is of all that is between the tags.
    let hash = Base64.encode(SHA256.hash(Array("\n\(script)".utf8)))
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)';"
      + " base-uri 'none'; form-action 'none'"
  }()

  /// The steps' names for the search field.
  private var names: String {
    picture.boxes.map { "<option value=\"\(GraphSVG.escaped($0.node.path))\">" }.joined()
  }

  private static let style =
    DrawingStyle.shared + DrawingStyle.drawing
    + String(decoding: PackageResources.graph_css, as: UTF8.self)

  /// Shows all that comes before and after the chosen step. Zooms and finds.
  private static let script = String(decoding: PackageResources.graph_js, as: UTF8.self)
}
