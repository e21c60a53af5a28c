/// A workflow of any number of steps such as people write them, the same at every run, in which lint
/// finds nothing.
///
/// It comes in groups of ten steps: a list, its records, a condition, a computed value, an upload and
/// what reads them. A group reads groups before it, near ones and far ones.
enum GeneratedWorkflow {
  static func json(stepCount: Int) -> String {
    let groups = (stepCount + 9) / 10
    var steps: [String] = []
    steps.reserveCapacity(groups * 10)
    for group in 0..<groups { steps += self.steps(of: group) }
    let last = groups - 1
    return """
      {
        "format": 1,
        "name": "generated",
        "inputs": {
          "api": { "type": "string", "default": "https://api.example.com/v1" },
          "token": { "type": "string", "secret": true, "env": "API_TOKEN" },
          "page": { "type": "integer", "default": 1 },
          "dryRun": { "type": "boolean", "default": false }
        },
        "defaults": {
          "baseURL": "{{inputs.api}}",
          "headers": { "Accept": "application/json" },
          "auth": { "bearer": "{{inputs.token}}" },
          "timeout": "10s"
        },
        "steps": [
      \(steps.joined(separator: ",\n"))
        ],
        "outputs": { "report": "{{report\(last).id}}", "at": "{{report\(last).at}}" }
      }

      """
  }

  private static func steps(of group: Int) -> [String] {
    // A multiplicative hash in place of randomness.
    let hash = UInt64(group + 1) &* 0x9E37_79B9_7F4A_7C15
    let near = group == 0 ? nil : group - 1
    let far = group == 0 ? nil : Int(hash >> 20) % group
    let since =
      near.map { "\"since\": \"{{report\($0).at}}\", \"after\": \"{{report\($0).id}}\", " } ?? ""
    let origin = far.map { ", \"origin\": \"{{list\($0).version}}\"" } ?? ""
    return [
      """
          {
            "id": "list\(group)",
            "description": "The users of region \(group).",
            "endpoint": "GET /regions/\(group)/users",
            "query": { \(since)"page": "{{inputs.page}}", "size": 100 },
            "extract": { "ids": "$.data[*].id", "total": { "body": "$.total", "type": "integer" }, "version": { "header": "ETag" } },
            "expect": { "status": 200, "where": ["@.body.total >= 0"] }
          }
      """,
      """
          {
            "id": "user\(group)",
            "forEach": "$.list\(group).ids",
            "as": "id",
            "endpoint": "GET /users/{{id}}",
            "extract": { "email": "$.data.email", "name": "$.data.first_name" },
            "retry": { "attempts": 3, "on": ["network", "5xx"], "delay": "200ms" }
          }
      """,
      """
          { "id": "count\(group)", "values": { "all": "{{list\(group).total}}", "emails": "$.user\(group)[*].email"\(origin) } }
      """,
      """
          {
            "id": "warn\(group)",
            "when": "$.list\(group).total > 1000 && $.inputs.dryRun == false",
            "endpoint": "POST /warnings",
            "body": { "json": { "text": "region \(group) has {{list\(group).total}} users", "count": "{{count\(group).all}}" } }
          }
      """,
      """
          {
            "id": "sign\(group)",
            "endpoint": "POST /uploads",
            "body": { "json": { "name": "users-\(group).json", "rows": "{{count\(group).all}}" } },
            "extract": { "upload": "$.id", "key": "$.fields['x-key']" }
          }
      """,
      """
          {
            "id": "upload\(group)",
            "endpoint": "PUT /uploads/{{sign\(group).upload}}",
            "headers": { "X-Key": "{{sign\(group).key}}", "If-Match": "{{list\(group).version}}" },
            "body": { "json": { "emails": "{{count\(group).emails}}", "names": "{{user\(group)}}" } },
            "expect": { "status": [200, 201] },
            "extract": { "size": "$.size" }
          }
      """,
      """
          { "id": "settle\(group)", "dependsOn": ["warn\(group)"], "wait": "250ms" }
      """,
      """
          {
            "id": "audit\(group)",
            "dependsOn": ["settle\(group)"],
            "endpoint": "GET /audits",
            "query": { "upload": "{{sign\(group).upload}}", "limit": 20 },
            "paginate": { "cursor": "$.next", "param": "cursor", "maxPages": 50 },
            "extract": { "events": "$.events[?@.level == 'error'].id" }
          }
      """,
      """
          {
            "id": "mend\(group)",
            "forEach": "$.audit\(group).events",
            "as": "event",
            "concurrency": 4,
            "onItemError": "collect",
            "endpoint": "DELETE /regions/\(group)/events/{{event}}"
          }
      """,
      """
          {
            "id": "report\(group)",
            "dependsOn": ["mend\(group)"],
            "endpoint": "POST /reports",
            "body": { "json": { "region": \(group), "size": "{{upload\(group).size}}", "users": "{{count\(group)}}" } },
            "extract": { "id": "$.id", "at": { "body": "$.at", "type": "datetime" } }
          }
      """,
    ]
  }
}
