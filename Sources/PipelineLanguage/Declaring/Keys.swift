import PipelineJSONText
import PipelineSourceText

// A key is declared in the call that reads it.

/// An object of the language whose initializer declares each key in the call that reads it.
///
/// The initializer runs once without a document, which makes the object's table, and once for each
/// object in a file. It makes all its reading calls before it judges what they returned: a `return`
/// before a call would hide the later keys from the table.
protocol DeclaredObject {
  init?(_ keys: inout Keys)
}

/// The keys of one object: as its author wrote them, or as they are declared for the table.
///
/// While it reads an object, it holds the decoder of the file.
package struct Keys {
  /// The declarations so far; `nil` if an object is read.
  private var declarations: Declarations?
  /// The object that is read; `nil` while keys are declared.
  private let fields: ObjectFields?
  /// Collects what is wrong with the values.
  var decoder: WorkflowDecoder

  /// For the table of an object.
  private init(declaring declarations: Declarations) {
    self.declarations = declarations
    fields = nil
    decoder = .idle
  }

  init(_ fields: ObjectFields, readBy decoder: consuming WorkflowDecoder) {
    declarations = nil
    self.fields = fields
    self.decoder = decoder
  }

  /// The declarations of reading calls, in their order.
  static func declarations(_ read: (inout Keys) -> Void) -> Declarations {
    var keys = Keys(declaring: Declarations())
    read(&keys)
    return keys.declarations ?? Declarations()
  }

  /// The keys of an absent object: the defaults.
  static var absent: Keys {
    var keys = Keys(declaring: Declarations())
    keys.declarations = nil
    return keys
  }

  // MARK: - Declaring and reading

  // Not inlined: each call would otherwise be specialized where it is made, which multiplies the time
  // to build by seven. What only the table needs is a closure, which no object that is read pays for.

  /// A key that must be given; `nil`, with a report, if it is not.
  @inline(never)
  mutating func required<Type: ValueType>(
    _ name: String, _ type: Type, _ meaning: @autoclosure () -> String,
    standard: @autoclosure () -> String? = nil, example: @autoclosure () -> String,
    names: NameRule? = nil, foreign: @autoclosure () -> [Foreign] = []
  ) -> Type.Value? {
    if declarations == nil { return read(name, type) }
    declarations?.add(
      LanguageKey(
        name, meaning(), type.description, default: standard(), example: example(),
        isRequired: true, names: names, foreign: foreign(), isMeant: type.isMeant))
    return nil
  }

  /// A key that may be left out.
  ///
  /// - Parameter standard: What the program does without it, as JSON text.
  @inline(never)
  mutating func optional<Type: ValueType>(
    _ name: String, _ type: Type, _ meaning: @autoclosure () -> String,
    standard: @autoclosure () -> String? = nil, example: @autoclosure () -> String,
    beside companions: @autoclosure () -> [String] = [], names: NameRule? = nil,
    foreign: @autoclosure () -> [Foreign] = []
  ) -> Type.Value? {
    if declarations == nil { return read(name, type) }
    declarations?.add(
      LanguageKey(
        name, meaning(), type.description, default: standard(), example: example(),
        beside: companions(), names: names, foreign: foreign(), isMeant: type.isMeant))
    return nil
  }

  /// A key with an inherited value, which `null` drops.
  @inline(never)
  mutating func inherited<Type: ValueType>(
    _ name: String, _ type: Type, over value: Type.Value?, _ meaning: @autoclosure () -> String,
    standard: @autoclosure () -> String? = nil, example: @autoclosure () -> String,
    beside companions: @autoclosure () -> [String] = [],
    foreign: @autoclosure () -> [Foreign] = []
  ) -> Type.Value? {
    if declarations == nil { return has(name) ? isNull(name) ? nil : read(name, type) : value }
    declarations?.add(
      LanguageKey(
        name, meaning(), type.description.or(.none), default: standard(), example: example(),
        beside: companions(), foreign: foreign(), isMeant: type.isMeant))
    return nil
  }

  /// A key with a default.
  ///
  /// - Parameter inherited: What takes the place of the default.
  @inline(never)
  mutating func value<Type: ValueType>(
    _ name: String, _ type: Type, default value: Type.Value, over inherited: Type.Value? = nil,
    _ meaning: @autoclosure () -> String, example: @autoclosure () -> String,
    beside companions: @autoclosure () -> [String] = [],
    foreign: @autoclosure () -> [Foreign] = []
  ) -> Type.Value {
    if declarations == nil { return read(name, type) ?? inherited ?? value }
    declarations?.add(
      LanguageKey(
        name, meaning(), type.description, default: type.text(of: value), example: example(),
        beside: companions(), foreign: foreign(), isMeant: type.isMeant))
    return value
  }

  private mutating func read<Type: ValueType>(_ name: String, _ type: Type) -> Type.Value? {
    assert(
      fields.map { $0.table.index(of: name) != nil } ?? true,
      "'\(name)' is read, but was not declared: is there a return before it?")
    guard let node = fields?[name] else { return nil }
    let known = decoder.incomplete.count
    let value = type.read(node, name, &decoder)
    // What was meant inside is not known, so nothing is said to be missing.
    if value == nil, node.kind == .object || node.kind == .array,
      decoder.incomplete.count == known
    {
      decoder.incomplete.insert(node.index)
    }
    return value
  }

  /// The form whose lead is given. Its keys are allowed only beside its lead.
  ///
  /// - Parameter substitute: A key that may stand in for all of them, or beside one of them.
  mutating func one<Value>(
    of forms: [(lead: String, read: (inout Keys) -> Value?)], isRequired: Bool = true,
    or substitute: String? = nil
  ) -> Value? {
    guard declarations != nil else {
      return forms.first { has($0.lead) }.flatMap { $0.read(&self) }
    }
    for form in forms {
      declarations?.lead = form.lead
      _ = form.read(&self)
    }
    declarations?.lead = nil
    exclude(forms.map(\.lead), isRequired: isRequired, or: substitute)
    return nil
  }

  /// Declares keys that exclude each other. At most one, or exactly one, may be present.
  mutating func exclude(_ names: [String], isRequired: Bool, or substitute: String? = nil) {
    declarations?.choices.append(
      LanguageObject.Choice(keys: names, isRequired: isRequired, substitute: substitute))
  }

  /// Declares keys that are allowed beside some actions of a step only.
  mutating func beside<Value>(
    _ actions: Set<LanguageAction>, _ read: (inout Keys) -> Value
  ) -> Value {
    declarations?.actions = actions
    defer { declarations?.actions = nil }
    return read(&self)
  }

  /// Declares advice on words of other tools that do not mean a key here.
  mutating func advise(_ advice: @autoclosure () -> [Foreign]) {
    if declarations != nil { declarations?.advice += advice() }
  }

  // MARK: - Judging

  /// The key that holds the object.
  var key: String {
    if case .key(let name)? = fields?.place { name } else { "" }
  }

  /// The value of a key as its author wrote it.
  func node(of name: String) -> JSONNode? { fields?[name] }

  /// The value of a member that is not a key of the object.
  func sibling(_ name: String) -> JSONNode? { fields?.node[name] }

  func has(_ name: String) -> Bool { fields?.has(name) ?? false }

  /// Whether the author wrote `null`.
  func isNull(_ name: String) -> Bool { fields?[name]?.isNull ?? false }

  /// Whether the author wrote another key that is meant for this one.
  func isMeant(_ name: String) -> Bool { fields?.suspects[name] != nil }

  /// Whether the author wrote a key, or another one that is meant for it.
  func mayHave(_ name: String) -> Bool { has(name) || isMeant(name) }

  /// Where the author wrote a key; `nil` if nowhere.
  func range(of name: String) -> Range<Int>? { fields?.member(name)?.nameRange }

  /// Reports two keys that contradict each other.
  mutating func conflict(_ name: String, with other: String, _ message: String) {
    guard let member = fields?.member(name), let other = fields?.member(other) else { return }
    decoder.report(
      .conflictingKeys, message, at: member.nameRange,
      related: [.init(range: other.nameRange, message: "'\(other.name)' is here")])
  }

  /// Reports a key that decides nothing.
  mutating func conflict(_ name: String, _ message: String) {
    guard let member = fields?.member(name) else { return }
    decoder.report(.conflictingKeys, message, at: member.nameRange)
  }

  /// Reports an object that lacks something.
  mutating func missing(_ message: String) {
    guard let start = fields?.node.range.lowerBound else { return }
    decoder.report(.missingKey, message, at: start..<(start + 1))
  }

  /// Reports an object that lacks a key, which other keys make necessary.
  mutating func missing(_ name: String, example: String) {
    if let fields { decoder.reportMissing(name, example: example, in: fields) }
  }

  /// Reports a missing key that another one needs.
  mutating func missing(_ other: String, beside name: String, _ message: String) {
    guard let member = fields?.member(name), !has(other) else { return }
    decoder.incomplete.insert(member.value.index)
    decoder.report(.missingKey, message, at: member.nameRange)
  }
}

extension WorkflowDecoder {
  /// An object of the language, read by its initializer.
  mutating func object<Object: DeclaredObject>(
    _ type: Object.Type, _ fields: ObjectFields
  ) -> Object? {
    reading(fields) { type.init(&$0) }
  }

  /// What is read of the keys of an object.
  mutating func reading<Value>(
    _ fields: ObjectFields, _ read: (inout Keys) -> Value
  ) -> Value {
    // Moved and not copied, so that nothing it has collected is copied either.
    var reader = WorkflowDecoder.idle
    swap(&reader, &self)
    var keys = Keys(fields, readBy: consume reader)
    defer { swap(&keys.decoder, &self) }
    return read(&keys)
  }

  /// Stands where the decoder of a file is taken from, and reads nothing.
  fileprivate static let idle = WorkflowDecoder(
    source: SourceFile(name: "", bytes: []), document: JSONDocument(integer: 0))
}
