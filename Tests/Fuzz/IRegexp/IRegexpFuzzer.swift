@testable import PipelineJSONPaths

// I-Regexp: the first line is a pattern, the rest a text. The matcher must agree with a slow reading
// of the syntax tree, within a bound of steps that is linear in the text.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  let lines = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
  let pattern = String(decoding: lines[0], as: UTF8.self)
  let text = lines.count > 1 ? String(decoding: lines[1], as: UTF8.self) : ""
  switch IRegexp.parse(pattern) {
  case .failure(let problem):
    precondition(problem.range.lowerBound >= 0)
    precondition(problem.range.upperBound <= pattern.utf8.count)
    if let fix = problem.fix { precondition(apply(fix, at: problem.range, to: pattern) != pattern) }
  case .success(let regexp): check(regexp, on: text)
  }
  return 0
}

private func apply(_ fix: String, at range: Range<Int>, to text: String) -> String {
  let bytes = Array(text.utf8)
  return String(
    decoding: bytes[..<range.lowerBound] + Array(fix.utf8) + bytes[range.upperBound...],
    as: UTF8.self)
}

private func check(_ regexp: IRegexp, on text: String) {
  let bytes = Array(text.utf8)[...]
  // One scalar makes each instruction be looked at as a thread and as what a thread reaches, and
  // so does what lies past a '$', and a search begins anew.
  let bound = (bytes.count + 2) * (4 * regexp.program.instructions.count + 4)
  var matcher = RegexpMatcher(regexp.program, .whole)
  let whole = matcher.matches(bytes)
  precondition(matcher.steps <= bound, "\(matcher.steps) steps, more than \(bound)")
  var searcher = RegexpMatcher(regexp.program, .part)
  let found = searcher.matches(bytes)
  precondition(searcher.steps <= bound, "\(searcher.steps) steps, more than \(bound)")
  var capturer = RegexpCapturer(regexp.program)
  let capture = capturer.firstMatch(bytes)
  precondition(capturer.steps <= bound, "\(capturer.steps) steps, more than \(bound)")
  precondition(found == (capture != nil))
  precondition(found || !whole)
  // A second time, by what was remembered.
  precondition(whole == matcher.matches(bytes) && found == searcher.matches(bytes))
  if let capture {
    precondition(capture.match.upperBound <= bytes.count)
    if let group = capture.group {
      precondition(capture.match.lowerBound <= group.lowerBound)
      precondition(group.upperBound <= capture.match.upperBound)
    }
  }
  guard text.unicodeScalars.count <= 24, regexp.program.instructions.count <= 200 else { return }
  let scalars = text.unicodeScalars.map(\.value)
  var parser = RegexpParser(regexp.pattern)
  guard let tree = try? parser.wholePattern() else { preconditionFailure("parsed only once") }
  let oracle = Oracle(scalars: scalars)
  precondition(whole == oracle.ends(of: tree, from: [0]).contains(scalars.count))
  precondition(found == !oracle.ends(of: tree, from: Set(0...scalars.count)).isEmpty)
}

/// Where a match may end, read from the syntax tree by sets of places.
private struct Oracle {
  let scalars: [UInt32]

  func ends(of tree: RegexpSyntax, from starts: Set<Int>) -> Set<Int> {
    if starts.isEmpty { return [] }
    switch tree {
    case .empty: return starts
    case .textStart: return starts.filter { $0 == 0 }
    case .textEnd: return starts.filter { $0 == scalars.count }
    case .scalars(let set):
      return Set(
        starts.filter { $0 < scalars.count && set.contains(scalars[$0]) }.map { $0 + 1 })
    case .group(let inner, _): return ends(of: inner, from: starts)
    case .sequence(let parts): return parts.reduce(starts) { ends(of: $1, from: $0) }
    case .choice(let branches):
      return branches.reduce(into: []) { $0.formUnion(ends(of: $1, from: starts)) }
    case .repetition(let inner, let least, let most):
      var places = starts
      for _ in 0..<least { places = ends(of: inner, from: places) }
      var all = places
      var rounds = most.map { $0 - least } ?? .max
      while rounds > 0 {
        places = ends(of: inner, from: places).subtracting(all)
        if places.isEmpty { break }
        all.formUnion(places)
        rounds -= 1
      }
      return all
    }
  }
}
