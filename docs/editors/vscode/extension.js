"use strict";
// Connects Visual Studio Code with `pipeline lsp`. Needs nothing but VS Code and the program.

const vscode = require("vscode");
const { Connection } = require("./connection");
const { Values } = require("./values");

const language = "pipeline";
const values = new Values(vscode);
/** How often a server that ended by itself is started again. */
const mostStarts = 5;

/** What the editor can do with answers. */
const capabilities = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true },
  workspace: {
    workspaceEdit: { documentChanges: true, resourceOperations: ["create"] },
    codeLens: { refreshSupport: true },
  },
  textDocument: {
    completion: {
      completionItem: {
        snippetSupport: true,
        documentationFormat: ["markdown", "plaintext"],
        resolveSupport: { properties: ["documentation", "detail"] },
      },
    },
    hover: { contentFormat: ["markdown", "plaintext"] },
    rename: { prepareSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
    publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] } },
  },
};

class Client {
  constructor(context) {
    this.context = context;
    this.log = vscode.window.createOutputChannel("pipeline");
    this.findings = vscode.languages.createDiagnosticCollection("pipeline");
    this.starts = 0;
    /** Runs that show their progress, by token. */
    this.progress = new Map();
    this.registrations = [];
    /** Lenses may have changed: a run has ended. */
    this.lenses = new vscode.EventEmitter();
    context.subscriptions.push(this.log, this.findings);
  }

  async start() {
    this.starts += 1;
    const program = vscode.workspace.getConfiguration("pipeline").get("path") || "pipeline";
    const connection = new Connection(
      program,
      (method, parameters) => this.handle(method, parameters),
      (reason) => this.ended(connection, program, reason)
    );
    this.connection = connection;
    const folders = vscode.workspace.workspaceFolders || [];
    const answer = await connection.request("initialize", {
      processId: process.pid,
      clientInfo: { name: "Visual Studio Code", version: vscode.version },
      rootUri: folders.length > 0 ? folders[0].uri.toString() : null,
      workspaceFolders: folders.map((folder) => ({ uri: folder.uri.toString(), name: folder.name })),
      capabilities,
    });
    connection.notify("initialized", {});
    this.register(answer.capabilities);
    for (const document of vscode.workspace.textDocuments) this.opened(document);
  }

  async stop() {
    const connection = this.connection;
    this.connection = undefined;
    this.clear();
    if (connection) await connection.stop();
  }

  clear() {
    for (const registration of this.registrations) registration.dispose();
    this.registrations = [];
    this.findings.clear();
    for (const end of this.progress.values()) end();
    this.progress.clear();
  }

  ended(connection, program, reason) {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.clear();
    this.log.appendLine(`'${program} lsp' is gone: ${reason}`);
    if (/ENOENT/.test(reason)) {
      vscode.window.showErrorMessage(
        `'${program}' is not found; install pipeline, or set 'pipeline.path' to its place`
      );
    } else if (this.starts < mostStarts) {
      this.start().catch(() => {});
    } else {
      vscode.window.showErrorMessage(
        "The language server of pipeline ended several times; see the output 'pipeline', then run" +
          " 'pipeline: Restart the language server'"
      );
    }
  }

  /** Answers what the server asks, and takes what it says. */
  async handle(method, parameters) {
    switch (method) {
      case "textDocument/publishDiagnostics":
        this.findings.set(
          vscode.Uri.parse(parameters.uri),
          parameters.diagnostics.map((finding) => values.diagnostic(finding))
        );
        return undefined;
      case "window/logMessage":
        this.log.appendLine(parameters.message);
        return undefined;
      case "window/showMessage":
        vscode.window.showInformationMessage(parameters.message);
        return undefined;
      case "window/showMessageRequest": {
        const titles = (parameters.actions || []).map((action) => action.title);
        const chosen = await vscode.window.showWarningMessage(parameters.message, ...titles);
        return chosen === undefined ? null : { title: chosen };
      }
      case "window/workDoneProgress/create":
        return null;
      case "$/progress":
        this.progressed(parameters.token, parameters.value);
        return undefined;
      case "workspace/applyEdit":
        return { applied: await vscode.workspace.applyEdit(values.workspaceEdit(parameters.edit)) };
      case "workspace/codeLens/refresh":
        this.lenses.fire();
        return null;
      case "workspace/configuration":
        return parameters.items.map(() => null);
      default: {
        const error = new Error(`the editor does not know '${method}'`);
        error.code = -32601;
        throw error;
      }
    }
  }

  progressed(token, value) {
    if (value.kind === "begin") {
      const options = {
        location: vscode.ProgressLocation.Notification,
        title: value.title,
        cancellable: value.cancellable === true,
      };
      vscode.window.withProgress(options, (_, cancellation) => {
        cancellation.onCancellationRequested(() => {
          if (this.connection) {
            this.connection.notify("window/workDoneProgress/cancel", { token });
          }
        });
        return new Promise((resolve) => this.progress.set(token, resolve));
      });
    } else if (value.kind === "end") {
      const end = this.progress.get(token);
      this.progress.delete(token);
      if (end) end();
    }
  }

