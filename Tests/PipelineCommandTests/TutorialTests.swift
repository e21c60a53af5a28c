import PipelineTestSupport
import PipelineTestTraits
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Every command of docs/tutorial.md does what the page shows.
@Suite(.ownThreads) struct TutorialTests {
  /// A code block of the page.
  private struct Block {
    let language: Substring
    let text: Substring
    /// What the page says since the last block.
    let lead: Substring
  }

  /// A command, and the lines that the page shows after it.
  private struct Command {
    let line: String
    var expected: [Substring] = []
  }

  private let page = String(
    decoding: readFile(Conformance.packageRoot + "/docs/tutorial.md") ?? [], as: UTF8.self)

  private var blocks: [Block] {
    let parts = page.split(separator: "```", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(
        separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Block(language: lines[0], text: lines.last ?? "", lead: parts[index - 1])
    }
  }

  private static func commands(of block: Block) -> [Command] {
    var commands: [Command] = []
    for line in block.text.split(separator: "\n") {
      if line.hasPrefix("$ ") {
        commands.append(Command(line: String(line.dropFirst(2))))
      } else if !commands.isEmpty {
        commands[commands.count - 1].expected.append(line)
      }
    }
    return commands
  }

  @Test func everyCommandPrintsWhatThePageShows() throws {
    let program = try #require(ChildProcess.executable)
    let folder = TemporaryFolder()
    var count = 0
    for block in blocks {
      if block.language == "json" {
        let name = try #require(
          block.lead.split(separator: "`").last { $0.hasSuffix(".json") }, "\(block.lead)")
        folder.write(String(block.text), to: String(name))
      }
      guard block.language == "console" else { continue }
      for command in Self.commands(of: block) {
        let output = Self.output(of: command.line, in: folder, program)
        #expect(
          Self.matches(output.split(separator: "\n"), command.expected),
          "\(command.line)\n\(output)")
        count += 1
      }
    }
    #expect(count >= 11)
  }

  /// What a shell prints for a command: stderr, then stdout.
  private static func output(
    of line: String, in folder: TemporaryFolder, _ program: String
  ) -> String {
    let bin = program.dropLast("/pipeline".count)
    folder.write("cd '\(folder.path)'; PATH=\"\(bin):$PATH\"\n\(line)\n", to: "command.sh")
    _ = system(
      "sh '\(folder.path)/command.sh' >'\(folder.path)/stdout' 2>'\(folder.path)/stderr'")
    return (folder.read("stderr") ?? "") + (folder.read("stdout") ?? "")
  }

  /// Whether lines are those shown; `…` stands for any number of lines. Times may differ, and so may
  /// which of several items failed first.
  private static func matches(_ lines: [Substring], _ shown: [Substring]) -> Bool {
    guard let first = shown.first else { return lines.isEmpty }
    if first == "…" {
      return (0...lines.count).contains {
        matches(Array(lines.dropFirst($0)), Array(shown.dropFirst()))
      }
    }
    guard let line = lines.first, timeless(line) == timeless(first) else { return false }
    return matches(Array(lines.dropFirst()), Array(shown.dropFirst()))
  }

  private static func timeless(_ line: Substring) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { word -> Substring in
      let number = word.last == ":" ? word.dropLast() : word
      guard number.first?.isNumber == true, number.allSatisfy({ $0.isNumber || $0 == "." }) else {
        return word
      }
      return word.last == ":" ? "N:" : "N"
    }.joined(separator: " ").replacing("N ms", with: "N s")
  }
}
