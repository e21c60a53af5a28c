import PipelineLanguage
import PipelineTemplates

extension Input.ValueType {
  var shape: ValueShape {
    switch self {
    case .string, .date, .datetime: .string
    case .integer: .integer
    case .number: .number
    case .boolean: .boolean
    case .array: .list(.present)
    case .object: .object([:], isOpen: true)
    }
  }
}

extension Extractor.ValueType {
  var shape: ValueShape {
    switch self {
    case .string, .date, .datetime, .url: .string
    case .integer: .integer
    case .number: .number
    case .boolean: .boolean
    case .array: .list(.present)
    case .object: .object([:], isOpen: true)
    }
  }
}
