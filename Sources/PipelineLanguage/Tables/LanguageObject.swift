import PipelineByteText
package import PipelineJSONText

/// An object that the language defines: its keys, and which of them go together.
///
/// These tables are the one description of the language. They decide which keys the decoder accepts
/// and how it reports others, and docs/reference.md is made from them.
package final class LanguageObject: Sendable {
  /// Every object of the language.
  package enum Kind: String, Sendable, CaseIterable {
    case file, base, input, state, defaults, limits, api, contract, output, lint
    case step, range, itemState, rounds, carried, branch, recovery, failure
    case parameter, auth, credentials, oauth2, clientAuth, clientKey, awsSigV4, sign, tls
    case body, filePart, part, graphql
    case extractor, expect, check, reading, csv, tsv, xml, sse
    case paginate, pageValue, poll, retry, settle, timeout
    case tests, test, answer, itemAnswers, expected, expectedFailure

    /// The objects of workflow files.
    package static let allCases: [Kind] = [
      .file, .base, .input, .state, .defaults, .limits, .api, .contract, .output, .lint,
      .step, .range, .itemState, .rounds, .carried, .branch, .recovery, .failure,
      .parameter, .auth, .credentials, .oauth2, .clientAuth, .clientKey, .awsSigV4, .sign, .tls,
      .body, .filePart, .part, .graphql,
      .extractor, .expect, .check, .reading, .csv, .tsv, .xml, .sse,
      .paginate, .pageValue, .poll, .retry, .settle, .timeout,
    ]

    /// The objects of test files.
    package static let testCases: [Kind] = [
      .tests, .test, .answer, .itemAnswers, .expected, .expectedFailure, .lint,
    ]
  }

  /// Keys that exclude each other. An object has at most one of them, or exactly one.
  package struct Choice: Sendable {
    package let keys: [String]
    package let isRequired: Bool
    /// A key that may stand in for all of them, or beside one of them.
    package let substitute: String?
  }

  package let kind: Kind
  /// Its name in messages: `step`.
  package let title: String
  /// The place of one, for an author who put its key elsewhere: `in a step`.
  package let place: String
  package let keys: [LanguageKey]
  package let choices: [Choice]
  /// What is said of words of other tools that mean no key here.
  let advice: [Foreign]

  /// The positions of the keys by their names in UTF-8.
  private let indexes: [[UInt8]: Int]
  /// The keys that must be there.
  let required: [LanguageKey]
  /// For each key, the keys that it needs at least one of.
  let companions: [[String]]
  /// For each key, the actions that allow it.
  let actions: [Set<LanguageAction>?]
  /// For each key, whether each action allows it: a faster form of `actions`.
  private let allowed: [[Bool]]

  init(
    _ kind: Kind, _ title: String, place: String, keys: [LanguageKey], choices: [Choice] = [],
    advice: [Foreign] = []
  ) {
    self.kind = kind
    self.title = title
    self.place = place
    self.keys = keys
    self.choices = choices
    self.advice = advice
    indexes = Dictionary(
      keys.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    required = keys.filter(\.isRequired)
    companions = keys.map(\.companions)
    actions = keys.map(\.actions)
    allowed = keys.map { key in
      LanguageAction.allCases.map { action in key.actions?.contains(action) ?? true }
    }
  }

  /// Whether an action allows the key at a position.
  func allows(_ key: Int, beside action: LanguageAction) -> Bool { allowed[key][action.number] }

  /// The position of a key in `keys`.
  func index(of name: String) -> Int? { indexes[Array(name.utf8)] }

  /// The position of the key that a member has.
  func index(of member: JSONMember) -> Int? { member.withNameUTF8 { indexes[Array($0)] } }

  /// The key of this name.
  package subscript(_ name: String) -> LanguageKey? { index(of: name).map { keys[$0] } }

  /// Whether a node has a key without those that it needs beside it, which is reported at the key.
  package func lacksCompanion(_ node: JSONNode) -> Bool {
    keys.contains { key in
      !key.companions.isEmpty && node[key.name] != nil
        && !key.companions.contains { node[$0] != nil }
    }
  }

  /// Whether every object takes this key, to no effect on the run.
  static func isIgnored(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "$")
      ? name == "$schema" || name == "$comment" : name.hasPrefix(bytes: "x-")
  }

  /// The objects that have a key of this name.
  static let owners: [String: [Kind]] = {
    var owners: [String: [Kind]] = [:]
    for kind in Kind.allCases where kind != .base && kind != .branch {
      for key in kind.object.keys { owners[key.name, default: []].append(kind) }
    }
    return owners
  }()

  /// The names of all keys, sorted.
  static let ownedNames = owners.keys.sorted()
}

extension LanguageObject.Kind {
  /// The table of this object.
  package var object: LanguageObject {
    switch self {
    case .file: .file
    case .base: .base
    case .input: .input
    case .state: .state
    case .defaults: .defaults
    case .limits: .limits
    case .api: .api
    case .contract: .contract
    case .output: .output
    case .lint: .lint
    case .step: .step
    case .range: .range
    case .itemState: .itemState
    case .rounds: .rounds
    case .carried: .carried
    case .branch: .branch
    case .recovery: .recovery
    case .failure: .failure
    case .parameter: .parameter
    case .auth: .auth
    case .credentials: .credentials
    case .oauth2: .oauth2
    case .clientAuth: .clientAuth
    case .clientKey: .clientKey
    case .awsSigV4: .awsSigV4
    case .sign: .sign
    case .tls: .tls
    case .body: .body
    case .filePart: .filePart
    case .part: .part
    case .graphql: .graphql
    case .extractor: .extractor
    case .expect: .expect
    case .check: .check
    case .reading: .reading
    case .csv: .csv
    case .tsv: .tsv
    case .xml: .xml
    case .sse: .sse
    case .paginate: .paginate
    case .pageValue: .pageValue
    case .poll: .poll
    case .retry: .retry
    case .settle: .settle
    case .timeout: .timeout
    case .tests: .tests
    case .test: .test
    case .answer: .answer
    case .itemAnswers: .itemAnswers
    case .expected: .expected
    case .expectedFailure: .expectedFailure
    }
  }
}
