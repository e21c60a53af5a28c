/// How a workflow is handed over to an engine.
package struct ExportOptions: Sendable {
  /// The path of the workflow's file for the processes that carry out its parts.
  package var file: String
  /// The path of the program for the processes that carry out its parts.
  package var program = "pipeline"
  /// The folder for runs, which all machines see; `nil` for the engine's usual one.
  package var folder: String?
  /// When runs begin, for engines with a clock: five fields of cron, or `@daily`.
  package var schedule: String?
  /// How many items a shard has, for engines that count them before they start the shards.
  package var itemsPerShard = 500
  /// The maximum number of shards of a collection; `nil` for the engine's usual one.
  package var shards: Int?

  package init(file: String) {
    self.file = file
  }
}
