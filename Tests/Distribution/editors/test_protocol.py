"""The server as pytest-lsp's editors see it: each answer is checked against what the editor declared,
and what the specification forbids is an error. `protocol` installs pytest-lsp and runs this file."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

TEXT = """{
  "steps": [
    { "id": "a", "endpoint": "GET https://api.example.com/users", "extract": { "n": "$.total" } },
    { "id": "b", "values": { "text": "😀 {{a.n}}" }, "retyr": 3 }
  ],
  "outputs": { "text": "{{b.text}}" }
}
"""
EDITORS = ["neovim", "neovim@v0.7.0", "emacs", "visual_studio_code"]


def place(encoding):
    """The place after the `n` of `{{a.n}}`. The emoji before it is two UTF-16 units, or four bytes."""
    before = TEXT[: TEXT.index("{{a.n") + 5].split("\n")
    text = before[-1]
    units = len(text.encode("utf-8")) if encoding == "utf-8" else len(text.encode("utf-16-le")) // 2
    return types.Position(len(before) - 1, units)


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[os.environ["PIPELINE"], "lsp"]),
    params=EDITORS,
)
async def client(request, lsp_client: LanguageClient, tmp_path: pathlib.Path):
    folder = tmp_path / "workflows"
    folder.mkdir()
    (folder / "a.json").write_text(TEXT, encoding="utf-8")
    lsp_client.uri = (folder / "a.json").as_uri()

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def registered(_):
        return None

    result = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="w")],
        )
    )
    lsp_client.place = place(result.capabilities.position_encoding)
    lsp_client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=lsp_client.uri, language_id="json", version=1, text=TEXT)
        )
    )
    yield
    await lsp_client.shutdown_session()


def at(client):
    return {"text_document": types.TextDocumentIdentifier(client.uri), "position": client.place}


@pytest.mark.asyncio
async def test_a_session(client: LanguageClient):
    document = types.TextDocumentIdentifier(client.uri)
    everything = types.Range(types.Position(0, 0), types.Position(7, 0))
    if not client.capabilities.text_document.diagnostic:
        await client.wait_for_notification("textDocument/publishDiagnostics")
        found = client.diagnostics[client.uri]
    else:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
        found = report.items
    assert found and found[0].source == "pipeline"

    items = await client.text_document_completion_async(types.CompletionParams(**at(client)))
    assert [item.label for item in items] == ["n"]
    resolved = await client.completion_item_resolve_async(items[0])
    assert resolved.documentation
    assert await client.text_document_hover_async(types.HoverParams(**at(client)))
    assert await client.text_document_definition_async(types.DefinitionParams(**at(client)))
    references = await client.text_document_references_async(
        types.ReferenceParams(**at(client), context=types.ReferenceContext(True))
    )
    assert len(references) == 2
    assert await client.text_document_document_highlight_async(types.DocumentHighlightParams(**at(client)))
    assert await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert await client.workspace_symbol_async(types.WorkspaceSymbolParams("a"))
    assert await client.text_document_code_lens_async(types.CodeLensParams(document))
    await client.text_document_document_link_async(types.DocumentLinkParams(document))
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert await client.text_document_selection_range_async(types.SelectionRangeParams(document, [client.place]))
    assert await client.text_document_inlay_hint_async(types.InlayHintParams(document, everything))
    await client.text_document_code_action_async(
        types.CodeActionParams(document, everything, types.CodeActionContext([]))
    )
    options = types.FormattingOptions(2, True)
    await client.text_document_formatting_async(types.DocumentFormattingParams(document, options))
    await client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(document, everything, options)
    )
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**at(client)))
    assert prepared.placeholder == "n"
    edit = await client.text_document_rename_async(types.RenameParams(**at(client), new_name="number"))
    changes = edit.changes[client.uri] if edit.changes else edit.document_changes[0].edits
    assert [change.new_text for change in changes] == ["number", "number"]
