internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineJSONText

/// What APIs answer that take and give many rows at once: exports as CSV, answers in pieces, batches
/// of lines, lists in XML, and records that are created one by one.
enum RowsAPI {
  struct State {
    /// The number of requests for each export's state.
    fileprivate var exports: [Int: Int] = [:]
    /// The lines of each file.
    fileprivate var files: [Int: [UInt8]] = [:]
    /// The file of each batch, and the number of requests for the batch's state.
    fileprivate var batches: [Int: (file: Int, polls: Int)] = [:]
    /// The addresses of contacts.
    fileprivate var contacts: Set<ExactText> = []
    fileprivate var nextID = 1

    fileprivate mutating func id() -> Int {
      defer { nextID += 1 }
      return nextID
    }
  }

  /// Newer exports, files and batches take the place of older ones.
  private static let most = 100

  static let routes = [
    Route("POST", "/exports", "begins an export: its id") { state, request, _ in
      guard request.json?["query"]?.string != nil else {
        return .failure(400, "'query' must be a text")
      }
      let id = state.rows.id()
      state.rows.exports[id] = 0
      state.rows.exports[id - most] = nil
      return .object(200) { $0.member("id", id) }
    },
    Route("GET", "/exports/{id}", "InProgress, from the second time on JobComplete") {
      state, _, values in
      guard let id = Int(values[0]), let polls = state.rows.exports[id] else { return unknown }
      state.rows.exports[id] = polls + 1
      return .object { writer in
        writer.member("id", id)
        writer.member("state", polls == 0 ? "InProgress" : "JobComplete")
      }
    },
    Route("GET", "/exports/{id}/results", "seven accounts as pages of CSV, of ?maxRecords=3") {
      state, request, values in
      guard let id = Int(values[0]), let polls = state.rows.exports[id] else { return unknown }
      guard polls > 1 else { return .failure(409, "the export is not complete") }
      return results(request)
    },
    Route("POST", "/chat/completions", "an answer in pieces, each a server-sent event") {
      _, request, _ in
      chat(request)
    },
    Route("POST", "/files", "keeps the part 'file' of a form: its id") { state, request, _ in
      guard let parts = MultipartForm.parts(of: request),
        let file = parts.first(where: { $0.name == "file" })
      else { return .failure(400, "the form has no part 'file'") }
      let id = state.rows.id()
      state.rows.files[id] = file.bytes
      state.rows.files[id - most] = nil
      return .object { $0.member("id", "file-\(id)") }
    },
    Route("POST", "/batches", "begins to answer each line of a file: its id") {
      state, request, _ in
      guard let file = request.json?["input_file_id"]?.string.flatMap(number),
        state.rows.files[file] != nil
      else { return unknown }
      let id = state.rows.id()
      state.rows.batches[id] = (file, 0)
      state.rows.batches[id - most] = nil
      return .object { $0.member("id", "batch-\(id)") }
    },
    Route("GET", "/batches/{id}", "in_progress, from the second time on completed") {
      state, _, values in
      guard let id = number(values[0]), let batch = state.rows.batches[id] else { return unknown }
      state.rows.batches[id]?.polls += 1
      return .object { writer in
        writer.member("status", batch.polls == 0 ? "in_progress" : "completed")
        if batch.polls > 0 { writer.member("output_file_id", "file-\(id)") }
      }
    },
    Route("GET", "/files/{id}/content", "the answers of a batch, each a line of JSON") {
      state, _, values in
      guard let id = number(values[0]), let batch = state.rows.batches[id], batch.polls > 1,
        let lines = state.rows.files[batch.file]
      else { return unknown }
      return .bytes(answers(to: lines), type: "application/x-ndjson")
    },
    Route("GET", "/storage", "seven objects as pages of XML, signed requests only") {
      _, request, _ in
      objects(request)
    },
    Route("POST", "/contacts", "creates a contact: 201; 409 if its email is known") {
      state, request, _ in
      guard let email = request.json?["properties"]?["email"]?.string else {
        return .failure(400, "'properties' must have an 'email'")
      }
      guard state.rows.contacts.count < 1_000_000,
        state.rows.contacts.insert(ExactText(email)).inserted
      else { return .failure(409, "the contact exists") }
      if request.query("fail") == "1" { return .failure(503, "the answer is lost") }
      return .object(201) { $0.member("id", "contact-" + email) }
    },
    Route("GET", "/contacts/{email}", "a contact by its email, or 404") { state, _, values in
      guard state.rows.contacts.contains(ExactText(values[0])) else { return unknown }
      return .object { $0.member("id", "contact-" + values[0]) }
    },
  ]

