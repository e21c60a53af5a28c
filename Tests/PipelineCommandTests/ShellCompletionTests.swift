import PipelineTestSupport
import PipelineTestTraits
import SQLiteJournals
import Testing

@testable import PipelineCommand

/// What each shell itself offers on Tab, if it is installed.
@Suite(
  .ownThreads, .enabled(if: hasSQLite, "SQLite is not installed"),
  .enabled(if: ChildProcess.executable != nil, "the program is not built"))
struct ShellCompletionTests {
  private let folder = TemporaryFolder()

  /// Lines, and what is offered after them. `RUN` is the id of the run in the store.
  private static let offers: [(line: String, words: [String])] = [
    ("pipeline ru", ["run", "runs"]),
    ("pipeline run --ev", ["--events"]),
    ("pipeline run sho", ["shop.json"]),
    ("pipeline run my", ["my shop.json"]),
    ("pipeline run flows/", ["flows/inner.json"]),
    ("pipeline run shop.json --set ", ["city=", "count="]),
    ("pipeline run shop.json --environment ", ["dev", "prod"]),
    ("pipeline run shop.json -e ", ["dev", "prod"]),
    ("pipeline run shop.json --only ", ["list", "other"]),
    ("pipeline run shop.json --format n", ["ndjson"]),
    ("pipeline run shop.json --output-dir fl", ["flows"]),
    ("pipeline resume ", ["RUN"]),
    ("pipeline runs ", ["RUN"]),
    ("pipeline report x ta", ["tap"]),
    ("pipeline export --shards 4 make sho", ["shop.json"]),
    ("pipeline part run sho", ["shop.json"]),
    ("pipeline part run shop.json --sh", ["--shard", "--share"]),
    ("pipeline help li", ["lint"]),
  ]

  /// A file whose names are commands for a shell that reads them again.
  private static let hostile = #"""
    {"inputs": {"$(touch PWNED)": {"default": 1}, "`touch PWNED`": {"default": 1}},
     "environments": {"a$(touch PWNED)": {"x": 1}, "b`touch PWNED`": {"x": 1}, "it's": {"x": 1},
       "q\"$(touch PWNED)\"": {"x": 1}, "n\n$(touch PWNED)": {"x": 1}, "c;touch PWNED": {"x": 1}},
     "steps": [{"id": "s$(touch PWNED)", "values": {"a": 1}}, {"id": "`touch PWNED`", "values": {"a": 1}}]}
    """#
  private static let hostileLines = [
    "pipeline run hostile.json --environment ", "pipeline run hostile.json --only ",
    "pipeline run hostile.json --set ", "pipeline run hostile.json --environment a",
  ]

  /// What bash puts on the line is the name and not what it means.
  @Test(.enabled(if: Tool.isInstalled("bash"), "bash is not installed"))
  func bashQuotesTheNamesOfAFile() async throws {
    folder.write(Self.hostile, to: "files/hostile.json")
    let completions = await pipeline(["completions", "bash"])
    folder.write(completions.output, to: "_pipeline")
    folder.write(
      #"""
      cd "$1/files"
      source "$1/_pipeline"
      COMP_WORDS=(pipeline run hostile.json --environment "")
      COMP_CWORD=4
      _pipeline
      eval "names=(${COMPREPLY[*]})"
      printf '%s\n' "${names[@]}"
      """#, to: "script")
    let executable = try #require(ChildProcess.executable)
    let outcome = Tool.run(
      ["bash", folder.path + "/script", folder.path], in: folder, ["HOME": folder.path],
      tools: [String(executable.dropLast("/pipeline".count))])
    #expect(
      outcome.output == """
        a$(touch PWNED)
        b`touch PWNED`
        it's
        q"$(touch PWNED)"
        c;touch PWNED

