internal import PipelineByteText
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The tz database of the system.
package final class ZoneDatabase: Sendable {
  /// The database of this machine, in the folders where systems keep it.
  package static let system = ZoneDatabase(
    folders: [
      "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo",
      "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
    ])

  /// Why a zone cannot be had.
  package enum Problem: Error, Equatable {
    /// The system has no database.
    case missing
    /// No zone has this name.
    case unknown(String)

    package var message: String {
      switch self {
      case .missing:
        "this system has no database of time zones; install its package 'tzdata', or use \"UTC\""
      case .unknown(let name):
        "'\(name)' is not a zone of the tz database, as \"Europe/Berlin\" is"
      }
    }
  }

  private let folders: [String]
  /// What was found out about names.
  private let known = Mutex<[ExactText: Result<Zone, Problem>]>([:])
  private static let capacity = 1000

  package init(folders: [String]) { self.folders = folders }

  /// The zone of a name such as `Europe/Berlin`. UTC needs no database.
  package func zone(_ name: String) throws(Problem) -> Zone {
    if name == "UTC" { return .utc }
    let key = ExactText(name)
    if let found = known.withLock({ $0[key] }) { return try found.get() }
    let found = Result { () throws(Problem) in try read(name) }
    known.withLock { known in
      if known.count < Self.capacity { known[key] = found }
    }
    return try found.get()
  }

  /// The names of the zones that have a place on the map; empty if the system lists none.
  package var names: [String] {
    for folder in folders {
      for table in ["tzdata.zi", "zone1970.tab", "zone.tab"] {
        guard let bytes = Self.bytes(folder + "/" + table) else { continue }
        return table == "tzdata.zi" ? Self.compactNames(bytes) : Self.names(bytes)
      }
    }
    return []
  }

  private func read(_ name: String) throws(Problem) -> Zone {
    guard Self.isName(name) else { throw .unknown(name) }
    for folder in folders {
      if let bytes = Self.bytes(folder + "/" + name), let rules = ZoneFile.read(bytes) {
        return .rules(rules)
      }
    }
    let isThere = folders.contains { access($0 + "/Europe/London", R_OK) == 0 }
    throw isThere ? .unknown(name) : .missing
  }

  /// Whether a text can be the name of a zone, and not a path to anything else.
  private static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard bytes.count <= 64 else { return false }
    return name.split(ascii: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        }
    }
  }

  /// Lines such as `Z Europe/Berlin …` and `L Europe/Berlin Europe/Oslo`.
  private static func compactNames(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A).compactMap { line in
      let words = line.split(separator: 0x20)
      switch line.first {
      case UInt8(ascii: "Z") where words.count > 1: return String(decoding: words[1], as: UTF8.self)
      case UInt8(ascii: "L") where words.count > 2: return String(decoding: words[2], as: UTF8.self)
      default: return nil
      }
    }
  }

  private static func names(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A).compactMap { line in
      let fields = line.split(separator: 0x09)
      guard line.first != UInt8(ascii: "#"), fields.count > 2 else { return nil }
      return String(decoding: fields[2], as: UTF8.self)
    }
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}
