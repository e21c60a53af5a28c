package import PipelineJSONText
package import PipelineTemplates

/// A member of `query`, `headers`, `cookies` or a form.
package struct RequestParameter: Sendable {
  /// How a list or an object is written, as in OpenAPI.
  package struct Style: Sendable, Hashable {
    package enum Name: String, Sendable, CaseIterable {
      case form, spaceDelimited, pipeDelimited, deepObject
    }
    package var name = Name.form
    package var explode = true

    package init(name: Name = .form, explode: Bool = true) {
      self.name = name
      self.explode = explode
    }
  }

  package let name: String
  package let nameRange: Range<Int>
  package let value: DataTemplate
  package var style = Style()
  /// Whether the value comes from the file's `defaults`.
  package var isInherited = false
  /// Whether its name says that it is a credential: `Authorization`, `X-Api-Key`, `client_secret`.
  package let namesCredential: Bool
  package let node: JSONNode

  package init(name: String, nameRange: Range<Int>, value: DataTemplate, node: JSONNode) {
    self.name = name
    namesCredential = KnownCredentials.isCredential(name)
    self.nameRange = nameRange
    self.value = value
    self.node = node
  }

  /// Whether it carries a credential: by its name, or by a secret in its value.
  ///
  /// - Parameter secretRanges: Where the step reads a secret; `nil` if nowhere.
  package func isCredential(_ secretRanges: Set<Range<Int>>?) -> Bool {
    if namesCredential { return true }
    guard let secretRanges else { return false }
    return value.uses.contains { secretRanges.contains($0.range) }
  }
}
