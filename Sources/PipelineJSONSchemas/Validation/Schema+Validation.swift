package import PipelineJSONText

extension Schema {
  /// The violations of a value, in the order of its text; none if it is valid.
  ///
  /// - Parameter limit: The maximum number of violations reported, at least one.
  /// - Complexity: About the value's size times the schema's.
  package func validate(_ instance: JSONNode, limit: Int = 100) -> [SchemaViolation] {
    let validator = Validator(self, instance: instance)
    if validator.holds() { return [] }
    return validator.violations(limit: max(1, limit))
  }
}
