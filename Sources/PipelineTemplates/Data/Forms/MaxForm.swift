internal import PipelineJSONPaths

/// The greatest number, text or moment.
struct MaxForm: DeclaredForm {
  static let title = FormTitle(
    "$max", "the greatest number, text or moment; absent if there is none",
    example: #"{"$max": "$.list.rows[*].price"}"#, takes: .ordered,
    synonyms: "maximum", isAlwaysAlone: true)

  private let extreme: Extreme

  init?(_ keys: inout FormKeys) { extreme = Extreme(&keys, isMax: true) }

  var parts: [FormPart] { extreme.parts }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    try extreme.find(by: writing)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { extreme.shape(read) }
}
