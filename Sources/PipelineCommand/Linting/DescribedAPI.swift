internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineOpenAPI
internal import PipelineSourceText

/// `pipeline new --api`: the operations of a description, or a workflow that calls them.
struct DescribedAPI {
  let path: String
  let operations: [String]
  let isList: Bool

  /// The maximum size of a file of a description.
  static let sizeLimit = 128 << 20

  func run(_ console: Console) -> ExitStatus {
    guard let description = Self.read(path, console),
      let chosen = chosen(from: description.operations(), console)
    else { return .usage }
    if isList {
      list(chosen, console)
    } else {
      var workflow = DescribedWorkflow(chosen, of: description)
      console.json.write(WorkflowLayout.text(of: workflow.workflow().node))
      for note in workflow.notes { console.error.write(line: "note: \(note)") }
    }
    note(description.problems, console)
    return .success
  }

  /// The description in a file. Complains if it cannot be read.
  static func read(_ path: String, _ console: Console) -> APIDescription? {
    do {
      let files = console.files
      return try APIDescription(
        path: path, bytes: try files.read(path, sizeLimit),
        load: { try? files.read($0, sizeLimit) })
    } catch let problem as DescriptionProblem {
      console.complain("cannot read '\(position(of: problem))': \(problem.message)")
    } catch let problem as PathProblem {
      console.complain("cannot read '\(problem.path)': \(problem.reason)")
    } catch {
      console.complain("cannot read '\(path)': \(error)")
    }
    return nil
  }

  /// The maximum number of problems of the files that are shown.
  private static let mostNotes = 20

  private func note(_ problems: [DescriptionProblem], _ console: Console) {
    for problem in problems.prefix(Self.mostNotes) {
      console.error.write(line: "note: \(Self.position(of: problem)): \(problem.message)")
    }
    if problems.count > Self.mostNotes {
      console.error.write(line: "note: and \(problems.count - Self.mostNotes) more of that kind")
    }
  }

  private static func position(of problem: DescriptionProblem) -> String {
    problem.path + (problem.place.map { ":\($0.line):\($0.column)" } ?? "")
  }

  /// The operations that are named, in the order of the names; all of them if there are no names.
  private func chosen(from all: [Operation], _ console: Console) -> [Operation]? {
    guard !all.isEmpty else {
      console.complain("'\(path)' describes no operations")
      return nil
    }
    var chosen: [Operation] = []
    for name in operations {
      guard let operation = all.first(where: { $0.id == name || $0.signature == name }) else {
        let names = all.flatMap { [$0.id, $0.signature].compactMap(\.self) }
        console.complain(
          "'\(path)' has no operation '\(name)'\(Spelling.didYouMean(name, among: names));"
            + " --list shows all")
        return nil
      }
      if !chosen.contains(where: { $0.signature == operation.signature }) {
        chosen.append(operation)
      }
    }
    return operations.isEmpty ? all : chosen
  }

  private func list(_ operations: [Operation], _ console: Console) {
    let method = operations.map(\.method.utf8.count).max() ?? 0
    let path = min(operations.map(\.path.utf8.count).max() ?? 0, 60)
    for operation in operations {
      var line = Self.padded(operation.method, method) + "  " + Self.padded(operation.path, path)
      line += "  " + (operation.id ?? "-")
      if operation.isDeprecated { line += " (deprecated)" }
      console.output.write(line: line)
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }
}
