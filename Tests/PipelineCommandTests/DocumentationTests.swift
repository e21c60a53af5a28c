import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// docs/cli.md says what the table says.
struct DocumentationTests {
  private let text =
    readFile(Conformance.packageRoot + "/docs/cli.md").map { String(decoding: $0, as: UTF8.self) }
    ?? ""

  /// The lines of the page's code blocks.
  private var codeLines: [Substring] {
    let blocks = text.split(separator: "```", omittingEmptySubsequences: false)
    return blocks.enumerated().filter { $0.offset % 2 == 1 }.flatMap {
      $0.element.split(separator: "\n")
    }
  }

  @Test func everyCommandLineIsUnderstood() throws {
    let parser = ArgumentParser(table: .pipeline)
    var count = 0
    for line in codeLines where line.hasPrefix("pipeline ") && !line.contains("[OPTION]") {
      let words = line.prefix { $0 != ">" && $0 != "|" }.split(separator: " ").map(String.init)
      _ = try parser.parse(Array(words.dropFirst()))
      count += 1
    }
    #expect(count >= 6)
    for example in CommandTable.pipeline.commands.flatMap(\.page.examples) {
      guard let start = example.line.firstRange(of: "pipeline ") else { continue }
      let line = example.line[start.lowerBound...].prefix { !">|)".contains($0) }
      let words = line.split(separator: " ").map(String.init)
      _ = try parser.parse(Array(words.dropFirst()))
    }
  }

  @Test func everyCommandOptionAndStatusIsExplained() {
    for command in CommandTable.pipeline.commands {
      #expect(text.contains("| `\(command.name)"), "\(command.name)")
      for option in command.options where option.name != "help" {
        #expect(text.contains("--\(option.name)"), "\(option.name)")
        if let letter = option.letter, command.name == "run" {
          #expect(text.contains("`-\(letter)`, `--\(option.name)"), "\(option.name)")
        }
      }
    }
    for status in ExitStatus.allCases {
      #expect(text.contains("| \(status.rawValue) |"), "\(status)")
    }
  }

  @Test func everyKindOfErrorIsListed() throws {
    let words = Set(
      text.split { !$0.isLetter }.map(String.init))
    for kind in FailureReason.Kind.allCases { #expect(words.contains(kind.rawValue)) }
    let language = try #require(readFile(Conformance.packageRoot + "/docs/language.md"))
    let rows = String(decoding: language, as: UTF8.self).split(
      separator: "| kind | what went wrong |")
    let kinds = try #require(rows.last).split(separator: "\n").dropFirst()
      .prefix { $0.hasPrefix("| `") }.map { $0.split(separator: "`")[1] }
    #expect(kinds.map(String.init) == FailureReason.Kind.allCases.map(\.rawValue))
    let list = try #require(text.split(separator: "request's `error` is one of\n").last)
      .split(separator: "`")[0]
    #expect(
      list.split(whereSeparator: \.isWhitespace).map(String.init)
        == TransportError.Kind.allCases.map(\.rawValue))
  }

  @Test func everyEventIsExplained() throws {
    let path = Conformance.packageRoot + "/Tests/Snapshots/PipelineCommand/events.jsonl"
    let lines = try #require(readFile(path)).split(separator: 0x0A)
    for line in lines {
      let event = try JSONDocument.parse(Array(line)).root
      for member in event.members where member.name != "event" {
        #expect(text.contains("`\(member.name)`"), "\(member.name)")
      }
      #expect(text.contains("| `\(event["event"]?.string ?? "")` |"))
    }
  }
}
