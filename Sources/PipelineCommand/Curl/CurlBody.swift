internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineURIs

/// The body that a curl command sends: its data options together.
struct CurlBody {
  typealias Word = ShellWords.Word

  enum Content {
    case none
    case json(JSONValue)
    case form([(name: String, value: Word)])
    case text(Word)
    case file(Word)
    case multipart([Part])
  }

  struct Part {
    var name: Word
    var value: Word
    var isFile: Bool
    var filename: String?
    var contentType: String?
  }

  private(set) var content = Content.none
  /// What `-G` puts into the URL.
  private(set) var query: [Word] = []
  /// Headers, in lower case, that the body brings itself.
  private(set) var impliedHeaders: Set<String> = []
  private(set) var notes: [String] = []

  init(_ command: CurlCommand) {
    let contentType = Self.contentType(of: command)
    if let path = command.value(.uploadFile) {
      content = .file(path)
      return
    }
    let parts = command.options.filter { $0.option == .form || $0.option == .formString }
    if !parts.isEmpty {
      content = .multipart(parts.compactMap { part($0.option, $0.value) })
      impliedHeaders = ["content-type"]
      return
    }
    let isJSON = command.has(.json)
    var pieces: [Word] = []
    var file: Word?
    for (option, value) in command.options {
      switch option {
      case .json, .data, .dataASCII, .dataBinary:
        if value.text.hasPrefix(bytes: "@") {
          file = value.dropping("@")
        } else {
          pieces.append(value)
        }
      case .dataRaw: pieces.append(value)
      case .dataURLEncode: pieces.append(encoded(value))
      default: continue
      }
    }
    if command.has(.get) {
      query = pieces
      return
    }
    if let file {
      content = .file(file)
      if !pieces.isEmpty || command.has(.data) {
        notes.append("the file '\(file.text)' is sent alone, without the other data")
      }
      if isJSON { impliedHeaders = [] }
      return
    }
    guard !pieces.isEmpty else { return }
    read(Self.joined(pieces, isJSON ? "" : "&"), contentType ?? (isJSON ? "application/json" : nil))
  }

  /// Decides from the request's headers what the data is.
  private mutating func read(_ data: Word, _ contentType: String?) {
    let type = contentType?.prefix(before: ";").lowercased()
    let looksLikeJSON = data.text.hasPrefix(bytes: "{") || data.text.hasPrefix(bytes: "[")
    if type == "application/json" || (type == nil && looksLikeJSON),
      let document = try? JSONDocument.parse(Array(data.marked.utf8))
    {
      content = .json(JSONValue(document.root))
      impliedHeaders = ["content-type"]
      if type == nil {
        notes.append("curl calls this JSON a form; it is sent as application/json")
      }
    } else if type == nil || type == "application/x-www-form-urlencoded",
      let fields = CurlURL.fields(of: data)
    {
      content = .form(fields)
      impliedHeaders = ["content-type"]
    } else if type?.hasPrefix(bytes: "multipart/") == true, readMultipart(data) {
      impliedHeaders = ["content-type"]
    } else {
      content = .text(data)
    }
  }

  /// The parts of a body that a browser has copied as text. It leaves out what is in files.
  private mutating func readMultipart(_ data: Word) -> Bool {
    let parts = MultipartText.parts(of: data.marked)
    guard !parts.isEmpty else { return false }
    content = .multipart(
      parts.map { part in
        guard let name = part.fileName else {
          return Part(
            name: Word(marked: part.name), value: Word(marked: part.value ?? ""), isFile: false,
            contentType: part.type)
        }
        let path = name.split { "/\\".contains($0) }.last.map { String($0) } ?? "file"
        notes.append(
          "the content of '\(path)' is not in the command; put the file beside the workflow")
        return Part(
          name: Word(marked: part.name), value: Word(parts: [.text("./" + path)]), isFile: true,
          contentType: part.type)
      })
    return true
  }

  private static func joined(_ words: [Word], _ separator: String) -> Word {
    var all = Word()
    for (number, word) in words.enumerated() {
      if number > 0, !separator.isEmpty { all.parts.append(.text(separator)) }
      all.parts += word.parts
    }
    return all
  }

  /// A value of `--data-urlencode`: `name=content` or `content`, encoded.
  private mutating func encoded(_ value: Word) -> Word {
    if value.text.contains(bytes: "@"), !value.text.contains(bytes: "=") {
      notes.append("--data-urlencode \(value.text) is not taken over: it encodes a file")
      return Word()
    }
    guard let (name, rest) = value.cut(at: "=") else {
      return value.mapTexts { URI.percentEncode($0) } ?? value
    }
    var word = name
    if !name.parts.isEmpty { word.parts.append(.text("=")) }
    word.parts += (rest.mapTexts { URI.percentEncode($0) } ?? rest).parts
    return word
  }

  /// One `-F`: `name=value`, `name=@file;type=…;filename=…` or `name=<file`.
  private mutating func part(_ option: CurlOption, _ word: Word) -> Part? {
    guard let (name, rest) = word.cut(at: "=") else { return nil }
    let isFile =
      option == .form && (rest.text.hasPrefix(bytes: "@") || rest.text.hasPrefix(bytes: "<"))
    guard option == .form else { return Part(name: name, value: rest, isFile: false) }
    let pieces = rest.split(at: ";")
    var part = Part(
      name: name, value: isFile ? pieces[0].dropping("@").dropping("<") : pieces[0], isFile: isFile)
    var unread: [Word] = []
    for piece in pieces.dropFirst() {
      if piece.text.hasPrefix(bytes: "type=") {
        part.contentType = String(piece.text.dropFirst(bytes: 5))
      } else if piece.text.hasPrefix(bytes: "filename=") {
        part.filename = String(piece.text.dropFirst(bytes: 9))
      } else {
        unread.append(piece)
      }
    }
    if !isFile, !unread.isEmpty { part.value = Self.joined([part.value] + unread, ";") }
    return part
  }

  private static func contentType(of command: CurlCommand) -> String? {
    for (option, value) in command.options where option == .header {
      if let (name, rest) = value.cut(at: ":"), name.text.lowercased() == "content-type" {
        return rest.trimmed.text
      }
    }
    return nil
  }
}

extension ShellWords.Word {
  private static let open: Unicode.Scalar = "\u{F0000}"
  private static let close: Unicode.Scalar = "\u{F0001}"

  /// The text with its variables marked, so that it can be parsed as JSON and taken apart again.
  var marked: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .variable(let name): "\(Self.open)\(name)\(Self.close)"
      }
    }.joined()
  }

  /// A word of a text with marks.
  init(marked text: String) {
    var rest = Substring(text).unicodeScalars
    while let start = rest.firstIndex(of: Self.open),
      let end = rest[start...].firstIndex(of: Self.close)
    {
      if start > rest.startIndex { parts.append(.text(String(rest[..<start]))) }
      parts.append(.variable(String(rest[rest.index(after: start)..<end])))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
  }

  var isVariable: Bool {
    if parts.count == 1, case .variable = parts[0] { true } else { false }
  }

  /// Without the spaces before it.
  var trimmed: ShellWords.Word {
    var word = self
    while case .text(let text) = word.parts.first, let first = text.unicodeScalars.first,
      first.properties.isWhitespace
    {
      word.dropFirst()
    }
    return word
  }

  /// The text after the scheme of an `Authorization`.
  var droppingScheme: ShellWords.Word { (cut(at: " ")?.after ?? self).trimmed }
}
