/// The current call of a step in Swift: what its handler may need, apart from its input.
///
/// ```swift
/// pipeline.handlers["pay"] = { (order: Order) in
///   try await bank.pay(order, key: HandlerCall.current?.idempotencyKey)
/// }
/// ```
public struct HandlerCall: Sendable, Hashable {
  /// The call in whose task this is read; `nil` if none is under way. A test of a handler may set
  /// it.
  @TaskLocal public static var current: HandlerCall?

  /// The id of the run. A run that is resumed keeps it.
  public let runID: String
  /// The id of the step, after the ids of the blocks around it.
  public let step: String
  /// The positions of the items of the blocks around, outermost first.
  public let path: [Int]
  /// The position of the item; `nil` if the step has no `forEach`.
  public let item: Int?
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The `Idempotency-Key` of a `POST swift:pay` that has `retry.unsafe`; `nil` if the call has
  /// none. It is the same in each attempt, and after the run is resumed.
  public let idempotencyKey: String?

  /// A call with these facts.
  public init(
    runID: String, step: String, path: [Int] = [], item: Int? = nil, attempt: Int = 1,
    idempotencyKey: String? = nil
  ) {
    self.runID = runID
    self.step = step
    self.path = path
    self.item = item
    self.attempt = attempt
    self.idempotencyKey = idempotencyKey
  }
}
