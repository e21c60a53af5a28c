import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineTemplates

// The shapes of what rounds and pages carry. Both follow from `default` and `next`.

extension LintContext {
  /// Finds the shapes of the steps of a block that a step carries out.
  ///
  /// The next values of rounds follow from the block, and the block from what they carry. So what is
  /// carried begins as in the first round and grows until a pass through the block adds nothing.
  mutating func analyse(block: Int, of number: Int) {
    analyse(block: block)
    guard let rounds = steps[number].step.forEach?.rounds else { return }
    while true {
      let before = shapes[number].item
      var after = followed(before, rounds, by: block)
      // Nothing is claimed about a name that nothing gives a value.
      if after == before { after = before.claimingNothingOfNothing }
      guard after != before else { return }
      shapes[number].growth += 1
      shapes[number].item =
        shapes[number].growth > Self.mostGrowth ? before.givenUp(whereItIsNot: after) : after
      analyse(block: block)
    }
  }

  /// A value that still grows after this number of passes is unknown. Passes that begin again,
  /// because of rounds around, are counted with the others, so that nested rounds cost no power of
  /// the depth.
  private static let mostGrowth = 3

  /// An object of what the first round carries. In a later pass it has what was found before, too.
  func firstRound(of rounds: Rounds, in number: Int) -> ValueShape {
    let first = ValueShape.object(
      ShapeMembers(
        rounds.carried.lazy.map { value in
          let first = value.first.map { data in shape(of: data) { read($0, in: number) } }
          if let type = value.type { return (value.name, type.shape.absent(first == nil)) }
          return (value.name, value.next == nil ? .unknown : first ?? .nothing)
        }))
    return shapes[number].growth == 0 ? first : shapes[number].item.union(first)
  }

  /// An object of what a round or the one after it carries.
  private func followed(_ round: ValueShape, _ rounds: Rounds, by block: Int) -> ValueShape {
    guard case .object(var members, _) = round.content else { return round }
    for value in rounds.carried {
      guard let own = members[value.name], let data = value.next?.value else { continue }
      let next = shape(of: data) { read($0, inOutputsOf: block) }
      members[value.name] =
        value.type == nil ? own.union(next) : own.absent(next.maybeAbsent).secret(next.isSecret)
    }
    return .object(members)
  }

  /// The shape of a value that pages carry. What a page does not give, or gives as `null`, is absent.
  func shape(ofPageValue name: String, in step: LintStep) -> ValueShape {
    let values = step.step.pageValues
    guard let value = values.first(where: { $0.name == name }),
      !incomplete.contains(value.source.extractor.node.index)
    else { return .unknown }
    let body = body(of: step)
    var next = Self.shape(of: value.source.extractor, isPaginated: false, body) { _ in .unknown }
    if next.contentKind != nil { next.maybeNull = false }
    // With one value, the page that does not give it is the last.
    guard let first = value.first else { return next.absent() }
    let begin = shape(of: first) { query in
      query.firstName.map { name in values.contains { $0.name == name } } == true
        ? .unresolved : read(query, in: step.number)
    }
    return begin.union(next.absent(values.count > 1))
  }
}

extension ValueShape {
  fileprivate var claimingNothingOfNothing: ValueShape {
    guard case .object(let members, _) = content else { return self }
    return .object(members.mapShapes { $0.isNothing ? .unknown.secret($0.isSecret) : $0 })
  }

  /// The same object, whose members that differ from those of another one are unknown.
  fileprivate func givenUp(whereItIsNot other: ValueShape) -> ValueShape {
    guard case .object(var members, let isOpen) = content,
      case .object(let others, _) = other.content
    else { return .unknown }
    for (name, shape) in members.list where others[name] != shape {
      members[name] = .unknown.secret(others[name]?.isSecret ?? shape.isSecret)
    }
    return .object(members, isOpen: isOpen)
  }
}
