import PipelineJSONText
import PipelineLanguage
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The binary contains its language: `explain`, `help language`, `help crib` and the manual.
@Suite(.ownThreads) struct LanguageHelpTests {
  private static let docs = Conformance.packageRoot + "/docs/"

  @Test func thePagesOfTheDocumentationAreThoseOfTheBinary() async {
    for (page, file) in [("language", "llms.txt"), ("crib", "crib.txt")] {
      let text = readFile(Self.docs + file).map { String(decoding: $0, as: UTF8.self) }
      #expect(await pipeline(["help", page]).output == text, "\(file)")
    }
  }

  @Test func thePagesAreShort() async {
    #expect(Self.tokens(of: await pipeline(["help", "language"]).output) < 13_000)
    #expect(await pipeline(["help", "crib"]).output.utf8.count <= 1500)
  }

  /// Words, each capital of a name beginning another, up to three digits, and runs of one other
  /// character: close to what models count, and mostly above it.
  private static func tokens(of text: String) -> Int {
    var count = 0
    var last: Character?
    var run = 0
    for character in text {
      defer { last = character }
      guard !character.isWhitespace else { continue }
      let continues =
        last.map { last in
          if character.isLetter {
            return last.isLetter && !(character.isUppercase && last.isLowercase)
          }
          if character.isNumber { return last.isNumber && run < 3 }
          return last.isPunctuation || last.isSymbol
        } ?? false
      run = continues ? run + 1 : 1
      if !continues { count += 1 }
    }
    return count
  }

  @Test func everyExampleOfThePageRunsAndGivesWhatThePageSays() async throws {
    let page = await pipeline(["help", "language"]).output
    let blocks = page.split(separator: "```json\n").dropFirst()
      .compactMap { $0.split(separator: "\n```").first.map(String.init) }
    let folder = TemporaryFolder()
    var workflow: String?
    var runs = 0
    var tests = 0
    for block in blocks {
      let root = try JSONDocument.parse(Array(block.utf8)).root
      if root["steps"] != nil {
        if workflow == nil { folder.write(block, to: "users.json") }
        let path = folder.write(block, to: "workflow.json")
        #expect(await pipeline(["lint", "--strict", path]).status == .success, "\(block)")
        let outcome = await pipeline(
          ["run", "--no-store", "--quiet", path], environment: ["PASSWORD": "secret"])
        #expect(outcome.status == .success, "\(outcome.error)")
        workflow = outcome.output
      } else if root["tests"] != nil {
        let outcome = await pipeline(["test", folder.write(block, to: "users.test.json")])
        #expect(outcome.status == .success, "\(outcome.error)")
        tests += 1
      } else {
        let printed = try JSONDocument.parse(Array(try #require(workflow).utf8)).root
        #expect(printed.isEqual(to: root), "\(printed.text)")
        runs += 1
      }
    }
    #expect(runs == 5 && tests == 1)
  }

  @Test func theCribIsAWorkflowThatLintAccepts() async throws {
    let lines = await pipeline(["help", "crib"]).output.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("{") })
    let end = try #require(lines.firstIndex { $0.hasPrefix("actions") })
    let folder = TemporaryFolder()
    let path = folder.write(
      lines[start..<end].joined(separator: "\n"), to: "crib.json")
    let outcome = await pipeline(["lint", path])
    #expect(outcome.status == .success, "\(outcome.output)\(outcome.error)")
  }

  @Test func everyKeyFormAndObjectIsExplained() async {
    for word in ExplainCommand.topics {
      let outcome = await pipeline(["explain", word])
      #expect(outcome.status == .success && outcome.error.isEmpty, "\(word)")
      for line in outcome.output.split(separator: "\n") where !line.contains("Example") {
        // The examples of findings are as wide as their files.
        if LanguageTopic(word) == nil { continue }
        #expect(line.count <= 110, "\(line)")
      }
    }
    for object in LanguageTopic.allObjects {
      for key in object.keys {
        let outcome = await pipeline(["explain", "\(object.kind.rawValue).\(key.name)"])
        // A long example is on a line of its own.
        let words = outcome.output.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
        #expect(words.contains("\"\(key.name)\": \(key.example.prefix(20))"), "\(key.name)")
      }
    }
  }

  @Test(arguments: [
    ("retry", "Keys in 'retry':\n  attempts"), ("step.retry", "'retry' in a step: "),
    ("$merge", "'$merge' in data stands for"), ("merge", "'$merge' in data stands for"),
    ("assertions", "'assertions' is a word of other tools. In 'defaults', in a step"),
    ("state value", "Keys in a state value"), ("unused-input", "unused-input (warning)"),
  ])
  func aWordIsExplained(word: String, expected: String) async {
    let outcome = await pipeline(["explain", word])
    #expect(outcome.output.contains(expected), "\(outcome.output)")
  }

  @Test func aNearWordIsProposed() async {
    let outcome = await pipeline(["explain", "retyr"])
    #expect(outcome.status == .usage && outcome.output.isEmpty)
    #expect(outcome.error == "pipeline: nothing is called 'retyr'; did you mean 'retry'?\n")
  }

  @Test func theManualIsWrittenAndIsInTheLanguageOfMan() async throws {
    let folder = TemporaryFolder()
    let outcome = await pipeline(["help", "--man", folder.path])
    #expect(outcome.status == .success, "\(outcome.error)")
    let names = try FileSystem.system.names(folder.path)
    let commands = CommandTable.pipeline.commands.map { "pipeline-\($0.name).1" }
    #expect(Set(names) == Set(commands + ["pipeline.1"]))
    for name in names {
      let text = String(decoding: try #require(readFile(folder.path + "/" + name)), as: UTF8.self)
      #expect(text.hasPrefix(".TH PIPELINE"), "\(name)")
      // groff says on stderr what it does not understand.
      let path = folder.path + "/" + name
      #expect(
        system(
          "! command -v groff >/dev/null || test -z \"$(groff -ww -man -Tutf8 \(path) 2>&1 >/dev/null)\""
        ) == 0, "\(name)")
    }
    let missing = await pipeline(["help", "--man", folder.path + "/none"])
    #expect(missing.status == .failure && missing.error.contains("no such folder"))
    let both = await pipeline(["help", "run", "--man", folder.path])
    #expect(both.status == .usage)
  }
}
