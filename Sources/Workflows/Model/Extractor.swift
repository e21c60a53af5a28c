public import JSONPaths
public import JSONText
public import Templates

/// A value taken out of a response, by name.
public struct Extractor: Sendable {
  /// Where the value comes from.
  public enum Source: Sendable {
    /// A query of the body.
    case body(Written<Query>)
    case header(Written<String>)
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
  public enum Take: String, Sendable, CaseIterable {
    /// The only one: the step fails where there are none or several.
    case one
    case first, last
  }

  /// What the value must be, or is converted to from text.
  public enum ValueType: String, Sendable, CaseIterable {
    case string, integer, number, boolean, array, object, date, datetime, url
  }

  /// How a text is decoded before use.
  public enum Decoding: String, Sendable, CaseIterable {
    case base64, json
  }

  public let name: String
  public let nameRange: Range<Int>
  public var source: Source
  public var take: Written<Take>?
  public var type: Written<ValueType>?
  public var isOptional = false
  /// Replaces what is absent.
  public var defaultValue: JSONNode?
  public var isSecret = false
  public var decode: Decoding?
  /// A repeated header as a list.
  public var all = false
  /// The query parameter of a URL that is taken, decoded.
  public var parameter: Written<String>?
  public let node: JSONNode

  public init(name: String, nameRange: Range<Int>, source: Source, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.source = source
    self.node = node
  }
}
