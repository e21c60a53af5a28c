import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import PipelineTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Random files with three servers, each of which leads the others' requests about: no server sees a
/// credential that the author did not write for it or list it for.
@Suite struct CredentialOriginTests {
  static let servers = ["https://a.example", "https://b.example:8443", "http://10.0.0.3"]
  static let foreign = [
    "https://evil.example", "http://192.168.7.7", "https://a.example.evil.example",
  ]

  @Test(arguments: 0..<24) func noServerSeesACredentialOfAnother(_ seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<LongTests.count(8, long: 25) {
      let file = RandomFile(&random)
      let requests = try await file.run()
      for request in requests {
        let origin = file.server(of: request.url)
        let text = Self.text(request)
        for secret in file.secrets where secret.forms.contains(where: text.contains) {
          #expect(
            secret.audience.contains(origin),
            "\(secret.forms) went to \(origin), for \(secret.audience): \(text)\n\(file.main)")
        }
      }
    }
  }

  /// The test above would hold if nothing were sent at all.
  @Test func everyKindIsSentAndEveryLeadIsFollowed() async throws {
    var random = SeededGenerator(seed: 7)
    var seen: Set<String> = []
    var led: Set<String> = []
    let kinds = Set(RandomFile.kinds.map(\.name) + ["token"])
    for _ in 0..<250 where seen != kinds || led.count < 4 {
      let file = RandomFile(&random)
      for request in try await file.run() {
        let text = Self.text(request)
        for secret in file.secrets where secret.forms.contains(where: text.contains) {
          seen.insert(secret.kind)
        }
        if let lead = file.lead(of: request.url) { led.insert(lead) }
      }
    }
    #expect(seen == kinds)
    #expect(led == ["redirect", "link", "next", "extracted"])
  }

  /// All of a request, as text.
  static func text(_ request: TransportRequest) -> String {
    var text = request.url + "\n"
    for header in request.headers { text += "\(header.name): \(header.value)\n" }
    switch request.body {
    case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
    case .multipart(let parts): text += "\(parts)"
    case .none, .file: break
    }
    text += "\n\(String(describing: request.connection.credentials))"
    return text + "\n\(request.connection.certificateFile ?? "")"
  }
}

/// A file that sends each of its credentials to one of three servers, of which any answers with a URL
/// of any other.
struct RandomFile: Sendable {
  struct Secret {
    let kind: String
    /// What it looks like where it is sent.
    let forms: [String]
    /// The origins that the author wrote it for.
    let audience: Set<String>
  }

