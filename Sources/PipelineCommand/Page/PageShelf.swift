internal import PipelineByteText
internal import PipelineRPC
internal import SQLiteJournals
internal import Synchronization

/// The recordings that the page looked at last: opening one reads the whole of it.
final class PageShelf: Sendable {
  private struct Book: Sendable {
    let path: String
    let signature: FileSignature?
    let answers: PageAnswers
  }

  /// The most recently used book is the last.
  private let books = Mutex<[Book]>([])
  private static let most = 4

  /// The store of runs, beside whose recordings an index is kept; `nil` if nothing is written.
  private let store: RunStore?

  init(store: RunStore?) { self.store = store }

  func answers(at path: String) throws(RPCError) -> PageAnswers {
    let signature = FileSignature(of: path)
    let known = books.withLock { books -> PageAnswers? in
      guard
        let place = books.firstIndex(where: {
          $0.path.equals(bytes: path) && $0.signature == signature
        })
      else { return nil }
      let book = books.remove(at: place)
      books.append(book)
      return book.answers
    }
    if let known { return known }
    do {
      let index = store?.index(ofAnswers: path).flatMap { place in
        signature.map { AnswersIndex(path: place, signature: $0) }
      }
      let answers = try PageAnswers(path: path, index: index)
      books.withLock { books in
        books.removeAll { $0.path.equals(bytes: path) }
        if books.count == Self.most { books.removeFirst() }
        books.append(Book(path: path, signature: signature, answers: answers))
      }
      return answers
    } catch {
      throw .requestFailed("the answers cannot be read: \(error)")
    }
  }
}
