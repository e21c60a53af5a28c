// The names that public types had in version 0.1. A use of one is an error whose fix-it writes the
// new name. They are not merely deprecated: `HTTPRequest` could then mean two types in each file
// that also imports `HTTPTypes`, and such files compile today.

/// The old name of `TransportRequest`.
@available(*, unavailable, renamed: "TransportRequest")
public typealias HTTPRequest = TransportRequest

/// The old name of `TransportResponse`.
@available(*, unavailable, renamed: "TransportResponse")
public typealias HTTPResponse = TransportResponse

/// The old name of `HeaderField`.
@available(*, unavailable, renamed: "HeaderField")
public typealias HTTPField = HeaderField

/// The old name of `TransportBody`.
@available(*, unavailable, renamed: "TransportBody")
public typealias HTTPBody = TransportBody

/// The old name of `FailureReason`.
@available(*, unavailable, renamed: "FailureReason")
public typealias Failure = FailureReason
