internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLint
internal import PipelineSourceText

/// For code scanning: SARIF 2.1.0 (OASIS). Columns count Unicode scalars, as `columnKind` says.
struct FindingsSARIF: Sendable {
  let version: String

  func bytes(_ all: [Findings]) -> [UInt8] {
    let codes = Set(all.flatMap { $0.diagnostics.map(\.code) }).sorted()
    let positions = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    var writer = JSONWriter(style: .pretty)
    writer.object {
      $0.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      $0.member("version", "2.1.0")
      $0.list("runs") {
        $0.object {
          $0.object("tool") { $0.object("driver") { writeDriver(codes, to: &$0) } }
          $0.member("columnKind", "unicodeCodePoints")
          $0.list("results") {
            for findings in all {
              for diagnostic in findings.diagnostics {
                write(diagnostic, of: findings, rule: positions[diagnostic.code] ?? 0, to: &$0)
              }
            }
          }
        }
      }
    }
    return writer.bytes + [0x0A]
  }

  private func writeDriver(_ codes: [String], to writer: inout JSONWriter) {
    writer.member("name", "pipeline")
    writer.member("version", version)
    writer.list("rules") {
      for code in codes { $0.object { writeRule(code, to: &$0) } }
    }
  }

  /// The text of `explain` for a code, for readers of the findings elsewhere.
  private func writeRule(_ code: String, to writer: inout JSONWriter) {
    writer.member("id", code)
    guard let text = Explanation[code]?.text else { return }
    writer.object("shortDescription") { $0.member("text", text.what) }
    writer.object("help") { $0.member("text", text.why) }
  }

  private func write(
    _ diagnostic: Diagnostic, of findings: Findings, rule: Int, to writer: inout JSONWriter
  ) {
    let file = findings.file
    writer.object {
      $0.member("ruleId", diagnostic.code)
      $0.member("ruleIndex", rule)
      // SARIF's levels bear the names of our severities.
      $0.member("level", diagnostic.severity.rawValue)
      $0.object("message") { $0.member("text", diagnostic.message) }
      $0.list("locations") {
        $0.object {
          writeLocation(findings.isReadable ? diagnostic.range : nil, in: file, to: &$0)
        }
      }
      if !diagnostic.related.isEmpty {
        $0.list("relatedLocations") {
          for related in diagnostic.related {
            $0.object {
              writeLocation(related.range, in: related.file ?? file, to: &$0)
              $0.object("message") { $0.member("text", related.message) }
            }
          }
        }
      }
      if let fix = diagnostic.fix {
        $0.list("fixes") { $0.object { write(fix, in: file, to: &$0) } }
      }
    }
  }

  private func write(_ fix: DiagnosticFix, in file: SourceFile, to writer: inout JSONWriter) {
    let advice = fix.isSafe ? "" : " (a suggestion: it may change what the file does)"
    writer.object("description") { $0.member("text", fix.message + advice) }
    writer.list("artifactChanges") {
      $0.object {
        $0.object("artifactLocation") { $0.member("uri", uri(file.name)) }
        $0.list("replacements") {
          for edit in fix.edits {
            $0.object {
              $0.object("deletedRegion") { writeRegion(edit.range, in: file, to: &$0) }
              $0.object("insertedContent") { $0.member("text", edit.replacement) }
            }
          }
        }
      }
    }
    // SARIF has no word for it; its property bags hold what a tool adds.
    writer.object("properties") { $0.member("safe", fix.isSafe) }
  }

  private func writeLocation(
    _ range: Range<Int>?, in file: SourceFile, to writer: inout JSONWriter
  ) {
    writer.object("physicalLocation") {
      $0.object("artifactLocation") { $0.member("uri", uri(file.name)) }
      if let range { $0.object("region") { writeRegion(range, in: file, to: &$0) } }
    }
  }

  private func writeRegion(
    _ range: Range<Int>, in file: SourceFile, to writer: inout JSONWriter
  ) {
    let region = Region(range, in: file)
    writer.member("startLine", region.start.line)
    writer.member("startColumn", region.start.column)
    writer.member("endLine", region.end.line)
    writer.member("endColumn", region.end.column)
  }

  /// A path as a URI reference: relative stays relative, an absolute one gets the `file` scheme.
  private func uri(_ path: String) -> String {
    var result = path.hasPrefix(bytes: "/") ? "file://" : ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += (digits.utf8.count < 2 ? "%0" : "%") + digits
      }
    }
    return result
  }
}
