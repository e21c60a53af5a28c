internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineOpenAPI

/// How a description says that an operation answers in pages.
struct DescribedPages {
  let settings: JSONValue
  /// The query for the records of a page.
  let items: String

  /// More pages are an error until the author allows them.
  private static let pageLimit: JSONValue = 100

  init?(_ operation: Operation, in description: APIDescription) {
    guard operation.method == "GET", let response = description.successes(of: operation).first,
      let schema = response.schema, let items = Self.items(of: schema, operation)
    else { return nil }
    self.items = items
    if response.describesHeader("Link") {
      settings = ["link": "next", "maxPages": Self.pageLimit]
    } else if let next = Self.nextURL(schema, operation) {
      settings = ["next": .string(BodyQuery.text([next])), "maxPages": Self.pageLimit]
    } else if let (cursor, param) = Self.cursor(schema, description.parameters(of: operation)) {
      settings = [
        "cursor": .string(BodyQuery.text([cursor])), "param": .string(param),
        "maxPages": Self.pageLimit,
      ]
    } else {
      return nil
    }
  }

  private static func items(of schema: Schema, _ operation: Operation) -> String? {
    if schema.type == "array" { return "$[*]" }
    if let pageable = operation.node["x-ms-pageable"]?.node {
      return BodyQuery.text([pageable["itemName"]?.string ?? "value"]) + "[*]"
    }
    let lists = schema.propertyNames.filter { schema.property($0)?.type == "array" }
    return lists.count == 1 ? BodyQuery.text(lists) + "[*]" : nil
  }

  private static func nextURL(_ schema: Schema, _ operation: Operation) -> String? {
    if let name = operation.node["x-ms-pageable"]?.node["nextLinkName"]?.string { return name }
    return ["next", "next_url", "nextUrl", "next_page_url", "nextPageUrl", "nextLink"].first {
      guard let property = schema.property($0) else { return false }
      return property.type == "string" && (property.format == "uri" || property.format == "url")
    }
  }

  /// A property and the parameter that sends it: `nextPageToken` and `pageToken`, or of one name.
  private static func cursor(
    _ schema: Schema, _ parameters: [Parameter]
  ) -> (property: String, parameter: String)? {
    let properties = [
      "nextPageToken", "next_page_token", "nextToken", "next_token", "next_cursor", "nextCursor",
    ].filter { schema.property($0)?.type == "string" }
    for property in properties {
      let short = property.dropFirst(bytes: property.hasPrefix(bytes: "next_") ? 5 : 4)
      for parameter in parameters where parameter.place == .query {
        if parameter.name == property || parameter.name.equalsIgnoringASCIICase(short) {
          return (property, parameter.name)
        }
      }
    }
    return nil
  }
}
