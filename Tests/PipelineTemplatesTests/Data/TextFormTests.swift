import PipelineJSONText
import PipelineTemplates
import Testing

/// The forms that make a text, or a value of a text.
struct TextFormTests {
  @Test(arguments: [
    (#"{"$lower": "{{name}}"}"#, #""ada lovelace""#),
    (#"{"$upper": "Stra\u00dfe"}"#, #""STRASSE""#), (#"{"$lower": "\u00c9"}"#, "\"\u{E9}\""),
    (#"{"$upper": "{{text}}"}"#, "\"CAF\u{C9} \u{2615}\""),
    (#"{"$lower": ""}"#, #""""#), (#"{"$lower": "{{gone}}"}"#, "absent"),
    (#"{"$upper": "{{id}}"}"#, "error: dataForm"), (#"{"$upper": "{{none}}"}"#, "error: dataForm"),
    (#"{"$lower": 7}"#, "problem: '$lower' takes a text"),
    (#"{"$lower": ["a"]}"#, "problem: '$lower' takes a text"),
    (#"{"$lower": "$.user['first-name']"}"#, #""ada""#),
    (#"{"$trim": " \t\u00a0x y\u2003\n"}"#, #""x y""#), (#"{"$trim": " \r\n"}"#, #""""#),
    (#"{"$trim": {"$lower": " {{name}} "}}"#, #""ada lovelace""#),
    (
      #"{"$lower": {"of": "{{name}}"}}"#,
      #"problem: '$lower' has no options; write {"$lower": "{{name}}"}"#
    ),
  ])
  func lettersAndEndsAreChanged(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$split": {"of": "a,b,,c", "separator": ","}}"#, #"["a","b","","c"]"#),
    (#"{"$split": {"of": "", "separator": ","}}"#, #"[""]"#),
    (#"{"$split": {"of": ",", "separator": ","}}"#, #"["",""]"#),
    (#"{"$split": {"of": "aaa", "separator": "aa"}}"#, #"["","a"]"#),
    (#"{"$split": {"of": "{{name}}", "separator": "{{slash}}"}}"#, #"["Ada Lovelace"]"#),
    (#"{"$split": {"separator": " ", "of": "{{name}}"}}"#, #"["Ada","Lovelace"]"#),
    (#"{"$split": {"of": "{{gone}}", "separator": ","}}"#, "absent"),
    (#"{"$split": {"of": "a", "separator": "{{gone}}"}}"#, "error: absent"),
    (#"{"$split": {"of": "a", "separator": "{{empty}}"}}"#, "error: dataForm"),
    (#"{"$split": {"of": "a7b", "separator": "{{id}}"}}"#, #"["a","b"]"#),
    (#"{"$split": {"of": "a", "separator": "{{list}}"}}"#, "error: dataForm"),
    (#"{"$split": {"of": "{{list}}", "separator": ","}}"#, "error: dataForm"),
    (
      #"{"$split": {"of": "a", "separator": ""}}"#,
      "problem: 'separator' of '$split' is empty; write the text between two parts"
    ),
    (
      #"{"$split": {"of": "a", "separator": 7}}"#, "problem: 'separator' of '$split' takes a text"
    ),
    (
      #"{"$split": "{{name}}"}"#,
      #"problem: '$split' needs 'separator'; write {"$split": {"of": "{{name}}", "separator": ","}}"#
    ),
    (
      #"{"$split": {"of": "{{name}}"}}"#,
      #"problem: '$split' needs 'separator'; write {"$split": {"of": "{{name}}", "separator": ","}}"#
    ),
    (
      #"{"$split": {"of": "a", "seperator": ","}}"#,
      "problem: '$split' has no option 'seperator'; did you mean 'separator'?"
    ),
    (
      #"{"$split": {"separator": ","}}"#,
      "problem: '$split' needs 'of', the value that it works on; "
        + #"write {"$split": {"of": "{{row.tags}}", "separator": ","}}"#
    ),
  ])
  func aTextIsTakenApart(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$replace": {"of": "a b c", "find": " ", "with": ""}}"#, #""abc""#),
    (#"{"$replace": {"of": "aaa", "find": "aa", "with": "b"}}"#, #""ba""#),
    (#"{"$replace": {"of": "a.b", "find": ".", "with": "$1"}}"#, #""a$1b""#),
    (#"{"$replace": {"of": "+1 (2) 3", "regex": "[^0-9]+", "with": ""}}"#, #""123""#),
    (#"{"$replace": {"of": "axb", "regex": "x*", "with": "-"}}"#, #""-a--b-""#),
    (#"{"$replace": {"of": "", "regex": "x*", "with": "-"}}"#, #""-""#),
    (#"{"$replace": {"of": "aab", "regex": "^a", "with": ""}}"#, #""ab""#),
    (#"{"$replace": {"of": "baa", "regex": "a$", "with": ""}}"#, #""ba""#),
    (
      "{\"$replace\": {\"of\": \"\u{E9}\u{2615}\", \"regex\": \"x*\", \"with\": \".\"}}",
      "\".\u{E9}.\u{2615}.\""
    ),
    (
      #"{"$replace": {"of": "{{name}}", "find": "{{user['first-name']}}", "with": "{{id}}"}}"#,
      #""7 Lovelace""#
    ),
    (##"{"$replace": {"of": "{{name}}", "find": "Ada", "with": "#{{id}}"}}"##, ##""#7 Lovelace""##),
    (#"{"$replace": {"of": "{{gone}}", "find": "a", "with": ""}}"#, "absent"),
    (#"{"$replace": {"of": "a", "find": "{{gone}}", "with": ""}}"#, "error: absent"),
    (
      #"{"$replace": {"of": "a", "find": "", "with": "b"}}"#,
      "problem: 'find' of '$replace' is empty; write the text that is replaced"
    ),
    (
      #"{"$replace": {"of": "a", "find": "b", "regex": "b", "with": ""}}"#,
      "problem: '$replace' takes 'find' or 'regex', not both"
    ),
    (
      #"{"$replace": {"of": "a", "with": ""}}"#,
      "problem: '$replace' needs 'find' or 'regex'; "
        + #"write {"$replace": {"of": "{{row.phone}}", "find": " ", "with": ""}}"#
    ),
    (
      #"{"$replace": {"of": "a", "find": "b"}}"#,
      #"problem: '$replace' needs 'with'; write {"$replace": {"of": "a", "find": "b", "with": ""}}"#
    ),
  ])
  func partsOfATextAreReplaced(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$extract": {"of": "{{url}}", "regex": "https://([^/]+)"}}"#, #""api.example.com""#),
    (#"{"$extract": {"of": "{{url}}", "param": "x"}}"#, #""/""#),
    (#"{"$extract": {"of": "{{url}}", "param": "page", "decode": "json"}}"#, "2"),
    (#"{"$extract": {"of": "eyJhIjogMX0", "decode": "base64url"}}"#, #""{\"a\": 1}""#),
    (
      #"{"$extract": {"of": "/x?d=WzFd", "param": "d", "regex": "W.*", "decode": "base64"}}"#,
      #""[1]""#
    ),
    (#"{"$extract": {"of": "{{url}}", "regex": "ftp"}}"#, "absent"),
    (#"{"$extract": {"of": "{{url}}", "param": "y", "default": 7}}"#, "7"),
    (#"{"$extract": {"of": "{{gone}}", "regex": "a", "default": "{{id}}"}}"#, "7"),
    (#"{"$extract": {"of": "{{gone}}", "regex": "a"}}"#, "absent"),
    (#"{"$extract": {"of": "a", "regex": "b", "default": "{{gone}}"}}"#, "absent"),
    (#"{"$extract": {"of": "!", "decode": "base64", "default": 1}}"#, "error: dataForm"),
    (#"{"$extract": {"of": "{{id}}", "regex": "."}}"#, "error: dataForm"),
    (
      #"{"$extract": {"of": "a", "decode": "Base64"}}"#,
      #"problem: 'decode' must be one of "base64", "base64url", "json"; did you mean "base64"?"#
    ),
    (
      #"{"$extract": "{{url}}"}"#,
      "problem: '$extract' needs 'param', 'regex' or 'decode'; "
        + #"write {"$extract": {"of": "{{deal.url}}", "regex": "https://([^/]+)"}}"#
    ),
  ])
  func aPartIsTakenAsAnExtractorTakesIt(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$text": "{{id}}"}"#, #""7""#), (#"{"$text": "{{ratio}}"}"#, #""1.50""#),
    (#"{"$text": "{{yes}}"}"#, #""true""#), (#"{"$text": "{{name}}"}"#, #""Ada Lovelace""#),
    (#"{"$text": 20.00}"#, #""20.00""#), (#"{"$text": "{{gone}}"}"#, "absent"),
    (#"{"$text": "{{none}}"}"#, "error: dataForm"), (#"{"$text": "{{list}}"}"#, "error: dataForm"),
    (#"{"$number": "20.00"}"#, "20.00"), (#"{"$number": "{{id}}"}"#, "7"),
    (#"{"$number": "-1e3"}"#, "-1e3"),
    (#"{"$number": "12345678901234567890"}"#, "12345678901234567890"),
    (#"{"$number": "12 EUR"}"#, "error: dataForm"), (#"{"$number": " 1"}"#, "error: dataForm"),
    (#"{"$number": "007"}"#, "error: dataForm"), (#"{"$number": ""}"#, "error: dataForm"),
    (#"{"$number": "NaN"}"#, "error: dataForm"), (#"{"$number": "1."}"#, "error: dataForm"),
    (#"{"$number": "{{yes}}"}"#, "error: dataForm"), (#"{"a": {"$number": "{{gone}}"}}"#, "{}"),
  ])
  func textsAndNumbersAreConverted(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test func optionsOfANewFormBesideItAreAWarning() throws {
    let json = #"{"$replace": "{{name}}", "find": "a", "with": "b"}"#
    let (data, problems) = try DataFixture.parse(json)
    #expect(problems == [])
    #expect(
      data.warnings.map(\.message) == [
        "the options of '$replace' stand inside: "
          + #"{"$replace": {"of": "{{name}}", "find": "a", "with": "b"}}"#
      ])
    #expect(try DataFixture.written(json) == #"{"$replace":"Ada Lovelace","find":"a","with":"b"}"#)
  }

  /// Objects with more members than a form are as they were before the form came.
  @Test(arguments: [
    #"{"$text":"a","$search":"b"}"#, #"{"$lower":1,"x":2}"#, #"{"$split":["$a",","],"as":1}"#,
  ])
  func namesOfNewFormsAmongOthersAreData(json: String) throws {
    let (data, problems) = try DataFixture.parse(json, .literal)
    #expect(problems == [])
    #expect(data.warnings.isEmpty)
    #expect(try DataFixture.written(json, .literal) == json)
  }
}
