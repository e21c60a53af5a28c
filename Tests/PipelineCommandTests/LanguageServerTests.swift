import PipelineEditing
import PipelineJSONText
import PipelineRPC
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// What an editor is answered, message by message, without a process.
@Suite struct LanguageServerTests {
  private static let workflow = """
    {
      "steps": [
        {
          "id": "list",
          "endpoint": "GET https://api.example.com/users",
          "extract": { "ids": "$.data[*].id", "total": "$.total" }
        },
        {
          "id": "user",
          "forEach": "$.list.ids",
          "as": "id",
          "endpoint": "GET https://api.example.com/users/{{id}}",
          "query": { "of": "😀{{list.total}}" },
          "extract": { "name": "$.name" }
        }
      ],
      "outputs": { "names": "$.user[*].name" }
    }
    """

  private static let uri = "file:///work/%61.json"

  /// An editor: it keeps the answers.
  private struct Editor {
    var server = LanguageServer(version: "1", files: .system)
    var sent: [JSONNode] = []
    var orders: [RunOrder] = []
    private var number = 0

    mutating func take(_ effects: [LanguageServer.Effect]) throws {
      for effect in effects {
        switch effect {
        case .send(let bytes): sent.append(try JSONDocument.parse(bytes).root)
        case .start(let order): orders.append(order)
        case .stop: break
        }
      }
    }

    mutating func notify(_ method: String, _ parameters: JSONValue) throws {
      try take(server.receive(.notification(method: method, parameters.node)))
    }

    /// The result, or the error's object.
    mutating func ask(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONNode {
      number += 1
      try take(server.receive(.request(RPCIdentifier(number), method: method, parameters.node)))
      let answer = try #require(sent.last { $0["id"]?.text == "\(number)" })
      return try #require(answer["result"] ?? answer["error"])
    }

    mutating func open(_ text: String, capabilities: JSONValue = [:]) throws {
      _ = try ask("initialize", ["processId": nil, "rootUri": nil, "capabilities": capabilities])
      try notify("initialized", [:])
      try notify(
        "textDocument/didOpen",
        [
          "textDocument": [
            "uri": .string(uri), "languageId": "json", "version": 1, "text": .string(text),
          ]
        ])
    }

    /// Asks about the place after a text's first occurrence.
    mutating func ask(
      _ method: String, after part: String, in text: String, _ more: [JSONValue.Member] = []
    ) throws -> JSONNode {
      let end = try #require(text.firstRange(of: part)).upperBound
      let before = text[..<end]
      let line = before.filter { $0 == "\n" }.count
      let start = before.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
      return try ask(
        method,
        .object(
          [
            .init("textDocument", ["uri": .string(uri)]),
            .init(
              "position",
              [
                "line": JSONValue(line), "character": JSONValue(text[start..<end].utf16.count),
              ]),
          ] + more))
    }
  }

  private static var document: JSONValue { ["textDocument": ["uri": .string(uri)]] }

  @Test func nothingIsAnsweredBeforeItBegins() throws {
    var editor = Editor()
    #expect(try editor.ask("textDocument/hover")["code"]?.text == "-32002")
    _ = try editor.ask("initialize", ["capabilities": [:]])
    #expect(try editor.ask("initialize")["code"]?.text == "-32600")
    #expect(try editor.ask("$/unknown")["code"]?.text == "-32601")
    #expect(try editor.ask("shutdown").isNull)
    #expect(try editor.ask("textDocument/hover")["code"]?.text == "-32600")
    try editor.notify("exit", [:])
    #expect(editor.server.state == .ended(.success))
  }

  @Test func anExitWithoutAShutdownIsAFailure() throws {
    var editor = Editor()
    try editor.notify("exit", [:])
    #expect(editor.server.state == .ended(.failure))
  }

  @Test func findingsArePushedAndGoAway() throws {
    var editor = Editor()
    try editor.open(Self.workflow.replacing("list.total", with: "list.totl"))
    try editor.take(editor.server.settle())
    let first = try #require(editor.sent.last?["params"])
    #expect(first["uri"]?.string == Self.uri)
    let finding = try #require(first["diagnostics"]?.elements.first { _ in true })
    #expect(finding["code"]?.string == "unknown-reference")
    // In UTF-16: the emoji before it counts two.
    #expect(finding["range"]?["start"]?["line"]?.text == "12")
    let count = editor.sent.count
    try editor.take(editor.server.settle())
    #expect(editor.sent.count == count)
    try editor.notify("textDocument/didClose", Self.document)
    #expect(editor.sent.last?["params"]?["diagnostics"]?.count == 0)
  }

  @Test func findingsArePulledByEditorsThatCan() throws {
    var editor = Editor()
    try editor.open(
      Self.workflow.replacing("list.total", with: "list.totl"),
      capabilities: ["textDocument": ["diagnostic": [:]]])
    let count = editor.sent.count
    try editor.take(editor.server.settle())
    #expect(editor.sent.count == count)
    let report = try editor.ask("textDocument/diagnostic", Self.document)
    #expect(report["kind"]?.string == "full" && report["items"]?.count == 1)
  }

