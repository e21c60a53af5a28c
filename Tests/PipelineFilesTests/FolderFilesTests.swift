import PipelineTestSupport
import Testing

@testable import PipelineFiles

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct FolderFilesTests {
  private func message(_ body: () throws(FileError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return error.message
    }
  }

  @Test func aWorkflowReadsBelowItsOwnFolder() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "flows/w.json")
    folder.write("data", to: "flows/sub/x.txt")
    let files = try FolderFiles(workflow: workflow)
    #expect(try files.read("sub/x.txt") == Array("data".utf8))
    #expect(try files.read("sub/../sub/x.txt") == Array("data".utf8))
    #expect(
      message { () throws(FileError) in _ = try files.read("gone.txt") }
        == "'gone.txt' cannot be read: no such file or folder")
    #expect(
      message { () throws(FileError) in _ = try files.read("sub") }
        == "'sub' cannot be read: it is a folder")
  }

  @Test func aPatternNamesFilesInTheOrderOfTheirBytes() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "flows/w.json")
    for name in [
      "b.png", "a.png", "B.png", "ä.png", ".hidden.png", "c.jpg", "sub/d.png", "x/d.png",
    ] {
      folder.write("", to: "flows/photos/" + name)
    }
    folder.write("", to: "elsewhere/e.png")
    let files = try FolderFiles(workflow: workflow)
    #expect(
      try files.list("photos/*.png")
        == ["photos/B.png", "photos/a.png", "photos/b.png", "photos/ä.png"])
    #expect(try files.list("photos/?.png").count == 4)
    #expect(try files.list("photos/.*.png") == ["photos/.hidden.png"])
    #expect(try files.list("*/*/d*") == ["photos/sub/d.png", "photos/x/d.png"])
    #expect(try files.list("photos/a.png") == ["photos/a.png"])
    #expect(try files.list("photos/gone.png") == [])
    #expect(try files.list("photos/sub*") == [], "a folder is not a file")
    #expect(
      message { () throws(FileError) in _ = try files.list("gone/*.png") }
        == "'gone/*.png' cannot be read: no such file or folder")
    for pattern in ["../*", "/etc/*", "photos//*", "./*"] {
      #expect(
        message { () throws(FileError) in _ = try files.list(pattern) }
          == "'\(pattern)' cannot be listed: it is not a path below the folder of its file")
    }
    #expect(symlink(folder.path + "/elsewhere", folder.path + "/flows/link") == 0)
    #expect(
      message { () throws(FileError) in _ = try files.list("link/*.png") }
        == "'link/*.png' cannot be read: it leads outside the workflow's folder")
  }

  @Test(arguments: [
    ("*", "abc", true), ("a*c", "abc", true), ("a*c", "ac", true), ("a*c", "abcd", false),
    ("*b*", "abc", true), ("**", "a", true), ("a?c", "abc", true), ("a?c", "ac", false),
    ("?", "é", true), ("a*b*c*d", "aXbXcXbXd", true), ("a*b*c*d", "aXbXcXbX", false),
    ("*", ".a", false), (".*", ".a", true), ("*.a", "b.a.a", true), ("", "", true),
    ("", "a", false),
  ])
  func aNameMatchesItsPattern(pattern: String, name: String, matches: Bool) {
    #expect(NamePattern(pattern).matches(name) == matches)
  }

  @Test func whatLiesElsewhereIsRefusedAlsoBehindALink() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "flows/w.json")
    folder.write("secret", to: "flows2/x.txt")
    #expect(symlink(folder.path + "/flows2", folder.path + "/flows/link") == 0)
    let files = try FolderFiles(workflow: workflow)
    for path in ["../flows2/x.txt", "link/x.txt", folder.path + "/flows2/x.txt"] {
      #expect(
        message { () throws(FileError) in _ = try files.read(path) }
          == "'\(path)' cannot be read: it is outside the workflow's folder")
    }
    let allowed = try FolderFiles(workflow: workflow, allowing: [folder.path + "/flows2"])
    #expect(try allowed.read("link/x.txt") == Array("secret".utf8))
    #expect(throws: FileError("'\(workflow)' cannot be read: it is not a folder")) {
      try FolderFiles(workflow: workflow, allowing: [workflow])
    }
  }

  @Test func calledFilesNameFilesBesideThemselves() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "flows/w.json")
    folder.write("1", to: "flows/lib/x.json")
    folder.write("2", to: "flows/x.json")
    let files = try FolderFiles(workflow: workflow)
    let called = files.relative(to: folder.path + "/flows/lib/called.json")
    #expect(try called.read("x.json") == Array("1".utf8))
    #expect(try called.read("../x.json") == Array("2".utf8))
    #expect(message { () throws(FileError) in _ = try called.read("../../w") } != nil)
  }

  @Test func whatIsSavedIsWholeAndReplacesNothing() throws {
    let folder = TemporaryFolder()
    let output = folder.path + "/out"
    let files = try FolderFiles(workflow: folder.write("{}", to: "w.json"), output: output)
    try files.save(Array("one".utf8), to: "a/b/c.txt")
    #expect(folder.read("out/a/b/c.txt") == "one")
    #expect(
      message { () throws(FileError) in try files.save([], to: "a/b/c.txt") }
        == "'a/b/c.txt' cannot be saved: the file exists, and no file is overwritten")
    #expect(folder.read("out/a/b/c.txt") == "one")
    #expect((try? folderEntries(output + "/a/b")) == ["c.txt"])
  }

  @Test func theOutputFolderIsMadeWithThoseAroundIt() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "w.json")
    let files = try FolderFiles(workflow: workflow, output: folder.path + "/a/b/c/")
    try files.checkOutput()
    #expect(folder.names == ["w.json"])
    try files.save([0x31], to: "x")
    #expect(folder.read("a/b/c/x") == "1")
    let inFile = try FolderFiles(workflow: workflow, output: workflow + "/a/b")
    #expect(
      message { () throws(FileError) in try inFile.checkOutput() }
        == "'\(workflow)/a/b' cannot be used: '\(workflow)' is not a folder")
  }

  @Test func nothingIsSavedOutsideOfTheOutputFolder() throws {
    let folder = TemporaryFolder()
    folder.write("", to: "elsewhere/x")
    folder.write("", to: "out/file")
    #expect(symlink(folder.path + "/elsewhere", folder.path + "/out/link") == 0)
    #expect(symlink(folder.path + "/elsewhere/y", folder.path + "/out/y") == 0)
    let files = try FolderFiles(
      workflow: folder.write("{}", to: "w.json"), output: folder.path + "/out")
    for path in [
      "../\u{301}x", "a/..\u{200D}/../../x", "../\u{FE0F}x", "/\u{301}x",
      "../x", "a/../../x", "/tmp/x", "", "a//b", "./a", "a/", "link/z", "y", "file/x", "a\0b",
    ] {
      #expect(message { () throws(FileError) in try files.save([1], to: path) } != nil, "\(path)")
    }
    #expect((try? folderEntries(folder.path + "/elsewhere")) == ["x"])
    #expect(
      (try? folderEntries(folder.path))?.sorted() == ["elsewhere", "out", "w.json"])
    #expect((try? folderEntries(folder.path + "/out")) == ["file", "link", "y"])
  }

  @Test(arguments: ["\u{301}", "\u{338}", "\u{200D}", "\u{FE0F}", "\u{FF9F}", "\u{FF0F}", "\\"])
  func aNameIsCutAtItsSlashesAlone(mark: String) throws {
    let folder = TemporaryFolder()
    let files = try FolderFiles(
      workflow: folder.write("{}", to: "w.json"), output: folder.path + "/out")
    try files.save([1], to: "a/\(mark)x")
    try files.save([2], to: "..\(mark)x")
    let names = try folderEntries(folder.path + "/out/a")
    #expect(names.map { Array($0.utf8) } == [Array("\(mark)x".utf8)])
    #expect((try? folderEntries(folder.path))?.sorted() == ["out", "w.json"])
  }

  @Test func namesThatDifferInTheirBytesAreDifferentFiles() throws {
    let folder = TemporaryFolder()
    let files = try FolderFiles(
      workflow: folder.write("{}", to: "w.json"), output: folder.path + "/out")
    try files.save([1], to: "\u{E9}")
    let second = message { () throws(FileError) in try files.save([2], to: "e\u{301}") }
    // macOS's file systems take both for one name.
    #if !canImport(Darwin)
      #expect(second == nil)
    #else
      #expect(second != nil)
    #endif
    #expect(
      message { () throws(FileError) in
        try files.save([3], to: String(repeating: "x", count: 300))
      }?.hasSuffix("cannot be saved: the name is too long") == true)
  }

  /// Whoever opened the pipe would wait for its other end for ever.
  @Test func pipesAndDevicesAreNoFiles() throws {
    let folder = TemporaryFolder()
    let workflow = folder.write("{}", to: "w.json")
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let files = try FolderFiles(workflow: workflow, allowing: ["/dev"])
    for (name, path) in [("pipe", "pipe"), ("/dev/zero", "/dev/zero")] {
      let refusal = "'\(name)' cannot be read: it is a pipe or a device, not a file"
      #expect(message { () throws(FileError) in _ = try files.read(path) } == refusal)
      #expect(message { () throws(FileError) in _ = try files.resolve(path) } == refusal)
    }
  }
}
