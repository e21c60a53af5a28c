import PipelineByteText

/// The meaning of a code, with examples. `pipeline explain` and the pages in docs/lint show it.
///
/// Its file is Markdown: a heading with the code and the severity, a paragraph for the finding, one
/// for the reason, and the examples in fenced blocks (`json bad`, `json good`).
package struct ExplanationText: Sendable {
  /// The code, and the severity in parentheses.
  package let title: String
  /// The finding, in a sentence.
  package let what: String
  /// Why it matters, and the way out.
  package let why: String
  /// A workflow file with this finding; empty if one file cannot show it.
  package let bad: String
  /// The same without it.
  package let good: String
  /// The answers with which the first one has it, as an object of bodies by step (`json recorded`);
  /// `nil` if none matter.
  package let recorded: String?
  /// The description of the API that the first one does not agree with (`yaml described`); `nil` if
  /// none matters.
  package let described: String?

  init(_ file: [UInt8]) {
    var paragraphs: [String] = []
    var blocks: [String: String] = [:]
    var block: (name: String, lines: [Substring])?
    var isOpen = false
    for line in String(decoding: file, as: UTF8.self)
      .split(ascii: "\n", omittingEmptySubsequences: false)
    {
      if let (name, lines) = block {
        if line.equals(bytes: "```") {
          blocks[name] = lines.joined(separator: "\n")
          block = nil
        } else {
          block?.lines.append(line)
        }
      } else if line.hasPrefix(bytes: "```") {
        block = (String(line.split(ascii: " ").last ?? ""), [])
      } else if line.isEmpty {
        isOpen = false
      } else if isOpen {
        paragraphs[paragraphs.count - 1].append(" \(line)")
      } else {
        paragraphs.append(String(line))
        isOpen = true
      }
    }
    func paragraph(_ number: Int) -> String {
      number < paragraphs.count ? paragraphs[number] : ""
    }
    title = String(paragraph(0).dropFirst(bytes: 2))
    what = paragraph(1)
    why = paragraph(2)
    bad = blocks["bad"] ?? ""
    good = blocks["good"] ?? ""
    recorded = blocks["recorded"]
    described = blocks["described"]
  }
}
