import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning

/// A name of a workflow, with every place that gives it.
struct GivenGroup {
  let kind: WorkflowNameKind
  let name: String
  /// Bytes of the file, with the quotes.
  var definitions: [Range<Int>]
  /// The places that a reader of the name is led to. Those of a called file's output are where the
  /// file is named.
  var anchors: [Range<Int>]
  /// The file that gives it, as written here, if it is another one.
  var source: String?
  /// The step whose values it is one of.
  var owner: Int?
}

extension LintContext {
  /// Every name that the file gives, or that it takes from a file that it names.
  ///
  /// - Complexity: O(size of the workflow).
  var givenGroups: [GivenGroup] {
    var groups = topGroups
    for step in steps {
      let block = blocks[step.block].resolution.block
      for name in [step.step.forEach?.name, step.step.forEach?.indexName].compactMap({ $0 }) {
        groups.append(
          GivenGroup(
            kind: .item, name: name.value, definitions: [name.range], anchors: [name.range]))
      }
      let carried =
        (step.step.forEach?.rounds?.carried ?? []).map { ($0.name, $0.nameRange) }
        + step.step.pageValues.map { ($0.name, $0.nameRange) }
      for (name, place) in carried {
        groups.append(
          GivenGroup(kind: .item, name: name, definitions: [place], anchors: [place]))
      }
      // A branch has no name, and its values are those of the choice.
      if block.isChoice { continue }
      let id = step.step.id
      groups.append(
        GivenGroup(
          kind: .step(path(of: step.number)), name: id.value, definitions: [id.range],
          anchors: [id.range]))
      groups += valueGroups(of: step.number)
    }
    return groups
  }

  /// Names of the file as a whole: inputs, state, environments, outputs.
  private var topGroups: [GivenGroup] {
    let limit = workflow.document.bytes.count
    var groups: [GivenGroup] = []
    for input in workflow.inputs {
      let isHere = input.node.document === workflow.document
      let chosen = workflow.environments.flatMap(\.values)
        .filter { $0.name.equals(bytes: input.name) }.map(\.nameRange)
      groups.append(
        GivenGroup(
          kind: .input, name: input.name,
          definitions: ((isHere ? [input.nameRange] : []) + chosen).filter {
            $0.upperBound <= limit
          },
          anchors: [input.nameRange], source: isHere ? nil : workflow.extends?.value))
    }
    for value in workflow.state {
      groups.append(
        GivenGroup(
          kind: .state, name: value.name, definitions: [value.nameRange],
          anchors: [value.nameRange]))
    }
    let own = workflow.document.root["environments"].map { Array($0.members) } ?? []
    for environment in workflow.environments {
      let name = environment.name.value
      let places = own.filter { $0.name.equals(bytes: name) }.map(\.nameRange)
      groups.append(
        GivenGroup(
          kind: .environment, name: name, definitions: places, anchors: [],
          source: places.isEmpty ? workflow.extends?.value : nil))
    }
    for output in workflow.block.outputs ?? [] {
      groups.append(
        GivenGroup(
          kind: .output, name: output.name, definitions: [output.nameRange], anchors: []))
    }
    return groups
  }

  private func valueGroups(of number: Int) -> [GivenGroup] {
    var groups: [GivenGroup] = []
    let path = path(of: number)
    for value in givenValues(of: number) {
      let index =
        groups.firstIndex { $0.name.equals(bytes: value.name) }
        ?? {
          groups.append(
            GivenGroup(
              kind: .value(step: path), name: value.name, definitions: [], anchors: [],
              owner: number))
          return groups.count - 1
        }()
      if let place = value.place {
        groups[index].definitions.append(place)
        groups[index].anchors.append(place)
      }
      if let call = value.call {
        groups[index].anchors.append(call.path.range)
        groups[index].source = call.path.value
      }
    }
    return groups
  }

  /// A value of a step: where it is given, or the call that returns it.
  private typealias GivenValue = (name: String, place: Range<Int>?, call: Call?)

  /// The values of a step wherever they are given. A choice has those of its branches.
  private func givenValues(of number: Int) -> [GivenValue] {
    let step = steps[number].step
    var values: [GivenValue] = []
    switch step.action {
    case .request(let request):
      values += request.extract.map { ($0.name, $0.nameRange, nil) }
      values += (request.settle?.request.extract ?? []).map { ($0.name, $0.nameRange, nil) }
    case .values(let fields): values += fields.map { ($0.name, $0.nameRange, nil) }
    case .call(let call):
      let outputs = callees[ExactText(call.path.value)]?.workflow?.block.outputs ?? []
      values += outputs.map { ($0.name, nil, call) }
    case .block(let block):
      if block.isChoice, let inner = steps[number].inner {
        values += blocks[inner].steps.flatMap { givenValues(of: $0) }
      } else {
        values += (block.outputs ?? []).map { ($0.name, $0.nameRange, nil) }
      }
    case .ask(let question): values += question.answers.map { ($0.name, $0.nameRange, nil) }
    case .wait, .fail, .say: break
    }
    return values + (step.otherwise ?? []).map { ($0.name, $0.nameRange, nil) }
  }

  /// The name of a step for other files: the ids of the steps around it, then its own.
  func path(of number: Int) -> String {
    let own = steps[number].step.pathID
    return blocks[steps[number].block].parent.map { path(of: $0) + "." + own } ?? own
  }

  /// The names of the steps that run a file, for other files.
  func callers(of isMeant: (String) -> Bool) -> [String] {
    steps.compactMap { step in
      guard case .call(let call) = step.step.action, isMeant(call.path.value) else { return nil }
      return path(of: step.number)
    }
  }
}
