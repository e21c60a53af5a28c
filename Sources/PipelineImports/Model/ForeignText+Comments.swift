internal import PipelineByteText

extension ForeignText {
  /// The text without comments as JavaScript has them, which some tools leave out of JSON. Those in
  /// strings stay.
  var withoutComments: ForeignText {
    enum Place { case outside, string, escape, line, block }
    var place = Place.outside
    var result = ForeignText()
    for part in parts {
      guard case .text(let text) = part else {
        if place != .line, place != .block { result.append(part) }
        continue
      }
      let bytes = Array(text.utf8)
      var kept: [UInt8] = []
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        let pair = [byte, index + 1 < bytes.count ? bytes[index + 1] : 0]
        switch place {
        case .outside where pair.elementsEqual("//".utf8): place = .line
        case .outside where pair.elementsEqual("/*".utf8):
          place = .block
          index += 1
        case .outside:
          if byte == UInt8(ascii: "\"") { place = .string }
          kept.append(byte)
        case .string:
          if byte == UInt8(ascii: "\"") { place = .outside }
          if byte == UInt8(ascii: "\\") { place = .escape }
          kept.append(byte)
        case .escape:
          place = .string
          kept.append(byte)
        case .line where byte == 0x0A || byte == 0x0D:
          place = .outside
          kept.append(byte)
        case .block where pair.elementsEqual("*/".utf8):
          place = .outside
          index += 1
        case .line, .block: break
        }
        index += 1
      }
      result.append(.text(String(decoding: kept, as: UTF8.self)))
    }
    return result
  }
}
