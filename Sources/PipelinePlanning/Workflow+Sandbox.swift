package import PipelineJSONText
import PipelineLanguage
import PipelineTemplates

extension Workflow {
  /// Whether an address of the sandbox is written in the file, or in one that it builds on.
  ///
  /// Addresses that are inputs from outside are not known here.
  package var namesSandbox: Bool {
    document.root.namesSandbox || block.namesSandbox
      // A file that it builds on is not in its document.
      || inputs.contains { $0.defaultValue?.namesSandbox ?? false }
  }
}

extension Block {
  /// Whether a request goes to the sandbox, if its address is written out.
  fileprivate var namesSandbox: Bool {
    (steps + finally).contains { step in
      switch step.action {
      case .request(let request):
        request.endpoint.value.url.isOfSandbox || request.baseURL?.value.url.isOfSandbox == true
      case .block(let block): block.namesSandbox
      case .call, .values, .wait, .fail, .say, .ask: false
      }
    }
  }
}

extension URLTemplate {
  fileprivate var isOfSandbox: Bool { form == .absolute && text.isSandboxAddress }
}

extension JSONNode {
  /// Whether this is an address of the sandbox, or holds one: any text may become a URL.
  package var namesSandbox: Bool {
    switch kind {
    case .string: string?.isSandboxAddress ?? false
    case .array: elements.contains(where: \.namesSandbox)
    case .object: members.contains { $0.value.namesSandbox }
    case .number, .boolean, .null: false
    }
  }
}

extension String {
  fileprivate var isSandboxAddress: Bool { pathInSandbox != nil }
}
