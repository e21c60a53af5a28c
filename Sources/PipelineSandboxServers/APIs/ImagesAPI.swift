internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/images`: a list of pictures to fetch and to upload, one by one or several at once.
enum ImagesAPI {
  struct Upload {
    let bytes: [UInt8]
    let type: String
    let checksum: String
    var revision: Int
  }

  struct State {
    private(set) var uploads: [String: Upload] = [:]
    private var order: [String] = []
    private var held = 0

    /// Keeps the newest 64 MB.
    fileprivate mutating func keep(_ bytes: [UInt8], type: String, id: String) -> Upload {
      let revision = (uploads[id]?.revision ?? 0) + 1
      remove(id)
      let upload = Upload(
        bytes: bytes, type: type, checksum: String(hex: SHA256.hash(bytes)), revision: revision)
      uploads[id] = upload
      order.append(id)
      held += bytes.count
      while held > 64 << 20, order.count > 1 { remove(order[0]) }
      return upload
    }

    @discardableResult
    fileprivate mutating func remove(_ id: String) -> Bool {
      guard let upload = uploads.removeValue(forKey: id) else { return false }
      held -= upload.bytes.count
      order.removeAll { $0 == id }
      return true
    }
  }

  static let routes = [
    Route("GET", "/images", "the pictures: id, name, url, size and checksum") { _, _, _ in
      .json(bytes: list)
    },
    Route("POST", "/images/batch", "uploads several: a JSON list or a multipart form") {
      state, request, _ in
      batch(request, &state.images)
    },
    Route("GET", "/images/{id}", "the bytes: what was uploaded, else the sample") {
      state, request, values in
      if let upload = state.images.uploads[values[0]] {
        return picture(upload.bytes, type: upload.type, checksum: upload.checksum, request)
      }
      guard let sample = sample(values[0]) else { return missing }
      return picture(
        sample.bytes, type: "image/png", checksum: String(hex: SHA256.hash(sample.bytes)), request)
    },
    Route("PUT", "/images/{id}", "uploads one: raw bytes, JSON or a multipart form") {
      state, request, values in
      single(request, id: values[0], &state.images)
    },
    Route("DELETE", "/images/{id}", "forgets an upload: 204") { state, _, values in
      state.images.remove(values[0]) ? .empty(204) : missing
    },
  ]

  /// A picture, whose checksum is its entity tag. 304 for a client that has it (RFC 9110 §13.1.2).
  private static func picture(
    _ bytes: [UInt8], type: String, checksum: String, _ request: ServerRequest
  ) -> ServerResponse {
    let tag = ServerResponse.Field("ETag", "\"\(checksum)\"")
    let known = (request.header("If-None-Match") ?? "").split(ascii: ",").map { String($0).trimmed }
    let isKnown = known.contains { $0.equals(bytes: "*") || $0.contains(bytes: tag.value) }
    return isKnown ? .empty(304, [tag]) : .bytes(bytes, type: type, [tag])
  }

  private static var missing: ServerResponse { ServerResponse.failure(404, "no such image") }

  // MARK: Samples

  private struct Sample {
    let id: Int
    let name: String
    let bytes: [UInt8]
  }

  private static let samples: [Sample] = [
    "harbour", "meadow", "bridge", "lighthouse", "orchard", "station", "glacier", "market",
    "windmill", "canyon", "chapel", "dunes",
  ].enumerated().map { index, name in
    let bytes = PortableNetworkGraphic.gradient(size: 8 + index, hue: UInt8(index * 20))
    return Sample(id: index + 1, name: "\(name).png", bytes: bytes)
  }

  private static func sample(_ id: String) -> Sample? {
    Int(id).flatMap { samples.indices.contains($0 - 1) ? samples[$0 - 1] : nil }
  }

  private static let list: [UInt8] = {
    var writer = JSONWriter(style: .compact)
    writer.object { writer in
      writer.member("total", samples.count)
      writer.member("images", list: samples) { writer, sample in
        writer.object { writer in
          writer.member("id", sample.id)
          writer.member("name", sample.name)
          writer.member("url", "/images/\(sample.id)")
          writer.member("type", "image/png")
          writer.member("size", sample.bytes.count)
          writer.member("checksum", String(hex: SHA256.hash(sample.bytes)))
        }
      }
    }
    return writer.bytes
  }()

  // MARK: Uploads

  private static func single(
    _ request: ServerRequest, id: String, _ state: inout State
  ) -> ServerResponse {
    var bytes = request.body
    var type = request.header("Content-Type") ?? "application/octet-stream"
    if request.mediaType == "multipart/form-data" {
      guard let part = MultipartForm.parts(of: request)?.last else {
        return .failure(400, "the multipart form cannot be read")
      }
      (bytes, type) = (part.bytes, part.type ?? "application/octet-stream")
    } else if let encoded = request.json?["data"]?.string {
      guard let decoded = Base64.decode(encoded) else {
        return .failure(400, "'data' is not base64")
      }
      (bytes, type) = (decoded, request.json?["type"]?.string ?? "image/png")
    }
    let upload = state.keep(bytes, type: type, id: id)
    return .object(upload.revision == 1 ? 201 : 200) { write(upload, id: id, &$0) }
  }

  private static func batch(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    var received: [(id: String, upload: Upload)] = []
    if request.mediaType == "multipart/form-data" {
      guard let parts = MultipartForm.parts(of: request) else {
        return .failure(400, "the multipart form cannot be read")
      }
      for (index, part) in parts.enumerated() {
        let id = part.filename ?? part.name ?? "\(index + 1)"
        let type = part.type ?? "application/octet-stream"
        received.append((id, state.keep(part.bytes, type: type, id: id)))
      }
    } else {
      guard let root = request.json, let items = items(of: root) else {
        return .failure(400, "the body is not a list, an object with 'images', or an image")
      }
      for item in items {
        // An item that is not an object, or has no id, is its own name: `[1, 2, 3]`.
        let name = item["id"] ?? item
        let id = name.string ?? name.text
        let bytes = item["data"]?.string.flatMap { Base64.decode($0) } ?? Array(item.utf8)
        received.append((id, state.keep(bytes, type: "image/png", id: id)))
      }
    }
    return .object(201) { writer in
      writer.member("received", received.count)
      writer.member("images", list: received) { writer, item in
        writer.object { write(item.upload, id: item.id, &$0) }
      }
    }
  }

  /// A list, the list in `images`, or one image by itself.
  private static func items(of root: JSONNode) -> [JSONNode]? {
    if root.kind == .array { return Array(root.elements) }
    if let images = root["images"] { return images.kind == .array ? Array(images.elements) : nil }
    return root["id"] == nil ? nil : [root]
  }

  private static func write(_ upload: Upload, id: String, _ writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("size", upload.bytes.count)
    writer.member("checksum", upload.checksum)
    writer.member("type", upload.type)
    writer.member("revision", upload.revision)
  }
}
