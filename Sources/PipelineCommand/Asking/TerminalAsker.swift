internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText
internal import Synchronization

/// Puts the questions of a run to the person at the terminal, one at a time.
final class TerminalAsker: Sendable {
  private let input: TerminalInput
  private let stream: TextStream
  private let printer: RunPrinter
  private let clock: any RunClock
  private let isAsking = Atomic(false)

  init(
    _ input: TerminalInput, _ stream: TextStream, _ printer: RunPrinter, clock: any RunClock
  ) {
    self.input = input
    self.stream = stream
    self.printer = printer
    self.clock = clock
  }

  /// The answers of the person; `nil` if none came, or the time is over.
  func ask(_ question: RunQuestion) async -> [String: JSONValue]? {
    while !isAsking.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    {
      guard (try? await clock.sleep(for: .milliseconds(50))) != nil else { return nil }
    }
    printer.pause()
    defer {
      printer.resume()
      isAsking.store(false, ordering: .releasing)
    }
    stream.write(wrapping: Cells.printable("? " + question.text) + "\n")
    var answers: [String: JSONValue] = [:]
    for answer in question.answers {
      while true {
        stream.write(Cells.printable(Self.prompt(for: answer)))
        guard let line = await input.line(answer.isSecret), !Task.isCancelled else {
          stream.write("\n")
          return nil
        }
        if answer.isSecret { stream.write("\n") }
        let text = Self.value(line.trimmed, for: answer)
        if text.isEmpty, !answer.isNeeded { break }
        guard let problem = text.isEmpty ? "an answer is needed" : answer.problem(with: text) else {
          answers[answer.name] = .string(text)
          break
        }
        stream.write(line: "  " + problem)
      }
    }
    return answers
  }

  private static func prompt(for answer: RunQuestion.Answer) -> String {
    var kind: [String] = []
    if let about = answer.about { kind.append(about) }
    if !answer.allowed.isEmpty {
      kind.append(answer.allowed.map { $0.node.string ?? $0.node.text }.joined(separator: " or "))
    } else if answer.type == "boolean" {
      kind.append("yes or no")
    } else if let type = answer.type, type != "string" {
      kind.append(type)
    }
    if let value = answer.defaultValue, !answer.isSecret {
      kind.append("otherwise \(value.node.string ?? value.node.text)")
    } else if answer.isOptional {
      kind.append("may be empty")
    }
    return "  \(answer.name)" + (kind.isEmpty ? "" : " (\(kind.joined(separator: "; ")))") + ": "
  }

  /// What was typed, with the words that people use for a boolean.
  private static func value(_ text: String, for answer: RunQuestion.Answer) -> String {
    guard answer.type == "boolean", let meant = Answers.boolean(meantBy: text) else { return text }
    return "\(meant)"
  }
}