  @Test func changesApplyInTheirOrder() throws {
    var editor = Editor()
    try editor.open("😀b")
    try editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Self.uri), "version": 2],
        "contentChanges": [
          [
            "range": [
              "start": ["line": 0, "character": 2], "end": ["line": 0, "character": 3],
            ], "text": "\r\nc",
          ],
          [
            "range": [
              "start": ["line": 1, "character": 1], "end": ["line": 1, "character": 9],
            ], "text": "d",
          ],
        ],
      ])
    #expect(editor.server.folder.text("/work/a.json")?.bytes == Array("😀\r\ncd".utf8))
  }

  @Test func keysAndNamesAreCompletedInsideTheirQuotes() throws {
    let text = Self.workflow.replacing("list.total", with: "list.")
    var editor = Editor()
    try editor.open(text)
    let names = try editor.ask("textDocument/completion", after: "{{list.", in: text)
    #expect(Set(names.elements.compactMap { $0["label"]?.string }) == ["ids", "total"])
    let keys = try editor.ask("textDocument/completion", after: "\"forE", in: text)
    let item = try #require(keys.elements.first { $0["label"]?.string == "forEach" })
    #expect(item["textEdit"]?["newText"]?.string == "forEach")
    #expect(item["textEdit"]?["range"]?["start"]?["character"]?.text == "7")
    #expect(item["textEdit"]?["range"]?["end"]?["character"]?.text == "14")
  }

  @Test func hoverIsPlainForEditorsThatShowPlainText() throws {
    var editor = Editor()
    try editor.open(Self.workflow)
    let hover = try editor.ask("textDocument/hover", after: "\"forE", in: Self.workflow)
    #expect(hover["contents"]?["kind"]?.string == "plaintext")
    #expect(hover["contents"]?["value"]?.string?.hasPrefix("forEach\n") == true)
  }

  @Test func everyFindingWithAFixHasAnActionAndWarningsCanBeSilenced() throws {
    let text = Self.workflow.replacing("list.total", with: "list.ids")
    var editor = Editor()
    try editor.open(
      text, capabilities: ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]])
    let whole: JSONValue = [
      "start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0],
    ]
    let actions = try editor.ask(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(Self.uri)], "range": whole,
        "context": ["diagnostics": [], "only": ["quickfix"]],
      ])
    let titles = actions.elements.compactMap { $0["title"]?.string }
    #expect(titles.contains("silence 'unused-extractor' here, with a reason"))
  }

  @Test func theOtherQuestionsHaveAnswers() throws {
    var editor = Editor()
    try editor.open(
      Self.workflow,
      capabilities: [
        "textDocument": ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]]
      ])
    let symbols = try editor.ask("textDocument/documentSymbol", Self.document)
    #expect(symbols.elements.compactMap { $0["name"]?.string } == ["list", "user", "names"])
    #expect(symbols[0]?["children"]?.count == 2)
    let lenses = try editor.ask("textDocument/codeLens", Self.document)
    #expect(
      lenses.elements.compactMap { $0["command"]?["title"]?.string }
        == ["run", "plan", "run only this", "run only this"])
    let hints = try editor.ask("textDocument/inlayHint", Self.document)
    #expect(hints.elements.compactMap { $0["label"]?.string } == ["after list"])
    #expect(try editor.ask("textDocument/foldingRange", Self.document).count > 3)
    let references = try editor.ask(
      "textDocument/references", after: "\"id\": \"li", in: Self.workflow,
      [.init("context", ["includeDeclaration": true])])
    #expect(references.count == 3)
    let found = try editor.ask("workspace/symbol", ["query": "NAME"])
    #expect(found.elements.compactMap { $0["name"]?.string } == ["name", "names"])
    let formatted = try editor.ask("textDocument/formatting", Self.document)
    #expect(formatted.kind == .array)
    let definition = try editor.ask(
      "textDocument/definition", after: "{{list.to", in: Self.workflow)
    #expect(definition["range"]?["start"]?["line"]?.text == "5")
    let selections = try editor.ask(
      "textDocument/selectionRange",
      [
        "textDocument": ["uri": .string(Self.uri)],
        "positions": [["line": 3, "character": 14]],
      ])
    #expect(selections[0]?["parent"]?["parent"] != nil)
  }

  @Test func anUnsafeRunWaitsForItsUser() throws {
    let folder = TemporaryFolder()
    for (method, asks) in [("GET", false), ("POST", true)] {
      let path = folder.write(
        #"{"steps":[{"id":"a","endpoint":"\#(method) https://example.com"}]}"#,
        to: "\(method).json")
      var editor = Editor()
      _ = try editor.ask("initialize", ["capabilities": [:]])
      let command: JSONValue = [
        "command": "pipeline.run", "arguments": [.string(FileURI.uri(of: path)), "a"],
      ]
      try editor.take(
        editor.server.receive(
          .request(RPCIdentifier(99), method: "workspace/executeCommand", command.node)))
      #expect(editor.orders.isEmpty == asks)
      if asks {
        let question = try #require(editor.sent.last?["id"].flatMap { RPCIdentifier($0) })
        let run: JSONValue = ["title": "Run"]
        try editor.take(editor.server.receive(.response(question, .success(run.node))))
      }
      #expect(editor.orders.map(\.arguments) == [["run", path, "--only", "a"]])
    }
  }
}
