@testable import PipelineJSONText
@testable import PipelineOpenAPI

// A description: any bytes. What must hold is stated as preconditions: a broken one is a crash, which
// the fuzzer reports.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(DescriptionProblem) {
    // Every other file is the same one, so that references also go in circles through files.
    let description = try APIDescription(path: "a/b.yaml", bytes: bytes) {
      $0.utf8.count < 20 ? bytes : nil
    }
    for operation in description.operations().prefix(20) { check(operation, in: description) }
    precondition(description.problems.allSatisfy { !$0.message.isEmpty })
  } catch {
    precondition(!error.message.isEmpty && error.message.last != ".")
  }
  return 0
}

/// Everything that can be asked about an operation ends, and comes out the same again.
private func check(_ operation: Operation, in description: APIDescription) {
  precondition(operation.node.file.line(of: operation.node.node) >= 1)
  let parameters = description.parameters(of: operation)
  precondition(parameters.map(\.name) == description.parameters(of: operation).map(\.name))
  for parameter in parameters { check(parameter.schema, depth: 0) }
  if let schema = description.body(of: operation)?.schema { check(schema, depth: 0) }
  for response in description.successes(of: operation) {
    _ = response.describesHeader("Link")
    if let schema = response.schema { check(schema, depth: 0) }
  }
  let answer = description.responseShape(of: operation) { _ in true }
  check(answer, depth: 0)
  if let content = description.requestContent(of: operation) {
    for shape in [content.json, content.form].compactMap(\.self) { check(shape, depth: 0) }
  }
  precondition(description.security(of: operation) == description.security(of: operation))
  precondition(description.servers(of: operation) == description.servers(of: operation))
}

private func check(_ schema: Schema, depth: Int) {
  let names = schema.propertyNames
  precondition(Set(names).count == names.count, "a property twice")
  precondition(names.allSatisfy { schema.propertyNode($0) != nil }, "a property without a place")
  precondition(Set(schema.required).count == schema.required.count, "a name is required twice")
  guard depth < 3 else { return }
  for name in names.prefix(3) { schema.property(name).map { check($0, depth: depth + 1) } }
  if let items = schema.items { check(items, depth: depth + 1) }
}

/// A shape has values, or none, or any; the parts of it that it describes are there.
private func check(_ shape: SchemaShape, depth: Int) {
  precondition(!shape.isUnknown || shape.branches.isEmpty && shape.types == nil)
  precondition(shape.branches.count <= 64)
  _ = shape.children(listsOnly: depth > 0)
  guard depth < 3 else { return }
  for (name, _) in shape.properties.prefix(3) {
    let member = shape.member(name)
    if shape.types?.contains("object") == true, !member.isRuledOut {
      check(member.shape, depth: depth + 1)
    }
  }
  let nothing = shape.member("no such name")
  precondition(!nothing.isRuledOut || nothing.shape.isEmpty || !shape.isUnknown)
}
