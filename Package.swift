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
    name: name, dependencies: dependencies + ["PipelineTestSupport"], exclude: exclude,
    swiftSettings: strict)
}

let package = Package(
  name: "pipeline",
  // The least that have `Mutex`, `Atomic` and task executors.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "pipeline", targets: ["pipeline"]),
    .library(
      name: "PipelineKit", targets: ["PipelineKit", "CurlTransports", "URLSessionTransports"]),
    .library(name: "PipelineTesting", targets: ["PipelineTesting"]),
    .library(name: "SQLiteJournals", targets: ["SQLiteJournals"]),
    .library(name: "URLSessionTransports", targets: ["URLSessionTransports"]),
  ],
  targets: [
    library("PipelineByteText"),
    library("PipelineURIs", ["PipelineByteText"]),
    library("PipelineHTTPTerms", ["PipelineByteText"]),
    library("PipelineSourceText"),
    .target(name: "CPipelineByteMasks"),
    library("PipelineJSONText", ["CPipelineByteMasks", "PipelineByteText"]),
    library("PipelineRPC", ["PipelineByteText", "PipelineJSONText"]),
    library("PipelineYAMLText", ["PipelineJSONText"]),
    library(
      "PipelineOpenAPI",
      [
        "PipelineByteText", "PipelineURIs", "PipelineSourceText", "PipelineJSONText",
        "PipelineYAMLText",
      ]),
    library("PipelineJSONPaths", ["PipelineByteText", "PipelineJSONText"]),
    library("PipelineDates", ["PipelineByteText", "PipelineHTTPTerms"]),
    // libcrypto is loaded when the first private key signs, so no -dev package is needed.
    .target(name: "CPipelineCrypto"),
    // zlib is loaded when the first packed body is read, so no -dev package is needed.
    .target(name: "CPipelineZlib"),
    // Brotli and zstd are loaded if libcurl has loaded them, so no -dev package is needed.
    .target(name: "CPipelineCodings"),
    library(
      "PipelineFormats",
      [
        "CPipelineByteMasks", "CPipelineZlib", "CPipelineCodings", "PipelineByteText",
        "PipelineJSONText",
      ]),
    library(
      "PipelineTemplates",
      [
        "CPipelineCrypto", "PipelineByteText", "PipelineURIs", "PipelineHTTPTerms",
        "PipelineSourceText", "PipelineDates", "PipelineFormats", "PipelineJSONText",
        "PipelineJSONPaths",
      ]),
    library(
      "PipelineJSONSchemas",
      [
        "PipelineByteText", "PipelineURIs", "PipelineSourceText", "PipelineJSONText",
        "PipelineJSONPaths",
      ]),
    library(
      "PipelineRecordings",
      ["PipelineByteText", "PipelineURIs", "PipelineHTTPTerms", "PipelineJSONText"]),
    library(
      "PipelineLanguage",
      [
        "PipelineByteText", "PipelineURIs", "PipelineHTTPTerms", "PipelineSourceText",
        "PipelineJSONText", "PipelineJSONPaths", "PipelineTemplates", "PipelineJSONSchemas",
        "PipelineFormats",
      ]),
    library(
      "PipelinePlanning",
      [
        "PipelineByteText", "PipelineURIs", "PipelineHTTPTerms", "PipelineSourceText",
        "PipelineJSONText", "PipelineJSONPaths", "PipelineTemplates", "PipelineFormats",
        "PipelineLanguage",
      ]),
    // What the codes of lint mean is Markdown, which is embedded as it is.
    .target(
      name: "PipelineLint",
      dependencies: [
        "PipelineByteText", "PipelineURIs", "PipelineHTTPTerms", "PipelineSourceText",
        "PipelineJSONText", "PipelineOpenAPI", "PipelineJSONPaths", "PipelineTemplates",
        "PipelineJSONSchemas", "PipelineFormats", "PipelineRecordings", "PipelineLanguage",
        "PipelinePlanning",
      ],
      resources: [.embedInCode("Explanations/Texts")], swiftSettings: strict),
    library(
      "PipelineEditing",
      [
        "PipelineByteText", "PipelineSourceText", "PipelineJSONText", "PipelineLanguage",
        "PipelineLint",
      ]),
    library(
      "PipelineExports",
      [
        "PipelineByteText", "PipelineJSONText", "PipelineJSONPaths", "PipelineTemplates",
        "PipelineLanguage", "PipelinePlanning",
      ]),
    library(
      "PipelineImports",
      [
        "PipelineByteText", "PipelineURIs", "PipelineJSONText", "PipelineJSONPaths",
        "PipelineTemplates", "PipelineYAMLText", "PipelineOpenAPI", "PipelineRecordings",
        "PipelineLanguage",
      ]),
    library(
      "PipelineTransports", ["PipelineByteText", "PipelineURIs", "PipelineRecordings"], nonsending),
    library("PipelineFiles", ["PipelineByteText", "PipelineTransports"], nonsending),
    library(
      "PipelineJournals", ["PipelineByteText", "PipelineJSONText", "PipelineTransports"],
      nonsending),
    library(
      "PipelineEngine",
      [
        "PipelineByteText", "PipelineURIs", "PipelineHTTPTerms", "PipelineSourceText",
        "PipelineJSONText", "PipelineJSONPaths", "PipelineTemplates", "PipelineJSONSchemas",
        "PipelineFormats", "PipelineRecordings", "PipelineLanguage", "PipelinePlanning",
        "PipelineLint", "PipelineTransports", "PipelineFiles", "PipelineJournals",
      ],
      nonsending),
    library(
      "PipelineKit",
      [
        "PipelineByteText", "PipelineSourceText", "PipelineJSONText", "PipelineRecordings",
        "PipelineLanguage", "PipelinePlanning", "PipelineLint", "PipelineTransports",
        "PipelineFiles", "PipelineJournals", "PipelineEngine",
      ],
      nonsending),
    library(
      "PipelineTesting",
      [
        "PipelineByteText", "PipelineURIs", "PipelineSourceText", "PipelineJSONText",
        "PipelineJSONPaths", "PipelineRecordings", "PipelineLanguage", "PipelinePlanning",
        "PipelineLint", "PipelineTransports", "PipelineKit",
      ],
      nonsending),
    // The style of drawings and reports is CSS, which is embedded as it is.
    .target(
      name: "PipelineDrawings", dependencies: ["PipelineByteText", "PipelineSourceText"],
      resources: [.embedInCode("Style/shared.css"), .embedInCode("Style/drawing.css")],
      swiftSettings: strict),
    .target(
      name: "PipelineReports",
      dependencies: [
        "PipelineByteText", "PipelineURIs", "PipelineSourceText", "PipelineJSONText",
        "PipelineEngine", "PipelineDrawings",
      ],
      resources: [.embedInCode("Style/report.css")], swiftSettings: strict),
    // libcurl is loaded when the first transport is made, so no -dev package is needed.
    .target(name: "CPipelineCurl"),
    .target(name: "CPipelineSockets"),
    library(
      "CurlTransports",
      [
        "CPipelineCurl", "CPipelineSockets", "PipelineByteText", "PipelineURIs",
        "PipelineHTTPTerms", "PipelineFormats", "PipelineTransports", "PipelineKit",
      ],
      nonsending),
    library(
      "URLSessionTransports",
      ["PipelineByteText", "PipelineJSONText", "PipelineTransports", "PipelineKit"]),
    // SQLite is loaded when the first journal is opened, so no -dev package is needed.
    .target(name: "CPipelineSQLite"),
    library(
      "SQLiteJournals",
      [
        "CPipelineSQLite", "PipelineByteText", "PipelineURIs", "PipelineJSONText",
        "PipelineTransports", "PipelineFiles", "PipelineJournals",
      ]),
    library(
      "PipelineSinks",
      [
        "PipelineByteText", "PipelineJSONText", "PipelineFormats", "PipelineJournals",
        "SQLiteJournals",
      ]),
    // epoll and kqueue, which Swift's platform modules leave out.
    library(
      "PipelineHTTPServers",
      ["CPipelineSockets", "PipelineByteText", "PipelineHTTPTerms", "PipelineJSONText"]),
    library(
      "PipelineSandboxServers",
      [
        "PipelineByteText", "PipelineURIs", "PipelineHTTPTerms", "PipelineJSONText",
        "PipelineHTTPServers",
      ]),
    // The files of the page are embedded as they are: no build chain makes them.
    .target(
      name: "PipelinePages",
      resources: [
        .embedInCode("Page/page.html"), .embedInCode("Page/page.css"),
        .embedInCode("Page/page.js"), .embedInCode("Page/answers.js"),
        .embedInCode("Page/complete.js"), .embedInCode("Page/dom.js"),
        .embedInCode("Page/drafts.js"), .embedInCode("Page/drawn.js"),
        .embedInCode("Page/editor.js"), .embedInCode("Page/files.js"),
        .embedInCode("Page/findings.js"), .embedInCode("Page/finds.js"),
        .embedInCode("Page/form.js"), .embedInCode("Page/history.js"),
        .embedInCode("Page/items.js"), .embedInCode("Page/json.js"),
        .embedInCode("Page/live.js"),
        .embedInCode("Page/newtest.js"), .embedInCode("Page/outcome.js"),
        .embedInCode("Page/rpc.js"), .embedInCode("Page/run.js"),
        .embedInCode("Page/saving.js"), .embedInCode("Page/shell.js"),
        .embedInCode("Page/sources.js"), .embedInCode("Page/steps.js"),
        .embedInCode("Page/taking.js"), .embedInCode("Page/tests.js"),
        .embedInCode("Page/text.js"), .embedInCode("Page/virtual.js"),
        .embedInCode("Page/words.js"), .embedInCode("Page/write.js"),
      ],
      swiftSettings: strict),
    .target(
      name: "PipelineCommand",
      dependencies: [
        "PipelineByteText", "PipelineURIs", "PipelineHTTPTerms", "PipelineSourceText",
        "PipelineJSONText", "PipelineJSONPaths", "PipelineTemplates", "PipelineFormats",
        "PipelineRecordings", "PipelineRPC", "PipelineOpenAPI", "PipelineLanguage",
        "PipelinePlanning", "PipelineLint", "PipelineEditing", "PipelineExports",
        "PipelineImports", "PipelineKit", "PipelineTesting", "PipelineReports", "CurlTransports",
        "SQLiteJournals", "PipelineSinks", "PipelineHTTPServers", "PipelineSandboxServers",
        "PipelinePages", "PipelineDrawings",
      ],
      resources: [.embedInCode("Graphs/Style/graph.css"), .embedInCode("Graphs/Style/graph.js")],
      swiftSettings: strict),
    .executableTarget(
      name: "pipeline", dependencies: ["PipelineCommand"], swiftSettings: strict),

    // Programs that show how the library is used.
    .target(
      name: "PipelineSampleApp",
      dependencies: ["PipelineKit", "PipelineTesting", "CurlTransports", "URLSessionTransports"],
      path: "docs/samples/BankApp/Sources/BankApp"),
    .executableTarget(
      name: "pipeline-sample-statements",
      dependencies: ["PipelineKit", "PipelineTesting", "CurlTransports"],
      path: "docs/samples/Statements/Sources/Statements"),

    .target(
      name: "PipelineTestSupport", dependencies: ["CPipelineSockets", "PipelineJSONText"],
      path: "Tests/PipelineTestSupport",
      swiftSettings: strict),
    // Traits of tests. Only a target of tests may import Testing.
    tests("PipelineTestTraits", []),
    tests("PipelineByteTextTests", ["PipelineByteText", "PipelineJSONText"]),
    tests("PipelineURIsTests", ["PipelineURIs"]),
    tests("PipelineHTTPTermsTests", ["PipelineHTTPTerms"]),
    tests("PipelineDatesTests", ["PipelineDates", "PipelineByteText", "PipelineJSONText"]),
    tests("PipelineSourceTextTests", ["PipelineSourceText"]),
    tests("PipelineJSONTextTests", ["PipelineJSONText", "CPipelineByteMasks"]),
    tests("PipelineRPCTests", ["PipelineRPC", "PipelineJSONText"]),
    tests("PipelineYAMLTextTests", ["PipelineYAMLText", "PipelineJSONText"]),
    tests("PipelineOpenAPITests", ["PipelineOpenAPI", "PipelineJSONText"]),
    tests("PipelineJSONPathsTests", ["PipelineJSONPaths", "PipelineJSONText"]),
    tests(
      "PipelineRecordingsTests",
      ["PipelineRecordings", "PipelineJSONText", "PipelineJSONSchemas", "PipelineSourceText"]),
    tests(
      "PipelineTemplatesTests",
      [
        "PipelineTemplates", "PipelineByteText", "PipelineURIs", "PipelineJSONPaths",
        "PipelineJSONText",
      ]),
    tests(
      "PipelineJSONSchemasTests", ["PipelineJSONSchemas", "PipelineJSONText", "PipelineSourceText"]),
    tests(
      "PipelineWorkflowsTests",
      [
        "PipelineLanguage", "PipelinePlanning", "PipelineLint", "PipelineTemplates",
        "PipelineJSONPaths", "PipelineJSONSchemas", "PipelineJSONText", "PipelineOpenAPI",
        "PipelineSourceText", "PipelineByteText",
      ],
      exclude: ["Corpus", "Fixtures", "Golden", "Recall", "Words"]),
    tests(
      "PipelineEditingTests",
      [
        "PipelineEditing", "PipelineImports", "PipelineLanguage", "PipelineLint",
        "PipelineJSONText", "PipelineSourceText",
      ]),
    tests(
      "PipelineExportsTests",
      [
        "PipelineExports", "PipelineLanguage", "PipelinePlanning", "PipelineLint",
        "PipelineJSONText", "PipelineSourceText", "PipelineTestTraits",
      ],
      exclude: ["Support"]),
    tests(
      "PipelineImportsTests", ["PipelineImports", "PipelineJSONText", "PipelineTestTraits"]),
    tests("PipelineFilesTests", ["PipelineFiles"]),
    tests(
      "PipelineJournalsTests", ["PipelineJournals", "PipelineTransports", "PipelineJSONText"]),
    tests(
      "PipelineEngineTests",
      [
        "PipelineTransports", "PipelineEngine", "PipelineKit", "PipelineTesting",
        "PipelineReports", "PipelineRecordings", "PipelineLanguage", "PipelinePlanning",
        "PipelineLint", "PipelineTemplates", "PipelineURIs", "PipelineJSONPaths",
        "PipelineJSONText", "PipelineSourceText",
      ],
      exclude: ["Statements"]),
    tests(
      "PipelineKitTests",
      ["PipelineKit", "PipelineTesting", "PipelineLanguage", "PipelineJSONText"]
    ),
    tests("OriginsTests", ["PipelineKit", "PipelineTesting", "PipelineSampleApp"]),
    tests(
      "CurlTransportsTests",
      [
        "CPipelineCurl", "CPipelineSockets", "CurlTransports", "URLSessionTransports",
        "PipelineEngine", "PipelineKit", "PipelineTesting", "PipelineCommand",
        "PipelineHTTPServers",
        "PipelineSandboxServers", "PipelineSourceText", "PipelineJSONText", "PipelineURIs",
        "PipelineTestTraits",
      ]),
    tests(
      "SQLiteJournalsTests",
      [
        "CPipelineSQLite", "SQLiteJournals", "PipelineTransports", "PipelineFiles",
        "PipelineJournals", "PipelineJSONText",
      ]),
    tests("PipelineFormatsTests", ["PipelineFormats", "PipelineJSONText"]),
    tests("PipelineSinksTests", ["PipelineSinks", "PipelineFormats", "PipelineJSONText"]),
    tests(
      "PipelineReportsTests",
      ["PipelineReports", "PipelineEngine", "PipelineKit", "PipelineJSONText"]),
    tests(
      "PipelineHTTPServersTests",
      ["PipelineHTTPServers", "PipelineJSONText", "PipelineTestTraits"]),
    tests(
      "PipelineSandboxServersTests",
      [
        "PipelineHTTPServers", "PipelineSandboxServers", "PipelineByteText", "PipelineHTTPTerms",
        "PipelineJSONText", "PipelineTestTraits",
      ]),
    tests(
      "PipelineCommandTests",
      [
        "PipelineCommand", "PipelineEngine", "PipelineKit", "PipelineTesting", "PipelineReports",
        "CurlTransports",
        "SQLiteJournals", "PipelineHTTPServers", "PipelineSandboxServers", "PipelinePages",
        "PipelineDrawings", "PipelineRecordings", "PipelineRPC", "PipelineEditing",
        "PipelineLanguage",
        "PipelinePlanning", "PipelineLint",
        "PipelineJSONSchemas", "PipelineJSONPaths", "PipelineJSONText",
        "PipelineSourceText", "PipelineTestTraits",
      ],
      exclude: ["Shims"]),
    tests(
      "ConformanceTests",
      [
        "PipelineKit", "PipelineTesting", "PipelineSourceText", "PipelineJSONSchemas",
        "PipelineJSONPaths", "PipelineJSONText", "PipelineFormats",
      ]),
    .executableTarget(
      name: "pipeline-bench",
      dependencies: [
        "PipelineJSONText", "PipelineYAMLText", "PipelineJSONPaths", "PipelineSourceText",
        "PipelineLanguage", "PipelineLint", "PipelineKit", "PipelineTesting", "PipelineReports",
        "PipelineRPC", "CurlTransports", "URLSessionTransports", "SQLiteJournals",
        "PipelineHTTPServers", "PipelineSandboxServers", "PipelineFormats", "PipelineTestSupport",
      ],
      path: "Tests/Benchmarks",
      exclude: ["simdjson"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
