internal import PipelineJSONPaths

/// The least number, text or moment.
struct MinForm: DeclaredForm {
  static let title = FormTitle(
    "$min", "the least number, text or moment; absent if there is none",
    example: #"{"$min": "$.list.rows[*].price"}"#, takes: .ordered,
    synonyms: "minimum", isAlwaysAlone: true)

  private let extreme: Extreme

  init?(_ keys: inout FormKeys) { extreme = Extreme(&keys, isMax: false) }

  var parts: [FormPart] { extreme.parts }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    try extreme.find(by: writing)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { extreme.shape(read) }
}
