internal import PipelineByteText

/// The names of elements and attributes, each with a number, so that they are compared fast.
struct XMLNames {
  private(set) var list: [String] = []
  private var numbers: [String: Int] = [:]
  /// The numbers of names as they are written, of elements and of attributes: most come often.
  private var elements = Written()
  private var attributes = Written()
  private let prefixes: [String: String]
  /// The URIs of each prefix, the innermost last. The default namespace has the empty prefix.
  private var uris: [String: [String]] = [:]
  /// By the numbers of names, the tag that had an attribute of that name last.
  private var lastTags: [Int] = []

  /// Whether prefixes are replaced: only then it matters which URI they stand for.
  var isMapping: Bool { !prefixes.isEmpty }

  /// Numbers by the bytes of names, of the last one for each place.
  private struct Written {
    private var places: [(name: [UInt8], number: Int)] = Array(repeating: ([], 0), count: 256)

    private static func place(_ name: UnsafeBufferPointer<UInt8>) -> Int {
      var hash = name.count
      for byte in name { hash = (hash &* 31) ^ Int(byte) }
      return (hash ^ hash >> 8) & 255
    }

    subscript(name: UnsafeBufferPointer<UInt8>) -> Int? {
      get {
        let place = Self.place(name)
        let isKnown = places[place].name.withUnsafeBufferPointer { $0.hasBytes(of: name) }
        return isKnown ? places[place].number : nil
      }
      set { if let newValue { places[Self.place(name)] = (Array(name), newValue) } }
    }
  }

  init(_ format: XMLFormat) { prefixes = format.prefixes }

  // MARK: Namespaces

  /// Takes the namespaces that attributes declare, and returns their prefixes.
  mutating func declare(
    _ attributes: [XMLAttribute], in text: UnsafeBufferPointer<UInt8>
  ) -> [String] {
    guard isMapping else { return [] }
    var declared: [String] = []
    for attribute in attributes where attribute.declaresNamespace(in: text) {
      let prefix = String(text[part: attribute.name].text.dropFirst("xmlns:".count))
      uris[prefix, default: []].append(
        attribute.made.map { String(decoding: $0, as: UTF8.self) }
          ?? text[part: attribute.written].text)
      declared.append(prefix)
    }
    return declared
  }

  /// The element that declared these prefixes has ended.
  mutating func undeclare(_ prefixes: [String]) {
    for prefix in prefixes { uris[prefix]?.removeLast() }
  }

  // MARK: Numbers

  /// The number of the name of an element.
  mutating func element(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    if isMapping { return number(mapped(name.text, hasDefault: true)) }
    if let known = elements[name] { return known }
    let number = number(name.text)
    elements[name] = number
    return number
  }

  /// The number of the name of an attribute. One without a prefix is in no namespace.
  mutating func attribute(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    if isMapping { return number("@" + mapped(name.text, hasDefault: false)) }
    if let known = attributes[name] { return known }
    let number = number("@" + name.text)
    attributes[name] = number
    return number
  }

  /// Whether an attribute of this number is the first of that name in a tag.
  ///
  /// - Parameter tag: Where the tag begins.
  mutating func isFirst(_ number: Int, inTagAt tag: Int) -> Bool {
    while lastTags.count < list.count { lastTags.append(-1) }
    defer { lastTags[number] = tag }
    return lastTags[number] != tag
  }

  private mutating func number(_ name: String) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = list.count
    list.append(name)
    return list.count - 1
  }

  private func mapped(_ name: String, hasDefault: Bool) -> String {
    let parts = name.split(ascii: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let prefix = parts.count == 2 ? String(parts[0]) : ""
    guard !prefix.isEmpty || hasDefault, let uri = uris[prefix]?.last,
      let own = prefixes[uri]
    else { return name }
    let local = String(parts[parts.count - 1])
    return own.isEmpty ? local : own + ":" + local
  }
}

/// An attribute as it is written.
struct XMLAttribute {
  let name: Range<Int>
  /// Where the value is written.
  let written: Range<Int>
  /// The value with references replaced; `nil` if it is as written.
  let made: [UInt8]?

  func declaresNamespace(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = text[part: name]
    guard name.count >= 5, name[part: 0..<5].elementsEqual("xmlns".utf8) else { return false }
    return name.count == 5 || name[5] == Byte.colon
  }
}
