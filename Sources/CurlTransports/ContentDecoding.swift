internal import PipelineByteText
internal import PipelineFormats
import PipelineTransports

/// The content codings of one body, undone as the body comes.
final class ContentDecoding {
  /// In the order in which they are undone: the last one applied comes first.
  private let decoders: [ContentCoding.Decoder]

  /// What libcurl undoes at most, too.
  private static let mostCodings = 5

  /// - Parameter names: The members of `Content-Encoding`, in their order.
  init(_ names: [String]) throws(TransportError) {
    guard names.count <= Self.mostCodings else {
      throw TransportError(.decoding, "the body has \(names.count) content encodings")
    }
    var decoders: [ContentCoding.Decoder] = []
    for name in names.reversed() {
      guard let coding = ContentCoding(name: name), coding.problem == nil else {
        throw TransportError(.decoding, "content encoding '\(name.prefix(40))' is not supported")
      }
      decoders.append(ContentCoding.Decoder(coding))
    }
    self.decoders = decoders
  }

  /// The coding that has not come to its end; `nil` if what has come is whole.
  var unfinished: ContentCoding? { decoders.first { !$0.isWhole }?.coding }

  /// Takes the next piece of the body.
  ///
  /// - Parameter sink: Takes a decoded piece; `false` if it wants no more.
  func take(
    _ piece: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Bool
  ) -> TransportError? {
    var problem: TransportError?
    _ = undo(0, piece, &problem, sink)
    return problem
  }

  /// Returns whether more is wanted.
  private func undo(
    _ index: Int, _ piece: UnsafeRawBufferPointer, _ problem: inout TransportError?,
    _ sink: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard index < decoders.count else { return sink(piece) }
    let decoder = decoders[index]
    switch decoder.unpack(piece, { undo(index + 1, $0, &problem, sink) }) {
    case .goesOn: return true
    case .stopped: return false
    case .broken:
      problem = TransportError(
        .decoding, "the body's \(decoder.coding.rawValue) content is broken")
      return false
    case .noMemory:
      problem = .noMemory
      return false
    }
  }
}
