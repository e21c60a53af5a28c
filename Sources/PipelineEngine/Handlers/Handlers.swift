internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The steps of an app that are written in Swift, by name.
///
/// A step with `"endpoint": "swift:score"` calls the handler `score`. Its `body` is decoded as the
/// handler's input. The handler's return value is the response that `extract` and `expect` read.
///
/// ```swift
/// pipeline.handlers["score"] = { (user: User) async throws -> Score in
///   Score(points: user.orders * 10)
/// }
/// ```
///
/// A handler is called like a server: within `limits`, again according to `retry`, and once for
/// each item of a `forEach`. Its task is cancelled when the `timeout` ends. An error that it throws
/// fails the step with the kind `fail`. A `TransportError` or `FailureReason` that it throws keeps
/// its own kind. A handler may be called by several tasks at once. A step with `"endpoint": "POST
/// swift:pay"` must not be called twice: it is repeated only with `retry.unsafe`, and a journal
/// knows it.
public struct Handlers: Sendable {
  /// Text in, text out.
  typealias Call = @Sendable (_ input: JSONNode) async throws -> JSONValue

  private var calls: [String: Call] = [:]
  private var typed: [String: any Sendable] = [:]

  package init() {}

  /// The names that have a handler, sorted.
  public var names: [String] { calls.keys.sorted() }

  /// The handler of a name; `nil` if there is none, or it has other types.
  public subscript<Input: Decodable & Sendable, Output: Encodable & Sendable>(
    _ name: String
  ) -> (@Sendable (Input) async throws -> Output)? {
    get { typed[name] as? @Sendable (Input) async throws -> Output }
    set {
      typed[name] = newValue
      if let newValue { calls[name] = Self.call(name, newValue) } else { calls[name] = nil }
    }
  }

  private static func call<Input: Decodable & Sendable, Output: Encodable & Sendable>(
    _ name: String, _ handler: @escaping @Sendable (Input) async throws -> Output
  ) -> Call {
    { node in
      let input: Input
      do {
        input = try node.decode(Input.self)
      } catch {
        throw FailureReason(.value, "'swift:\(name)' cannot read its input: " + message(of: error))
      }
      let output = try await handler(input)
      do {
        return try JSONValue(encoding: output)
      } catch {
        throw FailureReason(.value, "'swift:\(name)' gave no JSON: " + message(of: error))
      }
    }
  }

  /// Removes the handler of a name.
  ///
  /// - Parameter name: The name after `swift:`.
  public mutating func remove(_ name: String) {
    calls[name] = nil
    typed[name] = nil
  }

  func call(named name: String) -> Call? { calls[name] }

  /// The error's own description.
  package static func message(of error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
      context.debugDescription
    case EncodingError.invalidValue(_, let context): context.debugDescription
    case let error as any LocalizedError: error.errorDescription ?? "\(error)"
    case let error as any CustomStringConvertible: error.description
    default: "\(error)"
    }
  }
}

/// Steps call handlers that the pipeline does not have.
public struct MissingHandler: Error, Sendable, CustomStringConvertible {
  /// The names of the handlers, in the order of the steps.
  public let names: [String]
  /// The first step that calls one.
  public let step: String

  /// The way out, in one phrase.
  public var description: String {
    let name = names.first ?? ""
    let others = names.dropFirst().map { ", '\($0)'" }.joined()
    return "step '\(step)' calls 'swift:\(name)', which is not there; set handlers[\"\(name)\"]"
      + (others.isEmpty ? "" : " (also missing: \(others.dropFirst(bytes: 2)))")
  }
}

extension Handlers {
  /// - Throws: An error if a step calls a handler that neither this nor the transport provides.
  func check(_ plan: Plan, _ transport: any Transport) throws(MissingHandler) {
    let mock = transport as? any StepMock
    let missing = plan.handlers.filter { use in
      calls[use.name] == nil && mock?.answers(use.step) != true
    }
    guard let first = missing.first else { return }
    throw MissingHandler(names: missing.map(\.name), step: first.step)
  }
}
