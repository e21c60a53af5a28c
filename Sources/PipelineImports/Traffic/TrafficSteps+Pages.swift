internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineURIs

/// Finds requests that are the pages of one: each follows from the response before it, or from its
/// own place among them.
///
/// The recording must show the last page, or the workflow would ask for more.
extension TrafficSteps {
  /// A step with `paginate`; `nil` if the request has no further pages.
  mutating func pages(from start: Int) -> TrafficStep? {
    guard traffic.exchanges[start].isSafe, traffic.exchanges[start].poll == nil else { return nil }
    guard let (positions, pages) = linked(start) ?? withCursor(start) ?? counted(start) else {
      return nil
    }
    let own = Set(positions)
    let isReadLater = positions.dropFirst().contains { position in
      consumers[position].contains { !own.contains($0) }
    }
    return isReadLater ? nil : TrafficStep(positions: positions, form: .pages(pages))
  }

  private typealias Found = (positions: [Int], pages: ImportedPages)

  private static func isEnd(_ value: JSONNode?) -> Bool {
    guard let value else { return true }
    return value.isNull || value.string?.isEmpty == true || value.boolean == false
  }

  // MARK: Cursors

  /// Each request sends a cursor of the response before.
  private func withCursor(_ start: Int) -> Found? {
    let slots = traffic.exchanges[start].slotted.slots
    var positions = [start]
    var found: (slot: Int, source: ImportedSource)?
    while let next = positions.last.map({ $0 + 1 }), next < traffic.exchanges.count {
      guard let (slot, source) = cursor(next, after: next - 1),
        found == nil || found?.slot == slot && found?.source == source,
        isSame(start, slots, next, without: slot)
      else { break }
      found = (slot, source)
      positions.append(next)
    }
    guard positions.count > 1, let (slot, source) = found, case .body(let path) = source,
      let root = traffic.root(of: traffic.exchanges[positions[positions.count - 1]]),
      Self.isEnd(ResponsePath(path).value(in: root))
    else { return nil }
    let parameter = traffic.exchanges[positions[1]].slotted.slots[slot].name
    return (positions, .cursor(parameter: parameter, source))
  }

  private func cursor(_ number: Int, after before: Int) -> (Int, ImportedSource)? {
    let slots = traffic.exchanges[number].slotted.slots
    return fills[number].first { slot, correlation in
      slots[slot].kind == .query && correlation.producer.exchange == before
        && slots[slot].text.equals(bytes: correlation.value)
    }.map { ($0.key, $0.value.producer.source) }
  }

  /// Whether two requests differ only in a parameter that the first one lacks.
  private func isSame(
    _ start: Int, _ slots: [RequestSlot], _ number: Int, without slot: Int
  ) -> Bool {
    let (one, other) = (traffic.exchanges[start].slotted, traffic.exchanges[number].slotted)
    var rest = other.slots
    rest.remove(at: slot)
    return one.method.equals(bytes: other.method) && one.origin.equals(bytes: other.origin)
      && slots.count == rest.count && zip(slots, rest).allSatisfy { Self.isEqual($0, $1) }
  }

  private static func isEqual(_ one: RequestSlot, _ other: RequestSlot) -> Bool {
    one.kind == other.kind && one.name.equals(bytes: other.name)
      && one.text.equals(bytes: other.text)
  }

  // MARK: Links

  /// Each response has the URL of the next request, in its header `Link` or in its body.
  private mutating func linked(_ start: Int) -> Found? {
    guard start > linksWithoutEnd else { return nil }
    var positions = [start]
    var found: ImportedPages?
    while let last = positions.last, last + 1 < traffic.exchanges.count {
      let next = traffic.exchanges[last + 1]
      guard next.isSafe, next.poll == nil, next.entries.count == 1,
        let pages = found ?? link(from: last, to: last + 1),
        target(pages, of: last) == url(last + 1)
      else { break }
      found = pages
      positions.append(last + 1)
    }
    guard let found, target(found, of: positions[positions.count - 1]) == nil else {
      linksWithoutEnd = positions[positions.count - 1] - 1
      return nil
    }
    return (positions, found)
  }

  private func url(_ position: Int) -> ExactText {
    ExactText(String(traffic.exchanges[position].first.request.url.prefix(before: "#")))
  }

  private func link(from position: Int, to next: Int) -> ImportedPages? {
    let exchange = traffic.exchanges[position]
    let byHeader = ImportedPages.link(relation: "next")
    if !exchange.last.links.isEmpty, target(byHeader, of: position) == url(next) { return byHeader }
    // The end of a URL is written alike in JSON, whether slashes are escaped or not.
    let end = url(next).text.utf8.split { "/?&=".utf8.contains($0) }.last.map { Substring($0) }
    guard TrafficReader.holds(String(end ?? "/"), traffic.source, at: exchange.last.place),
      let root = traffic.root(of: exchange)
    else { return nil }
    return Self.values(in: root, depth: 3).lazy.filter { $0.node.kind == .string }.map {
      ImportedPages.next(.body($0.path))
    }.first { target($0, of: position) == url(next) }
  }

  /// The URL of the page after a response; `nil` if there is none.
  private func target(_ pages: ImportedPages, of position: Int) -> ExactText? {
    let exchange = traffic.exchanges[position]
    let text: String?
    switch pages {
    case .link(let relation):
      text = LinkHeader.target(
        of: relation, in: exchange.last.links, whereAnchor: { _ in false })
    case .next(.body(let path)):
      let value = traffic.root(of: exchange).flatMap { ResponsePath(path).value(in: $0) }
      text = value?.string
    default: return nil
    }
    guard let text, !text.isEmpty,
      let target = URI.parse(exchange.last.request.url)?.resolving(text)
    else { return nil }
    return ExactText(String(target.description.prefix(before: "#")))
  }

