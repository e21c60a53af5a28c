internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineLanguage

/// A step that is being translated.
struct ArazzoStep {
  /// What is taken of its response.
  private struct Extractor {
    let name: String
    let source: ImportedSource
    var isOptional: Bool
    let isSecret: Bool
  }

  /// Its id in the workflow.
  let name: String
  /// Its members other than `extract`.
  var members: [JSONValue.Member]
  private var extractors: [Extractor] = []
  private var names = ImportedName(.value)
  /// What its outputs stand for.
  var outputs: [String: ArazzoReader.Value] = [:]
  /// What it sends, for expressions such as `$request.query.limit`.
  var sent: [String: JSONValue] = [:]
  var sentBody: JSONValue?
  /// How it authenticates its sender.
  var auth: JSONValue?
  /// The outputs of the workflow that it calls, by their names there; `nil` if it sends a request.
  var calledOutputs: [String: String]?

  /// Its id in the file.
  let source: String

  /// - Parameter source: Its id in the file.
  init(name: String, source: String = "") {
    self.name = name
    self.source = source
    members = [.init("id", .string(name))]
  }

  /// The path of a value that the step takes of its response.
  ///
  /// - Parameter isOptional: Whether it may be missing.
  mutating func extract(
    _ source: ImportedSource, named word: String? = nil, isOptional: Bool, isSecret: Bool = false
  ) -> String {
    if let known = extractors.firstIndex(where: { $0.source == source }), word == nil {
      if isOptional { extractors[known].isOptional = true }
      return "\(name).\(extractors[known].name)"
    }
    let own = names.next(for: word ?? source.word, otherwise: "value")
    extractors.append(
      Extractor(name: own, source: source, isOptional: isOptional, isSecret: isSecret))
    return "\(name).\(own)"
  }

  /// All members.
  var json: JSONValue {
    let extract = extractors.map { extractor in
      var members = extractor.source.members
      if extractor.isSecret { members.append(.init("secret", true)) }
      if extractor.isOptional, extractor.source != .status {
        members.append(.init("optional", true))
      }
      if members.count == 1, case .body(let query) = extractor.source {
        return JSONValue.Member(extractor.name, .string(query))
      }
      return JSONValue.Member(extractor.name, .object(members))
    }
    return .object(members + (extract.isEmpty ? [] : [.init("extract", .object(extract))]))
  }
}

extension ArazzoStep {
  /// The members of a retry after any failure: without a response, or with one that it does not
  /// expect.
  var anyFailure: [JSONValue.Member] {
    guard case .object(let expected)? = members.first(where: { $0.name == "expect" })?.value else {
      return [.init("on", ["network", "timeout", "4xx", "5xx"])]
    }
    var failures: [String] = []
    var namesStatus = false
    for member in expected {
      var values = [member.value]
      if case .array(let list) = member.value { values = list }
      let texts = values.map { $0.node.string ?? $0.node.text }
      if member.name.equals(bytes: "where") { failures += texts.map { "!(\($0))" } }
      guard member.name.equals(bytes: "status"),
        !texts.contains(where: { $0.hasSuffix(bytes: "xx") })
      else { continue }
      namesStatus = true
      let isOne = texts.map { "@.status == \($0)" }.joined(separator: " || ")
      failures.append("!(\(isOne))")
    }
    var retry: [JSONValue.Member] = [
      .init("on", namesStatus ? ["network", "timeout"] : ["network", "timeout", "4xx", "5xx"])
    ]
    if !failures.isEmpty {
      retry.append(.init("when", .string(failures.joined(separator: " || "))))
    }
    return retry
  }

  /// The method of its request.
  var method: String? {
    for case ("endpoint", .string(let text)) in members.lazy.map({ ($0.name, $0.value) }) {
      return String(text.prefix(before: " "))
    }
    return nil
  }

  /// Whether it sends a request that is not repeated without being told to.
  var sendsChanges: Bool { Self.sendsChanges(members) }

  private static func sendsChanges(_ members: [JSONValue.Member]) -> Bool {
    members.contains { member in
      switch (member.name, member.value) {
      case ("endpoint", .string(let text)):
        return !HTTPMethod.isIdempotent(String(text.prefix(before: " ")))
      case ("steps", .array(let steps)):
        return steps.contains { step in
          if case .object(let members) = step { sendsChanges(members) } else { false }
        }
      default: return false
      }
    }
  }
}
