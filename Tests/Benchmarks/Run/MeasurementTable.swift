import Foundation

/// All measurements of one run of the program, as text and as JSON.
struct MeasurementTable: Encodable {
  let server: String
  let rounds: Int
  var cases: [Measurement] = []

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  var text: String {
    var lines = [
      "server: \(server)",
      rounds == 1 ? "one round" : "medians of \(rounds) rounds, taken in turns", "",
    ]
    lines += rows(["case", "", "measured", "baseline", "", ""], below: cases.map(cells))
    return lines.joined(separator: "\n")
  }

  private func cells(_ measurement: Measurement) -> [String] {
    var verdict = ""
    if let goal = measurement.goal, let score = measurement.score {
      verdict = "goal \(score.unit.text(goal.bound))  "
      verdict += measurement.isMet == true ? "met" : "NOT MET"
    }
    return [
      measurement.letter, measurement.title,
      measurement.subject.map { $0.unit.text($0.median) } ?? "",
      measurement.baseline.map { "\($0.name) \($0.unit.text($0.median))" } ?? "",
      measurement.score.map { $0.unit.text($0.value) } ?? "", verdict,
    ]
  }

  private func rows(_ head: [String], below: [[String]]) -> [String] {
    let widths = head.indices.map { column in ([head] + below).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let text = padded.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    var lines = [line(head)]
    let indent = String(repeating: " ", count: widths[0] + 4)
    for (cells, measurement) in zip(below, cases) {
      lines.append(line(cells))
      if let skipped = measurement.skipped { lines.append("\(indent)skipped: \(skipped)") }
      lines += measurement.notes.map { indent + $0 }
    }
    return lines
  }
}
