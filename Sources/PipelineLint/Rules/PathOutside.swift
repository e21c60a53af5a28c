import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A path that leads out of the folder that files are read or written below.
enum PathOutside: LintRule {
  static let explanation = Explanation("path-outside", .error, PackageResources.path_outside_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    if let save = step.request?.save {
      let text = save.value.text
      if text.hasSuffix(bytes: "/") || isFolder(text) {
        found.append(
          finding("'save' names a file, but this is a folder; add the file's name", at: save.range))
      } else if let problem = problem(text, isSaved: true) {
        found.append(
          finding(
            "'save' writes below the output directory, but this path \(problem)", at: save.range,
            fix: below(text, at: save.range, context)))
      }
    }
    step.step.forEachFile { judge($0, at: $1, isInherited: $2, context, &found) }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    context.forEachFileOfOutputs { judge($0, at: $1, isInherited: false, context, &found) }
    return found
  }

  private static func judge(
    _ path: String, at range: Range<Int>, isInherited: Bool, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    guard let problem = problem(path) else { return }
    var finding = finding(
      "files are read below the folder of the workflow, but this path \(problem)", at: range,
      fix: below(path, at: range, context))
    finding.severity = .warning
    finding.isInherited = isInherited
    found.append(finding)
  }

  /// Whether a path leads nowhere, as `.` and `./` do.
  private static func isFolder(_ path: String) -> Bool {
    !path.isEmpty && path.split(ascii: "/").allSatisfy { $0 == "." }
  }

  /// The edit that writes a path without the `/` before it, and without `.` and `..`.
  private static func below(
    _ path: String, at range: Range<Int>, _ context: LintContext
  ) -> DiagnosticFix? {
    let rest = FilePath.normalized(String(path.drop { $0 == "/" }))
    guard !rest.isEmpty, rest.utf8.count < path.utf8.count, problem(rest) == nil,
      let place = context.place(of: path, in: range)
    else { return nil }
    return .replacing(place, with: rest, isSafe: false)
  }

  /// How a path leads out of its folder; `nil` if it does not.
  ///
  /// - Parameter isSaved: Whether it is written, and then has no `.` and `..` at all.
  static func problem(_ path: String, isSaved: Bool = false) -> String? {
    if path.hasPrefix(bytes: "/") {
      return "begins with '/'; write it without, "
        + (isSaved ? "and name the directory with '--output-dir'" : "or with './'")
    }
    if path.hasPrefix(bytes: "~") { return "begins with '~', which is an ordinary name here" }
    var depth = 0
    for segment in path.split(ascii: "/") where segment != "." && !segment.isEmpty {
      depth += segment == ".." ? -1 : 1
      if depth < 0 { return "leads out of it with '..'" }
    }
    let segments = path.split(ascii: "/", omittingEmptySubsequences: false)
    guard isSaved, let odd = segments.first(where: { ["", ".", ".."].contains(bytes: $0) }) else {
      return nil
    }
    return "has \(odd.isEmpty ? "two '/' in a row" : "'\(odd)' in it"); write"
      + " '\(FilePath.normalized(path))'"
  }
}

extension LintContext {
  /// Calls `body` with each path of a file that outputs and next values of the state read, and that
  /// is written out.
  func forEachFileOfOutputs(_ body: (_ path: String, _ range: Range<Int>) -> Void) {
    for block in blocks {
      for field in (block.resolution.block.outputs ?? []) + block.resolution.block.next {
        field.value.root.forEachFile(body)
      }
    }
  }
}

extension Step {
  /// Calls `body` with each path of a file that the step reads and that is written out.
  func forEachFile(_ body: (_ path: String, _ range: Range<Int>, _ isInherited: Bool) -> Void) {
    func visit(_ part: StepPart) {
      switch part.content {
      case .path(let path, _): body(path.value.text, path.range, part.isInherited)
      case .data(let data, _): data.root.forEachFile { body($0, $1, part.isInherited) }
      case .text, .url, .baseURL, .endpoint, .scopeQuery, .bodyQuery, .condition: break
      }
    }
    forEach?.forEachPart(visit)
    forEachPart(visit)
  }
}

extension DataTemplate.Node {
  /// Calls `body` with the path of each `$file` whose path is written out.
  fileprivate func forEachFile(_ body: (String, Range<Int>) -> Void) {
    forEachForm { form in
      switch form {
      case let form as FileForm:
        let (path, node) = (form.path.value, form.path.node)
        if case .literal(let text, _) = path, let path = text.string { body(path, node.range) }
        if case .text(let template, _) = path { body(template.text, node.range) }
      // Which files match is known when it is evaluated; that none of them may, before.
      case let form as FilesForm:
        if case .literal(let text, _) = form.pattern.value, let path = text.string,
          PathOutside.problem(path) != nil
        {
          body(path, form.pattern.node.range)
        }
      default: break
      }
    }
  }
}
