import PipelineByteText
import PipelineTestSupport
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

/// docs/sandbox.md against the server: its tables name every route, its examples come out as shown.
@Suite struct DocumentationTests {
  private struct Example {
    var commands: [String] = []
    var output = ""
  }

  private let lines: [Substring]

  init() throws {
    let bytes = try #require(readFile(Conformance.packageRoot + "/docs/sandbox.md"))
    lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func theTablesListEveryRouteInOrder() {
    let rows = lines.filter { $0.hasPrefix("| ") && $0.contains("| `/") }.map { line in
      let cells = line.split(separator: "|").map { String($0).trimmed }
      return "\(cells[0] == "any" ? "*" : cells[0]) \(cells[1].filter { $0 != "`" })"
    }
    #expect(rows == Router.all.map { "\($0.method) \($0.pattern)" })
  }

  @Test func theExamplesComeOutAsShown() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let examples = examples
    #expect(examples.count >= 10)
    for example in examples {
      var output = ""
      for command in example.commands {
        output += try run(Self.words(of: command), server) + "\n"
      }
      #expect(output == example.output, "\(example.commands)")
    }
  }

  private var examples: [Example] {
    var examples: [Example] = []
    var fence: Substring?
    for line in lines {
      if line.hasPrefix("```") {
        if fence != nil {
          fence = nil
        } else {
          fence = line
          if line == "```sh" { examples.append(Example()) }
        }
      } else if fence == "```sh" {
        examples[examples.count - 1].commands.append(String(line))
      } else if fence == "```" {
        examples[examples.count - 1].output += line + "\n"
      }
    }
    return examples
  }

  /// Carries out the options of curl that the page uses.
  private func run(_ words: [String], _ server: SandboxServer) throws -> String {
    var words = words[...]
    #expect(words.popFirst() == "curl")
    var (method, body, target) = ("GET", "", "")
    var headers: [String: String] = [:]
    while let word = words.popFirst() {
      switch word {
      case "-X": method = try next(&words)
      case "-d":
        body = try next(&words)
        if method == "GET" { method = "POST" }
        headers["Content-Type", default: "application/x-www-form-urlencoded"] += ""
      case "-u":
        let user = try next(&words)
        headers["Authorization"] = "Basic \(Base64.encode(Array(user.utf8)))"
      case "-H":
        let halves = try next(&words).split(separator: ":", maxSplits: 1)
        headers[String(halves[0])] = String(halves[1]).trimmed
      default:
        #expect(word.hasPrefix("$SANDBOX/"))
        target = String(word.dropFirst("$SANDBOX".count))
      }
    }
    return try server.request(method, target, headers: headers, body: body).text
  }

  private func next(_ words: inout ArraySlice<String>) throws -> String {
    let word = words.popFirst()
    return try #require(word)
  }

  /// Words as a shell parts them: quotes of both kinds, no expansion.
  private static func words(of command: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in command {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
