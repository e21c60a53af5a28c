internal import PipelineByteText

/// Commands of a shell with placeholders in them, as `.http` files have them.
package enum ForeignCommands {
  /// Reads the requests of curl commands. What cannot be read is refused by the report.
  ///
  /// - Parameters:
  ///   - text: The commands, in which placeholders are marked.
  ///   - line: The line on which they begin.
  package typealias Reader =
    @Sendable (
      _ text: String, _ line: Int, _ report: inout ImportReport
    ) -> [ImportedRequest]

  /// Refuses all commands.
  package static let refuse: Reader = { _, line, report in
    report.refuse(line, "a request that is written as a curl command is not translated")
    return []
  }

  /// What is around a name that is not text.
  package static let open: Unicode.Scalar = "\u{F0000}"
  package static let close: Unicode.Scalar = "\u{F0001}"

  /// A text in which `{{…}}` is marked. To a shell, braces are characters as others.
  static func marked(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(bytes: "{{"),
      let end = rest[start.upperBound...].firstRange(bytes: "}}")
    {
      result += rest[..<start.lowerBound]
      result.unicodeScalars.append(open)
      result += rest[start.lowerBound..<end.upperBound]
      result.unicodeScalars.append(close)
      rest = rest[end.upperBound...]
    }
    return result + rest
  }
}
