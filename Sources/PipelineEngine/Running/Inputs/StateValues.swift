internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

/// The state that a run begins with, and the state that it leaves.
struct StateValues {
  let workflow: Workflow
  /// Seconds since 1970-01-01T00:00:00Z.
  let startedAt: Double

  /// The state as one object: given values over defaults, without values that have neither.
  func resolve(_ given: [String: JSONValue]) throws(InputError) -> ScopeValue {
    try ScopeValue(checked: values(given))
  }

  /// The file's own state that has a value, as one object, and all that is wrong with it or with the
  /// state of items.
  ///
  /// Names that the workflow does not have are ignored: an older version may have left them.
  func values(_ given: [String: JSONValue]) -> (values: JSONNode, problems: [InputProblem]) {
    var problems: [InputProblem] = []
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for value in workflow.state {
      guard let node = given[value.name]?.node ?? value.defaultValue else { continue }
      if value.isOfItems {
        if given[value.name] != nil { problems += self.problems(with: node, of: value) }
        continue
      }
      do throws(InputProblem) {
        let checked = try check(node, of: value)
        writer.name(value.name)
        writer.value(checked)
      } catch {
        problems.append(error)
      }
    }
    writer.endObject()
    return (writer.document().root, problems)
  }

  /// All that is wrong with what items left, by their keys.
  func problems(with node: JSONNode, of value: StateValue) -> [InputProblem] {
    guard node.kind == .object else {
      return [
        InputProblem(
          name: value.name,
          message: "state '\(value.name)' must be an object with a value for each key, but is "
            + node.text.shortened(to: 60))
      ]
    }
    return node.members.compactMap { member in
      do throws(InputProblem) {
        _ = try check(member.value, of: value, at: member.name)
        return nil
      } catch {
        return error
      }
    }
  }

  /// A value as the state's type has it: `now` and `now-30d` are moments of this run.
  ///
  /// - Parameter key: The key of the item that left it, for messages.
  func check(
    _ node: JSONNode, of value: StateValue, at key: String? = nil
  ) throws(InputProblem) -> JSONNode {
    guard let type = value.type else { return node }
    let node = RelativeMoment.resolve(node, type, startedAt: startedAt) ?? node
    guard ValueCheck.holds(node, type) else {
      throw InputProblem(
        name: value.name,
        message: "state '\(value.name)'" + (key.map { " of '\($0)'" } ?? "")
          + " must be \(type.article), but is " + node.text.shortened(to: 60))
    }
    return node
  }

  /// A text of a command line as the state's type asks: without a type, JSON if it parses as JSON.
  func value(_ text: String, of value: StateValue) throws(InputProblem) -> JSONValue {
    var node = JSONValue.string(text).node
    if let type = value.type {
      node = ValueCheck.convert(text, to: type) ?? node
    } else if let document = try? JSONDocument.parse(Array(text.utf8)) {
      node = document.root
    }
    return JSONValue(try check(node, of: value))
  }

  /// The values for the next run, by name, of those that change.
  ///
  /// - Parameters:
  ///   - fields: `next` of each value.
  ///   - taints: The secret parts of each.
  func next(
    _ fields: [Field], _ taints: [Taint], in scope: Scope, files: any FileAccess,
    _ redactor: Redactor
  ) throws(FailureReason) -> [(name: String, value: JSONValue)] {
    var next: [(name: String, value: JSONValue)] = []
    for (field, taint) in zip(fields, taints) {
      let text = try Evaluation.text(of: [field], in: scope, files: files)
      // An absent value leaves the state's value as it was.
      guard let node = JSONDocument.written(text).root[field.name],
        let value = workflow.state.first(where: { $0.name == field.name })
      else { continue }
      guard taint.isNone, redactor.holdsNoSecret(node) else {
        throw FailureReason(
          .value,
          "the next value of state '\(field.name)' contains a secret, but state is written to a file",
          at: field.node.range)
      }
      do throws(InputProblem) {
        next.append((field.name, JSONValue(try check(node, of: value))))
      } catch {
        throw FailureReason(
          .value, "the next value of " + error.message, at: field.node.range)
      }
    }
    return next
  }
}
