import PipelineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Expects `text` to be what the file `Tests/Snapshots/PipelineCommand/name` holds; with `RECORD_SNAPSHOTS=1` writes the
/// file and fails.
func expectSnapshot(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let path = Conformance.packageRoot + "/Tests/Snapshots/PipelineCommand/" + name
  if getenv("RECORD_SNAPSHOTS") != nil {
    guard let file = fopen(path, "wb") else {
      Issue.record("cannot write \(path)", sourceLocation: sourceLocation)
      return
    }
    fputs(text, file)
    fclose(file)
    Issue.record("recorded \(name)", sourceLocation: sourceLocation)
    return
  }
  let expected = readFile(path).map { String(decoding: $0, as: UTF8.self) }
  #expect(expected == text, "\(name)", sourceLocation: sourceLocation)
}
