// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "BankApp",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "BankApp", targets: ["BankApp"])],
  dependencies: [.package(name: "pipeline", path: "../../..")],
  targets: [
    .target(
      name: "BankApp",
      dependencies: [
        .product(name: "PipelineKit", package: "pipeline"),
        .product(name: "PipelineTesting", package: "pipeline"),
      ])
  ],
  swiftLanguageModes: [.v6])
