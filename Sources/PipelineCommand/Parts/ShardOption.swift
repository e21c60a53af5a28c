internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage

/// `--shard` and `--share`: which items of a collection a process carries out, and its share of the
/// limits.
enum ShardOption {
  /// Environment variables of engines that number the tasks of an array.
  private struct Source {
    let index: String
    /// The number of the first task.
    let first: Int
    /// The number of tasks.
    let count: String
    /// Names the number of the first task, if it is not fixed.
    var start: String?
  }

  /// The variable with the number of tasks, if the engine does not set one itself.
  private static let count = "PIPELINE_SHARDS"

  private static let sources = [
    Source(
      index: "SLURM_ARRAY_TASK_ID", first: 1, count: "SLURM_ARRAY_TASK_COUNT",
      start: "SLURM_ARRAY_TASK_MIN"),
    Source(
      index: "AWS_BATCH_JOB_ARRAY_INDEX", first: 0, count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    Source(index: "JOB_COMPLETION_INDEX", first: 0, count: count),
    Source(index: "PARALLEL_SEQ", first: 1, count: count),
  ]

  /// - Parameter text: `3/16`, `auto` or `auto/16`; `nil` for all items.
  static func shard(
    _ text: String?, environment: [String: String]
  ) throws(UsageError) -> RunPart.Shard {
    guard let text else { return .whole }
    let words = text.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
    if words[0].equals(bytes: "auto"), words.count <= 2 {
      return try automatic(count: words.count == 2 ? words[1] : nil, environment)
    }
    guard words.count == 2, let index = Int(words[0]), let count = Int(words[1]), count >= 1,
      (1...count).contains(index)
    else {
      throw UsageError(
        message: "--shard takes I/N with I from 1 to N, such as 3/16, or 'auto', and not '\(text)'")
    }
    return RunPart.Shard(index: index, count: count)
  }

  private static func automatic(
    count text: String?, _ environment: [String: String]
  ) throws(UsageError) -> RunPart.Shard {
    guard let source = sources.first(where: { environment[$0.index] != nil }),
      let index = environment[source.index].flatMap({ Int($0) })
    else {
      throw UsageError(
        message: "--shard auto needs one of the variables "
          + sources.map(\.index).joined(separator: ", ") + ", which the engine sets")
    }
    let first = source.start.flatMap { environment[$0] }.flatMap { Int($0) } ?? source.first
    guard
      let count = (text ?? environment[source.count] ?? environment[Self.count]).flatMap({ Int($0) }
      )
    else {
      throw UsageError(
        message: "--shard auto needs \(Self.count)=N, or --shard auto/N, beside \(source.index)")
    }
    guard count >= 1, (0..<count).contains(index - first) else {
      throw UsageError(
        message: "\(source.index) is \(index), which is not one of \(count) tasks from \(first) on")
    }
    return RunPart.Shard(index: index - first + 1, count: count)
  }

  /// - Parameter text: `1/2`; `nil` for an equal share for each shard, and rates and requests in
  ///   flight are handed out in the folder.
  static func share(_ text: String?, of shard: RunPart.Shard) throws(UsageError) -> Share {
    guard let text else {
      return Share(
        parts: 1, total: shard.count, turn: max(0, shard.index - 1), isHandedOut: true)
    }
    let words = text.split(ascii: "/", omittingEmptySubsequences: false)
    guard words.count == 2, let parts = Int(words[0]), let total = Int(words[1]), parts >= 1,
      parts <= total, total <= 1_000_000
    else {
      throw UsageError(
        message: "--share takes a fraction such as 1/2, at most 1, and not '\(text)'")
    }
    return Share(parts: parts, total: total, turn: max(0, shard.index - 1) % max(1, total / parts))
  }
}
