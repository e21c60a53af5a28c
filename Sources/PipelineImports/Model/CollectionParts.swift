internal import PipelineByteText

/// The files of a collection whose requests are in files of their own, as in Bruno and Postman 3.0.
///
/// What the file of a folder says holds for the requests below the folder.
struct CollectionParts {
  /// What a folder gives to the requests in it.
  struct Settings: Sendable {
    var name: String?
    var description: String?
    /// Its place among what is beside it.
    var order: Int?
    var headers: [(name: String, value: ForeignText)] = []
    var auth: ForeignAuth?
    var variables: [ImportedCollection.Variable] = []
    /// Whether its variables hold whatever an environment gives, as those of Bruno's folders do.
    var overridesEnvironments = false
  }

  enum Content {
    case request(ImportedRequest, [ImportedCollection.Variable])
    case settings(Settings)
    case environment(name: String?, [ImportedCollection.Variable])
    /// Variables that hold in each environment.
    case globals([ImportedCollection.Variable])
    /// A response of the request whose file has the same name as the folder of the example.
    case example(SavedResponse)
    /// The responses of a mock server.
    case mocks([MockedRoute])
    /// A file of a request that is not translated, for which the report has the reason, or a file
    /// that says nothing about requests.
    case nothing
  }

  private struct Part {
    var request: ImportedRequest
    let variables: [ImportedCollection.Variable]
    let file: String
    /// The names of the folders that it is in.
    let folders: [String]
  }

  private var parts: [Part] = []
  private var settings: [(folders: [String], settings: Settings)] = []
  /// By the beginning of the names of their requests' files.
  private var examples: [(owner: String, response: SavedResponse)] = []

  var hasRequests: Bool { !parts.isEmpty }
  var hasSettings: Bool { !settings.isEmpty }

  /// - Parameter path: The folders of a part in its file, each with a slash behind it.
  mutating func add(_ content: Content, file: String, path: String) {
    let folders = Self.folders(of: file) + path.split(ascii: "/").map { String($0) }
    switch content {
    case .request(var request, let found):
      request.title = request.title ?? Self.title(of: file)
      parts.append(Part(request: request, variables: found, file: file, folders: folders))
    case .settings(var found):
      let isOfFolder = file.split(ascii: "/").last?.equals(bytes: "folder.bru") == true
      if isOfFolder { found.overridesEnvironments = true }
      settings.append((folders, found))
    case .example(let response):
      if let owner = Self.owner(ofExample: file) { examples.append((owner, response)) }
    case .environment, .globals, .mocks, .nothing: break
    }
  }

  /// `Shop/Order.` for `Shop/.resources/Order.resources/examples/One.example.yaml`.
  private static func owner(ofExample file: String) -> String? {
    guard let start = file.firstRange(bytes: ".resources/"),
      let end = file[start.upperBound...].firstRange(bytes: ".resources/")
    else { return nil }
    return String(file[..<start.lowerBound] + file[start.upperBound..<end.lowerBound]) + "."
  }

  /// What a request is called whose file says no name: `Log in` of `Log in.request.yaml`.
  private static func title(of file: String) -> String? {
    let name = file.split(ascii: "/").last?.prefix(before: ".").trimmed ?? ""
    return name.isEmpty ? nil : name
  }

  /// The folders of a file. `.resources` holds the settings of the folder that it is in.
  private static func folders(of file: String) -> [String] {
    file.split(ascii: "/").dropLast().map(String.init).filter {
      !$0.equals(bytes: ".") && !$0.equals(bytes: ".resources")
    }
  }

  private static func isEqual(
    _ left: some Collection<String>, _ right: some Collection<String>
  ) -> Bool {
    left.elementsEqual(right) { $0.equals(bytes: $1) }
  }

  /// The settings that hold in some folders, from the outermost folder to the innermost one.
  private func settings(in folders: [String]) -> [(folders: [String], settings: Settings)] {
    (0...folders.count).flatMap { depth in
      settings.filter { Self.isEqual($0.folders, folders[..<depth]) }
    }
  }

  /// Whether all requests are in some folders.
  private func holdsAll(_ folders: [String]) -> Bool {
    parts.allSatisfy { Self.isEqual($0.folders.prefix(folders.count), folders) }
  }

  /// The variables of a request that those of the collection are not.
  ///
  /// - Parameter common: The folders whose variables are those of the collection.
  private func scope(
    of part: Part, in surroundings: [(folders: [String], settings: Settings)],
    common: [[String]]
  ) -> VariableScope {
    var scope = VariableScope()
    for (folders, settings) in surroundings
    where settings.overridesEnvironments || !common.contains(where: { Self.isEqual($0, folders) }) {
      for variable in settings.variables {
        scope.define(
          variable, owner: settings.name ?? folders.last,
          settings.overridesEnvironments ? .overEnvironments : .weak)
      }
    }
    for variable in part.variables {
      scope.define(variable, owner: part.request.title, .overEnvironments)
    }
    return scope
  }

  /// The place of a request: for each folder on the way to it and for itself, the number that its
  /// file gives, and its place among the files.
  private func rank(_ index: Int) -> [(order: Int, position: Int)] {
    let part = parts[index]
    var rank = part.folders.indices.map { depth in
      let folder = part.folders[...depth]
      let order = settings.first { Self.isEqual($0.folders, folder) }?.settings.order
      let first = parts.firstIndex { Self.isEqual($0.folders.prefix(depth + 1), folder) }
      return (order: order ?? .max, position: first ?? index)
    }
    rank.append((part.request.sequence ?? .max, index))
    return rank
  }

  /// The requests in the order of their numbers, folder by folder, else in that of the files.
  ///
  /// - Complexity: O(*n*²) in the number of files.
  func collection(_ report: inout ImportReport) -> ImportedCollection {
    var collection = ImportedCollection()
    let outermost = settings.min { $0.folders.count < $1.folders.count }?.settings
    collection.name = outermost?.name
    collection.description = outermost?.description
    let common = settings.filter { !$0.settings.overridesEnvironments && holdsAll($0.folders) }
      .sorted { $0.folders.count < $1.folders.count }
    for variable in common.flatMap(\.settings.variables) { collection.declare(variable) }
    let sorted = parts.indices.map { (rank: rank($0), part: parts[$0]) }.sorted {
      $0.rank.lexicographicallyPrecedes($1.rank) {
        ($0.order, $0.position) < ($1.order, $1.position)
      }
    }
    for var part in sorted.map(\.part) {
      let around = settings(in: part.folders)
      let surroundings = around.map(\.settings)
      part.request.scope = scope(of: part, in: around, common: common.map(\.folders))
      if part.request.inheritedAuth != nil {
        if let auth = surroundings.last(where: { $0.auth != nil })?.auth {
          auth.apply(to: &part.request)
        } else if surroundings.isEmpty, part.request.inheritedAuth == .said {
          report.file = part.file
          report.approximate(
            part.request.line,
            "it authenticates as its collection says, whose file is not among the files")
        }
      }
      for (name, value) in surroundings.reversed().flatMap(\.headers)
      where !part.request.headers.contains(where: { $0.name.equalsIgnoringASCIICase(name) })
        && (part.request.auth == nil || !name.equalsIgnoringASCIICase("authorization"))
      {
        part.request.headers.append((name, value))
      }
      part.request.examples += examples.filter { part.file.hasPrefix(bytes: $0.owner) }.map(
        \.response)
      part.request.file = part.file
      collection.requests.append(part.request)
    }
    return collection
  }
}
