import SourceText
import Templates

/// A workflow as rules see it: every step listed with its parts, names resolved, static types
/// worked out.
struct LintContext {
  let workflow: Workflow
  /// Every block, a block before those inside of it; the first is the file's.
  private(set) var blocks: [LintBlock] = []
  /// Every step of every block, as written.
  private(set) var steps: [LintStep] = []
  /// The values, by their place in the document, of which some part could not be read.
  let incomplete: Set<Int>
  /// The files that steps run, by path as written.
  let callees: [String: LintedWorkflow]
  let inputs: ValueShape
  /// What is known of each step, by its number in `steps`.
  var shapes: [StepShape] = []
  /// What is read of each step.
  private(set) var usage = Usage()

  init(
    _ workflow: Workflow, incomplete: Set<Int> = [], callees: [String: LintedWorkflow] = [:]
  ) {
    self.workflow = workflow
    self.incomplete = incomplete
    self.callees = callees
    inputs = Self.shape(of: workflow.inputs)
    add(Resolution(workflow), parent: nil)
    shapes = Array(repeating: StepShape(), count: steps.count)
    analyseShapes()
    usage = Usage(self)
  }

  /// What is known of what the workflow returns.
  var outputs: ValueShape {
    .object(
      Dictionary(
        (workflow.block.outputs ?? []).map { field in
          (field.name, shape(of: field.value) { read($0, inOutputsOf: 0) })
        }, uniquingKeysWith: { first, _ in first }))
  }

  /// Adds a block and all that is in it; gives its number.
  @discardableResult
  private mutating func add(_ resolution: Resolution, parent: Int?) -> Int {
    let number = blocks.count
    blocks.append(LintBlock(resolution, parent: parent))
    for (index, part) in resolution.steps.enumerated() {
      let step = steps.count
      steps.append(LintStep(part, block: number, index: index))
      blocks[number].steps.append(step)
      if let inner = part.inner { steps[step].inner = add(inner, parent: step) }
    }
    return number
  }

  private static func shape(of inputs: [Input]) -> ValueShape {
    .object(
      Dictionary(
        inputs.map { input in
          let shape = input.type?.shape ?? .present
          let isOptional = input.isOptional && input.defaultValue == nil
          return (input.name, shape.absent(isOptional).secret(input.isSecret))
        }, uniquingKeysWith: { first, _ in first }))
  }
}

/// A block of a workflow that is linted.
struct LintBlock {
  let resolution: Resolution
  /// The number of the step whose action the block is; `nil`: the file's.
  let parent: Int?
  /// The numbers of the block's steps, the `finally` steps after the others.
  fileprivate(set) var steps: [Int] = []
  let outputs: StepParts

  fileprivate init(_ resolution: Resolution, parent: Int?) {
    self.resolution = resolution
    self.parent = parent
    var parts = StepParts()
    parts.add(resolution.block.outputs)
    outputs = parts
  }

  /// How many steps are no `finally` steps.
  var mainCount: Int { resolution.block.steps.count }
}

/// A step of a workflow that is linted.
///
/// A reference, for steps are large and every rule goes over all of them.
final class LintStep {
  let step: Step
  /// What the step reads.
  let uses: [ResolvedUse]
  let parts: StepParts
  /// The number of the block that the step stands in.
  let block: Int
  /// The number of the step in its block.
  let index: Int
  /// The number of the block that the step runs.
  fileprivate(set) var inner: Int?
  /// The request, where that is what the step does.
  let request: LintRequest?

  fileprivate init(_ resolution: Resolution.StepResolution, block: Int, index: Int) {
    step = resolution.step
    if case .request(let request) = resolution.step.action {
      self.request = LintRequest(request)
    } else {
      request = nil
    }
    uses = resolution.uses
    self.block = block
    self.index = index
    var parts = StepParts()
    parts.add(resolution.step)
    self.parts = parts
  }
}

/// A request by reference: every rule goes over all requests, and looks at few of their parts.
final class LintRequest {
  let method: String
  let endpoint: Written<Endpoint>
  let baseURL: Written<BaseURL>?
  let query: [Request.Parameter]
  let headers: [Request.Parameter]
  let cookies: [Request.Parameter]
  let auth: Auth?
  let sendCredentials: [Written<String>]
  let body: Body?
  let extract: [Extractor]
  let retry: RetryPolicy
  let timeout: Written<Duration>?
  let poll: Poll?
  let paginate: Pagination?

  init(_ request: Request) {
    method = request.method
    endpoint = request.endpoint
    baseURL = request.baseURL
    query = request.query
    headers = request.headers
    cookies = request.cookies
    auth = request.auth
    sendCredentials = request.sendCredentials
    body = request.body
    extract = request.extract
    retry = request.retry
    timeout = request.timeout
    poll = request.poll
    paginate = request.paginate
  }
}

/// What is known of a step before any run.
struct StepShape {
  /// What others read under the step's id.
  var value = ValueShape.unknown
  /// What the step's own expectations read: the values of one pass, never skipped.
  var row = ValueShape.unknown
  /// The loop name.
  var item = ValueShape.unknown
  /// Whether the step may be skipped or have failed while others go on.
  var mayBeMissing = false
}
