// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the official conformance suite against belljar-conformance, both versions of it and every
// requirement set, with no expected failures. A scenario is a test; its failed checks are printed.
// usage: node run.mjs [path of belljar-conformance]
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const program = process.argv[2] ?? process.env.BELLJAR_CONFORMANCE ??
    path.join(here, '../../build/dev/bin/belljar-conformance');
const node = path.join(here, 'node_modules/.bin/node');
const newest = path.join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const stable = path.join(here, 'node_modules/conformance-stable/dist/index.js');
const tasks = ['lifecycle', 'capability-negotiation', 'wire-fields', 'required-task-error',
    'request-state-removal', 'dispatch-and-envelope', 'request-headers', 'mrtr-input',
    'mrtr-composition'].map((name) => `tasks-${name}`);

/** What is run: the suite, its arguments, and how many checks have to pass at least. */
const runs = [
    { name: '2025-11-25', suite: newest, args: ['--requirements', '2025-11-25'], atLeast: 84 },
    { name: '2026-07-28', suite: newest, args: ['--requirements', '2026-07-28'], atLeast: 190 },
    { name: '2025-06-18', suite: newest, args: ['--suite', 'all', '--spec-version', '2025-06-18'], atLeast: 56 },
    { name: '2025-03-26', suite: newest, args: ['--suite', 'all', '--spec-version', '2025-03-26'], atLeast: 3 },
    { name: 'stable', suite: stable, args: ['--suite', 'active'], atLeast: 40 },
    ...tasks.map((name) => ({ name, suite: newest, args: ['--scenario', name], atLeast: 1 })),
];

/** Adds the token, which the suite can't send. */
function addToken(token, targetOf) {
    return http.createServer((request, response) => {
        const up = http.request({
            host: '127.0.0.1', port: targetOf(), path: request.url, method: request.method,
            headers: { ...request.headers, authorization: `Bearer ${token}` },
        }, (answer) => {
            response.writeHead(answer.statusCode, answer.headers);
            response.flushHeaders();
            answer.pipe(response);
        });
        up.on('error', () => response.destroy());
        response.on('close', () => up.destroy());
        request.pipe(up);
    });
}

function output(child) {
    return new Promise((resolve) => {
        let text = '';
        child.stdout.on('data', (piece) => { text += piece; });
        child.stderr.on('data', (piece) => { text += piece; });
        child.on('close', (code) => resolve({ code, text }));
    });
}

/** Every check of one run, from the files that the suite leaves. */
function checksIn(folder) {
    return readdirSync(folder, { recursive: true })
        .filter((file) => file.endsWith('checks.json'))
        .flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
            .map((check) => ({ scenario: path.basename(path.dirname(file)), ...check })));
}

const token = randomBytes(32).toString('hex');
let address;
const proxy = addToken(token, () => Number(address.port));
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const origin = `http://localhost:${proxy.address().port}`;
const server = spawn(program, [token, origin], { stdio: ['pipe', 'pipe', 'inherit'] });
address = await new Promise((resolve, reject) => {
    server.stdout.once('data', (line) => resolve(new URL(String(line).trim())));
    server.once('exit', (code) => reject(new Error(`belljar-conformance ended with ${code}`)));
});

let passed = 0;
let failed = 0;
for (const run of runs) {
    const folder = mkdtempSync(path.join(tmpdir(), 'belljar-conformance-'));
    const child = spawn(node, [run.suite, 'server', '--url', `${origin}/mcp`, ...run.args, '-o', folder]);
    const { code, text } = await output(child);
    const checks = checksIn(folder);
    const bad = checks.filter((check) => check.status === 'FAILURE');
    const good = checks.filter((check) => check.status === 'SUCCESS').length;
    const warned = checks.filter((check) => !['SUCCESS', 'FAILURE'].includes(check.status));
    const fine = code === 0 && bad.length === 0 && good >= run.atLeast;
    console.log(`${fine ? 'ok' : 'FAIL'} ${run.name}: ${good} checks passed, ${bad.length} failed, ${warned.length} warnings, exit ${code}`);
    for (const check of [...bad, ...warned])
        console.log(`    ${check.status} ${check.scenario} ${check.id}: ${check.errorMessage ?? ''}`);
    if (!fine && bad.length === 0)
        console.log(text.split('\n').slice(-20).map((line) => `    ${line}`).join('\n'));
    passed += fine ? 1 : 0;
    failed += fine ? 0 : 1;
    rmSync(folder, { recursive: true });
}
server.stdin.end();
proxy.close();
proxy.closeAllConnections();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
