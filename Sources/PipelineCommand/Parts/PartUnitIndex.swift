internal import PipelineByteText
internal import PipelineKit
internal import Synchronization

/// Where the units of done parts are in their files. A unit is read when it is asked for, so that a
/// million of them fit into memory.
///
/// Units are in the order in which a run takes them: by step and by item. Neighbours come from
/// different shards, so some bytes of each file are kept.
final class PartUnitIndex: Sendable {
  private struct Entry: Sendable {
    let file: Int32
    let length: Int32
    let offset: Int
    let placeHash: UInt64
    let digest: Fingerprint?
    /// The position of the outermost item.
    let item: Int32
  }

  /// The bytes of a file that were read last.
  private struct Chunk {
    var offset = 0
    var bytes: [UInt8] = []
  }

  private let parts: [PartFolder.Part]
  private let entries: [Entry]
  private let chunks: Mutex<[Chunk]>
  private let chunkSize: Int

  /// The number of bytes that are kept of all files.
  private static let kept = 32 << 20
  private static let readSize = 1 << 20

  /// - Parameter steps: The done parts of each step, in the order in which they are taken.
  /// - Throws: A problem if a file cannot be read, or has a line that is not a unit.
  init(_ steps: [[PartFolder.Part]]) throws(PartFolder.Problem) {
    let parts = steps.flatMap(\.self)
    var entries: [Entry] = []
    var file: Int32 = 0
    for step in steps {
      let isRepeated = Set(step.map(\.shard.count)).count > 1
      var known: [Identity: Int] = [:]
      let first = entries.count
      for part in step {
        try Self.forEachLine(of: part) { offset, line, number throws(PartFolder.Problem) in
          guard line.count < Int32.max, let unit = PartUnits.Line(line) else {
            throw PartUnits.damage(in: part, line: number)
          }
          let entry = Entry(
            file: file, length: Int32(line.count), offset: offset,
            placeHash: unit.key.placeHash, digest: unit.key.digest,
            item: Int32(clamping: unit.key.place.first ?? 0))
          if isRepeated {
            let identity = Identity(place: entry.placeHash, digest: entry.digest)
            if let (place, hasFailed) = known[identity].map({ ($0 >> 1, $0 & 1 == 1) }) {
              // Another division has done the unit, too. The first that did not fail counts.
              guard hasFailed else { return }
              entries[place] = entry
              known[identity] = place << 1 | (unit.hasFailed ? 1 : 0)
              return
            }
            known[identity] = entries.count << 1 | (unit.hasFailed ? 1 : 0)
          }
          entries.append(entry)
        }
        file += 1
      }
      entries[first...].sort { ($0.item, $0.file, $0.offset) < ($1.item, $1.file, $1.offset) }
    }
    self.parts = parts
    self.entries = entries
    chunkSize = min(max(Self.kept / max(parts.count, 1), 4 << 10), 1 << 20)
    chunks = Mutex(Array(repeating: Chunk(), count: parts.count))
  }

  /// A unit among those of several divisions.
  private struct Identity: Hashable {
    let place: UInt64
    let digest: Fingerprint?
  }

  /// Calls `body` with each line that is not empty: its offset, its bytes and its number.
  private static func forEachLine(
    of part: PartFolder.Part,
    _ body: (Int, ArraySlice<UInt8>, Int) throws(PartFolder.Problem) -> Void
  ) throws(PartFolder.Problem) {
    var (offset, number) = (0, 0)
    var bytes: [UInt8] = []
    let file: PartFile
    do throws(PathProblem) {
      file = try PartFile(path: part.unitsPath)
    } catch {
      throw unreadable(part, error.reason)
    }
    while true {
      let next: [UInt8]
      do throws(SystemError) {
        next = try file.bytes(from: offset + bytes.count, count: readSize)
      } catch {
        throw unreadable(part, error.message)
      }
      bytes += next
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: 0x0A)
        guard let end = end ?? (next.isEmpty ? bytes.count : nil) else { break }
        number += 1
        if end > start { try body(offset + start, bytes[start..<end], number) }
        start = end + 1
      }
      if next.isEmpty { return }
      offset += start
      bytes.removeFirst(start)
    }
  }

  private static func unreadable(_ part: PartFolder.Part, _ reason: String) -> PartFolder.Problem {
    PartFolder.Problem(description: "'\(part.unitsPath)' cannot be read: \(reason)")
  }

  var count: Int { entries.count }

  /// Up to `limit` units from number `start` on, counted from 0, without their values.
  func recorded(from start: Int, limit: Int) -> [RecordedUnit] {
    (start..<min(entries.count, start + limit)).map {
      RecordedUnit(id: $0 + 1, placeHash: entries[$0].placeHash, digest: entries[$0].digest)
    }
  }

  /// A unit with its values.
  ///
  /// - Parameter number: From 0.
  func unit(_ number: Int) throws(JournalError) -> UnitRecord {
    let entry = entries[number]
    let part = parts[Int(entry.file)]
    guard let line = bytes(of: entry, in: part) else {
      throw JournalError("'\(part.unitsPath)' cannot be read")
    }
    guard let record = PartUnits.record(line) else {
      throw JournalError(PartUnits.damage(in: part).description)
    }
    return record
  }

  private func bytes(of entry: Entry, in part: PartFolder.Part) -> [UInt8]? {
    chunks.withLock { chunks in
      let (place, length) = (Int(entry.file), Int(entry.length))
      let start = entry.offset - chunks[place].offset
      if start >= 0, start + length <= chunks[place].bytes.count {
        return Array(chunks[place].bytes[start..<start + length])
      }
      // Units that ended nearly at once are not quite in the order of their items.
      let offset = max(0, entry.offset - chunkSize / 8)
      let size = max(chunkSize, entry.offset - offset + length)
      guard let file = try? PartFile(path: part.unitsPath),
        let bytes = try? file.bytes(from: offset, count: size),
        bytes.count >= entry.offset - offset + length
      else { return nil }
      chunks[place] = Chunk(offset: offset, bytes: bytes)
      return Array(bytes[(entry.offset - offset)...].prefix(length))
    }
  }
}
