import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import Synchronization

/// The descriptions that workflow files name. A file is read again at each look, and parsed again
/// only if its bytes are others.
package final class DescriptionShelf: Sendable {
  /// A description that was parsed.
  private struct ReadDescription {
    let bytes: [UInt8]
    let digest: String
    let result: Result<DescribedOperations, DescriptionProblem>
  }

  private let known = Mutex<[String: ReadDescription]>([:])

  package init() {}

  /// Forgets all of them: other files that they refer to may have changed.
  package func clear() { known.withLock { $0 = [:] } }

  /// Why a description cannot be used.
  struct Unusable: Error {
    let code: DescriptionCode
    let message: String
    /// The path of a file with nearly the same name.
    var near: String?
  }

  /// The operations of a description that a workflow names.
  func operations(
    of attached: AttachedDescription, _ loader: any FileLoader
  ) -> Result<DescribedOperations, Unusable> {
    let path = attached.file.value
    switch loader.loadDescription(path, relativeTo: attached.holder) {
    case .failure(let error):
      return .failure(
        Unusable(code: .unreadable, message: error.message, near: error.near))
    case .success(let file):
      let read = read(file.name, file.bytes, loader)
      if let wanted = attached.sha256?.value, wanted != read.digest {
        return .failure(
          Unusable(
            code: .changed,
            message: "'\(path)' is not the file that 'sha256' names; its SHA-256 is \(read.digest)"
          ))
      }
      return read.result.mapError { problem in
        let place = problem.place.map { ":\($0.line):\($0.column)" } ?? ""
        return Unusable(
          code: .unreadable,
          message: "'\(path)' cannot be read: \(problem.path)\(place): \(problem.message)")
      }
    }
  }

  private func read(_ name: String, _ bytes: [UInt8], _ loader: any FileLoader) -> ReadDescription {
    if let read = known.withLock({ $0[name] }), read.bytes == bytes { return read }
    let result = Result { () throws(DescriptionProblem) in
      DescribedOperations(
        try APIDescription(path: name, bytes: bytes) { path in
          try? loader.loadDescription(path, relativeTo: "").get().bytes
        })
    }
    let read = ReadDescription(
      bytes: bytes, digest: Hexadecimal.encode(SHA256.hash(bytes)), result: result)
    known.withLock { $0[name] = read }
    return read
  }
}
