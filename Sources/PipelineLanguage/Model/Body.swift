package import PipelineJSONText
package import PipelineTemplates

/// The body of a request.
package struct Body: Sendable {
  package enum Content: Sendable {
    case json(DataTemplate)
    /// `application/x-www-form-urlencoded`.
    case form([Request.Parameter])
    /// `multipart/form-data` (RFC 7578).
    case multipart([Part])
    case text(Text)
    /// The content of a file.
    case file(Written<Template>)
    /// GraphQL over HTTP. Errors in the response fail the step.
    case graphQL(query: Text, variables: DataTemplate?, operationName: Written<Template>?)
  }

  package var content: Content
  /// Whether it comes from the file's `defaults`.
  package var isInherited = false
  package let node: JSONNode

  package init(content: Content, node: JSONNode) {
    self.content = content
    self.node = node
  }

  /// Whether it is an object of JSON when it is sent, or may be one.
  var isJSON: Bool {
    switch content {
    case .json, .graphQL: true
    case .form, .multipart, .text, .file: false
    }
  }

  /// A text, which an author may write as a list of lines.
  package struct Text: Sendable {
    package var lines: [Written<Template>]

    package init(lines: [Written<Template>]) {
      self.lines = lines
    }
  }

  /// One part of a multipart body.
  package struct Part: Sendable {
    package enum Content: Sendable {
      case value(DataTemplate)
      case file(Written<Template>)
    }

    package var name: Written<Template>
    package var content: Content
    package var filename: Written<Template>?
    package var contentType: Written<Template>?

    package init(
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
