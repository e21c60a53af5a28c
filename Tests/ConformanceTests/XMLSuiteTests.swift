import PipelineFormats
import PipelineJSONPaths
import PipelineJSONText
import PipelineTestSupport
import Testing

/// The XML Conformance Test Suite of the W3C (xmlts20130923), as far as it applies.
///
/// The reader passes over document types, refuses the entities that they declare, and takes names as
/// they are written. So three kinds of cases say less than the suite means: those of namespaces, those
/// in which something in a document type is wrong, and those in which it declares attributes.
///
/// Skipped where the suite is not on this machine: it is found in `$CONFORMANCE_DIR` or in
/// `../shared/conformance`, and is never part of this repository.
@Suite(.enabled(if: XMLSuite.isHere, "the W3C's XML suite (xmlconf) is not here"))
struct XMLSuiteTests {
  @Test func everyCaseThatAppliesPasses() throws {
    var counts: [String: Int] = [:]
    for list in XMLSuite.lists {
      for test in try XMLSuite.cases(of: list) where test.applies {
        let outcome = test.outcome
        counts[outcome, default: 0] += 1
        if outcome == "failed" { Issue.record("\(test.path): \(test.type)") }
      }
    }
    // Fewer would mean that some were not run.
    #expect(
      counts == [
        "accepted": 739, "as its canonical form": 111, "refused": 593, "needs an entity": 83,
        "accepted, because its document type is passed over": 397,
      ])
  }
}

private enum XMLSuite {
  /// Those of XML 1.1 are left out, and of namespaces those that are about URIs.
  static let lists = [
    "xmltest/xmltest.xml", "sun/sun-valid.xml", "sun/sun-invalid.xml", "sun/sun-not-wf.xml",
    "oasis/oasis.xml", "ibm/ibm_oasis_valid.xml", "ibm/ibm_oasis_invalid.xml",
    "ibm/ibm_oasis_not-wf.xml", "japanese/japanese.xml", "eduni/errata-2e/errata2e.xml",
    "eduni/errata-3e/errata3e.xml", "eduni/errata-4e/errata4e.xml", "eduni/misc/ht-bh.xml",
  ]

  static let isHere = read("xmltest/xmltest.xml") != nil

  static func read(_ path: String) -> [UInt8]? { Conformance.read("xmlconf/" + path) }

  /// A list is an entity without a root element of its own.
  static func cases(of list: String) throws -> [XMLCase] {
    let text = String(decoding: try #require(read(list)), as: UTF8.self)
    let start = text.hasPrefix("<?xml") ? text.firstRange(of: "?>")?.upperBound : nil
    let entity = "<list>" + text[(start ?? text.startIndex)...] + "</list>"
    var format = XMLFormat()
    format.lists = ["TEST"]
    let root = try JSONDocument.parse(XMLReader.json(of: Array(entity.utf8), format)).root
    let query = try Query.parse("$..TEST[*]").get()
    return query.nodes(in: QueryContext(root)).map { XMLCase($0, folder: list.folder) }
  }
}

private struct XMLCase {
  let node: JSONNode
  let folder: String

  init(_ node: JSONNode, folder: String) {
    self.node = node
    self.folder = folder
  }

  private func attribute(_ name: String) -> String { node["@" + name]?.string ?? "" }

  var type: String { attribute("TYPE") }
  var path: String { folder + attribute("URI") }
  private var bytes: [UInt8] { XMLSuite.read(path) ?? [] }
  private var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether a reader of the fifth edition of XML 1.0 has to decide it.
  var applies: Bool {
    let edition = attribute("EDITION")
    return type != "error" && (edition.isEmpty || edition.contains("5"))
      && !attribute("RECOMMENDATION").contains("1.1") && !text.contains("version=\"1.1\"")
      // What a document says of its encoding counts less than its bytes.
      && !["eduni/errata-2e/E61.xml", "eduni/misc/007.xml", "eduni/misc/008.xml"].contains(path)
  }

  /// What the reader makes of it.
  var outcome: String {
    let json: [UInt8]
    do throws(FormatProblem) {
      json = try XMLReader.json(of: bytes, XMLFormat())
    } catch {
      if type == "not-wf" { return "refused" }
      if error.message.contains("is not an entity of XML") { return "needs an entity" }
      return "failed"
    }
    if type == "not-wf" {
      return text.contains("<!DOCTYPE")
        ? "accepted, because its document type is passed over" : "failed"
    }
    guard !attribute("OUTPUT").isEmpty, !declaresAttributes,
      let canonical = XMLSuite.read(folder + attribute("OUTPUT"))
    else { return "accepted" }
    guard let found = try? JSONDocument.parse(json, depthLimit: 1024).root,
      let wanted = try? JSONDocument.parse(XMLReader.json(of: canonical, XMLFormat())).root
    else { return "failed" }
    return found.isEqual(to: wanted) ? "as its canonical form" : "failed"
  }

  /// Whether its document type, or a file that this names, may give attributes values or types.
  private var declaresAttributes: Bool {
    text.contains("<!ATTLIST") || text.contains("SYSTEM") || text.contains("PUBLIC")
  }
}

extension String {
  /// Up to the last slash.
  fileprivate var folder: String { String(self[...(lastIndex(of: "/") ?? startIndex)]) }
}
