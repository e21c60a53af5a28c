import Testing

@testable import PipelineReports

@Suite struct GitHubTests {
  @Test func eachProblemIsOneCommandWhateverItSays() {
    let text = GitHubReport.text(of: awkwardSuites())
    let lines = text.unicodeScalars.split(separator: "\n")
    #expect(lines.count == 2 * 2 * awkwardTexts.count)
    for line in lines {
      let line = Substring(line)
      #expect(line.hasPrefix("::error file=a%2Cb%3A"))
      #expect(!line.contains("\r"))
    }
  }

  @Test func itNamesThePlace() {
    let problem = Suite.Case.Problem(
      kind: "status", message: "100 % wrong", details: ["x"], line: 24, column: 7)
    let suite = Suite(
      name: "a", file: "a.json", startedAt: nil, time: 0,
      cases: [
        Suite.Case(
          group: "a", name: "user", outcome: .broken, time: 0, file: "w/users.json",
          problems: [problem])
      ])
    #expect(
      GitHubReport.text(of: [suite])
        == "::error file=w/users.json,line=24,col=7,title=user::100 %25 wrong%0Ax\n")
  }

  @Test(arguments: [
    ("fail.json", "sub/fail.json"), ("./w/../fail.json", "sub/fail.json"),
    ("../fail.json", "fail.json"), ("/repo/a/b.json", "a/b.json"),
    ("/repository/b.json", "/repository/b.json"), ("../../b.json", "../../b.json"),
  ])
  func pathsBeginAtTheRepository(name: String, path: String) {
    let paths = AnnotationPaths(repository: "/repo/", folder: "/repo/sub")
    let suite = Suite(
      name: "a", file: name, startedAt: nil, time: 0,
      cases: [
        Suite.Case(
          group: "a", name: "user", outcome: .failed, time: 0,
          problems: [Suite.Case.Problem(kind: "status", message: "m")])
      ])
    #expect(
      GitHubReport.text(of: [suite], paths: paths)
        == "::error file=\(path),line=1,col=1,title=user::m\n")
  }
}
