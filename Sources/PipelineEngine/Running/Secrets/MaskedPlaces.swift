/// The places in a text that are not shown.
package struct MaskedPlaces: Sendable {
  /// As they were found.
  private var found: [Range<Int>] = []

  package init() {}

  package var isEmpty: Bool { found.isEmpty }

  package mutating func add(_ place: Range<Int>) { found.append(place) }

  /// - Parameter offset: The number of bytes before the text that contains the other places.
  package mutating func add(_ others: MaskedPlaces, shiftedBy offset: Int = 0) {
    found += others.found.map { $0.lowerBound + offset..<$0.upperBound + offset }
  }

  /// The places in their order. Overlapping ones are joined.
  private var merged: [Range<Int>] {
    var merged: [Range<Int>] = []
    let ordered = found.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    for place in ordered {
      if let last = merged.last, place.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
      } else {
        merged.append(place)
      }
    }
    return merged
  }

  /// The places, each made longer by `extend`.
  package func extended(_ extend: (Range<Int>) -> Range<Int>) -> MaskedPlaces {
    var places = MaskedPlaces()
    places.found = merged.map(extend)
    return places
  }

  /// `bytes` with something else in each place.
  package func replaced(in bytes: [UInt8], by text: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
    guard !found.isEmpty else { return bytes }
    var result: [UInt8] = []
    var shown = 0
    for place in merged where place.upperBound <= bytes.count {
      result += bytes[shown..<place.lowerBound]
      result += text(bytes[place])
      shown = place.upperBound
    }
    return result + bytes[shown...]
  }

  /// `bytes` with `•••` in each place.
  ///
  /// - Parameter end: The end of the shown text. A place that reaches beyond it ends there.
  package func masked(_ bytes: [UInt8], upTo end: Int? = nil) -> [UInt8] {
    let end = min(end ?? bytes.count, bytes.count)
    guard !found.isEmpty else { return end == bytes.count ? bytes : Array(bytes[..<end]) }
    var result: [UInt8] = []
    var shown = 0
    for place in merged where place.lowerBound < end {
      result += bytes[shown..<place.lowerBound]
      result += Redactor.mask.utf8
      shown = min(place.upperBound, end)
    }
    return result + bytes[shown..<end]
  }
}
