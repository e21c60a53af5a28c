internal import PipelineHTTPServers

/// The records of `/large`: about 330 bytes, as many APIs' are. They are what benchmarks fetch, so
/// they are put together from written pieces instead of by a JSON writer.
enum SampleRecord {
  static func append(_ id: Int, to output: inout [UInt8]) {
    output += start
    output.appendDecimal(id)
    output += name
    output.appendDecimal(id)
    output += email
    output.appendDecimal(id)
    output += id % 3 == 0 ? inactive : active
    output.appendDecimal(id % 1000)
    output.append(UInt8(ascii: "."))
    output.appendDecimal(id % 9 + 1)
    output += account
    // Past 2^53: a reader that goes through Double loses the last digit.
    output.appendDecimal(9_007_199_254_740_992 + id % 1_000_000_000)
    output += cities[id % cities.count]
    output += tags[id % tags.count]
    output.appendDecimal(id % 200 + 1)
    output += postcode
    output.appendDecimal(10_000 + id % 90_000)
    output += end
  }

  private static let start = Array(#"{"id":"#.utf8)
  private static let name = Array(#","name":"Record "#.utf8)
  private static let email = Array(#"","email":"record."#.utf8)
  private static let active = Array(#"@sandbox.example","active":true,"score":"#.utf8)
  private static let inactive = Array(#"@sandbox.example","active":false,"score":"#.utf8)
  private static let account = Array(#","account":"#.utf8)
  private static let cities = ["Århus", "Bergen", "Čačak", "Delft"].map { city in
    Array(
      (#","city":"\#(city)","note":"An entry like those of a customer list, in one line of text.","#
        + #""tags":["#).utf8)
  }
  private static let tags = ["", #""alpha""#, #""alpha","beta""#, #""alpha","beta","gamma""#].map {
    Array(($0 + #"],"address":{"street":""#).utf8)
  }
  private static let postcode = Array(#" Harbour Road","postcode":""#.utf8)
  private static let end = Array(#""}}"#.utf8)
}
