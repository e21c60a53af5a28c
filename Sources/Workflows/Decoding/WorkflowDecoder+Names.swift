import JSONText
import SourceText

extension WorkflowDecoder {
  /// Names that the scope keeps for itself.
  static let reservedNames: Set<String> = [
    "inputs", "run", "env", "secrets", "response", "error",
  ]

  /// Whether `name` is a letter or `_`, then letters, digits and `_`.
  static func isName(_ name: String) -> Bool {
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

  /// Reports a name that is none.
  mutating func checkName(_ name: String, at range: Range<Int>) {
    guard !Self.isName(name) else { return }
    let near = Self.nearestName(to: name)
    report(
      .invalidName,
      "'\(name)' is no name: names are letters, digits and '_', and begin with no digit"
        + (near.map { "; write '\($0)'" } ?? ""),
      at: range)
  }

  /// A name that stands in the scope: the id of a step, or what an item is called.
  mutating func checkScopeName(_ name: String, at range: Range<Int>) {
    checkName(name, at: range)
    if Self.reservedNames.contains(name) {
      report(
        .reservedName, "'\(name)' is a name that the language keeps for itself; choose another",
        at: range)
    }
  }

  /// A name of one of a step's values.
  mutating func checkValueName(_ name: String, at range: Range<Int>) {
    checkName(name, at: range)
    if name == "error" {
      report(
        .reservedName, "'error' is where a step's failure is read; choose another name",
        at: range)
    }
  }

  /// The string of a key that names something in the scope.
  mutating func scopeName(_ node: JSONNode?, _ key: String) -> Written<String>? {
    guard let node, let name = text(node, key) else { return nil }
    checkScopeName(name, at: node.range)
    return Written(name, at: node)
  }

  /// Reports a name that a scope around already has.
  mutating func checkHiding(_ name: Written<String>) {
    for scope in scopes {
      guard let place = scope[name.value], place != name.range else { continue }
      report(
        .hiddenName, "'\(name.value)' hides a name that can be read here; choose another",
        at: name.range, related: [.init(range: place, message: "'\(name.value)' is named here")])
      return
    }
  }

  private static func nearestName(to text: String) -> String? {
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
