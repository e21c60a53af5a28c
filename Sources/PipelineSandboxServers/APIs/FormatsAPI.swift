internal import PipelineHTTPServers

/// Bodies that are not JSON: tables, lines, XML and events.
enum FormatsAPI {
  static let routes = [
    Route("GET", "/orders.csv", "three orders as CSV") { _, _, _ in
      .bytes(Array(csv.utf8), type: "text/csv; charset=utf-8")
    },
    Route("GET", "/orders.csv.gz", "the same in gzip, of two members") { _, _, _ in
      let bytes = Array(csv.utf8)
      return .bytes(
        Gzip.stored(Array(bytes[..<40])) + Gzip.stored(Array(bytes[40...])),
        type: "application/gzip")
    },
    Route("GET", "/orders.tsv", "three orders as TSV") { _, _, _ in
      .bytes(Array(tsv.utf8), type: "text/tab-separated-values; charset=utf-8")
    },
    Route("GET", "/orders.ndjson", "three orders, each a line of JSON") { _, _, _ in
      .bytes(Array(lines.utf8), type: "application/x-ndjson")
    },
    Route("GET", "/stock.xml", "two items in stock as XML") { _, _, _ in
      .bytes(Array(xml.utf8), type: "application/xml; charset=utf-8")
    },
    Route("GET", "/events", "an answer in five server-sent events") { _, _, _ in
      .bytes(Array(events.utf8), type: "text/event-stream")
    },
  ]

  private static let csv =
    "id,customer,qty,note\r\n007,Ada,5,\r\n008,Björn,12,\"two boxes,\r\nplease\"\r\n"
    + "009,Chloé,1,\"\"\r\n"

  private static let tsv = "id\tcustomer\tqty\n007\tAda\t5\n008\tBjörn\t12\n009\tChloé\t\\N\n"

  private static let lines = """
    {"id": "007", "qty": 5}
    {"id": "008", "qty": 12}
    {"id": "009", "qty": 1}

    """

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <s:Stock xmlns:s="urn:sandbox:stock">
      <s:Item sku="A-1"><s:Name>Screws &amp; nuts</s:Name><s:Left>40</s:Left></s:Item>
      <s:Item sku="A-2"><s:Name>Paint</s:Name><s:Left>3</s:Left></s:Item>
    </s:Stock>

    """

  private static let events = """
    : an answer in pieces

    data: {"text": "Hello"}

    data: {"text": ", "}

    data: {"text": "world"}

    event: usage
    data: {"tokens": 3}

    data: [DONE]


    """
}
