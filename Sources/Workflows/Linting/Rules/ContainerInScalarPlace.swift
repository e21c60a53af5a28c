import SourceText
import Templates

/// A list or an object where only one value can stand.
struct ContainerInScalarPlace: LintRule {
  static let explanation = Explanation(
    "list-in-scalar-place", .error,
    what: "A list or an object is put where one text, number or boolean has to stand.",
    why: """
      A URL's path, a header's text or a part of a text takes one value. To do something for each \
      element of a list, give the step a `forEach`; to use one element, select it by its number, \
      `{{list.ids[0]}}`. A whole list can stand in a parameter of `query` and in JSON.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[*].id" }
          },
          { "id": "user", "endpoint": "GET https://api.example.com/users/{{list.ids}}" }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[*].id" }
          },
          {
            "id": "user",
            "forEach": "$.list.ids",
            "as": "id",
            "endpoint": "GET https://api.example.com/users/{{id}}"
          }
        ]
      }
      """)

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, step) in context.steps.enumerated() {
      for insertion in step.parts.insertions {
        let shape = context.read(insertion.query, in: number).shape
        found += judge(insertion, shape, in: step.step)
      }
    }
    for (number, block) in context.blocks.enumerated() {
      for insertion in block.outputs.insertions {
        let shape = context.read(insertion.query, inOutputsOf: number).shape
        found += judge(insertion, shape, in: nil)
      }
    }
    return found
  }

  private func judge(
    _ insertion: Insertion, _ shape: ValueShape, in step: Step?
  ) -> [Diagnostic] {
    guard shape.isContainer, !Self.takes(shape, insertion) else { return [] }
    let name = insertion.query.shown
    let wayOut: String
    if !shape.isList {
      wayOut = "write the member that is meant, as in {{\(name).id}}"
    } else if let step, step.forEach == nil, case .url = insertion.site {
      wayOut = "add \"forEach\": \"$.\(name)\" to the step and write {{item}} here"
    } else {
      wayOut = "write {{\(name)[0]}} for its first element"
    }
    return [
      finding(
        "'\(name)' is \(shape.words), and \(insertion.site.words) takes one value; \(wayOut)",
        at: insertion.range)
    ]
  }

  private static func takes(_ shape: ValueShape, _ insertion: Insertion) -> Bool {
    guard insertion.isWhole else { return false }
    switch insertion.site {
    case .data: return true
    case .parameter(let style): return shape.isList || style.name == .deepObject
    case .header: return shape.isList
    case .url, .cookie, .text, .bound, .credential: return false
    }
  }
}
