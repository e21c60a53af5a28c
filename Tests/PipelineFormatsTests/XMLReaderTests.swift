import PipelineJSONText
import Testing

@testable import PipelineFormats

private func json(
  _ text: String, lists: Set<String> = [], prefixes: [String: String] = [:]
) throws -> String {
  var format = XMLFormat()
  format.lists = lists
  format.prefixes = prefixes
  return String(decoding: try XMLReader.json(of: Array(text.utf8), format), as: UTF8.self)
}

@Test(arguments: [
  ("<a/>", #"{"a":""}"#), ("<a></a>", #"{"a":""}"#), ("<a> \n </a>", #"{"a":""}"#),
  ("<a> x </a>", #"{"a":"x"}"#), ("<a b='1' c=\"2\"/>", #"{"a":{"@b":"1","@c":"2"}}"#),
  ("<a b='1'>x</a>", ##"{"a":{"@b":"1","#text":"x"}}"##),
  ("<a><b>1</b><c/><b>2</b></a>", #"{"a":{"b":["1","2"],"c":""}}"#),
  ("<a>x<b/>y</a>", ##"{"a":{"#text":"xy","b":""}}"##),
  ("<a><b><c>1</c></b><b><c>2</c><c>3</c></b></a>", #"{"a":{"b":[{"c":"1"},{"c":["2","3"]}]}}"#),
  ("<a>&lt;&#65;&#x1F600;&amp;&quot;&apos;&gt;</a>", ##"{"a":"<A😀&\"'>"}"##),
  ("<a><![CDATA[<b>&amp;]]]></a>", #"{"a":"<b>&amp;]"}"#),
  ("<a b='x\n\ty&#10;'/>", #"{"a":{"@b":"x  y\n"}}"#), ("<a>x\r\ny\rz</a>", #"{"a":"x\ny\nz"}"#),
  ("<?xml\tversion = '1.7'\n encoding=\"utf-8\" standalone='no' ?><a/>", #"{"a":""}"#),
  (
    "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE a [<!ENTITY b 'c>'> <!-- ' -->]>\n<!-- x -->"
      + "<?php echo?><a><!-- y --><?z?></a>\n<!-- z -->", #"{"a":""}"#
  ),
  ("<s:a xmlns:s='u' s:b='1'><s:c/></s:a>", #"{"s:a":{"@s:b":"1","s:c":""}}"#),
  ("\u{FEFF}<ä.b-c_1>x</ä.b-c_1>", #"{"ä.b-c_1":"x"}"#),
])
func aDocumentIsAnObject(text: String, expected: String) throws {
  #expect(try json(text) == expected)
}

@Test func whatIsNamedInListsIsAlwaysAList() throws {
  #expect(try json("<a><b>1</b></a>", lists: ["b"]) == #"{"a":{"b":["1"]}}"#)
  #expect(try json("<a><b>1</b><b/></a>", lists: ["b"]) == #"{"a":{"b":["1",""]}}"#)
  #expect(try json("<a><a x='1'/></a>", lists: ["a"]) == #"{"a":[{"a":[{"@x":"1"}]}]}"#)
}

@Test func prefixesAreReplacedByThoseOfTheirURIs() throws {
  let prefixes = ["urn:soap": "s", "urn:own": ""]
  #expect(
    try json(
      "<x:E xmlns:x='urn:soap' xmlns='urn:own' x:i='1' j='2'><B/><x:C xmlns:x='urn:new'/></x:E>",
      prefixes: prefixes) == #"{"s:E":{"@s:i":"1","@j":"2","B":"","x:C":""}}"#)
}

/// Documents that are not well-formed, by the kinds of the W3C's suite (xmlconf, not-wf).
@Test(arguments: [
  "", "x", "<a", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "<a b/>", "<a b=1/>", "<a b='1' b='2'/>",
  "<a b='<'/>", "<a>&b;</a>", "<a>&</a>", "<a>& b;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>",
  "<a>&#x110000;</a>", "<a>&#+5;</a>", "<a>]]></a>", "<a><!-- -- --></a>", "<a><!-- x</a>",
  "<a><![CDATA[x</a>", "<a>\u{1}</a>", "<a>\u{FFFF}</a>", "<1a/>", "<-a/>", "<a b='1'c='2'/>",
  "<a><?xml version='1.0'?></a>", " <?xml version='1.0'?><a/>", "<a><!DOCTYPE a></a>", "<a / >",
  "<a b='\u{2}'/>", "<a>&#x;</a>", "<a>&#;</a>", "</a>", "<a/><!DOCTYPE a>", "<?x", "<!DOCTYPE a [",
  "<a b='x/>", "< a/>", "<a><b></a></b>", "<a xmlns:p='u' xmlns:p='v'/>",
  "<a><?pi \u{1}?></a>", "<?xml VERSION='1.0'?><a/>", "<?xml encoding='utf-8'?><a/>",
  "<?xml encoding='utf-8' version='1.0'?><a/>", "<?xml version='1.0'encoding='utf-8'?><a/>",
  "<?xml version='1.0\"?><a/>", "<?xml version='1.0' version='1.0'?><a/>",
  "<?xml version='1.0 '?><a/>", "<?xml version='1.'?><a/>", "<?xml version='2.0'?><a/>",
  "<?xml version='1.0' encoding='8utf'?><a/>", "<?xml version='1.0' encoding='u t'?><a/>",
  "<?xml version='1.0' standalone='YES'?><a/>", "<?xml version='1.0' valid='no'?><a/>",
  "<?xml version='1.0'><a/>", "<?xml version '1.0'?><a/>", "<?xml version=1.0?><a/>",
])
func aDocumentThatIsNotWellFormedIsRefused(text: String) {
  #expect(throws: FormatProblem.self) { try json(text) }
}

@Test func aProblemOfADocumentHasItsPlace() {
  #expect(throws: FormatProblem("'b' is open, but 'a' ends", line: 2, column: 5)) {
    try json("<a>\n <b></a>")
  }
  #expect(
    throws: FormatProblem(
      "'&nbsp;' is not an entity of XML, and none that a document declares is read", line: 1,
      column: 4)
  ) { try json("<a>&nbsp;</a>") }
}

/// Two prefixes of one URI may not give an element the same name twice.
@Test func attributesThatMeanTheSameAreRefused() {
  #expect(throws: FormatProblem("the attribute 'y:i' is written twice", line: 1, column: 35)) {
    try json("<a xmlns:x='u' xmlns:y='u' x:i='' y:i=''/>", prefixes: ["u": "s"])
  }
}

/// The time of neither grows with the square of their number.
@Test func manyAttributesAndNamespacesCostNoMoreThanTheirText() throws {
  let attributes = (0..<50_000).map { " a\($0)=''" }.joined()
  #expect(try json("<a\(attributes)/>").utf8.count > 500_000)
  let declared = (0..<20_000).map { " xmlns:p\($0)='u'" }.joined()
  let children = String(repeating: "<p7:b xmlns:q='u'/>", count: 20_000)
  let read = try json("<a\(declared)>\(children)</a>", prefixes: ["u": "s"])
  #expect(read.hasPrefix(#"{"a":{"s:b":["","","#))
}

@Test func depthIsBounded() throws {
  func nested(_ depth: Int) -> String {
    String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
  }
  #expect(try JSONDocument.parse(Array(json(nested(512)).utf8), depthLimit: 1024).root.count == 1)
  #expect(throws: FormatProblem("elements nest deeper than 512", line: 1, column: 1537)) {
    try json(nested(513))
  }
  #expect(throws: Never.self) { try json(nested(500), lists: ["a"]) }
  // Each level twice: no work is done twice.
  #expect(throws: FormatProblem.self) { try json(nested(100_000)) }
}

@Test func theEncodingIsTheMarksThenTheResponsesThenTheDocuments() throws {
  let units = Array("<a>ä</a>".utf16)
  let utf16: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  #expect(try XMLReader.json(of: utf16, XMLFormat()) == Array(#"{"a":"ä"}"#.utf8))
  let latin =
    Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE4]
    + Array("</a>".utf8)
  #expect(try XMLReader.json(of: latin, XMLFormat()) == Array(#"{"a":"ä"}"#.utf8))
  #expect(throws: FormatProblem.self) { try XMLReader.json(of: latin, charset: .utf8, XMLFormat()) }
}
