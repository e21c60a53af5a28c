import PipelineByteText
import PipelineLanguage
import PipelineTemplates

/// Writes docs/reference.md, and the lists and tables of keys in other pages.
enum LanguageReference {
  /// The whole page.
  static let page: String = {
    var text = """
      # Reference

      Every key of a workflow file, with its type, its default and an example. `swift test` makes this
      page from the tables that the program reads files by. [language.md](language.md) explains the
      language, and [testing.md](testing.md) has the keys of test files.

      """
    for kind in LanguageObject.Kind.allCases where kind != .base && kind != .branch {
      text += "\n## \(title(of: kind))\n\n" + table(of: kind)
    }
    return text + "\n## Data forms\n\n" + formTable
  }()

  private static func title(of kind: LanguageObject.Kind) -> String {
    let title = kind.object.title
    return title.prefix(1).uppercased() + title.dropFirst()
  }

  /// The names of the keys of one object, or of the data forms, and a link to the reference.
  private static func list(of name: String) -> String? {
    let kind = LanguageObject.Kind(rawValue: name)
    guard kind != nil || name == "forms" else { return nil }
    let names =
      kind?.object.keys.map(\.name) ?? DataForms.tables.map(\.title.name)
    let title = kind.map(title) ?? "Data forms"
    let anchor = title.lowercased().filter { $0 != "'" }.map { $0 == " " ? "-" : $0 }
    return LintReference.wrapped(
      names.map { "`\($0)`" }.joined(separator: ", ")
        + " ([reference](reference.md#\(String(anchor))))")
  }

  /// The keys of one object, as a Markdown table.
  private static func table(of kind: LanguageObject.Kind) -> String {
    let table = kind.object
    var lines = ["| key | meaning | type | default | example |", "|---|---|---|---|---|"]
    for key in table.keys { lines.append(row(of: key, in: table)) }
    for choice in table.choices {
      let names = choice.keys.map { "`\($0)`" }
      let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
      let other = choice.substitute.map { ", or `\($0)` alone" } ?? ""
      let sentence = "\(choice.isRequired ? "Exactly" : "At most") one of \(list)\(other)."
      lines += ["", String(LintReference.wrapped(sentence).dropLast())]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The data forms, as a Markdown table.
  private static let formTable: String = {
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

  /// A page whose tables and lists of keys, each between `<!-- table: KIND -->` or
  /// `<!-- keys: KIND -->` and `<!-- end -->`, are written again.
  static func refreshed(_ page: String) -> String {
    var lines: [Substring] = []
    var isSkipping = false
    for line in page.split(ascii: "\n", omittingEmptySubsequences: false) {
      if line == "<!-- end -->" { isSkipping = false }
      if !isSkipping { lines.append(line) }
      guard line.hasPrefix(bytes: "<!-- "), line.hasSuffix(bytes: " -->") else { continue }
      let words = line.dropFirst(5).dropLast(4).split(ascii: " ").map(String.init)
      guard words.count == 2,
        let text = words[0] == "table:"
          ? tableText(words[1]) : words[0] == "keys:" ? list(of: words[1]) : nil
      else { continue }
      lines.append(Substring("\n" + text))
      isSkipping = true
    }
    return lines.joined(separator: "\n")
  }

  private static func tableText(_ name: String) -> String? {
    LanguageObject.Kind(rawValue: name).map(table)
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
