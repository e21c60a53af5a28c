import JSONText
public import SourceText

extension Linter {
  /// Whether a file is no workflow but one that others build on: it has something to build on, no
  /// steps, and no key that could be meant for them.
  public static func isBase(_ source: SourceFile) -> Bool {
    let document =
      (try? JSONDocument.parse(source.bytes))
      ?? JSONDocument.parseRecovering(source.bytes).document
    let names = document.root.members.map(\.name)
    let shared: Set<String> = ["inputs", "environments", "defaults", "limits"]
    return names.contains(where: shared.contains)
      && names.allSatisfy { name in
        LanguageObject.base.index(of: name) != nil || LanguageObject.isIgnored(name)
          || name == "$lint"
      }
  }

  /// Every finding of a file that others name in `extends`, sorted by position.
  ///
  /// - Parameter isNamed: Whether a file that is linted with it builds on it; else a note says how it
  ///   was judged.
  public func lintBase(_ source: SourceFile, isNamed: Bool) -> [Diagnostic] {
    let (document, problems) = JSONDocument.parseRecovering(source.bytes)
    var decoder = WorkflowDecoder(source: source, document: document)
    if let fields = decoder.fields(of: document.root, .base, .base) {
      var workflow = Workflow(source: source, document: document, name: source.name)
      decoder.checkFormat(fields["format"])
      decoder.read(fields, into: &workflow, over: nil)
    }
    var found = problems.map { Diagnostic($0) }
    if found.allSatisfy({ $0.code == "json-duplicate-key" || $0.code == "json-bom" }) {
      found += Silencing.apply(decoder.silencings, to: decoder.diagnostics)
      if !isNamed { found.append(Self.note(on: document.root)) }
    }
    return found.sortedByPosition()
  }

  private static func note(on root: JSONNode) -> Diagnostic {
    let start = root.range.lowerBound
    return Diagnostic(
      code: "base-file", severity: .note,
      message: "this file has no 'steps', so it is judged as one that others build on with "
        + "'extends'; it cannot be run", range: start..<start + 1)
  }
}
