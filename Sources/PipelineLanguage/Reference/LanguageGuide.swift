import PipelineByteText
import PipelineTemplates

/// The whole language on one page, for people and for programs that write workflows. docs/llms.txt
/// is this page, and `pipeline help language` prints it.
package enum LanguageGuide {
  /// The page, of at most 12,000 tokens.
  package static let page: String = {
    var text = introduction + "\n" + examples + "\n## Keys\n\n" + keyNotes
    var written: [(LanguageKey, LanguageObject)] = []
    var lists = WordLists()
    // A step has most keys, so the settings of `defaults` are explained there.
    let objects = LanguageTopic.allObjects.filter { $0.kind != .step && $0.kind != .file }
    for object in [.file, .step] + objects {
      text += "\n" + section(of: object, &written, &lists)
    }
    return text + "\n## Data forms\n\n" + formNotes + "\n" + forms + "\n" + tools
  }()

  /// The keys of one object. Those that an object before it has with the same meaning are named
  /// only.
  private static func section(
    of object: LanguageObject, _ written: inout [(LanguageKey, LanguageObject)],
    _ lists: inout WordLists
  ) -> String {
    var text = "### \(object.title)\n\n"
    var shared: [(owner: String, names: [String])] = []
    for key in object.keys {
      guard let (_, owner) = written.first(where: { $0.0.isSame(as: key) }), key.name != "id" else {
        written.append((key, object))
        text += row(of: key, lists.words(of: key, in: object))
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

  /// - Parameter type: The type in words.
  private static func row(of key: LanguageKey, _ type: String) -> String {
    var facts = [type]
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

/// Long lists of words. The page has each of them once.
private struct WordLists {
  private var known: [(words: String, place: String)] = []

  /// A list with more words than this is long.
  private static let long = 5

  /// The type of a key in words. A list that is there already is named by its key.
  mutating func words(of key: LanguageKey, in object: LanguageObject) -> String {
    var words = key.type == .boolean ? "boolean" : key.type.words
    for list in known {
      words = words.replacing(bytes: list.words, with: "the words of `\(list.place)`")
    }
    for names in key.type.choices where names.count >= Self.long {
      let list = LanguageType.choice(names).words
      guard !known.contains(where: { $0.words.equals(bytes: list) }) else { continue }
      known.append((list, "\(object.title).\(key.name)"))
    }
    return words
  }
}

extension LanguageType {
  /// The lists of words in the type.
  fileprivate var choices: [[String]] {
    switch self {
    case .choice(let names): [names]
    case .map(let type), .list(let type), .several(let type): type.choices
    case .either(let types): types.flatMap(\.choices)
    default: []
    }
  }

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
