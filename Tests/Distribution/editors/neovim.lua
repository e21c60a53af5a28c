-- A whole session in Neovim, with the settings of docs/editors/neovim.lua. PIPELINE is the program,
-- and FOLDER has workflows/a.json.

local folder, root = os.getenv("FOLDER"), os.getenv("ROOT")
vim.g.pipeline_path = os.getenv("PIPELINE")

local function fail(message)
  io.stderr:write("neovim: " .. message .. "\n")
  vim.cmd("cquit 1")
end
local function check(value, message)
  if not value then fail(message) end
  return value
end
local function ask(method, line, character, more)
  local parameters = vim.tbl_extend("force", {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character },
  }, more or {})
  local answers = check(vim.lsp.buf_request_sync(0, "textDocument/" .. method, parameters, 3000), method)
  for _, answer in pairs(answers) do
    check(answer.error == nil, method .. ": " .. vim.inspect(answer.error))
    return answer.result
  end
  fail("no answer to " .. method)
end

local ok, problem = pcall(function()
  dofile(root .. "/docs/editors/neovim.lua")
  vim.cmd("filetype on")
  vim.cmd("edit " .. folder .. "/workflows/a.json")
  vim.bo.filetype = "json"
  check(vim.wait(5000, function() return #vim.diagnostic.get(0) > 0 end), "no findings came")
  local line = 2
  check(vim.diagnostic.get(0)[1].message:find("extractt", 1, true), "another finding than expected")
  local text = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, { (text:gsub("extractt", "extract")) })
  check(vim.wait(5000, function() return #vim.diagnostic.get(0) == 0 end), "the finding stayed")

  -- The protocol counts UTF-16 units, and Lua bytes.
  local written = vim.api.nvim_buf_get_lines(0, 3, 4, false)[1]
  local _, read = vim.str_utfindex(written, written:find("a.n", 1, true) - 1)
  local items = ask("completion", 3, read + 2)
  items = items.items or items
  check(#items > 0, "nothing is completed")
  check(ask("hover", 3, read + 2).contents, "no hover")
  local definition = ask("definition", 3, read + 2)
  check(definition.uri or definition[1], "no definition")
  check(#ask("references", 3, read + 2, { context = { includeDeclaration = true } }) >= 2, "no references")
  check(#ask("documentSymbol", 0, 0) > 0, "no symbols")
  check(#ask("codeLens", 0, 0) > 0, "no lenses")
  local edit = ask("rename", 3, read + 2, { newName = "number" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  local renamed = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  check(renamed:find('"number": "$.total"', 1, true) and renamed:find("{{a.number}}", 1, true), "not renamed")
  vim.lsp.util.apply_text_edits(ask("formatting", 0, 0, { options = { tabSize = 2, insertSpaces = true } }), 0, "utf-16")
  check(vim.wait(5000, function() return #vim.diagnostic.get(0) == 0 end), "a finding after formatting")
end)
if not ok then fail(problem) end
print("neovim: a whole session\n")
vim.cmd("qall!")
