internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRPC

/// Reads and writes the texts that are edited in the page.
struct PageTexts: Sendable {
  let files: FileSystem

  /// The text of a file with its digest, by which a later change by another program is noticed.
  ///
  /// - Parameter root: The folder, for paths in what the language server answers.
  func read(_ place: String, root: String) throws(RPCError) -> JSONValue {
    let bytes = try bytes(of: place)
    return [
      "text": .string(try Self.text(bytes)), "digest": .string(Self.digest(bytes)),
      "root": .string(root),
    ]
  }

  /// Replaces a file whole, unless it is another than the one with the digest. Then it is left as it
  /// is, and its text is given.
  func write(_ text: String, to place: String, over digest: String) throws(RPCError) -> JSONValue {
    let before = try bytes(of: place)
    guard Self.digest(before).equals(bytes: digest) else {
      return ["changed": .string(try Self.text(before)), "digest": .string(Self.digest(before))]
    }
    let after = Array(text.utf8)
    do throws(PathProblem) {
      try AtomicFile(path: place).write(after)
    } catch {
      throw .requestFailed("the file cannot be written: \(error.reason)")
    }
    return ["digest": .string(Self.digest(after))]
  }

  private func bytes(of place: String) throws(RPCError) -> [UInt8] {
    do throws(PathProblem) {
      return try files.read(place, WorkflowFiles.sizeLimit)
    } catch {
      throw .requestFailed("the file cannot be read: \(error.reason)")
    }
  }

  private static func text(_ bytes: [UInt8]) throws(RPCError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .requestFailed("the file is not UTF-8, so it cannot be edited as text")
    }
    return text
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    Hexadecimal.encode(SHA256.hash(bytes))
  }
}
