internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/pages`: the same records in every form of pagination.
///
/// All take `total` (25 records) and `per_page` (10). Links keep the parameters of the request.
enum PagesAPI {
  static let routes = [
    Route("GET", "/pages/link", "a list; the next page in the Link field: ?form=absolute") {
      _, request, _ in
      link(request)
    },
    Route("GET", "/pages/next", "the next page's URL in the body, null at the end") {
      _, request, _ in
      next(request)
    },
    Route("*", "/pages/cursor", "a cursor in query, body or header: ?end=null|absent|empty|false") {
      _, request, _ in
      cursor(request)
    },
    Route("GET", "/pages/continue", "two values in the body that lead to the next page together") {
      _, request, _ in
      continued(request)
    },
    Route("*", "/pages/numbered", "a page number in query or body: ?first=1&totals=no") {
      _, request, _ in
      numbered(request)
    },
    Route("*", "/pages/offset", "offset and limit in query or body, with the total") {
      _, request, _ in
      offset(request)
    },
    Route("GET", "/pages/loop", "two pages that lead to each other for ever") { _, request, _ in
      let page = request.integer("page", in: 1...2, otherwise: 1)
      return trail(request, page: page, following: 3 - page)
    },
    Route("GET", "/pages/endless", "a next page for ever") { _, request, _ in
      let page = request.integer("page", in: 1...1_000_000_000, otherwise: 1)
      return trail(request, page: page, following: page + 1)
    },
  ]

  // MARK: Forms

  static func link(_ request: ServerRequest) -> ServerResponse {
    let window = Window(request, first: 1)
    var links: [(relation: String, page: Int)] = []
    if window.page > 1 { links.append(("prev", window.page - 1)) }
    if window.page < window.pages { links.append(("next", window.page + 1)) }
    links += [("first", 1), ("last", window.pages)]
    let value = links.map {
      "<\(target(request, setting: "page", to: "\($0.page)"))>; rel=\"\($0.relation)\""
    }.joined(separator: ", ")
    return .json(200, [ServerResponse.Field("Link", value)]) { writer in
      writer.beginArray()
      for id in window.ids { record(id, &writer) }
      writer.endArray()
    }
  }

  private static func next(_ request: ServerRequest) -> ServerResponse {
    let window = Window(request, first: 1)
    let following = window.page < window.pages ? window.page + 1 : nil
    return .object { writer in
      data(window.ids, &writer)
      writer.member("next", orNull: following.map { target(request, setting: "page", to: "\($0)") })
    }
  }

  private static func cursor(_ request: ServerRequest) -> ServerResponse {
    let total = request.count("total", in: 0...100_000, otherwise: 25)
    let size = request.count("limit", in: 1...10_000, otherwise: 10)
    var start = 0
    if let cursor = request.parameter("cursor"), !cursor.isEmpty {
      guard let bytes = Base64.decode(cursor),
        let place = Int(
          String(decoding: bytes, as: UTF8.self).dropFirst(bytes: "after:".utf8.count)),
        (0...total).contains(place)
      else { return .failure(400, "the cursor is unknown") }
      start = place
    }
    let end = min(start + size, total)
    let next = end < total ? Base64.encode(Array("after:\(end)".utf8)) : nil
    let fields = next.map { [ServerResponse.Field("X-Next-Cursor", $0)] } ?? []
    return .object(200, fields) { writer in
      data(start < end ? Array(start + 1...end) : [], &writer)
      writer.object("meta") { writer in
        if let next { return writer.member("next", next) }
        switch request.parameter("end") {
        case "absent": break
        case "empty": writer.member("next", "")
        case "false": writer.member("next", false)
        default: writer.member("next", orNull: nil)
        }
      }
    }
  }

  private static func continued(_ request: ServerRequest) -> ServerResponse {
    let total = request.count("total", in: 0...100_000, otherwise: 25)
    let size = request.count("limit", in: 1...10_000, otherwise: 10)
    guard (request.query("continue") == nil) == (request.query("from") == nil) else {
      return .failure(400, "'continue' and 'from' go together")
    }
    let start = request.count("from", in: 0...1_000_000, otherwise: 0)
    let end = min(start + size, total)
    return .object { writer in
      if end < total {
        writer.object("continue") { writer in
          writer.member("continue", "-||")
          writer.member("from", end)
        }
      }
      data(start < end ? Array(start + 1...end) : [], &writer)
    }
  }

  private static func numbered(_ request: ServerRequest) -> ServerResponse {
    let first = request.count("first", in: 0...1, otherwise: 1)
    let window = Window(request, first: first)
    return .object { writer in
      writer.member("page", window.page)
      writer.member("per_page", window.size)
      if request.parameter("totals") != "no" {
        writer.member("total", window.total)
        writer.member("total_pages", window.pages)
      }
      data(window.ids, &writer)
    }
  }

  private static func offset(_ request: ServerRequest) -> ServerResponse {
    let total = request.count("total", in: 0...100_000, otherwise: 25)
    let offset = request.count("offset", in: 0...1_000_000_000, otherwise: 0)
    let limit = request.count("limit", in: 1...10_000, otherwise: 10)
    let end = min(offset + limit, total)
    return .object { writer in
      writer.member("offset", offset)
      writer.member("limit", limit)
      if request.parameter("totals") != "no" { writer.member("total", total) }
      data(offset < end ? Array(offset + 1...end) : [], &writer)
    }
  }

  /// One record and a next page, in the body, as a cursor and in the Link field alike.
  private static func trail(_ request: ServerRequest, page: Int, following: Int) -> ServerResponse {
    let url = target(request, setting: "page", to: "\(following)")
    return .object(200, [ServerResponse.Field("Link", "<\(url)>; rel=\"next\"")]) { writer in
      data([page], &writer)
      writer.member("page", page)
      writer.member("next", url)
      writer.member("cursor", "\(following)")
    }
  }

  // MARK: Pieces

  /// Which records a numbered page shows.
  private struct Window {
    let total: Int
    let size: Int
    let page: Int
    let pages: Int
    let ids: [Int]

    init(_ request: ServerRequest, first: Int) {
      total = request.count("total", in: 0...100_000, otherwise: 25)
      size = request.count("per_page", in: 1...10_000, otherwise: 10)
      page = request.count("page", in: first...1_000_000, otherwise: first)
      pages = max(1, (total + size - 1) / size)
      let start = (page - first) * size
      ids = start < total ? Array(start + 1...min(start + size, total)) : []
    }
  }

  private static func data(_ ids: [Int], _ writer: inout JSONWriter) {
    writer.member("data", list: ids) { record($1, &$0) }
  }

  private static func record(_ id: Int, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", "Record \(id)")
    }
  }

  /// This request's URL with one parameter set. It begins at the path, or depending on `form`:
  /// `absolute` (at `origin` if given) or `query` (at the question mark).
  private static func target(
    _ request: ServerRequest, setting name: String, to value: String
  ) -> String {
    var items = FormText.items(request.rawQuery).filter { $0.name != name }
    items.append((name, value))
    let query = items.map { "\(FormText.encode($0.name))=\(FormText.encode($0.value))" }
      .joined(separator: "&")
    switch request.query("form") {
    case "query": return "?\(query)"
    case "absolute":
      let origin = request.query("origin") ?? "http://\(request.header("Host") ?? "127.0.0.1")"
      let isSound = origin.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3E }
      return "\(isSound ? origin : "")\(request.path)?\(query)"
    default: return "\(request.path)?\(query)"
    }
  }
}
