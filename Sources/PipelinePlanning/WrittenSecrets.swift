import PipelineByteText
import PipelineJSONText
package import PipelineLanguage
package import PipelineSourceText
import PipelineTemplates

/// The credentials that are in a workflow file itself. Everybody can read them in the file, but
/// they are hidden in printed text.
package struct WrittenSecrets {
  /// The secrets found, by place.
  package private(set) var found: [Range<Int>: What] = [:]

  var ranges: Set<Range<Int>> { Set(found.keys) }

  /// Why a text is taken for a credential.
  package enum What: Hashable {
    /// It is given to an input that is secret.
    case input(String)
    /// It is in `auth`, in a header for credentials, or in a URL before the host.
    case credential
    case cookie(String)
    /// A parameter, field or member of this name holds it.
    case named(String)
    /// It looks like one.
    case shape
  }

  /// - Parameter secretInputs: The secret inputs of a called file, by its path as written.
  package init(of workflow: Workflow, secretInputs: (Call) -> Set<String>) {
    let secrets = Set(workflow.inputs.filter(\.isSecret).map(\.name))
    for input in workflow.inputs where input.isSecret {
      if let value = input.defaultValue { addAll(of: value, .input(input.name)) }
      for value in input.allowed { addAll(of: value, .input(input.name)) }
    }
    for environment in workflow.environments {
      for member in environment.values where secrets.contains(member.name) {
        addAll(of: member.value, .input(member.name))
      }
    }
    for value in workflow.state {
      if let node = value.defaultValue { add(node, named: value.name) }
      if let next = value.next { add(next.value.node, named: value.name) }
    }
    add(workflow.block, secretInputs)
  }

  private mutating func add(_ block: Block, _ secretInputs: (Call) -> Set<String>) {
    for field in block.outputs ?? [] { add(field.value.node, named: field.name) }
    for step in block.steps + block.finally {
      for field in step.otherwise ?? [] { add(field.value.node, named: field.name) }
      switch step.action {
      case .request(let request): add(request)
      case .block(let inner): add(inner, secretInputs)
      case .values(let fields):
        for field in fields { add(field.value.node, named: field.name) }
      case .call(let call):
        let secrets = secretInputs(call)
        for field in call.inputs {
          if secrets.contains(field.name), field.value.uses.isEmpty {
            addAll(of: field.value.node, .input(field.name))
          } else {
            add(field.value.node, named: field.name)
          }
        }
      case .fail(let failure):
        if let details = failure.details { add(details.node, named: "") }
      case .wait, .say, .ask: break
      }
    }
  }

  private mutating func add(_ request: Request) {
    if let settle = request.settle { add(settle.request) }
    for header in request.headers {
      let isCredential = Self.headers.contains { header.name.equalsIgnoringASCIICase($0) }
      let isCookie = header.name.equalsIgnoringASCIICase("cookie")
      add(
        header.value, named: header.name,
        isCookie ? .cookie(header.name) : isCredential ? .credential : nil)
    }
    for cookie in request.cookies {
      add(cookie.value, named: cookie.name, .cookie(cookie.name))
    }
    for parameter in request.query { add(parameter.value, named: parameter.name, nil) }
    addParameters(of: request.endpoint)
    if let proxy = request.proxy, let userinfo = Self.userinfo(in: proxy.value.text) {
      found[proxy.range(of: userinfo)] = .credential
    }
    for secret in request.auth?.scheme.form.secrets ?? [] { add(secret) }
    switch request.body?.content {
    case .form(let fields):
      for field in fields { add(field.value, named: field.name, nil) }
    case .multipart(let parts):
      for part in parts {
        if case .value(let data) = part.content { add(data.node, named: part.name.value.text) }
      }
    case .json(let data), .madeText(let data): add(data.node, named: "")
    case .text(let text): for line in text.lines { add(line.node, named: "") }
    case .graphQL(let operation):
      for line in operation.query.lines { add(line.node, named: "") }
      if let variables = operation.variables { add(variables.node, named: "") }
    case .file, nil: break
    }
  }

  /// Where the user and password are in a URL, however malformed it is; `nil` if it has none.
  private static func userinfo(in url: String) -> Range<Int>? {
    let bytes = Array(url.utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: "://".utf8) }.map { $0 + 3 } ?? 0
    return bytes[start...].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
  }

  private static let headers = ["authorization", "cookie", "proxy-authorization"]

  private mutating func add(_ template: Written<Template>) {
    guard template.value.literal?.isEmpty == false else { return }
    found[template.range] = .credential
  }

  /// - Parameter what: The reason, whatever the value looks like.
  private mutating func add(_ data: DataTemplate, named name: String, _ what: What?) {
    if let what, data.uses.isEmpty {
      addAll(of: data.node, what)
    } else {
      add(data.node, named: name)
    }
  }

  /// The parts of a value that have the name or the look of a credential.
  private mutating func add(_ node: JSONNode, named name: String) {
    switch node.kind {
    case .string:
      guard !node.utf8.contains(UInt8(ascii: "{")) || KnownCredentials.name(in: node) != nil,
        node.string?.isEmpty == false
      else { return }
      if KnownCredentials.name(in: node) != nil {
        found[node.range] = .shape
      } else if CredentialNames.isField(name) {
        found[node.range] = .named(name)
      }
    case .number: if CredentialNames.isField(name) { found[node.range] = .named(name) }
    case .array: for element in node.elements { add(element, named: name) }
    case .object: for member in node.members { add(member.value, named: member.name) }
    case .boolean, .null: break
    }
  }

  /// Each text and number in a value.
  private mutating func addAll(of node: JSONNode, _ what: What) {
    switch node.kind {
    case .string: if node.string?.isEmpty == false { found[node.range] = what }
    case .number: found[node.range] = what
    case .array: for element in node.elements { addAll(of: element, what) }
    case .object: for member in node.members { addAll(of: member.value, what) }
    case .boolean, .null: break
    }
  }

  /// The values of a URL's parameters that have the name of a credential.
  private mutating func addParameters(of endpoint: Written<Endpoint>) {
    for range in CredentialNames.values(in: endpoint.value.text) {
      found[endpoint.range(of: range)] = .named("")
    }
  }
}

extension Plan {
  /// A file of the workflow, or its base file, with the parts to hide.
  package func shown(_ file: SourceFile) -> SourceFile {
    writtenSecrets.isEmpty ? file : workflow.shown(file, hiding: writtenSecrets)
  }
}

extension Workflow {
  fileprivate func shown(_ file: SourceFile, hiding ranges: Set<Range<Int>>) -> SourceFile {
    file.hiding(
      ranges.compactMap { range in
        let place = place(of: range)
        return place.file.name == file.name ? place.range : nil
      })
  }

  /// The file with its credentials marked as hidden, up to the part that was read.
  package var shownSource: SourceFile {
    shown(source, hiding: WrittenSecrets(of: self) { _ in [] }.ranges)
  }
}
