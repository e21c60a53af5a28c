@testable import PipelineLanguage
@testable import PipelineLint
@testable import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// Files that call each other twice: what is worked out of them grows with the files, not with the
/// ways to reach one.
@Suite struct CalledHierarchyTests {
  private struct Files: FileLoader {
    let text: @Sendable (Int) -> String

    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      guard let number = Int(path.filter(\.isNumber)) else {
        return .failure(FileLoadError("no such file"))
      }
      return .success(source(number))
    }

    func source(_ number: Int) -> SourceFile {
      SourceFile(name: "f\(number).json", bytes: Array(text(number).utf8))
    }
  }

  private static let depth = 30

  /// What was worked out for the hierarchy that begins with file 0, which has no error.
  private func memory(_ text: @escaping @Sendable (Int) -> String) throws -> (Plan, PlanMemory) {
    let files = Files(text: text)
    let linted = Linter(loader: files).lint(files.source(0))
    #expect(linted.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    let memory = PlanMemory()
    return (try #require(linted.plan(memory)), memory)
  }

  @Test func theSameTaintIsJudgedOnce() throws {
    let (_, memory) = try memory { number in
      """
      {"inputs": {"x": {"type": "string", "secret": true}},
       "steps": [
        \(number + 1 == Self.depth ? "" : """
          {"id": "a", "workflow": "f\(number + 1).json", "inputs": {"x": "{{inputs.x}}"}},
          {"id": "b", "workflow": "f\(number + 1).json", "inputs": {"x": "{{inputs.x}}"}},
          """)
        {"id": "v", "endpoint": "GET https://{{inputs.x}}.example/", "extract": {"y": "$.y"}}],
       "outputs": {"y": "{{v.y}}"}}
      """
    }
    #expect(memory.secrecy.judgedCount <= Self.depth)
    #expect(memory.provenance.judgedCount <= 2 * Self.depth)
  }

  /// Each second call leaves out another input, so that the last file could be given 2^30 taints.
  private static func manyTaints(_ number: Int) -> String {
    let names = (0..<depth).map { "x\($0)" }
    func inputs(leavingOut left: Int?) -> String {
      names.enumerated().map { index, name in
        let value = number == 0 ? "{{get.token}}" : "{{inputs.\(name)}}"
        return "\"\(name)\": \"\(index == left ? "none" : value)\""
      }.joined(separator: ", ")
    }
    let declared = names.map { "\"\($0)\": {\"type\": \"string\", \"default\": \"a\"}" }
    let steps =
      number + 1 == depth
      ? #"{"id": "v", "endpoint": "GET https://{{inputs.x3}}.example/", "extract": {"y": "$.y"}}"#
      : """
      {"id": "a", "workflow": "f\(number + 1).json", "inputs": {\(inputs(leavingOut: nil))}},
      {"id": "b", "workflow": "f\(number + 1).json", "inputs": {\(inputs(leavingOut: number))}}
      """
    let get = """
      {"id": "get", "endpoint": "GET https://a.example/",
       "extract": {"token": {"body": "$.token", "secret": true}}},
      """
    return """
      {"inputs": {\(number == 0 ? "" : declared.joined(separator: ", "))},
       "steps": [\(number == 0 ? get : "") \(steps)],
       "outputs": {"y": "\(number + 1 == depth ? "{{v.y}}" : "{{a.y}}{{b.y}}")"}}
      """
  }

  @Test func manyTaintsAreJudgedAsOne() throws {
    let (plan, memory) = try memory(Self.manyTaints)
    #expect(memory.secrecy.judgedCount <= 34 * Self.depth)
    #expect(memory.provenance.judgedCount <= 34 * Self.depth)
    // Whichever way leads to the last file, its request goes where a response says.
    for first in 0...1 {
      var (secrecy, provenance, root) = (plan.secrecy, plan.provenance, plan.root)
      for number in 0..<Self.depth - 1 {
        let step = number == 0 ? first + 1 : number % 2
        let callee = try #require(root.steps[step].callee)
        secrecy = try #require(secrecy.callee(of: root, step: step))
        provenance = try #require(provenance.callee(of: root, step: step))
        root = callee.root
      }
      #expect(provenance.foreign(0, in: root).contains(.endpoint) || first == 1)
      #expect(secrecy[root].steps.count == 1)
    }
  }

  /// The taint of `a29` would have 2^30 parts.
  @Test func aValueOfManyPartsIsSecretAsAWhole() throws {
    var steps = [
      """
      {"id": "get", "endpoint": "GET https://a.example/",
       "extract": {"x": {"body": "$.x", "secret": true}}}
      """,
      #"{"id": "a0", "values": {"l": "{{get.x}}", "r": "none"}}"#,
    ]
    for number in 1..<Self.depth {
      let before = "a\(number - 1)"
      steps.append(
        """
        {"id": "a\(number)",
         "values": {"l": ["{{\(before)}}", "{{\(before).l}}"], "r": "{{\(before)}}", "n": 1}}
        """)
    }
    let text = """
      {"steps": [\(steps.joined(separator: ",\n")),
        {"id": "z", "endpoint": "GET https://{{a5.r.r.l[0].r}}.example/", "extract": {"x": "$.x"}}],
       "outputs": {"x": "{{z.x}}", "l": "{{a29.l}}", "r": "{{a29.r}}", "n": "{{a29.n}}",
                   "near": "{{a0}}"}}
      """
    let (plan, _) = try memory { _ in text }
    let outputs = plan.secrecy[plan.root].outputs
    #expect(outputs.map(\.isNone) == [true, false, false, true, false])
    #expect(outputs.last?.isWhole == false)
  }

  // MARK: Stacks

  /// A step in as many blocks.
  private static func nested(_ depth: Int, _ step: String) -> String {
    var text = step
    for level in 0..<depth {
      text =
        "{\"id\": \"b\(level)\", \"steps\": [\(text)], "
        + "\"outputs\": {\"v\": \"{{\(level == 0 ? "s" : "b\(level - 1)").v}}\"}}"
    }
    return text
  }

  private static func file(_ depth: Int, _ step: String) -> String {
    """
    {"inputs": {"x": {"type": "string", "secret": true, "default": ""}},
     "steps": [\(nested(depth, step))], "outputs": {"v": "{{\(depth == 0 ? "s" : "b\(depth - 1)").v}}"}}
    """
  }

  @Test func blocksNestAsDeepAsTheyMay() {
    let step = #"{"id": "s", "values": {"v": 1}}"#
    #expect(Fixtures.lint(Self.file(24, step)).map(\.code) == ["unused-input"])
    let found = Fixtures.lint(Self.file(25, step)).filter { $0.severity == .error }
    #expect(
      found.map(\.message) == [
        "blocks nest more than 24 deep; move steps to a file of their own, and run it with "
          + "'workflow'"
      ])
  }

  /// Secondary threads have half a megabyte on Apple's platforms.
  @Test func theDeepestBlocksAreLintedAndPlannedOnASmallStack() {
    let text = Self.file(24, #"{"id": "s", "values": {"v": "{{inputs.x}}"}}"#)
    let isSecret = SmallStack.run { () -> Bool? in
      guard let plan = Linter().lint(SourceFile(name: "a.json", bytes: Array(text.utf8))).plan
      else { return nil }
      return plan.secrecy[plan.root].outputs.first?.isWhole
    }
    #expect(isSecret == true)
  }
}
