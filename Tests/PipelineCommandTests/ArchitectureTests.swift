import TestSupport
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
  private static let libraryNames = ["Glibc", "Darwin", "Musl"]

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

  /// The modules that the Swift files of a target import.
  private static func imports(of target: String) throws -> Set<String> {
    var modules: Set<String> = []
    for file in try swiftFiles(below: sources + "/" + target) {
      for line in String(decoding: readFile(file) ?? [], as: UTF8.self).split(separator: "\n") {
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
