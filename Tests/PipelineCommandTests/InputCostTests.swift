import PipelineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private let countsInstructions =
  getenv("COUNT_INSTRUCTIONS") != nil && ChildProcess.executable != nil
  && system("command -v valgrind >/dev/null && command -v strip >/dev/null") == 0

/// Ten times as much of anything costs about ten times as much: instructions are counted, never time.
///
/// What runs needs threads, with which valgrind does not get on: here are the commands that do not.
@Suite(
  .enabled(if: countsInstructions, "set COUNT_INSTRUCTIONS=1, and install valgrind and strip"),
  .serialized)
struct InputCostTests {
  /// Something that a file may hold many times.
  struct Construct: Sendable, CustomTestStringConvertible {
    let name: String
    var command = "lint"
    /// Where the first hundred findings are looked after better than others, more of them show it.
    var few = 50
    let file: @Sendable (Int) -> String

    var testDescription: String { name }
  }

  private static func list(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: ",")
  }

  private static func request(_ more: String) -> String {
    #"{"id": "a", "endpoint": "POST https://a.example/x", "extract": {"x": "$.x"}\#(more)}"#
  }

  private static func steps(_ steps: String, _ more: String = "") -> String {
    "{\"steps\": [\(steps)]\(more)}"
  }

  private static func inputs(_ count: Int) -> String {
    ", \"inputs\": {\(list(count) { "\"x\($0)\": {\"type\": \"string\", \"default\": \"\"}" })}"
  }

  private static func ofQuery(_ query: String) -> String {
    steps(#"{"id": "a", "endpoint": "GET https://a.example/", "extract": {"x": "\#(query)"}}"#)
  }

  static let constructs: [Construct] = [
    Construct(name: "unknown keys", few: 120) { count in
      steps(request("," + list(count) { "\"k\($0)\": 1" }))
    },
    Construct(name: "unknown steps", few: 120) { count in
      steps(list(count) { "{\"id\": \"step\($0)\", \"values\": {\"v\": \"{{stpe\($0).v}}\"}}" })
    },
    Construct(name: "unknown inputs", few: 120) { count in
      steps(
        "{\"id\": \"a\", \"values\": {\(list(count) { "\"v\($0)\": \"{{inputs.xy\($0)}}\"" })}}",
        inputs(count))
    },
    Construct(name: "unknown values", few: 120) { count in
      steps(
        "{\"id\": \"a\", \"values\": {\(list(count) { "\"v\($0)\": 1" })}},"
          + "{\"id\": \"b\", \"values\": {\(list(count) { "\"v\($0)\": \"{{a.w\($0)}}\"" })}}")
    },
    Construct(name: "unknown dependencies", few: 120) { count in
      steps(
        list(count) { "{\"id\": \"s\($0)\", \"dependsOn\": [\"t\($0)\"], \"values\": {\"v\": 1}}" })
    },
    Construct(name: "unused inputs") { count in steps(request(""), inputs(count)) },
    Construct(name: "unknown codes in '$lint'") { count in
      steps(
        request(", \"$lint\": {\"ignore\": {\(list(count) { "\"unused-\($0)\": \"because\"" })}}"))
    },
    Construct(name: "steps that silence") { count in
      steps(
        list(count) { number in
          "{\"id\": \"s\(number)\", \"$lint\": {\"ignore\": {\"unused-step\": \"because\"}}, "
            + "\"values\": {\"v\": 1}}"
        })
    },
    Construct(name: "a chain of steps") { count in
      steps(
        list(count) { number in
          "{\"id\": \"s\(number)\", "
            + "\"values\": {\"v\": \(number == 0 ? "1" : "\"{{s\(number - 1).v}}\"")}}"
        }, ", \"outputs\": {\"v\": \"{{s\(count - 1).v}}\"}")
    },
    Construct(name: "circles of steps") { count in
      steps(list(count) { "{\"id\": \"s\($0)\", \"values\": {\"v\": \"{{s\($0 ^ 1).v}}\"}}" })
    },
    Construct(name: "a step that reads all others") { count in
      steps(
        list(count) { "{\"id\": \"s\($0)\", \"values\": {\"v\": 1}}" }
          + ",{\"id\": \"z\", \"values\": {\(list(count) { "\"v\($0)\": \"{{s\($0).v}}\"" })}}",
        #", "outputs": {"z": "{{z}}"}"#)
    },
    Construct(name: "headers") { count in
      steps(request(", \"headers\": {\(list(count) { "\"h\($0)\": \"1\"" })}"))
    },
    Construct(name: "parameters") { count in
      steps(request(", \"query\": {\(list(count) { "\"h\($0)\": \"1\"" })}"))
    },
    Construct(name: "conditions joined by &&") { count in
      let parts = (0..<count).map { "$.inputs.x != \($0)" }.joined(separator: " && ")
      return steps(request(", \"when\": \"\(parts)\""), #", "inputs": {"x": {"type": "integer"}}"#)
    },
    Construct(name: "conditions joined by ||") { count in
      let parts = (0..<count).map { "$.inputs.x == \($0)" }.joined(separator: " || ")
      return steps(request(", \"when\": \"\(parts)\""), #", "inputs": {"x": {"type": "integer"}}"#)
    },
    Construct(name: "references in a text") { count in
      steps(
        request(
          ", \"query\": {\"q\": \"\(String(repeating: "{{inputs.x0}}", count: count))\"}"),
        inputs(1))
    },
    Construct(name: "an 'enum' in a schema") { count in
      steps(request(", \"expect\": {\"schema\": {\"enum\": [\(list(count) { "\"e\($0)\"" })]}}"))
    },
    Construct(name: "references in a schema", few: 120) { count in
      let schemas = list(count) { "\"d\($0)\": {\"$ref\": \"#/$defs/e\($0)\"}" }
      let schema = "{\"$defs\": {\(schemas)}}"
      return steps(request(", \"expect\": {\"schema\": \(schema)}"))
    },
    Construct(name: "alternatives in a pattern") { count in
      ofQuery("$[?search(@.t, '\((0..<count / 5).map { "a\($0)" }.joined(separator: "|"))')]")
    },
    Construct(name: "counts in a pattern") { count in
      ofQuery("$[?search(@.t, '(a?){\(count)}a{\(count)}')]")
    },
    Construct(name: "the text of 'graph'", command: "graph") { count in
      steps(
        list(count) { number in
          "{\"id\": \"s\(number)\", "
            + "\"values\": {\"v\": \(number < 2 ? "1" : "\"{{s\(number / 2).v}}\"")}}"
        })
    },
    Construct(name: "the text of 'plan'", command: "plan") { count in
      steps(list(count) { "{\"id\": \"s\($0)\", \"endpoint\": \"GET https://a.example/\($0)\"}" })
    },
  ]

  @Test(arguments: constructs) func tenTimesAsMuchIsNoHundredTimesTheWork(
    _ construct: Construct
  ) throws {
    let folder = TemporaryFolder()
    func instructions(_ count: Int) throws -> Int {
      let path = folder.write(construct.file(count), to: "\(count).json")
      return try Self.instructions(construct.command, path, folder)
    }
    let start = try instructions(1)
    let few = try instructions(construct.few) - start
    let many = try instructions(10 * construct.few) - start
    // What grows with the square would be up to 100 times as much.
    #expect(many < 15 * max(few, 1_000_000), "\(few) → \(many)")
  }

  /// The program without what debuggers read: valgrind may not understand that.
  private static let program: String? = {
    guard let executable = ChildProcess.executable,
      system("strip --strip-debug -o '\(home.path)/pipeline' '\(executable)'") == 0
    else { return nil }
    return home.path + "/pipeline"
  }()

  private static let home = TemporaryFolder()

  private static func instructions(
    _ command: String, _ path: String, _ folder: TemporaryFolder
  ) throws -> Int {
    let executable = try #require(program)
    let report = folder.path + "/count"
    _ = system(
      "valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "
        + "--log-file='\(report)' '\(executable)' \(command) '\(path)' >/dev/null 2>&1")
    let text = try #require(folder.read("count"))
    let line = try #require(text.split(separator: "\n").first { $0.contains(" refs:") })
    let digits = line.drop { $0 != ":" }.filter(\.isNumber)
    return try #require(Int(String(digits)))
  }
}
