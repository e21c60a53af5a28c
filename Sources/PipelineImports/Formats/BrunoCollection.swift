/// The files of a Bruno collection that are imported together.
struct BrunoCollection {
  private var requests: [(request: ImportedRequest, file: String)] = []
  private var variables: [ImportedCollection.Variable] = []
  private var settings: [BrunoReader.Settings] = []

  var hasRequests: Bool { !requests.isEmpty }
  var hasSettings: Bool { !settings.isEmpty }

  mutating func add(_ content: BrunoReader.Content, file: String) {
    switch content {
    case .request(let request, let found):
      requests.append((request, file))
      variables += found
    case .settings(let found): settings.append(found)
    case .environment, .nothing: break
    }
  }

  /// The requests in the order of their numbers if all have one, else in that of the files.
  func collection(_ report: inout ImportReport) -> ImportedCollection {
    var collection = ImportedCollection()
    for variable in settings.flatMap(\.variables) + variables { collection.declare(variable) }
    var sorted = requests
    if sorted.allSatisfy({ $0.request.sequence != nil }) {
      sorted = sorted.enumerated().sorted {
        ($0.element.request.sequence ?? 0, $0.offset)
          < ($1.element.request.sequence ?? 0, $1.offset)
      }.map(\.element)
    }
    let auth = settings.lazy.compactMap(\.auth).first
    for (var request, file) in sorted {
      if request.inheritsAuth {
        if let auth {
          auth.apply(to: &request)
        } else if settings.isEmpty {
          report.file = file
          report.approximate(
            request.line,
            "it authenticates as its collection says, whose file is not among the files")
        }
      }
      for (name, value) in settings.flatMap(\.headers)
      where !request.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
        request.headers.append((name, value))
      }
      collection.requests.append(request)
    }
    return collection
  }
}
