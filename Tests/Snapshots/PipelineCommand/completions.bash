# Completions of pipeline for bash: source this file.
# The words of a file are quoted, and never expanded: they may be anybody's.
_pipeline_words() {
  local file="" word quoted
  for word in "${COMP_WORDS[@]:2}"; do
    if [[ $word == *.json ]]; then file=$word; break; fi
  done
  COMPREPLY=()
  while IFS= read -r word; do
    printf -v quoted %q "$word"
    if [[ $word == "$cur"* || $quoted == "$cur"* ]]; then COMPREPLY+=("$quoted"); fi
  done < <("${COMP_WORDS[0]}" completions --words "$1" ${file:+"--file=$file"} 2>/dev/null)
  compopt +o filenames 2>/dev/null
}
# Files whose names match, and folders.
_pipeline_files() {
  local name
  COMPREPLY=()
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(
    compgen -f -X "!$1" -- "$cur"
    compgen -d -- "$cur"
  )
}
_pipeline_takes_value() {
  case "$command $1" in
    "run --set"|"run --inputs"|"run --answer"|"run --secrets"|"run --each"|"run --environment"|"run -e"|"run --state"|"run --store"|"run --output"|"run -o"|"run --format"|"run --sink"|"run --concurrency"|"run -c"|"run --allow-dir"|"run --output-dir"|"run --events"|"run --report"|"run --record"|"run --replay"|"run --only"|"run --show"|"run --check-api"|"run --color") return 0 ;;
    "resume --again"|"resume --settle"|"resume --values"|"resume --file"|"resume --set"|"resume --inputs"|"resume --answer"|"resume --secrets"|"resume --output"|"resume -o"|"resume --format"|"resume --sink"|"resume --events"|"resume --report"|"resume --check-api"|"resume --store"|"resume --color") return 0 ;;
    "runs --store") return 0 ;;
    "report --output"|"report -o"|"report --store") return 0 ;;
    "part --folder"|"part --step"|"part --shard"|"part --share"|"part --limits"|"part --settle"|"part --values"|"part --set"|"part --inputs"|"part --answer"|"part --secrets"|"part --each"|"part --environment"|"part -e"|"part --state"|"part --allow-dir"|"part --output-dir"|"part --output"|"part -o"|"part --format"|"part --events"|"part --color") return 0 ;;
    "test --orders"|"test --seed"|"test --filter"|"test --report"|"test --color") return 0 ;;
    "try --header"|"try -H"|"try --json"|"try --data"|"try -d"|"try --user"|"try -u"|"try --color") return 0 ;;
    "login --credential"|"login -c"|"login --within"|"login --set"|"login --inputs"|"login --secrets"|"login --environment"|"login -e"|"login --store"|"login --color") return 0 ;;
    "credentials --credential"|"credentials -c"|"credentials --set"|"credentials --inputs"|"credentials --secrets"|"credentials --environment"|"credentials -e"|"credentials --store"|"credentials --color") return 0 ;;
    "plan --set"|"plan --inputs"|"plan --secrets"|"plan --each"|"plan --environment"|"plan -e"|"plan --state"|"plan --store"|"plan --color") return 0 ;;
    "state --state"|"state --environment"|"state -e"|"state --store"|"state --color") return 0 ;;
    "graph --format"|"graph --color") return 0 ;;
    "lint --format"|"lint --with"|"lint --against"|"lint --color") return 0 ;;
    "new --curl"|"new --api"|"new --operations"|"new --test"|"new --workflow"|"new --name"|"new --output"|"new -o"|"new --set"|"new --inputs"|"new --environment"|"new -e"|"new --store") return 0 ;;
    "import --output"|"import -o"|"import --workflow"|"import --format") return 0 ;;
    "api --output"|"api -o"|"api --base-url"|"api --workflow") return 0 ;;
    "export --folder"|"export --shards"|"export --items-per-shard"|"export --schedule"|"export --pipeline"|"export --color") return 0 ;;
    "ui --port"|"ui -p"|"ui --store") return 0 ;;
    "sandbox --port"|"sandbox -p") return 0 ;;
    "completions --words"|"completions --file"|"completions --store") return 0 ;;
    "help --man") return 0 ;;
  esac
  return 1
}
_pipeline() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
  # Bash splits '--name=value' at the sign.
  if [[ $cur == = ]]; then cur=""
  elif [[ $prev == = ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "run resume runs report part test try login credentials plan state graph lint explain format init new import api schema export lsp ui sandbox completions help --help -h --version" -- "$cur"))
    return
  fi
  case "$command $prev" in
    "run --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "run --inputs") _pipeline_files '*.json'; return ;;
    "run --answer") :; return ;;
    "run --secrets") _pipeline_files '*.json'; return ;;
    "run --each") _pipeline_files '*'; return ;;
    "run --environment"|"run -e") _pipeline_words environments; return ;;
    "run --state") _pipeline_files '*.json'; return ;;
    "run --store") _pipeline_files ''; return ;;
    "run --output"|"run -o") _pipeline_files '*'; return ;;
    "run --format") COMPREPLY=($(compgen -W "json ndjson table csv" -- "$cur")); return ;;
    "run --sink") :; return ;;
    "run --concurrency"|"run -c") :; return ;;
    "run --allow-dir") _pipeline_files ''; return ;;
    "run --output-dir") _pipeline_files ''; return ;;
    "run --events") _pipeline_files '*'; return ;;
    "run --report") :; return ;;
    "run --record") _pipeline_files '*.har'; return ;;
    "run --replay") _pipeline_files '*.har'; return ;;
    "run --only") _pipeline_words steps; return ;;
    "run --show") _pipeline_words steps; return ;;
    "run --check-api") COMPREPLY=($(compgen -W "warn fail" -- "$cur")); return ;;
    "run --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "resume --again") :; return ;;
    "resume --settle") :; return ;;
    "resume --values") :; return ;;
    "resume --file") _pipeline_files '*.json'; return ;;
    "resume --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "resume --inputs") _pipeline_files '*.json'; return ;;
    "resume --answer") :; return ;;
    "resume --secrets") _pipeline_files '*.json'; return ;;
    "resume --output"|"resume -o") _pipeline_files '*'; return ;;
    "resume --format") COMPREPLY=($(compgen -W "json ndjson table csv" -- "$cur")); return ;;
    "resume --sink") :; return ;;
    "resume --events") _pipeline_files '*'; return ;;
    "resume --report") :; return ;;
    "resume --check-api") COMPREPLY=($(compgen -W "warn fail" -- "$cur")); return ;;
    "resume --store") _pipeline_files ''; return ;;
    "resume --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "runs --store") _pipeline_files ''; return ;;
    "report --output"|"report -o") _pipeline_files '*'; return ;;
    "report --store") _pipeline_files ''; return ;;
    "part --folder") _pipeline_files ''; return ;;
    "part --step") :; return ;;
    "part --shard") :; return ;;
    "part --share") :; return ;;
    "part --limits") _pipeline_files ''; return ;;
    "part --settle") :; return ;;
    "part --values") :; return ;;
    "part --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "part --inputs") _pipeline_files '*.json'; return ;;
    "part --answer") :; return ;;
    "part --secrets") _pipeline_files '*.json'; return ;;
    "part --each") _pipeline_files '*'; return ;;
    "part --environment"|"part -e") _pipeline_words environments; return ;;
    "part --state") _pipeline_files '*.json'; return ;;
    "part --allow-dir") _pipeline_files ''; return ;;
    "part --output-dir") _pipeline_files ''; return ;;
    "part --output"|"part -o") _pipeline_files '*'; return ;;
    "part --format") COMPREPLY=($(compgen -W "json ndjson table csv" -- "$cur")); return ;;
    "part --events") _pipeline_files '*'; return ;;
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
    "login --credential"|"login -c") :; return ;;
    "login --within") :; return ;;
    "login --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "login --inputs") _pipeline_files '*.json'; return ;;
    "login --secrets") _pipeline_files '*.json'; return ;;
    "login --environment"|"login -e") _pipeline_words environments; return ;;
    "login --store") _pipeline_files ''; return ;;
    "login --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "credentials --credential"|"credentials -c") :; return ;;
    "credentials --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "credentials --inputs") _pipeline_files '*.json'; return ;;
    "credentials --secrets") _pipeline_files '*.json'; return ;;
    "credentials --environment"|"credentials -e") _pipeline_words environments; return ;;
    "credentials --store") _pipeline_files ''; return ;;
    "credentials --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "plan --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "plan --inputs") _pipeline_files '*.json'; return ;;
    "plan --secrets") _pipeline_files '*.json'; return ;;
    "plan --each") _pipeline_files '*'; return ;;
    "plan --environment"|"plan -e") _pipeline_words environments; return ;;
    "plan --state") _pipeline_files '*.json'; return ;;
    "plan --store") _pipeline_files ''; return ;;
    "plan --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "state --state") _pipeline_files '*.json'; return ;;
    "state --environment"|"state -e") _pipeline_words environments; return ;;
    "state --store") _pipeline_files ''; return ;;
    "state --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "graph --format") COMPREPLY=($(compgen -W "text mermaid dot svg html" -- "$cur")); return ;;
    "graph --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "lint --format") COMPREPLY=($(compgen -W "text json sarif github" -- "$cur")); return ;;
    "lint --with") _pipeline_files '*.har'; return ;;
    "lint --against") _pipeline_files '*'; return ;;
    "lint --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "new --curl") :; return ;;
    "new --api") _pipeline_files '*'; return ;;
    "new --operations") :; return ;;
    "new --test") _pipeline_files '*.har'; return ;;
    "new --workflow") _pipeline_files '*.json'; return ;;
    "new --name") :; return ;;
    "new --output"|"new -o") _pipeline_files '*.test.json'; return ;;
    "new --set") _pipeline_words inputs; compopt -o nospace 2>/dev/null; return ;;
    "new --inputs") _pipeline_files '*.json'; return ;;
    "new --environment"|"new -e") _pipeline_words environments; return ;;
    "new --store") _pipeline_files ''; return ;;
    "import --output"|"import -o") _pipeline_files '*.json'; return ;;
    "import --workflow") :; return ;;
    "import --format") COMPREPLY=($(compgen -W "text json" -- "$cur")); return ;;
    "api --output"|"api -o") _pipeline_files '*'; return ;;
    "api --base-url") :; return ;;
    "api --workflow") _pipeline_files '*.json'; return ;;
    "export --folder") _pipeline_files ''; return ;;
    "export --shards") :; return ;;
    "export --items-per-shard") :; return ;;
    "export --schedule") :; return ;;
    "export --pipeline") _pipeline_files '*'; return ;;
    "export --color") COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    "ui --port"|"ui -p") :; return ;;
    "ui --store") _pipeline_files ''; return ;;
    "sandbox --port"|"sandbox -p") :; return ;;
    "completions --words") COMPREPLY=($(compgen -W "inputs environments steps runs" -- "$cur")); return ;;
    "completions --file") _pipeline_files '*.json'; return ;;
    "completions --store") _pipeline_files ''; return ;;
    "help --man") _pipeline_files ''; return ;;
  esac
  # How many operands are before the cursor.
  local operand=0 index
  for ((index = 2; index < COMP_CWORD; index++)); do
    if _pipeline_takes_value "${COMP_WORDS[index]}"; then
      ((index++))
      if [[ ${COMP_WORDS[index]} == = ]]; then ((index++)); fi
    else
      case "${COMP_WORDS[index]}" in
        =) ((index++)) ;;
        -?*) ;;
        *) ((operand++)) ;;
      esac
    fi
  done
  case "$command" in
    run)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--set --inputs --answer --secrets --each --environment -e --state --store --no-store --output -o --format --sink --concurrency -c --allow-dir --output-dir --events --report --record --replay --keep-answers --only --show --check-api --quiet -q --verbose -v --color --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_files '*.json' ;;
          esac
      fi ;;
    resume)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--plan --again --settle --values --file --set --inputs --answer --secrets --output -o --format --sink --events --report --check-api --store --quiet -q --verbose -v --color --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_words runs ;;
          esac
      fi ;;
    runs)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--json --all --store --help -h" -- "$cur"))
      else case $operand in
            *) _pipeline_words runs ;;
          esac
      fi ;;
    report)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--output -o --store --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_words runs ;;
            1) COMPREPLY=($(compgen -W "html junit tap markdown github har otlp" -- "$cur")) ;;
          esac
      fi ;;
    part)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--folder --step --shard --share --limits --settle --values --set --inputs --answer --secrets --each --environment -e --state --allow-dir --output-dir --output -o --format --events --quiet -q --verbose -v --color --help -h" -- "$cur"))
      else case $operand in
            0) COMPREPLY=($(compgen -W "begin items run settle finish" -- "$cur")) ;;
            1) _pipeline_files '*.json' ;;
          esac
      fi ;;
    test)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--orders --seed --filter --require-all --live --update --report --color --watch --help -h" -- "$cur"))
      else case $operand in
            *) _pipeline_files '*.test.json' ;;
          esac
      fi ;;
    try)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--header -H --json --data -d --user -u --color --help -h" -- "$cur"))
      else case $operand in
            0) : ;;
            *) : ;;
          esac
      fi ;;
    login)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--credential -c --no-browser --within --set --inputs --secrets --environment -e --store --color --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_files '*.json' ;;
          esac
      fi ;;
    credentials)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--credential -c --set --inputs --secrets --environment -e --json --store --color --help -h" -- "$cur"))
      else case $operand in
            0) COMPREPLY=($(compgen -W "list renew remove" -- "$cur")) ;;
            *) _pipeline_files '*.json' ;;
          esac
      fi ;;
    plan)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--set --inputs --secrets --each --environment -e --state --store --no-store --color --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_files '*.json' ;;
          esac
      fi ;;
    state)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--state --environment -e --store --no-store --json --color --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_files '*.json' ;;
            1) COMPREPLY=($(compgen -W "show set clear" -- "$cur")) ;;
            2) : ;;
            3) : ;;
          esac
      fi ;;
    graph)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--format --color --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_files '*.json' ;;
          esac
      fi ;;
    lint)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--format --strict --fix --with --against --color --help -h" -- "$cur"))
      else case $operand in
            *) _pipeline_files '*.json' ;;
          esac
      fi ;;
    explain)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else case $operand in
            0) COMPREPLY=($(compgen -W "unknown-key unknown-reference" -- "$cur")) ;;
          esac
      fi ;;
    format)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--check --help -h" -- "$cur"))
      else case $operand in
            *) _pipeline_files '*.json' ;;
          esac
      fi ;;
    init)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_files '*.json' ;;
          esac
      fi ;;
    new)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--curl --api --operations --list --test --workflow --name --output -o --set --inputs --environment -e --store --help -h" -- "$cur"))
      else case $operand in
          esac
      fi ;;
    import)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--output -o --relax --partial --workflow --explain --tests --format --help -h" -- "$cur"))
      else case $operand in
            *) _pipeline_files '*' ;;
          esac
      fi ;;
    api)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--output -o --base-url --workflow --update --help -h" -- "$cur"))
      else case $operand in
            *) : ;;
          esac
      fi ;;
    schema)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else case $operand in
            0) COMPREPLY=($(compgen -W "workflow test" -- "$cur")) ;;
          esac
      fi ;;
    export)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--folder --shards --items-per-shard --schedule --pipeline --partial --color --help -h" -- "$cur"))
      else case $operand in
            0) COMPREPLY=($(compgen -W "airflow slurm kubernetes make arazzo" -- "$cur")) ;;
            1) _pipeline_files '*.json' ;;
          esac
      fi ;;
    lsp)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--help -h" -- "$cur"))
      else case $operand in
          esac
      fi ;;
    ui)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--port -p --read-only --store --help -h" -- "$cur"))
      else case $operand in
            0) _pipeline_files '' ;;
          esac
      fi ;;
    sandbox)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--port -p --help -h" -- "$cur"))
      else case $operand in
          esac
      fi ;;
    completions)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--words --file --store --no-store --help -h" -- "$cur"))
      else case $operand in
            0) COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur")) ;;
          esac
      fi ;;
    help)
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "--man --help -h" -- "$cur"))
      else case $operand in
            0) COMPREPLY=($(compgen -W "run resume runs report part test try login credentials plan state graph lint explain format init new import api schema export lsp ui sandbox completions help language crib" -- "$cur")) ;;
          esac
      fi ;;
  esac
}
complete -o filenames -F _pipeline pipeline
