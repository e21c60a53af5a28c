package import PipelineJSONPaths
internal import PipelineJSONText

/// The paths of the files that a pattern names.
package struct FilesForm: DeclaredForm {
  package static let title = FormTitle(
    "$files",
    "the paths of the files that match, sorted by their bytes. `*` is any text in a name, `?` is one "
      + "character, and hidden files need a dot",
    example: #"{"$files": "photos/*.png"}"#,
    takes: FormType(
      "a pattern of paths such as \"photos/*.png\"", [.string], written: [.string], isPath: true),
    synonyms: "glob ls folder", isAlwaysAlone: true, isTyped: false)

  package let pattern: FormPart

  package init?(_ keys: inout FormKeys) { pattern = keys.checkedValue(.path) }

  package var parts: [FormPart] { [pattern] }

  package func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    let text = try writing.path(pattern, isPattern: true)
    do throws(DataSourceError) {
      return .list(try writing.source.files(text).map { JSONValue.string($0).node })
    } catch {
      throw DataError(error, in: pattern.node)
    }
  }

  package var isFoundAhead: Bool { false }

  package func shape(_ read: (Query) -> ValueShape) -> ValueShape { .list(.string) }
}
