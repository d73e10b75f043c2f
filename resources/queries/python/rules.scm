;; rule: python.eval
;; severity: high
;; category: dynamic
;; message: runs a text as code
((call function: (_) @at) (#resolves-to? @at "eval"))
((call function: (parenthesized_expression (named_expression value: (_) @at))) (#resolves-to? @at "eval"))

;; rule: python.exec
;; severity: high
;; category: dynamic
;; message: runs a text as code
((call function: (_) @at) (#resolves-to? @at "exec" "runpy.*" "code.interact" "code.InteractiveInterpreter" "code.InteractiveConsole" "timeit.timeit.exec"))

;; rule: python.compile
;; severity: medium
;; category: dynamic
;; message: makes code of a text
((call function: (_) @at) (#resolves-to? @at "compile" "types.CodeType" "types.FunctionType"))

;; rule: python.open
;; severity: info
;; category: files
;; message: opens a file
((call function: (_) @at) (#resolves-to? @at "open" "io.open" "os.open" "codecs.open"))

;; rule: python.import-call
;; severity: medium
;; category: dynamic
;; message: imports by a call
((call function: (_) @at) (#resolves-to? @at "__import__" "importlib.import_module" "importlib.util.*" "imp.load_source" "imp.load_module" "pkgutil.get_loader"))

;; rule: python.dynamic-import
;; severity: high
;; category: dynamic
;; message: imports a module whose name can't be seen
((call function: (_) @f arguments: (argument_list . (_) @at))
 (#resolves-to? @f "__import__" "importlib.import_module") (#not-kind? @at "string"))

;; rule: python.process
;; severity: high
;; category: process
;; message: starts a process
((call function: (_) @at) (#resolves-to? @at
  "os.system" "os.popen" "os.popen2" "os.popen3" "os.popen4" "os.startfile" "os.fork" "os.forkpty" "os.exec*" "os.spawn*" "os.posix_spawn*"
  "subprocess.*" "pty.spawn" "pty.fork" "commands.getoutput" "commands.getstatusoutput" "popen2.*" "platform.popen"
  "asyncio.create_subprocess_exec" "asyncio.create_subprocess_shell" "asyncio.subprocess.*" "posix.system" "posix.fork" "posix.exec*" "nt.system" "pexpect.*" "sh.*" "plumbum.*"))

;; rule: python.multiprocessing
;; severity: low
;; category: process
;; message: starts workers
;; imports: multiprocessing multiprocessing.* concurrent.futures joblib

;; rule: python.network
;; severity: medium
;; category: network
;; message: uses the network
;; imports: requests requests.* urllib.request httpx aiohttp http.client http.server ftplib smtplib poplib imaplib nntplib telnetlib paramiko xmlrpc.client xmlrpc.server websocket websockets urllib3 pycurl boto3 socketserver
((call function: (_) @at) (#resolves-to? @at "urllib.request.*" "requests.*" "httpx.*" "asyncio.open_connection" "asyncio.start_server"))

;; rule: python.socket
;; severity: high
;; category: network
;; message: opens a socket
((call function: (_) @at) (#resolves-to? @at "socket.socket" "socket.create_connection" "socket.create_server" "socket.fromfd" "socket.socketpair" "_socket.*"))

;; rule: python.native
;; severity: high
;; category: native
;; message: calls native code
;; imports: ctypes ctypes.* cffi _ctypes cython
((call function: (_) @at) (#resolves-to? @at "ctypes.*" "cffi.*" "numpy.ctypeslib.load_library"))

;; rule: python.dunder
;; severity: high
;; category: dynamic
;; message: reaches for the inside of the interpreter
((attribute attribute: (identifier) @at) (#any-of? @at
  "__subclasses__" "__bases__" "__base__" "__mro__" "__globals__" "__builtins__" "__code__" "__closure__" "__getattribute__" "__reduce__" "__reduce_ex__" "__loader__" "__spec__" "__import__" "func_globals" "gi_frame" "gi_code" "cr_frame" "f_back" "f_globals" "f_locals" "f_builtins" "tb_frame"))
((subscript subscript: (string (string_content) @at)) (#any-of? @at "__builtins__" "__import__" "__globals__" "__subclasses__"))
((call function: (identifier) @f arguments: (argument_list . (_) . (string (string_content) @at)))
 (#eq? @f "getattr") (#match? @at "^__(subclasses|bases|base|mro|globals|builtins|code|import|getattribute|class)__$"))

;; rule: python.getattr-computed
;; severity: medium
;; category: dynamic
;; message: takes a member whose name can't be seen
((call function: (_) @f arguments: (argument_list . (_) @of . (_) @at))
 (#resolves-to? @f "getattr" "operator.attrgetter") (#not-kind? @at "string")
 (#match? @of "^(os|sys|builtins|__builtins__|subprocess|importlib|socket|shutil|ctypes|globals\\(\\)|__import__.*)$"))
((call function: (_) @f arguments: (argument_list . (_) @of . (binary_operator) @at)) (#eq? @f "getattr"))
((call function: (_) @f arguments: (argument_list . (_) @of . (call) @at)) (#eq? @f "getattr"))

;; rule: python.namespace
;; severity: medium
;; category: dynamic
;; message: takes a name out of a namespace by its text
((subscript value: (call function: (identifier) @f) @at subscript: (_)) (#any-of? @f "globals" "locals" "vars"))
((subscript value: (_) @at subscript: (_) @key) (#resolves-to? @at "sys.modules" "__builtins__") (#not-match? @key "^['\"]__main__['\"]$"))

;; rule: python.deserialise
;; severity: high
;; category: dynamic
;; message: loads objects that may run code
((call function: (_) @at) (#resolves-to? @at "pickle.load" "pickle.loads" "pickle.Unpickler" "_pickle.*" "cPickle.*" "dill.load" "dill.loads" "cloudpickle.load" "cloudpickle.loads" "marshal.load" "marshal.loads" "shelve.open" "jsonpickle.decode" "yaml.load" "yaml.unsafe_load" "yaml.full_load" "joblib.load" "torch.load"))

;; rule: python.decode-exec
;; severity: critical
;; category: dynamic
;; message: decodes a text and runs it
((call function: (_) @f arguments: (argument_list) @at)
 (#resolves-to? @f "eval" "exec" "compile")
 (#match? @at "b64decode|b32decode|b85decode|a85decode|b16decode|fromhex|unhexlify|decompress|rot.?13|codecs\\.decode|marshal|urlopen|chr\\(|\\[::-1\\]"))

;; rule: python.write-outside
;; severity: high
;; category: files
;; message: writes outside of the workspace
((call function: (_) @f arguments: (argument_list . (string) @at . (string) @mode))
 (#resolves-to? @f "open" "io.open" "codecs.open") (#match? @mode "[wax+]")
 (#match? @at "^[rbufRBUF]*['\"]+(/|~|\\.\\./)") (#not-match? @at "^[rbufRBUF]*['\"]+/(tmp|workspace|dev/(null|shm|stdout|stderr))"))
((call function: (_) @f arguments: (argument_list . (string) @at (keyword_argument name: (identifier) @k value: (string) @mode)))
 (#resolves-to? @f "open" "io.open") (#eq? @k "mode") (#match? @mode "[wax+]")
 (#match? @at "^[rbufRBUF]*['\"]+(/|~|\\.\\./)") (#not-match? @at "^[rbufRBUF]*['\"]+/(tmp|workspace|dev/(null|shm|stdout|stderr))"))
((call function: (_) @f arguments: (argument_list . (string) @at))
 (#resolves-to? @f "os.remove" "os.unlink" "os.rmdir" "os.removedirs" "os.rename" "os.chmod" "os.chown" "os.symlink" "os.link" "os.truncate" "shutil.rmtree" "shutil.move" "os.mkdir" "os.makedirs")
 (#match? @at "^[rbufRBUF]*['\"]+(/|~|\\.\\./)") (#not-match? @at "^[rbufRBUF]*['\"]+/(tmp|workspace|dev/shm)"))

;; rule: python.delete-tree
;; severity: medium
;; category: files
;; message: deletes a folder with all that is in it
((call function: (_) @at) (#resolves-to? @at "shutil.rmtree" "os.removedirs"))

;; rule: python.secrets
;; severity: high
;; category: files
;; message: names a place where secrets are kept
((string (string_content) @at) (#match? @at "/etc/(shadow|passwd|sudoers|gshadow)|\\.ssh(/|$)|id_rsa|\\.aws/|\\.docker/config|\\.kube/|\\.netrc|/proc/(self|[0-9]+|1)/(environ|mem|maps|root)|docker\\.sock|169\\.254\\.169\\.254|metadata\\.google"))

;; rule: python.environment
;; severity: low
;; category: environment
;; message: reads environment variables
((attribute) @at (#resolves-to? @at "os.environ" "os.environb"))
((call function: (_) @at) (#resolves-to? @at "os.getenv" "os.getenvb" "os.putenv" "dotenv.*"))

;; rule: python.signal
;; severity: medium
;; category: process
;; message: signals processes or changes limits
((call function: (_) @at) (#resolves-to? @at "os.kill" "os.killpg" "signal.pthread_kill" "signal.pidfd_send_signal" "resource.setrlimit" "resource.prlimit" "os.setuid" "os.setgid" "os.setsid" "os.setpriority" "os.nice" "os.sched_setaffinity" "os.chroot" "os.unshare" "os.setns" "faulthandler.*"))

;; rule: python.introspection
;; severity: medium
;; category: dynamic
;; message: looks into or hooks the interpreter
((call function: (_) @at) (#resolves-to? @at "sys._getframe" "sys._current_frames" "sys.settrace" "sys.setprofile" "sys.addaudithook" "inspect.currentframe" "inspect.stack" "inspect.getouterframes" "gc.get_objects" "gc.get_referrers" "gc.get_referents" "threading.settrace"))

;; rule: python.code-hook
;; severity: medium
;; category: dynamic
;; message: changes how modules are loaded or what a builtin does
((assignment left: (_) @at) (#resolves-to? @at "builtins.*" "sys.meta_path" "sys.path_hooks" "sys.stdout.write" "sys.modules"))
((call function: (_) @at) (#match? @at "^sys\\.(meta_path|path_hooks)\\.(append|insert)$"))

;; rule: python.raw-exit
;; severity: low
;; category: process
;; message: ends without tidying up
((call function: (_) @at) (#resolves-to? @at "os._exit" "os.abort"))
