import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// Files that call each other in more ways than anybody can list.
@Suite(.timeLimit(.minutes(5))) struct ManyCallsTests {
  private let folder = TemporaryFolder()

  /// Each file calls the next one twice, with its input doubled or extended.
  private func files(_ first: String, input: String = "{{inputs.x}}") -> String {
    for number in 1...31 {
      let call = { (id: String, more: String) in
        """
        {"id": "\(id)", "workflow": "./c\(number + 1).json", "inputs": {"x": "\(input)\(more)"}}
        """
      }
      let steps =
        number == 31
        ? #"{"id": "x", "endpoint": "GET http://{{inputs.x}}.invalid/"}"#
        : call("a", "") + ", " + call("b", "b")
      folder.write(
        "{\(number == 1 ? first : "")\"inputs\": {\"x\": {\"default\": \"x\"}}, \"steps\": [\(steps)]}",
        to: "c\(number).json")
    }
    return folder.path + "/c1.json"
  }

  @Test(arguments: ["{{inputs.x}}", "{{inputs.x}}{{inputs.x}}"])
  func aRunBeginsAndObeysItsLimits(_ input: String) async throws {
    let path = files(#""limits": {"items": 200, "memory": "20MB"}, "#, input: input)
    let outcome = await pipeline(["run", path, "--no-store"])
    #expect(outcome.status == .failure)
    #expect(outcome.error.contains("limits."), "\(outcome.error)")
  }

  @Test func whatNamesAStepFindsIt() async throws {
    let path = files(#""limits": {"items": 200}, "#)
    let deep = Array(repeating: "b", count: 30).joined(separator: ".") + ".x"
    let found = await pipeline(["run", path, "--no-store", "--show", deep])
    #expect(found.status == .failure && !found.error.contains("has no step"), "\(found.error)")
    let missing = await pipeline(["run", path, "--no-store", "--show", deep + ".y"])
    #expect(missing.error.contains("the workflow has no step"), "\(missing.error)")
  }
}
