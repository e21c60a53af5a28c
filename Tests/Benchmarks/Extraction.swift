import Foundation

/// What is taken out of one file, in each of the ways that are measured: a sum or a count by a query, and
/// a count by a query with a filter.
struct Extraction: Sendable {
  /// What becomes of the values that the query gives.
  enum Result { case sumOfIntegers, count }

  let query: String
  var result = Result.sumOfIntegers
  let filter: String
  /// The list whose members' `id` the query gives, where that is all it does.
  let list: String?
  /// The query's result, by `JSONDecoder` into types that hold nothing else.
  let decoded: @Sendable (Data) -> Int?
  /// The query's result, from what `JSONSerialization` gives.
  let picked: @Sendable (Any) -> Int?
  /// The filter's count, from what `JSONSerialization` gives.
  let filtered: @Sendable (Any) -> Int?

  static let ofFiles: [(String, Extraction)] = [
    ("twitter", twitter), ("citm_catalog", citm), ("canada", canada),
  ]

  private struct Row: Decodable { let id: Int }

  private static func rows(_ root: Any, _ list: String) -> [[String: Any]]? {
    (root as? [String: Any])?[list] as? [[String: Any]]
  }

  private static func sum(_ root: Any, _ list: String) -> Int? {
    rows(root, list)?.reduce(0) { $0 + ($1["id"] as? Int ?? 0) }
  }

  static let users = Extraction(
    query: "$.data[*].id", filter: "$.data[?@.active == true && @.balance > 60000].email",
    list: "data",
    decoded: { data in
      struct Page: Decodable { let data: [Row] }
      return (try? JSONDecoder().decode(Page.self, from: data))?.data.reduce(0) { $0 + $1.id }
    },
    picked: { sum($0, "data") },
    filtered: { root in
      rows(root, "data")?.count {
        $0["active"] as? Bool == true && ($0["balance"] as? Double ?? 0) > 60000
      }
    })

  static let response = Extraction(
    query: "$.data.id", filter: "$.data[?@ == true]", list: nil,
    decoded: { data in
      struct Response: Decodable { let data: Row }
      return (try? JSONDecoder().decode(Response.self, from: data))?.data.id
    },
    picked: { root in ((root as? [String: Any])?["data"] as? [String: Any])?["id"] as? Int },
    filtered: { _ in nil })

  private static let twitter = Extraction(
    query: "$.statuses[*].id", filter: "$.statuses[?@.user.followers_count > 1000].id",
    list: "statuses",
    decoded: { data in
      struct Search: Decodable { let statuses: [Row] }
      return (try? JSONDecoder().decode(Search.self, from: data))?
        .statuses.reduce(0) { $0 &+ $1.id }
    },
    picked: { root in rows(root, "statuses")?.reduce(0) { $0 &+ ($1["id"] as? Int ?? 0) } },
    filtered: { root in
      rows(root, "statuses")?.count {
        (($0["user"] as? [String: Any])?["followers_count"] as? Int ?? 0) > 1000
      }
    })

  private static let citm = Extraction(
    query: "$.performances[*].id", filter: "$.performances[?@.prices[0].amount > 50000].id",
    list: "performances",
    decoded: { data in
      struct Catalog: Decodable { let performances: [Row] }
      return (try? JSONDecoder().decode(Catalog.self, from: data))?
        .performances.reduce(0) { $0 + $1.id }
    },
    picked: { sum($0, "performances") },
    filtered: { root in
      rows(root, "performances")?.count {
        let prices = $0["prices"] as? [[String: Any]]
        return (prices?.first?["amount"] as? Int ?? 0) > 50000
      }
    })

  private static let canada = Extraction(
    query: "$.features[*].geometry.coordinates[*][*][0]", result: .count,
    filter: "$.features[*].geometry.coordinates[*][?@[0] < -100]",
    list: nil,
    decoded: { data in
      struct Collection: Decodable { let features: [Feature] }
      struct Feature: Decodable { let geometry: Geometry }
      struct Geometry: Decodable { let coordinates: [[[Double]]] }
      return (try? JSONDecoder().decode(Collection.self, from: data))?.features.reduce(0) {
        $0 + $1.geometry.coordinates.joined().count { !$0.isEmpty }
      }
    },
    picked: { root in points(root)?.count },
    filtered: { root in points(root)?.count { $0[0] < -100 } })

  private static func points(_ root: Any) -> [[Double]]? {
    rows(root, "features")?.flatMap { feature in
      let geometry = feature["geometry"] as? [String: Any]
      return (geometry?["coordinates"] as? [[[Double]]] ?? []).flatMap { $0 }
    }
  }
}
