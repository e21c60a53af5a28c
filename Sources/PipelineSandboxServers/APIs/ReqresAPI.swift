internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/reqres`: users in pages, in the shape of reqres.in.
enum ReqresAPI {
  struct State {
    /// The id that the next created user gets.
    var nextID = 101
  }

  /// The token of a login. `/bank/secure` accepts it too.
  static let loginToken = "QpwL5tke4Pnpja7X4"

  static let routes = [
    Route("GET", "/reqres/users", "users in pages: ?page=1&per_page=6") { _, request, _ in
      page(request)
    },
    Route("POST", "/reqres/users", "creates a user: 201 with id and createdAt") {
      state, request, _ in
      create(request, &state.users)
    },
    Route("GET", "/reqres/users/{id}", "one user; {} with 404 past the twelfth") { _, _, values in
      Int(values[0]).flatMap { single[$0] }.map { .json(bytes: $0) } ?? missing
    },
    Route("PUT", "/reqres/users/{id}", "replaces a user: the body and updatedAt") {
      _, request, _ in
      update(request)
    },
    Route("PATCH", "/reqres/users/{id}", "changes a user: the body and updatedAt") {
      _, request, _ in
      update(request)
    },
    Route("DELETE", "/reqres/users/{id}", "204") { _, _, _ in .empty(204) },
    Route("POST", "/reqres/login", "a token for eve.holt@reqres.in, else 400") { _, request, _ in
      login(request)
    },
    Route("POST", "/reqres/register", "id and token for eve.holt@reqres.in, else 400") {
      _, request, _ in
      register(request)
    },
  ]

  private static var missing: ServerResponse {
    ServerResponse.json(bytes: Array("{}".utf8), status: 404)
  }

  // MARK: Reading

  private static func page(_ request: ServerRequest) -> ServerResponse {
    let size = request.integer("per_page", in: 1...100, otherwise: 6)
    let number = request.integer("page", in: 1...1_000_000, otherwise: 1)
    let shown = people.dropFirst((number - 1) * size).prefix(size)
    return .object { writer in
      writer.member("page", number)
      writer.member("per_page", size)
      writer.member("total", people.count)
      writer.member("total_pages", (people.count + size - 1) / size)
      writer.member("data", list: shown) { writer, person in
        writer.object { person.write(to: &$0) }
      }
      support(&writer)
    }
  }

  /// `GET /reqres/users/{id}`, written once.
  private static let single: [Int: [UInt8]] = Dictionary(
    uniqueKeysWithValues: people.map { person in
      var writer = JSONWriter(style: .compact)
      writer.object { writer in
        writer.object("data") { person.write(to: &$0) }
        support(&writer)
      }
      return (person.id, writer.bytes)
    })

  private static func support(_ writer: inout JSONWriter) {
    writer.object("support") { writer in
      writer.member("url", "https://reqres.in/#support-heading")
      writer.member(
        "text", "To keep ReqRes free, contributions towards server costs are appreciated!")
    }
  }

  // MARK: Writing

  private static func create(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    let id = state.nextID
    state.nextID += 1
    return echoing(request, status: 201) { writer in
      writer.member("id", "\(id)")
      writer.member(
        "createdAt", CalendarDate(unixSeconds: request.moment.unixSeconds).timestamp)
    }
  }

  private static func update(_ request: ServerRequest) -> ServerResponse {
    echoing(request, status: 200) { writer in
      writer.member(
        "updatedAt", CalendarDate(unixSeconds: request.moment.unixSeconds).timestamp)
    }
  }

  /// The members of the body, and after them those that `write` adds.
  private static func echoing(
    _ request: ServerRequest, status: Int, _ write: (inout JSONWriter) -> Void
  ) -> ServerResponse {
    guard request.body.isEmpty || request.json?.kind == .object else {
      return .failure(400, "the body is not a JSON object")
    }
    return .object(status) { writer in
      if let body = request.json {
        for member in body.members where member.name != "id" {
          writer.name(member.name)
          writer.value(member.value)
        }
      }
      write(&writer)
    }
  }

  private static func login(_ request: ServerRequest) -> ServerResponse {
    if let refusal = refusal(request) { return refusal }
    return .object { $0.member("token", loginToken) }
  }

  private static func register(_ request: ServerRequest) -> ServerResponse {
    if let refusal = refusal(request) { return refusal }
    return .object { writer in
      writer.member("id", 4)
      writer.member("token", loginToken)
    }
  }

  private static func refusal(_ request: ServerRequest) -> ServerResponse? {
    let body = request.json
    guard let name = (body?["email"] ?? body?["username"])?.string else {
      return .failure(400, "Missing email or username")
    }
    guard let password = body?["password"]?.string, !password.isEmpty else {
      return .failure(400, "Missing password")
    }
    return people.contains { $0.email == name } ? nil : .failure(400, "user not found")
  }

  // MARK: People

  private struct Person {
    let id: Int
    let first: String
    let last: String

    var email: String { "\(first).\(last)@reqres.in".lowercased() }

    func write(to writer: inout JSONWriter) {
      writer.member("id", id)
      writer.member("email", email)
      writer.member("first_name", first)
      writer.member("last_name", last)
      writer.member("avatar", "https://reqres.in/img/faces/\(id)-image.jpg")
    }
  }

  private static let people: [Person] = [
    ("George", "Bluth"), ("Janet", "Weaver"), ("Emma", "Wong"), ("Eve", "Holt"),
    ("Charles", "Morris"), ("Tracey", "Ramos"), ("Michael", "Lawson"), ("Lindsay", "Ferguson"),
    ("Tobias", "Funke"), ("Byron", "Fields"), ("George", "Edwards"), ("Rachel", "Howell"),
  ].enumerated().map { Person(id: $0.offset + 1, first: $0.element.0, last: $0.element.1) }
}