  private static var unknown: ServerResponse { .failure(404, "there is no such thing") }

  /// The number at the end of an id.
  private static func number(_ id: String) -> Int? {
    id.split(ascii: "-").last.flatMap { Int($0) }
  }

  // MARK: Exports

  private static let accounts = [
    "Acme,1200000.50", "Blåbær & Sons,", "\"Cable, Wire\",30000", "Delta,0", "Echo,7.25",
    "\"Fox \"\"F\"\" Ltd\",99", "Gamma,12345678901234567890",
  ]

  private static func results(_ request: ServerRequest) -> ServerResponse {
    let size = request.integer("maxRecords", in: 1...1000, otherwise: 3)
    let start = request.integer("locator", in: 0...accounts.count, otherwise: 0)
    let end = min(accounts.count, start + size)
    let lines = accounts[start..<end].enumerated().map { "00\(start + $0 + 1),\($1)\n" }
    let next = end < accounts.count ? "\(end)" : "null"
    return .bytes(
      Array(("Id,Name,AnnualRevenue\n" + lines.joined()).utf8), type: "text/csv; charset=utf-8",
      [ServerResponse.Field("Sforce-Locator", next)])
  }

  // MARK: Answers

  private static func chat(_ request: ServerRequest) -> ServerResponse {
    guard let question = request.json?["messages"].flatMap(question) else {
      return .failure(400, "'messages' must be a list with contents")
    }
    let words = "You asked: \(question)".split(ascii: " ", omittingEmptySubsequences: false)
    var text = ": an answer in pieces\n\n"
    for (number, word) in words.enumerated() {
      let piece = JSONValue.string((number > 0 ? " " : "") + word).node.text
      text += "data: {\"choices\":[{\"delta\":{\"content\":\(piece)}}]}\n\n"
    }
    return .bytes(Array((text + "data: [DONE]\n\n").utf8), type: "text/event-stream")
  }

  /// The content of the last message.
  private static func question(_ messages: JSONNode) -> String? {
    Array(messages.elements).last?["content"]?.string
  }

  private static func answers(to lines: [UInt8]) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    for line in lines.split(separator: .lineFeed) {
      guard let request = try? JSONDocument.parse(Array(line)).root else { continue }
      writer.beginObject()
      writer.member("custom_id", request["custom_id"]?.string ?? "")
      writer.member("answer", request["body"]?["messages"].flatMap(question) ?? "")
      writer.endObject()
      writer.endLine()
    }
    return writer.bytes
  }

  // MARK: Storage

  private static func objects(_ request: ServerRequest) -> ServerResponse {
    guard request.header("Authorization")?.hasPrefix(bytes: "AWS4-HMAC-SHA256 ") == true else {
      return .bytes(
        Array("<Error><Code>AccessDenied</Code></Error>".utf8), type: "application/xml",
        status: 403)
    }
    let prefix = request.query("prefix") ?? ""
    let all = (1...7).map { "photos/\($0).jpg" }.filter { $0.hasPrefix(bytes: prefix) }
    let start = request.integer("continuation-token", in: 0...all.count, otherwise: 0)
    let end = min(all.count, start + 3)
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult>"
    for key in all[start..<end] {
      text += "<Contents><Key>\(key)</Key><Size>\(100 * key.utf8.count)</Size></Contents>"
    }
    if end < all.count { text += "<NextContinuationToken>\(end)</NextContinuationToken>" }
    return .bytes(Array((text + "</ListBucketResult>\n").utf8), type: "application/xml")
  }
}
