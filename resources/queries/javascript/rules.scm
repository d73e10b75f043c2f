;; rule: javascript.process
;; severity: high
;; category: process
;; message: starts processes
;; imports: child_process cluster execa shelljs cross-spawn zx

;; rule: javascript.network
;; severity: medium
;; category: network
;; message: uses the network
;; imports: http https http2 dns dns/promises undici axios node-fetch got ws superagent request
((call_expression function: (_) @at) (#resolves-to? @at "fetch"))
((new_expression constructor: (_) @at) (#resolves-to? @at "WebSocket" "XMLHttpRequest" "EventSource"))

;; rule: javascript.socket
;; severity: high
;; category: network
;; message: opens sockets
;; imports: net dgram tls

;; rule: javascript.files
;; severity: low
;; category: files
;; message: works with files
;; imports: fs fs/promises fs-extra

;; rule: javascript.vm
;; severity: high
;; category: dynamic
;; message: runs texts as code
;; imports: vm repl v8 inspector inspector/promises vm2 isolated-vm

;; rule: javascript.worker
;; severity: low
;; category: process
;; message: starts workers
;; imports: worker_threads

;; rule: javascript.native
;; severity: high
;; category: native
;; message: loads native code
;; imports: ffi ffi-napi node-gyp-build bindings koffi wasi
((call_expression function: (_) @at) (#resolves-to? @at "process.binding" "process._linkedBinding" "process.dlopen"))

;; rule: javascript.eval
;; severity: high
;; category: dynamic
;; message: runs a text as code
((call_expression function: (_) @at) (#resolves-to? @at "eval"))
((call_expression function: (identifier) @f arguments: (arguments . (string) @at)) (#any-of? @f "setTimeout" "setInterval"))

;; rule: javascript.function-constructor
;; severity: high
;; category: dynamic
;; message: makes a function of a text
((new_expression constructor: (_) @at) (#resolves-to? @at "Function" "AsyncFunction" "GeneratorFunction"))
((call_expression function: (_) @at) (#resolves-to? @at "Function" "AsyncFunction" "GeneratorFunction"))
((member_expression object: (member_expression property: (property_identifier) @first) property: (property_identifier) @at)
 (#eq? @first "constructor") (#eq? @at "constructor"))
((call_expression function: (member_expression property: (property_identifier) @at) arguments: (arguments . (string)))
 (#eq? @at "constructor"))

;; rule: javascript.dynamic-import
;; severity: medium
;; category: dynamic
;; message: loads a module whose name can't be seen
((call_expression function: (import) arguments: (arguments . (_) @at)) (#not-kind? @at "string"))
((call_expression function: (_) @f arguments: (arguments . (_) @at)) (#any-of? @f "require" "module.require" "process.getBuiltinModule") (#not-kind? @at "string"))
((call_expression function: (_) @at) (#resolves-to? @at "module.createRequire" "process.mainModule.require" "module.constructor._load" "module.Module._load"))

;; rule: javascript.decode-exec
;; severity: critical
;; category: dynamic
;; message: decodes a text and runs it
((call_expression function: (_) @f arguments: (arguments) @at) (#resolves-to? @f "eval" "Function")
 (#match? @at "atob|base64|fromCharCode|decodeURIComponent|unescape|inflate|gunzip|'hex'|\"hex\"|reverse\\("))
((new_expression constructor: (_) @f arguments: (arguments) @at) (#resolves-to? @f "Function")
 (#match? @at "atob|base64|fromCharCode|decodeURIComponent|unescape|inflate|gunzip|'hex'|\"hex\"|reverse\\("))

;; rule: javascript.computed-member
;; severity: medium
;; category: dynamic
;; message: takes a member whose name can't be seen
((subscript_expression object: (_) @o index: (_) @at)
 (#resolves-to? @o "process" "globalThis" "global" "module" "require" "child_process" "fs" "vm")
 (#not-kind? @at "string" "number"))

;; rule: javascript.environment
;; severity: low
;; category: environment
;; message: reads environment variables
((member_expression) @at (#resolves-to? @at "process.env"))

;; rule: javascript.signal
;; severity: medium
;; category: process
;; message: signals processes
((call_expression function: (_) @at) (#resolves-to? @at "process.kill" "process.setuid" "process.setgid" "process.chdir" "process.setgroups" "process.initgroups"))

;; rule: javascript.prototype
;; severity: medium
;; category: dynamic
;; message: changes what all objects have
((assignment_expression left: (member_expression object: (_) @o property: (property_identifier) @p) @at) (#eq? @p "__proto__"))
((assignment_expression left: (_) @at) (#match? @at "^(Object|Array|Function|String|Promise|RegExp)\\.prototype\\.[A-Za-z]+$"))

;; rule: javascript.write-outside
;; severity: high
;; category: files
;; message: writes outside of the workspace
((call_expression function: (member_expression property: (property_identifier) @f) arguments: (arguments . (string) @at))
 (#match? @f "^(writeFile|appendFile|createWriteStream|unlink|rm|rmdir|rename|chmod|chown|symlink|mkdir|truncate|copyFile)(Sync)?$")
 (#match? @at "^['\"`](/|~|\\.\\./)") (#not-match? @at "^['\"`]/(tmp|workspace|dev/(null|shm|stdout|stderr))"))

;; rule: javascript.secrets
;; severity: high
;; category: files
;; message: names a place where secrets are kept
((string (string_fragment) @at) (#match? @at "/etc/(shadow|passwd|sudoers)|\\.ssh(/|$)|id_rsa|\\.aws/|\\.docker/config|\\.kube/|\\.netrc|\\.npmrc|/proc/(self|[0-9]+|1)/(environ|mem|maps|root)|docker\\.sock|169\\.254\\.169\\.254|metadata\\.google"))
((template_string) @at (#match? @at "/etc/(shadow|passwd|sudoers)|\\.ssh/|\\.aws/|docker\\.sock|169\\.254\\.169\\.254"))
