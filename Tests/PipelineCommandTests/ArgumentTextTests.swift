import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Words and stdin that are not UTF-8.
@Suite struct ArgumentTextTests {
  private func words(_ words: [[UInt8]], _ error: CapturedStream) -> [String]? {
    var pointers = words.map { word in strdup(word.map { CChar(bitPattern: $0) } + [0]) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    let console = Console(output: CapturedStream(), error: error)
    return pointers.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { Program(console: console).words(of: $0) }
    }
  }

  @Test func wordsAreTextOrRefused() {
    let error = CapturedStream()
    #expect(words([[0x70], Array("run".utf8), Array("é".utf8)], error) == ["run", "é"])
    #expect(error.text.isEmpty)
    #expect(words([[0x70], Array("--set".utf8), [0x6B, 0x3D, 0xE9]], error) == nil)
    #expect(error.text == "pipeline: argument 2 is not UTF-8\n")
  }

  @Test func aCurlCommandOnStdinIsUTF8() async {
    var files = FileSystem.system
    files.readInput = { _ in Array("curl https://api.example.com/".utf8) + [0xE9] }
    let result = await pipeline(["new", "--curl", "-"], files: files)
    #expect(result.status == .usage)
    #expect(result.error == "pipeline: the curl command cannot be read: stdin is not UTF-8\n")
  }
}
