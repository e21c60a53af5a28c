internal import PipelineByteText
internal import PipelineSourceText

/// A workflow as a scalable drawing that follows the viewer's light or dark preference.
package struct GraphSVG: Sendable {
  let picture: GraphPicture
  let title: String
  /// Whether its steps can be chosen: by the script of a page around it.
  var isInteractive = false
  /// Whether it has its style itself. A page around it has it already.
  var isStyled = true

  package init(
    picture: GraphPicture, title: String, isInteractive: Bool = false, isStyled: Bool = true
  ) {
    self.picture = picture
    self.title = title
    self.isInteractive = isInteractive
    self.isStyled = isStyled
  }

  /// The whole document.
  package var text: String {
    let (width, height) = (number(picture.width), number(picture.height))
    let isGroup = isInteractive || picture.boxes.contains { $0.node.link != nil }
    let style = isStyled ? "<style>\n\(DrawingStyle.shared)\(DrawingStyle.drawing)</style>\n" : ""
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" class="graph" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="\(isGroup ? "group" : "img")" aria-label="\(Self.escaped(title))">
      <title>\(Self.escaped(title))</title>
      \(style)<defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" \
      markerWidth="9.8" markerHeight="9.8" \
      orient="auto-start-reverse"><path d="M0,0.8 L7.5,4 L0,7.2 L1.6,4 z" class="tip"/></marker>
      </defs>
      <rect width="\(width)" height="\(height)" class="paper"/>

      """
    // Blocks lie below the edges inside them, steps above.
    for box in picture.boxes where box.node.inner != nil { text += group(box) }
    for curve in picture.curves.filter(\.isImplied) { text += path(curve) }
    for curve in picture.curves where !curve.isImplied && !curve.isCritical { text += path(curve) }
    for curve in picture.curves where !curve.isImplied && curve.isCritical { text += path(curve) }
    for box in picture.boxes where box.node.inner == nil { text += step(box) }
    return text + "</svg>\n"
  }

  // MARK: Steps

  private func group(_ box: GraphPicture.Box) -> String {
    open(box, "group") + sheets(box, radius: 10)
      + rectangle(box, class: box.node.condition == nil ? "frame" : "frame conditional", radius: 10)
      + lines(box) + close(box)
  }

  private func step(_ box: GraphPicture.Box) -> String {
    open(box, "step") + sheets(box, radius: 7)
      + rectangle(box, class: box.node.condition == nil ? "box" : "box conditional", radius: 7)
      + lines(box) + close(box)
  }

  private func open(_ box: GraphPicture.Box, _ kind: String) -> String {
    let node = box.node
    var classes = [kind] + (node.isFinally ? ["finally"] : [])
    if let outcome = node.outcome { classes.append(outcome.rawValue) }
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
    return (node.link.map { "<a href=\"\(Self.escaped($0))\">" } ?? "")
      + "<g class=\"\(classes.joined(separator: " "))\" data-step=\"\(Self.escaped(node.path))\"\(label)>"
      + "<title>\(Self.escaped(facts.joined(separator: "\n")))</title>"
  }

  private func close(_ box: GraphPicture.Box) -> String {
    box.node.link == nil ? "</g>\n" : "</g></a>\n"
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
    let kind = (curve.isImplied ? " implied" : "") + (curve.isCritical ? " heavy" : "")
    return "<path class=\"edge\(kind)\" marker-end=\"url(#arrow)\" "
      + "d=\"\(data)\" data-from=\"\(Self.escaped(curve.from))\" data-to=\"\(Self.escaped(curve.to))\">"
      + "<title>\(Self.escaped(curve.to)) follows \(Self.escaped(curve.from))"
      + Self.escaped(curve.reasons.isEmpty ? "" : ": " + curve.reasons.joined(separator: ", "))
      + "</title></path>\n"
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

  /// A text without markup, in an attribute or between tags.
  package static func escaped(_ text: String) -> String {
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
}
