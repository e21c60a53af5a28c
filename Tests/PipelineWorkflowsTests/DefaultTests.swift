import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import Testing

/// The defaults that docs/language.md names are those that a file without the key has.
@Suite struct DefaultTests {
  @Test(arguments: LanguageObject.Kind.allCases)
  func aKeyWithItsDefaultSaysNothingNew(_ kind: LanguageObject.Kind) throws {
    // What the item is called is asked for, not kept: a run tests it. Without `in`, the place of a
    // page's parameter follows the body.
    for key in kind.object.keys where !["as", "in"].contains(key.name) {
      guard let value = key.defaultValue, !key.isRequired else { continue }
      let with = KeyExamples.file(with: key, of: kind, value: value)
      let member = "\"\(key.name)\": \(value)"
      #expect(with.contains(member), "\(key.name) of \(kind)")
      let without = with.replacing(", " + member, with: "").replacing(member + ", ", with: "")
      guard without != with else { continue }
      let (said, silent) = try (Self.facts(with), Self.facts(without))
      let difference = Set(said).symmetricDifference(silent).sorted().prefix(6)
      #expect(difference.isEmpty, "\(key.name) of \(kind): \(without)")
    }
  }

  @Test func anotherValueThanTheDefaultIsSeen() throws {
    let retry = LanguageObject.Kind.retry
    let key = try #require(retry.object["delay"])
    let (one, other) = ("\"1s\"", "\"2s\"")
    #expect(
      try Self.facts(KeyExamples.file(with: key, of: retry, value: one))
        != Self.facts(KeyExamples.file(with: key, of: retry, value: other)))
  }

  /// All that a file says, without where it says it.
  private static func facts(_ text: String) throws -> [String] {
    let file = SourceFile(name: "file.json", bytes: Array(text.utf8))
    let decoded = Workflow.decode(file, loader: EmptyFiles())
    let errors = decoded.diagnostics.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(text): \(errors.map(\.message))")
    var facts: [String] = []
    collect(try #require(decoded.workflow), "", &facts)
    return facts.sorted()
  }

  private static let places: Set<String> = [
    "document", "file", "index", "range", "node", "nameRange", "source", "statusNode", "limitNames",
    "valueRange", "textRange",
  ]

  private static func collect(_ value: Any, _ path: String, _ facts: inout [String]) {
    switch value {
    case let leaf as Duration: facts.append("\(path) = \(leaf)")
    case let leaf as String: facts.append("\(path) = \(leaf)")
    case is Range<Int>: return
    default:
      let mirror = Mirror(reflecting: value)
      if mirror.children.isEmpty {
        facts.append("\(path) = \(value)")
        return
      }
      for (index, child) in mirror.children.enumerated()
      where !(child.label.map(places.contains) ?? false) {
        collect(child.value, path + "." + (child.label ?? String(index)), &facts)
      }
    }
  }
}
