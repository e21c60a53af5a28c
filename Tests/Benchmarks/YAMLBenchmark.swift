import PipelineJSONText
import PipelineYAMLText

/// Parsing a description of an API in YAML, beside parsing the JSON that it stands for.
struct YAMLBenchmark {
  let rounds: Int

  func run() {
    let yaml = Self.description(atLeast: 20_000_000)
    guard let json = try? YAMLDocument.parse(yaml).document.bytes else {
      preconditionFailure("the description is not YAML")
    }
    print("medians of \(rounds) rounds; × is how much longer than YAMLText it takes")
    var contest = Contest(byteCount: yaml.count, rounds: rounds)
    contest.enter("YAMLText") { (try? YAMLDocument.parse(yaml)) == nil ? -1 : 1 }
    contest.enter("JSONText, \(json.count) bytes") {
      (try? JSONDocument.parse(json)) == nil ? -1 : 1
    }
    contest.report("description, \(yaml.count) bytes: parse")
  }

  /// Operations as descriptions have them: short keys, plain texts, quotes, blocks of prose, lists.
  static func description(atLeast count: Int) -> [UInt8] {
    var text = Array("openapi: 3.0.3\ninfo: {title: \"API\", version: 1.0.0}\npaths:\n".utf8)
    var number = 0
    while text.count < count {
      number += 1
      text +=
        """
          /v1/accounts/{account}/items\(number):
            get:
              operationId: listItems\(number)
              summary: List the items of an account
              description: |
                Returns the items of an account, newest first.

                Items that were *archived* are left out unless `archived` is set.
              parameters:
                - name: account
                  in: path
                  required: true
                  schema: {type: string, pattern: '^[a-z]+\(number)$'}
                - $ref: "#/components/parameters/limit"
              responses:
                '200':
                  description: The items
                  content:
                    application/json:
                      schema:
                        type: array
                        maxItems: 100
                        items: {$ref: "#/components/schemas/Item"}

        """.utf8
    }
    return text
  }
}
