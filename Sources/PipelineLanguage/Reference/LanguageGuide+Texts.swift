extension LanguageGuide {
  /// What the tables do not say.
  static let introduction = #"""
    # pipeline

    `pipeline` runs workflows of HTTP requests that are written as JSON, one file each. `pipeline lint
    FILE` proves a file sound and sends nothing; each finding says what to write. `pipeline run FILE`
    prints the outputs as JSON. No other file, and no code, is needed.

    A file is UTF-8 JSON without comments. An unknown key and a duplicate key are errors. Every object
    accepts `$comment`, `$schema` and keys that begin with `x-`, which are ignored.

    ## Rules

    1. A **template** inserts one value: `{{list.total}}`, `{{list.rows[0]['first-name']}}`. Templates
       belong in texts and data: endpoints, headers, bodies, outputs. There are no functions in them.
       A whole string that is one template keeps the JSON type: `"{{list.ids}}"` is a list.
    2. A **query** is RFC 9535 JSONPath and selects one value or many: `$.data[*].id`. In `extract` and
       `paginate`, `$` is the body of the response. Everywhere else `$` is the scope, and a query begins
       with a visible name: `$.list.ids`. A query for many values gives a list. Filters compare:
       `$.data[?@.active == true].id`; `$.users.all[?@.id == {{item.id}}]` is a lookup.
    3. A **condition** is a filter expression: `$.list.total > 0 && !$.inputs.dryRun`. Texts are in
       single quotes. A query alone tests whether a value is there. Values are never converted: `5` is
       not `'5'`. In `expect` and `poll`, `@` is the response: `@.status`, `@.headers`, `@.body`,
       `@.text`, `@.elapsed` (seconds), `@.values`. `length(…)`, `count(…)`, `match(…)`, `search(…)` and
       `datetime(…)` are functions. Patterns are RFC 9485: `[0-9]`, not `\d`.
    4. **Reading is waiting.** Steps run as soon as what they read is there, and otherwise at the same
       time, whatever their order in the file. `dependsOn` is only for an order without data.
    5. A step sees `inputs`, `state`, `run` (`run.id`, `run.startedAt`), the steps beside it and around
       it, and its loop name. Names are letters, digits and `_`.
    6. **Absent is not null.** Where a whole template is absent, its member or parameter is left out.
       Part of a text must not be absent.
    7. A step has exactly one action: `endpoint`, `workflow`, `steps`, `values`, `wait`, `choose`,
       `fail`, `say` or `ask`. Around it go `when`, then `forEach` or `repeat`; for each item or round
       `paginate`, `poll`, `retry`, `timeout`, `expect` and `extract`, in this order.
    8. With `forEach`, the value of a step is a list of rows in the order of the items:
       `$.user[*].email`. Items run at the same time; `"concurrency": 1` runs them one after another.
       Inside, the item is `{{item}}`, or the name of `as`.
    9. A request fails unless its status is 200 to 299, or as `expect` says. A query for one value that
       finds nothing fails the step, unless its extractor has `optional` or `default`.
    10. `retry` sends only idempotent methods again. A POST needs `"unsafe": true` or `settle`. Beside
        `steps` or `workflow` it begins all of it again, after the failures that `on` names.
    11. A failure ends the run. `"onError": "recover"` continues with `otherwise`, `"continue"` skips the
        steps that depend on the failed one.
    12. Secrets are inputs with `"secret": true` and `"env": "NAME"`, never text in the file. They are
        `•••` in everything that is printed, and go only to the origin that the file names.

    Times are `"250ms"` `"10s"` `"5m"` `"2h"` `"30d"`, sizes `"512KB"` `"64MB"`, rates `"100/1m"`.

    Not in the language: scripts, `{{name | filter}}`, `${name}`, `if` and `else`, cookie jars,
    comments. Compute with data forms in `values`. `pipeline explain WORD` knows words of other tools.

    """#

  /// Files that run as they are, with their outputs.
  static let examples = #"""
    ## Examples

    They run as they are: `sandbox:` stands for sample APIs that the command serves itself.

    A list, then each of its items (`users.json`):

    ```json
    {
      "inputs": {
        "api": { "type": "string", "default": "sandbox:/reqres" },
        "page": { "type": "integer", "default": 2 }
      },
      "environments": { "live": { "api": "https://reqres.in/api" } },
      "defaults": { "baseURL": "{{inputs.api}}", "retry": 3, "timeout": "10s" },
      "steps": [
        {
          "id": "list",
          "endpoint": "GET /users",
          "query": { "page": "{{inputs.page}}", "per_page": 2 },
          "extract": { "ids": "$.data[*].id", "total": "$.total" }
        },
        {
          "id": "user",
          "forEach": "$.list.ids",
          "as": "id",
          "endpoint": "GET /users/{{id}}",
          "extract": { "name": "$.data.first_name" }
        }
      ],
      "outputs": { "total": "{{list.total}}", "names": "$.user[*].name" }
    }
    ```

    Outputs:

    ```json
    { "total": 12, "names": ["Emma", "Eve"] }
    ```

    A login, a secret, and a failure that is expected. It needs `PASSWORD` in the environment:

    ```json
    {
      "inputs": { "password": { "type": "string", "secret": true, "env": "PASSWORD" } },
      "defaults": { "baseURL": "sandbox:/reqres" },
      "steps": [
        {
          "id": "login",
          "endpoint": "POST /login",
          "body": { "json": { "email": "eve.holt@reqres.in", "password": "{{inputs.password}}" } },
          "expect": { "status": 200, "where": ["@.body.token"] },
          "extract": { "token": { "body": "$.token", "secret": true } }
        },
        {
          "id": "user",
          "forEach": [3, 23],
          "as": "id",
          "endpoint": "GET /users/{{id}}",
          "auth": { "bearer": "{{login.token}}" },
          "onError": { "recover": [404] },
          "otherwise": { "name": "nobody" },
          "extract": { "name": "$.data.first_name" }
        }
      ],
      "outputs": { "names": "$.user[*].name" }
    }
    ```

    Outputs:

    ```json
    { "names": ["Emma", "nobody"] }
    ```

    All pages:

    ```json
    {
      "steps": [
        {
          "id": "records",
          "endpoint": "GET sandbox:/pages/cursor",
          "query": { "limit": 10 },
          "paginate": { "cursor": "$.meta.next", "param": "cursor", "maxPages": 100 },
          "extract": { "ids": "$.data[*].id" }
        }
      ],
      "outputs": { "count": { "$count": "{{records.ids}}" }, "last": "{{records.ids[-1]}}" }
    }
    ```

    Outputs:

    ```json
    { "count": 25, "last": 25 }
    ```

    A job that takes time, and a clean-up that always runs:

    ```json
    {
      "defaults": { "baseURL": "sandbox:/" },
      "steps": [
        {
          "id": "start",
          "endpoint": "POST /jobs",
          "body": { "json": { "polls": 2 } },
          "expect": { "status": 202 },
          "extract": { "id": "$.id" }
        },
        {
          "id": "done",
          "endpoint": "GET /jobs/{{start.id}}",
          "poll": {
            "until": "@.body.status == 'done'",
            "failWhen": "@.body.status == 'failed'",
            "every": "50ms",
            "within": "1m"
          }
        },
        {
          "id": "result",
          "dependsOn": ["done"],
          "endpoint": "GET /jobs/{{start.id}}/result",
          "extract": { "pages": "$.pages" }
        }
      ],
      "finally": [{ "id": "log", "endpoint": "POST /echo", "body": { "text": "done" } }],
      "outputs": { "pages": "{{result.pages}}" }
    }
    ```

    Outputs:

    ```json
    { "pages": 12 }
    ```

    A choice, a step that may be skipped, and a sum:

    ```json
    {
      "inputs": { "user": { "type": "integer", "default": 7 } },
      "defaults": { "baseURL": "sandbox:/bank" },
      "steps": [
        {
          "id": "who",
          "choose": [
            {
              "when": "$.inputs.user < 100",
              "endpoint": "GET /users/{{inputs.user}}",
              "extract": { "name": "$.name", "account": "$.accountId" }
            },
            { "fail": "there is no user {{inputs.user}}" }
          ]
        },
        {
          "id": "moves",
          "endpoint": "GET /accounts/{{who.account}}/transactions",
          "extract": { "spent": "$[?@.amount < 0].amount" }
        },
        {
          "id": "sum",
          "when": "count($.moves.spent[*]) > 0",
          "otherwise": { "spent": 0 },
          "values": { "spent": { "$sum": "$.moves.spent[*]" } }
        }
      ],
      "outputs": { "line": "{{who.name}} spent {{sum.spent}}" }
    }
    ```

    Outputs:

    ```json
    { "line": "Goran spent -158.38" }
    ```

    A test (`users.test.json`). `pipeline test` sends nothing:

    ```json
    {
      "workflow": "users.json",
      "tests": [
        {
          "name": "no users",
          "respond": { "list": { "json": { "total": 0, "data": [] } } },
          "expect": { "outputs": { "total": 0, "names": [] }, "where": ["!$.requests.user"] }
        }
      ]
    }
    ```

    """#

  /// How the lines of keys are to be read.
  static let keyNotes = #"""
    Each line is a key with its type, what it may stand beside, its meaning and an example.
    `names → X` is an object whose names are yours. `data` is any JSON with templates and forms in it.
    The settings of requests, from `expect` on, `extract`, `save`, `settle`, `poll` and `paginate`
    belong beside `endpoint`; `expect` also beside other actions that have values.

    """#

  /// How forms are written.
  static let formNotes = #"""
    An object whose only member is a form stands for its value, anywhere in data. Options stand beside
    the value, which is then called `of`: `{"$split": {"of": "{{row.tags}}", "separator": ","}}`.

    """#

  /// The commands that a writer of workflows needs.
  static let tools = #"""
    ## Commands

    - `pipeline lint FILE --format json`: the findings, each with its place, code and message, and with
      `fix` if there is an edit. `--fix` makes the safe edits.
    - `pipeline explain WORD`: a key, a form, a code of lint, or a word of another tool.
    - `pipeline run FILE --set page=2 --environment live`: `--only STEP` runs a step with those that it
      needs, `--show STEP` prints the response. Status 0: good, 1: the run failed, 2: the
      file is wrong, 64: the command line is wrong.
    - `pipeline plan FILE`: what would be sent, and in which order. It sends nothing.
    - `pipeline test FOLDER`: runs `*.test.json` files on recorded or written answers.
    - `pipeline resume FILE`: goes on with the run that failed, and sends nothing twice.
    - `pipeline new`, `pipeline import`: a workflow of a curl command, an API's description, a Postman
      collection or an `.http` file.

    """#

  /// The language on a card of 1,500 bytes.
  package static let crib = #"""
    pipeline: a workflow is JSON; steps wait for what they read.
    { "inputs": { "page": { "type": "integer", "default": 1 },
                  "token": { "secret": true, "env": "TOKEN" } },
      "defaults": { "baseURL": "https://api.example.com", "retry": 3,
                    "auth": { "bearer": "{{inputs.token}}" } },
      "steps": [
        { "id": "list", "endpoint": "GET /users",
          "query": { "page": "{{inputs.page}}" },
          "extract": { "ids": "$.data[*].id", "total": "$.total" } },
        { "id": "user", "forEach": "$.list.ids", "as": "id",
          "when": "$.list.total > 0", "endpoint": "GET /users/{{id}}",
          "expect": { "status": 200, "where": ["@.body.data"] },
          "onError": { "recover": [404] }, "otherwise": { "name": "?" },
          "extract": { "name": "$.data.name" } } ],
      "outputs": { "names": "$.user[*].name" } }
    actions    endpoint workflow steps values wait choose fail say ask
    template   {{list.total}} inserts one value; in data it keeps its type
    query      $.list.ids (scope); in extract $ is the body; RFC 9535
    condition  $.a.n > 0 && $.a.s == 'x'; in expect @ is the response
    data       {"$sum": "$.a.rows[*].n"} $join $first $merge $date $hash $file
    more       paginate poll repeat retry settle timeout body auth read save
               finally limits state environments dependsOn concurrency
    pipeline lint|run|plan|test FILE    pipeline explain WORD

    """#
}
