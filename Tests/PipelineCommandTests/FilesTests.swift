import JSONText
import PipelineKit
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct ConfinedFilesTests {
  private func message(_ body: () throws(FileError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return error.message
    }
  }

  @Test func aWorkflowReadsBelowItsOwnFolder() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "flows/w.json")
    folder.write("data", to: "flows/sub/x.txt")
    let files = try ConfinedFiles(workflow: workflow, allowing: [])
    #expect(try files.read("sub/x.txt") == Array("data".utf8))
    #expect(try files.read("sub/../sub/x.txt") == Array("data".utf8))
    #expect(
      message { () throws(FileError) in _ = try files.read("gone.txt") }
        == "'gone.txt' cannot be read: no such file or folder")
    #expect(
      message { () throws(FileError) in _ = try files.read("sub") }
        == "'sub' cannot be read: it is a folder")
  }

  @Test func whatLiesElsewhereIsRefusedAlsoBehindALink() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "flows/w.json")
    folder.write("secret", to: "flows2/x.txt")
    #expect(symlink(folder.path + "/flows2", folder.path + "/flows/link") == 0)
    let files = try ConfinedFiles(workflow: workflow, allowing: [])
    for path in ["../flows2/x.txt", "link/x.txt", folder.path + "/flows2/x.txt"] {
      #expect(
        message { () throws(FileError) in _ = try files.read(path) }
          == "'\(path)' cannot be read: it lies outside of the workflow's folder; see --allow-dir")
    }
    let allowed = try ConfinedFiles(workflow: workflow, allowing: [folder.path + "/flows2"])
    #expect(try allowed.read("link/x.txt") == Array("secret".utf8))
    #expect(throws: PathProblem(path: workflow, reason: "it is not a folder")) {
      try ConfinedFiles(workflow: workflow, allowing: [workflow])
    }
  }
}

struct OutputTextTests {
  private func text(_ json: String, _ format: OutputText.Format) throws -> String {
    let outputs = try JSONDocument.parse(Array(json.utf8)).root
    return String(decoding: OutputText.bytes(outputs, as: format), as: UTF8.self)
  }

  @Test func jsonIsIndentedAndKeepsDigits() throws {
    #expect(
      try text("{\"id\":12345678901234567890.10,\"rows\":[]}", .json) == """
        {
          "id": 12345678901234567890.10,
          "rows": []
        }

        """)
  }

  @Test func ndjsonIsALineARowOrALineAnOutput() throws {
    #expect(try text("{\"rows\": [{\"a\": 1}, null]}", .ndjson) == "{\"a\":1}\nnull\n")
    #expect(try text("{\"a\": [1], \"b\": 2}", .ndjson) == "{\"a\":[1]}\n{\"b\":2}\n")
    #expect(try text("{}", .ndjson) == "")
  }
}
