internal import PipelineByteText
package import PipelineJSONPaths
package import PipelineJSONText

/// What stands for a value that is made of others.
package protocol DataForm: Sendable {
  /// Everything in it that is data, in the order of its calls.
  var parts: [FormPart] { get }

  /// Its place in a template.
  var node: DataTemplate.Node { get }

  /// Its value.
  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found

  /// Whether its value is a list of texts that it makes, and that are not parts of what it reads.
  var makesTexts: Bool { get }

  /// What is known of its value before a run.
  func shape(_ read: (Query) -> ValueShape) -> ValueShape

  /// Whether `find` may be called before a run if all parts are known: it then reads no file, needs
  /// no library, and takes little time.
  var isFoundAhead: Bool { get }

  /// Throws what `find` would throw because of the parts that are known, whatever the others are.
  func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError)
}

/// A form that is the only member of its object and has its name: language.md, "Data forms".
///
/// A conforming type is one form in whole. Its initializer declares the value and the options in the
/// calls that read them. It runs once without a document, which makes the form's table, and once for
/// each form in a file. It makes all its reading calls before it judges what they returned.
package protocol DeclaredForm: DataForm {
  static var title: FormTitle { get }

  init?(_ keys: inout FormKeys)
}

extension DataForm {
  package var node: DataTemplate.Node { .form(self) }
  package var makesTexts: Bool { false }

  package var isFoundAhead: Bool { true }

  package func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {}
}

/// The name of a form, and what is said about it.
package struct FormTitle: Sendable {
  /// `$sum`.
  package let name: String
  /// The value that it stands for, in a phrase.
  package let meaning: String
  /// A whole form, as JSON text.
  package let example: String
  /// The value in `example`, as JSON text.
  package var valueExample: String {
    // `{"$sum": …}`
    String(example.dropFirst(bytes: name.utf8.count + 5).dropLast(bytes: 1))
  }
  /// The value that it works on.
  package let takes: FormType
  /// Forms of other tools that are not functions there, in lower case and without their `$`.
  let synonyms: Set<String>
  /// Whether it is refused beside other members. There, forms that came later are ordinary names.
  let isAlwaysAlone: Bool
  /// Whether it makes its value of values of certain types, so that the members of its parts are
  /// not those of its value.
  let isTyped: Bool
  /// What the value is called beside options.
  package let valueName: String

  /// The form of a file, which may have `as` beside it.
  static let fileName = "$file"

  init(
    _ name: String, _ meaning: String, example: String, takes: FormType,
    synonyms: String = "", isAlwaysAlone: Bool = false, isTyped: Bool = true,
    valueName: String = "of"
  ) {
    self.valueName = valueName
    self.name = name
    self.meaning = meaning
    self.example = example
    self.takes = takes
    self.synonyms = Set(synonyms.utf8.split(separator: 0x20).map { String(Substring($0)) })
    self.isAlwaysAlone = isAlwaysAlone
    self.isTyped = isTyped
  }
}

/// Data in a form: the value that it works on, or an option.
package struct FormPart: Sendable {
  /// The form's name.
  package let form: String
  package let value: DataTemplate.Node
  /// Its place in the file.
  package let node: JSONNode
  package let takes: FormType
  /// Whether the form has no value, but fails, if this is absent.
  let isNeeded: Bool

  init(
    form: String, value: DataTemplate.Node, node: JSONNode, takes: FormType, isNeeded: Bool = false
  ) {
    self.form = form
    self.value = value
    self.node = node
    self.takes = takes
    self.isNeeded = isNeeded
  }
}

extension FormPart {
  /// This part, with further requirements.
  func taking(_ takes: FormType) -> FormPart {
    FormPart(form: form, value: value, node: node, takes: takes)
  }

  var needed: FormPart {
    FormPart(form: form, value: value, node: node, takes: takes, isNeeded: true)
  }

  // MARK: Failures

  func failure(
    _ reason: ExpansionError.Reason, _ message: String
  ) -> DataError {
    DataError(reason, message, at: node.range)
  }

  func refusal(of value: JSONNode) -> DataError {
    failure(.dataForm, "'\(form)' takes \(takes.words ?? ""), but this is \(value.kind.phrase)")
  }

  /// - Parameter wayOut: The way out, as a phrase; empty: none.
  func refusal(of element: JSONNode, _ number: Int, _ wayOut: String = "") -> DataError {
    failure(
      .dataForm,
      "'\(form)' takes \(takes.words ?? ""), but element \(number + 1) is "
        + element.kind.phrase + (wayOut.isEmpty ? "" : "; " + wayOut))
  }
}

/// The values that a form takes.
package struct FormType: Sendable {
  /// In a message; `nil` for anything.
  package let words: String?
  /// The JSON types; `nil` for any.
  package let kinds: Set<JSONKind>?
  /// The types of the elements of a list; `nil` for any.
  package let elements: Set<JSONKind>?
  /// The types that a value may have that is written out, if they are fewer.
  let writtenKinds: Set<JSONKind>?
  /// Whether another value has an effect of its own, so that only lint refuses it, even if it is
  /// written out.
  package let isLeftToLint: Bool
  /// Whether it is a path, whose templates fill one segment each.
  package let isPath: Bool
  /// How another value can be given, as a phrase; `nil` if there is no one way.
  package var wayOut: String?

  init(
    _ words: String?, _ kinds: Set<JSONKind>?, elements: Set<JSONKind>? = nil,
    written: Set<JSONKind>? = nil, isLeftToLint: Bool = false, isPath: Bool = false
  ) {
    self.words = words
    self.kinds = kinds
    self.elements = elements
    writtenKinds = written ?? kinds
    self.isLeftToLint = isLeftToLint
    self.isPath = isPath
  }

  static let any = FormType(nil, nil)
  static let text = FormType("a text", [.string])
  /// As in a text, into which numbers and booleans are inserted, too.
  static let inserted = FormType("a text", [.string, .number, .boolean])
  static let list = FormType("a list", [.array])
  static let hashable = FormType(
    "a text, a list of texts, or a file", [.string, .number, .boolean, .array],
    elements: [.string, .number, .boolean])
  static let numbers = FormType("a list of numbers", [.array], elements: [.number])
  static let ordered = FormType(
    "a list of numbers, or of texts", [.array], elements: [.number, .string])
  static let twoNumbers = FormType("a list of two numbers", [.array], elements: [.number])
}
