import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A query of the body that starts above or below the body's first level.
enum BodyRoot: LintRule {
  static let explanation = Explanation("body-root", .warning, PackageResources.body_root_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request else { return }
    let fields = rootFields(of: request.body)
    for query in request.bodyQueries {
      let names = query.value.segments.prefix(2).map(\.name)
      guard let first = names.first ?? nil, query.value.anchor == .root else { continue }
      let length = query.value.segments[0].range.upperBound
      if let fields, fields.contains(first) {
        report(
          "the answer to a GraphQL operation has '\(first)' in 'data'", query,
          "$.data" + query.value.text.dropFirst(bytes: 1), &found)
      } else if first == "response" || first == "res", names.count == 2, names[1] == "body" {
        let rest = query.value.text.utf8.dropFirst(
          max(length, query.value.segments[1].range.upperBound))
        report(
          "'$' is the body already", query, "$\(String(decoding: rest, as: UTF8.self))", &found)
      }
    }
  }

  private static func report(
    _ problem: String, _ query: Written<Query>, _ meant: String, _ found: inout [Diagnostic]
  ) {
    found.append(
      finding(
        "\(problem); write '\(meant)'", at: query.range,
        fix: WorkflowDecoder.fix(
          meant, for: 0..<query.value.text.utf8.count, in: query.node, isSafe: false)))
  }

  /// The names at the first level of a GraphQL operation; `nil` if the body is none.
  private static func rootFields(of body: Body?) -> Set<String>? {
    guard case .graphQL(let operation)? = body?.content else { return nil }
    let text = operation.query.lines.map(\.value.text).joined(separator: " ")
    var fields: Set<String> = []
    var (depth, parentheses) = (0, 0)
    var word = ""
    // An operation is 'query Name($id: ID!) { field(id: $id) { … } }'.
    for byte in Array(text.utf8) + [UInt8(ascii: " ")] {
      let isWord = ASCIISet.letters.union(.digits).contains(byte) || byte == UInt8(ascii: "_")
      if isWord {
        word.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      if depth == 1, parentheses == 0, !word.isEmpty { fields.insert(word) }
      word = ""
      switch byte {
      case UInt8(ascii: "{"): if parentheses == 0 { depth += 1 }
      case UInt8(ascii: "}"): if parentheses == 0 { depth -= 1 }
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"): parentheses -= 1
      default: break
      }
    }
    return fields.subtracting(["data", "errors", "extensions"])
  }
}
