// SPDX-License-Identifier: GPL-3.0-or-later
//
// Holds a warm Node.js until there is a program to run: `node --require preload.cjs main.js`.
// Protocol: engine/base/adr/0002-runner-protocol.md. Nothing of it may be reachable from the program
// and a CommonJS program must run exactly as `node main.js` runs it.
'use strict';

{
    const fs = require('fs');
    const Module = require('module');
    const { isMainThread } = require('worker_threads');

    // Forget this file, in worker threads too: they run --require again.
    delete require.cache[__filename];
    for (const key of Object.keys(Module._pathCache)) {
        if (Module._pathCache[key] === __filename) {
            delete Module._pathCache[key];
        }
    }
    for (const list of [process.execArgv, process._preload_modules]) {
        for (let at = list ? list.length - 1 : -1; at >= 0; at--) {
            if (list[at] === __filename) {
                const flagBefore = at > 0 && /^(--require|-r)$/.test(list[at - 1]);
                list.splice(flagBefore ? at - 1 : at, flagBefore ? 2 : 1);
            }
        }
    }

    let held = false;
    if (isMainThread) {
        try {
            held = fs.fstatSync(3).isSocket();
        } catch {
            // A process that the program started: nothing to wait for.
        }
    }
    if (held) {
        fs.writeSync(3, 'R');
        const pieces = [];
        const buffer = Buffer.allocUnsafeSlow(65536);
        for (let size; (size = fs.readSync(3, buffer)) > 0;) {
            pieces.push(Buffer.from(buffer.subarray(0, size)));
        }
        fs.closeSync(3);
        const text = Buffer.concat(pieces).toString();
        if (text === '') {
            process.exit(0); // the runner has gone
        }
        process.argv.push(...JSON.parse(text).args);

        const main = process.argv[1];
        const [major, minor] = process.versions.node.split('.').map(Number);
        // These versions look at the syntax themselves.
        const detects = major > 22 || (major === 22 && minor >= 7) || (major === 20 && minor >= 19);
        if (!detects && main.endsWith('.js')) {
            const vm = require('vm');
            let source = fs.readFileSync(main, 'utf8').replace(/^\uFEFF/, '').replace(/^#!.*/, '');
            let isModule = false;
            // Only what has one of these words can be an ES module; everything else isn't even compiled here.
            if (/\b(import|export|await)\b/.test(source)) {
                try {
                    vm.compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname'], { filename: main });
                } catch (error) {
                    isModule = error instanceof SyntaxError && [
                        'Cannot use import statement outside a module',
                        "Unexpected token 'export'",
                        "Cannot use 'import.meta' outside a module",
                        'await is only valid in async functions and the top level bodies of modules',
                    ].includes(error.message);
                }
            }
            source = undefined;
            if (isModule) {
                const file = main.slice(0, -3) + '.mjs';
                fs.copyFileSync(main, file);
                process.argv[1] = file;
                // Node before 19 starts process.argv[1], later ones what they resolved before.
                const { runMain } = Module;
                Module.runMain = function () {
                    Module.runMain = runMain;
                    return runMain.call(this, file);
                };
            }
        }
    }
}
