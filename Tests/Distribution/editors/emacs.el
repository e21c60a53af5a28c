;;; emacs.el --- A whole session in Emacs, with the settings of docs/editors/emacs.el  -*- lexical-binding: t -*-

;; PIPELINE is the program, FOLDER has workflows/a.json, and CLIENT is eglot or lsp-mode.

;;; Code:

(defvar session-client (getenv "CLIENT"))

(defun session-wait (what test)
  "Wait until TEST holds, or fail with WHAT."
  (let ((end (+ (float-time) 10)))
    (while (not (funcall test))
      (when (> (float-time) end) (error "%s: %s" session-client what))
      (accept-process-output nil 0.05))))

(defun session-findings ()
  "The number of findings that are shown."
  (if (equal session-client "eglot")
      (progn (flymake-start) (length (flymake-diagnostics)))
    (let ((count 0))
      (maphash (lambda (_ found) (setq count (+ count (length found)))) (lsp-diagnostics))
      count)))

(package-initialize)
(setq inhibit-message t
      create-lockfiles nil
      make-backup-files nil)
(load (concat (getenv "ROOT") "/docs/editors/emacs.el"))
(setq pipeline-program (getenv "PIPELINE"))

(find-file (concat (getenv "FOLDER") "/workflows/a.json"))
(unless (eq major-mode 'pipeline-mode) (error "The file is in %s" major-mode))
(if (equal session-client "eglot")
    (progn
      (require 'eglot)
      (setq eglot-send-changes-idle-time 0 eglot-confirm-server-initiated-edits nil)
      (call-interactively #'eglot)
      (session-wait "not connected" #'eglot-managed-p))
  (require 'lsp-mode)
  (setq lsp-auto-guess-root t lsp-enable-snippet nil lsp-session-file (make-temp-file "session")
        lsp-diagnostics-provider :none lsp-restart 'ignore lsp-warn-no-matched-clients nil
        lsp-idle-delay 0.01 lsp-enable-file-watchers nil lsp-headerline-breadcrumb-enable nil)
  (lsp-workspace-folders-add (getenv "FOLDER"))
  (lsp)
  (session-wait "not connected" (lambda () (and (bound-and-true-p lsp-mode) (lsp-workspaces)
                                                (eq 'initialized (lsp--workspace-status (car (lsp-workspaces))))))))

(session-wait "no findings came" (lambda () (> (session-findings) 0)))
(goto-char (point-min))
(search-forward "extractt")
(delete-char -1)
(run-hooks 'post-command-hook)
(when (equal session-client "eglot") (eglot--signal-textDocument/didChange))
(session-wait "the finding stayed" (lambda () (= (session-findings) 0)))

(goto-char (point-min))
(search-forward "{{a.n")
(backward-char 1)
(if (equal session-client "eglot") (eglot-rename "number") (lsp-rename "number"))
(goto-char (point-min))
(unless (and (search-forward "\"number\": \"$.total\"" nil t) (search-forward "{{a.number}}" nil t))
  (error "%s: not renamed: %s" session-client (buffer-string)))
(if (equal session-client "eglot") (eglot-format-buffer) (lsp-format-buffer))
(goto-char (point-min))
(search-forward "{{a.number")
;; One definition is gone to. Eglot sends changes when Emacs is idle, which a batch never is.
(when (equal session-client "eglot") (eglot--signal-textDocument/didChange))
(backward-char 1)
(let ((xref-prompt-for-identifier nil))
  (xref-find-definitions (xref-backend-identifier-at-point (xref-find-backend))))
(unless (looking-at "\"?number\"")
  (error "%s: not at the definition: %s" session-client (thing-at-point 'line)))
(set-buffer-modified-p nil)
(if (equal session-client "eglot")
    (eglot-shutdown (eglot-current-server))
  (lsp-workspace-shutdown (car (lsp-workspaces))))
(setq inhibit-message nil)
(message "%s: a whole session" session-client)
;;; emacs.el ends here
