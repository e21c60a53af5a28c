internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineURIs
internal import Synchronization

// Where references lead. Nothing is fetched: a URL leads to a file only if `$self` or `$id` names it.

extension APIDescription {
  /// What a reference points to.
  ///
  /// - Parameter node: The value that holds the reference, on whose place its meaning depends.
  func target(of reference: String, from node: DescribedNode) -> DescribedNode? {
    let file = node.file
    let part = file.mayNameParts ? file.index.resource(around: node.node) : 0
    let key = "\(file.path)\n\(part)\n\(reference)"
    if let known = followed.withLock({ $0.targets[key] }) { return known }
    let found = find(reference, from: Part(file: file, number: part))
    followed.withLock { $0.targets[key] = .some(found) }
    return found
  }

  /// What a `$dynamicRef` points to (JSON Schema 2020-12 §8.2.3.2).
  ///
  /// - Returns: `nil` if there are several dynamic anchors of its name, so that the path to it
  ///   would decide.
  func dynamicTarget(of reference: String, from node: DescribedNode) -> DescribedNode? {
    let name = String(reference.dropFirst(bytes: reference.prefix(before: "#").utf8.count + 1))
    guard let target = target(of: reference, from: node) else { return nil }
    guard target.node["$dynamicAnchor"]?.string == name else { return target }
    let files = followed.withLock { $0.files }.values.compactMap(\.self)
    return files.reduce(0) { $0 + $1.index.dynamicCount(of: name) } == 1 ? target : nil
  }

  /// A file, or a part of it with a URI of its own.
  private struct Part {
    let file: DescriptionFile
    /// Its number in the index. 0 is the file.
    let number: Int

    var node: JSONNode { number == 0 ? file.root : file.index.resources[number].node }
  }

  private func find(_ reference: String, from part: Part) -> DescribedNode? {
    let path = String(reference.prefix(before: "#"))
    guard let holder = path.isEmpty ? part : self.part(path, from: part) else { return nil }
    let fragment =
      reference.utf8.count > path.utf8.count
      ? String(reference.dropFirst(bytes: path.utf8.count + 1)) : ""
    if fragment.isEmpty || fragment.hasPrefix(bytes: "/") {
      // Many authors count from the file although the schema has an `$id`.
      return Self.value(at: fragment, in: holder.node, of: holder.file)
        ?? Self.value(at: fragment, in: holder.file.root, of: holder.file)
    }
    let name = URI.percentDecode(fragment) ?? fragment
    return holder.file.index.anchor(name, in: holder.number).map {
      DescribedNode(node: $0.node, file: holder.file)
    }
  }

  /// The value at a JSON pointer (RFC 6901 §6).
  private static func value(
    at pointer: String, in root: JSONNode, of file: DescriptionFile
  ) -> DescribedNode? {
    var node = root
    for step in pointer.split(ascii: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = (URI.percentDecode(String(step)) ?? String(step))
        .replacing(bytes: "~1", with: "/").replacing(bytes: "~0", with: "~")
      guard let next = node[name] ?? Int(name).flatMap({ $0 >= 0 ? node[$0] : nil }) else {
        return nil
      }
      node = next
    }
    return DescribedNode(node: node, file: file)
  }

  // MARK: Files

  /// What a reference without its fragment names: a part that has this URI, or a file.
  private func part(_ reference: String, from part: Part) -> Part? {
    let own = part.file.mayNameParts ? part.file.index.resources[part.number].base : ""
    let uri = DescriptionIndex.resolved(reference, own)
    for file in knownFiles where file.mayNameParts {
      if let number = file.index.resource(named: uri) { return Part(file: file, number: number) }
    }
    let isURL = reference.contains(bytes: "://")
    if !isURL, let file = file(reference, from: part.file) { return Part(file: file, number: 0) }
    // A URL below that of a file is a file beside it.
    let whole = part.file.root["$self"]?.string ?? ""
    guard let slash = whole.lastIndex(ascii: "/"), whole.contains(bytes: "://") else { return nil }
    let folder = String(whole[...slash])
    guard uri.hasPrefix(bytes: folder) else { return nil }
    return file(String(uri.dropFirst(bytes: folder.utf8.count)), from: part.file).map {
      Part(file: $0, number: 0)
    }
  }

  /// The files that were read, the main one first.
  private var knownFiles: [DescriptionFile] {
    let files = followed.withLock { $0.files }.values.compactMap(\.self)
    return [file] + files.filter { $0 !== file }.sorted { $0.path < $1.path }
  }

  private func file(_ reference: String, from file: DescriptionFile) -> DescriptionFile? {
    let path = Self.path(reference, from: file.path)
    if let known = followed.withLock({ $0.files[path] }) { return known }
    let found = load(path).flatMap { try? DescriptionFile(path: path, bytes: $0) }
    followed.withLock { $0.files[path] = .some(found) }
    return found
  }

  /// A path beside the file that refers to it, without `.` and `..` where they can be resolved.
  private static func path(_ reference: String, from file: String) -> String {
    let decoded = URI.percentDecode(reference) ?? reference
    if decoded.hasPrefix(bytes: "/") { return decoded }
    var parts = file.split(ascii: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
    for part in decoded.split(ascii: "/").map(String.init) {
      switch part {
      case ".": continue
      case "..":
        if let last = parts.last, last != "..", last != "", last != "." {
          parts.removeLast()
        } else {
          parts.append(part)
        }
      default: parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }
}
