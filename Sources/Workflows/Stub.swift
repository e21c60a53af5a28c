package enum Quantities { package static func duration(_ text: String) -> Duration? { nil } }
