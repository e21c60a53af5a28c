internal import PipelineHTTPTerms
internal import PipelineKit
internal import PipelineRecordings
internal import PipelineSourceText
internal import PipelineTesting

/// A request and its response, for people: what was sent, what came back, what extractors found.
struct ExchangeText {
  let exchange: ShownExchange
  /// A line that comes first.
  let title: String?
  let colored: Bool

  /// Lines, each ending with a newline.
  var text: String {
    var lines: [Line] = []
    if let title { lines.append(Line(title, .bold)) }
    lines.append(Line("\(exchange.request.method) \(exchange.request.url)"))
    switch exchange.outcome {
    case .response(let response): lines += self.lines(of: response)
    case .failure(let kind, let message): lines.append(Line("\(message) [\(kind)]", .bad))
    }
    return lines.map { $0.text(colored: colored) + "\n" }.joined()
  }

  private func lines(of response: RecordedExchange.Response) -> [Line] {
    var status = Line(HTTPStatus.text(response.status), response.status < 400 ? .good : .bad)
    let facts = [exchange.duration?.text, response.body.count.byteText].compactMap { $0 }
    status.append("  " + facts.joined(separator: " · "), .dim)
    var lines = [status]
    lines += response.headers.map { field in
      var line = Line(field.name + ": ", .dim)
      line.append(field.value)
      return line
    }
    lines.append(Line())
    lines += BodyLines.lines(
      of: response.body, type: response.header("content-type"),
      found: exchange.values.map { ($0.name, $0.paths) })
    return lines + values
  }

  /// The value of each extractor, in columns.
  private var values: [Line] {
    guard !exchange.values.isEmpty else { return [] }
    let width = exchange.values.map { Cells.width(of: $0.name) }.max() ?? 0
    let queryWidth = min(exchange.values.map { Cells.width(of: $0.query ?? "") }.max() ?? 0, 40)
    return [Line()]
      + exchange.values.map { value in
        var line = Line(padded(value.name, to: width), .found)
        if queryWidth > 0 { line.append("  " + padded(value.query ?? "", to: queryWidth), .dim) }
        switch value.found {
        case .value(let text): line.append("  " + Self.cut(text))
        case .absent: line.append("  absent", .dim)
        case .failure(let message): line.append("  " + message, .bad)
        }
        return line
      }
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - Cells.width(of: text), 0))
  }

  private static func cut(_ text: String) -> String { Cells.truncated(text, to: 200) }
}
