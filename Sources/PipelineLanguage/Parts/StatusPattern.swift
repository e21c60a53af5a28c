/// One status code, or a class of them.
package enum StatusPattern: Sendable, Hashable, CustomStringConvertible {
  case code(Int)
  /// The hundreds: `.class(4)` is `4xx`.
  case `class`(Int)

  package func matches(_ status: Int) -> Bool {
    switch self {
    case .code(let code): status == code
    case .class(let hundreds): status / 100 == hundreds
    }
  }

  package var description: String {
    switch self {
    case .code(let code): "\(code)"
    case .class(let hundreds): "\(hundreds)xx"
    }
  }
}
