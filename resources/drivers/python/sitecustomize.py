# SPDX-License-Identifier: GPL-3.0-or-later
#
# Holds a warm Python interpreter until there is a program to run. Python's own `site` imports this
# before the main file when PYTHONPATH names this folder. Protocol: engine/base/adr/0002-runner-protocol.md.
#
# Nothing of it may be left when the program starts: no function and no class is defined, since
# a function and its globals are a cycle that only the garbage collector ends; no module is imported
# that isn't loaded by then anyway; and it leaves by an ImportError of its own name, which makes the
# import system forget the module and which `site` takes as "there is no sitecustomize".
import os
import sys

# A Python process that inherited PYTHONPATH but not the runner's socket has nothing to wait for.
try:
    here = os.fstat(3).st_mode & 0o170000 == 0o140000
except OSError:
    here = False

if here:
    os.write(3, b"R")
    text = b""
    while True:
        piece = os.read(3, 65536)
        if not piece:
            break
        text += piece
    os.close(3)
    # {"args":["..."]} as the runner writes it: \" \\ and \u00XX are the only escapes. Read by hand,
    # because `json` would stay in sys.modules. Decoded as the interpreter decodes its own arguments.
    text = os.fsdecode(text)
    if not text:
        os._exit(0)  # the runner has gone
    args = []
    at = text.index("[") + 1
    while text[at] != "]":
        at += 1  # the opening quote, or the comma before it
        if text[at] == '"':
            at += 1
        arg = []
        while text[at] != '"':
            end = at
            while text[end] not in '"\\':
                end += 1
            arg.append(text[at:end])
            at = end
            if text[at] == "\\":
                if text[at + 1] == "u":
                    arg.append(chr(int(text[at + 2:at + 6], 16)))
                    at += 6
                else:
                    arg.append(text[at + 1])
                    at += 2
        args.append("".join(arg))
        at += 1
    sys.argv[1:] = args
    if hasattr(sys, "orig_argv"):
        sys.orig_argv.extend(args)
    del text, piece, args, at
    if "arg" in globals():
        del arg, end

    # As if PYTHONPATH had never been there.
    folder = os.path.dirname(__file__)
    sys.path[:] = [entry for entry in sys.path if entry != folder]
    sys.path_importer_cache.pop(folder, None)
    rest = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry != folder]
    os.environ.pop("PYTHONPATH", None)
    if any(rest):
        os.environ["PYTHONPATH"] = os.pathsep.join(rest)
    del folder, rest

del here

# The image's own sitecustomize, if it has one, gets its turn and this module's name.
del sys.modules["sitecustomize"]
import sitecustomize  # noqa: E402  raises the ImportError that ends this module when there is none
