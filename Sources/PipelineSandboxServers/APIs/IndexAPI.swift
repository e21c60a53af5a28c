internal import PipelineHTTPServers
internal import PipelineJSONText

/// `GET /`: what this server offers.
enum IndexAPI {
  static let routes = [
    Route("GET", "/", "this list") { _, _, _ in ServerResponse.json(bytes: index) }
  ]

  private static let index: [UInt8] = {
    var writer = JSONWriter(style: .pretty)
    writer.object { writer in
      writer.member("name", "pipeline sandbox")
      writer.member("apis", list: Router.all) { writer, route in
        writer.object { writer in
          writer.member("method", route.method)
          writer.member("path", route.pattern)
          writer.member("summary", route.summary)
        }
      }
    }
    return writer.bytes
  }()
}
