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
    /// Texts and the contents of files, one after another.
    case pieces([Piece])
    case file(Word)
    case multipart([Part])
  }

  enum Piece {
    case text(Word)
    case file(Word)
    /// The content of a file without its line ends.
    case lines(Word)
  }

  struct Part {
    enum Kind {
      case text, file
      /// The content of a file, without its name.
      case fileContent
    }

    var name: Word
    var value: Word
    var kind: Kind
    var filename: String?
    var contentType: String?
  }

  private(set) var content = Content.none
  /// What `-G` and `--url-query` put into the URL.
  private(set) var query: [Word] = []
  /// The file that `-T` sends. curl adds its name to a URL that ends with a slash.
  private(set) var uploaded: Word?
  /// Headers, in lower case, that the body brings itself.
  private(set) var impliedHeaders: Set<String> = []
  /// The media type that curl gives the body, unless a header does.
  private(set) var addedType: String?
  private(set) var notes: [String] = []
  /// What the workflow lacks.
  private(set) var refusals: [String] = []

  init(_ command: CurlCommand) {
    let named = Self.contentType(of: command)
    query = command.options.filter { $0.option == .urlQuery }.compactMap { queryField($0.value) }
    if let path = command.value(.uploadFile) {
      uploaded = path
      content = .file(path)
      if ["-", "."].contains(path.text) {
        notes.append("-T \(path.text) reads stdin; name a file in 'body.file'")
      }
      if named == nil {
        notes.append("curl sends no Content-Type with -T; here it is application/octet-stream")
      }
      return
    }
    let forms = command.options.filter { $0.option == .form || $0.option == .formString }
    if !forms.isEmpty {
      let read = forms.map { CurlForm($0.option, $0.value) }
      content = .multipart(read.flatMap(\.parts))
      notes += read.flatMap(\.notes)
      impliedHeaders = ["content-type"]
      return
    }
    let isJSON = command.has(.json)
    let pieces = pieces(of: command)
    if command.has(.get) {
      for case .text(let word) in pieces { query.append(word) }
      if pieces.contains(where: { if case .text = $0 { false } else { true } }) {
        refusals.append("the data of a file is not taken over with -G; write it into the URL")
      }
      return
    }
    guard !pieces.isEmpty else { return }
    let usual = isJSON ? "application/json" : "application/x-www-form-urlencoded"
    let texts = pieces.compactMap { if case .text(let word) = $0 { word } else { nil } }
    if texts.count == pieces.count {
      read(Self.joined(texts, isJSON ? "" : "&"), named ?? (isJSON ? usual : nil), usual)
      return
    }
    addedType = usual
    if pieces.count == 1, case .file(let path) = pieces[0] {
      content = .file(path)
      return
    }
    let separator = Piece.text(Word(parts: [.text("&")]))
    content = .pieces(
      Array(pieces.map { [$0] }.joined(separator: isJSON ? [] : [separator])))
  }

  /// What the data options give, each by itself.
  private mutating func pieces(of command: CurlCommand) -> [Piece] {
    var pieces: [Piece] = []
    for (option, value) in command.options {
      switch option {
      case .json, .data, .dataASCII, .dataBinary:
        guard value.text.hasPrefix(bytes: "@") else {
          pieces.append(.text(value))
          continue
        }
        let path = value.dropping("@")
        if path.text.equals(bytes: "-") {
          notes.append("@- reads stdin; name a file in 'body.file'")
        }
        pieces.append(option == .json || option == .dataBinary ? .file(path) : .lines(path))
      case .dataRaw: pieces.append(.text(value))
      case .dataURLEncode: if let field = encoded(value) { pieces.append(.text(field)) }
      default: continue
      }
    }
    return pieces
  }

  /// Decides from the request's headers what the data is.
  ///
  /// - Parameter usual: The type that curl gives the data, unless a header does.
  private mutating func read(_ data: Word, _ contentType: String?, _ usual: String) {
    let type = contentType?.prefix(before: ";").lowercased()
    let looksLikeJSON = data.text.hasPrefix(bytes: "{") || data.text.hasPrefix(bytes: "[")
    if type == "application/json" || (type == nil && looksLikeJSON),
      let document = try? JSONDocument.parse(Array(data.marked.utf8)),
      !Self.hasNamesTwice(document.root)
    {
      content = .json(JSONValue(document.root))
      impliedHeaders = ["content-type"]
      if type == nil {
        notes.append("curl calls this JSON a form; it is sent as application/json")
      }
    } else if type == nil || type == "application/x-www-form-urlencoded",
      let fields = CurlURL.fields(ofForm: data)
    {
      content = .form(fields)
      impliedHeaders = ["content-type"]
    } else if type?.hasPrefix(bytes: "multipart/") == true, readMultipart(data) {
      impliedHeaders = ["content-type"]
    } else {
      content = .text(data)
      addedType = usual
    }
  }

  /// Whether an object has two members of one name, which our JSON cannot have.
  private static func hasNamesTwice(_ node: JSONNode) -> Bool {
    let names = node.members.map(\.name)
    return Set(names).count != names.count || node.members.contains { hasNamesTwice($0.value) }
      || node.elements.contains { hasNamesTwice($0) }
  }

  /// The parts of a body that a browser has copied as text. It leaves out what is in files.
  private mutating func readMultipart(_ data: Word) -> Bool {
    let parts = MultipartText.parts(of: data.marked)
    guard !parts.isEmpty else { return false }
    content = .multipart(
      parts.map { part in
        guard let name = part.fileName else {
          return Part(
            name: Word(marked: part.name), value: Word(marked: part.value ?? ""), kind: .text,
            contentType: part.type)
        }
        let path = name.split { "/\\".contains($0) }.last.map { String($0) } ?? "file"
        notes.append(
          "the content of '\(path)' is not in the command; put the file beside the workflow")
        return Part(
          name: Word(marked: part.name), value: Word(parts: [.text("./" + path)]), kind: .file,
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

  /// A value of `--url-query`, which encodes as `--data-urlencode` does, unless a `+` comes first.
  private mutating func queryField(_ value: Word) -> Word? {
    value.text.hasPrefix(bytes: "+") ? value.dropping("+") : encoded(value)
  }

  /// A value of `--data-urlencode`: `name=content` or `content`, encoded; `nil` if it is a file.
  ///
  /// curl writes a blank as `+`.
  private mutating func encoded(_ value: Word) -> Word? {
    func encode(_ text: String) -> String {
      URI.percentEncode(text).replacing(bytes: "%20", with: "+")
    }
    if value.text.contains(bytes: "@"), !value.text.contains(bytes: "=") {
      refusals.append("--data-urlencode \(value.text) is not taken over: it encodes a file")
      return nil
    }
    guard let (name, rest) = value.cut(at: "=") else {
      return value.mapTexts(encode) ?? value
    }
    var word = name
    if !name.parts.isEmpty { word.parts.append(.text("=")) }
    word.parts += (rest.mapTexts(encode) ?? rest).parts
    return word
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
  /// The text with its variables marked, so that it can be parsed as JSON and taken apart again.
  var marked: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .variable(let name): "\(ForeignCommands.open)\(name)\(ForeignCommands.close)"
      }
    }.joined()
  }

  /// A word of a text with marks.
  init(marked text: String) {
    var rest = Substring(text).unicodeScalars
    while let start = rest.firstIndex(of: ForeignCommands.open),
      let end = rest[start...].firstIndex(of: ForeignCommands.close)
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

  /// Without the blanks at its ends.
  var trimmed: ShellWords.Word {
    var word = self
    while case .text(let text) = word.parts.last, let last = text.unicodeScalars.last,
      last.properties.isWhitespace
    {
      word = word.droppingLast(String(last).utf8.count)
    }
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
