import PipelineByteText
import PipelineJSONText
import PipelineSourceText
internal import PipelineTemplates
import PipelineURIs

/// An address of this machine at which a browser brings back a login (RFC 8252 §7.3).
package struct LoopbackURL: Sendable, Equatable {
  /// As the address has it: `127.0.0.1`, `localhost` or `[::1]`.
  package let host: String
  /// 0: any free one.
  package let port: UInt16
  /// With its query, as it is written: `/callback`.
  package let target: String

  /// Any free port of 127.0.0.1.
  package static let anywhere = LoopbackURL(host: "127.0.0.1", port: 0, target: "/")

  private init(host: String, port: UInt16, target: String) {
    self.host = host
    self.port = port
    self.target = target
  }

  /// - Returns: `nil` if the text is not an `http` address of this machine without a fragment.
  package init?(_ text: String) {
    guard let uri = URI.parse(text), uri.scheme.map({ $0.lowercasedASCII == "http" }) == true,
      uri.fragment == nil, let authority = uri.authority, authority.userinfo == nil,
      case let host = authority.host.lowercasedASCII,
      ["127.0.0.1", "localhost", "[::1]"].contains(where: { host.equals(bytes: $0) })
    else { return nil }
    if let text = authority.port, !text.isEmpty {
      guard let number = UInt16(text) else { return nil }
      port = number
    } else {
      port = 0
    }
    self.host = host
    target = (uri.path.isEmpty ? "/" : uri.path) + (uri.query.map { "?" + $0 } ?? "")
  }

  /// The address at a port.
  package func text(at port: UInt16) -> String { "http://\(host):\(port)\(target)" }
}

/// A text that is, as far as it is known, an address of this machine.
struct RedirectURLType: ValueType {
  var description: LanguageType { .template }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Template>? {
    guard let template = decoder.template(node, name, allowsEmpty: false) else { return nil }
    if let text = template.value.literal, LoopbackURL(text) == nil {
      decoder.report(.invalidValue, "'\(name)' " + LoopbackURL.rule, at: node.range)
    }
    return template
  }
}

extension LoopbackURL {
  /// What an address must be, after its name.
  package static let rule =
    "must be an http address of this machine, such as \"http://127.0.0.1:8400/callback\", because"
    + " 'pipeline login' waits there; without a port, any free one is taken"
}
