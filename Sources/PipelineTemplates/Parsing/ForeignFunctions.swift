internal import PipelineByteText

/// The functions of other tools whose work a data form does.
package enum ForeignFunctions {
  /// Each form with the names of such functions, in lower case.
  private static let names: [(form: String, functions: String)] = [
    ("$json", "tojson json stringify json.stringify"),
    ("$base64", "base64 b64enc btoa base64encode"),
    ("$first", "first coalesce default ifnull"),
    ("$concat", "concat flatten"),
    ("$unique", "unique distinct uniq"),
    ("$sort", "sort sorted sortby orderby order"),
    ("$count", "length len count size"),
    ("$sum", "sum total add"),
    ("$difference", "sub subtract minus"),
    ("$product", "product mul multiply times"),
    ("$quotient", "quotient div divide"),
    ("$min", "min"),
    ("$max", "max"),
    ("$join", "join"),
    ("$entries", "keys items entries"),
    ("$lower", "lower tolower lowercase downcase"),
    ("$upper", "upper toupper uppercase upcase"),
    ("$trim", "trim strip"),
    ("$split", "split explode"),
    ("$replace", "replace replaceall gsub"),
    ("$extract", "substring substr decode"),
    ("$text", "string tostring str text"),
    ("$number", "number tonumber num int float parseint parsefloat"),
    ("$csv", "tocsv to_csv"),
    ("$ndjson", "tondjson tojsonlines"),
    ("$date", "date datetime todate parsedate formatdate strftime strptime dateadd"),
    ("$hash", "hash md5 sha1 sha256 sha512 sha digest"),
    ("$hmac", "hmac hmacsha256 hmacsha1 hmacsha512"),
    ("$jwt", "jwt jwtsign jwtencode"),
    ("$uuid", "uuid guid uuid4 uuidv4 uuid5 newguid"),
    ("$random", "random randint randomint rand"),
  ]

  private static let byFunction = Dictionary(
    uniqueKeysWithValues: names.flatMap { form, functions in
      functions.split(ascii: " ").map { (ExactText(String($0)), form) }
    })

  /// The forms that have such functions.
  package static let forms = names.map(\.form)

  /// The name of the form that does what a function does; `nil` if there is none.
  package static func form(of function: String) -> String? {
    byFunction[ExactText(function.lowercased())]
  }
}
