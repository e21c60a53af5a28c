internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineURIs

/// The requests of an imported file in their order, and the variables that they read.
struct ImportedCollection: Sendable {
  /// A variable of the other tool.
  struct Variable: Sendable {
    let name: String
    /// The value, if the file has one.
    var value: ForeignText?
    var isSecret = false
  }

  var name: String?
  var description: String?
  var requests: [ImportedRequest] = []
  private(set) var variables: [Variable] = []
  private var positions: [String: Int] = [:]
  /// The values of variables by the name of their environment.
  var environments: [(name: String, values: [Variable])] = []
  /// Whether each request says what it waits for. Otherwise they run in their order.
  var isInOrderOfData = false

  /// The last declaration of a variable holds.
  mutating func declare(_ variable: Variable) {
    if let position = positions[variable.name] {
      variables[position] = variable
    } else {
      positions[variable.name] = variables.count
      variables.append(variable)
    }
  }

  func variable(_ name: String) -> Variable? { positions[name].map { variables[$0] } }
}

/// A request of an imported file.
package struct ImportedRequest: Sendable {
  /// A body as the other tool writes it.
  package enum Body: Sendable {
    case text(ForeignText)
    /// JSON as text, in which placeholders may be without quotes.
    case json(ForeignText)
    case form([(name: String, value: ForeignText)])
    case multipart([Part])
    case file(ForeignText)
    /// Texts and the contents of files, one after another.
    case pieces([Piece])
    case graphql(query: ForeignText, variables: ForeignText?, operation: ForeignText? = nil)
  }

  package enum Piece: Sendable {
    case text(ForeignText)
    case file(ForeignText)
    /// The content of a file without its line ends.
    case lines(ForeignText)

    /// The text, or the path of the file.
    var value: ForeignText {
      switch self {
      case .text(let value), .file(let value), .lines(let value): value
      }
    }
  }

  package struct Part: Sendable {
    package enum Kind: Sendable {
      case text, file
      /// The content of a file, without its name.
      case fileContent
    }

    let name: String
    let value: ForeignText
    var kind = Kind.text
    var contentType: String?
    /// The name that the server gets for a file, unless it is that of the file.
    var fileName: String?

    var isFile: Bool { kind == .file }

    package init(
      name: String, value: ForeignText, isFile: Bool, contentType: String? = nil,
      fileName: String? = nil
    ) {
      self.init(
        name: name, value: value, kind: isFile ? .file : .text, contentType: contentType,
        fileName: fileName)
    }

    package init(
      name: String, value: ForeignText, kind: Kind = .text, contentType: String? = nil,
      fileName: String? = nil
    ) {
      self.name = name
      self.value = value
      self.kind = kind
      self.contentType = contentType
      self.fileName = fileName
    }
  }

  /// Where the items of a request come from.
  enum Items: Sendable {
    /// A list in the response to a request.
    case list(of: String, query: String)
    /// The names of the members of an object in the response to a request.
    case keys(of: String, object: String)
    /// The elements of a list in each row of a request that has items itself.
    case nested(of: String, query: String)
    /// A value of each row of a request that has items itself.
    case rows(of: String, source: ImportedSource)
    /// A list in the response to another request of its block.
    case inner(of: String, query: String)
  }

  enum Inheritance: Sendable {
    /// Its file says so.
    case said
    /// Its file says nothing else.
    case implied
  }

  enum Auth: Sendable {
    case bearer(ForeignText)
    case basic(user: ForeignText, password: ForeignText)
    case digest(user: ForeignText, password: ForeignText)
    case awsSigV4(
      service: ForeignText, region: ForeignText, key: ForeignText, secret: ForeignText,
      session: ForeignText)
    case oauth2(OAuth2Settings<ForeignText>)

    /// The texts that placeholders may be in.
    var texts: [ForeignText] {
      switch self {
      case .bearer(let token): [token]
      case .basic(let user, let password), .digest(let user, let password): [user, password]
      case .awsSigV4(let service, let region, let key, let secret, let session):
        [service, region, key, secret, session]
      case .oauth2(let settings): settings.texts
      }
    }
  }

  /// The file that it is in; `nil` if it is not in one.
  var file: String?
  /// The name by which other requests refer to its response.
  var name: String?
  /// What people call it.
  var title: String?
  /// A word for the id of its step, if it has no name of its own.
  var word: String?
  let line: Int
  package var method = "GET"
  package var url = ForeignText()
  package var query: [(name: String, value: ForeignText)] = []
  package var headers: [(name: String, value: ForeignText)] = []
  var cookies: [(name: String, value: ForeignText)] = []
  var auth: Auth?
  package var body: Body?
  /// The variables that its response sets.
  var sets: [(variable: String, source: ImportedSource)] = []
  /// The names that the response may lack.
  var optionalSources: [ImportedSource] = []
  var statuses: [Int] = []
  /// Whether a response with any status is good.
  var acceptsAnyStatus = false
  /// Conditions on the response.
  var conditions: [String] = []
  /// Conditions on the response in which variables stand for values.
  var variableConditions: [ForeignText] = []
  var contentType: String?
  var followsRedirects = true
  /// The number of redirects that are followed; `nil` if the tool has its usual one.
  package var redirectLimit: Int?
  /// The seconds after which the tool gives up.
  package var timeout: Double?
  /// The items that it is sent for; `nil` if it is sent once.
  var items: Items?
  /// The names of the requests that are its further items, from the second one on.
  var rows: [String] = []
  /// The positions of the items of this request and of `rows`, the outermost block first.
  var places: [[Int]] = []
  /// The request with items that is in a block with it, for each of its items.
  var owner: String?
  /// What one of its items is called, and what of it the items are: `order` and `id`.
  var itemWord: String?
  var itemPart: String?
  /// How it goes on to its further pages.
  var pages: ImportedPages?
  /// The condition that ends polling, the seconds between two requests, and how many there may be.
  var poll: (until: String, every: Double, attempts: Int?)?
  /// The responses that the other tool keeps as examples.
  var examples: [SavedResponse] = []
  /// Its place among the requests of other files.
  var sequence: Int?
  /// How it is known that it authenticates its sender as its folder says; `nil` if it does not.
  var inheritedAuth: Inheritance?
  /// The variables that it has and not every request.
  var scope = VariableScope()
  /// Whether a step can have its method. If not, the report says so.
  func hasKnownMethod(_ report: inout ImportReport) -> Bool {
    guard !HTTPMethod.isKnown(method) else { return true }
    report.refuse(line, Self.refusal(ofMethod: method))
    return false
  }

  /// Why a request with a method that no step can have is refused.
  static func refusal(ofMethod method: String) -> String {
    "'\(String(method.unicodeScalars.prefix(40)))' is not a method that a step has"
  }

  /// The example that the request expects: one with an expected status, or else a success.
  var fittingExample: SavedResponse? {
    examples.first { example in
      statuses.isEmpty
        ? (200..<300).contains(example.status) : statuses.contains(example.status)
    }
  }

  /// Leaves a parameter out of the query.
  mutating func removeParameter(_ name: String) {
    query.removeAll { $0.name.equals(bytes: name) }
    guard let (address, query) = url.cut(at: "?") else { return }
    let kept = query.split(at: "&").filter { piece in
      let word = (piece.cut(at: "=")?.before ?? piece).plain ?? ""
      return !(URI.percentDecode(word) ?? word).equals(bytes: name)
    }
    url = address
    for (number, piece) in kept.enumerated() {
      url.append(.text(number == 0 ? "?" : "&"))
      url.append(piece)
    }
  }

  /// The names of requests that come first although it reads nothing of them.
  var waitsFor: [String] = []
  /// The same of the block in which it is with others.
  var blockWaitsFor: [String] = []
}

extension ImportedRequest {
  /// A GET of nothing yet.
  package init(line: Int) { self.init(name: nil, line: line) }
}

extension ImportedRequest {
  /// Adds a check of the status. All that is checked must hold.
  mutating func allow(_ statuses: [Int]) {
    let both = self.statuses.filter(statuses.contains)
    if self.statuses.isEmpty {
      self.statuses = statuses
    } else if !both.isEmpty {
      self.statuses = both
    } else if let condition = ForeignOperator.oneOf.condition(
      on: "@.status", anyOf: statuses.map(String.init))
    {
      conditions.append(condition)
    }
  }
}
