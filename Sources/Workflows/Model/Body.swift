public import JSONText
public import Templates

/// What a request carries.
public struct Body: Sendable {
  public enum Content: Sendable {
    case json(DataTemplate)
    /// `application/x-www-form-urlencoded`.
    case form([Request.Parameter])
    /// `multipart/form-data` (RFC 7578).
    case multipart([Part])
    case text(Text)
    /// The content of a file.
    case file(Written<Template>)
    /// GraphQL over HTTP; errors in the answer fail the step.
    case graphQL(query: Text, variables: DataTemplate?, operationName: Written<Template>?)
  }

  public var content: Content
  /// Whether it comes from the file's `defaults`.
  public var isInherited = false
  public let node: JSONNode

  public init(content: Content, node: JSONNode) {
    self.content = content
    self.node = node
  }

  /// A text, which an author may write as a list of lines.
  public struct Text: Sendable {
    public var lines: [Written<Template>]

    public init(lines: [Written<Template>]) {
      self.lines = lines
    }
  }

  /// One part of a multipart body.
  public struct Part: Sendable {
    public enum Content: Sendable {
      case value(DataTemplate)
      case file(Written<Template>)
    }

    public var name: Written<Template>
    public var content: Content
    public var filename: Written<Template>?
    public var contentType: Written<Template>?

    public init(
      name: Written<Template>, content: Content, filename: Written<Template>?,
      contentType: Written<Template>?
    ) {
      self.name = name
      self.content = content
      self.filename = filename
      self.contentType = contentType
    }
  }
}
