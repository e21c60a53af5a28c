internal import PipelineByteText
internal import PipelineRPC
internal import SQLiteJournals
internal import Synchronization

/// The recordings that the page looked at last: opening one may read the whole of it.
final class PageShelf: Sendable {
  private struct Book: Sendable {
    let path: String
    let signature: FileSignature?
    let answers: PageAnswers
  }

  private struct State {
    /// The most recently used book is the last.
    var books: [Book] = []
    /// The paths that are being opened, each with those who wait for it.
    var openings: [ExactText: [CheckedContinuation<Void, Never>]] = [:]
  }

  private let state = Mutex(State())
  private static let most = 4

  /// The store of runs, which keeps indexes of recordings; `nil` if nothing is written.
  private let store: RunStore?

  init(store: RunStore?) { self.store = store }

  func answers(at path: String) async throws(RPCError) -> PageAnswers {
    let key = ExactText(path)
    await begin(key)
    defer { end(key) }
    let signature = FileSignature(of: path)
    if let known = known(path, signature) { return known }
    do {
      let place = store.flatMap { $0.index(ofAnswers: path) ?? $0.index(ofRecording: path) }
      let index = place.map { AnswersIndex(path: $0) }
      let answers = try await PageAnswers.opened(path, index: index, signature)
      keep(Book(path: path, signature: signature, answers: answers))
      return answers
    } catch {
      throw .requestFailed("the answers cannot be read: \(error)")
    }
  }

  private func known(_ path: String, _ signature: FileSignature?) -> PageAnswers? {
    state.withLock { state in
      guard
        let place = state.books.firstIndex(where: {
          $0.path.equals(bytes: path) && $0.signature == signature
        })
      else { return nil }
      let book = state.books.remove(at: place)
      state.books.append(book)
      return book.answers
    }
  }

  private func keep(_ book: Book) {
    state.withLock { state in
      state.books.removeAll { $0.path.equals(bytes: book.path) }
      if state.books.count == Self.most { state.books.removeFirst() }
      state.books.append(book)
    }
  }

  // MARK: One opening at a time

  /// Waits until no other call opens the recording.
  private func begin(_ path: ExactText) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.openings[path]?.append(continuation) != nil { return false }
        state.openings[path] = []
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func end(_ path: ExactText) {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.openings[path]?.isEmpty == false else {
        state.openings[path] = nil
        return nil
      }
      return state.openings[path]?.removeFirst()
    }
    next?.resume()
  }
}
