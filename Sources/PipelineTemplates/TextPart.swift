internal import PipelineByteText
package import PipelineJSONPaths
package import PipelineJSONText
internal import PipelineURIs

/// How a text is decoded before use.
package enum TextDecoding: String, Sendable, CaseIterable {
  case base64
  /// Only the alphabet that is safe in URLs (RFC 4648 §5), with or without padding.
  case base64url
  case json

  /// The text, or the JSON, that a text encodes.
  package func decode(_ text: String) throws(TextPart.Problem) -> JSONNode {
    switch self {
    case .base64, .base64url:
      let isOtherAlphabet =
        self == .base64url
        && !text.utf8.allSatisfy(ASCIISet.letters.union(.digits).union(ASCIISet("-_=")).contains)
      guard !isOtherAlphabet, let bytes = Base64.decode(inAnyForm: text) else {
        throw TextPart.Problem("found a text that is not \(rawValue)")
      }
      guard let decoded = String(validating: bytes, as: UTF8.self) else {
        throw TextPart.Problem(
          "found base64 of \(bytes.count) bytes that are not text in UTF-8; drop 'decode' to keep the"
            + " base64, or request the bytes themselves and 'save' them")
      }
      return JSONValue.string(decoded).node
    case .json:
      do throws(JSONSyntaxError) {
        return try JSONDocument.parse(Array(text.utf8)).root
      } catch {
        throw TextPart.Problem("found a text that is not valid JSON: \(error.message)")
      }
    }
  }
}

/// A part of a text: of a URL a parameter, of that what a pattern matches, and that decoded.
package struct TextPart: Sendable {
  package let parameter: String?
  package let pattern: IRegexp?
  package let decoding: TextDecoding?

  /// `nil` if the whole text is taken as it is.
  package init?(parameter: String?, pattern: IRegexp?, decoding: TextDecoding?) {
    if parameter == nil, pattern == nil, decoding == nil { return nil }
    self.parameter = parameter
    self.pattern = pattern
    self.decoding = decoding
  }

  package enum Found: Sendable {
    case value(JSONNode)
    case noParameter, noMatch
  }

  /// A text that cannot be decoded.
  package struct Problem: Error {
    /// A phrase that follows the name of what looked.
    package let message: String

    init(_ message: String) { self.message = message }
  }

  /// The same part before it is decoded; `nil` if that is the whole text.
  package var undecoded: TextPart? {
    TextPart(parameter: parameter, pattern: pattern, decoding: nil)
  }

  package func find(in text: String) throws(Problem) -> Found {
    var text = text
    if let parameter {
      guard let found = URI.parse(text)?.parameter(parameter) else { return .noParameter }
      guard let value = found.text else {
        throw Problem("found the parameter '\(parameter)', whose bytes are not text in UTF-8")
      }
      text = value
    }
    if let pattern {
      guard let found = pattern.firstCapture(in: text) else { return .noMatch }
      text = found
    }
    return .value(try decoding?.decode(text) ?? JSONValue.string(text).node)
  }
}
