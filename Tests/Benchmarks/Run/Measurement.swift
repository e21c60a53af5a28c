import Foundation

/// What one case came to: the subject's figures, those of its baseline, and the goal.
struct Measurement: Encodable {
  let letter: String
  let title: String
  var subject: Figures?
  var baseline: Figures?
  /// What is held against the goal.
  var score: Score?
  var goal: Goal?
  var isMet: Bool?
  var notes: [String] = []
  /// Why there is nothing, or nothing to compare with.
  var skipped: String?

  init(_ letter: String, _ title: String) {
    self.letter = letter
    self.title = title
  }

  enum CodingKeys: String, CodingKey {
    case letter = "case"
    case title, subject, baseline, score, goal, isMet, notes, skipped
  }

  struct Score: Encodable {
    let value: Double
    let unit: Unit
  }

  mutating func judge(_ value: Double, _ unit: Unit = .times, _ goal: Goal? = nil) {
    score = Score(value: value, unit: unit)
    self.goal = goal
    isMet = goal?.isMet(by: value)
  }
}

enum Unit: String, Encodable {
  case seconds = "s"
  case milliseconds = "ms"
  case requestsPerSecond = "requests/s"
  case megabytes = "MB"
  case times = "×"

  func text(_ value: Double) -> String {
    switch self {
    case .requestsPerSecond: String(format: "%.0f /s", value)
    case .seconds: String(format: "%.3f s", value)
    case .milliseconds: String(format: "%.1f ms", value)
    case .megabytes: String(format: "%.1f MB", value)
    case .times: String(format: "%.2f ×", value)
    }
  }
}

enum Goal: Encodable {
  case atLeast(Double)
  case atMost(Double)

  var bound: Double {
    switch self {
    case .atLeast(let bound), .atMost(let bound): bound
    }
  }

  func isMet(by value: Double) -> Bool {
    switch self {
    case .atLeast(let bound): value >= bound
    case .atMost(let bound): value <= bound
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .atLeast(let bound): try container.encode(["atLeast": bound])
    case .atMost(let bound): try container.encode(["atMost": bound])
    }
  }
}

/// What was measured of one contestant, round by round.
struct Figures: Encodable {
  let name: String
  let unit: Unit
  var values: [Double] = []

  var median: Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  enum CodingKeys: String, CodingKey {
    case name, unit, values, median
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(unit, forKey: .unit)
    try container.encode(median, forKey: .median)
    try container.encode(values, forKey: .values)
  }
}
