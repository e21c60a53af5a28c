internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineSourceText

/// The input values that a command line gives: `--set` over `--inputs`.
struct InputArguments: Sendable {
  /// The problem to report with values that cannot be read. The engine judges whether they fit.
  struct Problem: Error, Sendable {
    var message: String
    /// Lines that show the place, each ending with a newline.
    var excerpt = ""
  }

  private(set) var values: [String: JSONValue] = [:]
  /// Answers to questions, by their names.
  private(set) var answers: [String: JSONValue] = [:]

  private static let sizeLimit = 256 << 20

  /// - Parameters:
  ///   - assignments: `name=value`. The engine reads a text according to the input's type.
  ///   - file: what `--inputs` names; `-` is stdin.
  init(
    assignments: [String], file: String?, of workflow: Workflow, files: FileSystem
  ) throws(Problem) {
    if let file {
      for member in try Self.object(in: file, files).members {
        values[member.name] = JSONValue(member.value)
      }
    }
    for assignment in assignments {
      let parts = assignment.split(
        ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, text) = (String(parts[0]), String(parts.last ?? ""))
      let input = workflow.inputs.first { $0.name == name }
      if let input, input.takesFiles, text.hasPrefix(bytes: "@") {
        values[name] = try Self.content(of: String(text.dropFirst(bytes: 1)), for: input, files)
      } else {
        values[name] = input?.type == nil ? Self.value(text) : .string(text)
      }
    }
  }

  /// The inputs of a command line; `nil` if they cannot be read, which is then reported.
  static func read(
    _ options: InputOptions, of workflow: Workflow, _ console: Console
  ) -> InputArguments? {
    if options.file == "-", workflow.source.name == "-" {
      console.complain("stdin is the workflow, so --inputs cannot be '-' too; name a file")
      return nil
    }
    do {
      var arguments = try InputArguments(
        assignments: options.assignments, file: options.file, of: workflow, files: console.files)
      for assignment in options.answers {
        let parts = assignment.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
        arguments.answers[String(parts[0])] = .string(String(parts.last ?? ""))
      }
      return arguments
    } catch {
      console.complain(error.message)
      console.error.write(error.excerpt)
      return nil
    }
  }

  /// A text for an input of any type: JSON if it is JSON.
  private static func value(_ text: String) -> JSONValue {
    guard let document = try? JSONDocument.parse(Array(text.utf8)) else { return .string(text) }
    return JSONValue(document.root)
  }

  /// What a file says in the format of the input's `read`, or by the end of its name.
  private static func content(
    of path: String, for input: Input, _ files: FileSystem
  ) throws(Problem) -> JSONValue {
    let name = input.name
    let bytes: [UInt8]
    do {
      bytes = try files.read(path, sizeLimit)
    } catch {
      throw Problem(message: "the input '\(name)' cannot be read from '\(path)': \(error.reason)")
    }
    guard let format = input.read?.format ?? BodyFormat(fileName: path) else {
      throw Problem(
        message: "'\(path)' does not say what the input '\(name)' is; the name of a file ends with"
          + " .json, .csv, .tsv, .ndjson, .jsonl or .xml, and then perhaps .gz; 'read' of the input"
          + " says it for any name")
    }
    do throws(BodyProblem) {
      return JSONValue(
        try format.document(
          of: bytes, charset: input.read?.charset, limit: sizeLimit
        ).root)
    } catch {
      let reason = input.isSecret ? hidden(error.message, format) : error.message
      throw Problem(message: "'\(path)', for the input '\(name)', \(reason)")
    }
  }

  /// What is wrong with a file of secrets: the place, and nothing of the text there.
  static func hidden(_ message: String, _ format: BodyFormat) -> String {
    let words = message.split(ascii: " ")
    func number(after word: String, at index: Int) -> Int? {
      guard index + 1 < words.count, words[index].utf8.elementsEqual(word.utf8) else { return nil }
      return Int(words[index + 1].prefix(before: ",", ":"))
    }
    var place = ""
    for index in words.indices {
      guard let line = number(after: "line", at: index),
        let column = number(after: "column", at: index + 2)
      else { continue }
      place = " at line \(line), column \(column)"
      break
    }
    return "cannot be read as \(format.name)\(place); the text is not shown, because it is secret"
  }

  private static func object(in path: String, _ files: FileSystem) throws(Problem) -> JSONNode {
    let bytes: [UInt8]
    do {
      bytes = path == "-" ? try files.readInput(sizeLimit) : try files.read(path, sizeLimit)
    } catch {
      throw Problem(message: "the inputs '\(path)' cannot be read: \(error.reason)")
    }
    let file = SourceFile(name: path, bytes: bytes)
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    guard problems.isEmpty else {
      let lines = problems.map { problem in
        let position = file.position(at: problem.range.lowerBound)
        return Cells.printable(
          "\(path):\(position.line):\(position.column): error:"
            + " \(Self.shown(problem)) [\(problem.code.rawValue)]") + "\n"
      }
      throw Problem(
        message: problems.allSatisfy { $0.code == .duplicateName }
          ? "the inputs '\(path)' have a name twice" : "the inputs '\(path)' are not valid JSON",
        excerpt: lines.prefix(20).joined())
    }
    guard document.root.kind == .object else {
      throw Problem(
        message: "the inputs '\(path)' are not a JSON object of names and values: {\"name\": …}")
    }
    return document.root
  }

  /// The problem, without any text of the file, because its values may be secrets.
  static func shown(_ problem: JSONSyntaxError) -> String {
    if problem.code == .duplicateName {
      return "a name appears twice in this object; keep one of the two"
    }
    let message = problem.message
    var isQuoted = false
    for byte in message.utf8 {
      let isPunctuation =
        (0x21..<0x7F).contains(byte)
        && !(ASCIISet.letters.contains(byte) || ASCIISet.digits.contains(byte))
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if isQuoted, !isPunctuation {
        return "this is not valid JSON"
      }
    }
    return message
  }
}

extension Input {
  /// Whether `@orders.csv` is a file, and not a text.
  fileprivate var takesFiles: Bool {
    type == .array || type == .object || type == nil && read != nil
  }
}
