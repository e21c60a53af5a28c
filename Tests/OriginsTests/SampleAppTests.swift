import Foundation
import PipelineKit
import PipelineSampleApp
import PipelineTesting
import Testing

/// The model of the sample app, as its previews show it.
@Suite @MainActor struct SampleAppTests {
  @Test func theModelShowsStepsAndTheStatement() async throws {
    let model = try BankModel(BankModel.preview())
    await model.load(user: 7)
    #expect(model.statement?.name == "Goran")
    #expect(model.statement?.balance == Decimal(string: "1042.02"))
    #expect(model.statement?.grade == "saving")
    #expect(Set(model.steps) == ["user", "account", "transactions", "grade"])
    #expect(model.problem == nil)
  }

  @Test func theModelShowsWhatWentWrong() async throws {
    let model = try BankModel(BankModel.preview(account: .status(403)))
    await model.load(user: 7)
    #expect(model.statement == nil)
    #expect(model.problem?.hasPrefix("step 'account' answered 403") == true)
  }

  @Test func aViewThatGoesCancelsTheRun() async throws {
    let model = try BankModel(ScriptedTransport { _ in .timeout })
    let task = Task { await model.load(user: 7) }
    await Task.yield()
    task.cancel()
    await task.value
    #expect(model.statement == nil && model.problem == nil)
  }
}
