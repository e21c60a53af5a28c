import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// Whether `name` is a letter or `_`, then letters, digits and `_`.
  package static func isName(_ name: String) -> Bool {
    var isFirst = true
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !isFirst: break
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }

  /// Reports a name that is none, or that the language keeps for itself.
  mutating func checkName(_ name: String, _ rule: NameRule, at range: Range<Int>) {
    guard !Self.isName(name) else {
      if rule.reserved.contains(name) {
        report(.reservedName, rule.refusal(of: name), at: range)
      }
      return
    }
    let near = Self.nearestName(to: name)
    report(
      .invalidName,
      "'\(name)' is not a name: names are letters, digits and '_', and do not begin with a digit"
        + (near.map { "; write '\($0)'" } ?? ""),
      at: range,
      // Elsewhere it may be read under the same name, which would have to change as well.
      fix: near.flatMap { near in
        document.holdsOnce(name)
          ? .replacing(range, with: "\"\(near)\"", isSafe: false) : nil
      })
  }

  /// Reports a name that a scope around already has.
  mutating func checkHiding(_ name: Written<String>) { checkHiding(name.value, at: name.range) }

  mutating func checkHiding(_ name: String, at range: Range<Int>) {
    for scope in scopes {
      guard let place = scope[name], place != range else { continue }
      report(
        .hiddenName, "'\(name)' hides a name that is visible here; choose another",
        at: range, related: [.init(range: place, message: "'\(name)' is named here")])
      return
    }
  }

  package static func nearestName(to text: String) -> String? {
    var name = ""
    var startsWord = false
    for scalar in text.unicodeScalars {
      if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
        name += startsWord && !name.isEmpty ? String(scalar).uppercased() : String(scalar)
        startsWord = false
      } else if scalar == "_" {
        name += "_"
      } else {
        startsWord = true
      }
    }
    if let first = name.first, first.isNumber { name = "_" + name }
    return isName(name) ? name : nil
  }
}

extension JSONDocument {
  /// Whether these bytes are in the document only once.
  fileprivate func holdsOnce(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard !wanted.isEmpty, bytes.count < 1 << 20 else { return false }
    let places = bytes.indices.lazy.filter { [bytes] in bytes[$0...].starts(with: wanted) }
    return places.prefix(2).count == 1
  }
}

/// The name of something in the scope: a step, an item.
struct ScopeNameType: ValueType {
  var description: LanguageType { .name }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<String>? {
    guard let text = decoder.text(node, name, hint: Self.hint(node)) else { return nil }
    decoder.checkName(text, .scope, at: node.range)
    if text == "state", let place = decoder.statePlace {
      decoder.report(
        .reservedName,
        "'state' is reserved in a file that has the key 'state'; choose another name",
        at: node.range, related: [.init(range: place, message: "the state is declared here")])
    }
    return Written(text, at: node)
  }

  private static func hint(_ node: JSONNode) -> Proposal? {
    guard node.kind == .number else { return nil }
    // A sign or a point cannot be in a name.
    let digits = node.text.utf8.split { !(0x30...0x39).contains($0) }.map { String(Substring($0)) }
    let text = "\"step" + digits.joined(separator: "_") + "\""
    return Proposal(
      "; a name begins with a letter, as in \(text)",
      fix: .replacing(node.range, with: text, isSafe: false))
  }
}

extension ValueType where Self == ScopeNameType {
  static var scopeName: ScopeNameType { ScopeNameType() }
}
