internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit

/// The text of a test file to which a test is added.
struct TestFileText: Sendable {
  /// The recording that a test replays.
  struct Replay: Sendable {
    /// As the test file names it.
    let written: String
    let place: String
    /// Whether it has to be copied there.
    let isCopied: Bool
  }

  let file: String
  let replay: Replay
  private let root: JSONValue

  private static let sizeLimit = 16 << 20

  /// - Parameters:
  ///   - workflow: The workflow's file.
  ///   - recording: The file of the recording, which is used where it is if the test file may name it.
  /// - Throws: `TestMaker.Problem`, if the file is there and tests another workflow.
  init(
    _ file: String, of workflow: String, replaying recording: String, _ files: FileSystem
  ) throws(TestMaker.Problem) {
    guard file.hasSuffix(bytes: ".test.json") else {
      throw TestMaker.Problem(message: "'\(file)' is no name of a test file: it ends in .test.json")
    }
    let folder = PathText.folder(of: file)
    guard let place = realPath(of: folder), let target = realPath(of: workflow) else {
      throw TestMaker.Problem(message: "there is no folder '\(folder)' for the test file")
    }
    self.file = file
    root = try Self.root(file, from: place, to: target, files)
    replay = Self.replay(of: recording, in: folder, place, file, files)
  }

  private static func root(
    _ file: String, from place: String, to workflow: String, _ files: FileSystem
  ) throws(TestMaker.Problem) -> JSONValue {
    guard (try? files.kind(file)) != nil else {
      return [
        "workflow": .string(PathText.relative(workflow, from: place)), "tests": .array([]),
      ]
    }
    do throws(PathProblem) {
      let bytes = try files.read(file, sizeLimit)
      guard let root = try? JSONDocument.parse(bytes).root, let path = root["workflow"]?.string,
        root["tests"]?.kind == .array
      else { throw PathProblem(path: file, reason: "it has errors; 'pipeline lint' shows them") }
      guard let other = realPath(of: PathText.path(path, beside: file)),
        other.equals(bytes: workflow)
      else { throw PathProblem(path: file, reason: "it tests another workflow, '\(path)'") }
      return JSONValue(root)
    } catch {
      throw TestMaker.Problem(
        message: "no test can be added to '\(file)': \(error.reason); name another file")
    }
  }

  private static func replay(
    of recording: String, in folder: String, _ place: String, _ file: String, _ files: FileSystem
  ) -> Replay {
    if let real = realPath(of: recording), real.hasPrefix(bytes: place + "/"),
      recording.hasSuffix(bytes: ".har")
    {
      let inner = String(real.dropFirst(bytes: place.utf8.count + 1))
      return Replay(written: "./" + inner, place: recording, isCopied: false)
    }
    let name = file.split(ascii: "/").last.map { String($0) } ?? file
    let base = "recordings/" + String(name.dropLast(bytes: ".test.json".utf8.count))
    let free = (1...).lazy.map { $0 == 1 ? base + ".har" : "\(base)-\($0).har" }
      .first { (try? files.kind(PathText.path($0, beside: file))) == nil }
    let chosen = free ?? base + ".har"
    return Replay(
      written: "./" + chosen, place: PathText.path(chosen, beside: file), isCopied: true)
  }

  /// A name that no test of the file has: the one that is wanted, if it is free.
  func free(_ name: String) -> String {
    let taken = root.node["tests"]?.elements.compactMap { $0["name"]?.string } ?? []
    return (1...).lazy.map { $0 == 1 ? name : "\(name) (\($0))" }
      .first { name in !taken.contains { $0.equals(bytes: name) } } ?? name
  }

  /// The text with one more test, in the one form of such files.
  func bytes(adding test: JSONValue) -> [UInt8] {
    var members: [JSONValue.Member] = []
    for member in root.node.members {
      guard member.name == "tests" else {
        members.append(.init(member.name, JSONValue(member.value)))
        continue
      }
      members.append(.init("tests", .array(member.value.elements.map { JSONValue($0) } + [test])))
    }
    return WorkflowLayout.text(of: JSONValue.object(members).node)
  }
}
