internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineYAMLText

/// The kinds of files that an import tells apart. Only the content decides, never a file's name.
package enum ForeignKind: Sendable, Hashable, CaseIterable {
  case har
  case postmanCollection, postmanFolder, postmanEnvironment
  case bruno, openCollection, openCollectionEnvironment
  case insomnia4, insomnia5
  case hurl, arazzo
  case http, httpEnvironments
  case curl
  /// Files that are not collections of requests, but are often mistaken for them.
  case apiDescription, workflow

  /// What a message calls a file of this kind.
  package var title: String {
    switch self {
    case .har: "a HAR recording"
    case .postmanCollection: "a Postman collection"
    case .postmanFolder: "a part of a Postman 3.0 collection"
    case .postmanEnvironment: "a Postman environment"
    case .bruno: "a .bru file of Bruno"
    case .openCollection: "a part of an OpenCollection"
    case .openCollectionEnvironment: "an environment of an OpenCollection"
    case .insomnia4: "an Insomnia export"
    case .insomnia5: "an Insomnia 5 file"
    case .hurl: "a Hurl file"
    case .arazzo: "an Arazzo description"
    case .http: "an .http file"
    case .httpEnvironments: "a file of environments for .http files"
    case .curl: "a curl command"
    case .apiDescription: "the description of an API"
    case .workflow: "a workflow already"
    }
  }

  /// Whether files of this kind make up a collection. Of a folder, only these are read.
  var isOfCollection: Bool {
    switch self {
    case .har, .curl, .apiDescription, .arazzo, .workflow: false
    default: true
    }
  }
}

/// A file whose kind is known.
enum ForeignContent {
  case json(ForeignKind, JSONDocument)
  case yaml(ForeignKind, YAMLDocument)
  case text(ForeignKind, String)

  var kind: ForeignKind {
    switch self {
    case .json(let kind, _), .yaml(let kind, _), .text(let kind, _): kind
    }
  }
}
