import PipelineCommand

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

let status = await Program(console: .process()).main(Array(CommandLine.arguments.dropFirst()))
exit(status.rawValue)
