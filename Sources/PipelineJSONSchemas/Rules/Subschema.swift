import PipelineJSONPaths
import PipelineJSONText

/// One schema of a document: an object of keywords, `true` or `false`.
struct Subschema: Sendable {
  /// In the order in which they are checked: what sees other rules' annotations comes last.
  var rules: [Rule] = []
  /// Whether a rule asks which members or items the others saw.
  var collects = false
  /// Whether it is reached in two ways or more, so that what it found is worth remembering.
  var isShared = false
  /// Whether this is `false`.
  var isNever = false
}

/// A keyword and its value. A class, so that checking passes it on in one word.
final class Rule: Sendable {
  let keyword: String
  /// The keyword's value, in bytes of the schema's document.
  let range: Range<Int>
  let check: Check

  init(_ keyword: Keyword, _ range: Range<Int>, _ check: Check) {
    self.keyword = keyword.rawValue
    self.range = range
    self.check = check
  }

  /// The rule of a schema that is `false`.
  init(neverAt range: Range<Int>) {
    keyword = "false"
    self.range = range
    check = .never
  }
}

/// The check of a rule. Numbers stand for schemas, by their position in `Schema.subschemas`.
enum Check: Sendable {
  case never
  case value(ValueCheck)
  case array(ArrayCheck)
  case object(ObjectCheck)
  case applicator(Applicator)

  /// The order in which rules are checked: the cheap ones first, and last those that use what the
  /// others saw.
  var rank: Int {
    switch self {
    case .never, .value(.type): 0
    case .value, .array(.count), .object(.count): 1
    case .array(.unevaluated), .object(.unevaluated): 4
    case .array, .object: 2
    case .applicator: 3
    }
  }
}

/// Asks something of a single value, whatever is in it.
enum ValueCheck: Sendable {
  case type(TypeSet)
  case among(ValueSet)
  case equal(JSONNode)
  indirect case multiple(Divisor)
  indirect case bound(NumberBound)
  case length(CountBound)
  indirect case pattern(Pattern)
  case format(Format)
}

/// Asks something of arrays.
enum ArrayCheck: Sendable {
  case count(CountBound)
  case unique
  /// `prefixItems`, then `items` for all that follow.
  case items(prefix: [Int], rest: Int?)
  indirect case contains(Int, least: CountBound, most: CountBound?)
  case unevaluated(Int)
}

/// Asks something of objects.
enum ObjectCheck: Sendable {
  case count(CountBound)
  case required([RequiredName])
  case dependent([(name: String, required: [RequiredName])])
  case dependentSchemas([(name: String, schema: Int)])
  indirect case members(MemberRules)
  case names(Int)
  case unevaluated(Int)
}

/// Asks other schemas about the same value.
enum Applicator: Sendable {
  case all([Int])
  case any([Int])
  case one([Int])
  case not(Int)
  case conditional(Int, then: Int?, else: Int?)
  case reference(Int)
}

/// A name that must be there, and the bytes of the schema that say so.
struct RequiredName: Sendable {
  let name: String
  let range: Range<Int>
}

/// `properties`, `patternProperties` and `additionalProperties` of one schema.
struct MemberRules: Sendable {
  var names = NameTable()
  /// The schema of each name in `names`.
  var schemas: [Int] = []
  /// For each name, the bytes of its schema.
  var ranges: [Range<Int>] = []
  var patterns: [(pattern: Pattern, schema: Int, range: Range<Int>)] = []
  var additional: (schema: Int, range: Range<Int>)?
}

/// A pattern, and its position among all of the schema.
struct Pattern: Sendable {
  let regexp: IRegexp
  let position: Int
}

/// A minimum or a maximum.
struct CountBound: Sendable {
  let isLeast: Bool
  let count: Int
  let range: Range<Int>

  func allows(_ actual: Int) -> Bool { isLeast ? actual >= count : actual <= count }

  /// `at least 2 items`.
  func phrase(_ noun: String, plural: String? = nil) -> String {
    "\(isLeast ? "at least" : "at most") \(counted(count, noun, plural))"
  }
}

/// `maximum`, `exclusiveMaximum`, `minimum` and `exclusiveMinimum`.
struct NumberBound: Sendable {
  enum Side: Sendable { case most, below, least, above }

  let side: Side
  let number: JSONNumber

  /// - Parameter order: −1, 0 or 1 as the value is less than, equal to or greater than `number`.
  func allows(order: Int) -> Bool {
    switch side {
    case .most: order <= 0
    case .below: order < 0
    case .least: order >= 0
    case .above: order > 0
    }
  }

  var phrase: String {
    switch side {
    case .most: "at most \(number)"
    case .below: "less than \(number)"
    case .least: "at least \(number)"
    case .above: "greater than \(number)"
    }
  }
}

func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
