import PipelineJSONPaths
import Testing

/// A text that is no query, what is pointed at, how the message goes (a part of it), and the fix.
struct Refusal: Sendable, CustomTestStringConvertible {
  let text: String
  let place: String
  let says: String
  let fix: String?

  init(_ text: String, _ place: String, _ says: String, fix: String? = nil) {
    self.text = text
    self.place = place
    self.says = says
    self.fix = fix
  }

  var testDescription: String { text }

  func check<Parsed>(_ result: Result<Parsed, QuerySyntaxError>) {
    guard let problem = Problem(result, in: text) else {
      Issue.record("'\(text)' is not refused")
      return
    }
    #expect(problem.message.contains(says), "\(text)")
    #expect(problem.place == place, "\(text)")
    #expect(problem.fix == fix, "\(text)")
    #expect(!problem.message.hasSuffix("."), "a message is a phrase")
  }
}

@Suite struct QueryMessageTests {
  static let starts = [
    Refusal("", "", "the query is empty", fix: "$"),
    Refusal(" $", " ", "a query must not begin with a blank", fix: ""),
    Refusal("$.a ", " ", "drop the blanks", fix: ""),
    Refusal("@.a", "@", "'@' is the node that a filter or condition tests"),
    Refusal("a.b", "a.b", "write '$.a.b'", fix: "$.a.b"),
    Refusal(".a.b", ".a.b", "write '$.a.b'", fix: "$.a.b"),
    Refusal(".[0].b", ".[0].b", "write '$[0].b'", fix: "$[0].b"),
    Refusal("[0]", "[0]", "write '$[0]'", fix: "$[0]"),
    Refusal("/a/0/b-c", "/a/0/b-c", "not a JSON Pointer", fix: "$.a[0]['b-c']"),
    Refusal("{{x}}.a", "{{", "a template can only replace a literal"),
    Refusal("$a", "$", "write '.' between '$' and a name", fix: "$."),
    Refusal("${a}", "{", "braces are for templates"),
    Refusal("*", "*", "write '$.*'", fix: "$.*"),
    Refusal("//a", "/", "a query begins with '$'"),
    Refusal("$.a^", "^", "no parent operator"),
    Refusal("$.a~", "~", "cannot select member names"),
    Refusal("$.a | $.b", "|", "a query ends here"),
    Refusal("$.a == 1", "=", "a comparison belongs in '[?…]'"),
    Refusal("$.a]", "]", "closes nothing", fix: ""),
    Refusal("$.a,", ",", "begins with '.' or '['"),
    Refusal("$.a.keys()", ".keys()", "queries have no methods"),
  ]

  static let names = [
    Refusal("$.a-b", ".a-b", "write '['a-b']'", fix: "['a-b']"),
    Refusal("$..a-b.c", "a-b", "write '['a-b']'", fix: "['a-b']"),
    Refusal("$.x:y.z", ".x:y", "':' is not allowed in a name", fix: "['x:y']"),
    Refusal("$.@type", ".@type", "'@type' is written", fix: "['@type']"),
    Refusal("$.$ref", ".$ref", "'$ref' is written", fix: "['$ref']"),
    Refusal("$.first name", ".first name", "a name with blanks", fix: "['first name']"),
    Refusal("$.first name .x", ".first name", "a name with blanks", fix: "['first name']"),
    Refusal("$.a.'b c'.d", ".'b c'", "belongs in brackets", fix: "['b c']"),
    Refusal("$.a.0", ".0", "an index is written '[0]'", fix: "[0]"),
    Refusal("$.2nd", ".2nd", "'2nd' is written", fix: "['2nd']"),
    Refusal("$.", ".", "a name or '*' follows '.'"),
    Refusal("$...a", "...", "'...' is not a segment"),
    Refusal("$.a.[0]", ".", "write no '.' before '['", fix: ""),
    Refusal("$.{{x}}", "{{", "a template cannot replace a name"),
    Refusal("$.a{{x}}", "{{", "a template cannot be part of a name"),
  ]

