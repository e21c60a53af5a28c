import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

/// Values steps, whose values lie in texts that many of them share.
@Suite struct JoinedValuesTests {
  private func outputs(_ file: String) async throws -> String {
    var options = RunOptions()
    options.clock = InstantClock()
    let pipeline = Pipeline(
      try plan(file), transport: ScriptedTransport { _ in .json([:]) }, options: options)
    let report = try await pipeline.run(inputs: [:]).result.report
    #expect(report.failures.isEmpty)
    return report.outputs.text
  }

  @Test func eachStepReadsItsOwn() async throws {
    // Together far longer than one text becomes; what is read lies near and far.
    let filling = String(repeating: "x", count: 300)
    let steps = (0..<1500).map { number in
      let before = number == 0 ? "0" : #""{{s\#(number * 7919 % number).next}}""#
      return
        #"{"id":"s\#(number)","values":{"next":\#(number),"before":\#(before),"f":"\#(filling)"}}"#
    }
    let read = [0, 1, 2, 700, 1499]
    let outputs = read.map { #""o\#($0)":["{{s\#($0).next}}","{{s\#($0).before}}"]"# }
    let text = try await self.outputs(
      #"{"steps":[\#(steps.joined(separator: ","))],"outputs":{\#(outputs.joined(separator: ","))}}"#
    )
    let expected = read.map { number in
      #""o\#(number)":[\#(number),\#(number == 0 ? 0 : number * 7919 % number)]"#
    }
    #expect(text == "{" + expected.joined(separator: ",") + "}")
  }

  @Test func eachItemsBlockHasItsOwn() async throws {
    let text = try await outputs(
      #"{"steps":[{"id":"all","forEach":[1,2,3],"as":"n","steps":[{"id":"a","values":{"v":"{{n}}"}},{"id":"b","values":{"v":"{{a.v}}","w":"{{c.v}}"}},{"id":"c","values":{"v":true}}],"outputs":{"b":"{{b}}"}}],"outputs":{"all":"{{all}}"}}"#
    )
    #expect(
      text
        == #"{"all":[{"b":{"v":1,"w":true}},{"b":{"v":2,"w":true}},{"b":{"v":3,"w":true}}]}"#)
  }

  @Test func aBlockWithoutOutputsGivesThemAll() async throws {
    let text = try await outputs(
      #"{"steps":[{"id":"all","steps":[{"id":"a","values":{"v":1}},{"id":"b","values":{"v":2}}]}],"outputs":{"all":"{{all}}"}}"#
    )
    #expect(text == #"{"all":{"a":{"v":1},"b":{"v":2}}}"#)
  }

  @Test func scalarsArePassedOnAsWritten() async throws {
    let values = [
      "null", "true", "1.50e+2", "-0", #""""#, #""a\"b\\""#, #""\u00e9é""#, #""123456789012""#,
      #""1234567890123""#, #""12345678901234""#, "12345678901234567890", "[]", "[[1]]", "{}",
    ]
    let members = values.enumerated().map { #""v\#($0)":{"$literal":\#($1)}"# }
    let passed = { (step: String) in
      values.indices.map { #""v\#($0)":"{{\#(step).v\#($0)}}""# }.joined(separator: ",")
    }
    let text = try await outputs(
      #"{"steps":[{"id":"c","values":{\#(passed("b"))}},{"id":"b","values":{\#(passed("a"))}},{"id":"a","values":{\#(members.joined(separator: ","))}}],"outputs":{"c":"{{c}}"}}"#
    )
    let expected = values.enumerated().map { #""v\#($0)":\#($1)"# }
    #expect(text == #"{"c":{\#(expected.joined(separator: ","))}}"#)
  }

  @Test func whatIsAbsentStaysAbsent() async throws {
    let text = try await outputs(
      #"{"inputs":{"x":{"optional":true}},"steps":[{"id":"a","values":{"v":"{{inputs.x}}","w":1}},{"id":"b","values":{"v":"{{a.v}}","w":"{{a.w}}"}}],"outputs":{"b":"{{b}}"}}"#
    )
    #expect(text == #"{"b":{"w":1}}"#)
  }

  @Test func aStepThatFailedHalfwayGivesItsOtherwise() async throws {
    let text = try await outputs(
      #"{"inputs":{"list":{"default":[1]}},"steps":[{"id":"a","values":{"v":1,"w":"{{inputs.list}} in a text"},"onError":"recover","otherwise":{"v":2,"w":3}},{"id":"b","values":{"v":"{{a.v}}"}}],"outputs":{"b":"{{b}}"}}"#
    )
    #expect(text == #"{"b":{"v":2}}"#)
  }

  /// `b` would give a constant, and is skipped since `a` was: the constant is nobody's to read.
  @Test func aSkippedStepGivesNothing() async throws {
    let text = try await outputs(
      #"{"inputs":{"on":{"type":"boolean","default":false}},"steps":[{"id":"z","when":"$.inputs.on == true","values":{"v":1}},{"id":"a","values":{"k":1,"v":"{{z.v}}"}},{"id":"b","values":{"c":7,"k":"{{a.k}}"}},{"id":"c","values":{"w":"{{b.c}}"}}],"outputs":{"c":"{{c}}"}}"#
    )
    #expect(text == "{}")
  }
}
