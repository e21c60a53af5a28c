/// How a workflow is handed over to an engine.
package struct ExportOptions: Sendable {
  /// The workflow's file, as those that carry out its parts find it.
  package var file: String
  /// The program, as those that carry out its parts find it.
  package var program = "pipeline"
  /// The folder for runs, which all machines see; `nil`: the engine's usual one.
  package var folder: String?
  /// When runs begin, for engines with a clock: five fields of cron, or `@daily`.
  package var schedule: String?
  /// How many items a shard has, for engines that count them before they start the shards.
  package var itemsPerShard = 500
  /// The maximum number of shards of a collection; `nil`: the engine's usual one.
  package var shards: Int?

  package init(file: String) {
    self.file = file
  }
}
