package import PipelineJSONPaths
package import PipelineJSONText
package import PipelineTemplates

/// A value taken out of a response, by name.
///
/// By reference: it is large, never changes, and is handed on at each request.
package final class Extractor: Sendable {
  /// Where the value comes from.
  package enum Source: Sendable {
    /// A query of the body.
    case body(Written<Query>)
    case header(Written<String>)
    /// All header fields, as an object.
    case headers
    case cookie(Written<String>)
    case status
    /// The URL that answered, after redirects.
    case url
    case text
    /// An I-Regexp with one group, over the body's text.
    case regex(Written<IRegexp>)
    /// Any template.
    case value(DataTemplate)
  }

  /// Which node of a list query is taken.
  package enum Take: String, Sendable, CaseIterable {
    /// The only one: the step fails if there are none or several.
    case one
    case first, last
  }

  /// The type that the value must have, or is converted to from text.
  package enum ValueType: String, Sendable, CaseIterable {
    case string, integer, number, boolean, array, object, date, datetime, url
  }

  /// How a text is decoded before use.
  package enum Decoding: String, Sendable, CaseIterable {
    case base64
    /// Only the alphabet that is safe in URLs (RFC 4648 §5), with or without padding.
    case base64url
    case json
  }

  package let name: String
  package let nameRange: Range<Int>
  package let source: Source
  package let take: Written<Take>?
  package let type: Written<ValueType>?
  package let isOptional: Bool
  /// Replaces what is absent.
  package let defaultValue: JSONNode?
  package let isSecret: Bool
  package let decode: Decoding?
  /// A repeated header as a list.
  package let all: Bool
  /// The query parameter of a URL that is taken, decoded.
  package let parameter: Written<String>?
  package let node: JSONNode

  init(_ member: JSONMember, _ source: Source, _ options: ExtractorOptions) {
    name = member.name
    nameRange = member.nameRange
    self.source = source
    take = options.take
    type = options.type
    isOptional = options.isOptional
    defaultValue = options.defaultValue
    isSecret = options.isSecret
    decode = options.decode
    all = options.all
    parameter = options.parameter
    node = member.value
  }
}
