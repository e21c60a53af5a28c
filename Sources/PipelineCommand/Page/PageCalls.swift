internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRPC

/// Carries out the calls of the page. Each is a request of JSON-RPC 2.0.
///
/// A path that a call names is one that the listing has.
struct PageCalls: Sendable {
  let folder: FolderListing
  private var language: PageLanguage
  private let texts: PageTexts
  private var listed: Set<ExactText> = []

  /// - Parameter version: The program's.
  init(_ folder: FolderListing, version: String) {
    self.folder = folder
    language = PageLanguage(folder, version: version)
    texts = PageTexts(files: folder.files)
  }

  /// What is known of the folder's files, as JSON.
  mutating func listing() -> [UInt8] {
    let (json, paths) = folder.read()
    listed = Set(paths.map { ExactText($0) })
    return json
  }

  /// The response to the bytes of a request.
  mutating func response(to bytes: [UInt8]) -> [UInt8] {
    do throws(RPCError) {
      guard
        case .request(let identifier, let method, let parameters) = try RPCMessage(parsing: bytes)
      else { throw .invalidRequest("the content is not a request") }
      do throws(RPCError) {
        return RPCMessage.response(identifier, .success(try answer(method, parameters)))
      } catch {
        return RPCMessage.response(identifier, .failure(error))
      }
    } catch {
      return RPCMessage.response(nil, .failure(error))
    }
  }

  /// The drawing of a text; `nil` if it has errors.
  mutating func drawing(_ bytes: [UInt8]) -> [UInt8]? {
    guard let root = try? JSONDocument.parse(bytes).root, let place = try? place(root),
      let text = root["text"]?.string
    else { return nil }
    return language.drawing(of: text, at: place)
  }

  private mutating func answer(
    _ method: String, _ parameters: JSONNode?
  ) throws(RPCError) -> JSONValue {
    let place = try place(parameters)
    if PageLanguage.methods.contains(method) {
      return try language.answer(
        method, try Self.text(parameters, "text"), at: place, parameters?["more"])
    }
    switch method {
    case "file/read": return try texts.read(place, root: folder.root)
    case "file/write":
      let written = try texts.write(
        Self.text(parameters, "text"), to: place, over: Self.text(parameters, "digest"))
      language.forgetFiles()
      return written
    default: throw .unknownMethod(method)
    }
  }

  /// The place of the file that a call is about.
  private mutating func place(_ parameters: JSONNode?) throws(RPCError) -> String {
    let path = try Self.text(parameters, "path")
    if !listed.contains(ExactText(path)) { _ = listing() }
    guard listed.contains(ExactText(path)), let place = folder.place(of: path) else {
      throw .invalidParameters("there is no workflow or test file of this path in the folder")
    }
    return place
  }

  private static func text(_ parameters: JSONNode?, _ name: String) throws(RPCError) -> String {
    guard let text = parameters?[name]?.string else {
      throw .invalidParameters("'\(name)' is missing")
    }
    return text
  }
}
