import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

// The actions of a step, each with the keys that belong to it.

extension Keys {
  mutating func endpoint() -> Written<Endpoint>? {
    optional(
      "endpoint", EndpointType(),
      "Sends a request: a method in capitals, then a URL or a path below `baseURL`. `swift:NAME`"
        + " calls code of an app.", example: #""GET /users/{{inputs.id}}""#,
      foreign: [
        .says(
          "url request uri req http https get post put patch delete run cmd shell requester"
            + " resource operationPath operationId call.http",
          "write 'endpoint': \"GET https://…\"", as: "\"GET …\""),
        .says("path", "write 'endpoint': \"GET /path\"", as: "\"GET …\""),
        .says("method verb", "write it before the URL: 'endpoint': \"POST /users\""),
        .says("type", "the action is the key: 'endpoint', 'values', 'wait', …"),
      ])
  }

  mutating func call() -> Call? {
    let path = optional(
      "workflow", CalledFileType(), "Runs another workflow file.",
      example: #""./account.json""#,
      foreign: [
        .says(
          "call uses include workflowId template runner",
          "write 'workflow': \"./other.json\"", as: "…")
      ])
    let inputs = beside([.workflow]) { keys in
      keys.optional(
        "inputs", ValuesType(rule: .input), "The inputs of the other workflow.",
        example: #"{"id": "{{user.id}}"}"#, names: .input,
        foreign: [
          .says("with", "write 'inputs' beside 'workflow'; a request has 'query' and 'body'"),
          .says("args arguments", "write 'inputs' beside 'workflow'"),
        ])
    }
    return path.map { Call(path: $0, inputs: inputs ?? []) }
  }

  /// A block of steps inside a step.
  mutating func innerBlock() -> Block {
    let steps = optional(
      "steps", stepList, "Runs a block of steps in its own scope.",
      example: #"[{"id": "get", "endpoint": "GET https://api.example.com/users"}]"#,
      foreign: [
        .says(
          "group tasks children do sequence block subflow",
          "write 'steps' for its own steps", as: "…"),
        .says(
          "parallel",
          "write 'steps' for its own steps, which run at once, or 'concurrency' beside 'forEach'",
          as: "…"),
      ])
    return beside([.steps]) { keys in
      let order = keys.value(
        "order", .choice(Block.Order.self), default: .graph,
        "`graph`: only dependencies order the steps. `listed`: each step also follows the one"
          + " before it.", example: #""listed""#)
      let finally = keys.optional(
        "finally", StepListType(), "Steps that run once after all others, however those ended.",
        example: #"[{"id": "bye", "endpoint": "DELETE https://api.example.com/session"}]"#,
        foreign: [.says("ensure always cleanup", "write 'finally', beside 'steps'")])
      var block = keys.decoder.block(order, steps ?? [], finally: finally ?? [])
      block.outputs = keys.optional(
        "outputs", OutputsType(),
        "The values that the block returns; by default, each step's values by its id.",
        example: #"{"name": "{{get.name}}"}"#,
        foreign: [
          .says(
            "return yield",
            "write 'outputs' beside 'steps', or 'extract' for values of the response")
        ])
      return block
    }
  }

  /// Only outputs are worth a block without steps.
  var stepList: StepListType {
    let outputs = node(of: "outputs")
    return StepListType(mayBeEmpty: outputs.map { $0.kind != .object || $0.count > 0 } ?? false)
  }

  mutating func values() -> [Field]? {
    optional(
      "values", ValuesType(rule: .value), "Computes values and sends nothing.",
      example: #"{"name": "{{user.first}} {{user.last}}"}"#, names: .value,
      foreign: [
        "set let bind assign define compute map",
        .says(
          "vars variables",
          "write 'values' in a separate step, or 'extract' for values of the response"),
      ])
  }

  mutating func wait() -> Written<Duration>? {
    optional(
      "wait", .written(.pause), "Waits.", example: #""2s""#,
      foreign: [.says("sleep delay pause", "write 'wait': \"2s\" in a separate step")])
  }

  /// The branches of a choice.
  mutating func branches() -> [JSONNode]? {
    optional(
      "choose", BranchesType(),
      "Carries out the first of these branches whose `when` holds.",
      example:
        #"[{"when": "$.list.total > 0", "values": {"text": "some"}}, {"values": {"text": "none"}}]"#,
      foreign: [
        .says(
          "switch cases branches choices oneOf match",
          "write 'choose': [{\"when\": …, \"endpoint\": …}]")
      ])
  }

  mutating func failure() -> IntendedFailure? {
    optional(
      "fail", IntendedFailureType(), "Fails with this message.",
      example: #""job {{job.id}} ended as {{job.state}}""#,
      foreign: [.says("throw raise error abort exit", "write 'fail': \"message\"", as: "…")])
  }
}

/// The path of a workflow file.
private struct CalledFileType: ValueType {
  var description: LanguageType { .path }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<String>? {
    guard let path = decoder.writtenText(node, name) else { return nil }
    if path.value.hasPrefix(bytes: "https://") || path.value.hasPrefix(bytes: "http://") {
      decoder.report(
        .unreadableFile,
        "'\(name)' is the path of a file on this machine, not a URL; save the file and write its"
          + " path", at: path.range)
      return nil
    }
    if path.value.contains(bytes: "{{") {
      decoder.report(
        .invalidValue, "the path of a workflow cannot contain a template", at: path.range)
    }
    return path
  }
}

/// The branches of a choice, as nodes.
private struct BranchesType: ValueType {
  var description: LanguageType { .several(.object(.branch)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [JSONNode]? {
    guard node.kind == .array else {
      decoder.mistyped(node, name, "a list of branches such as [{\"when\": …}, {…}]")
      return nil
    }
    if node.count == 0 {
      decoder.report(
        .invalidValue, "'\(name)' is empty; write at least one branch", at: node.range)
    }
    return Array(node.elements)
  }
}
