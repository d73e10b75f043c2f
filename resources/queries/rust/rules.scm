;; rule: rust.process
;; severity: high
;; category: process
;; message: starts processes
((scoped_identifier) @at (#match? @at "(^|::)Command::new$|^std::process::Command"))
((use_declaration argument: (_) @at) (#match? @at "std::process(::|::\\{[^}]*)Command"))

;; rule: rust.network
;; severity: medium
;; category: network
;; message: uses the network
((use_declaration argument: (_) @at) (#match? @at "^std::net|^(tokio::net|reqwest|hyper|ureq)"))
((scoped_identifier) @at (#match? @at "^std::net::|^(TcpStream|TcpListener|UdpSocket)::"))

;; rule: rust.unsafe
;; severity: medium
;; category: native
;; message: leaves the safety of the language
((unsafe_block) @at)

;; rule: rust.native
;; severity: high
;; category: native
;; message: calls native code
((foreign_mod_item) @at)
((use_declaration argument: (_) @at) (#match? @at "^(libc|nix|libloading)(::|$)"))

;; rule: rust.environment
;; severity: low
;; category: environment
;; message: reads environment variables
((scoped_identifier) @at (#match? @at "env::(var|vars|var_os|vars_os)$"))
