@testable import PipelineReports

/// Texts that a format might take for something else.
let awkwardTexts = [
  "plain", "", " ", "a\nb", "tab\there", "]]>", "<![CDATA[x]]>", "<b>&amp;\"'",
  "\u{0}\u{1}\u{8}\u{B}\u{1F}",
  "\u{7F}\u{85}\u{9F}", "\u{FFFE}\u{FFFF}", "😀 e\u{301} \u{202E}x", "# SKIP", "a # TODO b",
  "\\# \\", "ok 7 - no", "1..5", "Bail out! no", "  ---", "...", "\r\n", "\u{2028}\u{2029}",
  "::error::x", "%0A,:", "</script>", "\u{1F1E9}\u{1F1EA}", "a\u{FEFF}b", "`x` | y | *z*",
]

/// Suites in which those texts stand everywhere.
func awkwardSuites() -> [Suite] {
  let outcomes: [Suite.Case.Outcome] = [.passed, .failed, .broken, .skipped]
  return ["api", "]]> & <x> # 1"].map { name in
    let cases = awkwardTexts.enumerated().flatMap { number, text in
      outcomes.map { outcome in
        Suite.Case(
          group: name + ".block", name: text, outcome: outcome, time: number * 1_234,
          file: "a,b:\(text).json", line: number + 1,
          problems: outcome == .passed
            ? []
            : [
              Suite.Case.Problem(
                kind: "expect", message: text, details: ["x", text], line: 3, column: 4)
            ])
      }
    }
    return Suite(
      name: name, file: "\(name).json", startedAt: 1_769_850_300.25, time: 61_000_007,
      cases: cases)
  }
}
