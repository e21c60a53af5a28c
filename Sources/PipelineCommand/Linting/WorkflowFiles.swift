internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineSourceText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Finds the workflow files that paths stand for.
struct WorkflowFiles: Sendable {
  /// Which files a folder stands for.
  struct Kinds: OptionSet, Sendable {
    let rawValue: Int

    static let workflows = Kinds(rawValue: 1)
    /// Files whose names end in `.test.json`.
    static let tests = Kinds(rawValue: 2)
  }

  let files: FileSystem
  var kinds = Kinds.workflows

  /// The most bytes that a workflow file may have.
  static let sizeLimit = 64 << 20
  /// How deep folders are searched.
  private static let depthLimit = 32

  /// The files of `paths`, each read once, in order.
  ///
  /// A folder means the files below it that end in `.json` and hold an object with `steps`. Hidden
  /// folders, links to folders and `node_modules` are not entered. Without paths it is the folder
  /// `workflows`, else the current one.
  func read(_ paths: [String]) -> [Result<SourceFile, PathProblem>] {
    var seen: Set<ExactText> = []
    var result: [Result<SourceFile, PathProblem>] = []
    for path in paths.isEmpty ? [defaultFolder] : paths {
      if path == "-" {
        if seen.insert(ExactText(path)).inserted { result.append(readInput()) }
        continue
      }
      switch kind(path) {
      case .failure(let problem): result.append(.failure(problem))
      case .success(.folder):
        let before = result.count
        search(path, depth: 0, &seen, &result)
        if result.count == before {
          result.append(
            .failure(PathProblem(path: path, reason: "no \(noun) is below it" + advice)))
        }
      case .success:
        if seen.insert(ExactText(path)).inserted { result.append(read(path)) }
      }
    }
    return result
  }

  /// One file, as it is run; `-` is stdin.
  func read(_ path: String) -> Result<SourceFile, PathProblem> {
    if path == "-" { return readInput() }
    do {
      return .success(SourceFile(name: path, bytes: try files.read(path, Self.sizeLimit)))
    } catch {
      return .failure(error)
    }
  }

  /// The folder that is read if no paths are given.
  var defaultFolder: String {
    if case .success(.folder) = kind("workflows") { return "workflows" }
    return "."
  }

  private func readInput() -> Result<SourceFile, PathProblem> {
    do {
      return .success(SourceFile(name: "-", bytes: try files.readInput(Self.sizeLimit)))
    } catch {
      return .failure(error)
    }
  }

  private func kind(_ path: String) -> Result<FileSystem.Kind, PathProblem> {
    do {
      return .success(try files.kind(path))
    } catch {
      return .failure(error)
    }
  }

  private func search(
    _ folder: String, depth: Int, _ seen: inout Set<ExactText>,
    _ result: inout [Result<SourceFile, PathProblem>]
  ) {
    let names: [String]
    do {
      names = try files.names(folder)
    } catch {
      result.append(.failure(error))
      return
    }
    for name in names where !name.hasPrefix(bytes: ".") && name != "node_modules" {
      let path =
        folder == "." ? name : folder.hasSuffix(bytes: "/") ? folder + name : folder + "/" + name
      switch kind(path) {
      case .success(.folder):
        // A link may lead to a folder around it.
        if depth < Self.depthLimit, !files.isLink(path) {
          search(path, depth: depth + 1, &seen, &result)
        }
      case .success(.file):
        guard name.hasSuffix(bytes: ".json"), !seen.contains(ExactText(path)),
          case .success(let file) = read(path),
          isMeant(file)
        else { continue }
        seen.insert(ExactText(path))
        result.append(.success(file))
      default: continue
      }
    }
  }

  private var noun: String { kinds == .tests ? "test file" : "workflow file" }

  /// How there comes to be one.
  private var advice: String {
    kinds == .tests
      ? "; 'pipeline new --test RECORDING' makes one of what 'run --record' wrote" : ""
  }

  private func isMeant(_ file: SourceFile) -> Bool {
    if file.name.hasSuffix(bytes: ".test.json") { return kinds.contains(.tests) }
    return kinds.contains(.workflows) && looksLikeWorkflow(file)
  }

  /// Whether the file holds an object with `steps`, broken or not.
  private func looksLikeWorkflow(_ file: SourceFile) -> Bool {
    let key = Array("\"steps\"".utf8)
    guard file.bytes.contains(subsequence: key) else { return false }
    return JSONDocument.parseRecovering(file.bytes).document.root["steps"] != nil
  }
}

extension [UInt8] {
  /// Whether `other`, which is not empty, is somewhere in these bytes.
  func contains(subsequence other: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
      other.withUnsafeBytes { other in
        guard let first = other.first, let text = other.baseAddress else { return false }
        var start = 0
        while bytes.count - start >= other.count,
          let base = bytes.baseAddress,
          let found = memchr(base + start, Int32(first), bytes.count - start - other.count + 1)
        {
          if memcmp(found, text, other.count) == 0 { return true }
          start = UnsafeRawPointer(found) - base + 1
        }
        return false
      }
    }
  }
}
