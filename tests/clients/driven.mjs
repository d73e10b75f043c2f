// SPDX-License-Identifier: GPL-3.0-or-later
// A real MCP client that a test of another language drives: one JSON value per line.
//   in:  {"call": n, "args": {...}}   execute_code          {"cancel": n}   gives that call up
//   out: {"ready": true}   {"call": n, "progress": "..."}   {"call": n, "result": {...}}   {"call": n, "error": "..."}
// It connects to `belljar stdio` in the environment that it was started with, under the name in argv.

import readline from 'node:readline';
import { Belljar } from './sdk.mjs';

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const calls = new Map();

const belljar = await Belljar.connect({ home: {}, environment: process.env, name: process.argv[2] ?? 'driven' });
say({ ready: true });

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { call, args, cancel } = JSON.parse(line);
  if (cancel !== undefined) { calls.get(cancel)?.abort('given up by the test'); continue; }
  const abort = new AbortController();
  calls.set(call, abort);
  belljar.call(args, { signal: abort.signal, onprogress: ({ message }) => say({ call, progress: message }) })
    .then((result) => say({ call, result }), (error) => say({ call, error: error.message }))
    .finally(() => calls.delete(call));
}
await belljar.close();
