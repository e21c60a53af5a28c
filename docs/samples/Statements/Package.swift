// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Statements",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "pipeline", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Statements",
      dependencies: [
        .product(name: "PipelineKit", package: "pipeline"),
        .product(name: "PipelineTesting", package: "pipeline"),
      ])
  ],
  swiftLanguageModes: [.v6])
