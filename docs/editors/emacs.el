;;; emacs.el --- `pipeline lsp' for workflow files -*- lexical-binding: t -*-

;; Load it from your init file.  Tried with Emacs 28.2, eglot 1.9 and lsp-mode 8.0.
;; A mode of its own leaves other JSON files alone.

;;; Code:

(define-derived-mode pipeline-mode js-mode "pipeline"
  "Workflows of HTTP requests, written as JSON.")

(defvar pipeline-program "pipeline"
  "The program `pipeline', by its name or its path.")

(add-to-list 'auto-mode-alist '("/workflows/.*\\.json\\'" . pipeline-mode))
(add-to-list 'auto-mode-alist '("\\.pipeline\\.json\\'" . pipeline-mode))

;; eglot: M-x eglot in a workflow.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(pipeline-mode . (,pipeline-program "lsp"))))

;; lsp-mode: M-x lsp in a workflow.
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(pipeline-mode . "json"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () (list pipeline-program "lsp")))
                    :major-modes '(pipeline-mode)
                    :priority 1
                    :server-id 'pipeline)))

(provide 'pipeline-mode)
;;; emacs.el ends here
