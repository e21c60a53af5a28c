import PipelineByteText
import PipelineTemplates

/// The whole language on one page, for people and for programs that write workflows. docs/llms.txt
/// is this page, and `pipeline help language` prints it.
package enum LanguageGuide {
  /// The page, of at most 12,000 tokens.
  package static let page: String = {
    var text = introduction + "\n" + examples + "\n## Keys\n\n" + keyNotes
    var written: [(LanguageKey, LanguageObject)] = []
    // A step has most keys, so the settings of `defaults` are explained there.
    let objects = LanguageTopic.allObjects.filter { $0.kind != .step && $0.kind != .file }
    for object in [.file, .step] + objects { text += "\n" + section(of: object, &written) }
    return text + "\n## Data forms\n\n" + formNotes + "\n" + forms + "\n" + tools
  }()

  /// The keys of one object. Those that an object before it has with the same meaning are named
  /// only.
  private static func section(
    of object: LanguageObject, _ written: inout [(LanguageKey, LanguageObject)]
  ) -> String {
    var text = "### \(object.title)\n\n"
    var shared: [(owner: String, names: [String])] = []
    for key in object.keys {
      guard let (_, owner) = written.first(where: { $0.0.isSame(as: key) }), key.name != "id" else {
        written.append((key, object))
        text += row(of: key)
        continue
      }
      if let index = shared.firstIndex(where: { $0.owner == owner.title }) {
        shared[index].names.append("`\(key.name)`")
      } else {
        shared.append((owner.title, ["`\(key.name)`"]))
      }
    }
    for (owner, names) in shared {
      text += "- As in \(owner): " + names.joined(separator: " ") + "\n"
    }
    for choice in object.choices {
      let names = choice.keys.map { "`\($0)`" }.joined(separator: " ")
      let other = choice.substitute.map { ", or `\($0)` alone" } ?? ""
      text += "- \(choice.isRequired ? "Exactly" : "At most") one of: \(names)\(other)\n"
    }
    return text
  }

  private static func row(of key: LanguageKey) -> String {
    var facts = [key.type == .boolean ? "boolean" : key.type.words]
    if key.isRequired { facts.append("required") }
    if let value = key.defaultValue { facts.append("default `\(value)`") }
    // The page says so of `endpoint` once.
    if let actions = key.actions, actions.count == 1, let action = actions.first,
      action != .endpoint
    {
      facts.append("with `\(action.rawValue)`")
    }
    if !key.companions.isEmpty {
      facts.append("with " + key.companions.map { "`\($0)`" }.joined(separator: " or "))
    }
    var text = "- `\(key.name)` (\(facts.joined(separator: "; "))): \(key.meaning)"
    if !key.type.isPlain, key.example.utf8.count <= longestExample {
      text += " `\(key.example)`"
    }
    return text + "\n"
  }

  /// Longer ones are left out. The files at the beginning show what is meant.
  private static let longestExample = 63

  private static let forms = DataForms.tables.map { table in
    var text = "- `\(table.title.example)`: \(table.title.meaning)"
    for option in table.options {
      text +=
        "; `\(option.name)`\(option.isRequired ? " (required)" : ""): \(option.meaning)"
        .droppingPeriod
    }
    return text + "\n"
  }.joined()
}

extension LanguageType {
  /// Whether the words of the type show how a value is written.
  fileprivate var isPlain: Bool {
    switch self {
    case .text, .name, .path, .boolean, .yes, .integer, .number, .duration, .pause, .choice: true
    case .either(let types): types.allSatisfy(\.isPlain)
    case .none: true
    default: false
    }
  }
}

extension String {
  fileprivate var droppingPeriod: String {
    hasSuffix(bytes: ".") ? String(dropLast(bytes: 1)) : self
  }
}
