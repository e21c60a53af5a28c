#if canImport(Security)
  internal import Foundation
  internal import PipelineKit
  internal import Security

  /// The text of all logins as an item of the keychain, which the system encrypts.
  struct LoginKeychain: LoginContent {
    /// The path of the store, so that each store has an item of its own.
    let account: String

    private static let service = "pipeline"

    var words: String { "the keychain, as '\(Self.service)' of '\(account)'" }

    private var item: [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: Self.service as CFString,
        kSecAttrAccount: account as CFString,
      ]
    }

    func read() throws(LoginProblem) -> [UInt8]? {
      var found: CFTypeRef?
      let query = item.merging([kSecReturnData: kCFBooleanTrue as Any]) { $1 }
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else {
        throw problem("cannot be read from", status)
      }
      return [UInt8](data)
    }

    func write(_ bytes: [UInt8]) throws(LoginProblem) {
      let value: [CFString: Any] = [kSecValueData: Data(bytes) as CFData]
      var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
      if status == errSecItemNotFound {
        status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw problem("cannot be kept in", status) }
    }

    private func problem(_ verb: String, _ status: OSStatus) -> LoginProblem {
      let reason = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "error \(status)"
      return LoginProblem("the logins \(verb) \(words): \(reason)")
    }
  }
#endif
