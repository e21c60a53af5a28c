internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineRecordings
internal import PipelineReports
internal import PipelineSandboxServers
internal import PipelineSourceText
internal import SQLiteJournals

// The outputs of a run, and its state for the next one.
extension ConsoleRun {
  /// Writes the outputs to their destinations, unless the run, or the writing, was cut short.
  func deliver(
    _ result: RunResult?, _ settings: RunSettings, _ sinks: RunSinks,
    _ interruption: Interruption
  ) -> ExitStatus {
    var status = ExitStatus.failure
    if let result, result.status == .waiting {
      status = .waiting
    } else if let result, result.status != .cancelled, !interruption.isRaised {
      status = result.status == .succeeded ? .success : .failure
      // A failed run gives what it has, if it has anything.
      let outputs = result.outputs.leavingOut(sinks.outputs)
      let text = OutputText(
        outputs: outputs, format: format,
        width: destinations.output == nil ? console.output.terminal?.width : nil,
        interruption: interruption)
      let printsOutputs =
        settings.givesOutputs && !sinks.takeAll && (status == .success || !outputs.isEmpty)
      do throws(PathProblem) {
        if printsOutputs {
          if let file = destinations.output {
            try file.write(unless: { interruption.isRaised }, text.write)
          } else if !sinks.takeStandardOutput {
            switch format {
            case .json, .ndjson: text.write { console.json.write($0) }
            case .table:
              text.write { console.output.write(String(decoding: $0, as: UTF8.self)) }
            case .csv: text.write { console.data.write($0) }
            }
          }
        }
      } catch {
        console.complain("cannot write '\(error.path)': \(error.reason)")
        status = .failure
      }
      if status == .success {
        let isWell = sinks.deliver(
          result.outputs, console, isQuiet: display.isQuiet, unless: interruption)
        if !isWell { status = .failure }
      }
    }
    if let problem = destinations.events?.finish() {
      console.complain("cannot write '\(problem.path)': \(problem.reason)")
      status = .failure
    }
    return interruption.isRaised ? .interrupted : status
  }

  /// Keeps the state for the next run once all outputs have arrived. A run whose outputs are lost
  /// must be run again from its old state.
  func keep(
    _ result: RunResult?, _ keeping: StateKeeping, _ interruption: Interruption,
    _ status: ExitStatus
  ) -> ExitStatus {
    guard case .kept(let kept) = keeping, let result, status == .success, !interruption.isRaised,
      console.output.failure == nil
    else { return status }
    do throws(StateProblem) {
      try kept.keep(result.report.state, at: program.clock.wallTime, console.files)
      return status
    } catch {
      return console.complain(error)
    }
  }
}
