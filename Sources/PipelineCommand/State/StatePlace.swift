internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineSourceText
internal import PipelineURIs

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Where the state of a workflow is kept.
enum StatePlace: Sendable, Hashable {
  /// A file that `--state` names.
  case named(String)
  /// A file of the store, which belongs to one workflow file and one environment.
  case stored(String, store: String)
  /// Nothing is kept.
  case nowhere

  init(
    _ options: StateOptions, of workflow: Workflow, variables: [String: String]
  ) throws(StateProblem) {
    let location: StoreLocation
    do throws(UsageError) {
      location = try StoreLocation(options.store, environment: variables)
    } catch {
      throw StateProblem(message: error.message, status: .usage)
    }
    if let path = options.file {
      self = .named(path)
      return
    }
    switch location {
    case .off: self = .nowhere
    case .unknown:
      throw StateProblem(
        message: "the state has no place, because HOME is not set; give --state FILE,"
          + " --store DIR or --no-store")
    case .folder(let folder, _):
      guard workflow.source.name != "-" else {
        throw StateProblem(
          message: "a workflow from stdin has no place for its state; give --state FILE or"
            + " --no-store", status: .usage)
      }
      guard let real = realPath(of: workflow.source.name) else {
        throw StateProblem(
          message: "the state of '\(workflow.source.name)' has no place: the file cannot be found")
      }
      let environment = workflow.environmentName(options)
      let name = environment.map { "environment-" + URI.percentEncode($0) } ?? "default"
      self = .stored("\(folder)/state\(real)/\(name).json", store: folder)
    }
  }

  /// The file; `nil` if there is none.
  var path: String? {
    switch self {
    case .named(let path), .stored(let path, _): path
    case .nowhere: nil
    }
  }
}

extension Workflow {
  /// The environment that a command line chooses, or the file's own choice.
  func environmentName(_ options: StateOptions) -> String? {
    options.environment ?? defaultEnvironment?.value
  }
}
