internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/bank`: user → account → transactions, with 64-bit ids and exact decimals.
///
/// Everything follows from the user's number, so any of a million users can be asked for.
enum BankAPI {
  static let routes = plain("/bank", .open) + plain("/bank/secure", .bearer)

  private enum Access { case open, bearer }

  private static func plain(_ root: String, _ access: Access) -> [Route] {
    let note = access == .open ? "" : ", for a bearer token"
    return [
      route("\(root)/users/{id}", "a user with accountId" + note, access, user),
      route("\(root)/accounts/{id}", "an account with its balance" + note, access, account),
      route(
        "\(root)/accounts/{id}/transactions", "the account's transactions" + note, access,
        transactions),
    ]
  }

  private static func route(
    _ pattern: String, _ summary: String, _ access: Access,
    _ answer: @escaping @Sendable (Int) -> ServerResponse?
  ) -> Route {
    Route("GET", pattern, summary) { state, request, values in
      if access == .bearer, let refusal = state.tokens.refusal(of: request) { return refusal }
      return Int(values[0]).flatMap(answer) ?? .failure(404, "no such record")
    }
  }

  // MARK: Records

  /// Account numbers lie past 2^53: read as a Double, every second one would be another's.
  private static let accountBase = 9_007_199_254_740_992
  private static let users = 1...1_000_000

  private static func user(_ id: Int) -> ServerResponse? {
    guard users.contains(id) else { return nil }
    let name = names[(id - 1) % names.count]
    return .object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("email", "\(name.lowercased()).\(id)@bank.example")
      writer.member("accountId", accountBase + id)
    }
  }

  private static func account(_ id: Int) -> ServerResponse? {
    guard let owner = owner(of: id) else { return nil }
    return .object { writer in
      writer.member("id", id)
      writer.member("userId", owner)
      writer.member("balance", digits: decimal(balance(of: owner)))
      writer.member("currency", "EUR")
    }
  }

  private static func transactions(_ account: Int) -> ServerResponse? {
    guard let owner = owner(of: account) else { return nil }
    let parts = amounts(of: owner)
    return .json { writer in
      writer.beginArray()
      for (index, amount) in parts.enumerated() {
        writer.object { writer in
          writer.member("id", account * 100 + index + 1)
          writer.member("amount", digits: decimal(amount))
          writer.member("currency", "EUR")
          writer.member("description", purposes[index][owner % 2])
          writer.member(
            "bookedAt",
            CalendarDate(unixSeconds: 1_767_225_600 + index * 86_400 + owner % 86_400).timestamp)
        }
      }
      writer.endArray()
    }
  }

  private static func owner(of account: Int) -> Int? {
    let (owner, overflow) = account.subtractingReportingOverflow(accountBase)
    return !overflow && users.contains(owner) ? owner : nil
  }

  /// In cents. The account's balance is their sum.
  private static func amounts(of owner: Int) -> [Int] {
    [120_000, -(4_995 + owner * 7 % 9000 - 7), -10_795 - owner % 11 + 1]
  }

  private static func balance(of owner: Int) -> Int { amounts(of: owner).reduce(0, +) }

  private static func decimal(_ cents: Int) -> String {
    let (whole, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(cents < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static let names = ["Ada", "Björn", "Chidi", "Dana", "Emre", "Farah", "Goran", "Hana"]
  private static let purposes = [
    ["salary", "pension"], ["groceries", "books"], ["rent", "energy"],
  ]
}
