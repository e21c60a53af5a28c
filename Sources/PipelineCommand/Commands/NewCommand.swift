/// `pipeline new`: a workflow made of something else.
struct NewCommand: Sendable {
  let console: Console

  private static let sizeLimit = 16 << 20

  func run(_ invocation: Invocation) -> ExitStatus {
    guard let given = invocation.value("curl") else {
      console.complain("--curl is missing: pipeline new --curl 'curl https://…'")
      return .usage
    }
    do {
      let text = given == "-" ? try input() : given
      var workflow = CurlWorkflow(try CurlCommand(text))
      console.output.write(workflow.text())
      for note in workflow.notes { console.error.write("note: \(note)\n") }
      return .success
    } catch let problem as ShellWords.Problem {
      console.complain("the curl command cannot be read: \(problem.message)")
    } catch let problem as PathProblem {
      console.complain("the curl command cannot be read: \(problem.reason)")
    } catch {
      console.complain("the curl command cannot be read")
    }
    return .usage
  }

  private func input() throws(PathProblem) -> String {
    let bytes = try console.files.readInput(Self.sizeLimit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PathProblem(path: "-", reason: "stdin is not UTF-8")
    }
    return text
  }
}
