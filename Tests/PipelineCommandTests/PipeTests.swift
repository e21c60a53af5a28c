import PipelineLanguage
import PipelineTestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct PipeTests {
  /// Whoever opened the pipe would wait for its other end for ever.
  @Test func pipesAndDevicesAreNoFiles() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "w.json")
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let loaded = LintedFiles(root: workflow, files: .system).load("pipe", relativeTo: workflow)
    #expect(
      loaded.failureMessage == "'pipe' cannot be read: it is a pipe or a device, not a file")
    #expect(throws: PathProblem(path: "/dev/zero", reason: "it is a device, not a file")) {
      try FileSystem.system.read("/dev/zero", 100)
    }
  }
}

extension Result where Failure == FileLoadError {
  fileprivate var failureMessage: String? {
    if case .failure(let error) = self { error.message } else { nil }
  }
}
