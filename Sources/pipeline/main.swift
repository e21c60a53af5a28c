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
// Work that waits for nothing runs here, on the first thread. On any other thread, the allocator
// asks the system for memory page by page.
switch program.begin(arguments) {
case .ended(let status): exit(status.rawValue)
case .waiting(let rest):
  guard program.hasThreads() else { exit(ExitStatus.failure.rawValue) }
  // All is written. Another thread may be loading libcurl, and would crash in what libraries do at
  // a process's end.
  _exit(await rest().rawValue)
}
