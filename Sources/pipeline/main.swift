import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let program = Program(console: .process())
guard let arguments = program.words(of: CommandLine.unsafeArgv) else {
  exit(ExitStatus.usage.rawValue)
}
// What waits for nothing runs here, on the first thread: the allocator asks the system for the
// memory of any other one page by page.
if let status = program.computed(arguments) { exit(status.rawValue) }
guard program.hasThreads() else { exit(ExitStatus.failure.rawValue) }
exit(await program.main(arguments).rawValue)
