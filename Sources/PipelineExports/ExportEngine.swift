package import PipelinePlanning

/// The engine that starts the parts of a run.
package enum ExportEngine: String, Sendable, CaseIterable {
  case airflow, slurm, kubernetes, make

  /// Whether it starts runs by a clock.
  package var hasSchedule: Bool { self == .airflow }

  /// Whether it starts as many shards as a collection needs, once its items are counted.
  package var countsItems: Bool { self == .airflow }

  /// The workflow for this engine: a file for people to read, to edit and to keep.
  ///
  /// The same plan and options give the same text.
  package func text(of plan: Plan, _ options: ExportOptions) -> String {
    let run = ExportedRun(plan, maximumShards: options.shards ?? usualShards)
    return switch self {
    case .airflow: AirflowFile(run: run, options: options).text
    case .slurm: SlurmScript(run: run, options: options).text
    case .kubernetes: KubernetesFile(run: run, options: options).text
    case .make: Makefile(run: run, options: options).text
    }
  }

  private var usualShards: Int {
    switch self {
    case .airflow: 64
    case .slurm, .kubernetes: 16
    case .make: 4
    }
  }
}