  // Documents

  isMeant(document) {
    return document.languageId === language && this.connection !== undefined;
  }

  opened(document) {
    if (!this.isMeant(document)) return;
    this.connection.notify("textDocument/didOpen", {
      textDocument: {
        uri: document.uri.toString(),
        languageId: "json",
        version: document.version,
        text: document.getText(),
      },
    });
  }

  changed(event) {
    if (!this.isMeant(event.document) || event.contentChanges.length === 0) return;
    this.connection.notify("textDocument/didChange", {
      textDocument: { uri: event.document.uri.toString(), version: event.document.version },
      // VS Code gives the changes of one event from the end of the text to its beginning.
      contentChanges: event.contentChanges.map((change) => ({
        range: values.rangeOut(change.range),
        text: change.text,
      })),
    });
  }

  closed(document) {
    if (!this.isMeant(document)) return;
    this.connection.notify("textDocument/didClose", values.document(document));
    this.findings.delete(document.uri);
  }

  saved(document) {
    if (this.isMeant(document)) {
      this.connection.notify("textDocument/didSave", values.document(document));
    }
  }

  // Providers

  /** @param make Makes the editor's value of the server's answer, if there is one. */
  async ask(method, parameters, cancellation, make) {
    if (!this.connection) return undefined;
    const result = await this.connection.request(method, parameters, cancellation);
    return result === null || result === undefined ? undefined : make(result);
  }

  /** Like `ask`, for questions whose failure no one has to see, such as those of typing. */
  async quietly(method, parameters, cancellation, make) {
    try {
      return await this.ask(method, parameters, cancellation, make);
    } catch (error) {
      this.log.appendLine(`${method}: ${error.message}`);
      return undefined;
    }
  }

