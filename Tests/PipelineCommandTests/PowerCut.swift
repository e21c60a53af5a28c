#if os(Linux)
  import Glibc
  import PipelineTestSupport

  /// A library that is loaded into a program before the C library, and takes its place in part.
  enum Shim: String {
    /// `Shims/power.c`
    case power
    /// `Shims/clock.c`
    case clock

    /// The compiler of this machine.
    static let compiler = ["clang", "cc", "gcc"].first(where: Tool.isInstalled)

    /// Compiles the library, and gives its path; `nil`: it cannot be compiled.
    func library(in folder: TemporaryFolder) -> String? {
      let source = Conformance.packageRoot + "/Tests/PipelineCommandTests/Shims/\(rawValue).c"
      let library = folder.path + "/\(rawValue).so"
      guard let compiler = Self.compiler else { return nil }
      let outcome = Tool.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library, source], in: folder)
      return outcome.status == 0 ? library : nil
    }
  }

  /// A folder on a file system that keeps only what was synced when the power fails.
  ///
  /// `Shims/power.c` notes what a program syncs. The rest of the folder is what it was when the
  /// program started.
  struct PowerCut {
    /// Where the folder is made: this one is there from the beginning.
    let root: String
    /// The name of the folder in `root`.
    let name: String
    /// The shim's notes.
    private let kept: String
    private let library: String
    /// By inode, what was there when the program started.
    private var files: [UInt64: [UInt8]] = [:]
    private var folders: [UInt64: [Entry]] = [:]

    private struct Entry {
      let name: String
      let inode: UInt64
      let isFolder: Bool
    }

    init(root: String, name: String, kept: String, library: String) {
      self.root = root
      self.name = name
      self.kept = kept
      self.library = library
      TemporaryFolder.remove(kept)
      TemporaryFolder.make(kept)
      note(root)
    }

    /// What the program is started with.
    var environment: [String: String] {
      ["LD_PRELOAD": library, "POWER_ROOT": root, "POWER_KEPT": kept]
    }

    /// Whether the program has synced anything.
    var hasSynced: Bool { !Self.entries(of: kept).isEmpty }

    private mutating func note(_ folder: String) {
      let entries = Self.entries(of: folder)
      guard let inode = Self.inode(folder) else { return }
      folders[inode] = entries
      for entry in entries {
        let path = folder + "/" + entry.name
        // What else is in the root is not looked at.
        guard folder != root || entry.name == name else { continue }
        if entry.isFolder { note(path) } else { files[entry.inode] = readFile(path) ?? [] }
      }
    }

    /// The power fails, after the program has ended: the folder becomes what the machine finds when
    /// it starts again.
    ///
    /// - Parameter keepsMore: Whether a file or a folder was written back although nobody asked for
    ///   it, as a file system may do at any time.
    func cut(keepingMore keepsMore: () -> Bool) {
      let copy = kept + "/copy"
      mkdir(copy, 0o700)
      if let inode = Self.inode(root) {
        build(inode, at: root, as: copy, only: name, keepsMore)
      }
      TemporaryFolder.remove(root + "/" + name)
      rename(copy + "/" + name, root + "/" + name)
    }

    private func build(
      _ inode: UInt64, at place: String, as copy: String, only name: String? = nil,
      _ keepsMore: () -> Bool
    ) {
      var entries = Self.notedEntries(kept + "/d\(inode)") ?? folders[inode] ?? []
      // A folder whose inode is still the same may have been written back as it is.
      let isThere = Self.inode(place) == inode
      if isThere, keepsMore() { entries = Self.entries(of: place) }
      for entry in entries where name == nil || entry.name == name {
        let (from, to) = (place + "/" + entry.name, copy + "/" + entry.name)
        if entry.isFolder {
          mkdir(to, 0o700)
          build(entry.inode, at: from, as: to, keepsMore)
        } else {
          var bytes = readFile(kept + "/f\(entry.inode)") ?? files[entry.inode] ?? []
          if Self.inode(from) == entry.inode, keepsMore() { bytes = readFile(from) ?? bytes }
          let file = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
          write(file, bytes, bytes.count)
          close(file)
        }
      }
    }

    /// `f 4711 journal.sqlite`
    private static func notedEntries(_ path: String) -> [Entry]? {
      readFile(path).map { bytes in
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
          let parts = line.split(separator: " ", maxSplits: 2)
          guard parts.count == 3, let inode = UInt64(parts[1]) else { return nil }
          return Entry(name: String(parts[2]), inode: inode, isFolder: parts[0] == "d")
        }
      }
    }

    private static func inode(_ path: String) -> UInt64? {
      var status = stat()
      return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private static func entries(of path: String) -> [Entry] {
      guard let folder = opendir(path) else { return [] }
      defer { closedir(folder) }
      var entries: [Entry] = []
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        var status = stat()
        guard lstat(path + "/" + name, &status) == 0 else { continue }
        entries.append(
          Entry(
            name: name, inode: UInt64(status.st_ino), isFolder: status.st_mode & S_IFMT == S_IFDIR))
      }
      return entries
    }
  }
#endif
