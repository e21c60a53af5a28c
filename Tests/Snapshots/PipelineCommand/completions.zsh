#compdef pipeline
# Completions of pipeline for zsh: install as _pipeline in a folder of $fpath.
_pipeline_words() {
  # `_arguments` puts what compadd needs before the kind.
  local kind=$argv[-1] file=${words[(r)*.json]}
  local -a found ending
  found=(${(f)"$(pipeline completions --words $kind ${file:+--file=$file} 2>/dev/null)"})
  if [[ $kind == inputs ]]; then ending=(-S ''); fi
  compadd "${(@)argv[1,-2]}" "${(@)ending}" -a found
}
_pipeline() {
  local -a commands
  commands=(
    'run:Run a workflow and print its outputs'
    'resume:Go on with a run that failed or was interrupted'
    'runs:List the runs that are kept, show one, or delete some'
    'report:Report a run for people or other tools'
    'part:Carry out one part of a run that is spread over machines'
    'test:Test workflows without a network'
    'try:Send one request and show what queries select in the response'
    'login:Log in at a server for the runs of a workflow'
    'credentials:List, renew or remove the logins that are kept'
    'plan:Show what would run, without sending anything'
    'state:Show or change the state that a workflow keeps between runs'
    'graph:Draw the steps of a workflow and their dependencies'
    'lint:Check workflow files without sending anything'
    'explain:Explain a key, a data form or a lint code'
    'format:Rewrite workflow files in their canonical form'
    'init:Write a starter workflow'
    'new:Make a workflow from a curl command or an API description, or a test from a run'
    'import:Turn another tool'\''s requests into a workflow'
    'api:Fetch the description of an API and pin it by its SHA-256'
    'schema:Print the JSON Schema of workflow files, or of test files'
    'export:Print a workflow for Airflow, Slurm, Kubernetes or make, or as Arazzo'
    'lsp:Serve editors with the Language Server Protocol'
    'ui:Write and look at the workflows of a folder in a browser'
    'sandbox:Serve the sample APIs on this machine'
    'completions:Print a completion script for a shell'
    'help:Show the help of a command, or the whole language'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    compadd -- --help -h --version
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
    run) _arguments -s \
        '*--set=[Set an input; the value is JSON if the input is not a string (repeatable)]:NAME=VALUE:_pipeline_words inputs' \
        '--inputs=[Read inputs from a JSON object in FILE; '\''-'\'' is stdin]:FILE:_files -g "*.json"' \
        '*--answer=[Answer a question of an '\''ask'\'' step beforehand; of one item\: '\''each.STEP\[3\].NAME=VALUE'\'' (repeatable)]:STEP.NAME=VALUE: ' \
        '--secrets=[Take secret inputs from where FILE says, instead of ~/.config/pipeline/secrets.json; PIPELINE_SECRETS=FILE does the same]:FILE:_files -g "*.json"' \
        '--each=[Run the workflow once for each row of FILE, whose columns are inputs\: .csv, .tsv, .ndjson or .json]:FILE:_files' \
        '--environment=[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '-e+[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '--state=[Keep the workflow'\''s state in FILE instead of the store]:FILE:_files -g "*.json"' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--no-store[Use no store; PIPELINE_STORE=off does the same]' \
        '--output=[Write the outputs to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '-o+[Write the outputs to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '--format=[json\: one indented value; ndjson\: a line for each output, or for each row of a single list; table\: for people; csv\: the rows of a single list]:FORMAT:(json ndjson table csv)' \
        '*--sink=[Write the rows of an output or step to users.csv, .tsv, .ndjson, sqlite\:FILE#TABLE or singer\:- (repeatable)]:NAME=TARGET: ' \
        '--concurrency=[The maximum number of requests in flight, instead of the workflow'\''s own limit]:N: ' \
        '-c+[The maximum number of requests in flight, instead of the workflow'\''s own limit]:N: ' \
        '*--allow-dir=[Also let the workflow read files below DIR (repeatable)]:DIR:_files -/' \
        '--output-dir=[Save files below DIR instead of the current folder; DIR is created if it is missing]:DIR:_files -/' \
        '--events=[Write the run'\''s events to FILE as JSON Lines]:FILE:_files' \
        '*--report=[Also report the run when it has ended\: html=FILE, junit=FILE, tap=FILE, markdown=FILE, har=FILE, otlp=FILE or github (repeatable)]:KIND=FILE: ' \
        '--record=[Write all requests and answers to FILE as HAR, secrets by their names]:FILE:_files -g "*.har"' \
        '--replay=[Answer requests out of FILE and open no socket; with --record, send only what FILE does not have]:FILE:_files -g "*.har"' \
        '--keep-answers[Keep all requests and answers with the run, for '\''pipeline ui'\'' and for tests; not with --record or --replay]' \
        '*--only=[Run only STEP and the steps that it needs; print their values (repeatable)]:STEP:_pipeline_words steps' \
        '--show=[Show the response of STEP, or of one of its items\: '\''STEP\[ITEM\]'\'']:STEP:_pipeline_words steps' \
        '--check-api=[Compare what is read of responses with the descriptions that '\''api'\'' names\: '\''warn'\'' notes differences, '\''fail'\'' fails the step]:MODE:(warn fail)' \
        '--quiet[Show only failures]' \
        '-q[Show only failures]' \
        '--verbose[Show every request with its times]' \
        '-v[Show every request with its times]' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':FILE:_files -g "*.json"' ;;
    resume) _arguments -s \
        '--plan[Show what would be taken and what would be sent; send nothing]' \
        '*--again=[Carry out this step again, with everything inside it (repeatable)]:STEP: ' \
        '*--settle=[Say what became of a request in doubt\: again, skip, done, or a JSON object of what it extracts; STEP\[*\] for all, @FILE for a JSON object of names (repeatable)]:STEP[ITEM]=HOW: ' \
        '--values=[What the step extracts, for --settle …=done\: a JSON object]:JSON: ' \
        '--file=[The workflow'\''s file, if it has been moved]:FILE:_files -g "*.json"' \
        '*--set=[Set an input; the value is JSON if the input is not a string (repeatable)]:NAME=VALUE:_pipeline_words inputs' \
        '--inputs=[Read inputs from a JSON object in FILE; '\''-'\'' is stdin]:FILE:_files -g "*.json"' \
        '*--answer=[Answer a question of an '\''ask'\'' step beforehand; of one item\: '\''each.STEP\[3\].NAME=VALUE'\'' (repeatable)]:STEP.NAME=VALUE: ' \
        '--secrets=[Take secret inputs from where FILE says, instead of ~/.config/pipeline/secrets.json; PIPELINE_SECRETS=FILE does the same]:FILE:_files -g "*.json"' \
        '--output=[Write the outputs to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '-o+[Write the outputs to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '--format=[json\: one indented value; ndjson\: a line for each output, or for each row of a single list; table\: for people; csv\: the rows of a single list]:FORMAT:(json ndjson table csv)' \
        '*--sink=[Write the rows of an output or step to users.csv, .tsv, .ndjson, sqlite\:FILE#TABLE or singer\:- (repeatable)]:NAME=TARGET: ' \
        '--events=[Write the run'\''s events to FILE as JSON Lines]:FILE:_files' \
        '*--report=[Also report the run when it has ended\: html=FILE, junit=FILE, tap=FILE, markdown=FILE, har=FILE, otlp=FILE or github (repeatable)]:KIND=FILE: ' \
        '--check-api=[Compare what is read of responses with the descriptions that '\''api'\'' names\: '\''warn'\'' notes differences, '\''fail'\'' fails the step]:MODE:(warn fail)' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--quiet[Show only failures]' \
        '-q[Show only failures]' \
        '--verbose[Show every request with its times]' \
        '-v[Show every request with its times]' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::RUN|FILE:_pipeline_words runs' ;;
    runs) _arguments -s \
        '--json[Print JSON; a list has all runs]' \
        '--all[List all runs]' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '*:show|delete RUN:_pipeline_words runs' ;;
    report) _arguments -s \
        '--output=[Write the report to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '-o+[Write the report to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':RUN|EVENTS:_pipeline_words runs' \
        ':KIND:(html junit tap markdown github har otlp)' ;;
    part) _arguments -s \
        '--folder=[The folder that all processes of the run see]:DIR:_files -/' \
        '--step=[The step to carry out]:STEP: ' \
        '--shard=[Carry out only the items I, I+N, I+2N, …; '\''auto'\'' takes I and N from the engine]:I/N: ' \
        '--share=[Use this fixed share of the limits, such as the rate, instead of what is free]:A/B: ' \
        '--limits=[Share the limits with all processes that name DIR, also those of other runs, not only with those of this run]:DIR:_files -/' \
        '*--settle=[Say what became of a request in doubt\: again, skip, done, or a JSON object of what it extracts; STEP\[*\] for all, @FILE for a JSON object of names (repeatable)]:STEP[ITEM]=HOW: ' \
        '--values=[What the step extracts, for --settle …=done\: a JSON object]:JSON: ' \
        '*--set=[Set an input; the value is JSON if the input is not a string (repeatable)]:NAME=VALUE:_pipeline_words inputs' \
        '--inputs=[Read inputs from a JSON object in FILE; '\''-'\'' is stdin]:FILE:_files -g "*.json"' \
        '*--answer=[Answer a question of an '\''ask'\'' step beforehand; of one item\: '\''each.STEP\[3\].NAME=VALUE'\'' (repeatable)]:STEP.NAME=VALUE: ' \
        '--secrets=[Take secret inputs from where FILE says, instead of ~/.config/pipeline/secrets.json; PIPELINE_SECRETS=FILE does the same]:FILE:_files -g "*.json"' \
        '--each=[Run the workflow once for each row of FILE, whose columns are inputs\: .csv, .tsv, .ndjson or .json]:FILE:_files' \
        '--environment=[Use the inputs of this environment of the workflow; for '\''begin'\'']:NAME:_pipeline_words environments' \
        '-e+[Use the inputs of this environment of the workflow; for '\''begin'\'']:NAME:_pipeline_words environments' \
        '--state=[Keep the workflow'\''s state in FILE instead of the store]:FILE:_files -g "*.json"' \
        '*--allow-dir=[Also let the workflow read files below DIR (repeatable)]:DIR:_files -/' \
        '--output-dir=[Save files below DIR instead of the current folder; DIR is created if it is missing]:DIR:_files -/' \
        '--output=[Write the outputs to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '-o+[Write the outputs to FILE, whole or not at all, instead of stdout]:FILE:_files' \
        '--format=[json\: one indented value; ndjson\: a line for each output, or for each row of a single list; table\: for people; csv\: the rows of a single list]:FORMAT:(json ndjson table csv)' \
        '--events=[Write the run'\''s events to FILE as JSON Lines]:FILE:_files' \
        '--quiet[Show only failures]' \
        '-q[Show only failures]' \
        '--verbose[Show every request with its times]' \
        '-v[Show every request with its times]' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':ACTION:(begin items run settle finish)' \
        ':FILE:_files -g "*.json"' ;;
    test) _arguments -s \
        '--orders=[Play each test under N orders of answers; all must give the same outputs]:N: ' \
        '--seed=[Draw the orders from N]:N: ' \
        '--filter=[Run only tests whose file or name contains TEXT]:TEXT: ' \
        '--require-all[Fail if no test ran a step, or took a branch]' \
        '--live[Send the requests, and report what of the answers has changed]' \
        '--update[Rewrite expected outputs, and with --live recordings, with what came]' \
        '*--report=[Also write junit=FILE, tap=FILE, markdown=FILE, json or github (repeatable)]:FORMAT[=FILE]: ' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--watch[Test again whenever a file changes]' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '*:FILE|FOLDER:_files -g "*.test.json"' ;;
    try) _arguments -s \
        '*--header=[A header field\: '\''Name\: value'\'' (repeatable)]:FIELD: ' \
        '*-H+[A header field\: '\''Name\: value'\'' (repeatable)]:FIELD: ' \
        '--json=[The body, as JSON]:JSON: ' \
        '--data=[The body, as a form or a text]:BODY: ' \
        '-d+[The body, as a form or a text]:BODY: ' \
        '--user=[Credentials for basic authentication]:USER\:PASSWORD: ' \
        '-u+[Credentials for basic authentication]:USER\:PASSWORD: ' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':REQUEST: ' \
        '*:QUERY: ' ;;
    login) _arguments -s \
        '--credential=[Make the login of this name]:NAME: ' \
        '-c+[Make the login of this name]:NAME: ' \
        '--no-browser[Show the address instead of opening a browser]' \
        '--within=[How long to wait for you\: 5m by default, or as long as a code is good for]:DURATION: ' \
        '*--set=[Set an input; the value is JSON if the input is not a string (repeatable)]:NAME=VALUE:_pipeline_words inputs' \
        '--inputs=[Read inputs from a JSON object in FILE; '\''-'\'' is stdin]:FILE:_files -g "*.json"' \
        '--secrets=[Take secret inputs from where FILE says, instead of ~/.config/pipeline/secrets.json; PIPELINE_SECRETS=FILE does the same]:FILE:_files -g "*.json"' \
        '--environment=[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '-e+[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':FILE:_files -g "*.json"' ;;
    credentials) _arguments -s \
        '--credential=[Renew only the login of this name]:NAME: ' \
        '-c+[Renew only the login of this name]:NAME: ' \
        '*--set=[Set an input; the value is JSON if the input is not a string (repeatable)]:NAME=VALUE:_pipeline_words inputs' \
        '--inputs=[Read inputs from a JSON object in FILE; '\''-'\'' is stdin]:FILE:_files -g "*.json"' \
        '--secrets=[Take secret inputs from where FILE says, instead of ~/.config/pipeline/secrets.json; PIPELINE_SECRETS=FILE does the same]:FILE:_files -g "*.json"' \
        '--environment=[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '-e+[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '--json[Print the list as JSON]' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::ACTION:(list renew remove)' \
        '*:FILE|NAME:_files -g "*.json"' ;;
    plan) _arguments -s \
        '*--set=[Set an input; the value is JSON if the input is not a string (repeatable)]:NAME=VALUE:_pipeline_words inputs' \
        '--inputs=[Read inputs from a JSON object in FILE; '\''-'\'' is stdin]:FILE:_files -g "*.json"' \
        '--secrets=[Take secret inputs from where FILE says, instead of ~/.config/pipeline/secrets.json; PIPELINE_SECRETS=FILE does the same]:FILE:_files -g "*.json"' \
        '--each=[Run the workflow once for each row of FILE, whose columns are inputs\: .csv, .tsv, .ndjson or .json]:FILE:_files' \
        '--environment=[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '-e+[Use the inputs of this environment of the workflow]:NAME:_pipeline_words environments' \
        '--state=[Keep the workflow'\''s state in FILE instead of the store]:FILE:_files -g "*.json"' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--no-store[Use no store; PIPELINE_STORE=off does the same]' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':FILE:_files -g "*.json"' ;;
    state) _arguments -s \
        '--state=[Keep the workflow'\''s state in FILE instead of the store]:FILE:_files -g "*.json"' \
        '--environment=[Use the state of this environment of the workflow]:NAME:_pipeline_words environments' \
        '-e+[Use the state of this environment of the workflow]:NAME:_pipeline_words environments' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--no-store[Use no store; PIPELINE_STORE=off does the same]' \
        '--json[Print the values as JSON]' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':FILE:_files -g "*.json"' \
        '::ACTION:(show set clear)' \
        '::NAME: ' \
        '::VALUE: ' ;;
    graph) _arguments -s \
        '--format=[text, mermaid, dot (Graphviz), svg or html (one self-contained page)]:FORMAT:(text mermaid dot svg html)' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':FILE:_files -g "*.json"' ;;
    lint) _arguments -s \
        '--format=[text, json, sarif (2.1.0) or github (annotations of a workflow run)]:FORMAT:(text json sarif github)' \
        '--strict[Also fail on warnings]' \
        '--fix[Apply the safe fixes in place]' \
        '--with=[Compare the workflows with the answers in a recording]:FILE:_files -g "*.har"' \
        '--against=[Compare the requests with an API'\''s description, or with OLD..NEW for what breaks]:FILE:_files' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '*:FILE|FOLDER:_files -g "*.json"' ;;
    explain) _arguments -s \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::WORD:(unknown-key unknown-reference)' ;;
    format) _arguments -s \
        '--check[Change nothing; list the files that would change, and fail if there are any]' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '*:FILE|FOLDER:_files -g "*.json"' ;;
    init) _arguments -s \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::NAME:_files -g "*.json"' ;;
    new) _arguments -s \
        '--curl=[The curl command, as one word; '\''-'\'' reads it from stdin]:COMMAND: ' \
        '--api=[An API'\''s description, in JSON or YAML]:FILE:_files' \
        '--operations=[With --api\: only these operations, by operationId or as '\''GET /path'\'']:A,B,…: ' \
        '--list[With --api\: print its operations, not a workflow]' \
        '--test=[The run'\''s id, or the beginning of it, or its recording as a HAR file]:RUN|FILE:_files -g "*.har"' \
        '--workflow=[With --test\: the workflow, if it is not that of the run, or named like the recording]:FILE:_files -g "*.json"' \
        '--name=[With --test\: the test'\''s name; by default '\''as recorded'\'']:TEXT: ' \
        '--output=[With --test\: the test file; by default NAME.test.json beside the workflow, or in the folder '\''tests'\'' there]:FILE:_files -g "*.test.json"' \
        '-o+[With --test\: the test file; by default NAME.test.json beside the workflow, or in the folder '\''tests'\'' there]:FILE:_files -g "*.test.json"' \
        '*--set=[With --test\: an input that the recording was made with (repeatable)]:NAME=VALUE:_pipeline_words inputs' \
        '--inputs=[With --test\: more such inputs, from a JSON object in FILE; '\''-'\'' is stdin]:FILE:_files -g "*.json"' \
        '--environment=[With --test\: the environment that the recording was made with]:NAME:_pipeline_words environments' \
        '-e+[With --test\: the environment that the recording was made with]:NAME:_pipeline_words environments' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--help[Show this help]' \
        '-h[Show this help]' ;;
    import) _arguments -s \
        '--output=[Write the workflow to FILE, which must not exist yet]:FILE:_files -g "*.json"' \
        '-o+[Write the workflow to FILE, which must not exist yet]:FILE:_files -g "*.json"' \
        '--relax[Order the steps only by the values that they read, not as in the file]' \
        '--partial[Write the workflow even if something was refused]' \
        '--workflow=[Of an Arazzo file with several workflows\: the one to import]:ID: ' \
        '--explain[Of a recording\: show where each value comes from, with the evidence]' \
        '--tests[Also write a test beside FILE, of a recording with its responses; needs --output]' \
        '--format=[text, or json\: one object with the workflow and the report, on stdout]:FORMAT:(text json)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '*:FILE:_files' ;;
    api) _arguments -s \
        '--output=[Where to write it; by default, the URL'\''s last name, beside the workflow]:FILE:_files' \
        '-o+[Where to write it; by default, the URL'\''s last name, beside the workflow]:FILE:_files' \
        '--base-url=[What requests begin with; by default, the description'\''s first server]:URL: ' \
        '--workflow=[Set the key in this workflow]:FILE:_files -g "*.json"' \
        '--update[Replace a file, and a SHA-256, that differ from what the server sends]' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '*:get URL: ' ;;
    schema) _arguments -s \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::workflow|test:(workflow test)' ;;
    export) _arguments -s \
        '--folder=[Keep runs in DIR, which all machines see; for airflow and slurm, each run has a folder of its own below it]:DIR:_files -/' \
        '--shards=[Split a collection into N shards\: for airflow at most 64 by default, for slurm and kubernetes 16, for make 4]:N: ' \
        '--items-per-shard=[Give each shard N items, until there are --shards of them; 500 by default (airflow)]:N: ' \
        '--schedule=[Begin a run by this schedule (airflow)]:CRON: ' \
        '--pipeline=[The path of '\''pipeline'\'' on the engine'\''s machines, if it is not in their PATH]:PATH:_files' \
        '--partial[Write the file even if something cannot be said in it (arazzo)]' \
        '--color=[When to use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        ':ENGINE:(airflow slurm kubernetes make arazzo)' \
        ':FILE:_files -g "*.json"' ;;
    lsp) _arguments -s \
        '--help[Show this help]' \
        '-h[Show this help]' ;;
    ui) _arguments -s \
        '--port=[The port to listen on; a free one by default]:N: ' \
        '-p+[The port to listen on; a free one by default]:N: ' \
        '--read-only[Write no file, start no run, and delete nothing]' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::FOLDER:_files -/' ;;
    sandbox) _arguments -s \
        '--port=[The port to listen on; a free one by default]:N: ' \
        '-p+[The port to listen on; a free one by default]:N: ' \
        '--help[Show this help]' \
        '-h[Show this help]' ;;
    completions) _arguments -s \
        '--words=[Print what a script offers\: inputs, environments, steps or runs, one a line]:KIND:(inputs environments steps runs)' \
        '--file=[The workflow whose names --words prints]:FILE:_files -g "*.json"' \
        '--store=[Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same]:DIR:_files -/' \
        '--no-store[Use no store; PIPELINE_STORE=off does the same]' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::SHELL:(bash zsh fish)' ;;
    help) _arguments -s \
        '--man=[Write the manual pages of all commands into this folder]:DIR:_files -/' \
        '--help[Show this help]' \
        '-h[Show this help]' \
        '::SUBJECT:(run resume runs report part test try login credentials plan state graph lint explain format init new import api schema export lsp ui sandbox completions help language crib)' ;;
  esac
}
if [[ "$funcstack[1]" == "_pipeline" ]]; then _pipeline "$@"; else compdef _pipeline pipeline; fi
