import PipelineByteText
import PipelineJSONText
import PipelineSourceText

// The settings of requests as other tools write them.

extension ForeignMember {
  var ofStep: DiagnosticFix? {
    switch word {
    case "http", "https", "request", "req", "requester", "call.http", "get", "post", "put", "patch",
      "delete":
      return request
    case "with", "args", "arguments":
      return object["workflow"] == nil ? nil : writing("inputs", value.text)
    case "name": return name
    case "method", "verb": return method
    case "type": return value.string != nil && hasAction ? removal : nil
    case "followredirects", "followredirect", "allowredirects", "redirect", "location":
      return value.boolean.flatMap { $0 ? removal : writing("redirects", "0") }
    case "maxredirects": return value.number.flatMap { _ in writing("redirects", value.text) }
    case "insecure", "verify", "verifyssl", "rejectunauthorized", "strictssl", "skipverify", "ssl":
      return value.boolean.flatMap { _ in removal }
    case "failfast", "stoponerror":
      return value.boolean.flatMap { writing("onItemError", $0 ? "\"fail\"" : "\"collect\"") }
    case "continueonitemerror":
      return value.boolean.flatMap { writing("onItemError", $0 ? "\"collect\"" : "\"fail\"") }
    case "sleep", "delay", "pause":
      return hasAction ? nil : durationText.flatMap { writing("wait", "\"\($0)\"") }
    case "username", "user", "login", "basic": return basic { "{ \"basic\": \($0) }" }
    case "else": return value.kind == .object ? writing("otherwise", value.text) : nil
    case "onfailure", "onfail", "onexception", "errorhandling", "catch": return onError
    case "onstatus", "oncode", "onhttpstatus", "statushandlers": return recovery
    case "inspect", "dump", "log", "print", "debug", "echo", "stream", "streaming", "sse":
      return hasAction ? removal : nil
    default: return nil
    }
  }

  private var hasAction: Bool { LanguageAction.allCases.contains { object[$0.rawValue] != nil } }

  private var name: DiagnosticFix? {
    guard let text = value.string else { return nil }
    if object["id"] != nil { return writing("description", value.text) }
    guard !WorkflowDecoder.isName(text), let id = WorkflowDecoder.nearestName(to: text) else {
      return nil
    }
    return writing("id", "\"\(id)\"")
  }

  /// The method moves before the URL.
  private var method: DiagnosticFix? {
    guard let method = value.string, let endpoint = object["endpoint"], let url = endpoint.string
    else { return nil }
    let word = String(url.prefix(before: " "))
    let isWritten =
      word.utf8.count < url.utf8.count && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    let rest = isWritten ? String(url.dropFirst(bytes: word.utf8.count + 1)) : url
    let text = Self.quoted(method.uppercased() + " " + rest)
    return .suggesting(
      "write \"endpoint\": \(text)",
      [object.removing(member), .init(range: endpoint.range, replacement: text)])
  }

  /// `"http": {"method": …, "url": …}` as members of the step.
  private var request: DiagnosticFix? {
    guard value.kind == .object, object["endpoint"] == nil else { return nil }
    let isMethod = ["get", "post", "put", "patch", "delete"].contains(word)
    var method = isMethod ? word.uppercased() : "GET"
    var url: String?
    var members: [String] = []
    for field in value.members {
      switch LanguageAliases.folded(field.name) {
      case "method", "verb": method = field.value.string?.uppercased() ?? method
      case "url", "uri", "path", "endpoint", "href": url = field.value.string
      case "headers", "header": members.append("\"headers\": \(field.value.text)")
      case "query", "params", "queryparams", "queryparameters", "qs":
        members.append("\"query\": \(field.value.text)")
      case "body", "json", "data", "payload":
        members.append("\"body\": \(Self.body(field.value))")
      case "auth": members.append("\"auth\": \(field.value.text)")
      case "timeout": members.append("\"timeout\": \(field.value.text)")
      default: return nil
      }
    }
    guard let url else { return nil }
    members.insert("\"endpoint\": \(Self.quoted(method + " " + url))", at: 0)
    let range = member.nameRange.lowerBound..<value.range.upperBound
    return .suggesting(
      "write 'endpoint'", [.init(range: range, replacement: members.joined(separator: ", "))])
  }

  /// A body as it is written here, if it is not already.
  private static func body(_ value: JSONNode) -> String {
    let isOurs =
      value.kind == .object && value.count == 1
      && value.members.contains { LanguageObject.body[$0.name] != nil }
    return isOurs ? value.text : "{\"\(value.kind == .string ? "text" : "json")\": \(value.text)}"
  }

  private var onError: DiagnosticFix? {
    switch value.string?.lowercased() {
    case "continue", "ignore", "skip", "proceed": writing("onError", "\"continue\"")
    case "stop", "fail", "abort", "exit": writing("onError", "\"fail\"")
    default: nil
    }
  }

  /// `{"404": …}` and `[404]`: the statuses that are not failures.
  private var recovery: DiagnosticFix? {
    let codes =
      value.kind == .object
      ? value.members.map(\.name) : value.kind == .array ? value.elements.map(\.text) : [value.text]
    guard !codes.isEmpty, codes.allSatisfy({ Int($0).map { (100...599).contains($0) } ?? false })
    else { return nil }
    return writing("onError", "{ \"recover\": [\(codes.joined(separator: ", "))] }")
  }

  // MARK: - Sign-in

  /// A user and a password that lie side by side.
  private func basic(_ shape: (String) -> String) -> DiagnosticFix? {
    guard value.kind == .string, let password = beside("password", "pass", "pwd") else {
      return nil
    }
    let text = shape("{ \"user\": \(value.text), \"password\": \(password.value.text) }")
    return writing(kind == .auth ? "basic" : "auth", text, without: [password])
  }

