import Foundation
import PipelineKit
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import PipelineTesting

/// Case P: 500 tests of 10 requests each, with retries and polls of minutes in virtual time.
struct TestCost {
  let rounds: Int

  private static let testCount = 500

  /// A poll of an hour, a retry of a minute, and items.
  private static let workflow = """
    {"limits":{"deadline":"1d"},"steps":[
    {"id":"start","endpoint":"POST https://x.test/jobs","extract":{"id":"$.id"}},
    {"id":"done","endpoint":"GET https://x.test/jobs/{{start.id}}",
    "poll":{"until":"@.body.status == 'done'","every":"20m","within":"2h"}},
    {"id":"page","endpoint":"GET https://x.test/page?job={{start.id}}","dependsOn":["done"],
    "retry":{"attempts":3,"delay":"1m"},"extract":{"ids":"$.ids"}},
    {"id":"entry","forEach":"$.page.ids","endpoint":"GET https://x.test/items/{{item}}",
    "extract":{"name":"$.name"}}],"outputs":{"names":"$.entry[*].name"}}
    """

  private static let respond = """
    {"start":{"json":{"id":1}},
    "done":[{"json":{"status":"new"}},{"json":{"status":"new"}},{"json":{"status":"done"}}],
    "page":[{"status":503},{"json":{"ids":[1,2,3,4]}}],"entry":{"json":{"name":"A"}}}
    """

  private struct Files: FileLoader {
    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      .success(SourceFile(name: path, bytes: Array(workflow.utf8)))
    }
  }

  func measurements() async throws -> [Measurement] {
    var measurement = Measurement(
      "P", "\(Self.testCount) tests of 10 requests, an hour each in virtual time")
    let tests = (0..<Self.testCount).map {
      """
      {"name":"test \($0)","respond":\(Self.respond),
      "expect":{"outputs":{"names":["A","A","A","A"]},"where":["$.elapsed > 2400"]}}
      """
    }.joined(separator: ",")
    let text = "{\"workflow\":\"./a.json\",\"tests\":[\(tests)]}"
    let file = SourceFile(name: "a.test.json", bytes: Array(text.utf8))
    var figures = Figures(name: "pipeline", unit: .seconds)
    for round in 0...rounds {
      let start = ContinuousClock.now
      let linted = Linter(loader: Files()).lintTests(WorkflowText(file))
      guard let plan = linted.workflow?.plan, let tests = linted.tests?.tests else {
        throw Subprocess.Failed(description: "the tests cannot be read")
      }
      let runner = TestRunner(plan)
      let failed = await withTaskGroup(of: Bool.self) { group in
        // As many at once as the command tests files.
        var rest = tests[...]
        for test in rest.prefix(8) { group.addTask { await runner.run(test).passed } }
        rest = rest.dropFirst(8)
        var failed = 0
        while let passed = await group.next() {
          if !passed { failed += 1 }
          guard let test = rest.popFirst() else { continue }
          group.addTask { await runner.run(test).passed }
        }
        return failed
      }
      guard failed == 0 else {
        throw Subprocess.Failed(description: "\(failed) tests failed")
      }
      if round > 0 { figures.values.append((ContinuousClock.now - start).inSeconds) }
    }
    measurement.subject = figures
    measurement.judge(figures.median, .seconds, .atMost(2))
    return [measurement]
  }
}
