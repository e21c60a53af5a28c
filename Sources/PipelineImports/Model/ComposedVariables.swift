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
      let texts = places.compactMap { place in
        place.value.flatMap { text($0, over: place.others, set) }
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
          replace(variable)
        }
      }
    }
  }

  /// A text with its variables written out; `nil` if one has no value, is secret, or is set by a
  /// response.
  private func text(
    _ text: ForeignText, over values: [Variable], _ set: Set<String>, depth: Int = 0
  ) -> String? {
    guard depth < 8 else { return nil }
    var result = ""
    for part in text.parts {
      switch part {
      case .text(let text): result += text
      case .variable(let name):
        guard !set.contains(name),
          let variable = values.last(where: { $0.name == name }) ?? variable(name),
          !variable.isSecret, let value = variable.value,
          let text = self.text(value, over: values, set, depth: depth + 1)
        else { return nil }
        result += text
      default: return nil
      }
    }
    return result
  }
}
