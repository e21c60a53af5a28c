internal import PipelineByteText

/// Values of a Makefile.
enum MakeText {
  /// The value that `name := value` gives a text without line breaks. The file must define `empty`.
  static func value(_ text: String) -> String {
    var bytes: [UInt8] = []
    var backslashes = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "$"): bytes.append(byte)
      case UInt8(ascii: "#"):
        // Make halves the backslashes before a number sign.
        bytes += [UInt8](repeating: UInt8(ascii: "\\"), count: backslashes + 1)
      default: break
      }
      bytes.append(byte)
      backslashes = byte == UInt8(ascii: "\\") ? backslashes + 1 : 0
    }
    let value = String(decoding: bytes, as: UTF8.self)
    // Blanks at the start and a backslash at the end mean something else.
    let isPlain = text.utf8.first != 0x20 && text.utf8.first != 0x09 && backslashes == 0
    return isPlain ? value : "$(empty)" + value + "$(empty)"
  }
}
