internal import PipelineLanguage

/// How far the requests for pages have come in a list of answers, pass by pass.
///
/// Within a pass, pages may be asked for in any order: each has the answers up to one that is
/// neither a failure nor a redirect. The first page is asked for alone, because it says how many
/// there are. If it is asked for again although it has no other answer, another pass has begun: a
/// round, or an attempt of a block. Its answers follow those that were given.
struct PagedAnswers: Sendable {
  /// Where the answers of the pass begin in the list.
  private var start = 0
  /// Where those end that were given.
  private var end = 0
  /// The number of answers given to each page of the pass.
  private var given: [Int: Int] = [:]

  /// Why there is no answer.
  enum Problem: Error {
    /// The list has answers for `count` pages, after those of the passes before.
    case noPage(pages: Int, after: Int)
    /// The page has answers, and all were given.
    case noOther
  }

  /// The next answer to a page.
  mutating func next(of list: [TestAnswer], page: Int) throws(Problem) -> TestAnswer {
    if page == 0, let count = given[0], count >= places(of: 0, in: list).count {
      start = end
      given = [:]
    }
    let number = given[page, default: 0]
    given[page] = number + 1
    let places = places(of: page, in: list)
    guard number < places.count else {
      if number > 0 { throw .noOther }
      throw .noPage(pages: pageCount(in: list), after: start)
    }
    let place = places.lowerBound + number
    end = max(end, place + 1)
    return list[place]
  }

  /// Where the answers to a page of the pass are.
  private func places(of page: Int, in list: [TestAnswer]) -> Range<Int> {
    var first = start
    var number = 0
    for place in start..<list.count where list[place].isFinal {
      if number == page { return first..<place + 1 }
      first = place + 1
      number += 1
    }
    return number == page ? first..<list.count : list.count..<list.count
  }

  private func pageCount(in list: [TestAnswer]) -> Int {
    let rest = list[start...]
    return rest.count { $0.isFinal } + (rest.last?.isFinal == false ? 1 : 0)
  }
}

extension TestAnswer {
  /// Whether no other request for the same is expected to follow.
  fileprivate var isFinal: Bool {
    if case .fault = content { return false }
    return status < 300
  }
}
