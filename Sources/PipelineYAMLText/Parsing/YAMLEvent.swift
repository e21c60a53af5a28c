/// One event of a parsed text, in the sense of YAML 1.2.2 §3.1: what a serialization tree is made of.
struct YAMLEvent {
  enum Kind: UInt8 {
    case documentStart, documentEnd, mappingStart, mappingEnd, sequenceStart, sequenceEnd
    case scalar, alias
  }

  enum Style: UInt8 {
    case plain, single, double, literal, folded
    case block, flow
    /// A document that its marker starts or ends.
    case marked
  }

  let kind: Kind
  let style: Style
  /// Whether `content` lies in the parser's `text`, because it is not in the source as it is meant.
  var isContentMade = false
  var properties = YAMLProperties()
  /// The bytes of the source.
  var start: UInt32
  var end: UInt32
  /// The bytes of a scalar's content, or of an alias's name.
  var contentStart: UInt32 = 0
  var contentEnd: UInt32 = 0

  init(_ kind: Kind, _ style: Style, _ range: Range<Int>) {
    self.kind = kind
    self.style = style
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
  }

  var range: Range<Int> { Int(start)..<Int(end) }
  var content: Range<Int> {
    get { Int(contentStart)..<Int(contentEnd) }
    set {
      contentStart = UInt32(truncatingIfNeeded: newValue.lowerBound)
      contentEnd = UInt32(truncatingIfNeeded: newValue.upperBound)
    }
  }
}

/// The anchor and the tag before a node (YAML 1.2.2 §6.9).
struct YAMLProperties {
  /// The bytes of the anchor's name. Empty if there is none.
  private var anchorStart: UInt32 = 0
  private var anchorEnd: UInt32 = 0
  /// The number of the tag in the parser's `tags`, from 1; 0 if there is none.
  var tag: UInt16 = 0

  var isEmpty: Bool { tag == 0 && anchorEnd == 0 }
  var anchor: Range<Int>? {
    get { anchorEnd == 0 ? nil : Int(anchorStart)..<Int(anchorEnd) }
    set {
      anchorStart = UInt32(truncatingIfNeeded: newValue?.lowerBound ?? 0)
      anchorEnd = UInt32(truncatingIfNeeded: newValue?.upperBound ?? 0)
    }
  }
}
