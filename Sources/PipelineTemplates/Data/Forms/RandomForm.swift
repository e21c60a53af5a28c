internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// A number that follows from the run, the step, the item and its place in the file, so that a
/// resumed run has the same.
struct RandomForm: DeclaredForm {
  static let title = FormTitle(
    "$random",
    "a whole number from the first to the second, both included; a resumed run has the same",
    example: #"{"$random": [1, 6]}"#, takes: .twoNumbers, synonyms: "randominteger")

  private let bounds: FormPart
  /// The names and positions that lead to it.
  private let place: String

  init?(_ keys: inout FormKeys) {
    bounds = keys.checkedValue()
    keys.requireTwo(bounds)
    keys.noteReadingOfRun()
    place = keys.isRead ? keys.node.placeInFile : ""
    guard keys.isRead, case .literal(let list, _) = bounds.value, list.kind == .array else {
      return
    }
    let numbers = list.elements.map { $0.number?.int }
    if numbers.contains(nil), list.elements.allSatisfy({ $0.kind == .number }) {
      keys.problem(Self.rule, at: keys.node)
    } else if numbers.count == 2, let first = numbers[0], let last = numbers[1], first > last {
      keys.problem("the first number of '$random' is greater than the second", at: keys.node)
    }
  }

  private static let rule = "'$random' takes two whole numbers of 64 bits"

  var parts: [FormPart] { [bounds] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let (first, last) = try writing.twoNumbers(of: bounds), let run = writing.run else {
      return .absent
    }
    let (low, high) = try limits(first, last)
    let seed = DigestAlgorithm.sha256.digest(
      run + Array(writing.source.place.utf8) + [0] + Array(place.utf8))
    let chance = seed.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let span = UInt64(bitPattern: Int64(high)) &- UInt64(bitPattern: Int64(low))
    // The high half of the product is uniform but for a part of 2^64 divided by the span.
    let step = span == .max ? chance : chance.multipliedFullWidth(by: span + 1).high
    return .number("\(Int64(bitPattern: UInt64(bitPattern: Int64(low)) &+ step))")
  }

  private func limits(_ first: JSONNode, _ last: JSONNode) throws(DataError) -> (Int, Int) {
    guard let low = first.number?.int, let high = last.number?.int else {
      throw bounds.failure(.dataForm, Self.rule)
    }
    guard low <= high else {
      throw bounds.failure(
        .dataForm, "the first number of '$random' is greater than the second: \(low) and \(high)")
    }
    return (low, high)
  }

  /// It is made of the run.
  var isFoundAhead: Bool { false }

  func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {
    if isKnown(bounds.value) {
      if let (first, last) = try writing.twoNumbers(of: bounds) { _ = try limits(first, last) }
    } else if case .array(let items) = bounds.value {
      for item in items where isKnown(item) {
        if let bound = try writing.value(of: item), bound.number?.int == nil {
          throw bounds.failure(.dataForm, Self.rule)
        }
      }
    }
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.integer.absent(bounds.value.shape(read).maybeAbsent)
  }
}

extension JSONNode {
  /// The names and positions that lead from the root of its document to it. An element with an `id`
  /// is called by it, so that another step before it changes nothing.
  fileprivate var placeInFile: String {
    var path = ""
    var node = document.root
    while node.range != range {
      if let member = node.members.first(where: { $0.value.range.contains(range.lowerBound) }) {
        path += "." + member.name
        node = member.value
      } else if let (index, element) = node.elements.enumerated().first(where: {
        $1.range.contains(range.lowerBound)
      }) {
        path += "[" + (element["id"]?.string ?? "\(index)") + "]"
        node = element
      } else {
        return path
      }
    }
    return path
  }
}
