import Foundation

/// simdjson's DOM, built from the system's header by `simdjson/build.sh` and loaded at run time, so
/// that it is measured in the same process and nothing of it is part of this package.
final class Simdjson {
  private let load: @convention(c) (UnsafePointer<UInt8>, Int) -> UnsafeMutableRawPointer?
  private let parse: @convention(c) (UnsafeMutableRawPointer, Bool) -> Int
  private let sum: @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Int
  let description: String

  /// `nil` where there is no header or no C++ compiler.
  init?() {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "simdjson")
    let library = FileManager.default.temporaryDirectory
      .appending(path: "pipeline-bench-simdjson-\(getpid()).so")
    defer { try? FileManager.default.removeItem(at: library) }
    let build = Process()
    build.executableURL = URL(filePath: "/bin/sh")
    build.arguments = [folder.appending(path: "build.sh").path, library.path]
    guard (try? build.run()) != nil else { return nil }
    build.waitUntilExit()
    guard build.terminationStatus == 0, let handle = dlopen(library.path, RTLD_NOW),
      let load = dlsym(handle, "bench_load"), let parse = dlsym(handle, "bench_parse"),
      let sum = dlsym(handle, "bench_sum"), let name = dlsym(handle, "bench_name")
    else { return nil }
    self.load = unsafeBitCast(load, to: type(of: self.load))
    self.parse = unsafeBitCast(parse, to: type(of: self.parse))
    self.sum = unsafeBitCast(sum, to: type(of: self.sum))
    let describe = unsafeBitCast(name, to: (@convention(c) () -> UnsafePointer<CChar>).self)
    description = String(cString: describe())
  }

  /// A text in the padded memory that simdjson likes best.
  final class Text {
    fileprivate let handle: UnsafeMutableRawPointer
    private let library: Simdjson

    fileprivate init(_ handle: UnsafeMutableRawPointer, _ library: Simdjson) {
      self.handle = handle
      self.library = library
    }

    /// With one parser for all texts: each document ends when the next is parsed.
    func parseReused() -> Int { library.parse(handle, true) }
    /// With a parser of its own, so that the document may be kept, as ours may.
    func parseFresh() -> Int { library.parse(handle, false) }
    /// Parses (with a parser of its own) and adds up every `id` of the list of that name.
    func sumOfIDs(in list: String) -> Int { library.sum(handle, list) }
  }

  func text(_ bytes: [UInt8]) -> Text? {
    load(bytes, bytes.count).map { Text($0, self) }
  }
}
