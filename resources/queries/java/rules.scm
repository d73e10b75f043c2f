;; rule: java.process
;; severity: high
;; category: process
;; message: starts processes
((method_invocation object: (_) @o name: (identifier) @at) (#match? @o "getRuntime\\(\\)$") (#eq? @at "exec"))
((object_creation_expression type: (_) @at) (#match? @at "(^|\\.)ProcessBuilder$"))

;; rule: java.network
;; severity: medium
;; category: network
;; message: uses the network
((import_declaration (_) @at) (#match? @at "^(java\\.net|javax\\.net|java\\.nio\\.channels|java\\.rmi|okhttp3)"))

;; rule: java.native
;; severity: high
;; category: native
;; message: loads native code
((method_invocation object: (_) @o name: (identifier) @at) (#any-of? @o "System" "Runtime" "Runtime.getRuntime()") (#any-of? @at "loadLibrary" "load"))
((import_declaration (_) @at) (#match? @at "^(sun\\.misc|jdk\\.internal|com\\.sun\\.jna)"))

;; rule: java.reflection
;; severity: medium
;; category: dynamic
;; message: reaches what it isn't given
((method_invocation name: (identifier) @at) (#any-of? @at "setAccessible" "defineClass"))
((method_invocation object: (_) @o name: (identifier) @at) (#eq? @o "Class") (#eq? @at "forName"))

;; rule: java.deserialise
;; severity: high
;; category: dynamic
;; message: loads objects that may run code
((object_creation_expression type: (_) @at) (#match? @at "ObjectInputStream$|XMLDecoder$"))

;; rule: java.environment
;; severity: low
;; category: environment
;; message: reads environment variables
((method_invocation object: (_) @o name: (identifier) @at) (#eq? @o "System") (#any-of? @at "getenv"))
