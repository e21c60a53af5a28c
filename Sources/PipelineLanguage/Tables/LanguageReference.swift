import PipelineByteText
import PipelineTemplates

/// Writes the tables of docs/language.md.
package enum LanguageReference {
  /// The keys of one object, as a Markdown table.
  package static func table(of kind: LanguageObject.Kind) -> String {
    let table = kind.object
    var lines = ["| key | meaning | type | default | example |", "|---|---|---|---|---|"]
    for key in table.keys { lines.append(row(of: key, in: table)) }
    for choice in table.choices {
      let names = choice.keys.map { "`\($0)`" }
      let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
      let other = choice.substitute.map { ", or `\($0)` alone" } ?? ""
      lines += ["", "\(choice.isRequired ? "Exactly" : "At most") one of \(list)\(other)."]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The data forms, as a Markdown table.
  package static let formTable: String = {
    let rows = DataForms.tables.map { table in
      cells([
        "`\(table.title.example)`", table.title.meaning,
        table.options.map { option in
          "`\(option.name)`: \(option.meaning)\(option.isRequired ? " **Required.**" : "")"
        }.joined(separator: " "),
      ])
    }
    return (["| form | value | options |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
  }()

  /// A page whose tables, each between `<!-- table: KIND -->` and `<!-- end -->`, are written
  /// again.
  package static func refreshed(_ page: String) -> String {
    var lines: [Substring] = []
    var isSkipping = false
    for line in page.split(ascii: "\n", omittingEmptySubsequences: false) {
      if line == "<!-- end -->" { isSkipping = false }
      if !isSkipping { lines.append(line) }
      guard line.hasPrefix(bytes: "<!-- table: "), line.hasSuffix(bytes: " -->"),
        let table = tableText(String(line.dropFirst(12).dropLast(4)))
      else { continue }
      lines.append(Substring("\n" + table))
      isSkipping = true
    }
    return lines.joined(separator: "\n")
  }

  private static func tableText(_ name: String) -> String? {
    name == "forms" ? formTable : LanguageObject.Kind(rawValue: name).map(table)
  }

  private static func row(of key: LanguageKey, in table: LanguageObject) -> String {
    var meaning = key.meaning
    if key.isRequired { meaning += " **Required.**" }
    if let actions = key.actions, actions.count == 1, let action = actions.first {
      meaning += " Only with `\(action.rawValue)`."
    }
    if !key.companions.isEmpty {
      meaning += " Only with " + key.companions.map { "`\($0)`" }.joined(separator: " or ") + "."
    }
    return cells([
      "`\(key.name)`", meaning, key.type.words, key.defaultValue.map { "`\($0)`" } ?? "",
      "`\(key.example)`",
    ])
  }

  private static func cells(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing(bytes: "|", with: "\\|") }.joined(separator: " | ")
      + " |"
  }
}
