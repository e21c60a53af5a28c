import PipelineByteText
import PipelineHTTPTerms
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// The members of `query`, `headers` or `cookies`, merged with the inherited ones by name.
struct ParametersType: ValueType {
  enum Place {
    case query, header, cookie
  }

  let place: Place
  var inherited: [RequestParameter] = []

  var description: LanguageType {
    .map(.either(place == .query ? [.data, .object(.parameter), .none] : [.data, .none]))
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [RequestParameter]? {
    guard
      decoder.isMap(
        node, name, "an object of names and values", mayBePairs: place == .query)
    else { return inherited }
    let isHeader = place == .header
    // A repeated entry goes to the end.
    var merged: [RequestParameter?] = []
    merged.reserveCapacity(inherited.count + node.count)
    var places: [ExactText: Int] = [:]
    for parameter in inherited {
      places[ExactText(isHeader ? parameter.name.lowercasedASCII : parameter.name)] = merged.count
      merged.append(parameter)
    }
    for member in node.members {
      let key = member.name
      let exact = ExactText(isHeader ? key.lowercasedASCII : key)
      if isHeader, let place = places[exact], let other = merged[place], other.name != key,
        node.range.contains(other.nameRange.lowerBound)
      {
        decoder.add(
          Diagnostic(
            code: DecodingCode.duplicateName.rawValue, severity: .warning,
            message:
              "'\(key)' and '\(other.name)' are one header, since case does not matter; keep one, or"
              + " write a list of values",
            range: member.nameRange,
            related: [.init(range: other.nameRange, message: "the other one is here")]))
      }
      if let place = places.removeValue(forKey: exact) { merged[place] = nil }
      switch place {
      case .query: break
      case .header:
        decoder.checkHeader(key, member, of: node)
        if member.value.kind == .object, !DataTemplate.isForm(member.value) {
          decoder.report(
            .wrongType,
            "the header '\(key)' must be a text, a list of texts or a data form, not an object",
            at: member.value.range)
        }
        decoder.checkCharacters(of: member.value, .header)
      case .cookie:
        decoder.checkCookie(member)
        decoder.checkCharacters(of: member.value, .cookie)
      }
      if !member.value.isNull {
        places[exact] = merged.count
        merged.append(
          place == .query
            ? decoder.styledParameter(member)
            : RequestParameter(
              name: key, nameRange: member.nameRange, value: decoder.data(member.value),
              node: member.value))
      }
    }
    return merged.compactMap { $0 }
  }
}

extension WorkflowDecoder {
  mutating func checkHeader(_ name: String, _ member: JSONMember, of object: JSONNode) {
    if ["host", "content-length", "transfer-encoding"].contains(bytes: name.lowercasedASCII) {
      report(
        .header, "the header '\(name)' is set by the program itself; leave it out",
        at: member.nameRange,
        fix: object.removing(member).map {
          DiagnosticFix(message: "remove it", edits: [$0], isSafe: false)
        })
    } else if !name.isToken {
      report(
        .header, "'\(name)' is not a header name: write only letters, digits and !#$%&'*+-.^_`|~",
        at: member.nameRange,
        fix: name.hasSuffix(bytes: ":") && name.dropLast(bytes: 1).isToken
          ? .replacing(
            member.nameRange, with: "\"\(name.dropLast(bytes: 1))\"", isSafe: false) : nil)
    }
  }

  fileprivate mutating func checkCookie(_ member: JSONMember) {
    if !member.name.isToken {
      report(
        .header,
        "'\(member.name)' is not a cookie name: write only letters, digits and !#$%&'*+-.^_`|~",
        at: member.nameRange)
    }
  }
}
