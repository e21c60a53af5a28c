"use strict";
// check.js [PIPELINE]: runs the extension with a stand-in for `vscode` against a real server, and
// fails if an answer is missing or wrong. It needs nothing but Node.

const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");

const program = path.resolve(process.argv[2] || ".build/debug/pipeline");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pipeline-vscode-"));
process.env.PIPELINE_STORE = path.join(folder, ".store");
const file = path.join(folder, "a.json");
let text = `{
  "inputs": { "page": { "type": "integer", "default": 1 } },
  "steps": [
    { "id": "list", "endpoint": "GET sandbox:/reqres/users?page={{inputs.page}}", "extract": { "n": "$.total" } },
    { "id": "b", "values": { "s": "😀 é", "n": "{{list.n}}" } }
  ],
  "outputs": { "n": "{{b.n}}" }
}
`;
fs.writeFileSync(file, text);

// The stand-in

const providers = {};
const commands = {};
const listeners = {};
const shown = [];
const log = [];
let diagnostics = [];
let seen = () => {};
let refreshes = 0;
let refreshed = () => {};

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(...numbers) {
    this.start = new Position(numbers[0], numbers[1]);
    this.end = new Position(numbers[2], numbers[3]);
  }
}
class Plain {
  constructor(...parts) {
    this.parts = parts;
  }
}
class WorkspaceEdit {
  constructor() {
    this.edits = [];
  }
  set(uri, edits) {
    this.edits.push({ uri, edits });
  }
  createFile(uri) {
    this.edits.push({ uri, created: true });
  }
}
class Uri {
  constructor(text) {
    this.text = text;
  }
  static parse(text) {
    return new Uri(text);
  }
  toString() {
    return this.text;
  }
}
const nothing = { dispose() {} };
const listen = (name) => (listener) => {
  listeners[name] = listener;
  return nothing;
};
const document = {
  languageId: "pipeline",
  uri: Uri.parse("file://" + file),
  version: 1,
  getText: () => text,
};
const vscode = {
  version: "stand-in", Position, Range, Uri, WorkspaceEdit,
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  TextEdit: class { constructor(range, newText) { Object.assign(this, { range, newText }); } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DiagnosticRelatedInformation: Plain,
  MarkdownString: class { constructor(value) { this.value = value; } },
  SnippetString: class { constructor(value) { this.value = value; } },
  CompletionItem: class { constructor(label, kind) { Object.assign(this, { label, kind }); } },
  EventEmitter: class {
    constructor() { this.event = (listener) => { refreshed = listener; return nothing; }; }
    fire() { refreshes += 1; refreshed(); }
  },
  Hover: class { constructor(contents, range) { Object.assign(this, { contents, range }); } },
  DocumentHighlight: Plain, CodeLens: class { constructor(range, command) { Object.assign(this, { range, command }); } },
  DocumentSymbol: class { constructor(name, detail, kind) { Object.assign(this, { name, detail, kind }); } },
  SymbolInformation: class { constructor(name, kind) { Object.assign(this, { name, kind }); } },
  DocumentLink: Plain, FoldingRange: Plain, SelectionRange: Plain,
  InlayHint: class { constructor(position, label) { Object.assign(this, { position, label }); } },
  CodeAction: class { constructor(title, kind) { Object.assign(this, { title, kind }); } },
  CodeActionKind: { Empty: { append: (kind) => ({ value: kind }) } },
  ProgressLocation: { Notification: 15 },
  languages: new Proxy(
    {
      createDiagnosticCollection: () => ({
        set: (_, found) => { diagnostics = found; seen(); },
        delete: () => { diagnostics = []; }, clear: () => { diagnostics = []; }, dispose() {},
      }),
    },
    {
      get: (target, name) =>
        target[name] ||
        ((...parameters) => {
          // The selector comes first, if there is one, and then the provider.
          const provider = parameters.find((one) => Object.values(one).some((f) => typeof f === "function"));
          Object.assign(providers, provider);
          return nothing;
        }),
    }
  ),
  workspace: {
    textDocuments: [document],
    workspaceFolders: [{ uri: Uri.parse("file://" + folder), name: "w" }],
    getConfiguration: () => ({ get: () => program }),
    createFileSystemWatcher: () => ({
      onDidCreate: listen("created"), onDidChange: listen("changed on disk"),
      onDidDelete: listen("deleted"), dispose() {},
    }),
    onDidOpenTextDocument: listen("open"), onDidChangeTextDocument: listen("change"),
    onDidCloseTextDocument: listen("close"), onDidSaveTextDocument: listen("save"),
    applyEdit: async () => true,
  },
  window: {
    createOutputChannel: () => ({ appendLine: (line) => log.push(line), show() {}, dispose() {} }),
    showErrorMessage: (message) => shown.push(message),
    showInformationMessage: (message) => shown.push(message),
    showWarningMessage: async (message, ...titles) => { shown.push(message); return titles[0]; },
    withProgress: (options, task) => task({}, { onCancellationRequested() {} }),
  },
  commands: {
    registerCommand: (name, handler) => { commands[name] = handler; return nothing; },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

// The session

/** The place after the first occurrence of a text, in UTF-16 units. */
function after(mark) {
  const before = text.slice(0, text.indexOf(mark) + mark.length).split("\n");
  return new Position(before.length - 1, before[before.length - 1].length);
}
function offset(position) {
  const lines = text.split("\n").slice(0, position.line);
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + position.character;
}
function applied(edits) {
  return [...edits]
    .sort((one, other) => offset(other.range.start) - offset(one.range.start))
    .reduce(
      (result, edit) =>
        result.slice(0, offset(edit.range.start)) + edit.newText + result.slice(offset(edit.range.end)),
      text
    );
}
function findings() {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no findings came")), 5000);
    seen = () => { clearTimeout(timer); resolve(diagnostics); };
  });
}
async function type(mark, inserted) {
  const place = after(mark);
  const change = { range: new Range(place.line, place.character, place.line, place.character), text: inserted };
  text = text.slice(0, offset(place)) + inserted + text.slice(offset(place));
  document.version += 1;
  const found = findings();
  listeners.change({ document, contentChanges: [change] });
  return found;
}

async function main() {
  const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, "package.json"), "utf8"));
  const grammar = JSON.parse(
    fs.readFileSync(path.join(__dirname, manifest.contributes.grammars[0].path), "utf8")
  );
  assert.strictEqual(grammar.scopeName, manifest.contributes.grammars[0].scopeName);
  JSON.parse(fs.readFileSync(path.join(__dirname, manifest.contributes.languages[0].configuration), "utf8"));

  const extension = require(path.join(__dirname, manifest.main));
  const first = findings();
  await extension.activate({ subscriptions: [] });
  assert.deepStrictEqual(await first, [], "a sound file has no findings");

  const wrong = await type('"id": "list"', ', "retyr": 3');
  assert.match(wrong[0].message, /retyr/);
  const actions = await providers.provideCodeActions(document, wrong[0].range, {});
  assert(actions.some((action) => action.edit), "a finding has its fix");
  const start = after('"id": "list"');
  const end = new Position(start.line, start.character + ', "retyr": 3'.length);
  text = text.replace(', "retyr": 3', "");
  document.version += 1;
  const healed = findings();
  listeners.change({
    document,
    contentChanges: [{ range: new Range(start.line, start.character, end.line, end.character), text: "" }],
  });
  assert.deepStrictEqual(await healed, []);

  const items = await providers.provideCompletionItems(document, after("{{list."));
  assert(items.some((item) => item.label === "n"), "a name is completed");
  if (providers.resolveCompletionItem) await providers.resolveCompletionItem(items[0]);
  assert.match((await providers.provideHover(document, after('"endp'))).contents.value, /request/);
  const definition = await providers.provideDefinition(document, after("{{list.n"));
  assert.strictEqual(definition[0].range.start.line, 3);
  assert.strictEqual((await providers.provideReferences(document, after('"id": "li'), { includeDeclaration: true })).length, 2);
  assert((await providers.provideDocumentHighlights(document, after('"id": "li'))).length === 2);
  assert((await providers.provideDocumentSymbols(document)).some((symbol) => symbol.name === "list"));
  assert((await providers.provideWorkspaceSymbols("list")).length > 0);
  assert((await providers.provideFoldingRanges(document, {})).length > 0);
  assert((await providers.provideSelectionRanges(document, [after("{{list.n")])).length === 1);
  assert((await providers.provideInlayHints(document, new Range(0, 0, 99, 0)))[0].label.includes("list"));
  await providers.provideDocumentLinks(document);
  const formatted = applied(await providers.provideDocumentFormattingEdits(document, { tabSize: 2 }));
  assert.deepStrictEqual(JSON.parse(formatted), JSON.parse(text));

  if (providers.provideRenameEdits) {
    const place = after('"id": "li');
    const prepared = await providers.prepareRename(document, place);
    assert.strictEqual(prepared.placeholder, "list");
    const edit = await providers.provideRenameEdits(document, place, "users");
    const renamed = applied(edit.edits[0].edits);
    assert(renamed.includes('"id": "users"') && renamed.includes("{{users.n}}"));
    await assert.rejects(() => providers.provideRenameEdits(document, place, "b"), /'b'/);
  }

  const lenses = await providers.provideCodeLenses(document);
  assert(lenses.some((lens) => lens.command.title === "run"));
  fs.writeFileSync(file, text);
  listeners.save(document);
  const plan = lenses.find((lens) => lens.command.title === "plan").command;
  await commands[plan.command](...plan.arguments);
  assert(log.some((line) => line.includes("list")), "the plan is in the output");

  const run = lenses.find((lens) => lens.command.title === "run").command;
  assert(!lenses.some((lens) => lens.command.title.startsWith("last run")));
  await commands[run.command](...run.arguments);
  for (let tries = 0; refreshes === 0 && tries < 50; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.strictEqual(refreshes, 1, "the end of a run brings new lenses");
  const last = (await providers.provideCodeLenses(document)).find((lens) =>
    /^last run .* ago: succeeded, 1 request$/.test(lens.command.title)
  );
  await commands[last.command.command](...last.command.arguments);
  assert(log.some((line) => line.includes("p95")), "the run is in the output");

  await commands["pipeline.restart"]();
  listeners.close(document);
  await extension.deactivate();
  assert.deepStrictEqual(shown, []);
  fs.rmSync(folder, { recursive: true });
  console.log("the extension works with a stand-in for VS Code");
}

main().catch((error) => {
  console.error(error, log, shown);
  process.exit(1);
});
