;; rule: go.process
;; severity: high
;; category: process
;; message: starts processes
((import_spec path: (_) @at) (#match? @at "^\"os/exec\"$"))
((call_expression function: (selector_expression) @at) (#any-of? @at "os.StartProcess" "syscall.Exec" "syscall.ForkExec" "exec.Command" "exec.CommandContext"))

;; rule: go.network
;; severity: medium
;; category: network
;; message: uses the network
((import_spec path: (_) @at) (#match? @at "^\"(net|net/.*|crypto/tls|golang.org/x/net/.*)\"$"))

;; rule: go.native
;; severity: high
;; category: native
;; message: leaves the safety of the language
((import_spec path: (_) @at) (#match? @at "^\"(C|unsafe|syscall|plugin|golang.org/x/sys/.*)\"$"))

;; rule: go.secrets
;; severity: high
;; category: files
;; message: names a place where secrets are kept
((interpreted_string_literal) @at (#match? @at "/etc/(shadow|passwd|sudoers)|\\.ssh/|\\.aws/|/proc/self/environ|docker\\.sock|169\\.254\\.169\\.254"))

;; rule: go.environment
;; severity: low
;; category: environment
;; message: reads environment variables
((call_expression function: (selector_expression) @at) (#any-of? @at "os.Getenv" "os.Environ" "os.LookupEnv"))
