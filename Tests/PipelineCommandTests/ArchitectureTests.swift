import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// docs/architecture.md says which target imports what.
@Suite struct ArchitectureTests {
  /// A row of the page's table of targets.
  private struct Row {
    let target: String
    let systemModules: Set<String>
  }

  private static let sources = Conformance.packageRoot + "/Sources"
  private static let libraryNames = ["Glibc", "Darwin"]

  private let rows: [Row] = {
    let page = String(
      decoding: readFile(Conformance.packageRoot + "/docs/architecture.md") ?? [], as: UTF8.self)
    let table = page.split(separator: "\n## ").first ?? ""
    return table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { $0.filter { $0 != "`" } }
      let modules = (cells.last ?? "").split(separator: ",").map { name -> String in
        name.filter { $0 != " " }
      }
      return Row(
        target: String(cells[0].filter { $0 != " " }),
        systemModules: Set(modules).subtracting([""]))
    }
  }()

  @Test func theTableNamesEveryTarget() throws {
    let folders = try FileSystem.system.names(Self.sources)
    #expect(Set(rows.map(\.target)) == Set(folders))
  }

  @Test func aTargetImportsOnlyTargetsAboveItAndWhatTheTableNames() throws {
    var above: Set<String> = []
    for row in rows {
      var system: Set<String> = []
      for module in try Self.imports(of: row.target) {
        if Self.libraryNames.contains(module) {
          system.insert("Clibrary")
        } else if !above.contains(module) {
          // Elsewhere Foundation holds what FoundationEssentials holds here.
          system.insert(
            module == "Foundation" && row.systemModules.contains("FoundationEssentials")
              ? "FoundationEssentials" : module)
        }
      }
      #expect(system == row.systemModules, "\(row.target)")
      above.insert(row.target)
    }
  }

  /// The folders of `PipelineEngine/Running`, the lowest first; the last are the files beside them.
  private static let layers = [
    "Secrets", "Values", "Inputs", "Units", "Responses", "Requests", "State", "",
  ]

  @Test func aFolderOfTheEngineUsesOnlyFoldersBelowIt() throws {
    let root = Self.sources + "/PipelineEngine/Running"
    var words: [(file: String, layer: Int, words: Set<String>)] = []
    var home: [String: Int] = [:]
    for (layer, folder) in Self.layers.enumerated() {
      let path = folder.isEmpty ? root : root + "/" + folder
      let files = try FileSystem.system.names(path).filter { $0.hasSuffix(".swift") }
      #expect(!files.isEmpty, "\(path)")
      for file in files {
        let code = Self.code(of: path + "/" + file)
        for type in Self.typesDeclared(in: code) { home[type] = layer }
        words.append((file, layer, Self.words(of: code)))
      }
    }
    #expect(home["RunState"] == 6 && home["RequestRun"] == 5)
    for (file, layer, words) in words {
      for word in words.sorted() {
        guard let other = home[word], other > layer else { continue }
        Issue.record("\(file) is below \(Self.layers[other])/, but uses \(word)")
      }
    }
  }

  /// Folders of a target use each other in one direction only.
  @Test func foldersOfATargetUseEachOtherInNoCircle() throws {
    var count = 0
    for row in rows {
      let (left, types) = try Self.foldersInCircles(of: row.target)
      #expect(left.isEmpty, "\(row.target): in a circle, or above one: \(left)")
      count += types
    }
    #expect(count > 1_000)
  }

  /// The page lists the folders of the language from the lowest to the highest.
  @Test func theFoldersOfTheLanguageAreListedInTheirOrder() throws {
    let page = readFile(Conformance.packageRoot + "/docs/architecture.md") ?? []
    let listed = String(decoding: page, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.hasPrefix("| `PipelineLanguage/") ? String(line.split { "/`".contains($0) }[2]) : nil
    }
    let (uses, _) = try Self.usesOfFolders(of: "PipelineLanguage")
    #expect(Set(listed).union([""]) == Set(uses.keys))
    for (number, folder) in listed.enumerated() {
      let above = uses[folder, default: []].subtracting(listed[...number] + [""])
      #expect(above.isEmpty, "\(folder) uses folders above it: \(above)")
    }
  }

  /// The folders of a target that are in a circle or above one, and how many types it declares.
  private static func foldersInCircles(
    of target: String
  ) throws -> (folders: [String], types: Int) {
    var (left, types) = try usesOfFolders(of: target)
    while let folder = left.first(where: { name, uses in
      uses.allSatisfy { $0 == name || left[$0] == nil }
    })?.key {
      left[folder] = nil
    }
    return (left.keys.sorted(), types)
  }

  /// For each folder of a target the folders whose types it uses, and how many types there are.
  private static func usesOfFolders(
    of target: String
  ) throws -> (uses: [String: Set<String>], types: Int) {
    let root = Self.sources + "/" + target
    var home: [String: String] = [:]
    var words: [String: Set<String>] = [:]
    for file in try Self.swiftFiles(below: root) {
      let path = file.dropFirst(root.count + 1).split(separator: "/")
      let folder = path.dropLast().joined(separator: "/")
      let code = Self.code(of: file)
      for type in Self.typesDeclared(in: code) { home[type] = folder }
      words[folder, default: []].formUnion(Self.words(of: code))
    }
    return (words.mapValues { words in Set(words.compactMap { home[$0] }) }, home.count)
  }

  /// The lines of a file without comments and texts.
  private static func code(of file: String) -> [Substring] {
    String(decoding: readFile(file) ?? [], as: UTF8.self).split(separator: "\n")
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      .map { line in
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
          .joined(separator: " ")[...]
      }
  }

  private static func words(of code: [Substring]) -> Set<String> {
    Set(
      code.flatMap { line in
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      })
  }

  /// The types that a file declares for others, outside of other types.
  private static func typesDeclared(in code: [Substring]) -> [String] {
    let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "actor"]
    return code.compactMap { line in
      guard !line.hasPrefix(" "), !line.hasPrefix("private "), !line.hasPrefix("fileprivate ")
      else { return nil }
      let words = line.split { !($0.isLetter || $0.isNumber) }
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else {
        return nil
      }
      return String(words[kind + 1])
    }
  }

  // MARK: Access

  /// The targets that apps see: the products, and what `PipelineKit` exports.
  private static let promised: Set = [
    "PipelineJSONText", "PipelineSourceText", "PipelineRecordings", "PipelineTransports",
    "PipelineFiles", "PipelineJournals", "PipelineEngine", "PipelineKit", "PipelineTesting",
    "CurlTransports", "SQLiteJournals", "URLSessionTransports",
  ]

  @Test func onlyWhatTheProductsPromiseIsPublicAndAllOfItIsDocumented() throws {
    var count = 0
    for target in rows.map(\.target) {
      for file in try Self.swiftFiles(below: Self.sources + "/" + target) {
        let lines = Self.lines(of: file)
        for (number, line) in lines.enumerated() {
          let declaration = Self.withoutAttributes(line)
          guard declaration.hasPrefix("public "), !declaration.hasPrefix("public import "),
            !declaration.hasPrefix("public extension ")
          else { continue }
          count += 1
          #expect(Self.promised.contains(target), "\(file):\(number + 1): \(declaration)")
          let above = lines[..<number].last { !Self.withoutAttributes($0).isEmpty } ?? ""
          #expect(
            above.drop { $0 == " " }.hasPrefix("///"), "\(file):\(number + 1): \(declaration)")
        }
      }
    }
    #expect(count > 300)
  }

  /// Two of five public functions with parameters say what those are. Of the others, the first
  /// sentence says it. Requirements of the standard library do not count.
  @Test func parametersOfPublicFunctionsAreDocumented() throws {
    var (count, documented) = (0, 0)
    for target in Self.promised {
      for file in try Self.swiftFiles(below: Self.sources + "/" + target) {
        let lines = Self.lines(of: file)
        for (number, line) in lines.enumerated() {
          let declaration = Self.withoutAttributes(line)
          guard declaration.hasPrefix("public "),
            ["func ", " init(", " init?(", " subscript"].contains(where: declaration.contains),
            !["()", " == ", " < ", "hash(into", "iteral", "encode(to", "init(from"]
              .contains(where: declaration.contains)
          else { continue }
          count += 1
          let comment = lines[..<number].reversed().drop { $0.drop { $0 == " " }.hasPrefix("@") }
            .prefix { $0.drop { $0 == " " }.hasPrefix("///") }
          if comment.contains(where: { $0.contains("- Parameter") }) { documented += 1 }
        }
      }
    }
    #expect(count > 200 && documented * 5 >= count * 2, "\(documented) of \(count)")
  }

  /// Across targets the compiler inlines a member of a package type only if the type is
  /// `@usableFromInline`.
  @Test func inlinableMembersAreInTypesThatCanBeInlined() throws {
    var opaque: Set<String> = []
    var inlinable: [(type: String, place: String)] = []
    for target in rows.map(\.target) {
      for file in try Self.swiftFiles(below: Self.sources + "/" + target) {
        var around: [(name: String, indentation: Int)] = []
        for (number, line) in Self.lines(of: file).enumerated() {
          let indentation = line.prefix { $0 == " " }.count
          let words = Self.withoutAttributes(line).split(separator: " ").map(String.init)
          if words == ["}"] { around.removeAll { $0.indentation >= indentation } }
          if let keyword = words.firstIndex(where: {
            ["struct", "class", "enum", "actor", "extension"].contains($0)
          }), keyword + 1 < words.count, keyword <= 3, line.hasSuffix("{") {
            let name = String(
              words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." })
            around.append((name, indentation))
            if words.first == "package", words[keyword] != "extension",
              !line.contains("@usableFromInline")
            {
              opaque.insert(target + "." + name)
            }
          }
          if line.contains("@inlinable"), let type = around.last {
            inlinable.append((target + "." + type.name, "\(file):\(number + 1)"))
          }
        }
      }
    }
    for member in inlinable { #expect(!opaque.contains(member.type), "\(member.place)") }
    #expect(inlinable.count > 20 && opaque.count > 100)
  }

  @Test func theJobsRunEverySectionAndFuzzEveryTarget() throws {
    let root = Conformance.packageRoot
    let jobs = Self.lines(of: root + "/.github/workflows/ci.yml")
      .flatMap { $0.split { !$0.isLetter } }
    let targets = try FileSystem.system.names(root + "/Tests/Fuzz")
      .filter { !$0.contains(".") && $0 != "run" }
    let line = Self.lines(of: root + "/.ci/run").first { $0.hasPrefix("sections=") }
    let sections = try #require(line).split { !$0.isLetter }.dropFirst().map(String.init)
    #expect(targets.count > 8 && sections.count > 8)
    for name in targets + sections { #expect(jobs.contains(Substring(name)), "\(name)") }
  }

  private static func lines(of file: String) -> [Substring] {
    String(decoding: readFile(file) ?? [], as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  /// A line without its indentation and the attributes that it begins with.
  private static func withoutAttributes(_ line: Substring) -> Substring {
    var rest = line.drop { $0 == " " }
    while rest.hasPrefix("@") {
      var depth = 0
      rest = rest.drop { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return character != " " || depth > 0
      }.drop { $0 == " " }
    }
    return rest
  }

  /// The modules that the Swift files of a target import.
  private static func imports(of target: String) throws -> Set<String> {
    var modules: Set<String> = []
    for file in try swiftFiles(below: sources + "/" + target) {
      for line in String(decoding: readFile(file) ?? [], as: UTF8.self).split(separator: "\n") {
        // Further right it is a line of a text: a program that an export writes.
        guard line.prefix(while: { $0 == " " }).count <= 2 else { continue }
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword <= 2,
          words[..<keyword].allSatisfy({ ["public", "package", "internal"].contains($0) }),
          let module = words.last
        else { continue }
        modules.insert(String(module))
      }
    }
    return modules
  }

  private static func swiftFiles(below folder: String) throws -> [String] {
    try FileSystem.system.names(folder).flatMap { name in
      let path = folder + "/" + name
      if name.hasSuffix(".swift") { return [path] }
      return name.contains(".") || name == "include" ? [] : try swiftFiles(below: path)
    }
  }
}
