internal import PipelineByteText
public import PipelineJSONText

extension RecordedExchange {
  /// Reads an entry of a HAR file. Tools write some things in different ways. All of these are
  /// read.
  ///
  /// `nil` if it is not an exchange that could be replayed. It is not an object, has no URL, or is
  /// a request that another tool gave up.
  ///
  /// - Parameter node: An element of `log.entries`.
  public init?(_ node: JSONNode) {
    guard let asked = node["request"], let request = Request(asked) else { return nil }
    let own = node["_pipeline"]
    key = own.flatMap(Self.key)
    cause = own?["cause"]?.string
    self.request = request
    if let error = own?["error"] {
      outcome = .failure(
        kind: error["kind"]?.string ?? "other", message: error["message"]?.string ?? "failed")
      return
    }
    guard let answer = node["response"], let response = Self.response(answer) else { return nil }
    // Playwright can write the bodies into other files.
    if let content = answer["content"], content["text"] == nil,
      let file = content["_file"]?.string
    {
      outcome = .failure(
        kind: "file",
        message:
          "the body of the answer to \(request.url) is in another file, '\(file)'; record it again"
          + " with the bodies in the HAR file, as Playwright does with \"content\": \"embed\"")
      return
    }
    outcome = .response(response)
  }

  static func key(_ own: JSONNode) -> RecordingKey? {
    let isToken = own["token"]?.boolean == true
    guard let step = isToken ? "" : own["step"]?.string else { return nil }
    return RecordingKey(
      step: step, path: (own["path"]?.elements).map { $0.compactMap(integer) } ?? [],
      item: own["item"].flatMap(integer), page: own["page"].flatMap(integer) ?? 0,
      poll: own["poll"].flatMap(integer) ?? 0, attempt: own["attempt"].flatMap(integer) ?? 1,
      redirect: own["redirect"].flatMap(integer) ?? 0)
  }

  /// A whole number, or a text of one.
  static func integer(_ node: JSONNode) -> Int? {
    switch node.kind {
    case .number: Int(node.text) ?? node.number.flatMap { Int(exactly: $0.double) }
    case .string: node.string.flatMap { Int($0) }
    default: nil
    }
  }

  /// A list of names and values. Some tools write an object.
  fileprivate static func fields(_ node: JSONNode?) -> [RecordedField] {
    guard let node else { return [] }
    let fields: [RecordedField]
    if node.kind == .object {
      fields = node.members.map { RecordedField($0.name, text($0.value)) }
    } else {
      fields = node.elements.compactMap { field in
        guard let name = (field["name"] ?? field["key"])?.string else { return nil }
        return RecordedField(name, field["value"].map(text) ?? "")
      }
    }
    // HTTP/2's pseudo fields (RFC 9113 §8.3), which Chrome shows.
    let real = fields.filter { !$0.name.hasPrefix(bytes: ":") && !$0.name.isEmpty }
    // Chrome joins fields of one name by line feeds.
    return real.flatMap { field in
      field.value.split(ascii: "\n", omittingEmptySubsequences: false).map {
        RecordedField(field.name, String($0))
      }
    }
  }

  private static func text(_ node: JSONNode) -> String {
    node.string ?? (node.isNull ? "" : node.text)
  }

  fileprivate static func body(of asked: JSONNode) -> Body? {
    guard let data = asked["postData"], data.kind == .object else { return nil }
    let headers = fields(asked["headers"])
    let type =
      data["mimeType"]?.string
      ?? headers.first { $0.name.equalsIgnoringASCIICase("content-type") }?.value ?? ""
    if let name = data["_file"]?.string { return .file(name, type: type) }
    if let text = data["text"]?.string, !text.isEmpty {
      let encoding = (data["_encoding"] ?? data["encoding"])?.string
      return .bytes(decoded(text, encoding), type: type)
    }
    let params = data["params"].map { Array($0.elements) } ?? []
    guard !params.isEmpty else { return nil }
    let parts = params.map { part in
      Part(
        name: part["name"]?.string ?? "", value: part["value"].map(Self.text),
        fileName: part["fileName"]?.string, type: part["contentType"]?.string)
    }
    guard type.lowercasedASCII.hasPrefix(bytes: "application/x-www-form-urlencoded") else {
      return .form(parts, type: type)
    }
    let text = parts.map { $0.name + "=" + ($0.value ?? "") }.joined(separator: "&")
    return .bytes(Array(text.utf8), type: type)
  }

  private static func response(_ node: JSONNode) -> Response? {
    guard let status = node["status"].flatMap(integer), (100..<1000).contains(status) else {
      return nil
    }
    var body: [UInt8] = []
    if let content = node["content"], let text = content["text"]?.string {
      body = decoded(text, content["encoding"]?.string)
    }
    var headers = fields(node["headers"])
    if !headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") }),
      let type = node["content"]?["mimeType"]?.string, !type.isEmpty
    {
      headers.append(RecordedField("Content-Type", type))
    }
    // The body is recorded as it was after decoding, and whole.
    headers.removeAll {
      ["content-encoding", "transfer-encoding", "content-length"].contains($0.name.lowercasedASCII)
    }
    let version = node["httpVersion"]?.string ?? ""
    let number = version.lastIndex(ascii: "/").map {
      String(version[$0...].dropFirst(bytes: 1))
    }
    return Response(
      status: status, headers: headers, body: body, version: number ?? "1.1")
  }

  private static func decoded(_ text: String, _ encoding: String?) -> [UInt8] {
    guard encoding?.lowercasedASCII == "base64" else { return Array(text.utf8) }
    return Base64.decode(inAnyForm: text) ?? Array(text.utf8)
  }
}

extension RecordedExchange.Request {
  /// Reads a request of a HAR file; `nil` if it has no URL.
  package init?(_ node: JSONNode) {
    guard let url = node["url"]?.string, !url.isEmpty else { return nil }
    self.init(
      method: (node["method"]?.string ?? "GET").uppercased(), url: url,
      headers: RecordedExchange.fields(node["headers"]), body: RecordedExchange.body(of: node))
  }
}