  static let kinds: [(name: String, text: String)] = [
    ("bearer", #""auth": {"bearer": "KEY"}"#),
    ("basic", #""auth": {"basic": {"user": "u", "password": "KEY"}}"#),
    ("digest", #""auth": {"digest": {"user": "u", "password": "KEY"}}"#),
    (
      "awsSigV4",
      #""auth": {"awsSigV4": {"service": "s3", "region": "eu", "accessKey": "A", "secretKey": "KEY"}}"#
    ),
    (
      "oauth2",
      #""auth": {"oauth2": {"tokenURL": "ORIGIN/token/NAME", "clientId": "NAME", "clientSecret": "KEY"}}"#
    ),
    ("header", #""headers": {"X-NAME": "KEY"}"#),
    ("cookie", #""cookies": {"NAME": "KEY"}"#),
    ("query", #""query": {"NAME": "KEY"}"#),
    ("json", #""body": {"json": {"NAME": "KEY"}}"#),
    ("form", #""body": {"form": {"NAME": "KEY"}}"#),
    ("certificate", #""tls": {"cert": "NAME-cert.pem", "key": "NAME-key.pem"}"#),
  ]

  let main: String
  let called: String
  let secrets: [Secret]
  /// What each server answers under a path: how it leads on, and to which URL.
  let leads: [String: (way: String, target: String, status: Int)]
  let inputs: [String: JSONValue]

  init(_ random: inout SeededGenerator) {
    var secrets: [Secret] = []
    var leads: [String: (way: String, target: String, status: Int)] = [:]
    var inputs: [String: JSONValue] = [:]
    var steps: [String] = []
    let base = CredentialOriginTests.servers.randomElement(using: &random) ?? ""
    let all = CredentialOriginTests.servers + CredentialOriginTests.foreign

    /// A credential for `home`; `nil`: for nobody but whom `listed` names.
    func credential(_ name: String, home: String?, listed: [String], hasBody: Bool) -> String {
      let usable = Self.kinds.filter { hasBody || ($0.name != "json" && $0.name != "form") }
      let kind = usable.randomElement(using: &random) ?? usable[0]
      let key = "secret-value-of-\(name)"
      inputs[name] = .string(key)
      let token = CredentialOriginTests.servers.randomElement(using: &random) ?? base
      let audience = Set([home].compactMap { $0 } + listed)
      // A client's secret is for the server that hands out the tokens.
      let isClient = kind.name == "oauth2"
      secrets.append(
        Secret(
          kind: kind.name,
          forms: kind.name == "certificate"
            ? ["/\(name)-cert.pem"]
            : kind.name == "basic"
              ? [Self.basic(key)]
              : [key]
                + (isClient ? [Self.basic("\(key)", user: name)] : []),
          audience: isClient ? [token] : audience))
      if isClient {
        secrets.append(Secret(kind: "token", forms: ["granted-to-\(name)-"], audience: audience))
      }
      return kind.text.replacing("KEY", with: "{{inputs.\(name)}}").replacing("NAME", with: name)
        .replacing("ORIGIN", with: token)
    }

    let defaultsListed = Int.random(in: 0..<8, using: &random) == 0
    let listedByAll =
      defaultsListed ? [CredentialOriginTests.servers.randomElement(using: &random) ?? base] : []
    var allListed = Set(listedByAll)
    for number in 0..<3 {
      let name = "s\(number)"
      let home = CredentialOriginTests.servers.randomElement(using: &random) ?? base
      let way = ["redirect", "link", "next", "none"].randomElement(using: &random) ?? "none"
      let status = [301, 302, 303, 307, 308].randomElement(using: &random) ?? 302
      let path = "/\(way)/\(name)"
      let target = (all.randomElement(using: &random) ?? base) + "/led/\(way)/\(name)"
      leads[path] = (way, target, status)
      let isListing = Int.random(in: 0..<6, using: &random) == 0
      let listed = isListing ? [all.randomElement(using: &random) ?? base] : listedByAll
      allListed.formUnion(listed)
      var rest = isListing ? #", "sendCredentials": ["\#(listed[0])"]"# : ""
      if way == "link" { rest += #", "paginate": {"link": "next"}"# }
      if way == "next" { rest += #", "paginate": {"next": "$.next"}"# }
      let form = Int.random(in: 0..<6, using: &random)
      let method = ["GET", "POST"].randomElement(using: &random) ?? "GET"
      let audience: String? = form == 0 ? base : form == 3 || form == 5 ? nil : home
      if Int.random(in: 0..<4, using: &random) > 0 {
        rest +=
          ", "
          + credential(name, home: audience, listed: listed, hasBody: method == "POST" && form < 4)
      }
      inputs["at\(number)"] = .string(home)
      if form == 3 || form == 5 {
        let url = (all.randomElement(using: &random) ?? base) + "/led/extracted/\(name)"
        leads["/where/\(name)"] = ("extracted", url, 200)
        steps.append(
          #"{"id": "w\#(number)", "endpoint": "GET \#(home)/where/\#(name)", "extract": {"url": "$.url"}}"#
        )
      }
      switch form {
      case 0: steps.append(#"{"id": "\#(name)", "endpoint": "\#(method) \#(path)"\#(rest)}"#)
      case 1:
        steps.append(#"{"id": "\#(name)", "endpoint": "\#(method) \#(home)\#(path)"\#(rest)}"#)
      case 2:
        steps.append(
          #"{"id": "\#(name)", "endpoint": "\#(method) {{inputs.at\#(number)}}\#(path)"\#(rest)}"#)
      case 3:
        steps.append(#"{"id": "\#(name)", "endpoint": "\#(method) {{w\#(number).url}}"\#(rest)}"#)
      default:
        let url = form == 4 ? "{{inputs.at\(number)}}\(path)" : "{{w\(number).url}}"
        steps.append(
          #"{"id": "\#(name)", "workflow": "called.json", "inputs": {"url": "\#(url)", "key": "{{inputs.called}}"}}"#
        )
      }
    }
    // What the called file writes for its endpoint is for the URLs that its caller wrote.
    let own = "\"auth\": {\"bearer\": \"{{inputs.key}}\"}"
    let inherited = credential("d", home: base, listed: Array(allListed), hasBody: false)
    inputs["called"] = .string("secret-value-of-called")
    let names = inputs.keys.sorted()
    let declared = names.map { #""\#($0)": {"type": "string", "secret": \#(!$0.hasPrefix("at"))}"# }
    main = """
      {"inputs": {\(declared.joined(separator: ", "))},
       "defaults": {"baseURL": "\(base)", "onError": "continue", \(inherited)
         \(listedByAll.isEmpty ? "" : ", \"sendCredentials\": [\"\(listedByAll[0])\"]")},
       "steps": [\(steps.joined(separator: ",\n"))]}
      """
    called = """
      {"inputs": {"url": {"type": "string"}, "key": {"type": "string"}},
       "steps": [{"id": "get", "endpoint": "GET {{inputs.url}}", \(own)}]}
      """
    let callers = steps.enumerated().filter {
      $0.element.contains("at") && $0.element.contains("called")
    }
    secrets.append(
      Secret(
        kind: "bearer", forms: ["secret-value-of-called"],
        audience: Set(
          callers.compactMap { caller in
            (0..<3).first { caller.element.contains("inputs.at\($0)}") }
              .flatMap { inputs["at\($0)"]?.node.string }
          })))
    self.secrets = secrets
    self.leads = leads
    self.inputs = inputs
  }

  /// The credentials of a user as Basic sends them.
  private static func basic(_ password: String, user: String = "u") -> String {
    Data("\(user):\(password)".utf8).base64EncodedString()
  }

  func run() async throws -> [TransportRequest] {
    let plan = try plan(files: ["main.json": main, "called.json": called])
    let transport = ScriptedTransport { answer($0) }
    var options = RunOptions()
    options.files = AnyPath()
    _ = try await Pipeline(plan, transport: transport, options: options).run(inputs: inputs).result
    return transport.requests
  }

  private func answer(_ request: TransportRequest) -> ScriptedTransport.Answer {
    let path = path(of: request.url)
    if path.hasPrefix("/token/") {
      return .json(["access_token": .string("granted-to-\(path.dropFirst(7))-42")])
    }
    guard let lead = leads[path] else { return .json([:]) }
    switch lead.way {
    case "redirect": return .status(lead.status, headers: [HeaderField("Location", lead.target)])
    case "link":
      return .status(200, headers: [HeaderField("Link", "<\(lead.target)>; rel=\"next\"")])
    case "next": return .json(["next": .string(lead.target)])
    case "extracted": return .json(["url": .string(lead.target)])
    default: return .json([:])
    }
  }

  private func path(of url: String) -> String {
    let rest = url.utf8.dropFirst(8)
    let path = rest.drop { $0 != UInt8(ascii: "/") }.prefix { $0 != UInt8(ascii: "?") }
    return String(decoding: path, as: UTF8.self)
  }

  /// Scheme and authority, as the file writes them.
  func server(of url: String) -> String {
    let start = url.hasPrefix("https") ? 8 : 7
    let authority = url.utf8.dropFirst(start).prefix { $0 != UInt8(ascii: "/") }
    return String(decoding: url.utf8.prefix(start + authority.count), as: UTF8.self)
  }

  /// How a response led to the URL.
  func lead(of url: String) -> String? {
    let parts = path(of: url).split(separator: "/")
    return parts.count == 3 && parts[0] == "led" ? String(parts[1]) : nil
  }
}

private struct AnyPath: FileAccess {
  func read(_ path: String) throws(FileError) -> [UInt8] { [] }
  func resolve(_ path: String) throws(FileError) -> String { "/" + path }
  func save(_ bytes: [UInt8], to path: String) throws(FileError) {}
}
