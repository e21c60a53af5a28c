import PipelineDrawings
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// The texts for Mermaid and Graphviz, held against the part of their grammars that they use.
struct GraphTextTests {
  private let folder = TemporaryFolder()

  /// Names and texts that mean something to Mermaid or Graphviz.
  private static let text = """
    {
      "name": "a \\"quoted\\" \\\\ name; end",
      "steps": [
        { "id": "end", "endpoint": "GET https://api.example.com/a?b=%22c%22&d=;" , "extract": { "ids": "$.ids" } },
        { "id": "graph", "forEach": "$.end.ids", "as": "n", "steps": [
          { "id": "click", "endpoint": "GET https://api.example.com/{{n}}", "extract": { "x": "$['y#z']" } },
          { "id": "class", "when": "$.click.x == 'a|b]'", "endpoint": "POST https://api.example.com/{{n}}" }
        ] },
        { "id": "many", "forEach": [1, 2], "endpoint": "GET https://api.example.com/{{item}}", "dependsOn": ["graph"] },
        { "id": "last", "values": { "x": "{{end.ids[0]}}", "y": "$.many" } }
      ],
      "outputs": { "x": "{{last.x}}", "y": "{{last.y}}" }
    }
    """

  private func drawn(_ path: String, _ format: String) async -> [Substring] {
    let result = await pipeline(["graph", path, "--format", format])
    #expect(result.status == .success, "\(path): \(result.error)")
    return (result.status == .success ? result.output : "\n").split(separator: "\n")
  }

  private func paths() throws -> [String] {
    let samples = Conformance.packageRoot + "/workflows"
    let names = try FileSystem.system.names(samples).filter {
      $0.hasSuffix(".json") && !$0.hasSuffix(".test.json")
    }
    return names.map { samples + "/" + $0 } + [folder.write(Self.text, to: "odd.json")]
  }

