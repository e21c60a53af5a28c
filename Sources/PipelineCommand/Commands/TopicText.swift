internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineTemplates

/// What a word of the language names, as text for a terminal.
struct TopicText: Sendable {
  let word: String
  let topic: LanguageTopic

  /// The paragraphs, each with a line between it and the one before.
  var text: String {
    var parts = topic.keys.map(Self.text)
    if let form = topic.form { parts.append(Self.text(of: form)) }
    parts += foreign
    parts += topic.objects.map(Self.table)
    return parts.joined(separator: "\n")
  }

  private static func text(of key: LanguageTopic.Key) -> String {
    let places = key.objects.map(\.place)
    let key = key.key
    var text = paragraph("'\(key.name)' \(list(places)): \(key.meaning)")
    var facts = [("Type", plain(key.type.words) + (key.isRequired ? ", required" : ""))]
    if let value = key.defaultValue { facts.append(("Default", value)) }
    if let actions = key.actions, actions.count < LanguageAction.allCases.count {
      let names = LanguageAction.allCases.filter { actions.contains($0) }.map(\.rawValue)
      facts.append(("Beside", names.joined(separator: ", ")))
    }
    if !key.companions.isEmpty {
      facts.append(("Needs", key.companions.joined(separator: " or ")))
    }
    facts.append(("Example", "\"\(key.name)\": \(key.example)"))
    if !key.foreignWords.isEmpty {
      facts.append(("Other tools", key.foreignWords.joined(separator: ", ")))
    }
    text += Help.rows(facts)
    return text
  }

  private static func text(of form: FormTable) -> String {
    var text = paragraph("'\(form.title.name)' in data stands for \(form.title.meaning).")
    text += Help.rows([("Example", form.title.example)])
    guard !form.options.isEmpty else { return text }
    return text
      + Help.section(
        "Options, beside the value as 'of'",
        form.options.map { option in
          let facts = plain(option.words) + (option.isRequired ? ", required" : "")
          return (option.name, "\(plain(option.meaning)) (\(facts)) Example: \(option.example)")
        })
  }

  /// What the word means in other tools. An advice that holds in several objects is given once.
  private var foreign: [String] {
    var said: [String] = []
    var places: [[String]] = []
    for one in topic.foreign {
      if let index = said.firstIndex(of: one.advice) {
        places[index].append(one.object.place)
      } else {
        said.append(one.advice)
        places.append([one.object.place])
      }
    }
    let lead =
      topic.keys.isEmpty
      ? "'\(word)' is a word of other tools." : "Elsewhere, '\(word)' is not a key."
    return zip(said, places).map { advice, places in
      Self.paragraph("\(lead) \(Self.list(places).capitalized): \(advice)")
    }
  }

  private static func table(of object: LanguageObject) -> String {
    var text = Help.section(
      "Keys \(object.place)",
      object.keys.map { key in
        var facts = [plain(key.type.words)]
        if key.isRequired { facts.append("required") }
        if let value = key.defaultValue { facts.append("default \(value)") }
        return (key.name, "\(plain(key.meaning)) (\(facts.joined(separator: "; ")))")
      })
    for choice in object.choices {
      text += paragraph(
        "  \(choice.isRequired ? "Exactly" : "At most") one of "
          + choice.keys.joined(separator: ", "))
    }
    // The section begins with an empty line, which already separates it.
    return String(text.dropFirst(bytes: 1))
  }

  private static func paragraph(_ text: String) -> String {
    Help.wrap(plain(text), to: Help.width).joined(separator: "\n") + "\n"
  }

  private static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The text without the marks of code, which a terminal does not show as such.
  private static func plain(_ text: String) -> String { text.replacing(bytes: "`", with: "") }
}

extension String {
  /// With a capital first letter.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
