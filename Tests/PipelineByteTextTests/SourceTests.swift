import Foundation
import Testing

/// Text that decides something is compared and cut by bytes (decision 15): these forms of Swift's
/// are of characters, and have a counterpart in `ByteText`.
struct SourceTests {
  /// JSON and queries are read as bytes; SourceText is for the eye.
  private static let others = ["JSONText", "JSONPaths", "SourceText", "ByteText"]
    .map { "Pipeline\($0)/" }

  private static let forbidden = [
    #"\.has(Prefix|Suffix)\((?!bytes:)"#, #"\.firstRange\(of: "#, #"\.replacing\(""#,
    #"split\(separator: "(\\.|[^"\\])"[,)]"#, #"(first|last)Index\(of: ""#,
    #"\.prefix \{ \$0 != "[^"]+" \}"#,
    #"\.contains\("[^"]*[^A-Za-z"][^"]*"\)"#,
  ]

  @Test func noTextIsCutOrComparedByCharacters() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let paths = try #require(FileManager.default.enumerator(atPath: root.path))
    let rules = try Self.forbidden.map { try NSRegularExpression(pattern: $0) }
    var count = 0
    for case let path as String in paths where path.hasSuffix(".swift") {
      if Self.others.contains(where: { path.hasPrefix($0) }) { continue }
      count += 1
      let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      for (number, line) in text.components(separatedBy: "\n").enumerated() {
        if line.trimmingCharacters(in: .whitespaces).hasPrefix("//") { continue }
        let range = NSRange(line.startIndex..., in: line)
        for rule in rules where rule.firstMatch(in: line, range: range) != nil {
          Issue.record("\(path):\(number + 1): \(line)")
        }
      }
    }
    #expect(count > 300)
  }
}
