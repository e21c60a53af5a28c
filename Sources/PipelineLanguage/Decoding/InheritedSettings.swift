/// The settings that the steps of a file inherit, which the decoder hands on without knowing them.
protocol InheritedSettings: AnyObject, Sendable {}
