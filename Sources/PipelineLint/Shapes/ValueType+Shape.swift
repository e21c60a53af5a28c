import PipelineLanguage
import PipelineTemplates

extension Input.ValueType {
  var shape: ValueShape {
    switch self {
    case .string: .string
    case .date: .date
    case .datetime: .moment
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
    case .string, .url: .string
    case .date: .date
    case .datetime: .moment
    case .integer: .integer
    case .number: .number
    case .boolean: .boolean
    case .array: .list(.present)
    case .object: .object([:], isOpen: true)
    }
  }
}
