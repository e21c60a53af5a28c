internal import CPipelineCurl
import PipelineTransports

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A body that libcurl reads piece by piece, and from its start again where authentication asks.
final class Upload {
  private enum Source {
    case bytes([UInt8])
    case file(descriptor: Int32)
  }

  /// Up to this size a body is copied into the handle instead: it then leaves with the header.
  static let largestCopy = 256 << 10

  let count: Int
  private let source: Source
  private let path: String
  private var offset = 0
  private(set) var failure: TransportError?
  /// The listener for the progress.
  var transfer: TransferProgress?

  init(_ bytes: [UInt8]) {
    source = .bytes(bytes)
    count = bytes.count
    path = ""
  }

  init(file path: String) throws(TransportError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Upload.unreadable(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let error =
        status.st_mode & S_IFMT == S_IFREG
        ? Upload.unreadable(path) : TransportError(.file, "'\(path)' is not a file")
      close(descriptor)
      throw error
    }
    source = .file(descriptor: descriptor)
    count = Int(status.st_size)
    self.path = path
  }

  deinit {
    if case .file(let descriptor) = source { close(descriptor) }
  }

  /// Fills `buffer` with the next bytes, and returns their number. 0 is the end, and `nil` an
  /// error: `failure`.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = min(buffer.count, count - offset)
    guard wanted > 0 else { return 0 }
    switch source {
    case .bytes(let bytes):
      buffer.copyBytes(from: bytes[offset..<(offset + wanted)])
      offset += wanted
      transfer?.sent(offset)
      return wanted
    case .file(let descriptor):
      let number = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
      guard number > 0 else {
        failure =
          number < 0
          ? Upload.unreadable(path)
          : TransportError(.file, "'\(path)' became shorter while it was sent")
        return nil
      }
      offset += number
      transfer?.sent(offset)
      return number
    }
  }

  func seek(to position: Int) -> Bool {
    guard (0...count).contains(position) else { return false }
    offset = position
    return true
  }

  /// The whole content, if a body must be known before it is sent.
  func readAll() throws(TransportError) -> [UInt8] {
    if case .bytes(let bytes) = source { return bytes }
    var isShort = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        guard let number = read(into: rest), number > 0 else {
          isShort = true
          return
        }
        filled += number
      }
    }
    if isShort { throw failure ?? Upload.unreadable(path) }
    return bytes
  }

  private static func unreadable(_ path: String) -> TransportError {
    TransportError(.file, "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
  }
}

extension EasyHandle {
  func apply(_ body: TransportBody, _ shape: SetUp.Shape) throws(TransportError) {
    switch (body, shape) {
    case (_, .noBody), (_, .head): break
    case (.none, _): try copy([])
    case (.bytes(let bytes), .bytes): try copy(bytes)
    case (.bytes(let bytes), _): try stream(Upload(bytes))
    case (.file(let path), .bytes): try copy(Upload(file: path).readAll())
    case (.file(let path), _):
      let upload = try Upload(file: path)
      // Without content libcurl would take the read callback for a body of unknown length.
      if upload.count == 0 { try copy([]) } else { try stream(upload) }
    case (.multipart(let parts), _): try apply(parts)
    }
  }

  private func copy(_ bytes: [UInt8]) throws(TransportError) {
    try check(ccurl_set_body(handle, bytes, Int64(bytes.count)), "the body")
  }

  private func stream(_ upload: Upload) throws(TransportError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(ccurl_set_size(handle, CCURL_POSTFIELDSIZE_LARGE, Int64(upload.count)), "the body")
    try set(CCURL_READDATA, context)
    try check(ccurl_set_bytes_function(handle, CCURL_READFUNCTION, onRead), "callbacks")
    try set(CCURL_SEEKDATA, context)
    try check(ccurl_set_seek_function(handle, onSeek), "callbacks")
    self.upload = upload
  }

  private func apply(_ parts: [TransportBody.Part]) throws(TransportError) {
    guard let form = ccurl_mime_init(handle) else { throw .noMemory }
    mime = form
    for part in parts {
      guard let field = ccurl_mime_add_part(form) else { throw .noMemory }
      switch part.content {
      case .bytes(let bytes):
        try check(ccurl_mime_bytes(field, bytes, bytes.count), "part '\(part.name)'")
      case .file(let path):
        // Opened and closed only to say clearly what is wrong with it.
        _ = try Upload(file: path)
        try check(ccurl_mime_file(field, path), "file '\(path)'")
      }
      try check(ccurl_mime_name(field, part.name), "part '\(part.name)'")
      if let filename = part.filename {
        try check(ccurl_mime_filename(field, filename), "part '\(part.name)'")
      }
      if let type = part.contentType {
        try check(ccurl_mime_type(field, type), "part '\(part.name)'")
      }
    }
    try set(CCURL_MIMEPOST, form)
  }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard let upload else { return nil }
    let count = upload.read(into: buffer)
    if count == nil { failure = upload.failure }
    return count
  }
}

private let onRead: ccurl_bytes_function = { bytes, size, count, context in
  guard let bytes, let context else { return Int(CCURL_READ_ABORT) }
  let easy = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
  return easy.read(into: buffer) ?? Int(CCURL_READ_ABORT)
}

private let onSeek: ccurl_seek_function = { context, offset, origin in
  guard let context, origin == SEEK_SET else { return Int32(CCURL_SEEK_FAIL) }
  let easy = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  let isDone = easy.upload?.seek(to: Int(offset)) ?? false
  return Int32(isDone ? CCURL_SEEK_OK : CCURL_SEEK_FAIL)
}

extension TransportError {
  static var noMemory: TransportError { TransportError(.other, "no memory is left for a request") }
}
