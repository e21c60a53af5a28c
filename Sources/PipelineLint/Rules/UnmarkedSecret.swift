import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// An input or an extracted value that is sent as a credential, and is not declared a secret.
enum UnmarkedSecret: LintRule {
  static let explanation = Explanation(
    "unmarked-secret", .warning, PackageResources.unmarked_secret_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var sent = SentCredentials()
    for step in context.steps { sent.add(step, context) }
    var found = context.workflow.inputs.filter { input in
      sent.inputs.contains(input.name) && !isMistyped(input.node["secret"])
    }.map { input in
      finding(
        "'\(input.name)' is sent as a credential; write \"secret\": true in the input",
        at: input.nameRange, fix: input.node.suggesting("secret", "true"))
    }
    for (number, names) in sent.extractors {
      for extractor in context.steps[number].request?.extract ?? []
      where names.contains(extractor.name) && !context.isUnread(extractor) {
        found.append(
          finding(
            "'\(extractor.name)' is sent as a credential; write {\(source(of: extractor)),"
              + " \"secret\": true}", at: extractor.nameRange, fix: fix(extractor)))
      }
    }
    return found
  }

  /// Whether `secret` is there and says nothing, which is reported by itself.
  private static func isMistyped(_ secret: JSONNode?) -> Bool {
    secret.map { $0.boolean == nil } ?? false
  }

  private static func fix(_ extractor: Extractor) -> DiagnosticFix? {
    let node = extractor.node
    guard node.kind == .string else { return node.suggesting("secret", "true") }
    return .replacing(
      node.range, with: "{ \"body\": \(node.text), \"secret\": true }", isSafe: false)
  }

  private static func source(of extractor: Extractor) -> String {
    if case .body(let query) = extractor.source { return "\"body\": \"\(query.value.text)\"" }
    return "…"
  }
}

/// Values that the requests of a workflow send as credentials, and that are not secret.
private struct SentCredentials {
  private(set) var inputs: Set<String> = []
  /// The names of extractors, by the numbers of their steps.
  private(set) var extractors: [Int: Set<String>] = [:]

  mutating func add(_ step: LintStep, _ context: LintContext) {
    guard let request = step.request else {
      return
    }
    let uses = zip(step.uses, context.readings[step.number])
    for (use, reading) in uses where use.use.site == .credential {
      note(use, reading, step, context)
    }
    var places: [Range<Int>] = []
    for parameter in request.headers where parameter.namesCredential {
      places.append(Self.secretPart(of: parameter.node))
    }
    for parameter in request.query where CredentialNames.isField(parameter.name) {
      places.append(parameter.node.range)
    }
    switch request.body?.content {
    case .form(let fields):
      places += fields.filter { CredentialNames.isField($0.name) }.map(\.node.range)
    case .json(let data), .madeText(let data): addMembers(of: data.node, &places)
    case .multipart, .text, .file, .graphQL, nil: break
    }
    guard !places.isEmpty else { return }
    places.sort { $0.lowerBound < $1.lowerBound }
    for (use, reading) in uses where Self.holds(places, use.use.range.lowerBound) {
      note(use, reading, step, context)
    }
  }

  /// Where a header's value is secret: in `Basic {{user}}:{{password}}`, after the user.
  private static func secretPart(of node: JSONNode) -> Range<Int> {
    guard let text = node.string, text.lowercasedASCII.hasPrefix(bytes: "basic "),
      let colon = text.firstRange(bytes: "}}:{{")
    else { return node.range }
    let start = text.utf8.distance(from: text.startIndex, to: colon.lowerBound) + 2
    return node.sourceRange(ofDecoded: start..<text.utf8.count)
  }

  /// Whether one of some ranges, in order and apart, has a position in it.
  private static func holds(_ places: [Range<Int>], _ position: Int) -> Bool {
    let index = places.partitioningIndex { $0.upperBound > position }
    return index < places.count && places[index].contains(position)
  }

  /// The members of JSON that have the name of a credential.
  private func addMembers(of node: JSONNode, _ places: inout [Range<Int>]) {
    for member in node.members {
      if member.value.kind == .string, CredentialNames.isField(member.name) {
        places.append(member.value.range)
      }
      addMembers(of: member.value, &places)
    }
  }

  private mutating func note(
    _ use: ResolvedUse, _ reading: Reading, _ step: LintStep, _ context: LintContext
  ) {
    guard case .shape(let shape) = reading, !shape.isSecret else { return }
    let query = use.use.query
    guard query.segments.count == 2, let name = query.segments[1].name else { return }
    switch use.definition {
    case .inputs?: inputs.insert(name)
    case .step(let level, let index)?:
      guard let around = context.ancestor(of: step.block, level: level) else { return }
      extractors[context.blocks[around].steps[index], default: []].insert(name)
    case .item?, .itemIndex?, .carried?, .pageValue?, .run?, .state?, nil: break
    }
  }
}
