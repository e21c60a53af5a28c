import PipelineByteText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A file that several responses are written to.
enum SaveOverwrites: LintRule {
  static let explanation = Explanation(
    "save-overwrites", .warning, PackageResources.save_overwrites_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var first: [ExactText: Range<Int>] = [:]
    var folders: [ExactText: Range<Int>] = [:]
    for step in context.steps {
      guard let save = step.request?.save else { continue }
      if let loop = context.loop(of: step), !context.varies(save.range, in: step) {
        guard let name = loop.names.first else {
          found.append(
            finding(
              "each round saves to the same file; carry a number or a name, and insert it into the"
                + " path", at: save.range))
          continue
        }
        found.append(
          finding(
            "each \(loop.rounds == nil ? "item" : "round") saves to the same file; insert"
              + " {{\(name)}} into the path",
            at: save.range, fix: inserting(name, into: save, context)))
        continue
      }
      guard save.value.literal != nil, step.step.when == nil, step.step.branch == nil else {
        continue
      }
      let name = ExactText(FilePath.normalized(save.value.text))
      if let other = first[name] {
        found.append(
          finding(
            "two steps save to '\(save.value.text)'; give each file its own name",
            at: save.range,
            related: [.init(range: other, message: "the other one is here")]))
        continue
      }
      first[name] = save.range
      let around = FilePath.folders(around: name.text).map { ExactText($0) }
      for folder in around where folders[folder] == nil { folders[folder] = save.range }
      if let other = around.lazy.compactMap({ first[$0] }).first ?? folders[name] {
        found.append(
          finding(
            "one file cannot be in another: a step saves to '\(save.value.text)', and another step"
              + " gives a file the name of a folder; rename one", at: save.range,
            related: [.init(range: other, message: "the other one is here")]))
      }
    }
    return found
  }

  /// The edit that puts the item before the ending of a file's name.
  private static func inserting(
    _ item: String, into save: Written<Template>, _ context: LintContext
  ) -> DiagnosticFix? {
    guard let text = save.value.literal?.utf8 else { return nil }
    let name = text.lastIndex(of: UInt8(ascii: "/")).map { text.index(after: $0) }
    let start = name ?? text.startIndex
    let end = text[start...].lastIndex(of: UInt8(ascii: ".")) ?? text.endIndex
    let place = text.distance(from: text.startIndex, to: end)
    let joint = end == start ? "" : "-"
    return WorkflowDecoder.fix(
      "\(joint){{\(item)}}", for: place..<place, in: save.node, isSafe: false)
  }
}

extension LintContext {
  /// The nearest collection that a step runs in.
  fileprivate func loop(of step: LintStep) -> Iteration? {
    var step = step
    while true {
      if let loop = step.step.forEach { return loop }
      guard let parent = blocks[step.block].parent else { return nil }
      step = steps[parent]
    }
  }

  /// Whether what a step reads in a range is, or may be, another value for each item.
  fileprivate func varies(_ range: Range<Int>, in step: LintStep) -> Bool {
    step.uses.contains { use in
      guard range.contains(use.use.range.lowerBound) else { return false }
      switch use.definition {
      case .item?, .itemIndex?, .carried?, .pageValue?: return true
      // A step beside this one in the block of the collection.
      case .step(let level, _)?: return level == 0 && step.step.forEach == nil
      case .inputs?, .state?, .run?, nil: return false
      }
    }
  }
}
