import PipelineTestSupport

/// A random workflow whose names all exist, and the bodies that its requests are answered with.
struct RandomWorkflow {
  private var generator: SeededGenerator
  private(set) var bodies: [String: String] = [:]
  private var count = 0

  private static let members = ["a", "b", "c"]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func text() -> String {
    let inputs = [
      #""i": {"type": "integer", "default": 3}"#, #""t": {"type": "string", "default": "x"}"#,
      #""o": {"type": "string", "optional": true}"#,
      #""l": {"type": "array", "default": [1, "2"]}"#,
      "\"d\": {\"default\": \(value())}",
    ]
    let steps = self.steps(3 + below(4), visible: ["inputs"])
    let outputs = steps.ids.map { "\"\($0)\": \"{{\($0)}}\"" }
    return """
      {"inputs": {\(inputs.joined(separator: ", "))}, "order": "listed",
       "steps": [\(steps.text)], "outputs": {\(outputs.joined(separator: ", "))}}
      """
  }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

  // MARK: Steps

  private mutating func steps(_ number: Int, visible: [String]) -> (ids: [String], text: String) {
    var (ids, texts): ([String], [String]) = ([], [])
    for _ in 0..<number {
      count += 1
      let id = "s\(count)"
      texts.append(step(id, visible: visible + ids))
      ids.append(id)
    }
    return (ids, texts.joined(separator: ",\n"))
  }

