internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTransports

/// How a step reads the body of a response that it expects.
struct BodyReading: Sendable {
  let read: ResponseFormat
  /// The maximum number of bytes that a body may be unpacked to.
  let limit: Int

  /// The content of a body. What is read in a format is JSON from then on.
  func content(of response: TransportResponse) -> ResponseBody.Content {
    do throws(BodyProblem) {
      let json = try read.format.json(
        of: response.body, charset: read.charset,
        contentType: response.header("content-type") ?? "", limit: limit)
      return json.map { .json(JSONDocument.written($0).root) } ?? .empty
    } catch {
      return .unfit(error)
    }
  }
}

extension RequestStep {
  /// How a response is read. One with a status that is not expected says what is wrong, and is read
  /// as if the step said nothing.
  func reading(status: Int) -> BodyReading? {
    guard let read = request.read,
      unit.stepPlan.step.expect.status.contains(where: { $0.matches(status) })
    else { return nil }
    let plans = [unit.frame.plan] + unit.callers
    let limits = plans.map(\.workflow.limits.responseSize)
    return BodyReading(read: read, limit: limits.min() ?? 0)
  }
}
