// swift-tools-version: 6.1
import PackageDescription

// Text flows one way: text → document → workflow → plan → run → report. Each target below
// depends only on targets listed before it; docs/architecture.md says what each is for.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The request path calls on without asking, at each call and return, where its task is to run.
let nonsending: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: strict)
}

let package = Package(
  name: "pipeline",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "pipeline", targets: ["pipeline"]),
    .library(name: "PipelineKit", targets: ["PipelineKit", "CurlTransports"]),
    .library(name: "SQLiteJournals", targets: ["SQLiteJournals"]),
    .library(name: "URLSessionTransports", targets: ["URLSessionTransports"]),
  ],
  targets: [
    library("ByteText"),
    library("URIs", ["ByteText"]),
    library("HTTPTerms", ["ByteText"]),
    library("SourceText"),
    .target(name: "CByteMasks"),
    library("JSONText", ["CByteMasks"]),
    library("JSONPaths", ["JSONText"]),
    library(
      "Templates", ["ByteText", "URIs", "HTTPTerms", "SourceText", "JSONText", "JSONPaths"]),
    library(
      "JSONSchemas", ["ByteText", "URIs", "SourceText", "JSONText", "JSONPaths"]),
    library("Recordings", ["ByteText", "URIs", "HTTPTerms", "JSONText"]),
    library(
      "Workflows",
      [
        "ByteText", "URIs", "HTTPTerms", "SourceText", "JSONText", "JSONPaths",
        "Templates", "JSONSchemas", "Recordings",
      ]),
    library("Exports", ["ByteText", "JSONText", "JSONPaths", "Templates", "Workflows"]),
    library(
      "PipelineKit",
      [
        "ByteText", "URIs", "HTTPTerms", "SourceText", "JSONText", "JSONPaths",
        "Templates", "JSONSchemas", "Recordings", "Workflows",
      ],
      nonsending),
    library("Reports", ["ByteText", "URIs", "JSONText", "PipelineKit"]),
    // libcurl is loaded when the first transport is made, so no -dev package is needed.
    .target(name: "CCurl"),
    .target(name: "CSockets"),
    library(
      "CurlTransports", ["CCurl", "CSockets", "ByteText", "URIs", "HTTPTerms", "PipelineKit"],
      nonsending),
    library("URLSessionTransports", ["ByteText", "PipelineKit"]),
    // SQLite is loaded when the first journal is opened, so no -dev package is needed.
    .target(name: "CSQLite"),
    library("SQLiteJournals", ["CSQLite", "ByteText", "JSONText", "PipelineKit"]),
    library("Sinks", ["ByteText", "JSONText", "PipelineKit", "SQLiteJournals"]),
    // epoll and kqueue, which Swift's platform modules leave out.
    library("SandboxServers", ["CSockets", "ByteText", "URIs", "HTTPTerms", "JSONText"]),
    library(
      "PipelineCommand",
      [
        "ByteText", "URIs", "HTTPTerms", "SourceText", "JSONText", "JSONPaths",
        "Templates", "Recordings", "Workflows", "Exports", "PipelineKit", "Reports",
        "CurlTransports", "SQLiteJournals", "Sinks", "SandboxServers",
      ]),
    .executableTarget(
      name: "pipeline", dependencies: ["PipelineCommand"], swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["JSONText"], path: "Tests/TestSupport",
      swiftSettings: strict),
    tests("ByteTextTests", ["ByteText"]),
    tests("URIsTests", ["URIs"]),
    tests("HTTPTermsTests", ["HTTPTerms"]),
    tests("SourceTextTests", ["SourceText"]),
    tests("JSONTextTests", ["JSONText", "CByteMasks"]),
    tests("JSONPathsTests", ["JSONPaths", "JSONText"]),
    tests("RecordingsTests", ["Recordings", "JSONText", "JSONSchemas", "SourceText"]),
    tests("TemplatesTests", ["Templates", "URIs", "JSONPaths", "JSONText"]),
    tests("JSONSchemasTests", ["JSONSchemas", "JSONText", "SourceText"]),
    tests(
      "WorkflowsTests",
      ["Workflows", "Templates", "JSONPaths", "JSONSchemas", "JSONText", "SourceText"],
      exclude: ["Corpus", "Fixtures", "Golden"]),
    tests(
      "ExportsTests", ["Exports", "Workflows", "JSONText", "SourceText"], exclude: ["Support"]),
    tests(
      "PipelineKitTests",
      [
        "PipelineKit", "Reports", "Recordings", "Workflows", "Templates", "URIs", "JSONPaths",
        "JSONText", "SourceText",
      ]),
    tests(
      "CurlTransportsTests",
      [
        "CCurl", "CurlTransports", "URLSessionTransports", "PipelineKit", "PipelineCommand",
        "SandboxServers", "SourceText", "JSONText", "URIs",
      ]),
    tests(
      "SQLiteJournalsTests", ["CSQLite", "SQLiteJournals", "PipelineKit", "Workflows", "JSONText"]),
    tests("SinksTests", ["Sinks", "JSONText"]),
    tests("ReportsTests", ["Reports", "PipelineKit", "JSONText"]),
    tests("SandboxServersTests", ["SandboxServers", "ByteText", "HTTPTerms", "JSONText"]),
    tests(
      "PipelineCommandTests",
      [
        "PipelineCommand", "PipelineKit", "CurlTransports", "SQLiteJournals", "SandboxServers",
        "Recordings", "Workflows",
        "JSONSchemas", "JSONPaths", "JSONText", "SourceText",
      ]),
    tests("ConformanceTests", ["SourceText", "JSONSchemas", "JSONPaths", "JSONText"]),
    .executableTarget(
      name: "pipeline-bench",
      dependencies: [
        "JSONText", "JSONPaths", "SourceText", "Workflows", "PipelineKit", "Reports",
        "CurlTransports", "URLSessionTransports", "SQLiteJournals", "SandboxServers", "TestSupport",
      ],
      path: "Tests/Benchmarks",
      exclude: ["simdjson"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
