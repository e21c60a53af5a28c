# Completions of pipeline for bash: source this file.
_pipeline_words() {
  local file="" word
  for word in "${COMP_WORDS[@]:2}"; do
    if [[ $word == *.json ]]; then file=$word; break; fi
  done
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" completions --words "$1" ${file:+--file "$file"} 2>/dev/null)" -- "$cur"))
}
_pipeline() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
  # Bash splits '--name=value' at the sign.
  if [[ $cur == = ]]; then cur=""
  elif [[ $prev == = ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "run resume runs report part test try plan state graph lint explain format init new schema export sandbox completions help --help -h --version" -- "$cur"))
    return
  fi
  case "$command $prev" in
    "run --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "run --inputs") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "run --environment"|"run -e") _pipeline_words environments; return ;;
    "run --state") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "run --store") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "run --output"|"run -o") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "run --format") COMPREPLY=($(compgen -W "json ndjson table csv" -- "$cur")); return ;;
    "run --sink") :; return ;;
    "run --concurrency"|"run -c") :; return ;;
    "run --allow-dir") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "run --output-dir") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "run --events") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "run --report") :; return ;;
    "run --record") COMPREPLY=($(compgen -f -X '!*.har' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "run --replay") COMPREPLY=($(compgen -f -X '!*.har' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "run --only") _pipeline_words steps; return ;;
    "run --show") _pipeline_words steps; return ;;
    "run --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "resume --again") :; return ;;
    "resume --settle") :; return ;;
    "resume --values") :; return ;;
    "resume --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "resume --inputs") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "resume --output"|"resume -o") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "resume --format") COMPREPLY=($(compgen -W "json ndjson table csv" -- "$cur")); return ;;
    "resume --sink") :; return ;;
    "resume --events") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "resume --report") :; return ;;
    "resume --store") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "resume --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "runs --store") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "report --output"|"report -o") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "report --store") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "part --folder") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "part --step") :; return ;;
    "part --shard") :; return ;;
    "part --share") :; return ;;
    "part --settle") :; return ;;
    "part --values") :; return ;;
    "part --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "part --inputs") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "part --environment"|"part -e") _pipeline_words environments; return ;;
    "part --state") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "part --allow-dir") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "part --output-dir") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "part --output"|"part -o") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "part --format") COMPREPLY=($(compgen -W "json ndjson table csv" -- "$cur")); return ;;
    "part --events") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "part --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "test --orders") :; return ;;
    "test --seed") :; return ;;
    "test --filter") :; return ;;
    "test --report") :; return ;;
    "test --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "try --header"|"try -H") :; return ;;
    "try --json") :; return ;;
    "try --data"|"try -d") :; return ;;
    "try --user"|"try -u") :; return ;;
    "try --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "plan --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "plan --inputs") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "plan --environment"|"plan -e") _pipeline_words environments; return ;;
    "plan --state") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "plan --store") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "plan --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "state --state") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "state --environment"|"state -e") _pipeline_words environments; return ;;
    "state --store") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "state --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "graph --format") COMPREPLY=($(compgen -W "text mermaid dot svg html" -- "$cur")); return ;;
    "graph --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "lint --format") COMPREPLY=($(compgen -W "text json sarif github" -- "$cur")); return ;;
    "lint --with") COMPREPLY=($(compgen -f -X '!*.har' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "lint --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "new --curl") :; return ;;
    "export --folder") COMPREPLY=($(compgen -d -- "$cur")); return ;;
    "export --shards") :; return ;;
    "export --items-per-shard") :; return ;;
    "export --schedule") :; return ;;
    "export --pipeline") COMPREPLY=($(compgen -f -- "$cur")); return ;;
    "export --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "sandbox --port"|"sandbox -p") :; return ;;
    "completions --words") COMPREPLY=($(compgen -W "inputs environments steps runs" -- "$cur")); return ;;
    "completions --file") COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur")); return ;;
    "completions --store") COMPREPLY=($(compgen -d -- "$cur")); return ;;
  esac
  case "$command" in
    run)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--set --inputs --environment -e --state --store --no-store --output -o --format --sink --concurrency -c --allow-dir --output-dir --events --report --record --replay --only --show --quiet -q --verbose -v --color --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    resume)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--plan --again --settle --values --set --inputs --output -o --format --sink --events --report --store --quiet -q --verbose -v --color --help -h" -- "$cur"))
      else _pipeline_words runs
      fi ;;
    runs)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--json --store --help -h" -- "$cur"))
      else _pipeline_words runs
      fi ;;
    report)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--output -o --store --help -h" -- "$cur"))
      else _pipeline_words runs
      fi ;;
    part)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--folder --step --shard --share --settle --values --set --inputs --environment -e --state --allow-dir --output-dir --output -o --format --events --quiet -q --verbose -v --color --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -W "begin items run finish" -- "$cur"))
      fi ;;
    test)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--orders --seed --filter --require-all --live --update --report --color --watch --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.test.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    try)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--header -H --json --data -d --user -u --color --help -h" -- "$cur"))
      else :
      fi ;;
    plan)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--set --inputs --environment -e --state --store --no-store --color --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    state)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--state --environment -e --store --no-store --json --color --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    graph)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--format --color --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    lint)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--format --strict --fix --with --color --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    explain)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else COMPREPLY=($(compgen -W "unknown-key unknown-reference" -- "$cur"))
      fi ;;
    format)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--check --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    init)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else COMPREPLY=($(compgen -f -X '!*.json' -- "$cur") $(compgen -d -- "$cur"))
      fi ;;
    new)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--curl --help -h" -- "$cur"))
      else :
      fi ;;
    schema)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else COMPREPLY=($(compgen -W "workflow test" -- "$cur"))
      fi ;;
    export)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--folder --shards --items-per-shard --schedule --pipeline --color --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -W "airflow slurm kubernetes make" -- "$cur"))
      fi ;;
    sandbox)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--port -p --help -h" -- "$cur"))
      else :
      fi ;;
    completions)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--words --file --store --no-store --help -h" -- "$cur"))
      else COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur"))
      fi ;;
    help)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else COMPREPLY=($(compgen -W "run resume runs report part test try plan state graph lint explain format init new schema export sandbox completions help" -- "$cur"))
      fi ;;
  esac
}
complete -o filenames -F _pipeline pipeline
