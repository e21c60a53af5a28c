"use strict";
// Values of the Language Server Protocol as values of VS Code, and back. Both count lines and UTF-16
// units from 0. Kinds of symbols and completions are one less in VS Code.

class Values {
  constructor(vscode) {
    this.vscode = vscode;
    this.positionOut = this.positionOut.bind(this);
  }

  document(document) {
    return { textDocument: { uri: document.uri.toString() } };
  }

  positionOut(position) {
    return { line: position.line, character: position.character };
  }

  rangeOut(range) {
    return { start: this.positionOut(range.start), end: this.positionOut(range.end) };
  }

  range({ start, end }) {
    return new this.vscode.Range(start.line, start.character, end.line, end.character);
  }

  location({ uri, range }) {
    return new this.vscode.Location(this.vscode.Uri.parse(uri), this.range(range));
  }

  locations(result) {
    return (Array.isArray(result) ? result : [result]).map((one) => this.location(one));
  }

  diagnostic(finding) {
    const { Diagnostic, DiagnosticRelatedInformation, Uri } = this.vscode;
    const value = new Diagnostic(
      this.range(finding.range), finding.message, (finding.severity || 1) - 1
    );
    value.source = finding.source;
    value.code = finding.codeDescription
      ? { value: finding.code, target: Uri.parse(finding.codeDescription.href) }
      : finding.code;
    value.tags = finding.tags;
    value.relatedInformation = (finding.relatedInformation || []).map(
      (related) =>
        new DiagnosticRelatedInformation(this.location(related.location), related.message)
    );
    return value;
  }

  text(content) {
    if (typeof content === "string") return content;
    return content.kind === "markdown"
      ? new this.vscode.MarkdownString(content.value)
      : content.value;
  }

  completion(item) {
    const value = new this.vscode.CompletionItem(item.label, (item.kind || 1) - 1);
    // What is asked again when the item is looked at.
    value.source = item;
    value.detail = item.detail;
    value.filterText = item.filterText;
    value.sortText = item.sortText;
    if (item.documentation) value.documentation = this.text(item.documentation);
    if (item.textEdit) {
      value.range = this.range(item.textEdit.range);
      value.insertText =
        item.insertTextFormat === 2
          ? new this.vscode.SnippetString(item.textEdit.newText)
          : item.textEdit.newText;
    }
    return value;
  }

  resolve(value, item) {
    if (item.detail) value.detail = item.detail;
    if (item.documentation) value.documentation = this.text(item.documentation);
    return value;
  }

  hover(hover) {
    return new this.vscode.Hover(
      this.text(hover.contents), hover.range ? this.range(hover.range) : undefined
    );
  }

  highlights(found) {
    return found.map(
      (one) => new this.vscode.DocumentHighlight(this.range(one.range), (one.kind || 1) - 1)
    );
  }

  symbols(found) {
    return found.map((symbol) => {
      const value = new this.vscode.DocumentSymbol(
        symbol.name, symbol.detail || "", symbol.kind - 1, this.range(symbol.range),
        this.range(symbol.selectionRange)
      );
      value.children = this.symbols(symbol.children || []);
      return value;
    });
  }

  symbolInformation(symbol) {
    return new this.vscode.SymbolInformation(
      symbol.name, symbol.kind - 1, symbol.containerName || "", this.location(symbol.location)
    );
  }

  lenses(found) {
    return found.map((lens) => new this.vscode.CodeLens(this.range(lens.range), lens.command));
  }

  links(found) {
    const { DocumentLink, Uri } = this.vscode;
    return found.map((link) => new DocumentLink(this.range(link.range), Uri.parse(link.target)));
  }

  hint(hint) {
    const { InlayHint, Position } = this.vscode;
    const value = new InlayHint(new Position(hint.position.line, hint.position.character), hint.label);
    value.paddingLeft = hint.paddingLeft;
    return value;
  }

  selection(range) {
    return new this.vscode.SelectionRange(
      this.range(range.range), range.parent ? this.selection(range.parent) : undefined
    );
  }

  edit({ range, newText }) {
    return new this.vscode.TextEdit(this.range(range), newText);
  }

  workspaceEdit(edit) {
    const { WorkspaceEdit, Uri } = this.vscode;
    const value = new WorkspaceEdit();
    const all = edit.documentChanges
      ? edit.documentChanges.map((change) => [change.textDocument?.uri, change])
      : Object.entries(edit.changes || {}).map(([uri, edits]) => [uri, { edits }]);
    for (const [uri, change] of all) {
      if (change.kind === "create") {
        value.createFile(Uri.parse(change.uri), { overwrite: false });
      } else {
        value.set(Uri.parse(uri), change.edits.map((one) => this.edit(one)));
      }
    }
    return value;
  }

  action(action) {
    const { CodeAction, CodeActionKind } = this.vscode;
    const value = new CodeAction(action.title, CodeActionKind.Empty.append(action.kind || "quickfix"));
    value.isPreferred = action.isPreferred;
    value.diagnostics = (action.diagnostics || []).map((finding) => this.diagnostic(finding));
    if (action.edit) value.edit = this.workspaceEdit(action.edit);
    return value;
  }
}

module.exports = { Values };
