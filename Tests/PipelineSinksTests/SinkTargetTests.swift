import PipelineFormats
import Testing

@testable import PipelineSinks

struct SinkTargetTests {
  private func target(_ text: String) throws -> SinkTarget { try SinkTarget(text) }

  @Test func theEndOfAFileSaysItsForm() throws {
    for (text, form) in [
      ("users.csv", SinkTarget.Form.csv), ("a/b.TSV", .tsv), ("u.ndjson", .ndjson),
      ("u.jsonl", .ndjson),
    ] {
      let target = try target(text)
      #expect(target.form == form && target.path == text && target.table == nil)
    }
  }

  @Test func aFormMayStandBeforeAFile() throws {
    #expect(try target("csv:users.txt").path == "users.txt")
    #expect(try target("csv:-").isStandardOutput)
    // A '#' or '?' of other files is part of the name.
    #expect(try target("csv:a#b?c").path == "a#b?c")
    #expect(try target("a:b.csv").path == "a:b.csv")
  }

  @Test func aTableAndAKeyFollowAFile() throws {
    let target = try target("sqlite:a#b.db#users?key=id,day")
    #expect(target.form == .sqlite && target.path == "a#b.db")
    #expect(target.table == "users" && target.key == ["id", "day"])
    #expect(try self.target("sqlite:out.db?key=id").table == nil)
    #expect(try self.target("sqlite:out.db").key.isEmpty)
    #expect(try self.target("singer:-#people").table == "people")
  }

  @Test(arguments: [
    ("users.xlsx", "as in 'csv:users.xlsx'"), ("csv:", "names no file"),
    ("sqlite:-", "cannot be written to stdout"), ("sqlite:a.db#", "names no table after '#'"),
    ("sqlite:a.db#t?keys=id", "'keys=id' in 'sqlite:a.db#t?keys=id' is not an option"),
    ("sqlite:a.db?key=", "is not an option"),
    ("x.csv?key=order", "has a key, which only SQLite and Singer take"),
    ("csv:x.csv?key=order", "as in 'sqlite:out.db#TABLE?key=id'"),
    ("postgres://db/x", "is no file; rows go to files, to SQLite, and to a target of Singer"),
  ])
  func whatIsWrongIsSaid(_ text: String, _ words: String) {
    let problem = #expect(throws: TableProblem.self) { try target(text) }
    #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")")
  }
}
