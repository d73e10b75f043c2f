// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the official conformance suite against belljar-conformance, both versions of it and every requirement set, with
// no expected failures; then the scenarios that need no fixtures against the product itself. Each run is a test; its
// failed checks are printed.
// usage: BELLJAR_BIN=... node run.mjs [path of belljar-conformance]
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HttpServer } from '../lib/http.mjs';

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

/** What the product itself can be asked: it has none of the fixtures. `refused` are checks that it fails on purpose. */
const applying = ['server-initialize', 'server-session-lifecycle', 'ping', 'logging-set-level', 'tools-list', 'resources-list',
    'prompts-list', 'server-sse-multiple-streams', 'caching', 'sep-2164-resource-not-found', 'http-header-validation'].map((name) => ({ name: `product: ${name}`, suite: newest, args: ['--scenario', name], atLeast: 1 }));
// No web page is let in, also none of this machine (SECURITY-REQUIREMENTS.md R-77): the suite's own Origin is refused as well.
applying.push({ name: 'product: dns-rebinding-protection', suite: newest, args: ['--scenario', 'dns-rebinding-protection'], atLeast: 1,
    refused: ['localhost-host-valid-accepted'] });

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
async function check(run, url) {
    const folder = mkdtempSync(path.join(tmpdir(), 'belljar-conformance-'));
    const child = spawn(node, [run.suite, 'server', '--url', url, ...run.args, '-o', folder]);
    const { code, text } = await output(child);
    const checks = checksIn(folder);
    const bad = checks.filter((one) => one.status === 'FAILURE' && !run.refused?.includes(one.id));
    const good = checks.filter((one) => one.status === 'SUCCESS').length;
    const warned = checks.filter((one) => one.status === 'WARNING');
    const fine = (code === 0 || run.refused !== undefined) && bad.length === 0 && good >= run.atLeast;
    console.log(`${fine ? 'ok' : 'FAIL'} ${run.name}: ${good} checks passed, ${bad.length} failed, ${warned.length} warnings, exit ${code}`);
    for (const one of [...bad, ...warned])
        console.log(`    ${one.status} ${one.scenario} ${one.id}: ${one.errorMessage ?? ''}`);
    if (!fine && bad.length === 0)
        console.log(text.split('\n').slice(-20).map((line) => `    ${line}`).join('\n'));
    passed += fine ? 1 : 0;
    failed += fine ? 0 : 1;
    rmSync(folder, { recursive: true });
}

for (const run of runs)
    await check(run, `${origin}/mcp`);
server.stdin.end();
proxy.close();
proxy.closeAllConnections();

const product = await HttpServer.start();
const before = addToken(product.token, () => product.port);
await new Promise((resolve) => before.listen(0, '127.0.0.1', resolve));
for (const run of applying)
    await check(run, `http://localhost:${before.address().port}/mcp`);
before.close();
before.closeAllConnections();
await product.end();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