  @Test func mermaidIsOfItsGrammar() async throws {
    let node = try Regex(#" *(s_\w+)(?:\["([^"\]\[]*)"\]|\[\["([^"\]\[]*)"\]\])"#)
    let group = try Regex(#" *subgraph (s_\w+)\["([^"\]\[]*)"\]"#)
    let edge = try Regex(#" *(s_\w+) (?:-->|-\.->) (s_\w+)"#)
    let label = try Regex(##"(?:<b>|</b>|<br/>|#[0-9]+;|[^<>#"&;\[\]{}|])*"##)
    for path in try paths() {
      let lines = await drawn(path, "mermaid")
      guard lines.count > 4 else { continue }
      #expect(lines[0] == "---" && lines[1].hasPrefix("title: \"") && lines[2] == "---")
      #expect(lines[3] == "flowchart TD")
      var (depth, names) = (0, Set<String>())
      for line in lines[4...] {
        if let match = line.wholeMatch(of: edge) {
          #expect(names.contains(String(match.output[1].substring ?? "")))
          #expect(names.contains(String(match.output[2].substring ?? "")))
        } else if line.drop(while: { $0 == " " }) == "end" {
          depth -= 1
        } else {
          let opening = line.wholeMatch(of: group)
          guard let match = opening ?? line.wholeMatch(of: node) else {
            Issue.record("\(path): \(line)")
            continue
          }
          #expect(names.insert(String(match.output[1].substring ?? "")).inserted, "\(line)")
          let text = match.output[2].substring ?? match.output[3].substring ?? ""
          #expect(text.wholeMatch(of: label) != nil, "\(line)")
          if opening != nil { depth += 1 }
        }
        #expect(depth >= 0)
      }
      #expect(depth == 0)
    }
  }

  @Test func dotIsOfItsGrammar() async throws {
    let id = #""(?:[^"\\]|\\.)*""#
    let attributes = #"\[\w+=(?:\#(id)|[\w.]+)(?:, \w+=(?:\#(id)|[\w.]+))*\]"#
    let statement = try Regex(
      #" *(?:\#(id)(?: -> \#(id))? \#(attributes);|subgraph (\#(id)) \{|\}"#
        + #"|(?:node|edge) \#(attributes);|compound=true;|label=\#(id); style=rounded;)"#)
    for path in try paths() {
      let lines = await drawn(path, "dot")
      guard lines.count > 1 else { continue }
      #expect(try lines[0].wholeMatch(of: Regex("digraph \(id) \\{")) != nil)
      var depth = 1
      for line in lines[1...] {
        #expect(line.wholeMatch(of: statement) != nil, "\(path): \(line)")
        if line.drop(while: { $0 == " " }).hasPrefix("subgraph ") { depth += 1 }
        if line.drop(while: { $0 == " " }) == "}" { depth -= 1 }
      }
      #expect(depth == 0)
    }
  }

  /// Whatever steps and blocks are called, each has a name of its own, in Mermaid's text as in dot's.
  @Test func noTwoStepsShareAName() async throws {
    let node = try Regex(#"(?m)^ *(?:subgraph )?(s_\w+)\["#)
    let box = try Regex(#"(?m)^ *(?:subgraph )?("[^"]*") [\[{]"#)
    let nested = #"{ "id": "a", "steps": [{ "id": "b", "wait": "1s" }] }"#
    var workflows = [(count: 3, steps: nested + #", { "id": "a__b", "wait": "1s" }"#)]
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      var count = 0
      let steps = Self.steps(Self.names, &count, &random)
      workflows.append((count, steps))
    }
    for (number, workflow) in workflows.enumerated() {
      let path = folder.write("{ \"steps\": [\(workflow.steps)] }", to: "\(number).json")
      for (format, pattern) in [("mermaid", node), ("dot", box)] {
        let text = await drawn(path, format).joined(separator: "\n")
        let names = text.matches(of: pattern).map { String($0.output[1].substring ?? "") }
        #expect(
          names.count == workflow.count && Set(names).count == names.count, "\(format): \(text)")
      }
    }
  }

  /// Names that are made of what the texts put between names.
  private static let names = ["a", "b", "_", "__", "a_b", "a__b", "a_0b", "_0", "a_", "_b", "b__a"]

  /// Steps of some of the names, with steps of the others in them.
  private static func steps(
    _ names: [String], _ count: inout Int, _ random: inout SeededGenerator
  ) -> String {
    let names = names.shuffled(using: &random)
    return names.prefix(4).map { name in
      count += 1
      guard names.count > 4, Bool.random(using: &random) else {
        return "{ \"id\": \"\(name)\", \"wait\": \"1s\" }"
      }
      let inner = steps(Array(names.dropFirst(4)), &count, &random)
      return "{ \"id\": \"\(name)\", \"steps\": [\(inner)] }"
    }.joined(separator: ", ")
  }

  @Test func aPageFitsItsWindowAndIsUsedByKeyboard() async throws {
    let path = folder.write(Self.text, to: "odd.json")
    let page = await drawn(path, "html").joined(separator: "\n")
    // Without its script, too, the drawing is no wider than the window; nothing is fetched.
    #expect(page.contains("#view svg { margin: auto; flex: none; max-width: 100%; height: auto; }"))
    let steps = page.split(separator: "data-step=").count - 1
    #expect(page.split(separator: "tabindex=\"0\" role=\"button\" aria-label=").count - 1 == steps)
    #expect(page.contains("id=\"search\"") && page.contains("aria-live=\"polite\""))
    for word in ["src=", "href=", "@import", "url(h"] {
      #expect(!page.contains(word), "\(word)")
    }
  }
}

struct WrappedGraphTests {
  private let boxes = [LayeredLayout.Vertex](
    repeating: LayeredLayout.Vertex(breadth: 160, depth: 50), count: 42)

  /// One step, forty after it, one after these.
  private var fan: [LayeredLayout.Edge] {
    (1...40).flatMap {
      [LayeredLayout.Edge(from: 0, to: $0), LayeredLayout.Edge(from: $0, to: 41)]
    }
  }

  @Test(arguments: [true, false])
  func fortyParallelStepsFitAWindow(isFan: Bool) {
    let layout = LayeredLayout(boxes, isFan ? fan : [], broadest: 1100)
    #expect(layout.breadth <= 1250)
    #expect(Set(layout.layers).count >= 7)
    if isFan {
      #expect(fan.allSatisfy { layout.layers[$0.from] < layout.layers[$0.to] })
      #expect(layout.centers.allSatisfy { 0...layout.breadth ~= $0.across })
    }
  }

  @Test func whatFitsIsNotWrapped() {
    #expect(LayeredLayout(Array(boxes.prefix(5)), [], broadest: 1100).layers == [0, 0, 0, 0, 0])
  }
}

struct KnownValuesTests {
  private let folder = TemporaryFolder()

  @Test func whatInputsTellIsComputed() async {
    let path = folder.write(
      """
      {
        "inputs": {
          "page": { "type": "integer", "default": 2 },
          "tags": { "type": "array", "default": [{ "n": "a" }, { "n": "b" }] },
          "key": { "type": "string", "secret": true, "default": "hidden-key" },
          "later": { "type": "string" }
        },
        "steps": [
          { "id": "known", "values": { "page": "{{inputs.page}}", "names": "$.inputs.tags[*].n", "text": "p{{inputs.page}}" } },
          { "id": "further", "values": { "first": "{{known.names[0]}}", "key": "{{inputs.key}}", "later": "{{inputs.later}}" } },
          { "id": "list", "endpoint": "GET https://api.example.com/{{known.page}}/{{further.first}}", "extract": { "total": "$.total" } },
          { "id": "sum", "values": { "total": "{{list.total}}", "page": "{{known.page}}" } },
          { "id": "maybe", "when": "$.inputs.page > 3", "values": { "x": 1 } },
          { "id": "send", "endpoint": "POST https://api.example.com/{{sum.total}}", "body": { "json": { "key": "{{further.key}}", "later": "{{further.later}}", "x": "{{maybe.x}}" } } }
        ]
      }
      """, to: "known.json")
    let result = await pipeline(["plan", path])
    #expect(result.status == .success, "\(result.error)")
    for line in [
      "value  page = 2", "value  names = [\"a\",\"b\"]", "value  text = \"p2\"",
      "value  first = \"a\"", "value  later = \"{{inputs.later}}\"",
      "GET https://api.example.com/2/a", "value  total = \"{{list.total}}\"",
      "POST https://api.example.com/{{sum.total}}",
      "body   {\"json\":{\"key\":\"{{further.key}}\",\"later\":\"{{further.later}}\",\"x\":\"{{maybe.x}}\"}}",
    ] {
      #expect(result.output.contains(line), "\(line)\n\(result.output)")
    }
    #expect(!result.output.contains("hidden-key"))
  }
}
