import PipelineJSONPaths

/// What a text was refused for, in the form tests compare: what is pointed at, and what is said.
struct Problem: Equatable, CustomStringConvertible {
  let message: String
  let place: String
  let fix: String?

  init?<Parsed>(_ result: Result<Parsed, QuerySyntaxError>, in text: String) {
    guard case .failure(let error) = result else { return nil }
    self.init(message: error.message, range: error.range, fix: error.fix, in: text)
  }

  init(message: String, range: Range<Int>, fix: String?, in text: String) {
    self.message = message
    self.place = slice(text, range)
    self.fix = fix
  }

  var description: String { "'\(place)': \(message)" + (fix.map { " → '\($0)'" } ?? "") }
}

/// The part of a text between two UTF-8 offsets.
func slice(_ text: String, _ range: Range<Int>) -> String {
  let bytes = Array(text.utf8)
  guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return "out of bounds" }
  return String(decoding: bytes[range], as: UTF8.self)
}
