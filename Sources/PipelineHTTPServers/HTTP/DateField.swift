internal import PipelineByteText
internal import PipelineHTTPTerms

/// The Date field (RFC 9110 §6.6.1), written once a second.
struct DateField {
  private(set) var bytes: [UInt8] = []
  private var unixSeconds = Int.min

  mutating func update(_ unixSeconds: Int) {
    guard unixSeconds != self.unixSeconds else { return }
    self.unixSeconds = unixSeconds
    bytes = Array("Date: \(CalendarDate(unixSeconds: unixSeconds).httpDate)\r\n".utf8)
  }
}
