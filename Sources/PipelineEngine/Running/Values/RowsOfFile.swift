internal import PipelineByteText
package import PipelineFormats
package import PipelineJSONText

extension BodyFormat {
  /// The names of the columns that a table's first line gives, also of those without any value.
  ///
  /// - Parameter path: As `files` names the file.
  /// - Complexity: O(bytes of a small or packed file).
  package func columnNames(
    of path: String, _ files: any FileAccess
  ) throws(FileError) -> [String] {
    guard case .separated = self else { return [] }
    let head = try files.read(path, from: 0, upTo: FileRows.smallest).bytes
    let isPacked = head.starts(with: [0x1F, 0x8B])
    return columnNames(of: isPacked ? try files.read(path) : head, limit: 256 << 20)
  }

  /// Calls `body` with each row of a file: of a list in JSON, each element.
  ///
  /// The rows of a large file are read in pieces.
  ///
  /// - Parameters:
  ///   - path: As `files` names the file.
  ///   - body: It also gets the position of the row, from 0.
  /// - Throws: `FileError` if the file cannot be read in this format, or is not a list.
  /// - Complexity: O(bytes).
  package func forEachRow(
    of path: String, _ files: any FileAccess, _ body: (Int, JSONNode) -> Void
  ) throws(FileError) {
    var number = 0
    if var rows = try FileRows.of(path, self, nil, files) {
      while let row = try rows.next() {
        body(number, row)
        number += 1
      }
      return
    }
    let bytes = try files.read(path)
    // A file without bytes has no rows.
    if givesRows, bytes.isEmpty { return }
    let root: JSONNode
    do throws(BodyProblem) {
      root = try document(of: bytes, charset: nil, limit: 256 << 20).root
    } catch {
      throw FileError("'\(path)' \(error.message)")
    }
    guard root.kind == .array else {
      throw FileError("'\(path)' is not a list of rows: it is \(root.kind.article)")
    }
    for row in root.elements {
      body(number, row)
      number += 1
    }
  }
}
