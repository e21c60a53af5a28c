/// A transport that answers steps in Swift in place of their handlers.
package protocol StepMock: Transport {
  /// Whether it answers this step.
  func answers(_ step: String) -> Bool
}
