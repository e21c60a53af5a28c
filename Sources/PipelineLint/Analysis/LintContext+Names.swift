import PipelineByteText
import PipelineTemplates
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning

/// A name if it is given.
struct GivenName {
  let name: String
  let meaning: String
  let shape: ValueShape
}

extension LintContext {
  /// The name that is given at exactly these bytes: of an input, a state value, a step, a value,
  /// an item.
  func givenName(at range: Range<Int>) -> GivenName? {
    for input in workflow.inputs
    where input.nameRange == range && input.node.document === workflow.document {
      return named("inputs." + input.name, Viewpoint(block: 0, step: nil), input.name)
    }
    for (value, block) in stateValues where value.nameRange == range {
      return named("state." + value.name, Viewpoint(block: block, step: nil), value.name)
    }
    for step in steps {
      let viewpoint = Viewpoint(block: step.block, step: step.number)
      let id = step.step.id.value
      if step.step.id.range == range { return named(id, viewpoint, id) }
      if let forEach = step.step.forEach {
        if let name = forEach.name, name.range == range {
          return named(name.value, viewpoint, name.value)
        }
        if let name = forEach.indexName, name.range == range {
          return named(name.value, viewpoint, name.value)
        }
        for value in forEach.rounds?.carried ?? [] where value.nameRange == range {
          return named(value.name, viewpoint, value.name)
        }
      }
      for value in step.step.pageValues where value.nameRange == range {
        return named(value.name, viewpoint, value.name)
      }
      for (name, place) in values(of: step) where place == range {
        guard let place = self.place(of: [name], in: step.number) else { continue }
        let shape = Self.member(name, of: shapes[step.number].row)
        return GivenName(name: name, meaning: place.meaning, shape: shape)
      }
    }
    return nil
  }

  private func named(_ path: String, _ viewpoint: Viewpoint, _ name: String) -> GivenName? {
    guard let query = WrittenPath.query(path), let place = place(of: query, from: viewpoint) else {
      return nil
    }
    return GivenName(
      name: name, meaning: place.meaning, shape: reading(of: query, from: viewpoint).shape)
  }

  /// The values that a step gives itself, with their places.
  private func values(of step: LintStep) -> [(String, Range<Int>)] {
    switch step.step.action {
    case .request(let request): request.extract.map { ($0.name, $0.nameRange) }
    case .values(let fields): fields.map { ($0.name, $0.nameRange) }
    case .block(let block): (block.outputs ?? []).map { ($0.name, $0.nameRange) }
    case .ask(let question): question.answers.map { ($0.name, $0.nameRange) }
    case .call, .wait, .fail, .say: []
    }
  }

  private static func member(_ name: String, of shape: ValueShape) -> ValueShape {
    if case .object(let members, _) = shape.content { members[name] ?? .unknown } else { .unknown }
  }

  /// Wherever a name that is given at these bytes is read, in the order of the file.
  func references(to range: Range<Int>) -> [Range<Int>] {
    givenGroups.first { $0.definitions.contains(range) }.map { reads(of: $0) } ?? []
  }
}
