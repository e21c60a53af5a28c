internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/uploads`: a file that is sent in chunks, each from where the last one ended.
enum UploadsAPI {
  struct Upload {
    let name: String
    var bytes: [UInt8] = []
  }

  struct State {
    fileprivate var uploads: [Int: Upload] = [:]
    fileprivate var nextID = 1
  }

  /// Newer uploads take the place of older ones.
  private static let most = 8
  /// The size of a file.
  private static let mostBytes = 8 << 20

  static let routes = [
    Route("POST", "/uploads", "begins an upload: 201 with Location, where its chunks go") {
      state, request, _ in
      begin(request, &state.uploads)
    },
    Route("PUT", "/uploads/{id}", "a chunk, by Content-Range: 308 with Range, at the end 200") {
      state, request, values in
      Int(values[0]).map { take(request, $0, &state.uploads) } ?? .failure(404, "no such upload")
    },
  ]

  private static func begin(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    guard let name = request.json?["name"]?.string else {
      return .failure(400, "'name' must be a text")
    }
    let id = state.nextID
    state.nextID += 1
    state.uploads[id] = Upload(name: name)
    state.uploads[id - most] = nil
    return .object(201, [ServerResponse.Field("Location", "/uploads/\(id)")]) { writer in
      writer.member("name", name)
    }
  }

  private static func take(
    _ request: ServerRequest, _ id: Int, _ state: inout State
  ) -> ServerResponse {
    guard var upload = state.uploads[id] else { return .failure(404, "no such upload") }
    guard let range = range(of: request), range.end - range.start == request.body.count,
      range.total <= mostBytes
    else {
      return .failure(400, "write 'Content-Range: bytes 0-9/25' as the chunk is")
    }
    // What is there already is not taken twice.
    if range.start == upload.bytes.count { upload.bytes += request.body }
    state.uploads[id] = upload
    guard upload.bytes.count >= range.total else {
      let held =
        upload.bytes.isEmpty
        ? [] : [ServerResponse.Field("Range", "bytes=0-\(upload.bytes.count - 1)")]
      return .empty(308, held)
    }
    return .object { writer in
      writer.member("id", id)
      writer.member("name", upload.name)
      writer.member("size", upload.bytes.count)
      writer.member("checksum", String(hex: SHA256.hash(upload.bytes)))
    }
  }

  /// `bytes 0-9/25` (RFC 9110 §14.4), the end excluded.
  private static func range(
    of request: ServerRequest
  ) -> (start: Int, end: Int, total: Int)? {
    guard let field = request.header("Content-Range"), field.hasPrefix(bytes: "bytes ") else {
      return nil
    }
    let parts = field.dropFirst(bytes: 6).split(ascii: "/")
    let bounds = parts.first?.split(ascii: "-") ?? []
    guard parts.count == 2, bounds.count == 2, let start = Int(bounds[0]),
      let last = Int(bounds[1]),
      let total = Int(parts[1]), 0 <= start, start <= last, last < total
    else { return nil }
    return (start, last + 1, total)
  }
}
