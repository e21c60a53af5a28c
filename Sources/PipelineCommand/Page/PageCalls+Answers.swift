internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRPC
internal import PipelineRecordings

/// The calls about recorded answers. Nothing is sent.
extension PageCalls {
  /// The answer to a call about answers; `nil` if it is not one.
  mutating func answerAboutAnswers(
    _ method: String, _ parameters: JSONNode?, _ reply: @escaping Reply,
    _ fail: @escaping @Sendable (RPCError) -> Void
  ) throws(RPCError) -> Answer? {
    guard method.hasPrefix(bytes: "answers/") else { return nil }
    let shelf = shelf
    if method == "answers/sources" {
      return .now(.array(try sources(parameters).map(\.json)))
    }
    if method == "answers/pinned" {
      let (sources, step) = (try sources(parameters), try Self.text(parameters, "step"))
      begin { reply(await Self.pinned(to: step, among: sources, shelf)) }
      return .later
    }
    let path = try answersPath(parameters)
    let parameters = parameters ?? JSONValue.object([]).node
    begin {
      do throws(RPCError) {
        reply(try Self.answer(method, parameters, try await shelf.answers(at: path)))
      } catch {
        fail(error)
      }
    }
    return .later
  }

  private static func answer(
    _ method: String, _ parameters: JSONNode, _ answers: PageAnswers
  ) throws(RPCError) -> JSONValue {
    func number(_ name: String) -> Int? { parameters[name]?.number?.int }
    do {
      switch method {
      case "answers/steps": return answers.stepsJSON
      case "answers/rows":
        if let numbers = parameters["rows"] {
          return answers.list(numbers.elements.compactMap { $0.number?.int })
        }
        return answers.list(
          step: try text(parameters, "step"), onlyBad: parameters["onlyBad"]?.boolean ?? false,
          offset: number("offset") ?? 0, limit: number("limit") ?? 100, place: number("place"))
      case "answers/search":
        let (rows, next) = try AnswersSearch(answers, for: text(parameters, "text")).found(
          in: text(parameters, "step"), onlyBad: parameters["onlyBad"]?.boolean ?? false,
          from: number("from") ?? 0)
        return [
          "rows": .array(rows.map { JSONValue($0) }), "next": next.map { JSONValue($0) } ?? .null,
        ]
      case "answers/one": return try answers.detail(try row(parameters, answers))
      case "answers/proposals":
        return try extraction(parameters, answers).proposals(for: text(parameters, "at"))
      case "answers/finds":
        return try extraction(parameters, answers).finds(text(parameters, "query"))
      case "answers/extractors": return try extraction(parameters, answers).extractors()
      case "answers/extract":
        let (bytes, place) = try extraction(parameters, answers).writing(
          text(parameters, "name"), text(parameters, "query"))
        // The page counts in units of UTF-16.
        let before = String(decoding: bytes[..<place], as: UTF8.self)
        return [
          "text": .string(String(decoding: bytes, as: UTF8.self)),
          "place": JSONValue(before.utf16.count),
        ]
      default: throw RPCError.unknownMethod(method)
      }
    } catch let error as RPCError {
      throw error
    } catch {
      throw .requestFailed("the answers cannot be read: \(error)")
    }
  }

  private static func row(
    _ parameters: JSONNode, _ answers: PageAnswers
  ) throws(RPCError) -> Int {
    guard let row = parameters["row"]?.number?.int, answers.rows.indices.contains(row) else {
      throw .invalidParameters("there is no such answer")
    }
    return row
  }

  /// The values of the named row, or of the step's first good answer.
  private static func extraction(
    _ parameters: JSONNode, _ answers: PageAnswers
  ) throws -> PageExtraction {
    var step = parameters["step"]?.string ?? ""
    let place: Int?
    if parameters["row"] != nil {
      let row = try row(parameters, answers)
      step = answers.rows[row].key.step
      place = row
    } else {
      place = answers.range(ofStep: step).first { !answers.rows[$0].isBad }
    }
    guard let place, let body = try answers.exchange(place).response?.body,
      let document = try? JSONDocument.parse(body)
    else { throw RPCError.requestFailed("no answer of the step is JSON") }
    return PageExtraction(body: document.root, text: try text(parameters, "text"), step: step)
  }
}