  /// `{"type": "bearer", "token": …}` as an object of this language.
  var scheme: DiagnosticFix? {
    var fields: [String: JSONNode] = [:]
    for field in object.members { fields[LanguageAliases.folded(field.name)] = field.value }
    func take(_ words: String...) -> String? {
      for word in words { if let node = fields.removeValue(forKey: word) { return node.text } }
      return nil
    }
    let type = take("type", "scheme", "kind", "mode")
    let name = LanguageAliases.folded(type.map { String($0.dropFirst().dropLast()) } ?? "")
    if !name.isEmpty, object[name]?.kind == .object { return removal }
    let text: String
    switch name {
    case _ where fields["clientid"] != nil:
      guard let url = take("tokenurl", "accesstokenurl", "url"), let id = take("clientid"),
        let secret = take("clientsecret")
      else { return nil }
      text =
        "{ \"oauth2\": { \"tokenURL\": \(url), \"clientId\": \(id), \"clientSecret\": \(secret) } }"
    case "bearer", "token", "jwt", "bearertoken":
      guard let token = take("token", "bearer", "bearertoken", "accesstoken", "value", "jwt") else {
        return nil
      }
      text = "{ \"bearer\": \(token) }"
    case "", "basic", "digest":
      guard let user = take("user", "username", "login"),
        let password = take("password", "pass", "pwd")
      else { return nil }
      let key = name.isEmpty ? "basic" : name
      text = "{ \"\(key)\": { \"user\": \(user), \"password\": \(password) } }"
    default: return nil
    }
    return fields.isEmpty ? .replacing(object.range, with: text, isSafe: false) : nil
  }

  // MARK: - Bodies

  /// The bodies of Postman, and the parts of a GraphQL request.
  var body: DiagnosticFix? {
    switch word {
    case "mode", "options": return object.count > 1 ? removal : nil
    case "type", "contenttype", "mimetype":
      return object.members.contains { LanguageObject.body[$0.name] != nil } ? removal : nil
    case "raw":
      guard let text = value.string else { return nil }
      let isJSON = text.hasPrefix(bytes: "{") || text.hasPrefix(bytes: "[")
      if isJSON, (try? JSONDocument.parse(Array(text.utf8))) != nil { return writing("json", text) }
      return writing("text", value.text)
    case "urlencoded", "formurlencoded", "formparams":
      return value.kind == .array ? pairs(of: value).flatMap { writing("form", $0) } : nil
    case "formdata", "multipartform", "multipartformdata":
      return parts(of: value).flatMap { writing("multipart", $0) }
    case "query":
      let others = [beside("variables"), beside("operationname")].compactMap { $0 }
      let members = others.map { ", \"\($0.name)\": \($0.value.text)" }.joined()
      return writing("graphql", "{ \"query\": \(value.text)\(members) }", without: others)
    case "variables", "operationname":
      guard let graphql = object["graphql"] else { return nil }
      return .suggesting(
        "write it into 'graphql'",
        [object.removing(member), graphql.setting(member.name, to: value.text)])
    default: return nil
    }
  }

  /// `[{"key": …, "value": …}]` as an object.
  private func pairs(of list: JSONNode) -> String? {
    var members: [String] = []
    for pair in list.elements {
      guard let name = pair["key"] ?? pair["name"], name.kind == .string, let value = pair["value"]
      else { return nil }
      members.append("\(name.text): \(value.text)")
    }
    return members.isEmpty ? nil : "{ " + members.joined(separator: ", ") + " }"
  }

  /// `[{"key": …, "type": "file", "src": …}]`, or an object of fields, as parts.
  private func parts(of value: JSONNode) -> String? {
    var parts: [String] = []
    for part in value.elements {
      guard let name = part["key"] ?? part["name"] else { return nil }
      if let file = part["src"] ?? part["file"] {
        parts.append("{ \"name\": \(name.text), \"file\": \(file.text) }")
      } else if let text = part["value"] {
        parts.append("{ \"name\": \(name.text), \"value\": \(text.text) }")
      } else {
        return nil
      }
    }
    for field in value.members {
      parts.append("{ \"name\": \(Self.quoted(field.name)), \"value\": \(field.value.text) }")
    }
    return parts.isEmpty ? nil : "[" + parts.joined(separator: ", ") + "]"
  }

  // MARK: - Pages

  /// `{"type": "cursor", "path": …}`, and conditions on whether a page follows.
  var pagination: DiagnosticFix? {
    switch word {
    case "type", "strategy", "mode", "kind", "style": return form
    case "hasmore", "hasnext":
      guard let text = value.string, text.hasPrefix(bytes: "$.") else { return nil }
      return writing("while", Self.quoted("@.body\(text.dropFirst(bytes: 1)) == true"))
    case "until", "stop", "stopwhen", "stopcondition":
      guard let text = value.string, text.contains(bytes: "@.") else { return nil }
      return writing("while", Self.quoted("!(\(text))"))
    default: return nil
    }
  }

  private var form: DiagnosticFix? {
    let word = LanguageAliases.folded(value.string ?? "")
    guard let form = Pagination.forms.first(where: { $0.elsewhere.types.hasWord(word) }) else {
      return nil
    }
    if object[form.lead] != nil { return removal }
    let holder = object.members.first {
      form.elsewhere.values.hasWord(LanguageAliases.folded($0.name))
    }
    guard let text = holder?.value.text ?? form.elsewhere.usual else { return nil }
    return writing(form.lead, text, without: [holder].compactMap(\.self))
  }
}

extension String {
  /// Whether it has a word, between blanks.
  fileprivate func hasWord(_ word: String) -> Bool {
    split(ascii: " ").contains { $0.equals(bytes: word) }
  }
}
