internal import PipelineByteText
internal import PipelineSourceText

/// A workflow as a scalable drawing that follows the viewer's light or dark preference.
struct GraphSVG: Sendable {
  let picture: GraphPicture
  let title: String
  /// Whether its steps can be chosen: by the script of a page around it.
  var isInteractive = false
  /// Whether it has its style itself. The page of a folder forbids that, and has it in a file.
  var isStyled = true

  /// The whole document.
  var text: String {
    let (width, height) = (number(picture.width), number(picture.height))
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="\(isInteractive ? "group" : "img")" aria-label="\(Self.escaped(title))">
      <title>\(Self.escaped(title))</title>
      \(isStyled ? "<style>\n\(Self.style)\n</style>\n" : "")<defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
      orient="auto-start-reverse"><path d="M0,0.8 L7.5,4 L0,7.2 L1.6,4 z" class="tip"/></marker>
      </defs>
      <rect width="\(width)" height="\(height)" class="paper"/>

      """
    // Blocks lie below the edges inside them, steps above.
    for box in picture.boxes where box.node.inner != nil { text += group(box) }
    for curve in picture.curves.filter(\.isImplied) { text += path(curve) }
    for curve in picture.curves where !curve.isImplied { text += path(curve) }
    for box in picture.boxes where box.node.inner == nil { text += step(box) }
    return text + "</svg>\n"
  }

  // MARK: Steps

  private func group(_ box: GraphPicture.Box) -> String {
    open(box, "group") + sheets(box, radius: 10)
      + rectangle(box, class: box.node.condition == nil ? "frame" : "frame conditional", radius: 10)
      + lines(box) + "</g>\n"
  }

  private func step(_ box: GraphPicture.Box) -> String {
    open(box, "step") + sheets(box, radius: 7)
      + rectangle(box, class: box.node.condition == nil ? "box" : "box conditional", radius: 7)
      + lines(box) + "</g>\n"
  }

  private func open(_ box: GraphPicture.Box, _ kind: String) -> String {
    let node = box.node
    let classes = [kind, node.kind.rawValue] + (node.isFinally ? ["finally"] : [])
    var words = [node.path]
    if node.isFinally { words[0] += " (finally)" }
    if let description = node.description { words.append(description) }
    words.append([node.method, node.action].compactMap { $0 }.joined(separator: " "))
    if let collection = node.collection {
      words.append((collection.hasPrefix(bytes: "each") ? "for " : "in ") + collection)
    }
    if let condition = node.condition { words.append("when " + condition) }
    let facts = words.filter { !$0.isEmpty }
    let label =
      isInteractive
      ? " tabindex=\"0\" role=\"button\" aria-label=\"\(Self.escaped(facts.joined(separator: ", ")))\""
      : ""
    return
      "<g class=\"\(classes.joined(separator: " "))\" data-step=\"\(Self.escaped(node.path))\"\(label)>"
      + "<title>\(Self.escaped(facts.joined(separator: "\n")))</title>"
  }

  /// The sheets behind a collection.
  private func sheets(_ box: GraphPicture.Box, radius: Int) -> String {
    guard box.node.collection != nil else { return "" }
    var text = ""
    for distance in [2 * GraphPicture.sheet, GraphPicture.sheet] {
      var sheet = box
      sheet.x += distance
      sheet.y += distance
      text += rectangle(sheet, class: "sheet", radius: radius)
    }
    return text
  }

  private func rectangle(_ box: GraphPicture.Box, class name: String, radius: Int) -> String {
    "<rect x=\"\(number(box.x))\" y=\"\(number(box.y))\" width=\"\(number(box.width))\" "
      + "height=\"\(number(box.height))\" rx=\"\(radius)\" class=\"\(name)\"/>"
  }

  private func lines(_ box: GraphPicture.Box) -> String {
    var y = box.y + 20
    return box.lines.map { line in
      defer { y += GraphPicture.lineHeight }
      let method = line.method.map {
        "<tspan class=\"method \(Self.escaped($0.lowercased()))\">\(Self.escaped($0))</tspan> "
      }
      return "<text x=\"\(number(box.x + GraphPicture.padding))\" y=\"\(number(y))\" "
        + "class=\"\(line.role.rawValue)\">\(method ?? "")\(Self.escaped(line.text))</text>"
    }.joined()
  }

  // MARK: Edges

  private func path(_ curve: GraphPicture.Curve) -> String {
    var data = ""
    for (number, point) in curve.points.enumerated() {
      if number == 0 {
        data += "M" + coordinates(point)
      } else if number % 2 == 1 {
        data += " L" + coordinates(point)
      } else {
        data += " " + bend(from: curve.points[number - 1], to: point)
      }
    }
    return "<path class=\"edge\(curve.isImplied ? " implied" : "")\" marker-end=\"url(#arrow)\" "
      + "d=\"\(data)\" data-from=\"\(Self.escaped(curve.from))\" data-to=\"\(Self.escaped(curve.to))\">"
      + "<title>\(Self.escaped(curve.to)) follows \(Self.escaped(curve.from)): "
      + "\(Self.escaped(curve.reasons.joined(separator: ", ")))</title></path>\n"
  }

  private func bend(from start: GraphPicture.Point, to end: GraphPicture.Point) -> String {
    var (first, second) = (start, end)
    if picture.flow == .down {
      first.y = (start.y + end.y) / 2
      second.y = first.y
    } else {
      first.x = (start.x + end.x) / 2
      second.x = first.x
    }
    return "C" + [first, second, end].map(coordinates).joined(separator: " ")
  }

  private func coordinates(_ point: GraphPicture.Point) -> String {
    number(point.x) + "," + number(point.y)
  }

  /// A number with at most one digit after the point.
  private func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(Double(tenths) / 10)"
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      default: result.unicodeScalars.append(Cells.printable(scalar))
      }
    }
    return result
  }

  static let style = """
    svg { --paper: #ffffff; --ink: #1f2328; --muted: #59636e; --line: #818b98; --box: #f6f8fa;
      --rim: #afb8c1; --group: #f2f4f7; --get: #1a7f37; --post: #9a6700; --put: #8250df;
      --delete: #cf222e; --other: #0969da; }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #0d1117; --ink: #f0f6fc; --muted: #9198a1; --line: #7d8590; --box: #161b22;
        --rim: #444c56; --group: #11161d; --get: #3fb950; --post: #d29922; --put: #ab7df8;
        --delete: #f85149; --other: #58a6ff; }
    }
    text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
      font-size: 11px; fill: var(--muted); white-space: pre; }
    .name { font-size: 13px; font-weight: 600; fill: var(--ink); }
    .collection { fill: var(--other); }
    .condition { fill: var(--post); }
    .paper { fill: var(--paper); }
    .box, .sheet { fill: var(--box); stroke: var(--rim); }
    .frame { fill: var(--group); stroke: var(--rim); }
    .group .sheet { fill: var(--paper); }
    .conditional { stroke-dasharray: 5 4; }
    .finally .name { font-style: italic; }
    .method { font-weight: 600; fill: var(--other); }
    .get, .head, .options { fill: var(--get); }
    .post { fill: var(--post); }
    .put, .patch { fill: var(--put); }
    .delete { fill: var(--delete); }
    .edge { fill: none; stroke: var(--line); stroke-width: 1.4; }
    .implied { opacity: 0.4; stroke-width: 1; }
    .tip { fill: var(--line); stroke: none; }
    """
}
