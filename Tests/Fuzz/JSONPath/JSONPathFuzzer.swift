import PipelineJSONText

@testable import PipelineJSONPaths

// JSONPath text: parse it as everything it could be, then evaluate it on fixed documents.
// What must hold is stated as preconditions: a broken one is a crash, which the fuzzer reports.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count <= 400 else { return 0 }
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  check(Query.parse(text), of: text) { evaluate($0) }
  check(Query.parse(text, in: .template), of: text) { evaluate($0) }
  check(Query.parseReference(text), of: text) { reference in
    precondition(reference.isSingular && reference.firstName != nil)
  }
  check(Condition.parse(text, in: .template), of: text) { condition in
    guard Weight.of(condition.expression) <= Weight.limit else { return }
    for document in documents {
      _ = try? condition.holds(in: context(of: document.root))
    }
  }
  return 0
}

private func check<Parsed>(
  _ result: Result<Parsed, QuerySyntaxError>, of text: String, _ body: (Parsed) -> Void
) {
  switch result {
  case .success(let parsed): body(parsed)
  case .failure(let problem):
    let bytes = Array(text.utf8)
    precondition(problem.range.lowerBound >= 0 && problem.range.upperBound <= bytes.count)
    precondition(!problem.message.isEmpty)
    // A place lies between characters, never within one.
    for offset in [problem.range.lowerBound, problem.range.upperBound] where offset < bytes.count {
      precondition(bytes[offset] & 0xC0 != 0x80, "a range splits a character")
    }
  }
}

private func evaluate(_ query: Query) {
  for reference in query.references {
    precondition(reference.range.lowerBound >= query.range.lowerBound)
    precondition(reference.range.upperBound <= query.range.upperBound)
    precondition(!reference.query.text.isEmpty)
  }
  guard Weight.of(query) <= Weight.limit else { return }
  for document in documents {
    let context = context(of: document.root)
    let nodes = query.nodes(in: context)
    let located = query.located(in: context)
    precondition(nodes.map(\.index) == located.map(\.node.index))
    precondition(query.first(in: context)?.index == nodes.first?.index)
    precondition(!query.isSingular || nodes.count <= 1)
    for (path, node) in located.prefix(20) {
      guard case .success(let normalized) = Query.parse(path) else {
        preconditionFailure("a normalized path is no query: \(path)")
      }
      precondition(normalized.isSingular)
      precondition(normalized.first(in: context)?.index == node.index)
    }
  }
}

private func context(of root: JSONNode) -> QueryContext {
  QueryContext(root: .node(root), current: root) { binding in
    binding.query.first(in: QueryContext(root))
  }
}

private let documents = [
  #"{"a":{"b":[1,2.0,1e2,{"c":"x\n","d":null}],"c":false},"x":["a","ab","ü",true,[[]],{}],"@":1}"#,
  #"[0,[1,[2,[3,{"a":[{"a":{"a":1}}]}]]],"a",-0.0,12345678901234567890,{"":{"'\\\"\u0001":[1]}}]"#,
  #""text""#,
].map { text -> JSONDocument in
  guard let document = try? JSONDocument.parse(Array(text.utf8)) else {
    preconditionFailure("a fixed document is no JSON")
  }
  return document
}

/// How much work a query may multiply. A query may ask for more nodes than a document has
/// (`$[0,0][0,0]…`), which is its author's affair and not what is looked for here.
enum Weight {
  static let limit = 2_000

  static func of(_ query: Query) -> Int {
    var weight = 1
    for segment in query.segments {
      let selectors = segment.selectors.reduce(0) { sum, selector in
        guard case .filter(let expression) = selector.kind else { return min(sum + 1, limit + 1) }
        return min(sum + 1 + 6 * of(expression), limit + 1)
      }
      weight = min(weight * selectors * (segment.reach == .descendant ? 4 : 1), limit + 1)
    }
    return weight
  }

  static func of(_ expression: LogicalExpression) -> Int {
    switch expression {
    case .and(let parts), .or(let parts):
      return parts.reduce(0) { min($0 + of($1), limit + 1) }
    case .not(let inner, _): return of(inner)
    case .comparison(let comparison): return of(comparison.left) + of(comparison.right)
    case .test(.exists(let query)): return of(query)
    case .test(.function(let call)): return of(.function(call))
    }
  }

  private static func of(_ operand: Operand) -> Int {
    switch operand {
    case .literal, .binding: return 1
    case .query(let query): return of(query)
    case .function(let call): return call.arguments.reduce(1) { min($0 + of($1), limit + 1) }
    }
  }
}
