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

  package let name: String
  package let nameRange: Range<Int>
  package let source: Source
  package let take: Written<Take>?
  package let type: Written<ValueType>?
  package let isOptional: Bool
  /// Replaces what is absent.
  package let defaultValue: JSONNode?
  package let isSecret: Bool
  package let decode: TextDecoding?
  /// A repeated header as a list.
  package let all: Bool
  /// The query parameter of a URL that is taken, decoded.
  package let parameter: Written<String>?
  /// The pattern whose first group, or whole match, is taken.
  package let pattern: Written<IRegexp>?
  /// What is taken of each text: of a URL the parameter, of that the match, and that decoded.
  package let part: TextPart?
  package let node: JSONNode

  convenience init(_ member: JSONMember, _ source: Source, _ options: ExtractorOptions) {
    self.init(
      name: member.name, nameRange: member.nameRange, source, options, node: member.value)
  }

  init(
    name: String, nameRange: Range<Int>, _ source: Source, _ options: ExtractorOptions,
    node: JSONNode
  ) {
    self.name = name
    self.nameRange = nameRange
    self.source = source
    take = options.take
    type = options.type
    isOptional = options.isOptional
    defaultValue = options.defaultValue
    isSecret = options.isSecret
    decode = options.decode
    all = options.all
    parameter = options.parameter
    pattern = options.pattern
    part = TextPart(
      parameter: options.parameter?.value, pattern: options.pattern?.value,
      decoding: options.decode)
    self.node = node
  }
}
