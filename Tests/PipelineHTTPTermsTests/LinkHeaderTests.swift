import PipelineHTTPTerms
import Testing

struct LinkHeaderTests {
  private func next(_ fields: String...) -> String? {
    LinkHeader.target(of: "next", in: fields) { $0 == "/own" }
  }

  @Test(
    arguments: [
      (#"</2>; rel="next""#, "/2"), ("</2>;rel=next", "/2"), (#"</2> ; ReL = "NEXT""#, "/2"),
      (#"</2>; title="a; rel=prev"; rel="next""#, "/2"),
      (#"</2>; title="5\" wide, big"; rel="next""#, "/2"),
      (#"</2>; title="a;rel=next;"; rel="prev""#, nil),
      (#"</1>; title="a, <b>; rel=next"; rel="prev", </2>; rel="next""#, "/2"),
      (#"</2>; rel="next"; anchor="/other""#, nil), (#"</2>; rel="next"; anchor="/own""#, "/2"),
      (#"</x>; anchor="/other"; rel=next, </2>; rel=next"#, "/2"),
      (#"</2>; rel="prev next last""#, "/2"), (#"</2>; rel="prev"; rel="next""#, nil),
      (#"</2>; rel="nextish""#, nil), (#"</2>; rev="next""#, nil), (#"</2>; xrel=next"#, nil),
      (#", ,</2>; rel="next",,"#, "/2"), (#"<>; rel="next""#, ""),
      (#"</2?a=1,2;3>; rel=next"#, "/2?a=1,2;3"),
      (#"</2>; rel="next"#, "/2"), (#"</2>; a; b=; rel=next; c"#, "/2"),
      (#"</2>; title*=UTF-8''a%3B; rel=next"#, "/2"), (#"</2>; rel="n\ext""#, "/2"),
      (#"</2; rel="next""#, nil), (#"/2; rel="next""#, nil), ("", nil), (#"</2>"#, nil),
      (#"</2>; title="\\"; rel=next"#, "/2"), (#"</2>; title="a" x; rel=next"#, "/2"),
      ("</2\u{301}>\u{301}; rel=next", "/2\u{301}"), ("</2>;\u{301} rel=next", nil),
      ("</2>; rel=next\u{301}", nil), ("</2>; title=\"\u{301}\"\u{301}; rel=next", "/2"),
    ] as [(String, String?)])
  func aLinkIsFoundByItsRelation(field: String, target: String?) {
    #expect(next(field) == target)
  }

  @Test func theFirstOfSeveralFieldsCounts() {
    #expect(next("</1>; rel=prev", "</2>; rel=next", "</3>; rel=next") == "/2")
  }

  @Test func theCostIsLinear() {
    // 2 MB, of which each byte could begin something: quadratic work would not end.
    for piece in ["<", "\"", ";", ",", "<a>;", "<a>;b=\"", "\\\"", "<a>;rel=\"x ", "=", " "] {
      let field = String(repeating: piece, count: 2_000_000 / piece.utf8.count)
      #expect(next(field) == nil)
    }
  }
}
