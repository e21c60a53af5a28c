internal import PipelineJournals

/// The columns state and status of a sending.
extension SendingRecord.State {
  var name: String {
    switch self {
    case .unanswered: "unanswered"
    case .answered: "answered"
    case .secret: "secret"
    case .done, .changed: "done"
    case .again: "again"
    case .settled: "settled"
    }
  }

  var status: Int? {
    if case .answered(let status) = self { status } else { nil }
  }

  init(name: String, status: Int) {
    switch name {
    case "answered": self = .answered(status: status)
    case "secret": self = .secret
    case "done": self = .done
    case "again": self = .again
    case "settled": self = .settled
    default: self = .unanswered
    }
  }
}
