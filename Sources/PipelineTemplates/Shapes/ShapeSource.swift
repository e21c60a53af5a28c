internal import Synchronization

/// What is known of a value from elsewhere than the workflow: from the description of an API, or from
/// recorded answers.
///
/// The content is one level, whose parts have sources of their own. So a shape may contain itself, and
/// nothing is worked out that is not asked for. Types are known. Whether a value is there, or `null`,
/// is not.
package protocol ShapeSource: AnyObject, Sendable {
  var content: ValueShape.Content { get }
  /// What an editor shows of the value: its type, or a sample.
  var detail: String? { get }
  /// The source that can say where the value is described; `nil` if it is one of several.
  var basis: (any ShapeSource)? { get }
  /// Whether another source is the same.
  func isSame(as other: any ShapeSource) -> Bool
  /// Whether each value of another source may be one of this.
  func includes(_ other: any ShapeSource) -> Bool
  /// Whether it is known that there is no member of this name.
  func lacks(_ name: String) -> Bool
  /// A member that the content does not list; `nil` if nothing is known of it.
  func other(_ name: String) -> ValueShape?
}

extension ShapeSource {
  package var basis: (any ShapeSource)? { self }
  package func isSame(as other: any ShapeSource) -> Bool { self === other }
  package func includes(_ other: any ShapeSource) -> Bool { false }
  package func lacks(_ name: String) -> Bool { false }
  package func other(_ name: String) -> ValueShape? { nil }
}

/// The content of a source, which is worked out when it is first requested.
package struct LazyContent: ~Copyable, Sendable {
  private let known = Mutex<ValueShape.Content?>(nil)

  package init() {}

  /// - Parameter make: Works the content out. Two threads may do so at the same time.
  package borrowing func value(_ make: () -> ValueShape.Content) -> ValueShape.Content {
    if let content = known.withLock({ $0 }) { return content }
    let content = make()
    known.withLock { $0 = content }
    return content
  }
}

/// A value that has one of two shapes.
final class UnionSource: ShapeSource {
  private let one: ValueShape
  private let two: ValueShape
  private let known = LazyContent()

  init(_ one: ValueShape, _ two: ValueShape) {
    self.one = one
    self.two = two
  }

  var content: ValueShape.Content {
    known.value { ValueShape.union(one.content, two.content) }
  }

  var detail: String? { nil }
  var basis: (any ShapeSource)? { nil }

  func isSame(as other: any ShapeSource) -> Bool {
    if self === other { return true }
    guard let other = other as? UnionSource else { return false }
    return one == other.one && two == other.two
  }

  func includes(_ other: any ShapeSource) -> Bool {
    [one, two].contains { shape in
      shape.source.map { $0.isSame(as: other) || $0.includes(other) } ?? false
    }
  }
}
