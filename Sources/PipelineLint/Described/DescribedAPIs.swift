import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A description with the URLs that it is about.
struct DescribedAPI: Sendable {
  let operations: DescribedOperations
  /// The URLs that its paths are below, without a slash at their ends.
  let servers: Set<String>
  /// Whether the workflow says which URLs these are. Otherwise each operation has its own.
  let isBound: Bool

  var description: APIDescription { operations.description }

  /// - Parameter base: The beginning of the URLs by the workflow; `nil` if it is up to the servers
  ///   of the description.
  init(_ operations: DescribedOperations, base: String? = nil) {
    self.operations = operations
    guard let base else {
      servers = operations.servers.filter { $0.contains(bytes: "://") }
      isBound = false
      return
    }
    let own = operations.servers.filter {
      $0.equals(bytes: base) || $0.hasPrefix(bytes: base + "/")
    }
    if own.isEmpty {
      // The URL of a server may be relative to that of the description.
      let relative = operations.servers.filter { $0.hasPrefix(bytes: "/") }.map { base + $0 }
      servers = Set(relative + [base])
      isBound = true
    } else {
      servers = own
      isBound = false
    }
  }
}

/// The descriptions of the APIs that a workflow calls.
struct DescribedAPIs: Sendable {
  private(set) var all: [DescribedAPI] = []
  /// What is wrong with the descriptions that the workflow names.
  private(set) var problems: [Diagnostic] = []

  /// None.
  init() {}

  /// - Parameters:
  ///   - given: A description that all files are compared with, in place of those that they name.
  ///   - shelf: Reads those that the workflow names; `nil` if they are not read.
  init(
    _ workflow: Workflow, given: APIDescription?, _ shelf: DescriptionShelf?,
    _ loader: (any FileLoader)?
  ) {
    if let given {
      all = [Self.api(DescribedOperations(given), base: nil, workflow)]
      return
    }
    guard let shelf, let loader else { return }
    for attached in workflow.api {
      switch shelf.operations(of: attached, loader) {
      case .success(let operations):
        all.append(Self.api(operations, base: attached.base?.text, workflow))
        if let base = attached.base, Self.isUnused(base.text, in: workflow) {
          problems.append(
            Diagnostic(
              code: DescriptionCode.unused.rawValue, severity: .warning,
              message: "no request begins with '\(base.text)'", range: base.range))
        }
      case .failure(let problem):
        let range = problem.code == .changed ? attached.sha256?.range : nil
        let near = Proposal.didYouMean(
          problem.near, at: attached.file.range, as: problem.near.map { "\"\($0)\"" })
        problems.append(
          Diagnostic(
            code: problem.code.rawValue, severity: .error, message: problem.message + near.text,
            range: range ?? attached.file.range, fix: near.fix))
      }
    }
  }

  /// A description that names no host is about the base URL of the workflow.
  private static func api(
    _ operations: DescribedOperations, base: String?, _ workflow: Workflow
  ) -> DescribedAPI {
    let isPlaced = operations.servers.contains { $0.contains(bytes: "://") }
    guard base == nil, !isPlaced, let own = workflow.baseURL?.value.url.text else {
      return DescribedAPI(operations, base: base)
    }
    return DescribedAPI(
      operations, base: own.hasSuffix(bytes: "/") ? String(own.dropLast(bytes: 1)) : own)
  }

  /// The described requests, by the numbers of their steps.
  func calls(in context: LintContext) -> [Int: DescribedCall] {
    var calls: [Int: DescribedCall] = [:]
    if all.isEmpty { return calls }
    for step in context.steps {
      calls[step.number] = step.request.flatMap {
        DescribedCall($0, of: step, in: context, self)
      }
    }
    return calls
  }

  /// Whether it is certain that no request begins with a base URL.
  private static func isUnused(_ base: String, in workflow: Workflow) -> Bool {
    workflow.block.requests.allSatisfy { request in
      guard request.handler == nil else { return true }
      // What a template stands for may begin with anything.
      guard let text = request.address, !text.hasPrefix(bytes: "{{") else { return false }
      return !text.hasPrefix(bytes: base)
    }
  }
}

extension Block {
  /// The requests of its steps, and their look-ups, at any depth.
  fileprivate var requests: [Request] {
    (steps + finally).flatMap { step -> [Request] in
      switch step.action {
      case .request(let request): [request] + (request.settle.map { [$0.request] } ?? [])
      case .block(let block): block.requests
      case .call, .values, .wait, .fail, .say, .ask: []
      }
    }
  }
}

extension Request {
  /// The URL as written, below the base URL; `nil` if that is not known.
  var address: String? {
    let url = endpoint.value.url
    guard endpoint.value.isSound else { return nil }
    guard url.isRelative else { return url.text }
    guard let base = baseURL?.value.url.text else { return nil }
    let start = base.hasSuffix(bytes: "/") ? String(base.dropLast(bytes: 1)) : base
    return start + (url.text.hasPrefix(bytes: "/") ? url.text : "/" + url.text)
  }
}
