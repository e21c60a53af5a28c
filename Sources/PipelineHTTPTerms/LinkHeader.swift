internal import PipelineByteText

/// A link of a `Link` header (RFC 8288 §3).
package struct LinkHeader: Sendable, Hashable {
  /// The target, as written.
  package let target: String
  /// The relation types of the first `rel`, in lower case.
  package let relations: [String]
  /// The resource whose link it is, as written; nil if it is the linking resource.
  package let anchor: String?

  /// The links of one field's value, up to the first malformed one. Linear in its length.
  package static func links(in field: String) -> [LinkHeader] {
    var reader = Reader(bytes: Array(field.utf8))
    var links: [LinkHeader] = []
    while let link = reader.link() { links.append(link) }
    return links
  }

  /// The first target with the relation, as written.
  ///
  /// - Parameter isOwn: Whether an anchor names the resource that was fetched. Links of another
  ///   resource are left out.
  package static func target(
    of relation: String, in fields: [String], whereAnchor isOwn: (String) -> Bool
  ) -> String? {
    let relation = relation.lowercasedASCII
    for field in fields {
      for link in links(in: field)
      where link.relations.contains(bytes: relation) && link.anchor.map(isOwn) ?? true {
        return link.target
      }
    }
    return nil
  }
}

/// Reads RFC 8288 Appendix B.2 and B.3: quotes and escapes first, so that no `;`, `,` or `<` inside
/// a quoted text counts.
private struct Reader {
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func link() -> LinkHeader? {
    skip { $0 == UInt8(ascii: ",") || FieldValue.isBlank($0) }
    guard next == UInt8(ascii: "<") else { return nil }
    index += 1
    let start = index
    skip { $0 != UInt8(ascii: ">") }
    guard index < bytes.count else { return nil }
    let target = text(start..<index)
    index += 1
    var relations: [String]?
    var anchor: String?
    while let (name, value) = parameter() {
      switch name {
      case "rel": relations = relations ?? value.lowercasedASCII.split(ascii: " ").map(String.init)
      case "anchor": anchor = anchor ?? value
      default: break
      }
    }
    return LinkHeader(target: target, relations: relations ?? [], anchor: anchor)
  }

  /// The next parameter of a link, its name in lower case; nil at the link's end.
  private mutating func parameter() -> (name: String, value: String)? {
    // Text after a quoted text without a separator is ignored.
    skip { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
    guard next == UInt8(ascii: ";") else { return nil }
    index += 1
    skip(FieldValue.isBlank)
    let start = index
    skip { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
    let name = text(start..<index).trimmed.lowercasedASCII
    guard next == UInt8(ascii: "=") else { return (name, "") }
    index += 1
    skip(FieldValue.isBlank)
    guard next == UInt8(ascii: "\"") else {
      let start = index
      skip { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
      return (name, text(start..<index).trimmed)
    }
    return (name, quoted())
  }

  /// A quoted string, RFC 9110 §5.6.4. One without a closing quote ends with the field.
  private mutating func quoted() -> String {
    index += 1
    var value: [UInt8] = []
    while let byte = next {
      index += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\"), let escaped = next {
        index += 1
        value.append(escaped)
      } else {
        value.append(byte)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
