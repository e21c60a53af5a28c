" Vim with ALE: `pipeline lsp` for workflow files. Source it from your vimrc, after ALE.
" Tried with Vim 9.0 and ALE 3.3.0.

let g:pipeline_path = get(g:, 'pipeline_path', 'pipeline')

function! PipelineRoot(buffer) abort
  let l:workflows = finddir('workflows', fnamemodify(bufname(a:buffer), ':p:h') . ';')
  return empty(l:workflows) ? fnamemodify(bufname(a:buffer), ':p:h') : fnamemodify(l:workflows, ':p:h:h')
endfunction

call ale#linter#Define('json', {
\   'name': 'pipeline',
\   'lsp': 'stdio',
\   'executable': {buffer -> g:pipeline_path},
\   'command': '%e lsp',
\   'project_root': function('PipelineRoot'),
\})
