internal import PipelineKit

/// The columns state and status of a sending.
extension SendingRecord.State {
  var name: String {
    switch self {
    case .unanswered: "unanswered"
    case .answered: "answered"
    case .secret: "secret"
    }
  }

  var status: Int? {
    if case .answered(let status) = self { status } else { nil }
  }

  init(name: String, status: Int) {
    switch name {
    case "answered": self = .answered(status: status)
    case "secret": self = .secret
    default: self = .unanswered
    }
  }
}
