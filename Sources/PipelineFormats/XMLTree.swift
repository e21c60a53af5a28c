internal import PipelineJSONText

/// The elements of a document in an array, each after the one that it is in.
///
/// Documents are below 2 GB, so that places take half the memory.
struct XMLTree {
  private var elements: [Element] = []
  /// The values of attributes and the texts of elements.
  private var bytes: [UInt8] = []
  private var attributes: [Attribute] = []

  private struct Element {
    let name: Int32
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    /// The next element in the same one.
    var next: Int32 = -1
    var attributes: Range<Int32>
    /// Where the text is. It is contiguous unless elements are between its parts.
    var text: Range<Int32> = 0..<0
  }

  private struct Attribute {
    let name: Int32
    let value: Range<Int32>
  }

  /// The later parts of a text that elements are between, by element.
  private var moreText: [Int: [UInt8]] = [:]

  mutating func add(_ name: Int, to parent: Int?) -> Int {
    let index = elements.count
    let attribute = Int32(attributes.count)
    elements.append(Element(name: Int32(name), attributes: attribute..<attribute))
    guard let parent else { return index }
    let last = elements[parent].lastChild
    if last >= 0 {
      elements[Int(last)].next = Int32(index)
    } else {
      elements[parent].firstChild = Int32(index)
    }
    elements[parent].lastChild = Int32(index)
    return index
  }

  /// Adds an attribute to the element that was added last.
  mutating func append(
    attribute name: Int, _ value: UnsafeBufferPointer<UInt8>, to element: Int
  ) {
    let start = Int32(bytes.count)
    bytes += value
    attributes.append(Attribute(name: Int32(name), value: start..<Int32(bytes.count)))
    elements[element].attributes =
      elements[element].attributes.lowerBound..<Int32(attributes.count)
  }

  /// Whether the element has a text already.
  func hasText(_ element: Int) -> Bool { !elements[element].text.isEmpty }

  mutating func append(text: UnsafeBufferPointer<UInt8>, to element: Int) {
    let known = elements[element].text
    if known.isEmpty {
      // White space at the ends is not kept.
      if text.allSatisfy(XMLByte.isSpace) { return }
      elements[element].text = Int32(bytes.count)..<Int32(bytes.count + text.count)
      bytes += text
    } else if known.upperBound == bytes.count {
      elements[element].text = known.lowerBound..<Int32(bytes.count + text.count)
      bytes += text
    } else {
      moreText[element, default: []] += text
    }
  }

  // MARK: JSON

  /// Where the writing is.
  private struct Step {
    enum Kind {
      case element, closeList, closeObject
    }
    let kind: Kind
    let element: Int32
    var isMember = true
  }

  func json(
    _ format: XMLFormat, _ names: XMLNames
  ) -> Result<[UInt8], FormatProblem> {
    var writer = Writer(tree: self, format, names)
    return writer.write()
  }

  /// Writes a tree, with a stack in place of recursion.
  private struct Writer: ~Copyable {
    let tree: XMLTree
    let isList: [Bool]
    /// `"name":` by number.
    let members: [[UInt8]]
    var json: ByteRoom
    /// The last child with each name, for the current element.
    var last: [Int32]
    /// The next child of the same name.
    var nextSame: [Int32]

    init(tree: XMLTree, _ format: XMLFormat, _ names: XMLNames) {
      self.tree = tree
      isList = names.list.map(format.lists.contains)
      members = names.list.map { name in
        var text: [UInt8] = []
        Array(name.utf8).withUnsafeBufferPointer { text.append(quoted: $0) }
        return text + [Byte.colon]
      }
      last = Array(repeating: -1, count: names.list.count)
      nextSame = Array(repeating: -1, count: tree.elements.count)
      json = ByteRoom(capacity: tree.bytes.count + 32 * tree.elements.count)
    }

    mutating func write() -> Result<[UInt8], FormatProblem> {
      var steps = [Step(kind: .closeObject, element: 0), Step(kind: .element, element: 0)]
      var depth = 1
      var deepest = 1
      put(UInt8(ascii: "{"))
      while let step = steps.popLast() {
        switch step.kind {
        case .closeList:
          put(UInt8(ascii: "]"))
          depth -= 1
        case .closeObject:
          put(UInt8(ascii: "}"))
          depth -= 1
        case .element:
          begin(step, &steps, &depth)
          deepest = max(deepest, depth)
        }
      }
      guard deepest <= 1024 else {
        return .failure(
          FormatProblem("elements and their lists nest too deep", line: 1, column: 1))
      }
      return .success(Array(json.bytes))
    }

    private mutating func separate() {
      let last = json.base[json.count - 1]
      guard last != UInt8(ascii: "{"), last != UInt8(ascii: "["), last != Byte.colon else {
        return
      }
      put(Byte.comma)
    }

    private mutating func put(_ byte: UInt8) {
      json.reserve(1)
      json.put(byte)
    }

    /// Writes an element, or begins it, with those of its name that follow it.
    private mutating func begin(_ step: Step, _ steps: inout [Step], _ depth: inout Int) {
      let index = Int(step.element)
      let element = tree.elements[index]
      separate()
      if step.isMember {
        let name = Int(element.name)
        json.append(members[name])
        if isList[name] || nextSame[index] >= 0 {
          put(UInt8(ascii: "["))
          depth += 1
          steps.append(Step(kind: .closeList, element: step.element))
        }
      }
      if nextSame[index] >= 0 {
        steps.append(Step(kind: .element, element: nextSame[index], isMember: false))
      }
      let text = tree.text(of: element, index)
      if element.firstChild < 0, element.attributes.isEmpty {
        append(text)
        return
      }
      put(UInt8(ascii: "{"))
      depth += 1
      for number in element.attributes {
        let attribute = tree.attributes[Int(number)]
        separate()
        json.append(members[Int(attribute.name)])
        append(tree.text(at: attribute.value))
      }
      if !text.isEmpty {
        separate()
        json.append(Self.textMember)
        append(text)
      }
      steps.append(Step(kind: .closeObject, element: step.element))
      pushChildren(of: element, &steps)
    }

    /// Links the children of one name, and puts the first of each name on the stack.
    private mutating func pushChildren(of element: Element, _ steps: inout [Step]) {
      let start = steps.count
      var child = element.firstChild
      while child >= 0 {
        let name = Int(tree.elements[Int(child)].name)
        if last[name] >= 0 {
          nextSame[Int(last[name])] = child
        } else {
          steps.append(Step(kind: .element, element: child))
        }
        last[name] = child
        child = tree.elements[Int(child)].next
      }
      steps[start...].reverse()
      child = element.firstChild
      while child >= 0 {
        last[Int(tree.elements[Int(child)].name)] = -1
        child = tree.elements[Int(child)].next
      }
    }

    private static let textMember = Array("\"#text\":".utf8)

    private mutating func append(_ text: ArraySlice<UInt8>) {
      text.withUnsafeBufferPointer { json.append(quoted: $0) }
    }
  }

  private func text(at range: Range<Int32>) -> ArraySlice<UInt8> {
    bytes[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  /// The text of an element without white space at its ends.
  private func text(of element: Element, _ index: Int) -> ArraySlice<UInt8> {
    var text = text(at: element.text)
    if let more = moreText[index] { text += more }
    while let last = text.last, XMLByte.isSpace(last) { text.removeLast() }
    return text.drop(while: XMLByte.isSpace)
  }
}
