internal import PipelineByteText
internal import PipelineJSONText
package import PipelineRecordings

/// A request of a recording and what is known of its response. The response's body stays in the
/// file.
package struct TrafficEntry: Sendable {
  /// Where the entry is in the file.
  package let place: Recording.Place
  /// The line on which the entry begins, from 1.
  package let line: Int
  package let request: RecordedExchange.Request
  /// The status of the response; 0 if there is none.
  package let status: Int
  /// The media type of the response, in lower case and without parameters.
  let mediaType: String
  /// The header `Location` of the response.
  let location: String?
  /// The headers `Link` of the response (RFC 8288).
  let links: [String]
  /// What the browser wanted it for, as Chromium and Firefox write it.
  let resourceType: String
  /// Seconds since 1970 at which the request was sent, if the recording says so.
  let start: Double?
  /// The seconds from there to the end of the response.
  let duration: Double
  /// Whether the response came from a service worker, and no request reached a server.
  let isOfServiceWorker: Bool
  /// Whether the response had JSON that the recording does not hold.
  let lacksJSON: Bool
  /// The entry's number in the file, from 0.
  package let number: Int

  /// Reads an entry; `nil` if it has no request with a URL.
  init?(_ node: JSONNode, at place: Recording.Place, line: Int, number: Int) {
    guard let asked = node["request"], let request = RecordedExchange.Request(asked) else {
      return nil
    }
    self.place = place
    self.line = line
    self.number = number
    self.request = request
    let answer = node["response"]
    let status = answer?["status"]?.number.map { Int($0.double) } ?? 0
    self.status = (100..<1000).contains(status) ? status : 0
    func headers(_ name: String) -> [String] {
      (answer?["headers"]).items.filter {
        $0["name"]?.string?.equalsIgnoringASCIICase(name) == true
      }.compactMap { $0["value"]?.string }
    }
    func header(_ name: String) -> String? { headers(name).first }
    let type = answer?["content"]?["mimeType"]?.string ?? header("content-type") ?? ""
    mediaType = String(type.prefix(before: ";")).trimmed.lowercased()
    let redirect = answer?["redirectURL"]?.string
    location = header("location") ?? (redirect?.isEmpty == false ? redirect : nil)
    // Chrome joins headers of one name by line feeds.
    links = headers("link").flatMap { $0.split(ascii: "\n").map { String($0) } }
    resourceType = node["_resourceType"]?.string?.lowercased() ?? ""
    start = node["startedDateTime"]?.string.flatMap { RFC3339.DateTime($0) }?.secondsSince1970
    duration = max(0, node["time"]?.number?.double ?? 0) / 1000
    let content = answer?["content"]
    lacksJSON =
      mediaType.contains(bytes: "json") && content?["text"] == nil
      && (content?["size"]?.number?.double ?? 0) > 0
    isOfServiceWorker = node["_fetchedViaServiceWorker"]?.boolean == true
  }

  /// Whether the response has a status of success.
  var isGood: Bool { (200..<300).contains(status) }

  /// Whether the request only reads (RFC 9110 §9.2.1).
  var isSafe: Bool { ["GET", "HEAD", "OPTIONS"].contains(request.method) }
}

/// Reads the entries of a recording, holding one response at a time.
enum TrafficReader {
  private static let pieceSize = 256 << 10

  /// Calls `body` with each entry of the file.
  ///
  /// - Throws: `RecordingProblem` if the file cannot be read, or is not a HAR file.
  /// - Complexity: Linear in the size of the file; the memory of its largest entry.
  static func readEach(
    _ source: any RecordingSource, _ body: (TrafficEntry, JSONNode) -> Void
  ) throws(RecordingProblem) {
    var scanner = EntryScanner()
    var offset = 0
    var counted = 0
    var line = 1
    var number = 0
    while offset < source.size {
      let piece = try source.read(offset..<min(source.size, offset + pieceSize))
      guard !piece.isEmpty else { break }
      func countLines(to end: Int) {
        line += piece[max(0, counted - offset)..<(end - offset)].count { $0 == 0x0A }
        counted = end
      }
      do {
        try scanner.read(piece) { entry in
          countLines(to: entry.offset + entry.text.count)
          let document: JSONDocument
          do throws(JSONSyntaxError) {
            document = try JSONDocument.parse(entry.text)
          } catch {
            throw RecordingProblem("is not JSON: line \(line): \(error.message)")
          }
          let start = line - entry.text.count { $0 == 0x0A }
          let place = Recording.Place(offset: entry.offset, length: entry.text.count)
          if let read = TrafficEntry(document.root, at: place, line: start, number: number) {
            body(read, document.root)
          }
          number += 1
        }
      } catch let problem as RecordingProblem {
        throw problem
      } catch let problem as EntryScanner.Problem {
        throw RecordingProblem(problem.message)
      } catch {
        throw RecordingProblem("\(error)")
      }
      offset += piece.count
      countLines(to: offset)
    }
    do throws(EntryScanner.Problem) {
      try scanner.finish()
    } catch {
      throw RecordingProblem(error.message)
    }
  }

  /// Whether a text is in an entry as it is written.
  static func holds(
    _ text: String, _ source: any RecordingSource, at place: Recording.Place
  ) -> Bool {
    guard let bytes = try? source.read(place.offset..<place.offset + place.length) else {
      return false
    }
    return String(decoding: bytes, as: UTF8.self).contains(bytes: text)
  }

  /// The whole exchange of an entry; `nil` if it has no response that can be replayed.
  static func exchange(
    _ source: any RecordingSource, at place: Recording.Place
  ) -> RecordedExchange? {
    guard let text = try? source.read(place.offset..<place.offset + place.length),
      let document = try? JSONDocument.parse(text)
    else { return nil }
    return RecordedExchange(document.root)
  }
}