  // MARK: Numbers

  private static let numberNames: Set<String> = [
    "page", "p", "pg", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage", "pagenr",
  ]
  private static let offsetNames: Set<String> = [
    "offset", "skip", "start", "startindex", "startat", "from", "firstresult", "sysparmoffset",
  ]
  private static let pageCounts: Set<String> = [
    "pages", "totalpages", "pagecount", "lastpage", "numpages", "pagestotal", "xwptotalpages",
    "xtotalpages", "xpagecount",
  ]
  private static let recordCounts: Set<String> = [
    "total", "totalcount", "count", "totalresults", "totalitems", "totalrecords", "totalelements",
    "totalhits", "found", "xtotalcount", "xwptotal", "xtotal",
  ]

  private static func plain(_ name: String) -> String {
    String(
      decoding: name.lowercased().utf8.filter(ASCIISet.letters.union(.digits).contains),
      as: UTF8.self)
  }

  /// Each request sends the number of its page, or of the records before it.
  private func counted(_ start: Int) -> Found? {
    let first = traffic.exchanges[start].slotted
    for (slot, part) in first.slots.enumerated() where part.kind == .query {
      let name = Self.plain(part.name)
      let isOffset = Self.offsetNames.contains(name)
      guard isOffset || Self.numberNames.contains(name), let from = Int(part.text) else { continue }
      var positions = [start]
      var step: Int?
      while let last = positions.last, last + 1 < traffic.exchanges.count {
        let next = traffic.exchanges[last + 1]
        guard next.poll == nil, next.entries.count == 1, differsOnly(first, next.slotted, in: slot),
          let value = Int(next.slotted.slots[slot].text),
          let before = Int(traffic.exchanges[last].slotted.slots[slot].text), value > before,
          step == nil || step == value - before
        else { break }
        step = value - before
        positions.append(last + 1)
      }
      guard let step, isOffset ? from == 0 : step == 1 && (0...1).contains(from) else { continue }
      if let pages = counted(part.name, positions, from: from, by: isOffset ? step : nil) {
        return (positions, pages)
      }
    }
    return nil
  }

  private func differsOnly(
    _ one: SlottedRequest, _ other: SlottedRequest, in slot: Int
  ) -> Bool {
    one.method.equals(bytes: other.method) && one.origin.equals(bytes: other.origin)
      && one.slots.count == other.slots.count
      && zip(one.slots, other.slots).enumerated().allSatisfy { number, pair in
        number == slot
          ? pair.0.name.equals(bytes: pair.1.name) && pair.1.kind == .query
          : Self.isEqual(pair.0, pair.1)
      }
  }

  /// - Parameter step: The records of a page, if their number is what the parameter sends.
  private func counted(
    _ parameter: String, _ positions: [Int], from: Int, by step: Int?
  ) -> ImportedPages? {
    guard let first = traffic.root(of: traffic.exchanges[positions[0]]),
      let (list, counts) = records(positions, first)
    else { return nil }
    let full = step ?? counts[0]
    guard full > 0, counts.dropLast().allSatisfy({ $0 == full }) else { return nil }
    let names = step == nil ? Self.pageCounts : Self.recordCounts
    let end: ImportedPages.End
    if let source = count(
      step == nil ? positions.count : counts.reduce(0, +), names, positions[0], first)
    {
      end = .count(source)
    } else if let last = counts.last, last < full {
      end = .items(list)
    } else {
      return nil
    }
    guard let step else {
      var by: Int?
      if case .items = end, counts.last ?? 0 > 0 { by = full }
      return .number(parameter: parameter, from: from, by: by, end)
    }
    return .offset(parameter: parameter, by: step, end)
  }

  /// The list that has the records, and how many each page has: the longest list of the first page
  /// that each page has.
  private func records(
    _ positions: [Int], _ first: JSONNode
  ) -> (list: String, counts: [Int])? {
    var lists = ([("$", first)] + Self.values(in: first, depth: 3)).filter {
      $0.1.kind == .array
    }.map { (path: $0.0, counts: [$0.1.count]) }
    for position in positions.dropFirst() where !lists.isEmpty {
      let root = traffic.root(of: traffic.exchanges[position])
      lists = lists.compactMap { path, counts in
        guard let list = root.flatMap({ ResponsePath(path).value(in: $0) }), list.kind == .array
        else { return nil }
        return (path, counts + [list.count])
      }
    }
    return lists.max { $0.counts[0] < $1.counts[0] }.map { ($0.path, $0.counts) }
  }

  /// Where the first page says how many there are.
  private func count(
    _ number: Int, _ names: Set<String>, _ position: Int, _ root: JSONNode
  ) -> ImportedSource? {
    let found = Self.values(in: root, depth: 3).first { path, node in
      node.number.flatMap { Int(exactly: $0.double) } == number
        && names.contains(Self.plain(String(path.split(ascii: ".").last ?? "")))
    }
    if let found { return .body(found.path) }
    let exchange = traffic.exchanges[position]
    let response = TrafficReader.exchange(traffic.source, at: exchange.last.place)?.response
    return response?.headers.first {
      names.contains(Self.plain($0.name)) && Int($0.value) == number
    }.map { .header($0.name) }
  }

  /// The values of objects, by their paths.
  private static func values(
    in node: JSONNode, depth: Int, _ path: String = "$"
  ) -> [(path: String, node: JSONNode)] {
    guard depth > 0, node.kind == .object else { return [] }
    return node.members.flatMap { member in
      let inner = JSONDifference.path(path, member.name)
      return [(inner, member.value)] + values(in: member.value, depth: depth - 1, inner)
    }
  }
}