        """, "\(outcome.error)")
    #expect(folder.read("files/PWNED") == nil && folder.read("PWNED") == nil)
  }

  /// Keeps a run, and runs a script of a shell that prints `== LINE` and the words for each line.
  private func expectOffers(of shell: Shell, by program: [String], _ script: String) async throws {
    let workflow = """
      {"inputs": {"city": {"default": "Rome"}, "count": {"default": 1}},
       "environments": {"prod": {"city": "A"}, "dev": {"city": "B"}},
       "steps": [{"id": "list", "values": {"v": "{{inputs.city}}"}},
                 {"id": "other", "values": {"v": "{{inputs.count}}"}}],
       "outputs": {"v": "{{list.v}}", "w": "{{other.v}}"}}
      """
    for name in ["shop.json", "my shop.json", "flows/inner.json"] {
      folder.write(workflow, to: "files/" + name)
    }
    folder.write(Self.hostile, to: "files/hostile.json")
    let run = await pipeline(
      ["run", folder.path + "/files/shop.json", "-q", "--store", folder.path + "/store"])
    #expect(run.status == .success, "\(run.error)")
    let id = try #require(RunStore(path: folder.path + "/store/runs").runs().first?.id)
    let completions = await pipeline(["completions", shell.rawValue])
    folder.write(completions.output, to: "_pipeline")
    folder.write(script, to: "script")
    let executable = try #require(ChildProcess.executable)
    let outcome = Tool.run(
      program + [folder.path + "/script", folder.path] + Self.offers.map(\.line)
        + Self.hostileLines,
      in: folder,
      [
        "PIPELINE_STORE": folder.path + "/store", "HOME": folder.path,
        "XDG_CONFIG_HOME": folder.path, "TERM": "dumb",
      ], tools: [String(executable.dropLast("/pipeline".count))])
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
    var found: [String: Set<String>] = [:]
    var line = ""
    for text in outcome.output.split(separator: "\n") {
      if text.hasPrefix("== ") {
        line = String(text.dropFirst(3))
      } else {
        // Fish shows what a word means after a tab, and zsh how the word is quoted.
        let word = String(text.split(separator: "\t")[0]).replacing("\\ ", with: " ")
        found[line, default: []].insert(word.hasSuffix("/") ? String(word.dropLast()) : word)
      }
    }
    // Names of a file are offered, and nothing in them is carried out.
    for line in Self.hostileLines { #expect(found[line]?.isEmpty == false, "\(line)") }
    for name in ["PWNED", "files/PWNED"] { #expect(folder.read(name) == nil) }
    for (line, words) in Self.offers {
      // Zsh completes the last part of a path.
      let ends = shell == .zsh ? words.map { $0.replacing("flows/", with: "") } : words
      #expect(found[line] == Set(ends.map { $0 == "RUN" ? id : $0 }), "\(line)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "bash is not installed"))
  func bashOffersTheWords() async throws {
    try await expectOffers(
      of: .bash, by: ["bash"],
      #"""
      cd "$1/files"
      source "$1/_pipeline"
      shift
      for line; do
        echo "== $line"
        read -ra COMP_WORDS <<< "$line"
        if [[ $line == *" " ]]; then COMP_WORDS+=(""); fi
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _pipeline
        printf '%s\n' "${COMPREPLY[@]}"
      done
      """#)
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "fish is not installed"))
  func fishOffersTheWords() async throws {
    try await expectOffers(
      of: .fish, by: ["fish"],
      #"""
      cd "$argv[1]/files"
      source "$argv[1]/_pipeline"
      for line in $argv[2..]
        echo "== $line"
        complete -C "$line"
      end
      """#)
  }

  /// Zsh completes only in a terminal, so the script opens one, and has what is offered written to
  /// a file.
  @Test(.enabled(if: Tool.isInstalled("zsh"), "zsh is not installed"))
  func zshOffersTheWords() async throws {
    try await expectOffers(
      of: .zsh, by: ["zsh", "-f"],
      #"""
      zmodload zsh/zpty
      folder=$1
      shift
      print -rl -- "$@" > $folder/lines
      print -r -- '
        fpath=($folder $fpath)
        autoload -Uz compinit
        compinit -u -D
        unsetopt auto_menu auto_list
        cd $folder/files
        lines=("${(@f)$(<$folder/lines)}")
        offer() {
          compadd() {
            if (( ! ${@[(I)-[OAD]]} )); then
              local -a offered
              builtin compadd -O offered "$@"
              if (( $#offered )); then print -rl -- $offered >> $folder/words; fi
            fi
            builtin compadd "$@"
          }
          _main_complete 2>> $folder/words
        }
        offer_all() {
          for line in $lines; do
            print -r -- "== $line" >> $folder/words
            BUFFER=$line
            CURSOR=$#BUFFER
            zle offer
          done
          print -r -- EN""DED
        }
        zle -C offer complete-word offer
        zle -N offer_all
        bindkey "^I" offer_all' > $folder/setup
      zpty shell "folder=$folder zsh -f -i"
      zpty -w shell "folder=$folder; source $folder/setup; print REA''DY"
      while zpty -r shell text; do [[ $text == *READY* ]] && break; done
      zpty -w -n shell $'\t'
      while zpty -r shell text; do [[ $text == *ENDED* ]] && break; done
      zpty -d shell
      cat $folder/words
      """#)
  }
}
