// What the engine gives and gets is made of the values of these targets.
@_exported public import PipelineFiles
@_exported public import PipelineJSONText
@_exported public import PipelineJournals
@_exported public import PipelineSourceText
@_exported public import PipelineTransports
