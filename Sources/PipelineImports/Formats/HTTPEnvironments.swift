internal import PipelineByteText
internal import PipelineJSONText

/// Reads `http-client.env.json`: an object of variables for each environment.
enum HTTPEnvironments {
  static func read(
    _ root: JSONNode, line: (JSONNode) -> Int, _ report: inout ImportReport
  ) -> [(name: String, values: [ImportedCollection.Variable])] {
    root.members.filter { !$0.name.hasPrefix(bytes: "$") }.map { environment in
      let values = environment.value.members.map { member in
        let text = member.value.string ?? member.value.text
        return ImportedCollection.Variable(
          name: member.name, value: ForeignText(text, line: line(member.value), &report))
      }
      return (environment.name, values)
    }
  }

  /// Whether a file is one: objects of single values only.
  static func isOne(_ root: JSONNode) -> Bool {
    root.count > 0
      && root.members.allSatisfy { environment in
        environment.value.members.contains { _ in true }
          && environment.value.members.allSatisfy { $0.value.count == 0 }
      }
  }
}
