internal import PipelineByteText

/// The blocks inside an `example` block, which are indented.
enum BruExample {
  /// The response that an example keeps; `nil` if it has none.
  static func response(of block: BruBlock) -> SavedResponse? {
    guard let lines = part("response", of: block.lines) else { return nil }
    func entries(_ name: String) -> [BruBlock.Entry] {
      let lines = part(name, of: lines) ?? []
      return BruBlock(name: name, line: block.line, lines: lines).entries.filter { !$0.isOff }
    }
    // Some files have the number and the words in each other's place.
    let status = entries("status").compactMap { Int($0.value) }.first
    return SavedResponse(
      status: status ?? 200, headers: entries("headers").map { ($0.name, $0.value) },
      body: entries("body").first { $0.name.equals(bytes: "content") }?.value)
  }

  /// The lines between `name: {` and its bracket, without their indentation.
  private static func part(_ name: String, of lines: [String]) -> [String]? {
    guard
      let start = lines.firstIndex(where: { line in
        line.hasPrefix(bytes: name + ":") && line.trimmed.hasSuffix(bytes: "{")
      })
    else { return nil }
    let rest = lines[(start + 1)...]
    return rest.prefix { !$0.hasPrefix(bytes: "}") }.map { line in
      line.hasPrefix(bytes: "  ") ? String(line.dropFirst(bytes: 2)) : line
    }
  }
}
