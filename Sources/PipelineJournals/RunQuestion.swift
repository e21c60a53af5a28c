public import PipelineJSONText

/// A question that a run puts to a person.
public struct RunQuestion: Sendable {
  /// What is to be answered, as an input that comes later.
  public struct Answer: Sendable {
    /// Its name.
    public let name: String
    /// `string`, `integer`, `number`, `boolean`, `array`, `object`, `date` or `datetime`; `nil` for
    /// any JSON.
    public let type: String?
    /// Its purpose, for people.
    public let about: String?
    /// What counts if there is no answer.
    public let defaultValue: JSONValue?
    /// Whether it may be left out.
    public let isOptional: Bool
    /// The values that are allowed; empty: all.
    public let allowed: [JSONValue]
    /// Whether it is hidden in all that the run prints, and not kept.
    public let isSecret: Bool

    /// An answer, such as for a preview.
    public init(
      name: String, type: String? = nil, about: String? = nil, defaultValue: JSONValue? = nil,
      isOptional: Bool = false, allowed: [JSONValue] = [], isSecret: Bool = false
    ) {
      self.name = name
      self.type = type
      self.about = about
      self.defaultValue = defaultValue
      self.isOptional = isOptional
      self.allowed = allowed
      self.isSecret = isSecret
    }
  }

  /// The step's id, after the ids of the blocks around it.
  public let step: String
  /// The positions of the items of the blocks around, outermost first.
  public let path: [Int]
  /// The text, secrets hidden.
  public let text: String
  /// What is to be answered.
  public let answers: [Answer]
  /// When it was first asked, in seconds since 1970-01-01T00:00:00Z.
  public let askedAt: Double
  /// Until when it may be answered, in the same way.
  public let expiresAt: Double

  /// As people name it: `confirm`, and inside items `each.confirm[3]`. An answer follows it:
  /// `confirm.answer`.
  public var name: String { UnitKey(step: step, place: path, digest: nil).name }

  /// A question, such as for a preview.
  ///
  /// - Parameters:
  ///   - step: The id of the step that asks.
  ///   - path: The positions of the items around, outermost first.
  ///   - text: The question.
  ///   - answers: The answers that it wants.
  ///   - askedAt: The time at which it was first asked, in seconds since 1970.
  ///   - expiresAt: The time until which it may be answered, in seconds since 1970.
  public init(
    step: String, path: [Int] = [], text: String, answers: [Answer] = [], askedAt: Double = 0,
    expiresAt: Double = 0
  ) {
    self.step = step
    self.path = path
    self.text = text
    self.answers = answers
    self.askedAt = askedAt
    self.expiresAt = expiresAt
  }
}

/// A question that an earlier process of a run has asked.
public struct AskedQuestion: Sendable {
  /// `RunQuestion.name`
  public let name: String
  /// Its text, secrets hidden.
  public let text: String
  /// In seconds since 1970-01-01T00:00:00Z.
  public let askedAt: Double

  package init(_ question: RunQuestion) {
    self.init(name: question.name, text: question.text, askedAt: question.askedAt)
  }

  /// A question that was asked.
  public init(name: String, text: String, askedAt: Double) {
    self.name = name
    self.text = text
    self.askedAt = askedAt
  }
}
