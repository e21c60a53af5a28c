internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/stock`: numbers that several clients change, each with the entity tag of what it has read.
enum StockAPI {
  struct Item {
    var stock = 5
    var revision = 1
    /// The number of times that another client was faster.
    var rivals = 0

    var tag: ServerResponse.Field { ServerResponse.Field("ETag", "\"\(revision)\"") }

    mutating func set(_ stock: Int) {
      self.stock = stock
      revision += 1
    }
  }

  struct State {
    /// The last thousand that were asked for.
    fileprivate var items: [String: Item] = [:]
  }

  static let routes = [
    Route("GET", "/stock/{id}", "how many there are, with an ETag; ?rivals=2 change it after that")
    {
      state, request, values in
      get(request, values[0], &state.stock)
    },
    Route("PUT", "/stock/{id}", "sets how many there are: 412 unless If-Match is the ETag") {
      state, request, values in
      put(request, values[0], &state.stock)
    },
  ]

  private static func get(
    _ request: ServerRequest, _ id: String, _ state: inout State
  ) -> ServerResponse {
    if state.items.count >= 1_000, state.items[id] == nil { state.items = [:] }
    var item = state.items[id] ?? Item()
    let answer = response(item, id)
    if item.rivals < request.integer("rivals", in: 0...1_000, otherwise: 0) {
      item.rivals += 1
      item.set(item.stock - 1)
    }
    state.items[id] = item
    return answer
  }

  private static func put(
    _ request: ServerRequest, _ id: String, _ state: inout State
  ) -> ServerResponse {
    guard let stock = request.json?["stock"]?.number?.int else {
      return .failure(400, "'stock' must be a whole number")
    }
    guard var item = state.items[id] else { return .failure(404, "nobody has asked for it yet") }
    guard let tag = request.header("If-Match") else {
      return .failure(428, "write 'If-Match' with the ETag of what you have read")
    }
    guard tag.equals(bytes: item.tag.value) else {
      return .failure(412, "it has changed since", [item.tag])
    }
    item.set(stock)
    state.items[id] = item
    return response(item, id)
  }

  private static func response(_ item: Item, _ id: String) -> ServerResponse {
    .object(200, [item.tag]) { writer in
      writer.member("id", id)
      writer.member("stock", item.stock)
    }
  }
}