  static let brackets = [
    Refusal("$[]", "[]", "the brackets are empty", fix: "[*]"),
    Refusal("$[a]", "a", "a name in brackets is quoted", fix: "'a'"),
    Refusal("$.a[last]", "last", "the last element is written '[-1]'", fix: "-1"),
    Refusal("$.a[(@.length-1)]", "[(@.length-1)]", "counted from the end", fix: "[-1]"),
    Refusal("$.a[(@.x)]", "(@.x)", "script expressions are not in RFC 9535"),
    Refusal("$.a[@.x > 1]", "@", "a filter begins with '?'", fix: "?@"),
    Refusal("$.a[{{i}}]", "{{", "must not contain a template"),
    Refusal("$[01]", "01", "write '1'", fix: "1"),
    Refusal("$[-0]", "-0", "write '0'", fix: "0"),
    Refusal("$[1.0]", "1.0", "a whole number"),
    Refusal("$[9007199254740992]", "9007199254740992", "out of range"),
    Refusal("$[0,]", ",", "nothing follows ','", fix: ""),
    Refusal("$[1-3]", "-", "a slice is written with ':'"),
    Refusal("$[0..3]", "0..3", "write '0:3' for 3 elements", fix: "0:3"),
    Refusal("$[0..1]", "0..1", "write '0:1' for 1 element", fix: "0:1"),
    Refusal("$[3..1]", "3..1", "as in '0:3' for 3 elements"),
    Refusal("$[1..1]", "1..1", "as in '0:3' for 3 elements"),
    Refusal("$[2..-2]", "2..-2", "as in '0:3' for 3 elements"),
    Refusal("$[2..-1]", "2..-1", "write '2:' for all from 2", fix: "2:"),
    Refusal("$[-3..-1]", "-3..-1", "write '-3:' for the last 3", fix: "-3:"),
    Refusal(
      "$[-9223372036854775808..-1]", "-9223372036854775808..-1", "is not an index; an index is"),
    Refusal("$['a'", "[", "'[' is not closed"),
    Refusal("$[0 1]", "1", "',' or ']' follows a selector"),
    Refusal("$['a'.b]", ".", "']' is missing", fix: "]."),
    Refusal("$[$.a]", "$", "only in a filter"),
    Refusal("$[,0]", ",", "a selector is missing before ','"),
    Refusal("$[#]", "#", "brackets contain a quoted name"),
    Refusal("$[(@.a", "(", "script expressions"),
    Refusal("$[-]", "-]", "digits follow '-'"),
    Refusal("$[‘a]", "‘", "straight quotes"),
    Refusal("$[‘a’]", "‘a’", "straight quotes", fix: "'a'"),
    Refusal(#"$['a\x']"#, #"\x"#, "is not an escape"),
    Refusal(#"$["a\'b"]"#, #"\'"#, "write no '\\' before '", fix: "'"),
    Refusal(#"$['\ud800']"#, #"\ud800"#, "half of a surrogate pair"),
    Refusal("$['a\tb']", "\t", "written as an escape", fix: "\\t"),
  ]

  static let filters = [
    Refusal("$.a[?(@.x = 1)]", "=", "'=' is written '=='", fix: "=="),
    Refusal("$.a[?@.x === 1]", "===", "written '=='", fix: "=="),
    Refusal("$.a[?@.x <> 1]", "<>", "written '!='", fix: "!="),
    Refusal("$.a[?@.x and @.y]", "and", "written '&&'", fix: "&&"),
    Refusal("$.a[?@.x == 1 or @.y]", "or", "written '||'", fix: "||"),
    Refusal("$.a[?@.x & @.y]", "&", "written '&&'", fix: "&&"),
    Refusal("$.a[?not @.x]", "not ", "written '!'", fix: "!"),
    Refusal("$.a[?@.x =~ /ab/]", "=~", "match(@.x, '…')"),
    Refusal("$.a[?@.x == /ab/]", "/", "use a pattern in a function"),
    Refusal("$.a[?@.x in [1,2]]", "in", "join comparisons with '||'"),
    Refusal("$.a[?@.x == [1]]", "[", "lists and objects are not literals"),
    Refusal("$.a[?@.x == []]", "[]", "a list is empty if 'count(@.list[*]) == 0'"),
    Refusal("$.a[?@.x == active]", "active", "neither text nor query", fix: "'active'"),
    Refusal("$.a[?@.x == True]", "True", "written 'true'", fix: "true"),
    Refusal("$.a[?@.x == undefined]", "undefined", "test for an absent value without a comparison"),
    Refusal("$.a[?@.x.length() > 1]", "@.x.length()", "no methods", fix: "length(@.x)"),
    Refusal("$.a.length()", ".length()", "'length($.a)' is allowed in a filter"),
    Refusal("$.a[?@.x + 1 == 2]", "+", "no arithmetic"),
    Refusal("$.a[?1]", "1", "alone is not a test"),
    Refusal("$.a[?!@.a == 1]", "!@.a == 1", "negates a test", fix: "!(@.a == 1)"),
    Refusal("$.a[?(@.a) == 1]", "(@.a)", "without parentheses"),
    Refusal("$.a[?@.a == 1 == 2]", "@.a == 1 ==", "two sides"),
    Refusal("$.a[?@[*] == 1]", "@[*]", "may select many nodes"),
    Refusal("$.a[?@[ 'a' ] == 1]", "[ 'a' ]", "no blank", fix: "['a']"),
    Refusal("$.a[?length(@.*) > 1]", "@.*", "'count' for 'length'"),
    Refusal("$.a[?count(1) > 1]", "1", "takes a query, not a literal"),
    Refusal("$.a[?count(@.a)]", "count(@.a)", "is a value, not a test"),
    Refusal("$.a[?match(@.a, 'x') == true]", "match(@.a, 'x')", "drop the comparison"),
    Refusal("$.a[?length (@.a) > 1]", " ", "write no blank before '('", fix: ""),
    Refusal("$.a[?Length(@.a) > 1]", "Length", "small letters", fix: "length"),
    Refusal("$.a[?size(@.a) > 1]", "size", "written 'length'", fix: "length"),
    Refusal("$.a[?foo(@.a)]", "foo", "is not a function here"),
    Refusal("$.a[?length(@.a, 1) > 1]", "length(@.a, 1)", "takes one argument, not 2"),
    Refusal("$.a[?@.a == {{x}}]", "{{", "this query must not contain a template"),
    Refusal("$.a[?(@.a]", "]", "closes nothing"),
    Refusal("$.a[?@.a > .5]", ".", "a number needs a digit before '.'", fix: "0."),
    Refusal("$.a[?@.a > 01]", "01", "write '1'", fix: "1"),
    Refusal("$.a[?@.x | @.y]", "|", "written '||'", fix: "||"),
    Refusal("$.a[?@.x ? 1]", "?", "'?' only before a filter"),
    Refusal("$.a[?@.x+1 == 2]", "+", "no arithmetic"),
    Refusal("$.a[?@.x contains 'y']", "contains", "write 'search(@.x, '…')'"),
    Refusal("$.a[?@.x lt 2]", "lt", "written '<'", fix: "<"),
    Refusal("$.a[?contains(@.x, 'y')]", "contains", "write 'search(@.x, '…')'"),
    Refusal("$.a[?regex(@.x, 'y')]", "regex", "written 'match'", fix: "match"),
    Refusal("$.a[?exists(@.x)]", "exists", "drop 'exists'"),
    Refusal("$.a[?empty(@.x)]", "empty", "write 'length(…) == 0'"),
    Refusal("$.a[?.x == 1]", ".", "begins with '$' or '@'", fix: "@."),
    Refusal("$.a[??@.x]", "?", "only before a filter"),
    Refusal("$.a[?]", "]", "is missing before ']'"),
    Refusal("$.a[?@.x == ", "", "is missing at the end"),
    Refusal("$.a[?@.x == (1)]", "(", "the side of a comparison"),
    Refusal("$.a[?count(@.b == 1) > 1]", "count(@.b ==", "takes values, not tests"),
    Refusal("$.a[?count(!@.b) > 1]", "!", "takes values, not tests"),
    Refusal("$.a[?count(length(@.b)) > 1]", "length(@.b)", "takes a query"),
    Refusal("$.a[?length(match(@.b, 'c')) > 1]", "match(@.b, 'c')", "is true or false"),
    Refusal("$.a[?length(@.b", "length(", "is not closed"),
    Refusal("$.a[?@.x == NULL]", "NULL", "written 'null'", fix: "null"),
    Refusal("$.a[?@.x == NaN]", "NaN", "JSON has no 'NaN'"),
    Refusal("$.a[?@.x == +5]", "+", "a number has no '+'", fix: ""),
    Refusal("$.a[?@.x == 1.]", "1.", "digits follow '.'"),
    Refusal("$.a[?!!@.b]", "!!", "drop both", fix: ""),
    Refusal("$.a[?@.a == 'x]", "'x]", "the string is not closed"),
  ]

  @Test(arguments: starts) func aForeignStartIsNamed(_ refusal: Refusal) {
    refusal.check(Query.parse(refusal.text))
  }

  @Test(arguments: names) func aNameThatNeedsBracketsIsProposed(_ refusal: Refusal) {
    refusal.check(Query.parse(refusal.text))
  }

  @Test(arguments: brackets) func aWrongSelectorIsNamed(_ refusal: Refusal) {
    refusal.check(Query.parse(refusal.text))
  }

  @Test(arguments: filters) func aWrongFilterIsNamed(_ refusal: Refusal) {
    refusal.check(Query.parse(refusal.text))
  }

  /// A fix is offered as a safe edit, so it must bring the text to where the fault is gone.
  @Test(arguments: starts + names + brackets + filters)
  func aFixMendsWhatItIsOfferedFor(_ refusal: Refusal) {
    guard case .failure(let problem) = Query.parse(refusal.text), let fix = problem.fix else {
      return
    }
    let bytes = Array(refusal.text.utf8)
    let mended = String(
      decoding: bytes[..<problem.range.lowerBound] + Array(fix.utf8)
        + bytes[problem.range.upperBound...], as: UTF8.self)
    guard case .failure(let next) = Query.parse(mended) else { return }
    // What remains wrong, if anything, stands further on.
    #expect(next.range.lowerBound > problem.range.lowerBound, "\(mended): \(next.message)")
  }

  @Test func nestingIsBounded() {
    let deep = String(repeating: "(", count: 40) + "@.a" + String(repeating: ")", count: 40)
    #expect(Problem(Condition.parse(deep), in: deep)?.message.contains("32 deep") == true)
    let filters = String(repeating: "$[?@", count: 1) + String(repeating: "[?@", count: 100_000)
    #expect(Problem(Query.parse(filters), in: filters)?.message.contains("32 deep") == true)
    let long = "$" + String(repeating: ".a", count: 129)
    #expect(Problem(Query.parse(long), in: long)?.message.contains("128 segments") == true)
  }
}
