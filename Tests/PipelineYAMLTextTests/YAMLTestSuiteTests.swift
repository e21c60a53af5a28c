import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineYAMLText

/// The YAML test suite, whole. Skipped without `$CORPORA_DIR` or `../shared/corpora`.
@Suite(.enabled(if: Conformance.corpora != nil, "$CORPORA_DIR has no YAML test suite"))
struct YAMLTestSuiteTests {
  @Test func everyValidTextGivesItsEventsAndEveryOtherIsRefused() throws {
    var (valid, refused) = (0, 0)
    for example in try YAMLSuiteCase.all() {
      let events = Result { try suiteEvents(of: example.yaml) }
      switch (events, example.events) {
      case (.success(let found), let wanted?):
        valid += 1
        #expect(found == wanted, "\(example.name)")
      case (.failure, nil): refused += 1
      case (.success(let found), nil): Issue.record("\(example.name) is accepted: \(found)")
      case (.failure(let problem), _): Issue.record("\(example.name): \(problem)")
      }
    }
    #expect(valid == 308)
    #expect(refused == 94)
  }

  @Test func everyTextWithJSONStandsForIt() throws {
    var count = 0
    for example in try YAMLSuiteCase.all() {
      guard let json = example.json else { continue }
      let found = Result { try YAMLDocument.parseAll(example.yaml) }
      guard case .success(let documents) = found else {
        Issue.record("\(example.name): \(found)")
        continue
      }
      count += 1
      let wanted = try JSONDocument.parse(Array("[\(separated(json))]".utf8)).root
      let parts = documents.map(\.document.root.text)
      let whole = try JSONDocument.parse(Array("[\(parts.joined(separator: ","))]".utf8))
      #expect(whole.root.isEqual(to: wanted), "\(example.name): \(whole.root.text)")
      for document in documents {
        #expect(try JSONDocument.parse(document.document.bytes).tape == document.document.tape)
      }
    }
    #expect(count > 250)
  }

  /// JSON texts one after another, with commas between them.
  private func separated(_ texts: String) -> String {
    var parts: [String] = []
    var part: [String] = []
    for line in texts.split(separator: "\n", omittingEmptySubsequences: true) {
      part.append(String(line))
      let joined = part.joined(separator: "\n")
      if (try? JSONDocument.parse(Array(joined.utf8))) != nil {
        parts.append(joined)
        part = []
      }
    }
    return (parts + part).joined(separator: ",")
  }
}
