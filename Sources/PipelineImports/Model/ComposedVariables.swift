/// Variables that are made of others.
///
/// An input's default and its value in an environment are texts. A variable that is made of others is
/// written into the templates that read it, unless an environment gives it: then it is worked out for
/// each environment.
extension ImportedCollection {
  mutating func workOutVariables(_ report: inout ImportReport) {
    let set = Set(requests.flatMap { $0.sets.map(\.variable) })
    var names: [String] = []
    for variable in environments.flatMap(\.values) where !names.contains(variable.name) {
      let values = [self.variable(variable.name)?.value, variable.value].compactMap(\.self)
      if values.contains(where: { $0.plain == nil }) { names.append(variable.name) }
    }
    for name in names {
      let own = variable(name)?.value
      var places: [(environment: Int?, value: ForeignText?, others: [Variable])] = [(nil, own, [])]
      for (index, environment) in environments.enumerated() {
        let value = environment.values.last { $0.name == name }?.value ?? own
        places.append((index, value, environment.values))
      }
      places.removeAll { $0.value == nil }
      let texts = places.compactMap { place -> String? in
        var known: [String: String?] = [:]
        let others = Dictionary(place.others.map { ($0.name, $0) }) { $1 }
        return place.value.flatMap { text($0, over: others, set, &known) }
      }
      guard texts.count == places.count else {
        report.refuse(
          1,
          "'\(name)' is made of values that are not in the files, so what an environment gives for it"
            + " is left out")
        continue
      }
      for (place, text) in zip(places, texts) {
        let variable = Variable(name: name, value: ForeignText(plain: text))
        if let index = place.environment {
          environments[index].values.removeAll { $0.name == name }
          environments[index].values.append(variable)
        } else {
          declare(variable)
        }
      }
    }
  }

  private static let lengthLimit = 1 << 16

  /// A text with its variables written out; `nil` if one has no value, is secret, or is set by a
  /// response, and if it is too long.
  ///
  /// - Parameter known: What is known of variables.
  private func text(
    _ text: ForeignText, over values: [String: Variable], _ set: Set<String>,
    _ known: inout [String: String?], depth: Int = 0
  ) -> String? {
    guard depth < 8 else { return nil }
    var result = ""
    for part in text.parts {
      switch part {
      case .text(let text): result += text
      case .variable(let name):
        if known[name] == nil {
          let variable = values[name] ?? variable(name)
          let value = variable.flatMap { $0.isSecret || set.contains(name) ? nil : $0.value }
          known[name] = .some(
            value.flatMap { self.text($0, over: values, set, &known, depth: depth + 1) })
        }
        guard let text = known[name] ?? nil else { return nil }
        result += text
      default: return nil
      }
      guard result.utf8.count <= Self.lengthLimit else { return nil }
    }
    return result
  }
}
