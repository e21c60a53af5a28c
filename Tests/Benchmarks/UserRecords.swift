/// A list of user records as an API gives it, the same at every run.
enum UserRecords {
  static func json(atLeast byteCount: Int) -> [UInt8] {
    var text = Array(#"{"page":1,"data":["#.utf8)
    text.reserveCapacity(byteCount + 1024)
    var id = 0
    while text.count < byteCount {
      if id > 0 { text.append(UInt8(ascii: ",")) }
      id += 1
      text.append(contentsOf: record(id).utf8)
    }
    text.append(contentsOf: "]}".utf8)
    return text
  }

  /// The usual answer for one user: about 300 bytes.
  static var response: [UInt8] {
    Array(#"{"data":\#(record(7)),"support":{"text":"hello"}}"#.utf8)
  }

  private static let names = [
    "Ada", "Grace", "Jürgen", "Barbara", "Edsger", "Margaret", "Ken", "Frances",
  ]

  private static func record(_ id: Int) -> String {
    // A multiplicative hash in place of randomness.
    let hash = UInt64(id) &* 0x9E37_79B9_7F4A_7C15
    let name = names[Int(hash >> 61)]
    let other = names[Int(hash >> 58 & 7)]
    let balance = "\(hash >> 40 & 0xFFFF).\(10 + hash >> 20 & 63)"
    return """
      {"id":\(1_000_000 + id),"email":"\(other.lowercased()).\(id)@example.com",\
      "first_name":"\(name)","last_name":"Lovelace-\(other)",\
      "avatar":"https://example.com/img/faces/\(id)-image.jpg",\
      "active":\(hash >> 30 & 1 == 0),"balance":\(balance),"manager":null,\
      "tags":["staff","level-\(hash >> 50 & 7)"]}
      """
  }
}
