internal import PipelineByteText

/// The objects that stand for other values, each the only member of its object: language.md §4.
package enum DataForm: String, Sendable, CaseIterable {
  /// The value untouched: no templates, no queries, no forms in it.
  case literal = "$literal"
  /// The value as JSON text.
  case json = "$json"
  /// The text's UTF-8 in base64.
  case base64 = "$base64"
  /// The content of a file, JSON unless `as` says otherwise.
  case file = "$file"
  /// The paths of the files that a pattern names.
  case files = "$files"
  /// Objects merged from first to last, RFC 7396.
  case merge = "$merge"
  /// The first element that is present.
  case first = "$first"
  /// Lists one after the other.
  case concat = "$concat"
  /// How many elements or members there are.
  case count = "$count"
  case sum = "$sum"
  case min = "$min"
  case max = "$max"
  /// The elements' texts, with a text between any two.
  case join = "$join"
  /// An object's members as a list of objects with `key` and `value`.
  case entries = "$entries"
  /// The object that such a list of pairs describes.
  case object = "$object"
  /// Each element once.
  case unique = "$unique"

  /// The name of the form that does what a function of another tool does.
  package static func form(ofFunction name: String) -> String? {
    switch name.lowercased() {
    case "length", "len", "count", "size": "$count"
    case "sum", "total", "add": "$sum"
    case "min", "max", "join", "concat", "unique", "first": "$" + name.lowercased()
    case "flatten": "$concat"
    case "distinct", "uniq": "$unique"
    case "coalesce", "default", "ifnull": "$first"
    case "tojson", "json", "stringify", "json.stringify": "$json"
    case "base64", "b64enc", "btoa", "base64encode": "$base64"
    case "keys", "items", "entries": "$entries"
    default: nil
    }
  }

  /// The form that another name of one means: `$length`, `$concatenate`.
  static func form(meantBy name: String) -> String? {
    let word = String(name.dropFirst(bytes: 1)).lowercased()
    return switch word {
    case "const", "raw", "verbatim": "$literal"
    case "glob", "ls", "folder": "$files"
    case "include", "read", "load", "import": "$file"
    case "assign", "extend", "deepmerge", "spread", "combine": "$merge"
    case "concatenate", "append", "concatarrays": "$concat"
    case "fromentries", "todict", "arraytoobject": "$object"
    case "objecttoarray": "$entries"
    case "minimum", "maximum": "$" + word.prefix(3)
    default: form(ofFunction: word)
    }
  }

  /// The way to do what a form of another tool does, if no form here does it.
  static func advice(on name: String) -> String? {
    switch String(name.dropFirst(bytes: 1)).lowercased() {
    case "map", "each", "flatmap", "mapvalues", "transform", "foreach":
      "a step with 'forEach' and 'values' makes a value of each element"
    case "filter", "where", "find", "select", "reject", "pick", "omit":
      "a query filters: \"$.list.items[?@.active == true]\""
    case "slice", "limit", "skip", "last", "nth", "head", "tail", "arrayelemat", "at", "get":
      "a query selects: \"$.list.items[0:10]\", or \"$.list.items[-1]\" for the last"
    case "sub", "subtract", "minus", "mul", "multiply", "times", "div", "divide", "mod", "modulo",
      "avg", "average", "mean", "round", "floor", "ceil", "abs", "pow":
      "of numbers there are only '$sum', '$min' and '$max'"
    case "sort", "sortby", "orderby", "order", "reverse", "group", "groupby", "zip", "reduce",
      "fold":
      "no form does it; let the server do it, or a program after the run"
    case "upper", "lower", "toupper", "tolower", "trim", "replace", "split", "substring", "substr",
      "regex", "match", "format", "string", "tostring", "number", "tonumber":
      "texts are taken apart where they are extracted: 'regex' and 'type' of an extractor"
    case "if", "cond", "switch", "ternary", "case", "eq", "and", "or", "not":
      "write 'choose', or two steps with 'when'"
    case "now", "date", "time", "timestamp", "today": "write '{{run.startedAt}}'"
    case "uuid", "guid", "random", "id": "write '{{run.id}}', which is another text in each run"
    default: nil
    }
  }

  static let names = allCases.map(\.rawValue)

  /// The input of the form, in a message; `nil`: anything.
  package var wanted: String? {
    switch self {
    case .literal, .json: nil
    case .base64: "a text"
    case .file: "a path"
    case .files: "a pattern of paths such as \"photos/*.png\""
    case .merge: "a list of objects"
    case .first, .unique: "a list"
    case .concat: "a list of lists"
    case .count: "a list or an object"
    case .sum: "a list of numbers"
    case .min, .max: "a list of numbers, or of texts"
    case .join: "a list of a list and a text, as in [\"$.list.names[*]\", \", \"]"
    case .entries: "an object"
    case .object: "a list of objects with 'key' and 'value'"
    }
  }
}

/// How the content of a file becomes a value: `as` beside `$file`.
package enum FileReading: String, Sendable, CaseIterable {
  /// The JSON that it holds.
  case json
  /// Its text, in UTF-8.
  case text
  /// Its bytes in base64.
  case base64
}
