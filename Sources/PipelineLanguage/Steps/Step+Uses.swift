extension Block {
  /// The reads of the block's `outputs`.
  package var outputUses: [Use] {
    var collector = UseCollector()
    collector.add(outputs, .waits)
    return collector.uses
  }

  /// The reads of what is carried on.
  package var nextUses: [Use] {
    var collector = UseCollector()
    collector.add(next, .waits)
    return collector.uses
  }
}

extension Step {
  /// The reads that decide what one unit of the step does, and how its response is judged.
  ///
  /// The uses of `when` and `otherwise` are not included.
  package var unitUses: [Use] {
    var collector = UseCollector()
    action.forEachPart { collector.add($0) }
    expect.forEachPart { collector.add($0) }
    return collector.uses
  }
}
