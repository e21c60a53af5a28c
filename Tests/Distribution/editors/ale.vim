" A whole session in Vim with ALE, with the settings of docs/editors/ale.vim. ALE asks for little:
" findings, completion, hover, definition, rename.
set nocompatible hidden noswapfile
let s:root = $ROOT
let g:pipeline_path = $PIPELINE
let g:ale_linters = {'json': ['pipeline']}
let g:ale_lint_on_text_changed = 'always'
let g:ale_rename_tsserver_find_in_comments = 0
packadd! ale
filetype plugin on
runtime plugin/ale.vim
execute 'source ' . s:root . '/docs/editors/ale.vim'

function! s:Fail(message) abort
  call writefile(['ale: ' . a:message] + split(execute('messages'), "\n"), '/dev/stderr')
  cquit!
endfunction

function! s:Wait(message, test) abort
  for l:try in range(100)
    if eval(a:test) | return | endif
    sleep 50m
  endfor
  call s:Fail(a:message . ' ' . string(getloclist(0)))
endfunction

execute 'edit ' . $FOLDER . '/workflows/a.json'
setfiletype json
call ale#Queue(0)
let s:found = 'len(get(get(g:ale_buffer_info, bufnr(""), {}), "loclist", []))'
call s:Wait('no findings came', s:found . ' > 0')
%s/extractt/extract/
call ale#Queue(0)
call s:Wait('the finding stayed', s:found . ' == 0')

call cursor(4, stridx(getline(4), '{{a.n') + 5)
" ALE asks for the name at a prompt.
call feedkeys(":call ale#rename#Execute()\<CR>\<C-u>number\<CR>", 'tx')
call s:Wait('not renamed', 'join(getline(1, "$")) =~# "{{a.number}}"')
call s:Wait('not renamed everywhere', 'join(getline(1, "$")) =~# "\"number\": "')
call writefile(['ale: a whole session'], '/dev/stdout')
qall!