  private mutating func step(_ id: String, visible: [String]) -> String {
    var parts = ["\"id\": \"\(id)\""]
    var inner = visible
    if below(3) == 0 {
      let item = "n\(count)"
      inner.append(item)
      parts.append("\"forEach\": \(items(visible)), \"as\": \"\(item)\"")
      if below(4) == 0 { parts.append("\"batch\": 2") }
      if below(4) == 0 { parts.append("\"distinct\": true") }
    }
    if below(4) == 0 {
      parts.append("\"when\": \"\(condition(below(2) == 0 ? inner : visible))\"")
      if below(2) == 0 { parts.append("\"otherwise\": \(fields(inner))") }
    }
    let action = below(visible.count > 6 ? 5 : 6)
    if below(4) == 0 {
      parts.append("\"onError\": \"recover\"")
      if below(2) == 0, !parts.contains(where: { $0.contains("otherwise") }) {
        parts.append("\"otherwise\": \(fields(inner))")
      }
      let claim =
        switch action {
        case 0...2: pick(["@.a != 'x'", "@.a == 1"])
        case 3, 4: pick(["@.status == 201", "@.values.a != null", "@.body.b == 1"])
        default: "$.run.id == 1"
        }
      parts.append("\"expect\": {\"where\": [\"\(claim)\"]}")
    }
    if action <= 2, below(4) == 0 {
      parts.append("\"choose\": [\(branches(id, inner))]")
      return "{\(parts.joined(separator: ", "))}"
    }
    switch action {
    case 0...2: parts.append("\"values\": \(fields(inner))")
    case 3, 4: parts.append(request(id, inner))
    default:
      let carried = parts.count == 1 && below(2) == 0 ? "k\(count)" : nil
      let around = inner
      if let carried { inner += [carried, "\(carried)n"] }
      let steps = self.steps(1 + below(2), visible: inner)
      parts.append("\"steps\": [\(steps.text)]")
      if let carried { parts.append(rounds(carried, around, inner + steps.ids)) }
      if below(2) == 0 { parts.append("\"outputs\": \(fields(inner + steps.ids))") }
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// Up to three rounds, which carry a value and their number.
  private mutating func rounds(_ name: String, _ around: [String], _ inside: [String]) -> String {
    let first = below(3) > 0 ? "\"default\": \(data(around, 1)), " : ""
    return """
      "repeat": {"carry": {"\(name)": {\(first)"next": \(data(inside, 1))}, \
      "\(name)n": {"type": "integer", "default": 1, "next": {"$sum": ["{{\(name)n}}", 1]}}}, \
      "until": "$.\(name)n >= \(1 + below(3))", "maxRounds": 3}
      """
  }

  /// Two branches of a choice, the last perhaps without a condition.
  private mutating func branches(_ id: String, _ visible: [String]) -> String {
    let first =
      below(3) == 0 ? request(id, visible) : "\"values\": \(fields(visible))"
    let last = below(2) == 0 ? "" : "\"when\": \"\(condition(visible))\", "
    return "{\"when\": \"\(condition(visible))\", \(first)}, "
      + "{\(last)\"values\": \(fields(visible))}"
  }

  private mutating func items(_ visible: [String]) -> String {
    switch below(4) {
    case 0: "[\(data(visible, 1)), \(data(visible, 1))]"
    case 1: #"{"from": 1, "to": 2}"#
    default: "\"\(query(visible))\""
    }
  }

  private mutating func condition(_ visible: [String]) -> String {
    "\(way(visible)) \(pick(["==", "!=", "<="])) \(pick(["1", "'x'", "true", "null", way(visible)]))"
  }

  private mutating func request(_ id: String, _ visible: [String]) -> String {
    bodies[id] = "{\"a\": \(value()), \"b\": \(value()), \"c\": \(value())}"
    let extractors = Self.members.prefix(1 + below(3)).map { name -> String in
      var parts = [
        pick([
          "\"body\": \"\(rest("$"))\"", "\"body\": \"$.\(pick(Self.members))\"",
          "\"value\": \(data(visible, 1))", #""status": true"#, #""text": true"#,
        ])
      ]
      if below(3) == 0 {
        parts.append("\"type\": \"\(pick(["integer", "string", "number", "array"]))\"")
      } else if !parts[0].contains("status"), below(4) == 0 {
        parts.append(pick([#""regex": ".""#, #""regex": "[0-9]", "type": "integer""#]))
      }
      if parts[0].hasPrefix("\"body\""), below(4) == 0 { parts.append(#""take": "first""#) }
      switch below(5) {
      case 0: parts.append(#""optional": true"#)
      case 1: parts.append("\"default\": \(value())")
      default: break
      }
      return "\"\(name)\": {\(parts.joined(separator: ", "))}"
    }
    return """
      "endpoint": "GET https://api.example/\(id)", "query": {"q": "\(reference(visible))"}, \
      "extract": {\(extractors.joined(separator: ", "))}
      """
  }

  // MARK: Data

  private mutating func fields(_ visible: [String]) -> String {
    let members = Self.members.prefix(1 + below(3)).map { "\"\($0)\": \(data(visible, 2))" }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func data(_ visible: [String], _ depth: Int) -> String {
    switch below(depth > 0 ? 12 : 5) {
    case 0: return value()
    case 1: return "\"\(reference(visible))\""
    case 2, 3: return "\"\(query(visible))\""
    case 4: return "\"t \(reference(visible))\""
    case 5, 6: return "[\(data(visible, depth - 1)), \(data(visible, depth - 1))]"
    case 7: return "{\"\(pick(["$json", "$literal"]))\": \(data(visible, depth - 1))}"
    case 8: return "{\"$merge\": [\(data(visible, depth - 1)), {\"a\": \(value())}]}"
    case 9, 10: return form(data(visible, depth - 1), data(visible, depth - 1))
    default:
      return "{\"a\": \(data(visible, depth - 1)), \"b\": \(data(visible, depth - 1))}"
    }
  }

  /// A form that takes what it is given.
  private mutating func form(_ one: String, _ other: String) -> String {
    pick([
      "{\"$first\": [\(one), \(other)]}", "{\"$count\": [\(one), \(other)]}",
      "{\"$unique\": [\(one), \(other)]}", "{\"$concat\": [[\(one)], [\(other)]]}",
      "{\"$entries\": {\"a\": \(one), \"b\": \(other)}}",
      "{\"$object\": [{\"key\": \"a\", \"value\": \(one)}]}",
      "{\"$min\": [{\"$count\": [\(one)]}, 1.5]}", "{\"$sum\": [{\"$count\": [\(one)]}, 2]}",
      "{\"$join\": [[\"a\", 1, true], \"-\"]}", "{\"$max\": [\"a\", \"b\"]}",
    ])
  }

  private mutating func value(_ depth: Int = 2) -> String {
    switch below(depth > 0 ? 11 : 6) {
    case 0: return "\(below(9))"
    case 1: return pick(["1.5", "2.0", "-0.25"])
    case 2: return pick(["true", "false"])
    case 3: return "null"
    case 4, 5: return pick(["\"x\"", "\"7\"", "\"\""])
    case 6, 7: return "[\(value(depth - 1)), \(value(depth - 1))]"
    case 8: return "[]"
    default: return "{\"a\": \(value(depth - 1)), \"\(pick(["b", "c"]))\": \(value(depth - 1))}"
    }
  }

  // MARK: Queries

  private mutating func name(_ visible: [String]) -> String { pick(visible) }

  private mutating func member(of name: String) -> String {
    name == "inputs" ? pick(["i", "t", "o", "l", "d"]) : pick(Self.members)
  }

  /// A way to one value.
  private mutating func way(_ visible: [String]) -> String {
    let name = name(visible)
    var text = "$.\(name)"
    if name == "inputs" || below(3) > 0 { text += ".\(member(of: name))" }
    for _ in 0..<below(3) { text += pick([".a", ".b", "[0]", "[-1]", ".error"]) }
    return text
  }

  private mutating func reference(_ visible: [String]) -> String {
    "{{\(way(visible).dropFirst(2).replacing("[-1]", with: "[1]"))}}"
  }

  private mutating func query(_ visible: [String]) -> String {
    switch below(4) {
    case 0: return way(visible)
    case 1 where visible.count > 1:
      return rest("$['\(visible[1 + below(visible.count - 1)])','\(name(visible))']")
    default: return rest(way(visible))
    }
  }

  private mutating func rest(_ start: String) -> String {
    var text = start
    for _ in 0..<below(4) {
      text += pick([
        "[*]", "[*]", ".a", ".b", "[0:2]", "['a','b']", "[0,1]", "..a", "[?@.a]", "['a',0]", "[0]",
      ])
    }
    return text
  }
}
