import Foundation
import PipelineTransports

/// A file that is a request's body: `URLSession` streams it.
struct UploadFile {
  let url: URL
  private let isTemporary: Bool

  /// A file that an app has.
  init(path: String) throws(TransportError) {
    var isFolder = ObjCBool(false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw TransportError(.file, "'\(path)' cannot be read: no such file")
    }
    guard !isFolder.boolValue, FileManager.default.isReadableFile(atPath: path) else {
      throw TransportError(.file, "'\(path)' cannot be read")
    }
    url = URL(fileURLWithPath: path)
    isTemporary = false
  }

  /// A new file that holds a form, written piece by piece.
  init(writing form: MultipartForm) throws(TransportError) {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("pipeline-upload-\(UUID().uuidString)")
    isTemporary = true
    do {
      try form.write(to: url)
    } catch {
      try? FileManager.default.removeItem(at: url)
      if let error = error as? TransportError { throw error }
      throw TransportError(.file, "a form cannot be written: \(error.localizedDescription)")
    }
  }

  func remove() {
    if isTemporary { try? FileManager.default.removeItem(at: url) }
  }
}
