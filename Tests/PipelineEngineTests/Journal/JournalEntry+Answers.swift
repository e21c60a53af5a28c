import PipelineKit

extension JournalEntry {
  /// The answers to requests that are kept with it.
  var answers: [RecordedAnswer] {
    switch self {
    case .answered(_, let answer): [answer]
    case .unit(let unit): unit.settled.compactMap(\.answer)
    case .page(let page): page.settled.compactMap(\.answer)
    default: []
    }
  }
}
