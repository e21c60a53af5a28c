internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings

/// The condition that ends polling: a member whose value is another one only in the last response.
struct PollCondition {
  private static let names = [
    "status", "state", "phase", "done", "ready", "complete", "completed", "finished", "progress",
    "stage", "success", "isdone", "isready",
  ]

  private var values: [(path: String, value: JSONNode)]

  /// - Parameter last: The last response.
  init(_ last: JSONNode) { values = Self.values(in: last, "@.body", 3) }

  /// Leaves out what an earlier response has, too.
  mutating func exclude(_ earlier: JSONNode) {
    let others = Self.values(in: earlier, "@.body", 3)
    values.removeAll { path, value in
      others.first { $0.path.equals(bytes: path) }?.value.isEqual(to: value) == true
    }
  }

  /// `nil` if no member ends the polling.
  var text: String? {
    values.first.map { path, value in
      "\(path) == " + (value.string.map { ScriptCursor.quoted($0) } ?? value.text)
    }
  }

  private static func values(
    in node: JSONNode, _ path: String, _ depth: Int
  ) -> [(path: String, value: JSONNode)] {
    guard depth > 0 else { return [] }
    return node.members.flatMap { member -> [(path: String, value: JSONNode)] in
      let place = JSONDifference.path(path, member.name)
      switch member.value.kind {
      case .object: return values(in: member.value, place, depth - 1)
      case .string, .number, .boolean:
        return names.contains(member.name.lowercased()) ? [(place, member.value)] : []
      default: return []
      }
    }
  }
}
