// A program that embeds the library writes one import: the values that it gives and gets, and the
// findings that it may show, come along.
@_exported public import PipelineEngine
@_exported public import PipelineFiles
@_exported public import PipelineJSONText
@_exported public import PipelineJournals
@_exported public import PipelineSourceText
@_exported public import PipelineTransports
