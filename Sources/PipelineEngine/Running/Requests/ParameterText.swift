internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineTemplates

/// The texts of a member of `query`, `headers`, `cookies` or a form in a run.
struct ParameterText {
  let parameter: Request.Parameter
  let value: JSONNode?

  /// - Parameter signing: What the value is made of, apart from the scope, if it is made for a
  ///   request.
  init(
    _ parameter: Request.Parameter, _ scope: Scope, _ files: any FileAccess,
    seenThrough signing: SigningScope? = nil
  ) throws(FailureReason) {
    self.parameter = parameter
    if let signing {
      let source = DataScope(scope: scope, files: files, seenThrough: signing)
      do throws(DataError) {
        value = try parameter.value.value(from: source)
      } catch {
        throw FailureReason(error)
      }
    } else if let whole = parameter.value.wholeReference {
      value = whole.first(in: scope.queryContext())
    } else {
      var writer = JSONWriter(style: .compact)
      let isPresent = try Evaluation.write(
        parameter.value, to: &writer, in: scope, files: files)
      value = isPresent ? writer.document().root : nil
    }
  }

  /// Names and values for a URL's query or a form, encoded.
  ///
  /// - Parameter encode: Encodes a text of the author or of a value. The commas that join several
  ///   of the style `form` stay (RFC 6570 §3.2.8).
  func pairs(
    encodedBy encode: (String) -> String
  ) throws(FailureReason) -> [(name: String, value: String)] {
    do throws(Request.Parameter.Problem) {
      return try parameter.pairs(of: value, encodedBy: encode)
    } catch {
      throw FailureReason(.value, error.message, at: parameter.node.range)
    }
  }

  /// The values of a header. A list repeats it.
  func headerValues() throws(FailureReason) -> [String] {
    do throws(Request.Parameter.Problem) {
      return try parameter.headerValues(of: value)
    } catch {
      throw FailureReason(.value, error.message, at: parameter.node.range)
    }
  }

  /// The values of a cookie. A list repeats it.
  func cookieValues() throws(FailureReason) -> [String] {
    do throws(Request.Parameter.Problem) {
      return try parameter.cookieValues(of: value)
    } catch {
      throw FailureReason(.value, error.message, at: parameter.node.range)
    }
  }
}
