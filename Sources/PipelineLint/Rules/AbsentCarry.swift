import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A carried value without a default at a place that needs one.
enum AbsentCarry: LintRule {
  static let explanation = Explanation("absent-carry", .warning, PackageResources.absent_carry_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = LintRounds(step) else { return }
    for value in loop.rounds.carried where value.first == nil {
      let read = context.reads(ofRoundsOf: step).first { read in
        read.name == value.name && read.use.mode == .needs && read.use.needsValue
          && read.by.map { $0.step.when == nil } ?? true
      }
      guard let read else { continue }
      found.append(
        finding(
          "'\(value.name)' is absent in the first round, and \(read.use.site.words) needs it; write"
            + " \"default\"", at: read.use.range,
          related: [.init(range: value.nameRange, message: "'\(value.name)' is carried here")]))
    }
  }
}

extension Use {
  /// Whether an absent value cannot be left out where this one goes.
  fileprivate var needsValue: Bool {
    switch site {
    case .url(.path), .url(.authority), .url(.start), .bound: true
    case .url, .parameter, .query, .credential, .file: false
    case .header, .cookie, .field, .data, .text: !isWhole
    }
  }
}
