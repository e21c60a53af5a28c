internal import PipelineByteText

/// The name of a workflow or a step in the names of other systems.
enum ExportedName {
  /// A name for a file or a DAG: letters, digits, `_`, `.` and `-`.
  static func file(_ name: String) -> String {
    let allowed = ASCIISet.letters.union(.digits).union(ASCIISet("_.-"))
    let text = String(
      decoding: name.utf8.prefix(100).map { allowed.contains($0) ? $0 : UInt8(ascii: "_") },
      as: UTF8.self)
    return text.isEmpty || text.hasPrefix(bytes: ".") || text.hasPrefix(bytes: "-")
      ? "workflow" + text : text
  }

  /// Names by RFC 1123 §2.1, each different: lower-case letters, digits and `-`.
  static func labels(_ names: [String], limit: Int) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      let label = label(name, limit: limit)
      var candidate = label
      var number = 2
      while !taken.insert(candidate).inserted {
        candidate = label + "-\(number)"
        number += 1
      }
      return candidate
    }
  }

  static func label(_ name: String, limit: Int) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      let isKept = ASCIISet.letters.contains(byte) || ASCIISet.digits.contains(byte)
      if isKept {
        bytes.append(byte.lowercasedASCII)
      } else if let last = bytes.last, last != UInt8(ascii: "-") {
        bytes.append(UInt8(ascii: "-"))
      }
      if bytes.count == limit { break }
    }
    while bytes.last == UInt8(ascii: "-") { bytes.removeLast() }
    return bytes.isEmpty ? "x" : String(decoding: bytes, as: UTF8.self)
  }
}
