// Sections and tables.
extension HTMLReport {
  mutating func section(_ id: String, _ title: String, _ more: String = "") {
    sectionTitle = title
    regionCount = 0
    html += "<section id=\"\(id)\">\n<h2>\(title)</h2>\n"
    if !more.isEmpty { html += "<p class=\"lead\">\(Self.escaped(more))</p>\n" }
  }

  enum Column {
    case text(String)
    /// Numbers are aligned on the right.
    case number(String)
  }

  mutating func beginTable(_ columns: [Column]) {
    beginScroll()
    html += "<table>\n<thead><tr>"
    for column in columns {
      switch column {
      case .text(let name): html += "<th>\(name)</th>"
      case .number(let name): html += "<th class=\"n\">\(name)</th>"
      }
    }
    html += "</tr></thead>\n<tbody>\n"
  }

  /// A part that may be wider than the page. A keyboard scrolls it, so that it needs a name.
  mutating func beginScroll() {
    regionCount += 1
    let name = regionCount == 1 ? sectionTitle : "\(sectionTitle), part \(regionCount)"
    html += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(name)\">\n"
  }

  mutating func endTable() { html += "</tbody>\n</table>\n</div>\n" }
}
