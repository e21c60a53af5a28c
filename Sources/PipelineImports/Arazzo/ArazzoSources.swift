internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineOpenAPI
internal import PipelineURIs

/// The descriptions that an Arazzo file names, as far as they are beside it.
struct ArazzoSources {
  private struct Source {
    let name: String
    let url: String
    let type: String
    let description: APIDescription?
    let operations: [Operation]
    /// Why there is no description.
    let problem: String
  }

  private let sources: [Source]

  /// An operation with its description.
  struct Found {
    let operation: Operation
    let description: APIDescription
  }

  /// - Parameter load: Reads a file beside the Arazzo file by its relative path.
  init(_ root: ReadNode, _ load: @escaping @Sendable (String) -> [UInt8]?) {
    sources = root["sourceDescriptions"].items.compactMap { node in
      guard let name = node["name"]?.string else { return nil }
      let url = node["url"]?.string ?? ""
      let type = node["type"]?.string ?? "openapi"
      guard type.equals(bytes: "openapi") else {
        let problem =
          type.equals(bytes: "arazzo")
          ? "'\(name)' has workflows, and no operations"
          : "'\(name)' is of type '\(type)', which import does not read"
        return Source(
          name: name, url: url, type: type, description: nil, operations: [], problem: problem)
      }
      let (description, problem) = Self.read(url, name, load)
      return Source(
        name: name, url: url, type: type, description: description,
        operations: description?.operations() ?? [], problem: problem)
    }
  }

  /// The path of the Arazzo file that a source names.
  func arazzoFile(_ name: String) throws(ArazzoRefusal) -> String {
    guard let source = sources.first(where: { $0.name.equals(bytes: name) }) else {
      throw ArazzoRefusal(message: "'\(name)' is not a source description of the file")
    }
    guard source.type.equals(bytes: "arazzo") else {
      throw ArazzoRefusal(message: "'\(name)' is of type '\(source.type)', and has no workflows")
    }
    return Self.path(of: source.url)
  }

  private static func read(
    _ url: String, _ name: String, _ load: @escaping @Sendable (String) -> [UInt8]?
  ) -> (APIDescription?, String) {
    let path = Self.path(of: url)
    guard let bytes = load(path) else {
      return (
        nil,
        "the description '\(name)' is not there; put it beside the file as '\(path)', or name it, too"
      )
    }
    do throws(DescriptionProblem) {
      return (try APIDescription(path: path, bytes: bytes) { _ in nil }, "")
    } catch {
      return (nil, "the description '\(path)' cannot be read: \(error.message)")
    }
  }

  /// The path of a source below the file's folder.
  ///
  /// Nothing is fetched, and no path leads out of the folder. Of a URL, and of a path that leads
  /// elsewhere, it is the name of the file, which may be beside the Arazzo file or be given.
  private static func path(of url: String) -> String {
    let isRemote = url.contains(bytes: "://")
    let plain = isRemote ? String(url.prefix(before: "?", "#")) : url
    let names = plain.replacing(bytes: "\\", with: "/").replacing(bytes: "\0", with: "").split(
      ascii: "/"
    ).map { String($0) }.filter { !$0.equals(bytes: ".") }
    let leadsOut =
      isRemote || plain.hasPrefix(bytes: "/") || names.contains { $0.equals(bytes: "..") }
    guard leadsOut else { return names.joined(separator: "/") }
    return names.last { !$0.equals(bytes: "..") } ?? ""
  }

  /// The operation of an `operationId`: `getPet`, or `$sourceDescriptions.pets.getPet`.
  func operation(withID id: String) throws(ArazzoRefusal) -> Found {
    let prefix = "$sourceDescriptions."
    var name = id
    var candidates = sources
    if id.hasPrefix(bytes: prefix) {
      let rest = String(id.dropFirst(bytes: prefix.utf8.count))
      let source = String(rest.prefix(before: "."))
      name = String(rest.dropFirst(bytes: source.utf8.count + 1))
      candidates = sources.filter { $0.name.equals(bytes: source) }
    }
    for source in candidates {
      if let found = source.operations.first(where: { $0.id?.equals(bytes: name) == true }),
        let description = source.description
      {
        return Found(operation: found, description: description)
      }
    }
    throw ArazzoRefusal(
      message: candidates.first { $0.description == nil }?.problem
        ?? "no description has the operation '\(name)'")
  }

  /// Whether a reference begins with a source: by its name, its URL, or an expression for it.
  private static func isReferred(_ source: Source, by base: String) -> Bool {
    let inner =
      base.hasPrefix(bytes: "{") && base.hasSuffix(bytes: "}")
      ? String(base.dropFirst(bytes: 1).dropLast(bytes: 1)) : base
    let expression = "$sourceDescriptions." + source.name
    return [expression + ".url", expression, source.name, source.url].contains {
      inner.equals(bytes: $0)
    }
  }

  /// The operation of an `operationPath`: `{$sourceDescriptions.pets.url}#/paths/~1pets/get`. Many
  /// write `pets#/paths/…`, and percent-encode what a fragment need not encode.
  func operation(at reference: String) throws(ArazzoRefusal) -> Found {
    let base = String(reference.prefix(before: "#"))
    let described = sources.filter { $0.description != nil }
    let source =
      sources.first { Self.isReferred($0, by: base) }
      ?? (base.isEmpty && described.count == 1 ? described[0] : nil)
    guard let source else {
      throw ArazzoRefusal(message: "'\(reference)' begins with no source description")
    }
    guard let description = source.description else { throw ArazzoRefusal(message: source.problem) }
    let fragment = String(reference.dropFirst(bytes: base.utf8.count + 1))
    let tokens = (URI.percentDecode(fragment) ?? fragment).split(ascii: "/").map {
      String($0).replacing(bytes: "~1", with: "/").replacing(bytes: "~0", with: "~")
    }
    guard tokens.count >= 2, tokens[0].equals(bytes: "paths") else {
      throw ArazzoRefusal(message: "'\(reference)' is not the path of an operation")
    }
    let found = source.operations.filter { operation in
      operation.path.equals(bytes: tokens[1])
        && (tokens.count < 3 || operation.method.lowercasedASCII.equals(bytes: tokens[2]))
    }
    guard let operation = found.first else {
      throw ArazzoRefusal(message: "the description '\(source.name)' has no '\(reference)'")
    }
    guard found.count == 1 else {
      throw ArazzoRefusal(message: "'\(tokens[1])' has several methods, and the path names none")
    }
    return Found(operation: operation, description: description)
  }
}

/// Why a part of an Arazzo file is not translated.
struct ArazzoRefusal: Error {
  var line: Int?
  let message: String

  init(line: Int? = nil, message: String) {
    self.line = line
    self.message = message
  }
}
