internal import PipelineHTTPServers
internal import PipelineJSONText

extension ServerRequest {
  /// A whole query parameter, held to `range`; `otherwise` if there is none that is a number.
  func integer(_ name: String, in range: ClosedRange<Int>, otherwise: Int) -> Int {
    guard let value = query(name).flatMap({ Int($0) }) else { return otherwise }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// A parameter of the query, or else a member of a JSON body.
  func parameter(_ name: String) -> String? {
    if let value = query(name) { return value }
    guard let member = json?[name], !member.isNull else { return nil }
    return member.string ?? member.text
  }

  /// The same as a whole number, held to `range`.
  func count(_ name: String, in range: ClosedRange<Int>, otherwise: Int) -> Int {
    guard let value = parameter(name).flatMap({ Int($0) }) else { return otherwise }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// A query parameter counted in `unit`, fractions allowed, of at most a minute.
  func duration(_ name: String, unit: Duration) -> Duration? {
    guard let value = query(name).flatMap({ Double($0) }), value >= 0 else { return nil }
    let limit = Duration.seconds(60)
    return value * (unit / limit) >= 1 ? limit : unit * value
  }
}
