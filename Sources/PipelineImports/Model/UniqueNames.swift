/// Names that are given once each.
struct UniqueNames {
  private var used: Set<String> = []
  /// The last number that was put behind a name.
  private var numbers: [String: Int] = [:]

  /// Takes a name; `false` if it is taken already.
  @discardableResult
  mutating func reserve(_ name: String) -> Bool { used.insert(name).inserted }

  /// The name, or the first of `name2`, `name3` and so on that is not taken.
  mutating func next(_ name: String, separator: String = "") -> String {
    var unique = name
    while !reserve(unique) {
      numbers[name, default: 1] += 1
      unique = name + separator + String(numbers[name] ?? 2)
    }
    return unique
  }
}
