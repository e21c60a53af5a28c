import Testing

@testable import PipelineTemplates

/// A string that is one plain reference is not taken apart; it must be read as if it were.
@Suite struct WholeReferenceTests {
  @Test func everyShortTextIsReadAsByTheWholeParser() {
    let atoms = ["a", "_b1", ".", "[0]", "[", "]", "[-1]", "0", "['c']", " ", "+", "$", "}", "{"]
    var texts = [""]
    for _ in 0..<4 { texts += texts.flatMap { text in atoms.map { text + $0 } } }
    var count = 0
    for text in Set(texts) {
      let written = "{{\(text)}}"
      guard let whole = ReferenceParser.whole(written) else { continue }
      count += 1
      let (template, problems) = Template.parse(written)
      #expect(template.whole == whole, "\(written)")
      #expect(problems.isEmpty && template.foreignTemplates.isEmpty, "\(written)")
    }
    #expect(count > 100)
  }

  @Test(arguments: ["{{user}}", "{{user.rows[0].first_name}}", "{{inputs.page}}"])
  func plainReferencesAreWhole(text: String) {
    #expect(ReferenceParser.whole(text) != nil)
  }

  @Test(arguments: ["", "{{}}", "{{ user }}", "{{user}} ", "{{{user}}", "{{+user}}", "{{a}}{{b}}"])
  func allElseIsTakenApart(text: String) {
    #expect(ReferenceParser.whole(text) == nil)
  }
}
