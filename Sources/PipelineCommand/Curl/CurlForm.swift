internal import PipelineByteText

/// One `-F` of curl: `name=value`, `name=@file;type=…;filename=…` or `name=<file`.
struct CurlForm {
  typealias Word = ShellWords.Word

  private(set) var parts: [CurlBody.Part] = []
  private(set) var notes: [String] = []

  /// - Parameter option: `--form-string` takes everything after the `=` as the value.
  init(_ option: CurlOption, _ word: Word) {
    guard let (name, rest) = word.cut(at: "=") else {
      notes.append("a part without a name is not taken over")
      return
    }
    guard option == .form else {
      parts = [CurlBody.Part(name: name, value: rest, kind: .text)]
      return
    }
    let isFile = rest.text.hasPrefix(bytes: "@")
    let isContent = rest.text.hasPrefix(bytes: "<")
    var pieces = Self.pieces(of: rest.dropping(isFile ? "@" : isContent ? "<" : ""))
    var part = CurlBody.Part(
      name: name, value: pieces.removeFirst(),
      kind: isFile ? .file : isContent ? .fileContent : .text)
    for (number, piece) in pieces.enumerated() {
      let text = piece.text.trimmed
      if text.hasPrefix(bytes: "type=") {
        // A media type may have parameters of its own.
        let type = ([text.dropFirst(bytes: 5)] + Self.parameters(pieces[(number + 1)...]))
        part.contentType = type.joined(separator: ";")
      } else if text.hasPrefix(bytes: "filename=") {
        part.filename = String(text.dropFirst(bytes: 9))
      } else if text.hasPrefix(bytes: "headers=") || text.hasPrefix(bytes: "encoder=") {
        notes.append("'\(text.prefix(before: "="))' of the part '\(name.text)' is not taken over")
      }
    }
    add(part)
  }

  /// Several files of one name are a part each.
  private mutating func add(_ part: CurlBody.Part) {
    let paths = part.kind == .file ? part.value.split(at: ",") : [part.value]
    if paths.count > 1 {
      notes.append("the files of '\(part.name.text)' are sent as parts of their own")
    }
    for path in paths {
      var copy = part
      copy.value = path
      if copy.kind == .file, copy.contentType == nil { copy.contentType = Self.type(of: path.text) }
      parts.append(copy)
    }
  }

  /// The parameters after a media type, up to the next key of the part.
  private static func parameters(_ pieces: ArraySlice<Word>) -> [Substring] {
    let keys = ["type=", "filename=", "headers=", "encoder="]
    return pieces.prefix { piece in
      !keys.contains { piece.text.trimmed.hasPrefix(bytes: $0) }
    }.map { Substring($0.text) }
  }

  /// What curl calls a file by the end of its name.
  private static func type(of path: String) -> String? {
    let ending = path.lastIndex(ascii: ".").map { path[$0...].lowercased() } ?? ""
    return types[ending]
  }

  private static let types = [
    ".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png",
    ".svg": "image/svg+xml", ".txt": "text/plain", ".htm": "text/html", ".html": "text/html",
    ".pdf": "application/pdf", ".xml": "application/xml",
  ]

  /// The pieces between semicolons. A text in quotes may hold them: at the beginning of a piece, and
  /// after `filename=`.
  private static func pieces(of word: Word) -> [Word] {
    var pieces: [Word] = []
    var rest = Substring(word.marked).unicodeScalars
    var piece = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"", ["", "filename="].contains(String(piece).trimmed) {
        while let scalar = rest.popFirst(), scalar != "\"" {
          let isEscape = scalar == "\\" && (rest.first == "\\" || rest.first == "\"")
          piece.append(isEscape ? rest.removeFirst() : scalar)
        }
      } else if scalar == ";" {
        pieces.append(Word(marked: String(piece)))
        piece = String.UnicodeScalarView()
      } else {
        piece.append(scalar)
      }
    }
    return pieces + [Word(marked: String(piece))]
  }
}
