import PipelineEditing
import PipelineJSONText
import PipelineRPC
import PipelineTestSupport
import Testing

@testable import PipelineCommand
@testable import SQLiteJournals

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

  @Test func anAttachedDescriptionIsAskedWhileOneTypes() throws {
    let api = """
      openapi: 3.1.0
      servers: [{ url: https://api.example.com }]
      paths:
        /users/{id}:
          get:
            summary: One user
            parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
            responses:
              "200":
                content:
                  application/json:
                    schema: { type: object, properties: { name: { type: string }, nick: {} } }
      """
    let text = """
      {"api": "./users.yaml", "steps": [{"id": "user",
        "endpoint": "GET https://api.example.com/users/7",
        "extract": {"name": "$.n", "whole": "$"}}],
       "outputs": {"name": "{{user.name}}", "nick": "{{user.whole.n}}"}}
      """
    var editor = Editor()
    editor.server = LanguageServer(
      version: "1", files: FileSystem.system.showing(["/work/users.yaml": Array(api.utf8)]))
    try editor.open(text)
    try editor.take(editor.server.settle())
    let found = try #require(editor.sent.last?["params"]?["diagnostics"])
    // An output may be absent.
    #expect(found.elements.map { $0["code"]?.string } == ["undescribed-member"])
    let place = found[0]?["relatedInformation"]?[0]?["location"]
    #expect(place?["uri"]?.string == "file:///work/users.yaml")
    #expect(place?["range"]?["start"]?["line"]?.text == "11")
    for part in ["$.n", "whole.n"] {
      let items = try editor.ask("textDocument/completion", after: part, in: text)
      #expect(items.elements.map { $0["label"]?.string } == ["name", "nick"])
      #expect(items.elements.map { $0["detail"]?.string } == ["a text", "any JSON"])
    }
    let hover = try editor.ask("textDocument/hover", after: "GET https", in: text)
    let said = hover["contents"]?["value"]?.string ?? ""
    #expect(
      said.hasPrefix("GET /users/{id}\nOne user\nParameters: id (path, a whole number, required)"))
    // What the step sends in the end follows.
    #expect(
      said.contains("Responses: 200 (an object)\nDescribed in /work/users.yaml:6\nGET https"))
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

  /// An editor with a folder of three files, of which it shows one.
  private func editor(of folder: TemporaryFolder, _ capabilities: JSONValue) throws -> Editor {
    var editor = Editor()
    _ = try editor.ask(
      "initialize",
      ["rootUri": .string(FileURI.uri(of: folder.path)), "capabilities": capabilities])
    let text = readFile(folder.path + "/a.json") ?? []
    try editor.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(FileURI.uri(of: folder.path + "/a.json")), "version": 7,
          "text": .string(String(decoding: text, as: UTF8.self)),
        ]
      ])
    return editor
  }

  @Test func filesThatAreNotOpenHaveFindings() throws {
    let folder = TemporaryFolder()
    folder.write(#"{"steps":[{"id":"a","endpoint":"GET https://e.com/{{no}}"}]}"#, to: "a.json")
    folder.write(#"{"steps":[{"id":"b","endpoint":"GET https://e.com/{{no}}"}]}"#, to: "b.json")
    folder.write(#"{"steps":[{"id":"c","endpoint":"GET https://e.com/"}]}"#, to: "c.json")
    var editor = try editor(of: folder, ["textDocument": ["diagnostic": [:]]])
    let reports = try editor.ask("workspace/diagnostic", ["previousResultIds": []])["items"]
    let counts = try #require(reports).elements.map { $0["items"]?.count }
    #expect(counts == [1, 1, 0])
    #expect(reports?[0]?["version"]?.text == "7")
    #expect(reports?[1]?["version"]?.isNull == true)
    let known = try #require(reports).elements.map { report -> JSONValue in
      [
        "uri": .string(report["uri"]?.string ?? ""),
        "value": .string(report["resultId"]?.string ?? ""),
      ]
    }
    folder.write(#"{"steps":[{"id":"b","endpoint":"GET https://e.com/"}]}"#, to: "b.json")
    try editor.notify("workspace/didChangeWatchedFiles", ["changes": []])
    let second = try editor.ask("workspace/diagnostic", ["previousResultIds": .array(known)])
    #expect(
      second["items"]?.elements.compactMap { $0["kind"]?.string }
        == ["unchanged", "full", "unchanged"])
    #expect(second["items"]?[1]?["items"]?.count == 0)
  }

  @Test func pathsAreCompleted() throws {
    let folder = TemporaryFolder()
    folder.write(#"{"steps":[{"id":"a","workflow":"p"}]}"#, to: "a.json")
    for name in ["part.json", "part.test.json", "parts/x.json", "other.json"] {
      folder.write(#"{"steps":[]}"#, to: name)
    }
    var editor = try editor(of: folder, [:])
    let found = try editor.ask(
      "textDocument/completion",
      [
        "textDocument": ["uri": .string(FileURI.uri(of: folder.path + "/a.json"))],
        "position": ["line": 0, "character": 33],
      ])
    #expect(found.elements.compactMap { $0["label"]?.string } == ["part.json", "parts/"])
  }

  @Test func theLastRunIsALens() throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow, to: "a.json")
    var editor = Editor()
    let run = try #require(
      StoredRun(
        json:
          #"{"startedAt": 100, "status": "failed", "failed": 3, "requests": 12, "path": "\#(path)"}"#,
        id: "k3f9"))
    editor.server = LanguageServer(
      version: "1", files: .system, lastRuns: LastRuns(now: { 220 }) { [run] })
    _ = try editor.ask("initialize", ["capabilities": [:]])
    try editor.notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(FileURI.uri(of: path)), "text": .string(Self.workflow)]])
    let document: JSONValue = ["textDocument": ["uri": .string(FileURI.uri(of: path))]]
    let lenses = try editor.ask("textDocument/codeLens", document)
    let command = try #require(lenses[2]?["command"])
    #expect(command["title"]?.string == "last run 2 min ago: 3 failed, 12 requests")
    try editor.take(
      editor.server.receive(
        .request(RPCIdentifier(98), method: "workspace/executeCommand", command)))
    #expect(editor.orders.map(\.arguments) == [["runs", "show", "k3f9"]])
  }

  @Test func hoverShowsTheValueOfTheLastRun() throws {
    let text = Self.workflow.replacing(
      "\"total\": \"$.total\"",
      with: "\"total\": \"$.total\", \"key\": {\"body\": \"$.key\", \"secret\": true}"
    ).replacing("😀{{list.total}}", with: "{{list.total}}{{list.key}}")
    let run = try #require(
      StoredRun(
        json: #"{"startedAt": 100, "status": "succeeded", "path": "/work/a.json"}"#, id: "k3f9"))
    let values = try JSONDocument.parse(Array(#"{"total": 12, "key": "k"}"#.utf8))
    var editor = Editor()
    editor.server = LanguageServer(
      version: "1", files: .system,
      lastRuns: LastRuns(
        now: { 220 }, readValues: { $0 == "list" && $1 == "k3f9" ? values : nil },
        read: { [run] }))
    try editor.open(text)
    let total = try editor.ask("textDocument/hover", after: "{{list.to", in: text)
    let shown = try #require(total["contents"]?["value"]?.string)
    #expect(shown.hasSuffix("Last run, 2 min ago: such as 12"), "\(shown)")
    let key = try editor.ask("textDocument/hover", after: "{{list.ke", in: text)
    let hidden = try #require(key["contents"]?["value"]?.string)
    #expect(hidden.hasSuffix("Value: •••"), "\(hidden)")
  }

  @Test func hoverAtAStepsHeadShowsWhatItSendsInTheEnd() throws {
    let text = Self.workflow.replacing(
      "\"steps\"", with: "\"defaults\": {\"timeout\": \"9s\"},\n\"steps\"")
    var editor = Editor()
    try editor.open(text)
    for mark in ["\"id\": \"us", "GET https://api.example.com/users/"] {
      let hover = try editor.ask("textDocument/hover", after: mark, in: text)
      let lines = try #require(hover["contents"]?["value"]?.string)
      #expect(lines.contains("limits 9s in all"), "\(lines)")
    }
    let name = try editor.ask("textDocument/hover", after: "\"tot", in: text)
    #expect(name["contents"]?["value"]?.string?.contains("Read by step 'user'") == true)
  }

  @Test func selectedStepsBecomeAFile() throws {
    let folder = TemporaryFolder()
    folder.write(Self.workflow, to: "a.json")
    folder.write("{}", to: "list.json")
    var editor = try editor(
      of: folder,
      [
        "textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]],
        "workspace": [
          "workspaceEdit": ["documentChanges": true, "resourceOperations": ["create"]]
        ],
      ])
    let actions = try editor.ask(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(FileURI.uri(of: folder.path + "/a.json"))],
        "range": [
          "start": ["line": 3, "character": 0], "end": ["line": 4, "character": 3],
        ],
        "context": ["diagnostics": [], "only": ["refactor.extract"]],
      ])
    let action = try #require(actions.elements.first { _ in true })
    #expect(action["title"]?.string == "make a file of the selected steps, 'list2.json'")
    let changes = try #require(action["edit"]?["documentChanges"])
    #expect(changes[0]?["kind"]?.string == "create")
    #expect(changes[0]?["uri"]?.string?.hasSuffix("/list2.json") == true)
    #expect(changes[2]?["textDocument"]?["version"]?.text == "7")
    #expect(changes[2]?["edits"]?[0]?["newText"]?.string?.contains("list2.json") == true)
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

/// A rename from an editor changes every file that knows the name.
@Suite struct RenamingServerTests {
  /// An editor in a copy of the samples.
  private final class Editor {
    let folder = TemporaryFolder()
    private var server = LanguageServer(version: "1", files: .system)
    private var answers: [JSONNode] = []
    private var number = 0

    init(_ folder: String) throws {
      _ = Tool.run(["cp", "-R", folder, "workflows"], in: self.folder)
      _ = try ask(
        "initialize",
        [
          "rootUri": .string("file://" + self.folder.path),
          "capabilities": ["textDocument": ["rename": ["prepareSupport": true]]],
        ])
    }

    private func take(_ effects: [LanguageServer.Effect]) throws {
      for case .send(let bytes) in effects { answers.append(try JSONDocument.parse(bytes).root) }
    }

    func notify(_ method: String, _ parameters: JSONValue) throws {
      try take(server.receive(.notification(method: method, parameters.node)))
    }

    func ask(_ method: String, _ parameters: JSONValue) throws -> JSONNode {
      number += 1
      try take(server.receive(.request(RPCIdentifier(number), method: method, parameters.node)))
      let answer = try #require(answers.last { $0["id"]?.text == "\(number)" })
      return try #require(answer["result"] ?? answer["error"])
    }

    func uri(_ name: String) -> String { "file://\(folder.path)/workflows/\(name)" }

    func text(_ name: String) -> EditedText {
      EditedText(readFile("\(folder.path)/workflows/\(name)") ?? [], .utf16)
    }

    func show(_ name: String) throws {
      let text = String(decoding: text(name).bytes, as: UTF8.self)
      let document: JSONValue = [
        "uri": .string(uri(name)), "languageId": "json", "version": 1, "text": .string(text),
      ]
      try notify("textDocument/didOpen", ["textDocument": document])
    }

    func hide(_ name: String) throws {
      try notify("textDocument/didClose", ["textDocument": ["uri": .string(uri(name))]])
    }

    func ask(
      _ method: String, _ name: String, at offset: Int, _ more: [JSONValue.Member] = []
    ) throws -> JSONNode {
      let place = text(name).position(at: offset)
      return try ask(
        method,
        .object(
          [
            .init("textDocument", ["uri": .string(uri(name))]),
            .init(
              "position",
              ["line": JSONValue(place.line), "character": JSONValue(place.character)]),
          ] + more))
    }

    /// Carries out an edit on the disk; gives the names of the changed files.
    func apply(_ edit: JSONNode) throws -> [String] {
      var names: [String] = []
      for change in try #require(edit["changes"], "\(edit.text)").members {
        let name = String(change.name.dropFirst(uri("").count))
        var text = text(name)
        let edits = change.value.elements.sorted {
          (ProtocolValue.range($0["range"] ?? $0)?.lowerBound ?? .init(line: 0, character: 0))
            > (ProtocolValue.range($1["range"] ?? $1)?.lowerBound ?? .init(line: 0, character: 0))
        }
        for edit in edits {
          text.apply(
            TextChange(
              range: edit["range"].flatMap { ProtocolValue.range($0) },
              text: edit["newText"]?.string ?? ""))
        }
        folder.write(text.bytes, to: "workflows/" + name)
        names.append(name)
      }
      return names.sorted()
    }
  }

  private static let root = Conformance.packageRoot + "/workflows"

  private static let samples =
    LongTests.areWanted
    ? Conformance.files(in: root, ending: ".json").map { String($0.dropFirst(root.count + 1)) }
    : ["parts/bank.json", "export.json"]

  @Test(arguments: samples)
  func everyNameOfASampleIsRenamedInAllFilesAndBack(_ name: String) throws {
    let editor = try Editor(Self.root)
    let bytes = editor.text(name).bytes
    var seen: Set<String> = []
    var renamed = 0
    for offset in bytes.indices where offset > 0 && bytes[offset - 1] == UInt8(ascii: "\"") {
      try editor.show(name)
      let place = try editor.ask("textDocument/prepareRename", name, at: offset)
      guard let old = place["placeholder"]?.string, seen.insert(place.text).inserted else {
        try editor.hide(name)
        continue
      }
      let edit = try editor.ask(
        "textDocument/rename", name, at: offset, [.init("newName", "renamed_name")])
      if let refusal = edit["message"]?.string {
        #expect(refusal.contains("$object"), "\(old): \(refusal)")
        try editor.hide(name)
        continue
      }
      try editor.hide(name)
      let files = try editor.apply(edit)
      let first = try #require(
        edit["changes"]?[editor.uri(name)]?.elements.compactMap {
          $0["range"].flatMap { ProtocolValue.range($0)?.lowerBound }
        }.min())
      try editor.show(name)
      let back = try editor.ask(
        "textDocument/rename", name, at: editor.text(name).offset(of: first),
        [.init("newName", .string(old))])
      try editor.hide(name)
      #expect(try editor.apply(back) == files, "\(old)")
      for file in files {
        #expect(readFile(Self.root + "/" + file) == editor.text(file).bytes, "\(old) in \(file)")
      }
      renamed += 1
    }
    #expect(renamed > 0)
  }

  @Test(arguments: [
    ("portfolio.json", #""id": "ea"#, "its recording"),
    ("parts/account.json", #""inputs": { "us"#, "its callers"),
    ("parts/account.json", #""id": "us"#, "recordings of its callers"),
    ("parts/bank.json", #""inputs": { "#, "the files that build on it"),
    ("export.json", #""state": { "#, "its tests"),
    ("months.json", #""state": { "#, "its tests, by key"),
    ("users.json", #""id": "li"#, "its tests and its recording"),
  ])
  func testsHoldAfterARename(name: String, mark: String, _: String) async throws {
    let editor = try Editor(Self.root)
    let text = String(decoding: editor.text(name).bytes, as: UTF8.self)
    let written = text.filter { !$0.isWhitespace }
    #expect(written.contains(mark.filter { !$0.isWhitespace }), "\(mark)")
    // The mark without the blanks that the layout may have.
    let parts = mark.split(separator: " ", omittingEmptySubsequences: true)
    var place = text.startIndex
    for part in parts { place = try #require(text[place...].firstRange(of: part)).upperBound }
    if mark.hasSuffix("{ ") { place = try #require(text[place...].firstIndex(of: "\"")) }
    let offset =
      text.utf8.distance(from: text.startIndex, to: place) + (mark.hasSuffix("{ ") ? 1 : 0)
    try editor.show(name)
    let edit = try editor.ask(
      "textDocument/rename", name, at: offset, [.init("newName", "renamed")])
    let files = try editor.apply(edit)
    #expect(files.count > 1, "\(files)")
    let folder = editor.folder.path + "/workflows"
    let lint = await pipeline(
      ["lint", "--strict"] + files.filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 })
    #expect(lint.status == .success, "\(lint.output)")
    let concerned = ["/tests", "/tests/parts"].flatMap { part in
      Conformance.files(in: folder + part, ending: ".test.json").filter { test in
        let text = String(decoding: readFile(test) ?? [], as: UTF8.self)
        return files.contains { text.contains($0.split(separator: "/").last ?? "") }
      }
    }
    #expect(!concerned.isEmpty)
    let tests = await pipeline(["test"] + concerned)
    #expect(tests.status == .success, "\(tests.error)")
  }
}