  register(server) {
    const { languages, workspace, commands } = vscode;
    const selector = { language };
    const add = (registration) => this.registrations.push(registration);
    const at = (document, position) => ({
      ...values.document(document),
      position: values.positionOut(position),
    });
    add(workspace.onDidOpenTextDocument((document) => this.opened(document)));
    add(workspace.onDidChangeTextDocument((event) => this.changed(event)));
    add(workspace.onDidCloseTextDocument((document) => this.closed(document)));
    add(workspace.onDidSaveTextDocument((document) => this.saved(document)));
    this.watch(add);
    if (server.completionProvider) {
      const provider = {
        provideCompletionItems: (document, position, token) =>
          this.quietly("textDocument/completion", at(document, position), token, (items) =>
            (items.items || items).map((item) => values.completion(item))
          ),
      };
      if (server.completionProvider.resolveProvider) {
        provider.resolveCompletionItem = async (item, token) => {
          await this.quietly("completionItem/resolve", item.source, token, (resolved) =>
            values.resolve(item, resolved)
          );
          return item;
        };
      }
      add(
        languages.registerCompletionItemProvider(
          selector, provider, ...server.completionProvider.triggerCharacters
        )
      );
    }
    const simple = [
      ["hoverProvider", "registerHoverProvider", "provideHover", "hover", "hover"],
      ["definitionProvider", "registerDefinitionProvider", "provideDefinition", "definition", "locations"],
      ["documentHighlightProvider", "registerDocumentHighlightProvider", "provideDocumentHighlights",
        "documentHighlight", "highlights"],
    ];
    for (const [ability, register, provide, method, make] of simple) {
      if (!server[ability]) continue;
      add(
        languages[register](selector, {
          [provide]: (document, position, token) =>
            this.quietly("textDocument/" + method, at(document, position), token, (result) =>
              values[make](result)
            ),
        })
      );
    }
    const whole = [
      ["documentSymbolProvider", "registerDocumentSymbolProvider", "provideDocumentSymbols",
        "documentSymbol", "symbols"],
      ["codeLensProvider", "registerCodeLensProvider", "provideCodeLenses", "codeLens", "lenses"],
      ["documentLinkProvider", "registerDocumentLinkProvider", "provideDocumentLinks", "documentLink",
        "links"],
    ];
    for (const [ability, register, provide, method, make] of whole) {
      if (!server[ability]) continue;
      add(
        languages[register](selector, {
          ...(ability === "codeLensProvider" ? { onDidChangeCodeLenses: this.lenses.event } : {}),
          [provide]: (document, token) =>
            this.quietly("textDocument/" + method, values.document(document), token, (result) =>
              values[make](result)
            ),
        })
      );
    }
    if (server.referencesProvider) {
      add(
        languages.registerReferenceProvider(selector, {
          provideReferences: (document, position, context, token) =>
            this.quietly(
              "textDocument/references", { ...at(document, position), context }, token, (result) =>
                values.locations(result)
            ),
        })
      );
    }
    if (server.renameProvider) {
      // A refusal has a reason, which the editor shows.
      add(
        languages.registerRenameProvider(selector, {
          prepareRename: (document, position, token) =>
            this.ask("textDocument/prepareRename", at(document, position), token, (result) => ({
              range: values.range(result.range),
              placeholder: result.placeholder,
            })),
          provideRenameEdits: (document, position, newName, token) =>
            this.ask("textDocument/rename", { ...at(document, position), newName }, token, (edit) =>
              values.workspaceEdit(edit)
            ),
        })
      );
    }
    if (server.codeActionProvider) {
      add(
        languages.registerCodeActionsProvider(selector, {
          provideCodeActions: (document, range, context, token) =>
            this.quietly(
              "textDocument/codeAction",
              {
                ...values.document(document),
                range: values.rangeOut(range),
                context: {
                  diagnostics: [],
                  ...(context.only ? { only: [context.only.value] } : {}),
                },
              },
              token,
              (actions) => actions.map((action) => values.action(action))
            ),
        })
      );
    }
    if (server.inlayHintProvider) {
      add(
        languages.registerInlayHintsProvider(selector, {
          provideInlayHints: (document, range, token) =>
            this.quietly(
              "textDocument/inlayHint",
              { ...values.document(document), range: values.rangeOut(range) },
              token,
              (hints) => hints.map((hint) => values.hint(hint))
            ),
        })
      );
    }
    if (server.foldingRangeProvider) {
      add(
        languages.registerFoldingRangeProvider(selector, {
          provideFoldingRanges: (document, _, token) =>
            this.quietly("textDocument/foldingRange", values.document(document), token, (ranges) =>
              ranges.map((range) => new vscode.FoldingRange(range.startLine, range.endLine))
            ),
        })
      );
    }
    if (server.selectionRangeProvider) {
      add(
        languages.registerSelectionRangeProvider(selector, {
          provideSelectionRanges: (document, positions, token) =>
            this.quietly(
              "textDocument/selectionRange",
              { ...values.document(document), positions: positions.map(values.positionOut) },
              token,
              (ranges) => ranges.map((range) => values.selection(range))
            ),
        })
      );
    }
    if (server.documentFormattingProvider) {
      add(
        languages.registerDocumentFormattingEditProvider(selector, {
          provideDocumentFormattingEdits: (document, options, token) =>
            this.ask(
              "textDocument/formatting", { ...values.document(document), options }, token, (edits) =>
                edits.map((edit) => values.edit(edit))
            ),
        })
      );
    }
    if (server.documentRangeFormattingProvider) {
      add(
        languages.registerDocumentRangeFormattingEditProvider(selector, {
          provideDocumentRangeFormattingEdits: (document, range, options, token) =>
            this.ask(
              "textDocument/rangeFormatting",
              { ...values.document(document), range: values.rangeOut(range), options },
              token,
              (edits) => edits.map((edit) => values.edit(edit))
            ),
        })
      );
    }
    if (server.workspaceSymbolProvider) {
      add(
        languages.registerWorkspaceSymbolProvider({
          provideWorkspaceSymbols: (query, token) =>
            this.quietly("workspace/symbol", { query }, token, (found) =>
              found.map((symbol) => values.symbolInformation(symbol))
            ),
        })
      );
    }
    for (const command of (server.executeCommandProvider || { commands: [] }).commands) {
      add(
        commands.registerCommand(command, (...parameters) => this.execute(command, parameters))
      );
    }
  }

  /** Files that workflows name may change outside the editor. */
  watch(add) {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.{json,har}");
    const changed = (type) => (uri) => {
      if (!this.connection) return;
      this.connection.notify("workspace/didChangeWatchedFiles", {
        changes: [{ uri: uri.toString(), type }],
      });
    };
    add(watcher);
    add(watcher.onDidCreate(changed(1)));
    add(watcher.onDidChange(changed(2)));
    add(watcher.onDidDelete(changed(3)));
  }

  /** Runs a command of the server, and shows what it wrote. */
  async execute(command, parameters) {
    try {
      const result = await this.connection.request("workspace/executeCommand", {
        command,
        arguments: parameters,
      });
      if (result && typeof result.status === "number") this.log.show(true);
    } catch (error) {
      vscode.window.showErrorMessage(error.message);
    }
  }
}

let client;

async function activate(context) {
  client = new Client(context);
  context.subscriptions.push(
    vscode.commands.registerCommand("pipeline.restart", async () => {
      await client.stop();
      client.starts = 0;
      await client.start();
    })
  );
  try {
    await client.start();
  } catch (error) {
    // `ended` has said what is wrong.
    client.log.appendLine(error.message);
  }
}

async function deactivate() {
  if (client) await client.stop();
}

module.exports = { activate, deactivate };
