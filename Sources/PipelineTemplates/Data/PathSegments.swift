internal import PipelineByteText

/// The allowed forms of a value in the path of a file.
package enum PathSegments {
  /// The problem with a value; `nil` if there is none. It fills one segment of the path, and
  /// `{{+x}}` several.
  package static func problem(with value: String, of reference: Template.Reference) -> String? {
    let segments =
      reference.isReserved
      ? value.split(ascii: "/", omittingEmptySubsequences: false).map(String.init) : [value]
    let isSound = segments.allSatisfy { segment in
      !segment.contains(bytes: "/") && !segment.contains(bytes: "\0")
        && !["", ".", ".."].contains(bytes: segment)
    }
    guard !isSound else { return nil }
    return reference.isReserved
      ? "'\(reference.text)' is part of a path, so none of its segments can be empty, '.' or '..'"
      : "'\(reference.text)' fills one segment of a path, so it cannot be empty, '.' or"
        + " '..' or hold a '/'; {{+\(reference.text)}} takes several segments"
  }
}
